"""The log of a game as people read it: a heading for each round, then a sentence for each event."""

from __future__ import annotations

from rich.text import Text

from boardkeeper.client.cli.output import Output
from boardkeeper.client.cli.session import as_record
from boardkeeper.client.drawing.drawing import Drawing
from boardkeeper.client.drawing.look import Look
from boardkeeper.v1 import event_pb2


class Log:
    """Prints events.

    A short log leaves out what the title's drawing calls quiet, except where it is about the seat ``always``.
    """

    def __init__(
        self, output: Output, drawing: Drawing, look: Look, *, short: bool, versions: bool = False, always: int = -1
    ) -> None:
        self._output = output
        self._drawing = drawing
        self._look = look
        self._short = short
        self._versions = versions
        self._always = always

    def tells(self, event: event_pb2.Event) -> bool:
        """Whether people are shown anything of the event."""
        return event.name == self._drawing.round_event or bool(event.sentence and not self._is_left_out(event))

    def show(self, event: event_pb2.Event) -> None:
        """One event: a JSON line, or its sentence."""
        self._output.record(as_record(event))
        if event.name == self._drawing.round_event:
            self._output.line("")
            self._output.text(Text(event.sentence, "bold"), later=len(self._number(event)))
        elif event.sentence and not self._is_left_out(event):
            number = self._number(event)
            style = self._look.style(event.seat) if event.seat else ""
            self._output.text(Text.assemble((number, "dim"), (event.sentence, style)), len(number))

    def _number(self, event: event_pb2.Event) -> str:
        return f"{event.version:>5}  " if self._versions else "  "

    def _is_left_out(self, event: event_pb2.Event) -> bool:
        return self._short and event.seat != self._always and event.name in self._drawing.quiet_events
