"""A seat that this person holds, and the service at which it is played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from boardkeeper.client.cli.arguments import default_server
from boardkeeper.client.cli.local import own_service
from boardkeeper.client.cli.output import CommandError
from boardkeeper.client.cli.seat_book import HeldSeat, SeatBook
from boardkeeper.client.cli.session import connect
from boardkeeper.client.client import Client


@dataclass(frozen=True)
class Place:
    """Where games are: a service, or (``server`` empty) a file of one's own."""

    server: str
    database: str


def held_seats(book: SeatBook, game: str, server: str | None) -> list[HeldSeat]:
    """The seats held in a game, by number; with ``server`` only those that are played there."""
    found = {held.seat: held for held in book.seats(game) if not server or held.server == server}
    return [found[seat] for seat in sorted(found)]


def held_seat(book: SeatBook, game: str, server: str | None, seat: int) -> HeldSeat:
    """The seat of that number, or the only one (``seat`` 0). Raises :class:`CommandError`."""
    held = held_seats(book, game, server)
    chosen = [one for one in held if seat in (0, one.seat)]
    if len(chosen) == 1:
        return chosen[0]
    if not held:
        raise CommandError(
            f"you hold no seat in game {game}. 'boardkeeper play --game {game} --join' takes a free one."
        )
    seats = " and ".join(str(one.seat) for one in held)
    if not chosen:
        raise CommandError(f"you do not hold seat {seat} in game {game}, but {seats}.")
    raise CommandError(f"you hold the seats {seats} in game {game}: say which one with --seat N.")


@contextmanager
def service_of(place: Place, language: str) -> Iterator[Client]:
    """A client of the service there; one of one's own is started for a game in a file."""
    with ExitStack() as stack:
        address = place.server or stack.enter_context(own_service(place.database))
        yield stack.enter_context(connect(address, language))


def place_of(held: HeldSeat | None, server: str | None) -> Place:
    """Where a seat is played; where none is held, at ``server`` or at the usual one."""
    if held is not None:
        return Place(held.server, held.database)
    return Place(server or default_server(), "")


def play_on(held: HeldSeat) -> str:
    """What to type to go on with a game."""
    at = f" --server {held.server}" if held.server else ""
    return f"boardkeeper play --game {held.game}{at}"
