"""PettingZoo: every seat of a game is an agent.

``env`` has the agents act one after the other (AEC), ``parallel_env`` all at once. The ids of agents are ``seat_1``,
``seat_2`` and so on.

>>> from boardkeeper.rl import pettingzoo
>>> environment = pettingzoo.env("paladins", 2)
>>> environment.reset(seed=1)
>>> for agent in environment.agent_iter(max_iter=20):
...     observation, reward, terminated, truncated, info = environment.last()
...     done = terminated or truncated
...     environment.step(None if done else environment.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from boardkeeper.rl.episodes import Episode, IllegalActionError, Match, Observation
from boardkeeper.rl.spaces import action_space, draw_seed, observation_space

Agent = str


def env(title: str, players: int = 2, edition: str = "", **settings: Any) -> AECEnv[Agent, Any, Any]:
    """Return an AEC environment. An illegal action ends the game: the agent gets -1, as in PettingZoo's own games.

    The arguments are those of :class:`BoardkeeperAEC`.
    """
    raw = raw_env(title, players, edition, **settings)
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1.0))


def raw_env(title: str, players: int = 2, edition: str = "", **settings: Any) -> BoardkeeperAEC:
    """Return an AEC environment without wrappers. An illegal action raises :class:`IllegalActionError`."""
    return BoardkeeperAEC(title, players, edition, **settings)


def parallel_env(title: str, players: int = 2, edition: str = "", **settings: Any) -> BoardkeeperParallel:
    """Return a parallel environment. The arguments are those of :class:`BoardkeeperParallel`."""
    return BoardkeeperParallel(title, players, edition, **settings)


class _Seats:
    """The agents and spaces of both kinds of environments."""

    def __init__(self, match: Match, n_actions: int) -> None:
        self.agents = [f"seat_{seat}" for seat in match.seats]
        self.numbers = dict(zip(self.agents, match.seats, strict=True))
        self.actions = {agent: action_space(n_actions) for agent in self.agents}
        observations = observation_space(match, n_actions)
        self.observations = dict.fromkeys(self.agents, observations)
        self.random: np.random.Generator | None = None

    def start(self, match: Match, seed: int | None, *, shaped: bool) -> Episode:
        """Return a new episode. Without a seed, continue the sequence of games of the last seed."""
        if seed is not None or self.random is None:
            self.random, _ = seeding.np_random(seed)
        return Episode(match, match.start(draw_seed(self.random)), shaped=shaped)


class BoardkeeperAEC(AECEnv[Agent, Any, Any]):
    """A game whose agents act one after the other. Agents that decide at the same time act in seat order.

    Args:
        title: The id of the title.
        players: The number of players; 1 for a solo game.
        edition: The edition; the title's default if empty.
        options: Choices for options, by id.
        readings: Choices for readings, by id.
        shaped: Whether rewards are changes of points instead of the result at the end.
    """

    def __init__(
        self,
        title: str,
        players: int = 2,
        edition: str = "",
        *,
        options: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
        shaped: bool = False,
    ) -> None:
        super().__init__()
        self.match = Match(title, players, edition, options, readings)
        self.metadata = {"name": f"boardkeeper_{title}_v0", "render_modes": [], "is_parallelizable": False}
        self.render_mode = None
        self.shaped = shaped
        self._seats = _Seats(self.match, self.match.actions.n_actions)
        self.possible_agents = list(self._seats.agents)
        self.agents: list[Agent] = []
        self.agent_selection: Agent = ""

    def observation_space(self, agent: Agent) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self._seats.observations[agent]

    def action_space(self, agent: Agent) -> spaces.Discrete[Any]:
        """Return the space of an agent's actions."""
        return self._seats.actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a new game."""
        self.episode = self._seats.start(self.match, seed, shaped=self.shaped)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: Agent) -> Observation:
        """Return an agent's observation. Agents that have nothing to decide have a mask of zeros."""
        return self.episode.observe(self._seats.numbers[agent])

    def step(self, action: Any) -> None:
        """Carry out an action of the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.match.push(self.episode.state, self._seats.numbers[agent], action)
        self._cumulative_rewards[agent] = 0.0
        rewards = self.episode.rewards()
        self.rewards = {it: rewards[self._seats.numbers[it]] for it in self.agents}
        if self.episode.state.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        self.agent_selection = f"seat_{self.episode.state.to_move[0]}"

    def render(self) -> None:
        """Render nothing: there are no render modes."""

    def close(self) -> None:
        """Release nothing: an environment has no resources besides memory."""


class BoardkeeperParallel(ParallelEnv[Agent, Any, Any]):
    """A game in which all agents act at once. The last action is a no-op, for agents that have nothing to decide.

    The actions of one step are carried out in seat order. If one of them makes a later one illegal, the later one is
    left out, and the info of its agent has ``left_out``. An agent with an action that was illegal before the step ends
    the game with reward -1, or raises :class:`IllegalActionError` with ``strict``. The other arguments are those of
    :class:`BoardkeeperAEC`.
    """

    def __init__(
        self,
        title: str,
        players: int = 2,
        edition: str = "",
        *,
        options: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
        shaped: bool = False,
        strict: bool = False,
    ) -> None:
        self.match = Match(title, players, edition, options, readings)
        self.strict = strict
        self.metadata = {"name": f"boardkeeper_{title}_parallel_v0", "render_modes": []}
        self.render_mode = None
        self.shaped = shaped
        self.no_op = self.match.actions.n_actions
        """The action of agents that have nothing to decide."""
        self._seats = _Seats(self.match, self.no_op + 1)
        self.possible_agents = list(self._seats.agents)
        self.agents: list[Agent] = []

    def observation_space(self, agent: Agent) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self._seats.observations[agent]

    def action_space(self, agent: Agent) -> spaces.Discrete[Any]:
        """Return the space of an agent's actions."""
        return self._seats.actions[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[dict[Agent, Any], dict[Agent, dict[str, Any]]]:
        """Start a new game; return the observations and infos."""
        self.episode = self._seats.start(self.match, seed, shaped=self.shaped)
        self.agents = list(self.possible_agents)
        return self._observe(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[Agent, Any]
    ) -> tuple[dict[Agent, Any], dict[Agent, float], dict[Agent, bool], dict[Agent, bool], dict[Agent, dict[str, Any]]]:
        """Carry out an action of each agent."""
        state, numbers, agents = self.episode.state, self._seats.numbers, self.agents
        infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in agents}
        illegal = [agent for agent in agents if not self._is_legal(agent, int(actions[agent]))]
        if illegal and self.strict:
            raise IllegalActionError(f"action {actions[illegal[0]]} is not legal for {illegal[0]}")
        for agent in agents if not illegal else ():
            if int(actions[agent]) == self.no_op:
                continue
            try:
                self.match.push(state, numbers[agent], actions[agent])
            except IllegalActionError:
                infos[agent]["left_out"] = True
        for agent in illegal:
            infos[agent]["illegal"] = True
        results = self.episode.rewards()
        rewards = {agent: results[numbers[agent]] for agent in agents} | dict.fromkeys(illegal, -1.0)
        observations = self._observe()
        over = state.is_over or bool(illegal)
        if over:
            self.agents = []
        return observations, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _is_legal(self, agent: Agent, action: int) -> bool:
        legal = self.match.actions.legal(self.episode.state, self._seats.numbers[agent])
        return action in legal if legal else action == self.no_op

    def _observe(self) -> dict[Agent, Observation]:
        observations = {}
        for agent in self.agents:
            observation = self.episode.observe(self._seats.numbers[agent])
            mask = np.append(observation["action_mask"], np.int8(0)).astype(np.int8)
            mask[self.no_op] = not mask.any()
            observations[agent] = observation | {"action_mask": mask}
        return observations

    def render(self) -> None:
        """Render nothing: there are no render modes."""

    def close(self) -> None:
        """Release nothing: an environment has no resources besides memory."""
