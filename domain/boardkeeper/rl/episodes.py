"""The common part of all environments: a setup with its spaces, and the observations and rewards of one game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardkeeper import engine

Observation = dict[str, NDArray[np.float32] | NDArray[np.int8]]
"""``observation``: the features that the seat sees. ``action_mask``: 1 for each legal action, otherwise 0."""


class IllegalActionError(ValueError):
    """An action whose mask is 0."""


class Match:
    """A setup of games, with its action space, its observation space and the seats that take actions.

    Args:
        title: The id of the title.
        players: The number of players; 1 for a solo game.
        edition: The edition; the title's default if empty.
        options: Choices for options, by id.
        readings: Choices for readings, by id.
    """

    def __init__(
        self,
        title: str,
        players: int = 2,
        edition: str = "",
        options: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> None:
        self.title = title
        self.players = players
        self.edition = edition
        self.options = dict(options or {})
        self.readings = dict(readings or {})
        self.actions = engine.action_space(title, players, edition, self.options, self.readings)
        self.observations = engine.observation_space(title, players, edition, self.options, self.readings)
        self.seats = tuple(self.observations.viewers)
        """The seats of players. A seat that the rules play takes no actions."""

    def __deepcopy__(self, memo: object) -> Match:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        items = tuple(self.options.items()), tuple(self.readings.items())
        return match_of, (self.title, self.players, self.edition, *items)

    def start(self, seed: int) -> engine.SearchState:
        """Return the state of a new game. Equal seeds and actions give equal games."""
        game = engine.create(
            self.title, self.players, edition=self.edition, options=self.options, readings=self.readings, seed=seed
        )
        return game.search_state(seed=seed)

    def mask(self, state: engine.SearchState, seat: int) -> NDArray[np.int8]:
        """Return the mask of the legal actions of a seat; all 0 if it has nothing to decide."""
        return self.actions.mask(state, seat, np.empty(self.actions.n_actions, np.int8))

    def push(self, state: engine.SearchState, seat: int, action: int) -> None:
        """Carry out an action; raise :class:`IllegalActionError` if its mask is 0."""
        action = int(action)
        command = self.actions.commands[action] if 0 <= action < self.actions.n_actions else None
        if command is None or command not in state.legal(seat):
            raise IllegalActionError(f"action {action} is not legal for seat {seat}: {command}")
        state.push(seat, command)


@lru_cache(maxsize=64)
def match_of(
    title: str,
    players: int,
    edition: str = "",
    options: tuple[tuple[str, str], ...] = (),
    readings: tuple[tuple[str, str], ...] = (),
) -> Match:
    """Return the match with these arguments, the same object for equal ones."""
    return Match(title, players, edition, dict(options), dict(readings))


class Episode:
    """One game with the observations and rewards of its seats.

    With ``shaped``, the reward of an action is the change of the seat's points (``SearchState.scores``). Otherwise it
    is 0, and at the end the result of the seat (``SearchState.returns``: from 1 for first to -1 for last).
    """

    def __init__(self, match: Match, state: engine.SearchState, *, shaped: bool) -> None:
        self.match = match
        self.state = state
        self.shaped = shaped
        self._observers: dict[int, engine.Observer] = {}
        self._points = state.scores() if shaped else ()

    def observe(self, seat: int) -> Observation:
        """Return new arrays with the observation of a seat."""
        observer = self._observers.get(seat)
        if observer is None:
            features = np.zeros(self.match.observations.size, np.float32)
            observer = self._observers[seat] = self.match.observations.observer(self.state, seat, features)
        else:
            features = observer.update()
        return {"observation": features.copy(), "action_mask": self.match.mask(self.state, seat)}

    def rewards(self) -> dict[int, float]:
        """Return the reward of each seat for what happened since the last call."""
        state, seats = self.state, self.match.seats
        if not self.shaped:
            returns = state.returns() if state.is_over else (0.0,) * max(seats)
            return {seat: returns[seat - 1] for seat in seats}
        before, self._points = self._points, state.scores()
        return {seat: float(self._points[seat - 1] - before[seat - 1]) for seat in seats}
