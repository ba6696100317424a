"""The log of a game for people: a heading for each round, then a sentence for each event."""

from __future__ import annotations

from rich.text import Text

from boardkeeper.client.cursors import ENDED
from boardkeeper.terminal.connections import as_record
from boardkeeper.terminal.drawing.viewpoint import Viewpoint
from boardkeeper.terminal.output import Output
from boardkeeper.v1 import effect_pb2, event_pb2

CREATED = "GameCreated"
ROUND = "round"
PROGRESS_KINDS = frozenset({"flag", "internal", "seat", "phase", "screen", "action", "place"})
"""Kinds of markers that record the progress of a turn."""


class Log:
    """Print events.

    A short log omits events that only move components between zones of one seat, or only change markers that record
    the progress of a turn. It prints all events of the seat ``always``.
    """

    def __init__(
        self, output: Output, viewpoint: Viewpoint, *, short: bool, versions: bool = False, always: int = -1
    ) -> None:
        self._output = output
        self._viewpoint = viewpoint
        self._short = short
        self._versions = versions
        self._always = always

    def is_printed(self, event: event_pb2.Event) -> bool:
        """Return whether the event is printed."""
        return self.begins_round(event) or bool(event.sentence and not self._is_omitted(event))

    def show(self, event: event_pb2.Event) -> None:
        """Print an event: a JSON line, or its sentence."""
        self._output.record(as_record(event))
        if event.sentence and self.begins_round(event):
            self._output.line("")
            self._output.text(Text(event.sentence, "bold"), later=len(self._number(event)))
        elif event.sentence and not self._is_omitted(event):
            number = self._number(event)
            style = self._viewpoint.style(event.seat) if event.seat else ""
            self._output.text(Text.assemble((number, "dim"), (event.sentence, style)), len(number))

    def _number(self, event: event_pb2.Event) -> str:
        return f"{event.version:>5}  " if self._versions else "  "

    def _is_omitted(self, event: event_pb2.Event) -> bool:
        return self._short and event.seat != self._always and self._is_quiet(event)

    def begins_round(self, event: event_pb2.Event) -> bool:
        """Return whether a round begins with the event."""
        return any(self._kind(it) == ROUND and it.set.before != it.set.after for it in event.effects)

    def _is_quiet(self, event: event_pb2.Event) -> bool:
        if event.name in (CREATED, ENDED):
            return event.name == CREATED
        return bool(event.effects) and all(self._is_progress(it) for it in event.effects)

    def _is_progress(self, effect: effect_pb2.Effect) -> bool:
        match effect.WhichOneof("effect"):
            case "set":
                return self._kind(effect) in PROGRESS_KINDS
            case "move":
                source, target = (self._viewpoint.zones.get(id) for id in (effect.move.source, effect.move.target))
                return source is not None and target is not None and source.seat == target.seat != 0
        return effect.WhichOneof("effect") in ("ask", "reveal")

    def _kind(self, effect: effect_pb2.Effect) -> str:
        marker = self._viewpoint.markers.get(effect.set.marker)
        return "" if marker is None else marker.kind
