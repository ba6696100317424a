"""A console of Rich that escapes control characters in texts of other users and servers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from boardkeeper.terminal.escaping import escape_lines


class PlainConsole(Console):
    """A console that escapes control characters in all texts and renderables."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=escape_lines(segment.text))

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(escape_lines(text), **options)  # before the width is measured
