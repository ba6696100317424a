"""The map of a title: towns or areas, the ways between them, and the components on them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.terminal.drawing.board import Board, PlacedZone
from boardkeeper.terminal.drawing.columns import draw_captioned
from boardkeeper.terminal.drawing.layout import FitToWidth, HangingIndent
from boardkeeper.v1 import catalog_pb2

MAX_COLUMNS, MAX_LINES = 100, 42
AREA = "hexagon"
LINES = {"water": "~"}
LINE = "·"
FREE = frozenset({" ", LINE, *LINES.values()})
"""The characters that texts on the map may cover."""
MAX_DISTANCE = 4
"""The maximum number of lines by which a text is moved so that it covers no other text."""
HERE = "@"
"""The sign before the number of a seat whose marker is in a town."""


def draw_map(board: Board) -> RenderableType:
    """Draw the map; empty if the title has no map."""
    if not board.viewpoint.title.HasField("map"):
        return Text("")
    return Group(
        FitToWidth(lambda width: _draw(board, min(width, MAX_COLUMNS))),
        "",
        draw_legend(board),
        draw_captioned(area_flag_rows(board)),
    )


def draw_legend(board: Board) -> RenderableType:
    """Draw the meanings of the signs on the map."""
    viewpoint = board.viewpoint
    there = [(id, it.entry.kind) for it in _zones(board).values() for id in it.counts]
    signs = {viewpoint.short(id): viewpoint.piece(id) for id, kind in there if kind == "way" or viewpoint.owner(id)}
    signs_and_names = [f"{sign} {name}" for sign, name in sorted(signs.items())]
    ways = {it.kind for it in viewpoint.title.map.ways}
    signs_and_names += [f"{LINES.get(kind, LINE)} {viewpoint.name(kind)}" for kind in sorted(ways)]
    signs_and_names += [f"{HERE}{seat} {viewpoint.seat(seat)}" for seat in sorted(board.seats)]
    return HangingIndent(Text("  ".join(text.replace(" ", "\u00a0") for text in signs_and_names), "dim"), 2)


def area_flag_rows(board: Board) -> Iterator[tuple[str, str]]:
    """Yield the set flags of areas, such as the flag for a built village."""
    for it in board.markers(0, "flag"):
        if it.is_set and it.entry.zone in board.viewpoint.zones and _zones(board).get(it.entry.component):
            yield it.entry.text, "✓"


def way_rows(board: Board, seat: int) -> Iterator[tuple[str, str]]:
    """Yield the ways from the towns with a marker of a seat, and the components on them, a row for each kind."""
    viewpoint, zones = board.viewpoint, _zones(board)
    for marker in board.markers(seat, "town"):
        found: dict[str, list[str]] = {}
        for way in viewpoint.title.map.ways:
            if marker.value in way.towns:
                other = next((it for it in way.towns if it != marker.value), marker.value)
                there = zones.get(way.component)
                goods = f" ({viewpoint.amounts(there.counts, owners=True)})" if there and there.counts else ""
                found.setdefault(way.kind, []).append(viewpoint.name(other) + goods)
        for kind, towns in found.items():
            yield f"{viewpoint.name(marker.value)}, {viewpoint.name(kind)}", ", ".join(towns)


def _zones(board: Board) -> dict[str, PlacedZone]:
    """Return the zones of towns, ways and areas by the id of their component."""
    kinds = ("town", "way", "area")
    return {it.entry.component: it for it in board.zones(0) if it.entry.kind in kinds and it.entry.component}


class _Canvas:
    """A grid of characters."""

    def __init__(self, width: int, height: int) -> None:
        self._width = width
        self._lines = [[" "] * width for _ in range(height)]
        self.height = height

    def write(self, text: str, x: int, y: int, *, free: bool = False) -> None:
        """Write a text centred at a position and within the grid; with ``free``, write only on empty cells."""
        x = max(0, min(x - len(text) // 2, self._width - len(text)))
        y = max(0, min(y, self.height - 1))
        for at, letter in enumerate(text[: self._width], x):
            if not free or self._lines[y][at] == " ":
                self._lines[y][at] = letter

    def place(self, text: str, x: int, y: int) -> None:
        """Write a text centred at a position, or as near as possible, so that it covers no other text."""
        left = max(0, min(x - len(text) // 2, self._width - len(text)))
        rows = range(max(0, y - MAX_DISTANCE), min(self.height, y + MAX_DISTANCE + 1))
        columns = range(self._width - len(text) + 1)
        for row, at in sorted(product(rows, columns), key=lambda spot: abs(spot[1] - left) + 4 * abs(spot[0] - y)):
            if all(sign in FREE for sign in self._lines[row][max(0, at - 1) : at + len(text) + 1]):
                self._lines[row][at : at + len(text)] = text
                return
        self.write(text, x, y)

    def line(self, start: tuple[int, int], end: tuple[int, int], sign: str) -> None:
        """Draw a dotted line."""
        steps = max(abs(end[0] - start[0]) // 2, abs(end[1] - start[1]), 1)
        for step in range(steps + 1):
            x = start[0] + (end[0] - start[0]) * step // steps
            y = start[1] + (end[1] - start[1]) * step // steps
            self.write(sign, x, y, free=True)

    def text(self) -> Text:
        """Return the drawing."""
        return Text("\n".join("".join(line).rstrip() for line in self._lines).strip("\n"), no_wrap=True)


def _draw(board: Board, width: int) -> Text:
    title, zones = board.viewpoint.title.map, _zones(board)
    is_areas = any(it.kind == AREA for it in title.towns)
    height = min(MAX_LINES, round(width / title.aspect / 2))
    canvas = _Canvas(width, height)
    at = {it.component: (round(it.x * (width - 1)), round(it.y * (height - 1))) for it in title.towns}
    for way in title.ways:
        if len(way.towns) > 1:
            canvas.line(at[way.towns[0]], at[way.towns[1]], LINES.get(way.kind, LINE))
    write = canvas.write if is_areas else canvas.place
    for town in title.towns:
        x, y = at[town.component]
        for number, line in enumerate(_town(board, town, zones.get(town.component), width)):
            write(line, x, y + number - (1 if is_areas else 0))
    for way in title.ways:
        if len(way.towns) > 1 and way.component in zones:
            (x, y), (to_x, to_y) = at[way.towns[0]], at[way.towns[1]]
            # Draw the goods of parallel ways at different places.
            third = 3 if way.kind in LINES else 2
            canvas.place(_signs(board, zones[way.component]), x + (to_x - x) // third, y + (to_y - y) // third)
    return canvas.text()


def _town(board: Board, town: catalog_pb2.MapTown, there: PlacedZone | None, width: int) -> list[str]:
    """Return the lines of a town: its name, and the seats and components in it."""
    seats = [(seat, it.value) for seat in sorted(board.seats) for it in board.markers(seat, "town")]
    here = [f"{HERE}{seat}" for seat, place in seats if place == town.component]
    if town.kind != AREA:
        return [" ".join([town.text, *here, *([_signs(board, there)] if there and there.counts else [])])]
    # Areas in the next column write their text in other lines, so a text may be wider than its area.
    room = int(town.size * width * 3 / 2) - 2
    counts = there.counts if there else {}
    own = [
        board.viewpoint.short(id)
        for id in board.viewpoint.sorted(counts)
        if board.viewpoint.owner(id)
        for _ in range(counts[id])
    ]
    names = [board.viewpoint.name(id) for id in board.viewpoint.sorted(counts) if not board.viewpoint.owner(id)]
    lines = (" ".join([town.text.rpartition(" ")[2], *names]), " ".join([*here, *own]))
    return [line[:room] for line in lines if line]


def _signs(board: Board, it: PlacedZone) -> str:
    signs = (board.viewpoint.short(id) for id in board.viewpoint.sorted(it.counts) for _ in range(it.counts[id]))
    return "+".join(signs) if it.entry.kind == "way" else " ".join(signs)
