"""Bots of Orléans Stories."""

from __future__ import annotations

from boardkeeper.titles.stories.bots import sensible

POLICIES = {"sensible": sensible.choose}
"""The kinds of bots beside the random one."""
