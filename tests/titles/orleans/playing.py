"""Whole games of Orléans in process (:mod:`tests.kit.playing`)."""

from __future__ import annotations

from functools import partial

from tests.kit import playing

from boardkeeper.titles.orleans.title import TITLE

play_out = partial(playing.play_out, TITLE)
