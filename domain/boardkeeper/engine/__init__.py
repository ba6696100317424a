"""The engine: games of any title in your own process, without a server, gRPC or a database.

Five lines play a game:

>>> from boardkeeper import engine
>>> game = engine.create("orleans", seats=["Anna", "Ben"], seed=7)
>>> while not game.is_over:
...     seat = game.to_move[0]
...     events = game.submit(seat, game.suggest(seat))
>>> game.standings
(Standing(seat=1, points=104, rank=1), Standing(seat=2, points=85, rank=2))

``suggest`` is what a bot would do; ``game.legal(seat)`` lists all that can be done.
:func:`titles` lists what can be played, :func:`create` begins a game, :class:`Game` is all that can be done with it.
:func:`allow` loads a title of another package.
Whatever cannot be done raises a :class:`RulesError` at once, with nothing changed: :class:`Rejected` where the rules
forbid a command, :class:`MisuseError` where the program made a mistake. If the code of a title of another package
fails, that raises :class:`TitleFailedError`. ``docs/engine.md`` describes everything with examples.
"""

from boardkeeper.engine.catalogue import allow, edition, title, titles
from boardkeeper.engine.creating import create
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
from boardkeeper.engine.past import Past
from boardkeeper.engine.records import verify
from boardkeeper.engine.seats import Bot, Seat
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
    "BadRecordError",
    "BadSaveError",
    "Bot",
    "ChoiceError",
    "Event",
    "Game",
    "IncompatibleSaveError",
    "MisuseError",
    "Past",
    "PositionError",
    "Rejected",
    "RulesError",
    "ScoreLine",
    "ScoreSheet",
    "Seat",
    "Standing",
    "TimeControl",
    "TitleFailedError",
    "UnknownNameError",
    "Vote",
    "allow",
    "create",
    "edition",
    "load",
    "load_record",
    "table_to_json",
    "title",
    "titles",
    "verify",
]
