"""OpenSpiel: games as Python games of ``pyspiel``.

Importing this module registers ``boardkeeper_TITLE`` for each installed title.

>>> import pyspiel
>>> from boardkeeper.rl import openspiel
>>> state = pyspiel.load_game("boardkeeper_paladins(players=2)").new_initial_state()
>>> state.apply_action(7)  # the seed of the game
>>> state.current_player()
0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pyspiel

from boardkeeper import engine
from boardkeeper.rl.episodes import Match, match_of

PREFIX = "boardkeeper_"
SAMPLED = "sampled"
"""``chance``: a chance node follows each command that draws. Its outcomes are samples of all possible outcomes."""
SEEDED = "seeded"
"""``chance``: the seed of the game decides all draws. Its node is the only chance node."""
PARAMETERS: dict[str, Any] = {
    "players": 2, "edition": "", "options": "", "readings": "", "chance": SAMPLED, "seeds": 1024, "samples": 16,
}  # fmt: skip
"""The parameters of a game. Options and readings are ``NAME:VALUE`` pairs, separated by semicolons.

The first chance node has ``seeds`` outcomes, each later one ``samples``.
"""
LONGEST = 10_000
"""A limit on the number of actions, which no game reaches."""


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of ``NAME:VALUE;NAME:VALUE``."""
    parts = (each.partition(":") for each in text.split(";") if each)
    return tuple((name, value) for name, _, value in parts)


def _game_type(title: str, *, zero_sum: bool) -> pyspiel.GameType:
    most = max(max(edition.players) for edition in engine.title(title).editions)
    return pyspiel.GameType(
        short_name=PREFIX + title,
        long_name=f"Boardkeeper: {engine.title(title).text['en']}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=PARAMETERS,
    )


class BoardkeeperGame(pyspiel.Game):
    """A setup of a title. :func:`register` makes a class for each title."""

    title: ClassVar[str]

    def __init__(self, parameters: dict[str, Any]) -> None:
        settings = PARAMETERS | parameters
        options, readings = _pairs(settings["options"]), _pairs(settings["readings"])
        match = match_of(self.title, settings["players"], settings["edition"], options, readings)
        if settings["chance"] not in (SEEDED, SAMPLED):
            raise engine.MisuseError(f"chance must be {SEEDED!r} or {SAMPLED!r}, not {settings['chance']!r}")
        zero_sum = len(match.seats) > 1
        info = pyspiel.GameInfo(
            num_distinct_actions=match.actions.n_actions,
            max_chance_outcomes=max(settings["seeds"], settings["samples"]),
            num_players=len(match.seats),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=LONGEST,
        )
        super().__init__(_game_type(self.title, zero_sum=zero_sum), info, parameters)
        self.match = match
        self.seeds: int = settings["seeds"]
        self.samples: int = 0 if settings["chance"] == SEEDED else settings["samples"]
        """The number of outcomes of a chance node after a command; 0: there are no such nodes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> BoardkeeperState:
        """Return the state before the seed is drawn."""
        return BoardkeeperState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> BoardkeeperObserver:  # noqa: ARG002
        """Return an observer."""
        if params:
            raise engine.MisuseError(f"observers have no parameters: {params}")
        return BoardkeeperObserver(self.match)


class Position:
    """A game after its seed was drawn.

    The draws of a command depend on ``seed``, the number of commands before it and the outcome of its chance node. So
    they are the same in all clones.
    """

    def __init__(self, match: Match, state: engine.SearchState, seed: int, moves: int = 0, pending: int = -1) -> None:
        self.match = match
        self.state = state
        self.seed = seed
        self.moves = moves
        self.pending = pending
        """The action that waits for the outcome of its chance node; -1: there is none."""

    def __deepcopy__(self, memo: object) -> Position:
        return Position(self.match, self.state.copy(), self.seed, self.moves, self.pending)

    def apply(self, action: int, *, waits: bool) -> None:
        """Carry out an action. With ``waits``, an action that draws waits for :meth:`resolve` instead."""
        self.match.push(self.state, self.seat, action)
        if self.state.outcome:
            self.state.pop()
            self.pending = action
            if not waits:
                self.resolve(0)
        else:
            self.moves += 1

    def resolve(self, outcome: int) -> None:
        """Carry out the action that waits."""
        self.state = self.state.copy(seed=f"{self.seed} {self.moves} {outcome}")
        self.match.push(self.state, self.seat, self.pending)
        self.moves += 1
        self.pending = -1

    @property
    def seat(self) -> int:
        """The seat that decides next. Seats that decide at the same time do so in seat order."""
        return self.state.to_move[0]

    def view(self, player: int) -> str:
        """Return a string that is the same for all positions that look the same to a player."""
        return f"{self.state.key(self.match.seats[player]):016x} {self.state.to_move}"


class BoardkeeperState(pyspiel.State):
    """A state of a game."""

    def __init__(self, game: BoardkeeperGame) -> None:
        super().__init__(game)
        self.position: Position | None = None

    @property
    def _started(self) -> Position:
        assert self.position is not None
        return self.position

    def current_player(self) -> int:
        """Return the player who decides next, or that chance decides or the game is over."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.position.pending >= 0:
            return int(pyspiel.PlayerId.CHANCE)
        if self.position.state.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.position.match.seats.index(self.position.seat)

    def _legal_actions(self, player: int) -> list[int]:
        position = self._started
        return sorted(position.match.actions.legal(position.state, position.match.seats[player]))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node, which are equally likely."""
        game = self.get_game()
        count = game.seeds if self.position is None else game.samples
        return [(outcome, 1 / count) for outcome in range(count)]

    def _apply_action(self, action: int) -> None:
        game, position = self.get_game(), self.position
        if position is None:
            self.position = Position(game.match, game.match.start(action), action)
        elif position.pending >= 0:
            position.resolve(action)
        else:
            position.apply(action, waits=game.samples > 0)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"{'seed' if self.position is None else 'sample'} {action}"
        return repr(self._started.match.actions.command(action))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position is not None and self.position.state.is_over

    def returns(self) -> list[float]:
        """Return the result of each player, from 1 for first to -1 for last; 0 before the end."""
        game = self.get_game()
        if not self.is_terminal():
            return [0.0] * len(game.match.seats)
        results = self._started.state.returns()
        return [results[seat - 1] for seat in game.match.seats]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> BoardkeeperState:
        """Return a state in which everything that a player does not know is drawn again, with new dice."""
        position = self._started
        other: BoardkeeperState = self.clone()
        seed = int(sampler() * (1 << 53))
        state = position.state.determinise(position.match.seats[player], seed)
        other.position = Position(position.match, state, seed, position.moves)
        return other

    def __str__(self) -> str:
        history = " ".join(map(str, self.history()))
        return history if self.position is None else f"{history} {self.position.state.key():016x}"


class BoardkeeperObserver:
    """Writes what a player sees now. The history of the game has no influence."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.tensor = np.zeros(match.observations.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: BoardkeeperState, player: int) -> None:
        """Write the features that a player sees."""
        if state.position is None:
            self.tensor.fill(0)
        else:
            self.match.observations.observer(state.position.state, self.match.seats[player], self.tensor)

    def string_from(self, state: BoardkeeperState, player: int) -> str:
        """Return a string that is the same for all states that look the same to a player."""
        return "" if state.position is None else state.position.view(player)


def register() -> None:
    """Register a game for each title that :func:`boardkeeper.engine.titles` lists.

    Call it again after :func:`boardkeeper.engine.allow`.
    """
    known = set(pyspiel.registered_names())
    for title in engine.titles():
        if PREFIX + title.id in known:
            continue
        # pyspiel releases what it registers after Python has ended. That crashes for functions, but not for classes.
        kind = type(f"BoardkeeperGame_{title.id}", (BoardkeeperGame,), {"title": title.id})
        pyspiel.register_game(_game_type(title.id, zero_sum=True), kind)


register()
