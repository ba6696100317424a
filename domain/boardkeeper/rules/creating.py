"""Beginning a game: choices, seats and chance, checked and completed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from boardkeeper.game.automata import AloneError, AutomaSeatError, SeatCountError
from boardkeeper.rules.beginning import Clock, begun
from boardkeeper.rules.catalogue import check_choices
from boardkeeper.rules.catalogue import title as meta_of
from boardkeeper.rules.chance import Seed, secret_of
from boardkeeper.rules.errors import MisuseError
from boardkeeper.rules.game import Game
from boardkeeper.rules.seats import Bot, seated
from boardkeeper.table.title import Setup
from boardkeeper.titles.registry import load_title


def create(
    title: str,
    seats: int | Sequence[str | Bot],
    *,
    edition: str = "",
    options: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    seed: Seed | None = None,
    clock: Clock | None = None,
    position: Struct | None = None,
) -> Game:
    """A new game, laid and waiting for its first decision.

    ``seats`` are the names of the players in order, with a :class:`Bot` for each that a bot plays, or just how many;
    seats that the rules play are not named, so one name is a game alone where the title has that. What is not chosen
    is as the edition has it. Games with the same ``seed`` and the same commands are the same; without one nobody can
    foresee the dice. ``clock`` gives the times of events, in milliseconds since 1970; without one they are 0. A
    ``position`` is a board of the title to begin from.

    Raises :class:`UnknownNameError` or :class:`ChoiceError` for what there is not to choose, :class:`MisuseError` for
    seats that do not fit, ``boardkeeper.table.title.PositionError`` for a board that is none.

    >>> create("paladins", ["Anna"], seed=1).seats[1]
    Seat(number=2, name='Opponent', played_by='rules', bot='')
    """
    meta = meta_of(title)
    kinds, names = seated(meta, seats)
    check_choices(meta, edition, options or {}, readings or {})
    setup = Setup(edition, len(kinds), dict(options or {}), dict(readings or {}))
    secret = secret_of(seed)
    rules = load_title(title)
    try:
        game, history = begun(rules, setup, kinds, secret, clock, position=position)
    except (AloneError, AutomaSeatError, SeatCountError) as error:
        raise MisuseError(str(error)) from error
    return Game(game, history, names, secret, clock)
