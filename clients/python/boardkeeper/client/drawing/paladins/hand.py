"""The own paladins: on the hand, and what a seat knows of its deck."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Columns, columns
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.paladins import cards
from boardkeeper.client.drawing.paladins.gains import NOTHING
from boardkeeper.titles.paladins.board import Board, SeatView


def draw_paladins(board: Board, look: Look) -> RenderableType:
    """Every seat's paladins, as far as the viewer may know them: the own hand and deck, others' of earlier rounds."""
    parts: list[RenderableType] = []
    for seat in board.seats:
        if not seat.automaton:
            title = Text(look.seat(seat.seat), style=f"bold {look.style(seat.seat)}".strip())
            parts += [title, *([draw_hand(seat, look)] if seat.hand else []), draw_deck(seat, look), ""]
    return Group(*parts)


def draw_hand(seat: SeatView, look: Look) -> Columns:
    """The paladins on the hand with workers, attributes and ability."""
    captions = [look.word("hand"), look.word("workers"), look.word("attributes"), look.word("ability")]
    return columns(captions, [_paladin(id, look) for id in seat.hand])


def _paladin(id: str, look: Look) -> list[str]:
    return [
        look.name(id),
        cards.paladin_workers(id, look),
        cards.paladin_adds(id, look),
        cards.paladin_ability(id, look),
    ]


def draw_deck(seat: SeatView, look: Look) -> Columns:
    """What is known of a deck, from its top down, and the paladins of earlier rounds."""
    rows = [(look.word("deck"), f"{seat.deck_count}")]
    if seat.chosen:
        rows.append((look.word("chosen"), look.name(seat.chosen)))
    if seat.again:
        rows.append((look.word("on_top"), look.name(seat.again)))
    if seat.deck:
        rows.append((look.word("in_between"), ", ".join(sorted(look.name(id) for id in seat.deck))))
    if seat.under:
        rows.append((look.word("below"), ", ".join(look.name(id) for id in seat.under)))
    rows.append((look.word("retired"), ", ".join(look.name(id) for id in seat.retired) or NOTHING))
    return columns(["", ""], [[Text(caption, style="dim"), told] for caption, told in rows])
