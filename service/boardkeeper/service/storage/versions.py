"""Which stored events have had more than one form, and how the old ones are read.

``docs/events.md`` is the policy. Rows are never rewritten: an event whose detail changes gets a new version of its
topic here, and a step from the version before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcaster = Callable[[list[Any]], list[Any]]
"""Brings a decoded state (``[seat, command_id, time, detail, effects]`` as plain values) one version further."""

VERSIONS: Mapping[str, int] = {}
"""The present version of every topic that has had more than one: ``{"chess.PieceMoved": 2}``."""

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
"""The step from a topic's version to the next: ``{("chess.PieceMoved", 1): with_its_colour}``."""
