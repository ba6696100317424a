"""Seats that the rules play themselves: nobody takes them or is asked for them, and their turns are part of others'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardkeeper.game.choices import complete
from boardkeeper.game.seats import AUTOMA
from boardkeeper.titlekit.title import Setup, Title


class AutomaSeatError(ValueError):
    """Somebody wants a ``seat`` that the rules play (``is_played``), or it is to be theirs and they do not play it."""

    def __init__(self, seat: int, *, is_played: bool) -> None:
        super().__init__(
            f"seat {seat} must be played by the rules" if is_played else f"seat {seat} must be for a person or a bot"
        )
        self.seat = seat
        self.is_played = is_played


class SeatCountError(ValueError):
    """``given`` seats were asked for in a game that has ``seats``."""

    def __init__(self, seats: int, given: int) -> None:
        super().__init__(f"the game has {seats} seats, not {given}")
        self.seats = seats
        self.given = given


class NoOpponentError(ValueError):
    """One person is to play alone, and what was chosen for these ``options`` leaves nobody to play against."""

    def __init__(self, options: Sequence[str]) -> None:
        super().__init__(
            f"a game with one seat needs an opponent, and this choice for {' and '.join(options)} removes it:"
            " leave the choice out, or create two seats"
        )
        self.options = tuple(options)


def complete_setup(title: Title, setup: Setup) -> Setup:
    """A new game's setup with every option and reading filled in, as :func:`boardkeeper.game.choices.complete` does.

    Raises ``ChoiceError``; and :class:`AloneError` where one person asks for a game against the rules without them.
    """
    completed = complete(title.meta, setup)
    if setup.players < completed.players and not title.automata(completed):
        raise NoOpponentError([id for id in title.meta.alone if id in setup.options])
    return completed


def add_automata(title: Title, setup: Setup, seats: Sequence[str]) -> tuple[str, ...]:
    """Who plays each seat of a game: the last seats need not be named if the rules play them.

    Raises :class:`AutomaSeatError` or :class:`SeatCountError`.
    """
    played = title.automata(setup)
    kinds = list(seats)
    while len(kinds) + 1 in played:
        kinds.append(AUTOMA)
    for seat, kind in enumerate(kinds, 1):
        if (kind == AUTOMA) != (seat in played):
            raise AutomaSeatError(seat, is_played=seat in played)
    if len(kinds) != setup.players:
        raise SeatCountError(setup.players, len(kinds))
    return tuple(kinds)


def automaton_seats(
    title: Title, edition: str, players: int, options: Mapping[str, str], readings: Mapping[str, str]
) -> Sequence[int]:
    """The seats that the rules play in a game that is asked for so; raises what :func:`complete_setup` does."""
    return title.automata(complete_setup(title, Setup(edition, players, dict(options), dict(readings))))
