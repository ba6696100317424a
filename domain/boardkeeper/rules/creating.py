"""Beginning a game: choices, seats and chance, checked and completed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from boardkeeper.game import choices
from boardkeeper.game.automata import AloneError, AutomaSeatError, SeatCountError
from boardkeeper.game.time_control import TimeControl
from boardkeeper.rules import checks
from boardkeeper.rules.beginning import begun
from boardkeeper.rules.catalogue import check_choices
from boardkeeper.rules.catalogue import title as meta_of
from boardkeeper.rules.chance import Seed, secret_of
from boardkeeper.rules.checks import Clock
from boardkeeper.rules.errors import ChoiceError, MisuseError, PositionError
from boardkeeper.rules.game import Game
from boardkeeper.rules.seats import Bot, seated
from boardkeeper.table.title import NoPositionsError, Setup
from boardkeeper.table.title import PositionError as WrongPosition
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
    time_control: TimeControl | None = None,
) -> Game:
    """A new game, laid and waiting for its first decision.

    ``seats`` are the names of the players in order, with a :class:`Bot` for each that a bot plays, or just how many;
    seats that the rules play are not named, so one name is a game alone where the title has that. What is not chosen
    is as the edition has it. Games with the same ``seed`` and the same commands are the same; without one nobody can
    foresee the dice. ``clock`` gives the times of events, in milliseconds since 1970; without one they are 0. A
    ``position`` is a board of the title to begin from. A ``time_control`` gives people so much time to decide, by that
    ``clock``.

    Raises :class:`UnknownNameError` or :class:`ChoiceError` for what there is not to choose, :class:`PositionError` for
    a board that no such game can begin from, :class:`MisuseError` for seats that do not fit and whatever else is none.

    >>> create("paladins", ["Anna"], seed=1).seats[1]
    Seat(number=2, name='Opponent', played_by='rules', bot='')
    """
    meta = meta_of(title)
    kinds, names = seated(meta, seats)
    options, readings = checks.choices("options", options), checks.choices("readings", readings)
    check_choices(meta, edition, options, readings)
    setup = Setup(edition, len(kinds), dict(options), dict(readings))
    secret, clock = secret_of(seed), checks.clock(clock)
    rules, control = load_title(title), checks.time_control(time_control, clock)
    try:
        game, history = begun(rules, setup, kinds, secret, clock, position=_board(position), time_control=control)
    except choices.ChoiceError as error:
        raise ChoiceError(error.field, error.problem) from error
    except WrongPosition as error:
        raise PositionError(error.problems) from error
    except TypeError as error:
        if position is None:
            raise
        raise MisuseError(f"position must be a board of {title}: {error}") from error
    except (AloneError, AutomaSeatError, NoPositionsError, SeatCountError) as error:
        raise MisuseError(str(error)) from error
    return Game(game, history, names, secret, clock)


def _board(position: Struct | None) -> Struct | None:
    """A board whose fields have their types; whose board it is its title tells."""
    if position is None:
        return None
    if not isinstance(position, Struct):
        raise MisuseError(f"position must be a board, as board(OPERATOR) returns it, not {position!r}")
    return checks.struct("the position", position, type(position))
