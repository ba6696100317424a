"""Drawings of seats: one seat in full, a seat in one line, and a comparison of all seats."""

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
"""Kinds of zones that matter most for a decision, in this order."""
BAG = "bag"
OF_HAND = ("hand", "drawn")
"""Kinds of zones from which a seat chooses components. Each component is described in its own line."""
FEWER_FACTS = ("workers", "market", "goods")
"""Kinds of zones whose components need no description."""
ASIDE = ("discard", "hidden", "pieces", "stations", "jar_space", "on_tracks")
"""Kinds of zones that a short view omits."""
FREE, TAKEN = "□", "■"
FEW = 4
"""The maximum number of kinds of components that a short text lists, and of tracks that are shown at position 0."""
NUMBERS = ("money", "count", "era", "track")
"""Kinds of markers with the money and the progress of a seat."""


def standing_items(board: Board, seat: int) -> Iterator[str]:
    """Yield the money, tracks, counted components and debts of a seat, and the flags that not all seats have."""
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
    """Return the pieces of a seat in a zone of the table, with their numbers."""
    counts = {} if it.entry.kind in PILES else it.counts
    return {id: count for id, count in counts.items() if board.viewpoint.owner(id) == seat}


def _is_common(board: Board, flag: PlacedMarker) -> bool:
    """Return whether all seats have a flag, so that the flag shows no difference between them."""
    texts = [{it.entry.text for it in board.markers(seat, "flag") if it.is_set} for seat in board.seats]
    return len(texts) > 1 and all(flag.entry.text in it for it in texts)


def _is_number(it: PlacedZone) -> bool:
    """Return whether a zone contains only its own kind of component, so that the number is enough."""
    return bool(it.entry.component) and set(it.counts) == {it.entry.component}


def zone_rows(board: Board, seat: int, *, short: bool = False, first: bool | None = None) -> Iterator[Row]:
    """Yield the zones of a seat with their contents.

    ``short`` omits less important and empty zones. ``first`` selects only the zones of kinds in ``FIRST`` (true), or
    only the other zones (false).
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
    """Return the contents of a zone: a single component with its facts, or only the number of hidden components."""
    if not it.counts or _is_number(it):
        return "–" if it.is_empty else it.count
    if it.counts.total() == 1 and it.entry.kind not in FEWER_FACTS:
        return describe_component(board, next(iter(it.counts)), owners=owners)
    text = board.viewpoint.amounts(it.counts, owners=owners)
    return f"{text} ({it.counts.total()})" if len(it.counts) > 1 else text


def describe_component(board: Board, id: str, *, owners: bool = False) -> str:
    """Return the name of a component and its facts."""
    name = board.viewpoint.piece(id) if owners else board.viewpoint.name(id)
    facts = "" if board.viewpoint.owner(id) else board.viewpoint.describe(id)
    return f"{name}: {facts}" if facts and facts not in name else name


# --- places ------------------------------------------------------------------------------------------------------


def describe_spaces(board: Board, place: str, zones: Sequence[PlacedZone]) -> str:
    """Return the spaces of a place with their contents: ``□ Farmer  ■ Knight``."""
    printed = board.viewpoint.values.get(place, {}).get("spaces")
    symbols = printed if isinstance(printed, list) and len(printed) == len(zones) else [it.entry.symbol for it in zones]
    return "  ".join(_space(board, it, symbol) for it, symbol in zip(zones, symbols, strict=True))


def _space(board: Board, it: PlacedZone, symbol: str) -> str:
    viewpoint = board.viewpoint
    if it.is_empty:
        return f"{FREE} {describe_symbol(board, symbol)}"
    return f"{TAKEN} {viewpoint.amounts(it.counts, nothing=it.count)}"


def describe_symbol(board: Board, symbol: str) -> str:
    """Return the components that a space accepts, by its symbol: ``Farmer/Knight``."""
    return "/".join(map(board.viewpoint.name, symbol.split("|")))


def describe_place(board: Board, place: str, seat: int) -> str:
    """Return the effect of the next use of a place by a seat, without the spaces of the place."""
    used = progress.count_uses(board, seat, place)
    hidden = ("spaces", "slots") if used is None else ("spaces", "slots", progress.LIMIT)
    return board.viewpoint.describe(place, times=used, without=hidden)


def draw_places(board: Board, seat: int) -> RenderableType:
    """Draw all places of a seat with their spaces and effects."""
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
    """Yield the places of a seat that are not empty, with their spaces."""
    for place, zones in board.places(seat).items():
        if not all(it.is_empty for it in zones):
            yield board.viewpoint.name(place), describe_spaces(board, place, zones)


# --- seats -------------------------------------------------------------------------------------------------------


def next_space_rows(board: Board, seat: int) -> Iterator[Row]:
    """Yield the next spaces of a seat's tracks, with their effects."""
    for it in board.markers(seat, *NUMBERS):
        space, component = progress.next_space(board, it)
        if space and board.viewpoint.describe(component):
            yield space_row(board, it.entry, space, component)


def space_row(board: Board, entry: catalog_pb2.MarkerEntry, space: str, component: str) -> Row:
    """Return a caption and the effect of a track space, with the space's name if that is not its number."""
    is_named = component != entry.component and space not in board.viewpoint.name(component)
    text = describe_component(board, component) if is_named else board.viewpoint.describe(component)
    return f"{entry.text} {space}", text


def seat_name(board: Board, seat: int) -> Text:
    """Return the name of a seat, with a mark if it has to decide."""
    mark = "► " if board.is_deciding(seat) else "  "
    return Text.assemble(mark, (board.viewpoint.seat(seat), board.viewpoint.style(seat)))


def draw_seat(board: Board, seat: int) -> RenderableType:
    """Draw a seat in full."""
    lines: list[RenderableType] = [HangingIndent(Text(" · ".join(standing_items(board, seat))), 2)]
    lines.append(draw_captioned([*next_space_rows(board, seat), *zone_rows(board, seat)]))
    found: list[RenderableType] = [seat_name(board, seat), *lines]
    return Group(*found, "", draw_places(board, seat)) if board.places(seat) else Group(*found)


def draw_seat_line(board: Board, seat: int) -> HangingIndent:
    """Draw a seat in one line. For the viewer's seat, omit the zones, which :func:`zone_rows` shows."""
    zones = board.zones(seat) if seat != board.viewpoint.viewer else ()
    shown = (it for it in zones if it.entry.kind in (*FIRST, BAG, "") and not it.is_empty)
    counts = (f"{it.entry.text} {it.count if it.entry.kind == BAG else _briefly(board, it)}" for it in shown)
    items = [*standing_items(board, seat), *counts]
    return HangingIndent(seat_name(board, seat).append("  " + " · ".join(items)), 4)


def _briefly(board: Board, it: PlacedZone, room: int | None = None) -> str:
    """Return the contents of a zone, or their number if they are too many or a word is longer than ``room``."""
    text = board.viewpoint.amounts(it.counts)
    is_listed = 0 < len(it.counts) <= FEW and not _is_number(it)
    return text if is_listed and (room is None or max(map(cell_len, text.split())) <= room) else it.count


def draw_comparison(board: Board) -> RenderableType:
    """Draw all seats in columns, with a row for each marker and zone."""
    return FitToWidth(lambda width: _compared(board, width))


def _compared(board: Board, width: int) -> RenderableType:
    room = width * 3 // 4 // len(board.seats) - BETWEEN  # captions take a quarter of the width
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
