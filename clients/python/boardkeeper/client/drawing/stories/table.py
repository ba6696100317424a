"""The whole table: the round and its event, all seats, the map, the eras, the viewer's own side, deeds and supplies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Group, RenderableType

from boardkeeper.client.drawing.columns import Cell, captioned, columns
from boardkeeper.client.drawing.families.followers.deeds import draw_deeds
from boardkeeper.client.drawing.families.followers.gives import spaces_of
from boardkeeper.client.drawing.heading import heading
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.stories.eras import draw_eras, draw_event, draw_events, draw_fame
from boardkeeper.client.drawing.stories.gives import deed_gives, gives
from boardkeeper.client.drawing.stories.map import draw_map
from boardkeeper.client.drawing.stories.nations import draw_missions, draw_nations
from boardkeeper.client.drawing.stories.score import draw_score
from boardkeeper.client.drawing.stories.seats import draw_seats, draw_standing
from boardkeeper.client.drawing.stories.side import draw_all_seats, draw_hand, draw_seat
from boardkeeper.titles.stories.board import Board

NOTHING = "–"
_BUILDINGS = ("village", "fortress", "church")


def draw_glance(board: Board, look: Look) -> RenderableType:
    """What a seat has to see before it decides: the map, all seats in short, and its own side."""
    parts: list[RenderableType] = [draw_heading(board, look)]
    if board.events.event:
        parts.append(draw_event(board, look))
    if board.nations:
        parts += ["", draw_missions(board, look)]
    parts += ["", draw_map(board, look), "", draw_seats(board, look)]
    parts += [part for seat in board.seats if seat.seat == look.viewer for part in ("", draw_seat(board, seat, look))]
    return Group(*parts)


def draw_overview(board: Board, look: Look) -> RenderableType:
    """The glance in few lines, without the map: the event, the own hand, and what everybody has."""
    parts: list[RenderableType] = [draw_heading(board, look)]
    if board.events.event:
        parts.append(draw_event(board, look))
    parts += [draw_hand(board, seat, look) for seat in board.seats if seat.seat == look.viewer]
    return Group(*parts, draw_standing(board, look))


def draw_table(board: Board, look: Look) -> RenderableType:
    """The whole board: for a spectator with every seat's own side."""
    parts: list[RenderableType] = [draw_glance(board, look), "", draw_eras(board, look), ""]
    if board.phase == "over":
        parts += [draw_score(board, look), ""]
    if look.viewer == 0:
        parts.append(draw_all_seats(board, look))
    if board.nations:
        parts += [draw_nations(board, look), ""]
    parts += [draw_all_deeds(board, look), "", draw_supply(board, look)]
    return Group(*parts)


def draw_heading(board: Board, look: Look) -> RenderableType:
    """Round, phase and start player in a line; in a story without a last round, the round alone."""
    rounds = look.facts.get("game_board", {}).get("rounds", "0")
    return heading(
        f"{look.word('round')} {board.round}" + (f"/{rounds}" if rounds != "0" else ""),
        look.name(board.phase),
        f"{look.word('start_player')}: {look.seat(board.start_seat)}" if board.start_seat else "",
    )


def draw_progress(board: Board, look: Look) -> RenderableType:
    """Eras, fame and events."""
    parts: list[RenderableType] = [draw_eras(board, look), "", draw_fame(board, look)]
    if board.events.remaining:
        parts += ["", draw_events(board, look)]
    return Group(*parts)


def draw_all_deeds(board: Board, look: Look) -> RenderableType:
    """The beneficial deeds."""
    return draw_deeds(board.deeds, lambda deed: deed_gives(deed, look), look)


def draw_supply(board: Board, look: Look) -> RenderableType:
    """What can still be had, and what building costs."""
    lines = [
        (look.word("supply"), look.amounts(board.supply)),
        (look.word("goods_market"), _goods(board.goods_market, look)),
        (look.word("technology"), str(board.technology)),
        (look.word("churches"), str(board.churches)),
        (look.word("costs"), ", ".join(_costs(look))),
    ]
    lines += [(f"{look.word('cards')} {view.category}", _named(view.cards, look)) for view in board.place_cards]
    if board.removed:
        lines.append((look.word("removed"), look.amounts(_together(board.removed))))
    return captioned(lines)


def draw_supplies(board: Board, look: Look) -> RenderableType:
    """The supplies, and each place card that is left with its spaces and what it gives."""
    rows: list[list[Cell]] = [
        [view.category, look.name(card), spaces_of(card, look) or NOTHING, gives(card, look)]
        for view in board.place_cards
        for card in view.cards
    ]
    captions = ["", *(look.word(key) for key in ("cards", "spaces", "gives"))]
    return Group(draw_supply(board, look), "", columns(captions, rows))


def _goods(goods: Mapping[str, int], look: Look) -> str:
    """Goods on the market, each with its value."""
    priced = ((good, look.facts.get(good, {}).get("value", "")) for good in look.sorted(goods))
    return ", ".join(f"{goods[good]} {look.name(good)} ({value})" for good, value in priced) or NOTHING


def _costs(look: Look) -> Iterable[str]:
    for building in _BUILDINGS:
        wood = look.facts.get(f"build_{building}", {}).get("wood", "")
        if wood:
            yield look.word("costs_wood").format(look.name(building), wood)


def _named(ids: Iterable[str], look: Look) -> str:
    return ", ".join(map(look.name, ids)) or NOTHING


def _together(counts: Mapping[str, int]) -> dict[str, int]:
    """Pieces of all seats as one kind: ``settler.2`` is a settler."""
    found: dict[str, int] = {}
    for id, count in counts.items():
        kind = id.partition(".")[0]
        found[kind] = found.get(kind, 0) + count
    return found
