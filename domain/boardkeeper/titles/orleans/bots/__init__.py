"""Bots of Orléans."""

from __future__ import annotations

from boardkeeper.titles.orleans.bots import sensible

POLICIES = {"sensible": sensible.choose}
"""The kinds of bots beside the random one."""
