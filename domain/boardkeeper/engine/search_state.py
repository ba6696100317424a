"""States for search programs: a table, its open decisions and dice, without history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple
from weakref import ref

from msgspec import Struct

from boardkeeper.engine import arguments
from boardkeeper.engine.command_checks import copy_command, rejected
from boardkeeper.engine.errors import MisuseError, Rejected
from boardkeeper.engine.seats import bot_kind
from boardkeeper.engine.start import Seed, secret_of
from boardkeeper.engine.type_variables import BoardT_co, CommandT_co
from boardkeeper.game.seats import PERSON, seat_names
from boardkeeper.table.forking import differing_layout
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.recorder import RecorderLog
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.search_dice import OutcomeError, SearchDice, scramble
from boardkeeper.table.table import Table
from boardkeeper.table.table_key import TableKey
from boardkeeper.table.table_values import TableValues, ValueStore
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.hidden_information import redraw_hidden
from boardkeeper.titlekit.scores import points_now
from boardkeeper.titlekit.title import Play, Setup, Title, TitleMeta
from boardkeeper.titles.registry import load_title

_OVER = Rejection("GAME_OVER", "table.game_over")


def search_seed(seed: Seed | None) -> int:
    """Return the number for search dice that a seed gives; without a seed a random one."""
    return int.from_bytes(secret_of(seed, "search")[:8], "big")


def _no_holder() -> None:
    return None


class _Workspace:
    """The rules, bound to one table, for all states that were copied from each other.

    The table has the values of one state at a time, ``holder``.
    """

    __slots__ = ("dice", "holder", "keys", "mark", "play", "setup", "store", "table", "title", "values")

    def __init__(self, title: Title, setup: Setup, table: Table) -> None:
        """Take over ``table``."""
        self.title = title
        self.setup = setup
        self.table = table
        self.dice = SearchDice(0)
        self.play = title.play(table, self.dice, setup)
        self.store = ValueStore(table)
        self.keys = TableKey(table)
        self.holder: Callable[[], SearchState | None] = _no_holder
        self.values: TableValues | None = None
        """The values of the table after ``mark`` effects of the recorder; ``None``: not known."""
        self.mark = 0

    def rollback_to(self, savepoint: tuple[int, int]) -> None:
        """Revert effects of the holder."""
        self.play.recorder.rollback_to(savepoint)
        if self.mark > savepoint[0]:
            self.values = None

    def save(self) -> TableValues:
        """Return the values of the table."""
        recorder = self.play.recorder
        effects = recorder.savepoint()[0]
        if self.values is None:
            self.values = self.store.save()
        elif self.mark < effects:
            self.values = self.store.save_changed(self.values, recorder.effects_since((self.mark, 0)))
        self.mark = effects
        return self.values

    def load(self, values: TableValues) -> None:
        """Set the values of the table. This changes the recorded effects, so the caller sets those as well."""
        if values is self.values:  # the holder and the next state have the same ancestor
            self.play.recorder.rollback_to((self.mark, 0))
        else:
            self.store.load(values)


class _Push(NamedTuple):
    """The knowledge about the table before a pushed command."""

    savepoint: tuple[int, int]
    legal: dict[int, Sequence[Struct]]
    values: TableValues | None
    mark: int


class SearchState(Generic[BoardT_co, CommandT_co]):
    """A table with its open decisions and its own dice. :meth:`Game.search_state` and :meth:`copy` return one.

    It has no events and no history, so copies are cheap. Every random draw is new: the dice of a command differ each
    time it is pushed. States that were copied from each other share one bound table, so use them in one thread; pickle
    a state to give it to another thread or process. Pickles are for one version of the program.
    """

    __slots__ = (
        "__weakref__", "_copies", "_dice_state", "_key_effects", "_key_sum", "_legal", "_log", "_outcome", "_pushed",
        "_values", "_workspace",
    )  # fmt: skip

    def __init__(self, workspace: _Workspace, values: TableValues, seed: int) -> None:
        self._workspace = workspace
        self._values = values
        """The values of the table while another state has the workspace."""
        self._dice_state = seed
        self._copies = 0
        self._outcome: tuple[int, ...] = ()
        self._pushed: list[_Push] = []
        self._log: RecorderLog | None = None
        """The recorded effects of this state while another state has the workspace."""
        self._legal: dict[int, Sequence[Struct]] = {}
        """The legal commands by seat, as far as a caller asked for them."""
        self._key_sum = 0
        self._key_effects = -1
        """``_key_sum`` is :meth:`TableKey.sum` after this number of recorded effects; -1: not known."""

    @classmethod
    def of(cls, title: Title, setup: Setup, table: Table, seed: Seed | None) -> SearchState[BoardT_co, CommandT_co]:
        """Return a state of a copy of this table."""
        workspace = _Workspace(title, setup, table.copy())
        return cls(workspace, workspace.store.save(), search_seed(seed))

    def __repr__(self) -> str:
        over = ", over" if self.is_over else ""
        return f"<search state of {self.title.id} for {len(self._workspace.table.decisions) - 1}{over}>"

    def __copy__(self) -> SearchState[BoardT_co, CommandT_co]:
        return self.copy()

    def __deepcopy__(self, memo: object) -> SearchState[BoardT_co, CommandT_co]:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        workspace = self._workspace
        values = self._save()
        layout = differing_layout(workspace.table, workspace.title.layout(workspace.setup))
        dice = self._current_dice(), self._copies
        return _restore, (workspace.title.meta.id, workspace.setup, layout, values, *dice)

    # --- description -----------------------------------------------------------------------------------------

    @property
    def title(self) -> TitleMeta:
        """The catalogue entry of the title."""
        return self._workspace.title.meta

    @property
    def setup(self) -> Setup:
        """The edition, the number of seats, and all options and readings of the game."""
        return self._workspace.setup

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that have to decide now, in seat order."""
        return tuple(self._bind().table.deciding())

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._bind().is_over()

    def legal(self, seat: int) -> Sequence[CommandT_co]:
        """Return all commands that a seat can give now, in a stable order; none if it has nothing to decide.

        Do not change the result: the state returns the same list until its table changes.
        """
        known = self._legal.get(seat)
        if known is None:
            play = self._bind()
            arguments.check_seat(seat, len(play.table.decisions) - 1)
            known = self._legal[seat] = () if play.is_over() else play.legal(seat)
        return known  # type: ignore[return-value]

    def suggest(self, seat: int, bot: str = "") -> CommandT_co:
        """Return the command that a bot would give, from what the seat sees.

        ``bot`` is the kind of bot; if empty, the title's best one. A bot that uses chance can choose another command in
        the next call. Raises :class:`MisuseError` if the seat has nothing to decide.
        """
        legal = self.legal(seat)
        if not legal:
            raise MisuseError(f"seat {seat} has nothing to decide; to_move lists the seats that have")
        arguments.check_text("a kind of bot", bot)
        title, setup, table = self._workspace.title, self._workspace.setup, self._bind().table
        chance = (self._new_seed() >> 11) / (1 << 53)
        return ask_bot(title, setup, table, bot_kind(self.title, bot), seat, legal, chance)  # type: ignore[return-value]

    def board(self, viewer: int) -> BoardT_co:
        """Return the typed board as a viewer sees it. The draw counters on it have no meaning."""
        play = self._bind()
        return play.board(arguments.check_viewer(viewer, len(play.table.decisions) - 1))  # type: ignore[return-value]

    def scores(self) -> tuple[int, ...]:
        """Return the points of each seat, that of seat 1 first, if the game ended now."""
        return points_now(self._bind())

    def returns(self) -> tuple[float, ...]:
        """Return the result of each seat after the end, by rank: from 1 for first to -1 for last; the sum is 0.

        Seats with the same rank share the mean of their places. Raises :class:`MisuseError` before the end.
        """
        play = self._bind()
        if not play.is_over():
            raise MisuseError("returns() needs the end of the game; scores() has the points before it")
        ranks = {standing.seat: standing.rank for standing in play.standings()}
        seats = [ranks[seat] for seat in sorted(ranks)]
        most = max(len(seats) - 1, 1)
        # The places of seats with the same rank: rank, rank + 1 … → their mean.
        return tuple(1.0 - 2.0 * (rank - 1 + (seats.count(rank) - 1) / 2) / most for rank in seats)

    # --- changes ---------------------------------------------------------------------------------------------

    def push(self, seat: int, command: Struct, *, outcome: Sequence[int] | None = None) -> None:
        """Carry out a command until :meth:`pop`. Raises :class:`Rejected`; then the state is unchanged.

        ``outcome`` prescribes the random numbers, as :attr:`outcome` returned them after an earlier push of the same
        command; :class:`MisuseError` if they do not fit.
        """
        play = self._bind()
        workspace = self._workspace
        if command not in self._legal.get(seat, ()):  # legal commands have been checked already
            arguments.check_seat(seat, len(play.table.decisions) - 1)
            command = copy_command(workspace.title, seat, command)
        dice = workspace.dice
        before = play.recorder.savepoint()
        dice.begin(outcome)
        try:
            rejection = _OVER if play.is_over() else play.decide(seat, command)
            if rejection is None:
                dice.finish()
        except BaseException as error:
            workspace.rollback_to(before)
            if isinstance(error, OutcomeError):
                raise MisuseError(str(error)) from None
            raise
        if rejection is not None:
            workspace.rollback_to(before)
            raise self._rejected(rejection)
        self._pushed.append(_Push(before, self._legal, workspace.values, workspace.mark))
        self._legal = {}
        self._outcome = tuple(dice.numbers)

    def pop(self) -> None:
        """Revert the last pushed command. Raises :class:`MisuseError` if there is none."""
        if not self._pushed:
            raise MisuseError("pop() needs a push() before it")
        recorder = self._bind().recorder
        workspace = self._workspace
        before, self._legal, values, mark = self._pushed.pop()
        if self._key_effects > before[0]:
            reverted = recorder.effects_since(before)[: self._key_effects - before[0]]
            self._key_sum -= workspace.keys.change(reverted)
            self._key_effects = before[0]
        workspace.rollback_to(before)
        if workspace.values is None and values is not None:
            workspace.values, workspace.mark = values, mark

    @property
    def pushed(self) -> int:
        """The number of pushed commands."""
        return len(self._pushed)

    @property
    def outcome(self) -> tuple[int, ...]:
        """The random numbers of the last :meth:`push`, in the order of its draws; empty if it drew nothing."""
        return self._outcome

    # --- other states ----------------------------------------------------------------------------------------

    def copy(self, *, seed: Seed | None = None) -> SearchState[BoardT_co, CommandT_co]:
        """Return an independent state with the same table and other dice. Nothing is pushed in it.

        Copies of equal tables with the same ``seed`` have the same dice.
        """
        copy = type(self)(self._workspace, self._save(), self._new_seed() if seed is None else search_seed(seed))
        copy._legal = self._legal.copy()
        return copy

    def determinise(self, viewer: int, seed: Seed | None = None) -> SearchState[BoardT_co, CommandT_co]:
        """Return a state in which everything that the viewer does not know is drawn again (a determinization).

        Two states that look equal to the viewer give equal tables for the same seed. Raises :class:`Rejected` if the
        title cannot do this for the current table.
        """
        play = self._bind()
        if arguments.check_viewer(viewer, len(play.table.decisions) - 1) == OPERATOR:
            raise MisuseError("nothing is hidden from OPERATOR; use copy()")
        workspace = self._workspace
        start = search_seed(seed)
        state = type(self)(workspace, self._save(), scramble(start))
        play = state._bind()
        rejection = redraw_hidden(workspace.title, play, viewer, SearchDice(start))
        workspace.values = None
        if rejection is not None:
            raise self._rejected(rejection)
        return state

    # --- keys ------------------------------------------------------------------------------------------------

    def key(self, viewer: int = OPERATOR) -> int:
        """Return a 64-bit hash of the table, for a viewer other than the operator of what the viewer sees.

        It is the same in all processes. After the first call, its cost depends on the number of changed zones and
        markers, and for other viewers on the number of hidden ones.
        """
        play = self._bind()
        keys = self._workspace.keys
        arguments.check_viewer(viewer, len(play.table.decisions) - 1)
        effects = play.recorder.savepoint()[0]
        if self._key_effects < 0:
            self._key_sum = keys.sum()
        elif self._key_effects < effects:
            self._key_sum += keys.change(play.recorder.effects_since((self._key_effects, 0)))
        self._key_effects = effects
        return keys.visible(self._key_sum, viewer)

    # --- private ---------------------------------------------------------------------------------------------

    def _bind(self) -> Play:
        """Write the values of this state into the workspace, if it has those of another state, and return the play."""
        workspace = self._workspace
        if workspace.holder() is not self:
            self._take_workspace()
        return workspace.play

    def _take_workspace(self) -> None:
        workspace = self._workspace
        recorder = workspace.play.recorder
        previous = workspace.holder()
        if previous is not None:
            previous._values = workspace.save()
            previous._dice_state = workspace.dice.state
            previous._log = recorder.exchange_log(RecorderLog([], [], []))
            workspace.mark = 0
        workspace.load(self._values)
        recorder.exchange_log(self._log or RecorderLog([], [], []))
        workspace.values, workspace.mark = self._values, recorder.savepoint()[0]
        workspace.dice.state = self._dice_state
        workspace.holder = ref(self)

    def _save(self) -> TableValues:
        """Return the values of the table."""
        return self._workspace.save() if self._workspace.holder() is self else self._values

    def _current_dice(self) -> int:
        return self._workspace.dice.state if self._workspace.holder() is self else self._dice_state

    def _new_seed(self) -> int:
        """Return the seed of the next copy."""
        self._copies += 1
        return scramble(self._current_dice() ^ scramble(self._copies))

    def _rejected(self, rejection: Rejection) -> Rejected:
        title, seats = self._workspace.title, len(self._workspace.table.decisions) - 1
        kinds = [PERSON] * seats
        return rejected(title, self.setup, rejection, lambda language: seat_names(language, title, kinds, [""] * seats))


def _restore(
    title: str, setup: Setup, layout: TableLayout | None, values: TableValues, dice_state: int, copies: int
) -> SearchState:
    """Return the state of a pickle."""
    loaded = load_title(title)
    workspace = _Workspace(loaded, setup, Table(layout or loaded.layout(setup)))
    state = SearchState(workspace, values, dice_state)
    state._copies = copies
    return state
