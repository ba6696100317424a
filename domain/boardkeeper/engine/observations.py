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
        >>> observer.out[space.names.index("seat+0.decision=draw")]
        1.0
        >>> events = game.submit(2, game.legal(2)[0])
        >>> observer.update()[space.names.index("seat+0.decision=draw")]
        0.0
        """
        if viewer not in self.viewers:
            raise MisuseError(f"viewer must be one of the seats {', '.join(map(str, self.viewers))}, not {viewer!r}")
        if out is None:
            out = array("f", bytes(4 * self.size))
        return Observer(self, state, viewer, out, self._view(out))

    def _view(self, out: Any) -> memoryview[float]:
        try:
            view = memoryview(out)
        except TypeError:
            raise MisuseError(f"out must be a buffer of floats, not {type(out).__name__}") from None
        if view.readonly or view.ndim != 1 or view.format not in ("f", "d") or len(view) != self.size:
            raise MisuseError(f"out must be a writable buffer of {self.size} floats in one dimension")
        return view


class Observer:
    """Keeps a vector up to date with one game or search state. :meth:`ObservationSpace.observer` makes it."""

    __slots__ = (
        "_current_play", "_is_game", "_known", "_play", "_space", "_state", "_version", "_view", "_writer",
        "out", "viewer",
    )  # fmt: skip

    def __init__(
        self, space: ObservationSpace, state: Game | SearchState, viewer: int, out: Any, view: memoryview[float]
    ) -> None:
        self._space = space
        self._view = view
        self.viewer = viewer
        """The seat whose view this is."""
        self.out = out
        """The buffer with the features."""
        self._state: Game | SearchState | None = None
        self.follow(state)

    def follow(self, state: Game | SearchState) -> Any:
        """Write all features of another game or search state with the same setup; return the buffer.

        For copies of the same state this is faster than a new observer.
        """
        self._is_game = isinstance(state, Game)
        self._current_play: Callable[[], Play] = state._play if isinstance(state, Game) else state._bind
        play = self._current_play()
        if self._state is None or self._play.table is not play.table:
            space = self._space
            if state.title.id != space.title or state.setup != space.setup:
                raise MisuseError(
                    f"the space is for {space.title} with {space.setup}, not for {state.title.id} with {state.setup}"
                )
            try:
                self._writer = FeatureWriter(space._features.plans[self.viewer], play.table, self.viewer, self._view)
            except KeyError as error:
                raise MisuseError(f"the table has no {error}: the game is of another version of the title") from None
        self._state = state
        self._play = play
        self._version = state.version if isinstance(state, Game) else 0
        self._known: list[tuple[Any, Sequence[Effect]]] = []
        if state._pushed:
            self._remember(play.recorder.effects_since(state._pushed[0][0]))
        self._writer.write()
        return self.out

    def update(self) -> Any:
        """Bring the features up to date; return the buffer.

        After ``push`` and ``pop`` this costs a fraction of them; after other changes of a game it writes all features.
        """
        play = self._current_play()
        if play is not self._play or (self._is_game and self._state.version != self._version):  # type: ignore[union-attr]
            return self.follow(self._state)
        pushed, known, update = self._state._pushed, self._known, self._writer.update
        count, same = len(pushed), len(known)
        # Each push makes a new object: if the last ones are the same, all earlier ones are the same too.
        while same > count or (same and known[same - 1][0] is not pushed[same - 1]):
            same -= 1
            update(known.pop()[1])
        if same < count:
            effects = play.recorder.effects_since(pushed[same][0])
            update(effects)
            if same == count - 1:
                known.append((pushed[same], effects))
            else:
                self._remember(effects)
        return self.out

    def _remember(self, effects: Sequence[Effect]) -> None:
        """Remember the effects of each push that is not known yet; ``effects`` are those of all of them."""
        pushed, known = self._state._pushed, self._known
        ends = [push[0][0] for push in pushed[len(known) + 1 :]]
        start = pushed[len(known)][0][0]
        before = start
        for push, end in zip(pushed[len(known) :], [*ends, start + len(effects)], strict=True):
            known.append((push, effects[before - start : end - start]))
            before = end


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
