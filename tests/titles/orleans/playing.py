"""Whole games of Orléans in process (:mod:`boardkeeper.testkit.playing`)."""

from __future__ import annotations

from functools import partial

from boardkeeper.testkit import playing
from boardkeeper.titles.orleans.title import TITLE

play_out = partial(playing.play_out, TITLE)
