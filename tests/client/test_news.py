"""The inbox of the terminal: messages of the game, keyboard input, and Ctrl-C at any moment."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

import pytest

from boardkeeper.terminal.news import Inbox


def test_a_swallowed_ctrl_c_is_raised_at_the_next_wait() -> None:
    """KeyboardInterrupt is swallowed if it is raised inside of a finalizer."""
    with Inbox[str]() as inbox:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            inbox.wait_for_line(timeout=0)


def test_leaving_the_inbox_restores_the_signal_handler() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Inbox[str]():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_a_message_wakes_the_reader_immediately() -> None:
    with Inbox[str]() as inbox:
        inbox.put("a move")
        assert inbox.wait_for_line() is None
        assert inbox.has_items
        assert inbox.get() == "a move"
        assert not inbox.has_items


def test_the_pipe_is_closed_with_the_last_reference() -> None:
    """Not earlier: another thread may still send a message after the table was left."""
    with Inbox[str]() as inbox:
        put, pipe = inbox.put, os.dup(inbox._read_end)
    del inbox
    put("late")
    assert os.read(pipe, 9) == b"!"
    del put
    assert os.read(pipe, 9) == b""  # no writer is left
    os.close(pipe)
