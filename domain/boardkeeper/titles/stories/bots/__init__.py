"""Bots of Orléans Stories: pure functions from what a seat sees to one of the commands that it may give."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.table.bots import Policy
from boardkeeper.titles.stories.board import Board
from boardkeeper.titles.stories.bots import sensible

POLICIES: Mapping[str, Policy[Board]] = {"sensible": sensible.choose}
"""The kinds of bots beside the random one."""
