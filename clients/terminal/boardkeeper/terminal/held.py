"""A seat that this person holds in a game."""

from __future__ import annotations

from boardkeeper.terminal.locations import Place
from boardkeeper.terminal.output import CommandError
from boardkeeper.terminal.saved_seats import HOME_ADVICE, HeldSeat, SeatBook


def held_seats(book: SeatBook, game: str, place: Place | None) -> list[HeldSeat]:
    """The seats held in a game, by number; with a ``place`` only those that can be played there."""
    found = {held.seat: held for held in book.seats(game) if place is None or place.believes(held)}
    return [found[seat] for seat in sorted(found)]


def held_seat(book: SeatBook, game: str, place: Place | None, seat: int) -> HeldSeat:
    """The seat of that number, or the only one (``seat`` 0). Raises :class:`CommandError`."""
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
    """Raise :class:`CommandError` if the book could not be read, so that a seat may be missing from it."""
    if book.problem:
        raise CommandError(f"{book.problem}. {HOME_ADVICE}")


def play_on(held: HeldSeat) -> str:
    """What to type to go on with a game: its place is in the book."""
    return f"boardkeeper play {held.game}" + (f" --server {held.server}" if held.server else "")


def invitation(game: str, place: Place) -> str:
    """What somebody else types to take a free seat."""
    return f"boardkeeper play {game}{place.option} --join"
