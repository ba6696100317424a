"""The little of Markdown that generated pages are written in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def heading(level: int, text: str, anchor: str = "") -> str:
    """A heading; ``anchor`` is what links elsewhere lead to."""
    target = f"({anchor})=\n" if anchor else ""
    return f"{target}{'#' * level} {text}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; empty text where there are no rows."""
    body = ["| " + " | ".join(map(cell, row)) + " |" for row in rows]
    if not body:
        return ""
    return "\n".join(["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |", *body])


def cell(text: str) -> str:
    """Text within a table: one line, in which nothing ends the cell."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """A name as it is typed; nothing for nothing."""
    return f"`{text}`" if text else ""


def page(*parts: str) -> str:
    """Blocks one below the other, without those that are empty."""
    return "\n\n".join(part for part in parts if part) + "\n"
