"""Observation spaces: a game as a viewer sees it, as a vector of numbers with fixed positions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boardkeeper.engine.errors import MisuseError
from boardkeeper.engine.game import Game
from boardkeeper.engine.search_state import SearchState
from boardkeeper.engine.setups import setup_of
from boardkeeper.table.effects import Effect
from boardkeeper.table.table import Table
from boardkeeper.titlekit.feature_writer import FeatureWriter
from boardkeeper.titlekit.features import Features, TooManyFeaturesError
from boardkeeper.titlekit.title import Play, Setup, Title


class ObservationSpace:
    """The positions, names and ranges of all features of games with one setup.

    They are the same in all games, processes and versions of the program while :attr:`version` is the same.
    """

    def __init__(self, title: Title, setup: Setup) -> None:
        try:
            self._features = features = Features(title, setup)
        except TooManyFeaturesError as error:
            raise MisuseError(f"the title {title.meta.id!r} needs {error}") from None
        self.title = title.meta.id
        """The id of the title."""
        self.setup = setup
        """The edition, number of seats, options and readings."""
        self.size = features.size
        """The number of features."""
        self.names = features.names
        """The names of the features, for example ``seat+1.bag.farmer``; ``seat+0`` is the viewer."""
        self.low = features.low
        """The smallest value of each feature: 0, or -1 for numbers that can be negative."""
        self.high = features.high
        """The largest value of each feature: 1."""
        self.version = features.version
        """A digest of the names and scales. Store it together with anything that depends on positions."""
        self.viewers = features.viewers
        """The seats that can be viewers: all but those that the rules play."""
        self.left_out = features.left_out
        """The ids of zones and markers without features."""

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"<{self.size} features of {self.title} for {self.setup.players}, version {self.version}>"

    def observer(self, state: Game | SearchState, viewer: int, out: Any = None) -> Observer:
        """Return an observer, and write all features of a game or search state as a seat sees it.

        ``out`` is a writable buffer of ``size`` floats: an ``array('f')`` or a numpy array of ``float32`` or
        ``float64``. Without it the observer makes an ``array('f')``. Raises :class:`MisuseError` for a game with
        another setup.

        >>> from boardkeeper import engine
        >>> game, space = engine.create("orleans", 2, seed=1), engine.observation_space("orleans", 2)
        >>> observer = space.observer(game, viewer=2)
        >>> space_of_ship = space.names.index("seat+0.ship.boatman.own_boatman")
        >>> observer.out[space_of_ship]
        0.0
        >>> events = game.submit(2, game.legal(2)[0])  # place the boatman on the ship
        >>> observer.update()[space_of_ship]
        1.0
        """
        if viewer not in self.viewers:
            raise MisuseError(f"viewer must be one of the seats {', '.join(map(str, self.viewers))}, not {viewer!r}")
        if out is None:
            out = array("f", bytes(4 * self.size))
        return Observer(self, state, viewer, out, self._view(out))

    def _view(self, out: Any) -> memoryview[float]:
        try:
            view: memoryview[Any] = memoryview(out)
        except TypeError:
            raise MisuseError(f"out must be a buffer of floats, not {type(out).__name__}") from None
        if view.readonly or not view.contiguous or view.format not in ("f", "d") or view.shape != (self.size,):
            raise MisuseError(f"out must be a writable buffer of {self.size} floats")
        return view

    def _writer(self, state: Game | SearchState, table: Table, viewer: int, view: memoryview[float]) -> FeatureWriter:
        if state.title.id != self.title or state.setup != self.setup:
            raise MisuseError(
                f"the space is for {self.title} with {self.setup}, not for {state.title.id} with {state.setup}"
            )
        try:
            return FeatureWriter(self._features.plans[viewer], table, viewer, view)
        except KeyError as error:
            raise MisuseError(f"the table has no {error}: it is of another version of the title") from None


class Observer:
    """Keeps a vector up to date with one game or search state. :meth:`ObservationSpace.observer` makes it."""

    __slots__ = (
        "_base", "_current_play", "_effects_since", "_known", "_last", "_play", "_space", "_state", "_version", "_view",
        "_writer", "out", "viewer",
    )  # fmt: skip

    def __init__(
        self, space: ObservationSpace, state: Game | SearchState, viewer: int, out: Any, view: memoryview[float]
    ) -> None:
        self.viewer = viewer
        """The seat whose view this is."""
        self.out = out
        """The buffer with the features."""
        self._space = space
        self._view = view
        play = _current_play(state)()
        self._writer = space._writer(state, play.table, viewer, view)
        self._write(state, play)

    def follow(self, state: Game | SearchState) -> Any:
        """Write all features of another game or search state with the same setup; return the buffer.

        For copies of the same state this is faster than a new observer.
        """
        play = _current_play(state)()
        if play is not self._play:
            self._writer = self._space._writer(state, play.table, self.viewer, self._view)
        self._write(state, play)
        return self.out

    def update(self) -> Any:
        """Bring the features up to date; return the buffer.

        After ``push`` and ``pop`` this costs a fraction of them; after other changes of a game it writes all features.
        """
        state = self._state
        play = self._current_play()
        if play is not self._play or (self._version and self._version != state.version):  # type: ignore[union-attr]
            return self.follow(state)
        pushed, known, update = state._pushed, self._known, self._writer.update
        base = self._base
        count, same = len(pushed), base + len(known)
        # Each push makes a new object: if the last ones are the same, all earlier ones are the same too.
        while same > base and (same > count or known[-1][0] is not pushed[same - 1]):
            same -= 1
            update(known.pop()[1])
        if same == base and base and (count < base or pushed[base - 1] is not self._last):
            return self.follow(state)
        if same < count:
            effects = self._effects_since(pushed[same][0])
            update(effects)
            if same == count - 1:
                known.append((pushed[same], effects))
            else:
                self._remember(pushed[same:], effects)
        return self.out

    def _write(self, state: Game | SearchState, play: Play) -> None:
        self._state = state
        self._play = play
        self._current_play = _current_play(state)
        self._effects_since = play.recorder.effects_since
        self._version = state.version if isinstance(state, Game) else 0
        """The version of a game, 0 for a search state."""
        self._known: list[tuple[Any, Sequence[Effect]]] = []
        """The pushes since the whole vector was written, with their effects."""
        self._base = len(state._pushed)
        """The number of pushes when the whole vector was written."""
        self._last = state._pushed[-1] if state._pushed else None
        """The last of these pushes."""
        self._writer.write()

    def _remember(self, new: Sequence[Any], effects: Sequence[Effect]) -> None:
        """Remember new pushes and the effects of each; ``effects`` are those of all of them."""
        first = new[0][0][0]
        starts = [push[0][0] - first for push in new]
        for push, start, end in zip(new, starts, [*starts[1:], len(effects)], strict=True):
            self._known.append((push, effects[start:end]))


def _current_play(state: Game | SearchState) -> Callable[[], Play]:
    return state._play if isinstance(state, Game) else state._bind


def observation_space(
    title: str,
    players: int,
    edition: str = "",
    options: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> ObservationSpace:
    """Return the observation space of all games with this setup. ``players`` is 1 for a solo game.

    >>> space = observation_space("orleans", 2)
    >>> space.names[:3]
    ('supply.farmer', 'supply.boatman', 'supply.craftsman')
    """
    return ObservationSpace(*setup_of(title, players, edition, options, readings))
