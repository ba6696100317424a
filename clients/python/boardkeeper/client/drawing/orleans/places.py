"""A seat's own side: market, bag, goods, and its places with filled and empty spaces."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from boardkeeper.client.drawing.fitted import Fitted
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.orleans.gives import gives
from boardkeeper.titles.orleans.board import PlaceView, SeatView, SpaceView
from boardkeeper.titles.orleans.data import OWN, TECHNOLOGY

WIDE = 100
"""How much room it needs to say beside each place what it gives."""


def draw_seat(seat: SeatView, look: Look) -> RenderableType:
    """Everything that lies in front of one seat."""
    title = Text(f"{look.seat(seat.seat)}", style=f"bold {look.style(seat.seat)}".strip())
    bag = look.amounts(seat.bag, nothing="") or str(seat.bag_count)
    if seat.bag:
        bag = f"{bag} ({seat.bag_count})"
    lines = [
        (look.word("market"), look.amounts(seat.market)),
        (look.word("bag"), bag),
        (look.word("goods"), look.amounts(seat.goods)),
        (look.word("stations"), _stations(seat, look)),
    ]
    if seat.drawn:
        lines.append((look.word("drawn"), look.amounts(seat.drawn)))
    if seat.technology:
        lines.append((look.word("technology_aside"), str(seat.technology)))
    if seat.debt:
        lines.append((look.word("debt"), str(seat.debt)))
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="dim")
    facts.add_column()
    for caption, text in lines:
        facts.add_row(caption, text)
    return Group(title, facts, "", draw_places(seat, look))


def draw_places(seat: SeatView, look: Look) -> RenderableType:
    """The places of a seat: ``■`` a follower lies there, ``⚙`` technology, ``□`` nothing."""
    return Fitted(lambda width: _places(seat, look, explained=width >= WIDE))


def _places(seat: SeatView, look: Look, *, explained: bool) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for caption in ("place", "spaces"):
        table.add_column(look.word(caption))
    table.add_column("")
    if explained:
        table.add_column(look.word("gives"), style="dim")
    for place in seat.places:
        cells = [Text(look.name(place.place)), draw_spaces(place, look), _state(place, look)]
        table.add_row(*cells, *([gives(place.place, look)] if explained else []))
    return table


def draw_spaces(place: PlaceView, look: Look) -> Text:
    """The spaces of one place in a line."""
    return Text("  ").join(_space(space, look) for space in place.spaces)


def _space(space: SpaceView, look: Look) -> Text:
    wanted = look.name(space.requires)
    if not space.occupant:
        return Text(f"□ {wanted}", style="dim")
    if space.occupant == TECHNOLOGY:
        return Text(f"⚙ {wanted}", style="cyan")
    who = look.name(space.occupant)
    if space.occupant.removeprefix(OWN) == space.requires:
        return Text(f"■ {who}", style="bold")
    return Text(f"■ {who} ({wanted})", style="bold")


def _state(place: PlaceView, look: Look) -> Text:
    if not place.spaces:
        return Text(look.word("always"), style="dim")
    return Text(look.word("ready"), style="bold green") if place.active else Text("")


def _stations(seat: SeatView, look: Look) -> str:
    built = ", ".join(look.name(town) for town in seat.stations) or "–"
    return f"{built}  ({seat.stations_in_supply} {look.word('in_supply')})"
