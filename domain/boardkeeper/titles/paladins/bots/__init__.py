"""Bots of Paladins."""

from __future__ import annotations

from boardkeeper.titles.paladins.bots import sensible

POLICIES = {"sensible": sensible.choose}
"""The kinds of bots beside the random one."""
