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

PROGRESS = ("round", "phase", "seat", "money", "count", "")
"""Kinds of markers of the table that the heading shows; markers without a kind are shown too."""
ON_MAP = frozenset({"town", "way", "area"})
SUPPLY = "supply"
UNUSED = frozenset({"box", "removed"})
"""Kinds of zones that only the list of all zones shows."""
MISSION = "mission"
"""The kind of zones with open missions, and of mission cards."""
MANY = 8
"""The maximum number of zones of a kind that have a line each. More zones share lines."""
MOST_LISTED = 12
"""The maximum number of kinds of components that a pile lists. For more, only their number is shown."""


def draw_progress(board: Board) -> RenderableType:
    """Draw the round, the phase and other progress of the game as a heading."""
    viewpoint = board.viewpoint
    parts = []
    for kind in PROGRESS:
        for it in board.markers(0, kind):
            if it.is_set and (kind != "seat" or it.entry.component):  # the lines of the seats show whose turn it is
                value = viewpoint.value(it.entry, it.value)
                named = it.entry.kind != "phase"
                parts.append(f"{it.entry.text}{':' if kind == 'seat' else ''} {value}" if named else value)
    return draw_heading(*(parts or [viewpoint.title.title.text]))


def current_rows(board: Board) -> Iterator[tuple[str, str]]:
    """Yield the event of the round, the current action, and pending rewards."""
    events = [it for it in board.zones(0) if it.entry.kind == "event"]
    for it in events:
        if not it.is_empty:
            yield it.entry.text, describe_contents(board, it)
    for marker in board.markers(0, "due", "action", "place", "nations", *(() if events else ("event",))):
        if marker.is_set:
            yield marker.entry.text, board.viewpoint.value(marker.entry, marker.value)


def goal_rows(board: Board) -> Iterator[tuple[str, str]]:
    """Yield the open missions with the components given for them, and a mark for fulfilled ones."""
    for it in board.zones(0):
        if it.entry.kind == MISSION and not it.is_empty:
            cards = [id for id in it.counts if board.viewpoint.kinds.get(id) == MISSION]
            given = {id: count for id, count in it.counts.items() if id not in cards}
            parts = [
                *(describe_component(board, id) for id in cards),
                *([f"+ {board.viewpoint.amounts(given)}"] if given else []),
            ]
            flags = (marker for marker in board.markers(0, "flag") if marker.entry.zone == it.entry.id)
            parts += ["✓" for marker in flags if marker.is_set]
            yield it.entry.text, "  ".join(parts)


def draw_zone_groups(board: Board, *, everything: bool = False) -> RenderableType:
    """Draw the zones of the table by kind; ``everything`` adds the map, and unused and empty zones."""
    kinds: dict[str, list[PlacedZone]] = {}
    for it in board.zones(0):
        kinds.setdefault("" if it.entry.kind in PILES else it.entry.kind, []).append(it)
    piles = kinds.pop("", [])
    parts: list[RenderableType] = []
    for kind, zones in kinds.items():
        if (
            kind == "event"
            or (kind == MISSION and not everything)
            or (kind in ON_MAP and board.viewpoint.title.HasField("map") and not everything)
        ):
            continue
        if everything or any(not it.is_empty or not it.entry.position for it in zones):
            parts += [_group(board, kind, zones, everything=everything), ""]
    wanted = [it for it in piles if everything or (it.entry.kind not in UNUSED and not it.is_empty)]
    parts.append(draw_captioned((it.entry.text, describe_pile(board, it, priced=everything)) for it in wanted))
    if everything:
        parts += ["", draw_captioned(flag_rows(board))]
    return Group(*parts)


def describe_pile(board: Board, it: PlacedZone, *, priced: bool = False) -> str:
    """Return the contents of a pile, or their number if it has many kinds; ``priced`` adds the values of a supply."""
    if not it.counts or len(it.counts) > MOST_LISTED:
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
    """Yield the flags of the table that are set, except those of spaces of places."""
    spaces = {it.entry.id for it in board.all_zones if it.entry.kind == SPACE}
    for marker in board.markers(0, "flag"):
        if marker.is_set and marker.entry.zone not in spaces:
            yield marker.entry.text, "✓"


def _group(board: Board, kind: str, zones: Sequence[PlacedZone], *, everything: bool) -> RenderableType:
    if len(zones) > MANY:
        shown = (it for it in zones if everything or not it.is_empty)
        return HangingIndent(Text(" · ".join(f"{it.entry.text}: {_on(board, it)}" for it in shown) or "–"), 2)
    lines: list[tuple[Cell, Cell]] = []
    for it in zones:
        price = board.viewpoint.phrases.rows.get(kind, kind) if it.entry.position else ""
        priced = board.viewpoint.describe(price, at=it.entry.position) if price in board.viewpoint.values else ""
        caption = f"{it.entry.text} ({priced})" if priced else it.entry.text
        wanted = _wanted(board, it)
        if it.is_empty and it.entry.position and not (priced or wanted or everything):
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


def _on(board: Board, it: PlacedZone) -> str:
    """Return the contents of a space, or the effect of an empty one."""
    gives = board.viewpoint.describe(it.entry.component) if it.is_empty else ""
    return f"{FREE} {gives}" if gives else board.viewpoint.amounts(it.counts, owners=True)


def _wanted(board: Board, it: PlacedZone) -> str:
    """Return how many of each component a zone such as a deed has and accepts; empty if it has no printed spaces."""
    viewpoint = board.viewpoint
    wanted = viewpoint.values.get(it.entry.component, {}).get("spaces")
    if not isinstance(wanted, dict) or it.entry.kind == SPACE:
        return ""
    more = {id: count for id, count in it.counts.items() if id not in wanted}
    needs = [f"{viewpoint.name(id)} {it.counts[id]}/{number}" for id, number in wanted.items()]
    return "  ".join([*needs, *([f"+ {viewpoint.amounts(more)}"] if more else [])])
