"""A title with the types of its boards and commands, for type checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, cast

from boardkeeper.engine import creation
from boardkeeper.engine.action_space import ActionSpace, action_space
from boardkeeper.engine.arguments import Clock
from boardkeeper.engine.creation import Position
from boardkeeper.engine.errors import MisuseError
from boardkeeper.engine.game import Game
from boardkeeper.engine.seats import Bot
from boardkeeper.engine.start import Seed
from boardkeeper.engine.type_variables import BoardT_co, CommandT_co
from boardkeeper.game.time_control import TimeControl


class TypedTitle(Generic[BoardT_co, CommandT_co]):
    """Functions of the engine for one title, which return its types.

    Built-in titles have a module, for example ``boardkeeper.engine.orleans``. The package of another title makes its
    own: ``lost_gold = TypedTitle[Board, Command]("lost_gold")``, where ``Command`` is the union of its commands.
    """

    def __init__(self, id: str) -> None:
        self.id = id
        """The id of the title."""

    def create(
        self,
        seats: int | Sequence[str | Bot],
        *,
        edition: str = "",
        options: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
        seed: Seed | None = None,
        clock: Clock | None = None,
        position: Position | None = None,
        time_control: TimeControl | None = None,
    ) -> Game[BoardT_co, CommandT_co]:
        """Create a game of this title: see :func:`boardkeeper.engine.create`."""
        game = creation.create(
            self.id,
            seats,
            edition=edition,
            options=options,
            readings=readings,
            seed=seed,
            clock=clock,
            position=position,
            time_control=time_control,
        )
        return self.typed(game)

    def typed(self, game: Game[Any, Any]) -> Game[BoardT_co, CommandT_co]:
        """Return the same game with the types of this title; raises :class:`MisuseError` for another title.

        >>> from boardkeeper import engine
        >>> from boardkeeper.engine import orleans
        >>> saved = orleans.create(2, seed=1).save()
        >>> orleans.typed(engine.load(saved)).board(1).seats[0].merchant
        'orleans'
        """
        if game.title.id != self.id:
            raise MisuseError(f"this is a game of {game.title.id}, not of {self.id}")
        return cast("Game[BoardT_co, CommandT_co]", game)

    def action_space(
        self,
        players: int,
        edition: str = "",
        options: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> ActionSpace[CommandT_co]:
        """Return an action space of this title: see :func:`boardkeeper.engine.action_space`."""
        space = action_space(self.id, players, edition, options, readings)
        return cast("ActionSpace[CommandT_co]", space)
