"""Gymnasium: one seat of a game against bots.

Importing this module registers ``boardkeeper/TITLE-v0`` for each installed title. Gymnasium imports it itself for ids
such as ``boardkeeper.rl.gymnasium:boardkeeper/paladins-v0``.

>>> import gymnasium
>>> environment = gymnasium.make("boardkeeper.rl.gymnasium:boardkeeper/paladins-v0", players=2, opponents="random")
>>> observation, info = environment.reset(seed=1)
>>> action = environment.action_space.sample(observation["action_mask"])
>>> observation, reward, terminated, truncated, info = environment.step(action)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from boardkeeper import engine
from boardkeeper.rl.episodes import Episode, IllegalActionError, Match
from boardkeeper.rl.spaces import action_space, draw_seed, observation_space

RANDOM = "random"
"""The kind of opponents that choose each legal command with the same probability."""


class BoardkeeperEnv(gymnasium.Env[Any, Any]):
    """One seat of a game; bots play the others. An action is a command, so a turn can have several.

    Args:
        title: The id of the title.
        players: The number of players; 1 for a solo game.
        edition: The edition; the title's default if empty.
        options: Choices for options, by id.
        readings: Choices for readings, by id.
        opponents: The kind of bot for all other seats, or one for each of them in seat order.
        seat: The seat that takes the actions; 0: a random one in each game.
        shaped: Whether rewards are changes of points instead of the result at the end.
        strict: Raise :class:`IllegalActionError` for an illegal action. Otherwise it ends the game with reward -1.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012  # Gymnasium's declaration

    def __init__(
        self,
        title: str,
        players: int = 2,
        edition: str = "",
        *,
        options: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
        opponents: str | Sequence[str] = RANDOM,
        seat: int = 1,
        shaped: bool = False,
        strict: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self.match = Match(title, players, edition, options, readings)
        seats = self.match.seats
        if seat not in (0, *seats):
            raise engine.MisuseError(f"seat must be 0, for a random one, or one of {seats}, not {seat!r}")
        kinds = [opponents] * (len(seats) - 1) if isinstance(opponents, str) else list(opponents)
        if len(kinds) != len(seats) - 1:
            raise engine.MisuseError(f"opponents must name {len(seats) - 1} kinds of bots, not {len(kinds)}")
        self._kinds = kinds
        self._fixed_seat = seat
        self._shaped = shaped
        self._strict = strict
        self.action_space = action_space(self.match.actions.n_actions)
        self.observation_space = observation_space(self.match, self.match.actions.n_actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game, and let the opponents play until the seat has to decide."""
        super().reset(seed=seed, options=options)
        seats = self.match.seats
        self.seat = self._fixed_seat or int(self.np_random.choice(seats))
        self._opponents = dict(zip((it for it in seats if it != self.seat), self._kinds, strict=True))
        self.episode = Episode(self.match, self.match.start(draw_seed(self.np_random)), shaped=self._shaped)
        self._play_opponents()
        self.episode.rewards()  # points before the first action are no reward
        return self.episode.observe(self.seat), {"seat": self.seat}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out an action, and let the opponents play until the seat has to decide or the game is over."""
        episode = self.episode
        try:
            self.match.push(episode.state, self.seat, action)
        except IllegalActionError:
            if self._strict:
                raise
            return episode.observe(self.seat), -1.0, True, False, {"illegal": True}
        self._play_opponents()
        over = episode.state.is_over
        info = {"returns": episode.state.returns()} if over else {}
        return episode.observe(self.seat), episode.rewards()[self.seat], over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions, in the form that MaskablePPO of sb3-contrib expects."""
        return self.match.mask(self.episode.state, self.seat).astype(np.bool_)

    def _play_opponents(self) -> None:
        state = self.episode.state
        while not state.is_over and self.seat not in (seats := state.to_move):
            seat = seats[0]
            if self._opponents[seat] == RANDOM:
                legal = state.legal(seat)
                state.push(seat, legal[int(self.np_random.integers(len(legal)))])
            else:
                state.push(seat, state.suggest(seat, self._opponents[seat]))


def register() -> None:
    """Register an environment for each title that :func:`boardkeeper.engine.titles` lists.

    Call it again after :func:`boardkeeper.engine.allow`.
    """
    for title in engine.titles():
        id = f"boardkeeper/{title.id}-v0"
        if id not in gymnasium.registry:
            gymnasium.register(id, f"{__name__}:BoardkeeperEnv", kwargs={"title": title.id})


register()
