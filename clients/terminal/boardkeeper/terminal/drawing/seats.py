"""The seats of a table: one in full, each in a line, and all beside each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.terminal.drawing import progress
from boardkeeper.terminal.drawing.board import PILES, Board, PlacedMarker, PlacedZone
from boardkeeper.terminal.drawing.columns import BETWEEN, Cell, draw_captioned, draw_columns
from boardkeeper.terminal.drawing.layout import FitToWidth, HangingIndent
from boardkeeper.v1 import catalog_pb2

Row = tuple[str, str]

FIRST = ("hand", "drawn", "workers", "market", "goods")
BAG = "bag"
"""Kinds of zones that a seat needs most to decide, in this order."""
OF_HAND = ("hand", "drawn")
"""Kinds of zones with components to choose from: each is described in a line of its own."""
FEWER_FACTS = ("workers", "market", "goods")
"""Kinds of zones whose components everybody knows."""
ASIDE = ("discard", "hidden", "pieces", "stations", "jar_space", "on_tracks")
"""Kinds of zones that a short view of a seat leaves out."""
FREE, TAKEN = "□", "■"
FEW = 4
"""A comparison lists so many kinds of components; of more it gives the number. A seat with more tracks leaves out those
on which it has not moved."""
NUMBERS = ("money", "count", "era", "track")
"""Kinds of markers that say how a seat stands."""


def standing_items(board: Board, seat: int) -> Iterator[str]:
    """Money, tracks and the like of a seat, what it has a number of, what it owes, and flags that others lack."""
    viewpoint = board.viewpoint
    few = sum(it.entry.chart for it in board.markers(seat, "track")) <= FEW
    for kind in NUMBERS:
        for it in board.markers(seat, kind):
            if it.value and (kind == "money" or (it.entry.chart and (it.is_set or kind != "track" or few))):
                yield f"{it.entry.text} {progress.describe_position(board, it, ahead=seat == viewpoint.viewer)}"
    for zone in board.zones(seat):
        if _is_number(zone) and not zone.is_empty and zone.entry.kind not in ASIDE:
            yield f"{zone.entry.text} {zone.count}"
    pieces: Counter[str] = Counter()
    for zone in board.zones(0):
        pieces.update(own_pieces(board, zone, seat))
    if pieces:
        yield f"{viewpoint.word('on_board')}: {viewpoint.amounts(pieces)}"
    for it in board.markers(seat):
        if (it.is_set and it.entry.kind in ("town", "place", "event")) or (it.value and not it.entry.kind):
            yield f"{it.entry.text}: {viewpoint.value(it.entry, it.value)}"
        elif it.is_set and it.entry.kind == "due":
            yield f"{it.entry.text}: {it.value}"
        elif it.is_set and it.entry.kind == "flag" and not it.entry.zone and not _is_common(board, it):
            yield it.entry.text


def own_pieces(board: Board, it: PlacedZone, seat: int) -> dict[str, int]:
    """The pieces of a seat in a zone of the table, with their numbers."""
    counts = {} if it.entry.kind in PILES else it.counts
    return {id: count for id, count in counts.items() if board.viewpoint.owner(id) == seat}


def _is_common(board: Board, flag: PlacedMarker) -> bool:
    """Whether all seats have a flag, which then says nothing of any of them."""
    texts = [{it.entry.text for it in board.markers(seat, "flag") if it.is_set} for seat in board.seats]
    return len(texts) > 1 and all(flag.entry.text in it for it in texts)


def _is_number(it: PlacedZone) -> bool:
    """Whether nothing but the number of components in a zone matters: all are what the zone is for."""
    return bool(it.entry.component) and set(it.counts) == {it.entry.component}


def zone_rows(board: Board, seat: int, *, short: bool = False, first: bool | None = None) -> Iterator[Row]:
    """The zones of a seat, each with its contents.

    ``short`` leaves out what matters less, and what is empty. ``first`` asks only for the zones that a seat needs most,
    or only for the others.
    """
    for it in sorted(board.zones(seat), key=lambda it: _rank(it.entry.kind)):
        if short and (it.entry.kind in ASIDE or it.is_empty or _is_number(it)):
            continue
        if (it.is_empty and it.entry.position) or first is (it.entry.kind not in FIRST):
            continue
        if it.entry.kind in OF_HAND and len(it.counts) > 1 and any(map(board.viewpoint.describe, it.counts)):
            yield it.entry.text, ""
            for id in board.viewpoint.sorted(it.counts):
                yield "", describe_component(board, id)
        else:
            yield it.entry.text, describe_contents(board, it)


def _rank(kind: str) -> int:
    return FIRST.index(kind) if kind in FIRST else len(FIRST)


def describe_contents(board: Board, it: PlacedZone, *, owners: bool = False) -> str:
    """The contents of a zone; facts as well if there is one component, and only the number of what is hidden."""
    if not it.counts or _is_number(it):
        return "–" if it.is_empty else it.count
    if it.counts.total() == 1 and it.entry.kind not in FEWER_FACTS:
        return describe_component(board, next(iter(it.counts)), owners=owners)
    text = board.viewpoint.amounts(it.counts, owners=owners)
    return f"{text} ({it.counts.total()})" if len(it.counts) > 1 else text


def describe_component(board: Board, id: str, *, owners: bool = False) -> str:
    """A component with its facts."""
    name = board.viewpoint.piece(id) if owners else board.viewpoint.name(id)
    facts = "" if board.viewpoint.owner(id) else board.viewpoint.describe(id)
    return f"{name}: {facts}" if facts and facts not in name else name


# --- places ------------------------------------------------------------------------------------------------------


def describe_spaces(board: Board, place: str, zones: Sequence[PlacedZone]) -> str:
    """The spaces of a place with what is on them: ``□ Farmer  ■ Knight``."""
    printed = board.viewpoint.values.get(place, {}).get("spaces")
    symbols = printed if isinstance(printed, list) and len(printed) == len(zones) else [it.entry.symbol for it in zones]
    return "  ".join(_space(board, it, symbol) for it, symbol in zip(zones, symbols, strict=True))


def _space(board: Board, it: PlacedZone, symbol: str) -> str:
    viewpoint = board.viewpoint
    if it.is_empty:
        return f"{FREE} {describe_symbol(board, symbol)}"
    return f"{TAKEN} {viewpoint.amounts(it.counts, nothing=it.count)}"


def describe_symbol(board: Board, symbol: str) -> str:
    """What a space is for, by its symbol: ``Farmer/Knight``."""
    return "/".join(map(board.viewpoint.name, symbol.split("|")))


def describe_place(board: Board, place: str, seat: int) -> str:
    """What a place does the next time that a seat uses it, without the spaces that are drawn beside it."""
    used = progress.count_uses(board, seat, place)
    hidden = ("spaces", "slots") if used is None else ("spaces", "slots", progress.LIMIT)
    return board.viewpoint.describe(place, times=used, without=hidden)


def draw_places(board: Board, seat: int) -> RenderableType:
    """All places of a seat with their spaces and what they do."""
    found: list[Sequence[Cell]] = [
        (
            progress.name_with_uses(board, seat, place),
            describe_spaces(board, place, zones),
            describe_place(board, place, seat),
        )
        for place, zones in board.places(seat).items()
    ]
    return draw_columns([board.viewpoint.word(it) for it in ("place", "spaces", "gives")], found)


def occupied_rows(board: Board, seat: int) -> Iterator[Row]:
    """The places of a seat on which something is."""
    for place, zones in board.places(seat).items():
        if not all(it.is_empty for it in zones):
            yield board.viewpoint.name(place), describe_spaces(board, place, zones)


# --- seats -------------------------------------------------------------------------------------------------------


def next_space_rows(board: Board, seat: int) -> Iterator[Row]:
    """The spaces of tracks that matter to a seat, with what they give."""
    for it in board.markers(seat, *NUMBERS):
        space, component = progress.next_space(board, it)
        if space and board.viewpoint.describe(component):
            yield space_row(board, it.entry, space, component)


def space_row(board: Board, entry: catalog_pb2.MarkerEntry, space: str, component: str) -> Row:
    """A space of a track with what it gives, and its name unless that is the name of the track or has the number."""
    is_named = component != entry.component and space not in board.viewpoint.name(component)
    text = describe_component(board, component) if is_named else board.viewpoint.describe(component)
    return f"{entry.text} {space}", text


def seat_name(board: Board, seat: int) -> Text:
    """The name of a seat, with a mark if it has to decide."""
    mark = "► " if board.is_deciding(seat) else "  "
    return Text.assemble(mark, (board.viewpoint.seat(seat), board.viewpoint.style(seat)))


def draw_seat(board: Board, seat: int) -> RenderableType:
    """Everything of a seat."""
    lines: list[RenderableType] = [HangingIndent(Text(" · ".join(standing_items(board, seat))), 2)]
    lines.append(draw_captioned([*next_space_rows(board, seat), *zone_rows(board, seat)]))
    found: list[RenderableType] = [seat_name(board, seat), *lines]
    return Group(*found, "", draw_places(board, seat)) if board.places(seat) else Group(*found)


def draw_seat_line(board: Board, seat: int) -> HangingIndent:
    """A seat in a line; of the viewer only what :func:`zone_rows` does not show."""
    zones = board.zones(seat) if seat != board.viewpoint.viewer else ()
    shown = (it for it in zones if it.entry.kind in (*FIRST, BAG, "") and not it.is_empty)
    counts = (f"{it.entry.text} {it.count if it.entry.kind == BAG else _briefly(board, it)}" for it in shown)
    said = [*standing_items(board, seat), *counts]
    return HangingIndent(seat_name(board, seat).append("  " + " · ".join(said)), 4)


def _briefly(board: Board, it: PlacedZone, room: int | None = None) -> str:
    """The contents of a zone, or only their number if these are many, or have words that need more room."""
    text = board.viewpoint.amounts(it.counts)
    is_listed = 0 < len(it.counts) <= FEW and not _is_number(it)
    return text if is_listed and (room is None or max(map(cell_len, text.split())) <= room) else it.count


def draw_comparison(board: Board) -> RenderableType:
    """Everything of all seats, a row for each marker and zone."""
    return FitToWidth(lambda width: _compared(board, width))


def _compared(board: Board, width: int) -> RenderableType:
    room = width * 3 // 4 // len(board.seats) - BETWEEN  # of the width of a cell, where the captions have a quarter
    table: dict[str, tuple[str, dict[int, str]]] = {}
    for seat in board.seats:
        for it in board.markers(seat):
            if not it.entry.zone and it.value:
                _cell(table, it.entry.id, it.entry.text, seat, _value(board, it))
        for zone in board.zones(seat):
            _cell(table, zone.entry.id, zone.entry.text, seat, "" if zone.is_empty else _briefly(board, zone, room))
        for place, text in occupied_rows(board, seat):
            _cell(table, f"seat.{seat}.{place}", place, seat, text)
    found: list[Sequence[Cell]] = [
        (caption, *(values.get(seat, "") for seat in board.seats))
        for caption, values in table.values()
        if any(values.values())
    ]
    return draw_columns(["", *(board.viewpoint.seat(seat) for seat in board.seats)], found)


def _cell(table: dict[str, tuple[str, dict[int, str]]], id: str, caption: str, seat: int, text: str) -> None:
    table.setdefault(id.removeprefix(f"seat.{seat}."), (caption, {}))[1][seat] = text


def _value(board: Board, it: PlacedMarker) -> str:
    if it.entry.kind == "flag":
        return "✓" if it.is_set else ""
    return progress.describe_position(board, it) if it.is_set or it.entry.chart else ""
