"""Earlier versions of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from boardkeeper.engine.arguments import check_seat, check_viewer
from boardkeeper.engine.errors import MisuseError
from boardkeeper.engine.type_variables import BoardT_co, CommandT_co
from boardkeeper.game.game import Game
from boardkeeper.game.timeline import GameAtVersion
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.table.visible_table import VisibleTable, visible_table
from boardkeeper.titlekit.scores import ScoreSheet, score_sheet
from boardkeeper.titlekit.title import Play


class Past(Generic[BoardT_co, CommandT_co]):
    """A game at an earlier ``version``, read-only. It does not change when the game continues."""

    __slots__ = ("_seats", "_standings", "_state", "_title", "version")

    def __init__(self, state: GameAtVersion, seats: int, game: Game) -> None:
        self._state = state
        self._seats = seats
        self._title = game.title
        self._standings = () if state.is_running else tuple(game.standings())
        self.version = state.version

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that had to decide; empty between the events of a command."""
        state = self._state
        return tuple(state.table.deciding()) if state.is_running and state.is_settled else ()

    def board(self, viewer: int) -> BoardT_co:
        """Return the typed board as a viewer saw it; raises :class:`MisuseError` before the start of the game."""
        return self._play().board(check_viewer(viewer, self._seats))  # type: ignore[return-value]

    def table(self, viewer: int) -> VisibleTable:
        """Return the zones and markers as a viewer saw them."""
        return visible_table(self._state.table, check_viewer(viewer, self._seats))

    def scores(self, viewer: int) -> ScoreSheet | None:
        """Return the score sheet as far as a viewer could know it; see :meth:`boardkeeper.engine.Game.scores`."""
        state, known = self._state, check_viewer(viewer, self._seats)
        self._play()
        if self._standings:
            known = OPERATOR
        return score_sheet(self._title, state.created.setup, state.table, known, self._standings)

    def legal(self, seat: int) -> Sequence[CommandT_co]:
        """Return the commands that a seat could give; none between the events of a command."""
        return self._state.legal(check_seat(seat, self._seats))  # type: ignore[return-value]

    def digest(self) -> str:
        return self._state.table.digest()

    def _play(self) -> Play:
        if self._state.play is None:
            raise MisuseError(f"the game has no board at version {self.version}: it had not started")
        return self._state.play
