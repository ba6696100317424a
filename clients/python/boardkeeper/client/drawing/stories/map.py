"""The map: hexagons in columns, each in two lines, and what is in the towns.

Spaces that touch in a column lie below each other; a column is half a hexagon higher or lower than those beside it.
The Loire flows between the spaces in the north and those in the south, where a line is left free for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import columns
from boardkeeper.client.drawing.fitted import Fitted
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.stories.styles import seat_name, style
from boardkeeper.titles.stories.board import AreaView, Board

SOUTH = "south"
MANOR = "manor_farm"
RIVER_STYLE = "blue"
LEAST = 11
"""How many characters wide a space has to be; with less room the spaces are listed."""

_EDGES = ("╱", "╲")


def draw_map(board: Board, look: Look) -> RenderableType:
    """All spaces of the game, with settlers (@), fortresses (#), villages (⌂) and churches (†)."""
    return Fitted(lambda width: _draw(board, look, width))


def landscape(area: AreaView, look: Look, *, short: bool = False) -> str:
    """What a space is: a landscape, a manor farm, a town; a seat's first village has none of them."""
    if area.town:
        return look.word("sign.town") if short else look.name(area.town)
    kind = MANOR if area.manor_farm else area.landscape
    if short:
        return look.words.get(f"sign.{kind}") or look.short(kind) if kind else "–"
    return look.name(kind or "start_village")


def number(area: str, look: Look) -> str:
    """Where a space is, column and row: ``4/2``."""
    return look.name(area).split()[-1]


def describe(area: AreaView, board: Board, look: Look) -> Text:
    """A space in a few words: ``4/2 Forest ⌂ @1 #1``."""
    return Text(" ").join([Text(f"{number(area.area, look)} {landscape(area, look)}"), *pieces(area, board, look)])


def pieces(area: AreaView, board: Board, look: Look) -> list[Text]:
    """What stands on a space, each as a word; of several settlers of a seat in a town only the seat."""
    found = [Text("⌂")] if area.village else []
    if area.settlers:
        found.append(Text.assemble("@", *(_seat(seat, board, look) for seat in dict.fromkeys(area.settlers))))
    if area.fortress:
        found.append(Text("#", style=style(board, area.fortress, look)).append(str(area.fortress)))
    return [*found, Text("†")] if area.church else found


def _seat(number: int, board: Board, look: Look) -> Text:
    return Text(str(number), style=style(board, number, look))


def _draw(board: Board, look: Look, width: int) -> RenderableType:
    lined = sorted({_position(area, look)[0] for area in board.areas})
    room = width // max(1, len(lined))
    if room < LEAST:
        parts: list[RenderableType] = [_listed(board, look)]
    else:
        longest = max(cell_len(f"4/2 {landscape(area, look)} ⌂") for area in board.areas if _is_named(area))
        named = room >= longest + 2
        parts = [_picture(board, look, min(room, longest + 2) if named else LEAST, named=named)]
        parts.append(_signs(board, look, named=named))
    parts += [_town(area, board, look) for area in board.areas if area.town]
    return Group(*parts)


def _picture(board: Board, look: Look, room: int, *, named: bool) -> Text:
    columns = sorted({_position(area, look)[0] for area in board.areas})
    cells: dict[tuple[int, int], Text] = {}
    first = min(_position(area, look)[1] for area in board.areas)
    for area in board.areas:
        column, y = _position(area, look)
        line = y - first + (area.side == SOUTH)
        for at, text in enumerate(_cell(area, board, look, named=named)):
            cells[line + at, column] = Text(_EDGES[at], style="dim").append_text(text)
    for column in columns:
        south = [y for area in board.areas for at, y in [_position(area, look)] if (at, area.side) == (column, SOUTH)]
        if south:
            cells[min(south) - first, column] = Text(" " + "~" * (room - 1), style=RIVER_STYLE)
    lines = []
    for line in range(1 + max(line for line, _ in cells)):
        drawn = Text()
        for at, column in enumerate(columns):
            cell = cells.get((line, column), Text()).copy()
            drawn.append_text(cell).append(" " * max(0, room * (at + 1) - drawn.cell_len))
        drawn.rstrip()
        lines.append(drawn)
    return Text("\n").join(lines)


def _is_named(area: AreaView) -> bool:
    """Whether a space is called by what lies there, where there is room; towns and first villages have signs."""
    return area.manor_farm or bool(area.landscape)


def _cell(area: AreaView, board: Board, look: Look, *, named: bool) -> tuple[Text, Text]:
    """The two lines of a space: where and what it is, then who is there."""
    village = " ⌂" if area.village else ""
    short = not named or not _is_named(area)
    what = Text(f"{number(area.area, look)} {landscape(area, look, short=short)}{village}")
    there = [piece for piece in pieces(area, board, look) if piece.plain != "⌂"]
    who = Text(" ").join(there)
    return what, who if who.cell_len < LEAST - 1 else Text().join(there)


def _position(area: AreaView, look: Look) -> tuple[int, int]:
    """Column, and height in halves of a hexagon, as the catalogue has them."""
    facts: Mapping[str, str] = look.facts.get(area.area, {})
    return int(facts.get("column", "0")), int(facts.get("y", "0"))


def _signs(board: Board, look: Look, *, named: bool) -> Text:
    """What the landscapes are called that have signs, and the river."""
    areas = {area.landscape: area for area in board.areas if not area.town and not area.manor_farm}
    told = (areas[kind] for kind in look.sorted(areas))
    signs = [
        f"{landscape(area, look, short=True)} {landscape(area, look)}"
        for area in told
        if not named or not _is_named(area)
    ]
    return Text("  ".join([*signs, f"~ {look.word('loire')}"]), style="dim")


def _town(area: AreaView, board: Board, look: Look) -> Text:
    """Who has settlers in a town, and how many."""
    settlers = Counter(area.settlers)
    there = [seat_name(board, seat, look).append(f" {settlers[seat]}") for seat in sorted(settlers)]
    told = Text(", ").join(there) if there else Text("–")
    return Text.assemble((f"{look.name(area.town)} {number(area.area, look)}: ", "dim"), told)


def _listed(board: Board, look: Look) -> RenderableType:
    rows: Sequence[list[Text]] = [
        [Text(look.name(area.side)), describe(area, board, look)] for area in board.areas if not area.town
    ]
    return columns(["", look.word("area")], rows)
