"""The engine: games of any title in your own process, without a server or a database.

Five lines play a game:

>>> from boardkeeper import engine
>>> game = engine.create("orleans", seats=["Anna", "Ben"], seed=7)
>>> while not game.is_over:
...     seat = game.to_move[0]
...     events = game.submit(seat, game.suggest(seat))
>>> game.standings
(Standing(seat=2, points=133, rank=1), Standing(seat=1, points=96, rank=2))

``suggest`` returns the command that a bot would give; ``game.legal(seat)`` returns all legal commands. :func:`titles`
lists the installed titles, :func:`create` starts a game, and :class:`Game` has all operations on it. :func:`allow`
loads a third-party title.

All errors are a :class:`RulesError`, and after an error the game is unchanged. :class:`Rejected`: the rules reject a
command. :class:`MisuseError`: a mistake of the calling program. :class:`TitleFailedError`: the code of a third-party
title failed. ``docs/engine.md`` describes everything with examples.
"""

from boardkeeper.engine.action_space import ActionSpace, action_space
from boardkeeper.engine.catalogue import allow, edition, title, titles
from boardkeeper.engine.creation import create
from boardkeeper.engine.errors import (
    BadRecordError,
    BadSaveError,
    ChoiceError,
    IncompatibleSaveError,
    MisuseError,
    PositionError,
    Rejected,
    RulesError,
    UnknownNameError,
)
from boardkeeper.engine.events import Event
from boardkeeper.engine.game import Game
from boardkeeper.engine.loading import load, load_record
from boardkeeper.engine.observations import ObservationSpace, Observer, observation_space
from boardkeeper.engine.past import Past
from boardkeeper.engine.records import verify
from boardkeeper.engine.search_state import SearchState
from boardkeeper.engine.seats import Bot, Seat
from boardkeeper.engine.typed_title import TypedTitle
from boardkeeper.game.time_control import TimeControl
from boardkeeper.game.undo import Vote
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.titlekit.scores import ScoreLine, ScoreSheet
from boardkeeper.titlekit.table_json import table_to_json
from boardkeeper.titlekit.title import Standing
from boardkeeper.titlekit.title_guard import TitleFailedError

__all__ = [
    "OPERATOR",
    "SPECTATOR",
    "ActionSpace",
    "BadRecordError",
    "BadSaveError",
    "Bot",
    "ChoiceError",
    "Event",
    "Game",
    "IncompatibleSaveError",
    "MisuseError",
    "ObservationSpace",
    "Observer",
    "Past",
    "PositionError",
    "Rejected",
    "RulesError",
    "ScoreLine",
    "ScoreSheet",
    "SearchState",
    "Seat",
    "Standing",
    "TimeControl",
    "TitleFailedError",
    "TypedTitle",
    "UnknownNameError",
    "Vote",
    "action_space",
    "allow",
    "create",
    "edition",
    "load",
    "load_record",
    "observation_space",
    "table_to_json",
    "title",
    "titles",
    "verify",
]
