"""A game as it was at one of its versions."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.engine import arguments
from boardkeeper.engine.errors import MisuseError
from boardkeeper.game.game import Game
from boardkeeper.game.timeline import GameAtVersion
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.table.visible_table import VisibleTable, visible_table
from boardkeeper.titlekit.scores import ScoreSheet, score_sheet
from boardkeeper.titlekit.title import Play


class Past:
    """A game at a ``version``, to look at; it stays as it is whatever becomes of the game."""

    __slots__ = ("_moment", "_seats", "_standings", "_title", "version")

    def __init__(self, moment: GameAtVersion, seats: int, game: Game) -> None:
        self._moment = moment
        self._seats = seats
        self._title = game.title
        self._standings = () if moment.is_running else tuple(game.standings())
        self.version = moment.version

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that had to decide: nobody amid the events of a command."""
        moment = self._moment
        return tuple(moment.table.deciding()) if moment.is_running and moment.is_settled else ()

    def board(self, viewer: int) -> Struct:
        """The typed board as a viewer saw it; raises ``MisuseError`` before the table was laid."""
        return self._play().board(arguments.check_viewer(viewer, self._seats))

    def table(self, viewer: int) -> VisibleTable:
        """The zones and markers as a viewer saw them."""
        return visible_table(self._moment.table, arguments.check_viewer(viewer, self._seats))

    def scores(self, viewer: int) -> ScoreSheet | None:
        """Return the score sheet as far as a viewer could know it; see :meth:`boardkeeper.engine.Game.scores`."""
        moment, known = self._moment, arguments.check_viewer(viewer, self._seats)
        self._play()
        if self._standings:
            known = OPERATOR
        return score_sheet(self._title, moment.created.setup, moment.table, known, self._standings)

    def legal(self, seat: int) -> Sequence[Struct]:
        """The commands that a seat could give then: none amid the events of another one."""
        return self._moment.legal(arguments.check_seat(seat, self._seats))

    def digest(self) -> str:
        """SHA-256 of the whole table, in hexadecimal."""
        return self._moment.table.digest()

    def _play(self) -> Play:
        if self._moment.play is None:
            raise MisuseError(f"the game has no board at version {self.version}: it had not started")
        return self._moment.play
