"""Bots of Orléans: pure functions from what a seat sees to one of the commands that it may give."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.table.bots import Policy
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.bots import sensible

POLICIES: Mapping[str, Policy[Board]] = {"sensible": sensible.choose}
"""The kinds of bots beside the random one."""
