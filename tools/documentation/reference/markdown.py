"""Markdown for generated pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def heading(level: int, text: str, anchor: str = "") -> str:
    """Return a heading; ``anchor`` is the target of links to it."""
    target = f"({anchor})=\n" if anchor else ""
    return f"{target}{'#' * level} {text}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table, or an empty text if it has no rows."""
    body = ["| " + " | ".join(map(cell, row)) + " |" for row in rows]
    if not body:
        return ""
    return "\n".join(["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |", *body])


def cell(text: str) -> str:
    """Return a text for a cell of a table: one line without unescaped bars."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """Return a text as code, or an empty text if it is empty."""
    return f"`{text}`" if text else ""


def page(*parts: str) -> str:
    """Join blocks to a page; empty blocks are left out."""
    return "\n\n".join(part for part in parts if part) + "\n"
