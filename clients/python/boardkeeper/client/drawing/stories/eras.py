"""Eras with who is in them, the fame track as numbers, and the event of the round."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, captioned, columns
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.stories.gives import effect_of, era_does
from boardkeeper.client.drawing.stories.styles import seat_name
from boardkeeper.titles.stories.board import Board, SeatView

NOTHING = "–"


def draw_eras(board: Board, look: Look) -> RenderableType:
    """A row for each era: how many are drawn there, which cards it opens, what it brings, and who is in it."""
    captions = [look.word(key) for key in ("era", "draws", "categories", "gives")]
    tiles = board.bonus_tiles.on_eras if board.bonus_tiles is not None else ()
    if tiles:
        captions.append(look.word("bonus_here"))
    rows: list[list[Cell]] = []
    for era in eras(look):
        facts = look.facts[f"era_{era}"]
        row: list[Cell] = [
            f"{era} {_name(era, look)}".strip(),
            facts.get("draw", ""),
            facts.get("categories", ""),
            era_gives(era, board, look) or NOTHING,
        ]
        if tiles:
            row.append(bonus_tile(era, board, look) or NOTHING)
        rows.append([*row, _there(board, era, look)])
    return columns([*captions, look.word("who")], rows, right=(1,))


def eras(look: Look) -> list[int]:
    """The eras of the story."""
    return sorted(int(id.removeprefix("era_")) for id in look.facts if id.removeprefix("era_").isdigit())


def era_gives(era: int, board: Board, look: Look) -> str:
    """What an era brings as things are: its malus until the deed is complete that ends it."""
    deed = look.facts.get(f"era_{era}", {}).get("malus_until_deed", "")
    return era_does(era, _strikes(board, deed), look)


def tell_era(seat: SeatView, board: Board, look: Look) -> list[tuple[str, str]]:
    """Two captioned lines: the era of a seat, and the bonus of its rounds, which is a tile's if tiles lie on eras."""
    era = f"{seat.era} {_name(seat.era, look)}".strip()
    gives, tile = era_gives(seat.era, board, look), bonus_tile(seat.era, board, look)
    if tile:
        era, gives = f"{era}: {gives}" if gives else era, tile
    return [(look.word("era"), era), (look.name("round_bonus"), gives or NOTHING)]


def tell_next(era: int, board: Board, look: Look) -> str:
    """What the era after this one is: ``2 Hunger; Draws 7; …``."""
    coming = era + 1
    draws = look.facts.get(f"era_{coming}", {}).get("draw", "")
    parts = (f"{coming} {_name(coming, look)}".strip(), f"{look.word('draws')} {draws}", era_gives(coming, board, look))
    return "; ".join(part for part in parts if part)


def bonus_tile(era: int, board: Board, look: Look) -> str:
    """What the bonus tile on an era brings; empty if none is there."""
    tiles = board.bonus_tiles.on_eras if board.bonus_tiles is not None else ()
    return effect_of(tiles[era - 1], look) if 0 < era <= len(tiles) else ""


def _name(era: int, look: Look) -> str:
    """What an era is called, but for those that are called by their number."""
    name = look.name(f"era_{era}")
    return "" if name.startswith(look.word("era")) else name


def _strikes(board: Board, deed: str) -> bool:
    """Whether a malus still strikes that ends when a deed is complete."""
    return not any(view.deed == deed and view.completed for view in board.deeds)


def _there(board: Board, era: int, look: Look) -> Text:
    there = []
    for seat in board.seats:
        if seat.era == era:
            name = seat_name(board, seat.seat, look)
            there.append(name.append("✓") if seat.carried_out else name)
    return Text(", ").join(there)


# --- fame --------------------------------------------------------------------------------------------------------


def next_tile(seat: SeatView, look: Look) -> int:
    """The next space of the fame track that brings something; 0 if there is none."""
    return next((space for space in bonus_spaces(look) if space > seat.fame), 0)


def bonus_spaces(look: Look) -> list[int]:
    """The spaces of the fame track that bring something."""
    said = look.facts.get("fame", {}).get("bonus_spaces", "")
    return sorted(int(space) for space in said.split(", ") if space.isdigit())


def tile_brings(space: int, look: Look) -> str:
    """What a space of the fame track brings; empty where everybody chooses one of the same."""
    return effect_of(f"fame_tile_{space}", look) if space else ""


def draw_fame(board: Board, look: Look) -> RenderableType:
    """What is on the track, and where every seat is."""
    choose = look.facts.get("fame", {}).get("choose", "")
    if choose:
        brings = f" {look.word('or')} ".join(look.word(f"gives.{word}") for word in choose.split(", "))
        spaces = ", ".join(map(str, bonus_spaces(look)))
        return captioned([*_standing(board, look), (look.word("fame_tiles"), f"{spaces}: {brings}")])
    rows: list[list[Cell]] = [[str(space), tile_brings(space, look)] for space in bonus_spaces(look)]
    tiles = columns([look.word("fame"), look.word("gives")], rows, right=[0])
    return Group(captioned(_standing(board, look)), "", tiles)


def _standing(board: Board, look: Look) -> Sequence[tuple[str, Text]]:
    seats = (seat_name(board, seat.seat, look).append(f" {fame(seat, look)}") for seat in board.seats)
    return [(look.word("fame"), Text(", ").join(seats))]


def fame(seat: SeatView, look: Look) -> str:
    """How far a seat is, and where the next tile is: ``5→7``."""
    coming = next_tile(seat, look)
    return f"{seat.fame}→{coming}" if coming else str(seat.fame)


# --- events ------------------------------------------------------------------------------------------------------


def draw_event(board: Board, look: Look) -> Text:
    """The event of the round, what it does, and when."""
    event = board.events.event
    whole = look.facts.get(event, {}).get("timing", "") == "round"
    return Text.assemble(
        (f"{look.word('event')} {board.events.letter}: ", "dim"),
        (look.name(event), "bold"),
        f": {effect_of(event, look)}",
        (f" ({look.word('event_round' if whole else 'event_ends')})", "dim"),
    )


def draw_events(board: Board, look: Look) -> RenderableType:
    """How many cards the piles have, and what was turned."""
    left = ", ".join(f"{letter} {count}" for letter, count in sorted(board.events.remaining.items()))
    rows: list[list[Cell]] = [[look.name(card), effect_of(card, look)] for card in board.events.turned]
    parts: list[RenderableType] = [captioned([(look.word("event_cards"), left or NOTHING)])]
    if rows:
        parts.append(columns([look.word("events_past"), ""], rows))
    return Group(*parts)
