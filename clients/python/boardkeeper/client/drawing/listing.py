"""A board of any title, field by field, for titles that nobody has drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from boardkeeper.client.drawing.look import Look

NOTHING = "–"


def draw_listing(board: Struct, look: Look) -> RenderableType:
    """Each field of a board with its value: plain values in a line, what has parts as a branch.

    Numbers by component stand as amounts, and what belongs to a seat stands under the seat's name.
    """
    tree = Tree(Text(type(board).__name__, style="bold"))
    _grow(tree, msgspec.to_builtins(board), look)
    return tree


def _grow(tree: Tree, value: object, look: Look) -> None:
    """Hang the parts of a value under a branch."""
    if isinstance(value, Mapping):
        parts = [(str(key), part) for key, part in value.items()]
    elif isinstance(value, Sequence):
        parts = [(_caption(number, part, look), part) for number, part in enumerate(value, 1)]
    else:
        return
    for caption, part in parts:
        line = _line(part, look)
        if line is None:
            _grow(tree.add(Text(caption, style="dim")), part, look)
        else:
            tree.add(Text.assemble((f"{caption}: ", "dim"), line))


def _line(value: object, look: Look) -> str | None:
    """A value in a line; ``None`` if it has parts that need lines of their own."""
    if isinstance(value, Mapping):
        return _pairs(value, look)
    if isinstance(value, Sequence) and not isinstance(value, str):
        parts = [_scalar(part, look) for part in value if _is_scalar(part)]
        return (", ".join(parts) or NOTHING) if len(parts) == len(value) else None
    return _scalar(value, look)


def _pairs(values: Mapping[str, object], look: Look) -> str | None:
    """Plain values by name in a line, and components with how many there are as amounts."""
    counts = {id: count for id, count in values.items() if type(count) is int and id in look.names}
    if len(counts) == len(values):
        return look.amounts(counts, nothing=NOTHING)
    if all(map(_is_scalar, values.values())):
        return ", ".join(f"{look.name(id)} {_scalar(value, look)}" for id, value in values.items())
    return None


def _is_scalar(value: object) -> bool:
    return isinstance(value, str) or not isinstance(value, Mapping | Sequence)


def _scalar(value: object, look: Look) -> str:
    return look.name(value) if isinstance(value, str) and value else str(value) or NOTHING


def _caption(number: int, part: object, look: Look) -> str:
    """What a part of a list goes by: the seat that it belongs to, else its place."""
    seat = part.get("seat") if isinstance(part, Mapping) else None
    return look.seat(seat) if isinstance(seat, int) else str(number)
