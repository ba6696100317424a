"""The tracks of the game board: what each space gives and who stands where."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, Columns, captioned, columns
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.orleans.seats import TRACKS
from boardkeeper.titles.orleans.board import Board

_REWARDS = ("goods", "coins", "draw", "development", "technology")


def draw_tracks(board: Board, look: Look) -> Columns:
    """One row for each track, and below it one line of seats; the development track comes last."""
    rewards = {track: _rewards(track, look) for track in TRACKS}
    spaces_in_all = 1 + max(map(len, rewards.values()))
    rows: list[list[Cell]] = []
    for track, spaces in rewards.items():
        cells = [Text("")] + [Text(reward, style="dim") for reward in spaces]
        for seat in board.seats:
            at = seat.tracks.get(track, 0)
            if at < len(cells):
                cells[at].append(" " if cells[at].plain else "").append(f"@{seat.seat}", look.style(seat.seat))
        rows.append([look.name(TRACKS[track]), *cells, *[""] * (spaces_in_all - len(cells))])
    return columns([look.word("track"), *map(str, range(spaces_in_all))], rows)


def draw_development(board: Board, look: Look) -> Table:
    """The development track: its special spaces, and where each seat stands."""
    facts = look.facts.get("development", {})
    lines: list[tuple[str, str | Text]] = []
    for fact in ("status", "coins"):
        spaces = (entry.split(": ") for entry in facts.get(fact, "").split(", ") if entry)
        lines.append((look.word(fact), ", ".join(f"{at} → {value}" for at, value in spaces)))
    standing = Text("  ").join(
        Text(f"{look.seat(seat.seat)} {seat.development}", style=look.style(seat.seat)) for seat in board.seats
    )
    lines += [(look.word("citizens"), facts.get("citizens", "")), (look.word("development"), standing)]
    return captioned(lines)


def _rewards(track: str, look: Look) -> list[str]:
    facts = look.facts.get(track, {})
    for kind in _REWARDS:
        if kind in facts:
            spaces = facts[kind].split(", ")
            named = [look.short(space) if kind == "goods" else _amount(kind, space, look) for space in spaces]
            citizen = facts.get("citizen", "")
            if citizen.isdigit():
                at = int(citizen) - 1
                named[at] = f"{named[at]} +{look.word('citizen')}" if spaces[at] != "0" else look.word("citizen")
            return named
    return [_categories(space) for space in facts.get("place_tiles", "").split("; ") if space]


def _categories(space: str) -> str:
    """The categories of place tiles that a space of the traders' track brings: ``I/II``."""
    return "/".join({"1": "I", "2": "II"}.get(category, category) for category in space.split(", "))


def _amount(kind: str, amount: str, look: Look) -> str:
    return look.word("technology")[:4] if kind == "technology" else f"{amount}"
