"""A seat's own side: market, bag, goods, and its places with filled and empty spaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Columns, captioned, columns
from boardkeeper.client.drawing.families.followers.gives import takes, wanted
from boardkeeper.client.drawing.families.followers.views import PlaceView, SeatView, SpaceView
from boardkeeper.client.drawing.look import Look
from boardkeeper.families.followers.data import TECHNOLOGY

Line = tuple[str, str]
"""A caption and what stands behind it."""


def draw_side(seat: SeatView, lines: Iterable[Line], gives: Callable[[str], str], look: Look) -> RenderableType:
    """Everything that lies in front of one seat; ``gives`` says what a place gives.

    ``lines`` are those of :func:`at_hand` and :func:`set_aside` and the title's own, in the order in which they stand.
    """
    title = Text(f"{look.seat(seat.seat)}", style=f"bold {look.style(seat.seat)}".strip())
    return Group(title, captioned(lines), "", draw_places(seat, gives, look))


def at_hand(seat: SeatView, look: Look) -> Sequence[Line]:
    """What each seat has: market, bag and goods. Of a bag that the viewer may not look into, how many are in it."""
    bag = look.amounts(seat.bag, nothing="") or str(seat.bag_count)
    if seat.bag:
        bag = f"{bag} ({seat.bag_count})"
    return (
        (look.word("market"), look.amounts(seat.market)),
        (look.word("bag"), bag),
        (look.word("goods"), look.amounts(seat.goods)),
    )


def set_aside(seat: SeatView, look: Look) -> Sequence[Line]:
    """What waits for a decision, if anything does: followers drawn, and technology that has no space yet."""
    lines = []
    if seat.drawn:
        lines.append((look.word("drawn"), look.amounts(seat.drawn)))
    if seat.technology:
        lines.append((look.word("technology_aside"), str(seat.technology)))
    return lines


def draw_places(seat: SeatView, gives: Callable[[str], str], look: Look) -> Columns:
    """The places of a seat: ``■`` a follower lies there, ``⚙`` technology, ``□`` nothing."""
    captions = [look.word("place"), look.word("spaces"), "", look.word("gives")]
    rows = [
        [
            Text(look.name(place.place)),
            draw_spaces(place, look),
            _state(place, look),
            Text(gives(place.place), style="dim"),
        ]
        for place in seat.places
    ]
    return columns(captions, rows)


def draw_spaces(place: PlaceView, look: Look) -> Text:
    """The spaces of one place in a line."""
    return Text("  ").join(_space(space, look) for space in place.spaces)


def _space(space: SpaceView, look: Look) -> Text:
    whom = wanted(space.requires, look)
    if not space.occupant:
        return Text(f"□ {whom}", style="dim")
    if space.occupant == TECHNOLOGY:
        return Text(f"⚙ {whom}", style="cyan")
    who = look.name(space.occupant)
    if takes(space.requires, space.occupant, look):
        return Text(f"■ {who}", style="bold")
    return Text(f"■ {who} ({whom})", style="bold")


def _state(place: PlaceView, look: Look) -> Text:
    if not place.spaces:
        return Text(look.word("always"), style="dim")
    return Text(look.word("ready"), style="bold green") if place.active else Text("")
