"""Beginning a game: choices, seats and chance, checked and completed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from boardkeeper.engine import arguments
from boardkeeper.engine.arguments import Clock
from boardkeeper.engine.beginning import start_game
from boardkeeper.engine.catalogue import check_choices
from boardkeeper.engine.catalogue import title as meta_of
from boardkeeper.engine.errors import ChoiceError, MisuseError, PositionError
from boardkeeper.engine.game import Game
from boardkeeper.engine.seats import Bot, parse_seats
from boardkeeper.engine.seeds import Seed, secret_of
from boardkeeper.game import choices
from boardkeeper.game.automata import AutomaSeatError, NoOpponentError, SeatCountError
from boardkeeper.game.time_control import TimeControl
from boardkeeper.table.visible_table import VisibleTable
from boardkeeper.titlekit.table_json import table_from_json
from boardkeeper.titlekit.title import PositionError as WrongPosition
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title

Position = VisibleTable | str | bytes | Mapping[str, Any]
"""A table, or the protobuf JSON of a ``boardkeeper.v1.Table``: as text, as bytes, or decoded."""


def create(
    title: str,
    seats: int | Sequence[str | Bot],
    *,
    edition: str = "",
    options: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    seed: Seed | None = None,
    clock: Clock | None = None,
    position: Position | None = None,
    time_control: TimeControl | None = None,
) -> Game:
    """A new game, laid and waiting for its first decision.

    ``seats`` are the names of the players in order, with a :class:`Bot` for each that a bot plays, or just how many;
    seats that the rules play are not named, so one name is a game alone where the title has that. What is not chosen is
    as the edition has it. Games with the same ``seed`` and the same commands are the same; without one the
    dice cannot be foreseen. ``clock`` gives the times of events, in milliseconds since 1970; without one they are 0. A
    ``position`` is a whole table to begin from, as :meth:`Game.table` returns it for the operator, or as JSON. A
    ``time_control`` gives people so much time to decide, by that ``clock``.

    Raises :class:`UnknownNameError` or :class:`ChoiceError` for what there is not to choose, :class:`PositionError` for
    a table that no such game can begin from, :class:`MisuseError` for impossible seats and other wrong arguments.

    >>> create("paladins", ["Anna"], seed=1).seats[1]
    Seat(number=2, name='Opponent', played_by='rules', bot='')
    """
    meta = meta_of(title)
    kinds, names = parse_seats(meta, seats)
    options, readings = arguments.check_choices("options", options), arguments.check_choices("readings", readings)
    check_choices(meta, edition, options, readings)
    setup = Setup(edition, len(kinds), dict(options), dict(readings))
    secret, clock = secret_of(seed), arguments.check_clock(clock)
    rules, control = load_title(title), arguments.check_time_control(time_control, clock)
    try:
        game, history = start_game(rules, setup, kinds, secret, clock, position=_table(position), time_control=control)
    except choices.ChoiceError as error:
        raise ChoiceError(error.field, error.problem) from error
    except WrongPosition as error:
        raise PositionError(error.problems) from error
    except (NoOpponentError, AutomaSeatError, SeatCountError) as error:
        raise MisuseError(str(error)) from error
    return Game(game, history, names, secret, clock)


def _table(position: Position | None) -> VisibleTable | None:
    """Return a table whose fields have their types."""
    if position is None:
        return None
    if isinstance(position, VisibleTable):
        return arguments.check_struct("position", position, VisibleTable)
    if not isinstance(position, (str, bytes, Mapping)):
        raise MisuseError(f"position must be a table, as table(OPERATOR) returns it, or its JSON, not {position!r}")
    try:
        text = msgspec.json.encode(position) if isinstance(position, Mapping) else position
        return table_from_json(text.encode() if isinstance(text, str) else text)
    except (msgspec.MsgspecError, RecursionError, TypeError, UnicodeError) as error:
        raise MisuseError(f"position is not the JSON of a table: {error}") from None
