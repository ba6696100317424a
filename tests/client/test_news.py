"""Hearing what the game tells and what the player types, and Ctrl-C at any moment of it."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

import pytest

from boardkeeper.terminal.news import Inbox


def test_a_ctrl_c_that_was_lost_is_heard_all_the_same() -> None:
    """What it raises is swallowed by whatever cannot raise, such as a finalizer that happens to run."""
    with Inbox[str]() as news:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            news.hear(timeout=0)


def test_ctrl_c_means_what_it_meant_before_when_nobody_hears_any_more() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Inbox[str]():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_what_is_told_is_heard_of_at_once() -> None:
    with Inbox[str]() as news:
        news.put("a move")
        assert news.hear() is None
        assert news.there
        assert news.get() == "a move"
        assert not news.there


def test_its_pipe_is_closed_once_nobody_has_it_any_more() -> None:
    """Not before: another thread may still have something to tell after the table was left."""
    with Inbox[str]() as news:
        tell, bell = news.put, os.dup(news._bell)
    del news
    tell("late")
    assert os.read(bell, 9) == b"!"
    del tell
    assert os.read(bell, 9) == b""  # nobody can ring any more
    os.close(bell)
