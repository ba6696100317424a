"""The map: what can be reached from a merchant, every way as a table, and the whole map as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, Columns, columns
from boardkeeper.client.drawing.fitted import Fitted
from boardkeeper.client.drawing.look import Look
from boardkeeper.titles.orleans.board import Board, WayView

ROAD_STYLE = "yellow"
WATER_STYLE = "blue"
GOODS_STYLE = "bold"

# Where towns stand in the picture: row, and the column of the middle of the name; by hand, after the printed
HEIGHT, WIDTH = 37, 100
TOWNS = {
    "le_mans": (6, 14),
    "chartres": (1, 49),
    "etampes": (2, 82),
    "chateaudun": (7, 38),
    "vendome": (12, 25),
    "orleans": (10, 64),
    "montargis": (9, 91),
    "blois": (16, 44),
    "briare": (16, 91),
    "tours": (18, 19),
    "montrichard": (21, 42),
    "vierzon": (20, 66),
    "chinon": (23, 8),
    "loches": (26, 33),
    "bourges": (25, 78),
    "sancerre": (22, 94),
    "chatellerault": (30, 13),
    "le_blanc": (30, 31),
    "chateauroux": (29, 57),
    "nevers": (29, 95),
    "argenton": (35, 30),
    "la_chatre": (35, 58),
    "saint_amand": (33, 79),
}


def draw_nearby(board: Board, seat: int, look: Look) -> RenderableType:
    """The ways that leave the town of a seat's merchant, and where they lead."""
    town = next(view.merchant for view in board.seats if view.seat == seat)
    rows: list[list[Cell]] = []
    for way in board.ways:
        if town in way.towns:
            other = way.towns[1] if way.towns[0] == town else way.towns[0]
            goods = look.amounts(way.goods)
            rows.append([_kind(way, look), f"→ {look.name(other)}", goods, _stations(board, other, look)])
    heading = Text(f"{look.word('merchant')}: {look.name(town)}", style="bold")
    here = _stations(board, town, look)
    if here.plain:
        heading.append("  ").append_text(here)
    return Group(heading, columns([""] * 4, rows))


def draw_ways(board: Board, look: Look) -> Columns:
    """Every town with the ways that leave it; a way stands at both its ends."""
    rows: list[list[Cell]] = []
    towns = sorted({town for way in board.ways for town in way.towns}, key=look.name)
    for town in towns:
        name = Text(look.name(town), style="bold")
        for mark in _marks(board, town, look):
            name.append(" ").append_text(mark)
        rows.append([name, *(_exits(board, town, kind, look) for kind in ("road", "water"))])
    return columns([look.word(key) for key in ("town", "road", "water")], rows)


def draw_map(board: Board, look: Look) -> RenderableType:
    """The whole map as a picture, with merchants (@), trading stations (#) and goods on the ways."""
    return Group(Fitted(lambda width: _picture(board, look, min(width, WIDTH))), _legend(board, look))


def _picture(board: Board, look: Look, width: int) -> Text:
    canvas = Canvas(HEIGHT, width)
    towns = {town: (row, column * width // WIDTH) for town, (row, column) in TOWNS.items()}
    lines = _lines(board.ways, towns)
    for way in board.ways:
        char, style = ("·", ROAD_STYLE) if way.kind == "road" else ("~", WATER_STYLE)
        for row, column in lines[way.way]:
            canvas.put(row, column, char, style)
    for town, (row, column) in towns.items():
        label = Text(_short_name(look.name(town)), style="bold")
        for mark in _marks(board, town, look):
            label.append(" ").append_text(mark)
        canvas.write(row, column - len(label) // 2, label)
    for way in board.ways:
        _draw_goods(canvas, way, lines[way.way], look)
    return canvas.text()


def _legend(board: Board, look: Look) -> Text:
    return Text.assemble(
        ("· ", ROAD_STYLE),
        (look.word("road") + "   ", "dim"),
        ("~ ", WATER_STYLE),
        (look.word("water") + "   ", "dim"),
        (f"@ {look.word('merchant')}   # {look.word('station')}   ", "dim"),
        (look.word("goods") + ": ", "dim"),
        (", ".join(f"{look.short(good)} {look.name(good)}" for good in look.sorted(board.goods_market)), "dim"),
    )


class Canvas:
    """A sheet of characters; what is written later lies on top."""

    def __init__(self, height: int, width: int) -> None:
        self.height = height
        self.width = width
        self._cells: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, row: int, column: int, char: str, style: str = "") -> None:
        """One character; what falls off the sheet is lost."""
        if 0 <= row < self.height and 0 <= column < self.width:
            self._cells[row, column] = (char, style)

    def write(self, row: int, column: int, text: Text) -> None:
        """A line of text from a column on, moved to fit on the sheet."""
        column = max(0, min(column, self.width - len(text)))
        self.put(row, column - 1, " ")
        self.put(row, column + len(text), " ")
        for offset, char in enumerate(text.plain):
            spans = [str(span.style) for span in text.spans if span.start <= offset < span.end]
            self.put(row, column + offset, char, " ".join([str(text.style), *spans]).strip())

    def is_free(self, row: int, column: int, length: int) -> bool:
        """Whether no letter stands there, nor right beside it."""
        around = range(column - 1, column + length + 1)
        return not any(self._cells.get((row, at), (" ", ""))[0].isalnum() for at in around)

    def text(self) -> Text:
        """The sheet as lines."""
        lines = []
        for row in range(self.height):
            line = Text()
            for column in range(self.width):
                char, style = self._cells.get((row, column), (" ", ""))
                line.append(char, style)
            line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)


def _draw_goods(canvas: Canvas, way: WayView, line: Sequence[tuple[int, int]], look: Look) -> None:
    """The goods of a way, as near to its middle as no name is in their way."""
    goods = [good for good in look.sorted(way.goods) for _ in range(way.goods[good])]
    if not goods:
        return
    label = Text("+".join(look.short(good) for good in goods), style=GOODS_STYLE)
    middle = len(line) // 2
    for row, column in sorted(line, key=lambda cell: abs(line.index(cell) - middle)):
        if canvas.is_free(row, column - len(label) // 2, len(label)):
            canvas.write(row, column - len(label) // 2, label)
            return
    row, column = line[middle]
    canvas.write(row, column - len(label) // 2, label)


def _lines(ways: Sequence[WayView], towns: Mapping[str, tuple[int, int]]) -> dict[str, list[tuple[int, int]]]:
    """The cells of each way; a second one between the same towns runs beside the first."""
    drawn: set[frozenset[str]] = set()
    lines = {}
    for way in ways:
        ends = frozenset(way.towns)
        aside = 5 if ends in drawn else 0
        drawn.add(ends)
        start, end = (towns[town] for town in way.towns)
        lines[way.way] = [(row, column + aside) for row, column in _line(start, end)]
    return lines


def _line(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The cells of a straight line (columns are half as far apart as rows)."""
    (row_a, column_a), (row_b, column_b) = start, end
    steps = max(abs(row_b - row_a), abs(column_b - column_a) // 2, 1)
    for step in range(steps + 1):
        yield (
            round(row_a + (row_b - row_a) * step / steps),
            round(column_a + (column_b - column_a) * step / steps),
        )


def _short_name(name: str) -> str:
    """Argenton for Argenton-sur-Creuse, Saint-Amand for Saint-Amand-Montrond."""
    parts = name.split("-")
    return "-".join(parts[: 2 if parts[0] == "Saint" else 1])


def _marks(board: Board, town: str, look: Look) -> Iterable[Text]:
    """Who stands and who has built in a town."""
    for seat in board.seats:
        if seat.merchant == town:
            yield Text(f"@{seat.seat}", style=look.style(seat.seat))
    for seat in board.seats:
        if town in seat.stations:
            yield Text(f"#{seat.seat}", style=look.style(seat.seat))


def _stations(board: Board, town: str, look: Look) -> Text:
    owners = [seat.seat for seat in board.seats if town in seat.stations]
    if not owners:
        return Text("")
    names = Text(", ").join(Text(look.seat(seat), style=look.style(seat)) for seat in owners)
    return Text.assemble((f"{look.word('station')}: ", "dim"), names)


def _exits(board: Board, town: str, kind: str, look: Look) -> str:
    exits = []
    for way in board.ways:
        if way.kind == kind and town in way.towns:
            other = way.towns[1] if way.towns[0] == town else way.towns[0]
            goods = look.amounts(way.goods, short=True, nothing="")
            exits.append(look.name(other) + (f" ({goods})" if goods else ""))
    return ", ".join(exits)


def _kind(way: WayView, look: Look) -> Text:
    return Text(look.word(way.kind), style=ROAD_STYLE if way.kind == "road" else WATER_STYLE)
