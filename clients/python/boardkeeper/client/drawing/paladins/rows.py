"""The rows of the main board: townsfolk, outsiders, the King's Orders and Favours, and the tavern."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, Columns, columns
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.paladins import cards
from boardkeeper.client.drawing.paladins.gains import NOTHING, gains, price
from boardkeeper.titles.paladins.board import Board, FavourPlace, OrderPlace, TownsfolkPlace


def draw_townsfolk(board: Board, look: Look) -> Columns:
    """The townsfolk on display, from left to right: price, and what they give when sent away, when hired, and later."""
    captions = [look.word(key) for key in ("townsfolk", "price", "discarded", "hired", "ability")]
    rows: list[list[Cell]] = []
    for at, place in enumerate(board.townsfolk, 1):
        if not place.townsfolk:
            rows.append([Text(f"{at} {NOTHING}", style="dim"), Text(row_price(place, look), style="dim"), "", "", ""])
            continue
        id = place.townsfolk
        rows.append(
            [
                Text.assemble((f"{at} ", "dim"), look.name(id)),
                row_price(place, look),
                gains(cards.listed(id, "discard", look), look),
                gains(cards.listed(id, "instant", look), look),
                cards.townsfolk_ability(id, look),
            ]
        )
    return columns(captions, rows)


def row_price(place: TownsfolkPlace, look: Look) -> str:
    """What the townsfolk at a place cost."""
    silver = price(place.silver, 0, look, nothing=look.word("free_of_charge"))
    return look.word("or_debt").format(silver) if place.or_debt else silver


def draw_outsiders(board: Board, look: Look) -> Columns:
    """The outsiders on display, from left to right: what converting and attacking asks for and gives; the points."""
    captions = ["", look.word("outsiders")]
    captions += [look.short("faith"), look.word("converted_for"), look.word("at_the_end")]
    captions += [look.short("strength"), look.word("attacked_for")]
    rows: list[list[Cell]] = []
    for at, place in enumerate(board.outsiders, 1):
        id = place.outsider
        rows.append(
            [
                Text(str(at), style="dim"),
                cards.outsider(id, look) if id else Text(NOTHING, style="dim"),
                str(place.faith),
                cards.convert_gains(id, look) if id else "",
                cards.scores(id, look) if id else "",
                str(place.strength),
                cards.attack_gains(id, look) if id else "",
            ]
        )
    return columns(captions, rows, right=(2, 5))


# --- orders, favours, tavern -------------------------------------------------------------------------------------


def draw_orders(board: Board, look: Look) -> Columns:
    """The King's Orders with their points and how far everybody is with them."""
    captions = [look.word("orders"), look.word("points_caption"), look.word("so_far")]
    return columns(captions, [_order(board, place, look) for place in board.orders], right=(1,))


def _order(board: Board, place: OrderPlace, look: Look) -> list[Cell]:
    action = place.order.removeprefix("order_")
    if not action:
        return [Text(f"{look.word('round')} {place.round}", style="dim"), str(place.points), ""]
    return [f"{ORDERED} × {look.name(action)}", str(place.points), Text(", ").join(_progress(board, action, look))]


ORDERED = 5
"""How often an action has to be carried out for an order; so every order says."""


def _progress(board: Board, action: str, look: Look) -> Iterator[Text]:
    for seat in board.seats:
        times = next((area.times for area in seat.areas if area.action == action), 0)
        mark = " ✓" if times >= ORDERED else ""
        yield Text(f"{look.seat(seat.seat)} {times}{mark}", style=look.style(seat.seat))


def draw_favours(board: Board, look: Look) -> Columns:
    """The King's Favours that are revealed: the worker that each asks for, price, reward, and whether it was used."""
    captions = [look.word(key) for key in ("favours", "worker", "price", "gives")]
    return columns(captions, [_favour(at, place, look) for at, place in enumerate(board.favours, 1) if place.favour])


def _favour(at: int, place: FavourPlace, look: Look) -> list[Cell]:
    id = place.favour
    worker = cards.favour_worker(id, look)
    style = "dim" if place.worker else ""
    return [
        Text(f"{at} {look.word('used') if place.worker else look.word('free')}", style=style),
        Text(f"■{look.name(place.worker)}" if place.worker else f"□{worker}", style=style),
        Text(cards.favour_price(id, look) or NOTHING, style=style),
        Text(cards.favour_gives(id, look), style=style),
    ]


def draw_tavern(board: Board, look: Look) -> Columns:
    """The tavern cards that lie open, each with its workers."""
    return columns([look.word("tavern")], [[gains(cards.listed(id, "workers", look), look)] for id in board.tavern])
