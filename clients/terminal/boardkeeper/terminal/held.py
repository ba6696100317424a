"""Seats that the user holds in a game."""

from __future__ import annotations

from boardkeeper.terminal.errors import CommandError
from boardkeeper.terminal.locations import Place
from boardkeeper.terminal.saved_seats import HOME_ADVICE, HeldSeat, SeatBook


def held_seats(book: SeatBook, game: str, place: Place | None) -> list[HeldSeat]:
    """Return the saved seats of a game by number; with a ``place`` only those that can be played there."""
    found = {held.seat: held for held in book.seats(game) if place is None or place.believes(held)}
    return [found[seat] for seat in sorted(found)]


def held_seat(book: SeatBook, game: str, place: Place | None, seat: int) -> HeldSeat:
    """Return the saved seat with a number, or the only one if ``seat`` is 0. Raises :class:`CommandError`."""
    held = held_seats(book, game, place)
    chosen = [one for one in held if seat in (0, one.seat)]
    if len(chosen) == 1:
        return chosen[0]
    if not held:
        check_readable(book)
        raise CommandError(f"you hold no seat in game {game}. Join an open seat with: boardkeeper play {game} --join")
    seats = " and ".join(str(one.seat) for one in held)
    if not chosen:
        raise CommandError(f"you do not hold seat {seat} in game {game}, only {seats}.")
    raise CommandError(f"you hold the seats {seats} in game {game}: choose one with --seat N.")


def check_readable(book: SeatBook) -> None:
    """Raise :class:`CommandError` if the file of seats could not be read completely."""
    if book.problem:
        raise CommandError(f"{book.problem}. {HOME_ADVICE}")


def play_on(held: HeldSeat) -> str:
    """Return the command that continues a game. The file of seats contains its location."""
    return f"boardkeeper play {held.game}" + (f" --server {held.server}" if held.server else "")


def invitation(game: str, place: Place) -> str:
    """Return the command with which another player joins in an open seat."""
    return f"boardkeeper play {game}{place.option} --join"
