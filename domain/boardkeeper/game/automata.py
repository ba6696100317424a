"""Automata: seats that the rules play. They give no commands; their turns are part of the players' commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardkeeper.game.choices import complete
from boardkeeper.game.seats import AUTOMA
from boardkeeper.titlekit.title import Setup, Title


class AutomaSeatError(ValueError):
    """A ``seat`` is for a player although the rules play it (``is_played``), or for the rules although they do not."""

    def __init__(self, seat: int, *, is_played: bool) -> None:
        super().__init__(
            f"seat {seat} must be played by the rules" if is_played else f"seat {seat} must be for a person or a bot"
        )
        self.seat = seat
        self.is_played = is_played


class SeatCountError(ValueError):
    """A game needs ``seats`` seats, but the caller listed ``listed`` seats."""

    def __init__(self, seats: int, listed: int) -> None:
        super().__init__(f"the game has {seats} seats, not {listed}")
        self.seats = seats
        self.listed = listed


class NoOpponentError(ValueError):
    """A game has one seat, and the choices for these ``options`` remove the opponent that the rules play."""

    def __init__(self, options: Sequence[str]) -> None:
        super().__init__(
            f"a game with one seat needs an opponent, and this choice for {' and '.join(options)} removes it:"
            " leave the choice out, or create two seats"
        )
        self.options = tuple(options)


def complete_setup(title: Title, setup: Setup) -> Setup:
    """Return the setup of a new game with all options and readings (:func:`boardkeeper.game.choices.complete`).

    Raises ``ChoiceError`` or :class:`NoOpponentError`.
    """
    completed = complete(title.meta, setup)
    if setup.players < completed.players and not title.automata(completed):
        raise NoOpponentError([id for id in title.meta.alone if id in setup.options])
    return completed


def add_automata(title: Title, setup: Setup, seats: Sequence[str]) -> tuple[str, ...]:
    """Return who plays each seat; adds seats at the end that the rules play.

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
    """Return the seats that the rules play in a game with these choices; raises like :func:`complete_setup`."""
    return title.automata(complete_setup(title, Setup(edition, players, dict(options), dict(readings))))
