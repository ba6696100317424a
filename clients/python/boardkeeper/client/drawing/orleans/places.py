"""A seat's own side: what the family draws of it, with the trading stations and what the seat owes."""

from __future__ import annotations

from rich.console import RenderableType

from boardkeeper.client.drawing.columns import captioned
from boardkeeper.client.drawing.families.followers.places import Line, at_hand, draw_side, set_aside
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.orleans.gives import gives
from boardkeeper.titles.orleans.board import SeatView


def draw_hand(seat: SeatView, look: Look) -> RenderableType:
    """What a seat can place and pay with, without its places."""
    return captioned(_lines(seat, look))


def draw_seat(seat: SeatView, look: Look) -> RenderableType:
    """Everything that lies in front of one seat."""
    return draw_side(seat, _lines(seat, look), lambda place: gives(place, look), look)


def _lines(seat: SeatView, look: Look) -> list[Line]:
    lines = [*at_hand(seat, look), (look.word("stations"), _stations(seat, look)), *set_aside(seat, look)]
    if seat.debt:
        lines.append((look.word("debt"), str(seat.debt)))
    return lines


def _stations(seat: SeatView, look: Look) -> str:
    built = ", ".join(look.name(town) for town in seat.stations) or "–"
    return f"{built}  ({seat.stations_in_supply} {look.word('in_supply')})"
