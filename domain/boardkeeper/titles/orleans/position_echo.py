"""What a position says twice: whatever follows from the rest may be left out (zero or empty), or has to agree with it.

The board that the table gives back is compared with the one that was given, so nothing that it says is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from boardkeeper.table.title import PositionProblem
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.board_view import board_of
from boardkeeper.titles.orleans.material import Orleans


def problems(t: Orleans, board: Board) -> Iterator[PositionProblem]:
    """Every field in which the board is not the one of the table that was built from it."""
    return _differences("", board, board_of(t, OPERATOR))


def _differences(at: str, given: object, follows: object) -> Iterator[PositionProblem]:
    if not given:
        return
    if isinstance(given, Struct):
        for name in given.__struct_fields__:
            yield from _differences(f"{at}.{name}".lstrip("."), getattr(given, name), getattr(follows, name))
    elif isinstance(given, tuple) and isinstance(follows, tuple):
        if _names(given) != _names(follows):
            yield _problem(at, _names(given), _names(follows))
        elif isinstance(given[0], Struct):
            for name, one, other in zip(_names(given), given, follows, strict=True):
                yield from _differences(f"{at}[{name}]", one, other)
    elif _plain(given) != _plain(follows):
        yield _problem(at, given, follows)


def _names(entries: tuple[object, ...]) -> list[str]:
    """What the entries of a list are: structs go by their first field and keep their order, ids have none."""
    if entries and isinstance(entries[0], Struct):
        return [str(getattr(entry, entry.__struct_fields__[0])) for entry in entries if isinstance(entry, Struct)]
    return sorted(map(str, entries))


def _plain(value: object) -> object:
    return {key: count for key, count in value.items() if count} if isinstance(value, dict) else value


def _problem(at: str, given: object, follows: object) -> PositionProblem:
    return PositionProblem(at, f"must be {_said(follows)} to match the rest of the board, not {_said(given)}")


def _said(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "empty"
    return repr(value)
