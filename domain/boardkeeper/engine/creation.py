"""The creation of a game from checked arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from boardkeeper.engine import arguments
from boardkeeper.engine.arguments import Clock
from boardkeeper.engine.catalogue import check_choices
from boardkeeper.engine.catalogue import title as meta_of
from boardkeeper.engine.errors import ChoiceError, MisuseError, PositionError
from boardkeeper.engine.game import Game
from boardkeeper.engine.seats import Bot, parse_seats
from boardkeeper.engine.start import Seed, secret_of, start_game
from boardkeeper.game import choices
from boardkeeper.game.automata import AutomaSeatError, NoOpponentError, SeatCountError
from boardkeeper.game.time_control import TimeControl
from boardkeeper.table.visible_table import VisibleTable
from boardkeeper.titlekit.table_json import table_from_json
from boardkeeper.titlekit.title import PositionError as WrongPosition
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title

Position = VisibleTable | str | bytes | Mapping[str, Any]
"""A table, or the protobuf JSON of a ``boardkeeper.v1.Table`` as a string, as bytes, or decoded."""


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
    """Create a game with all seats taken, which waits for its first decision.

    Args:
        title: The id of the title, for example ``orleans``.
        seats: The names of the players in seat order, with a :class:`Bot` for each seat of a bot; or the number of
            players. Leave out seats that the rules play: a single name is a solo game.
        edition: The edition; the title's default if empty.
        options: Choices for options, by id. Missing ones get their defaults.
        readings: Choices for readings, by id. Missing ones get their defaults.
        seed: Games with the same seed and the same commands are equal. Without a seed the dice are unpredictable.
        clock: Returns the time of events, in milliseconds since 1970. Without a clock all times are 0.
        position: A table to start from: from :meth:`Game.table` for ``OPERATOR``, or its JSON.
        time_control: How much time people have to decide. It needs a ``clock``.

    Raises:
        UnknownNameError: The title or edition does not exist.
        ChoiceError: An option, reading or choice does not exist in the edition.
        PositionError: The game cannot start from the table.
        MisuseError: The seats are impossible, or another argument is wrong.

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
    """Return the table of a position, with checked types."""
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
