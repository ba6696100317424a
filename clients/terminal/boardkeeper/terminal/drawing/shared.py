"""What belongs to no seat: the progress of the game, rows of cards, supplies and decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.terminal.drawing import steps
from boardkeeper.terminal.drawing.board import PILES, SPACE, Board, PlacedZone
from boardkeeper.terminal.drawing.columns import Cell, captioned, columns
from boardkeeper.terminal.drawing.hanging import Hanging
from boardkeeper.terminal.drawing.heading import heading
from boardkeeper.terminal.drawing.seats import FREE, contents, with_facts

PROGRESS = ("round", "phase", "seat", "money", "count", "")
"""Kinds of markers of the table that the heading shows; markers without a kind are shown too."""
ON_MAP = frozenset({"town", "way", "area"})
SUPPLY = "supply"
UNUSED = frozenset({"box", "removed"})
"""Kinds of zones that only the list of all zones shows."""
MISSION = "mission"
"""The kind of the zones with open missions, and of their cards."""
MANY = 8
"""If a kind has more zones, they are shown one after the other instead of a line for each."""
MOST_LISTED = 12
"""A pile with more kinds of components shows only their number."""


def progress(board: Board) -> RenderableType:
    """Where the game is, in a line."""
    look = board.look
    parts = []
    for kind in PROGRESS:
        for it in board.markers(0, kind):
            if it.is_set and (kind != "seat" or it.entry.component):  # the lines of the seats show whose turn it is
                value = look.value(it.entry, it.value)
                named = it.entry.kind != "phase"
                parts.append(f"{it.entry.text}{':' if kind == 'seat' else ''} {value}" if named else value)
    return heading(*(parts or [look.title.title.text]))


def current(board: Board) -> Iterator[tuple[str, str]]:
    """The event of the round, what is in progress, and what is still due."""
    events = [it for it in board.zones(0) if it.entry.kind == "event"]
    for it in events:
        if not it.is_empty:
            yield it.entry.text, contents(board, it)
    for marker in board.markers(0, "due", "action", "place", "nations", *(() if events else ("event",))):
        if marker.is_set:
            yield marker.entry.text, board.look.value(marker.entry, marker.value)


def goals(board: Board) -> Iterator[tuple[str, str]]:
    """The open missions, with what was given for each, and a mark if it is fulfilled."""
    for it in board.zones(0):
        if it.entry.kind == MISSION and not it.is_empty:
            cards = [id for id in it.counts if board.look.kinds.get(id) == MISSION]
            given = {id: count for id, count in it.counts.items() if id not in cards}
            parts = [*(with_facts(board, id) for id in cards), *([f"+ {board.look.amounts(given)}"] if given else [])]
            flags = (marker for marker in board.markers(0, "flag") if marker.entry.zone == it.entry.id)
            parts += ["✓" for marker in flags if marker.is_set]
            yield it.entry.text, "  ".join(parts)


def groups(board: Board, *, everything: bool = False) -> RenderableType:
    """The zones of the table by their kinds; ``everything`` adds the map, what is unused, and what is empty."""
    kinds: dict[str, list[PlacedZone]] = {}
    for it in board.zones(0):
        kinds.setdefault("" if it.entry.kind in PILES else it.entry.kind, []).append(it)
    piles = kinds.pop("", [])
    parts: list[RenderableType] = []
    for kind, zones in kinds.items():
        if (
            kind == "event"
            or (kind == MISSION and not everything)
            or (kind in ON_MAP and board.look.title.HasField("map") and not everything)
        ):
            continue
        if everything or any(not it.is_empty or not it.entry.position for it in zones):
            parts += [_group(board, kind, zones, everything=everything), ""]
    wanted = [it for it in piles if everything or (it.entry.kind not in UNUSED and not it.is_empty)]
    parts.append(captioned((it.entry.text, pile(board, it, priced=everything)) for it in wanted))
    if everything:
        parts += ["", captioned(flags(board))]
    return Group(*parts)


def pile(board: Board, it: PlacedZone, *, priced: bool = False) -> str:
    """Return the contents of a pile, or their number if it has many kinds; ``priced`` adds the values of a supply."""
    if not it.counts or len(it.counts) > MOST_LISTED:
        return it.count
    if priced and it.entry.kind == SUPPLY and len(it.counts) > 1:
        look = board.look
        amounts = ((look.amounts({id: it.counts[id]}, owners=True), look.describe(id)) for id in look.sorted(it.counts))
        return ", ".join(f"{amount} ({facts})" if facts else amount for amount, facts in amounts)
    return contents(board, it, owners=True)


def flags(board: Board) -> Iterator[tuple[str, str]]:
    """The flags of the table that are set, but those of the spaces of places."""
    spaces = {it.entry.id for it in board.all_zones if it.entry.kind == SPACE}
    for marker in board.markers(0, "flag"):
        if marker.is_set and marker.entry.zone not in spaces:
            yield marker.entry.text, "✓"


def _group(board: Board, kind: str, zones: Sequence[PlacedZone], *, everything: bool) -> RenderableType:
    if len(zones) > MANY:
        shown = (it for it in zones if everything or not it.is_empty)
        return Hanging(Text(" · ".join(f"{it.entry.text}: {_on(board, it)}" for it in shown) or "–"), 2)
    lines: list[tuple[Cell, Cell]] = []
    for it in zones:
        price = board.look.phrases.rows.get(kind, kind) if it.entry.position else ""
        priced = board.look.describe(price, at=it.entry.position) if price in board.look.values else ""
        caption = f"{it.entry.text} ({priced})" if priced else it.entry.text
        wanted = _wanted(board, it)
        if it.is_empty and it.entry.position and not (priced or wanted or everything):
            continue
        if wanted:
            gives = board.look.describe(it.entry.component, without=("spaces",))
            lines.append((caption, f"{wanted}  ({gives})" if gives else wanted))
        elif len(it.counts) > 1 and any(map(board.look.describe, it.counts)):
            lines.append((caption, ""))
            lines += [("", with_facts(board, id)) for id in board.look.sorted(it.counts)]
        else:
            used = "".join(steps.compared(board, kind, id) for id in it.counts)
            lines.append((caption, contents(board, it, owners=True) + (f" ({used})" if used else "")))
    return columns(["", ""], lines)


def _on(board: Board, it: PlacedZone) -> str:
    """What is on a space, or what an empty space gives."""
    gives = board.look.describe(it.entry.component) if it.is_empty else ""
    return f"{FREE} {gives}" if gives else board.look.amounts(it.counts, owners=True)


def _wanted(board: Board, it: PlacedZone) -> str:
    """How many of each component a zone takes and has, such as a deed; empty if its spaces are not printed."""
    look = board.look
    wanted = look.values.get(it.entry.component, {}).get("spaces")
    if not isinstance(wanted, dict) or it.entry.kind == SPACE:
        return ""
    more = {id: count for id, count in it.counts.items() if id not in wanted}
    needs = [f"{look.name(id)} {it.counts[id]}/{number}" for id, number in wanted.items()]
    return "  ".join([*needs, *([f"+ {look.amounts(more)}"] if more else [])])
