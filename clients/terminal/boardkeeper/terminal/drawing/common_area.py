"""Drawings of the parts of a table that belong to no seat: progress, rows of cards, supplies and decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.terminal.drawing import progress
from boardkeeper.terminal.drawing.board import PILES, SPACE, Board, PlacedZone
from boardkeeper.terminal.drawing.columns import Cell, draw_captioned, draw_columns
from boardkeeper.terminal.drawing.layout import HangingIndent, draw_heading
from boardkeeper.terminal.drawing.seats import FREE, describe_component, describe_contents

PROGRESS_MARKERS = ("round", "phase", "seat", "money", "count", "")
"""Kinds of markers of the table that the heading shows, in this order. The empty kind is for markers without a kind."""
ON_MAP = frozenset({"town", "way", "area"})
"""Kinds of zones that the map shows."""
SUPPLY = "supply"
UNUSED_ZONES = frozenset({"box", "removed"})
"""Kinds of zones that only the list of all zones shows."""
MISSION = "mission"
"""The kind of the zones for open missions, and of the mission cards."""
MAX_ZONES_WITH_OWN_LINE = 8
"""The maximum number of zones of a kind that are drawn with one line each. More zones share lines."""
MAX_LISTED_KINDS = 12
"""The maximum number of different components that a pile lists. A pile with more shows only its total count."""


def draw_progress(board: Board) -> RenderableType:
    """Draw the round, the phase and other progress of the game as a heading."""
    viewpoint = board.viewpoint
    parts = []
    for kind in PROGRESS_MARKERS:
        for it in board.markers(0, kind):
            if it.is_set and (
                kind != "seat" or it.entry.component
            ):  # the drawings of seats already show which seat has to decide
                value = viewpoint.value(it.entry, it.value)
                named = it.entry.kind != "phase"
                parts.append(f"{it.entry.text}{':' if kind == 'seat' else ''} {value}" if named else value)
    return draw_heading(*(parts or [viewpoint.title.title.text]))


def round_rows(board: Board) -> Iterator[tuple[str, str]]:
    """Yield captions and values of the event of the round and of markers that are set.

    These markers show the current action, place, nations and pending rewards.
    """
    events = [it for it in board.zones(0) if it.entry.kind == "event"]
    for it in events:
        if not it.is_empty:
            yield it.entry.text, describe_contents(board, it)
    for marker in board.markers(0, "due", "action", "place", "nations", *(() if events else ("event",))):
        if marker.is_set:
            yield marker.entry.text, board.viewpoint.value(marker.entry, marker.value)


def mission_rows(board: Board) -> Iterator[tuple[str, str]]:
    """Yield the open missions with the components on them, and ✓ for fulfilled missions."""
    for it in board.zones(0):
        if it.entry.kind == MISSION and not it.is_empty:
            cards = [id for id in it.counts if board.viewpoint.kinds.get(id) == MISSION]
            delivered = {id: count for id, count in it.counts.items() if id not in cards}
            parts = [
                *(describe_component(board, id) for id in cards),
                *([f"+ {board.viewpoint.amounts(delivered)}"] if delivered else []),
            ]
            flags = (marker for marker in board.markers(0, "flag") if marker.entry.zone == it.entry.id)
            parts += ["✓" for marker in flags if marker.is_set]
            yield it.entry.text, "  ".join(parts)


def draw_zone_groups(board: Board, *, show_all: bool = False) -> RenderableType:
    """Draw the zones of the table by kind.

    ``show_all`` adds the map, the missions, unused and empty zones, the values of supplies, and the flags.
    """
    kinds: dict[str, list[PlacedZone]] = {}
    for it in board.zones(0):
        kinds.setdefault("" if it.entry.kind in PILES else it.entry.kind, []).append(it)
    piles = kinds.pop("", [])
    parts: list[RenderableType] = []
    for kind, zones in kinds.items():
        if (
            kind == "event"
            or (kind == MISSION and not show_all)
            or (kind in ON_MAP and board.viewpoint.title.HasField("map") and not show_all)
        ):
            continue
        if show_all or any(not it.is_empty or not it.entry.position for it in zones):
            parts += [_draw_zone_group(board, kind, zones, show_all=show_all), ""]
    wanted = [it for it in piles if show_all or (it.entry.kind not in UNUSED_ZONES and not it.is_empty)]
    parts.append(draw_captioned((it.entry.text, describe_pile(board, it, priced=show_all)) for it in wanted))
    if show_all:
        parts += ["", draw_captioned(flag_rows(board))]
    return Group(*parts)


def describe_pile(board: Board, it: PlacedZone, *, priced: bool = False) -> str:
    """Return the contents of a pile, or its count if the contents are hidden or of many kinds.

    ``priced`` adds the effect of each component of a supply.
    """
    if not it.counts or len(it.counts) > MAX_LISTED_KINDS:
        return it.count
    if priced and it.entry.kind == SUPPLY and len(it.counts) > 1:
        viewpoint = board.viewpoint
        amounts = (
            (viewpoint.amounts({id: it.counts[id]}, owners=True), viewpoint.describe(id))
            for id in viewpoint.sorted(it.counts)
        )
        return ", ".join(f"{amount} ({facts})" if facts else amount for amount, facts in amounts)
    return describe_contents(board, it, owners=True)


def flag_rows(board: Board) -> Iterator[tuple[str, str]]:
    """Yield the flags of the table that are set, except flags that belong to a space of a place."""
    spaces = {it.entry.id for it in board.all_zones if it.entry.kind == SPACE}
    for marker in board.markers(0, "flag"):
        if marker.is_set and marker.entry.zone not in spaces:
            yield marker.entry.text, "✓"


def _draw_zone_group(board: Board, kind: str, zones: Sequence[PlacedZone], *, show_all: bool) -> RenderableType:
    if len(zones) > MAX_ZONES_WITH_OWN_LINE:
        shown = (it for it in zones if show_all or not it.is_empty)
        return HangingIndent(
            Text(" · ".join(f"{it.entry.text}: {_describe_zone(board, it)}" for it in shown) or "–"), 2
        )
    lines: list[tuple[Cell, Cell]] = []
    for it in zones:
        price = board.viewpoint.phrases.rows.get(kind, kind) if it.entry.position else ""
        priced = board.viewpoint.describe(price, at=it.entry.position) if price in board.viewpoint.values else ""
        caption = f"{it.entry.text} ({priced})" if priced else it.entry.text
        wanted = _describe_slots(board, it)
        if it.is_empty and it.entry.position and not (priced or wanted or show_all):
            continue
        if wanted:
            gives = board.viewpoint.describe(it.entry.component, without=("spaces",))
            lines.append((caption, f"{wanted}  ({gives})" if gives else wanted))
        elif len(it.counts) > 1 and any(map(board.viewpoint.describe, it.counts)):
            lines.append((caption, ""))
            lines += [("", describe_component(board, id)) for id in board.viewpoint.sorted(it.counts)]
        else:
            used = "".join(progress.compare_uses(board, kind, id) for id in it.counts)
            lines.append((caption, describe_contents(board, it, owners=True) + (f" ({used})" if used else "")))
    return draw_columns(["", ""], lines)


def _describe_zone(board: Board, it: PlacedZone) -> str:
    """Return the contents of a zone, or the effect of an empty one."""
    gives = board.viewpoint.describe(it.entry.component) if it.is_empty else ""
    return f"{FREE} {gives}" if gives else board.viewpoint.amounts(it.counts, owners=True)


def _describe_slots(board: Board, it: PlacedZone) -> str:
    """Return each component that a zone with printed spaces (such as a beneficial deed) accepts, as ``Farmer 1/2``.

    Empty for other zones.
    """
    viewpoint = board.viewpoint
    wanted = viewpoint.values.get(it.entry.component, {}).get("spaces")
    if not isinstance(wanted, dict) or it.entry.kind == SPACE:
        return ""
    more = {id: count for id, count in it.counts.items() if id not in wanted}
    needs = [f"{viewpoint.name(id)} {it.counts[id]}/{number}" for id, number in wanted.items()]
    return "  ".join([*needs, *([f"+ {viewpoint.amounts(more)}"] if more else [])])
