"""The rule for what a viewer may see of an event. The server, game records and the engine apply it."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from boardkeeper.game.events import GAME_EVENT_TYPES
from boardkeeper.table.effects import Effect
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import redact_effects


class Disclosure(NamedTuple):
    """The parts of an event that a viewer may see: its effects, partly redacted, its name and its detail."""

    effects: tuple[Effect, ...]
    shows_name: bool
    shows_detail: bool


def disclose(table: Table, kind: type[Struct], effects: tuple[Effect, ...], viewer: int) -> Disclosure:
    """Return what a viewer may see of an event whose detail has the type ``kind``.

    ``table`` has the visibilities after the event; for an undo, with its covers applied (:func:`undo.covered`). The
    details of game events are public; even ``Undone`` contains only versions. Other details are visible if all effects
    are. The name of an event is hidden if neither its detail nor any effect is visible.
    """
    shown, is_complete = redact_effects(table, effects, viewer)
    shows_detail = is_complete or kind in GAME_EVENT_TYPES
    return Disclosure(shown, shows_detail or bool(shown), shows_detail)
