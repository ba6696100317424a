"""Bots of Paladins: pure functions from what a seat sees to one of the commands that it may give."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.table.bots import Policy
from boardkeeper.titles.paladins.board import Board
from boardkeeper.titles.paladins.bots import sensible

POLICIES: Mapping[str, Policy[Board]] = {"sensible": sensible.choose}
"""The kinds of bots beside the random one."""
