"""The environments pass the tests of PettingZoo, Gymnasium and OpenSpiel, and give the documented rewards."""

from __future__ import annotations

import os
import pickle
from importlib.util import find_spec
from random import Random
from typing import Any

import pytest

from boardkeeper import engine

if missing := [name for name in ("gymnasium", "pettingzoo", "pyspiel") if find_spec(name) is None]:
    assert not os.environ.get("CI"), f"CI needs {missing}"
    pytest.skip(f"without {', '.join(missing)}", allow_module_level=True)

import gymnasium
import numpy as np
import pyspiel
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from boardkeeper.rl import openspiel, pettingzoo
from boardkeeper.rl.episodes import IllegalActionError
from boardkeeper.rl.gymnasium import BoardkeeperEnv

TITLES = [it.id for it in engine.titles()]
SOLO = next(it.id for it in engine.titles() if it.alone)
WHOLE_GAME = 2_000
"""More actions than a random game has."""


@pytest.mark.filterwarnings("ignore:Observation")  # PettingZoo recommends arrays, which leave no place for a mask
@pytest.mark.parametrize(("title", "players"), [*((it, 2) for it in TITLES), (SOLO, 1)])
def test_the_environments_pass_the_tests_of_pettingzoo(title: str, players: int) -> None:
    api_test(pettingzoo.env(title, players), num_cycles=WHOLE_GAME)
    seed_test(lambda: pettingzoo.env(title, players), num_cycles=100)
    parallel_api_test(pettingzoo.parallel_env(title, players), num_cycles=WHOLE_GAME)
    parallel_seed_test(lambda: pettingzoo.parallel_env(title, players), num_cycles=100)


@pytest.mark.parametrize("title", TITLES)
def test_the_environments_pass_the_test_of_gymnasium(title: str) -> None:
    all_settings: tuple[dict[str, Any], ...] = ({}, {"seat": 0, "opponents": ["sensible"], "shaped": True})
    for settings in all_settings:
        made = gymnasium.make(f"boardkeeper.rl.gymnasium:boardkeeper/{title}-v0", **settings)
        check_env(made.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("title", TITLES)
def test_the_games_pass_the_test_of_openspiel(title: str) -> None:
    game = pyspiel.load_game(f"boardkeeper_{title}(seeds=8)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("parameters", ["players=1", "players=3", "chance=seeded"])
def test_games_with_other_parameters_pass_the_test_of_openspiel(parameters: str) -> None:
    game = pyspiel.load_game(f"boardkeeper_{SOLO}({parameters})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def play(environment: Any, seed: int) -> list[dict[str, float]]:
    """Play random actions to the end; return the rewards after each action."""
    random = Random(seed)
    environment.reset(seed=seed)
    rewards = []
    while not all(environment.terminations.values()):
        mask = environment.observe(environment.agent_selection)["action_mask"]
        environment.step(random.choice(np.flatnonzero(mask)))
        rewards.append(dict(environment.rewards))
    return rewards


def test_the_reward_at_the_end_is_the_result() -> None:
    environment = pettingzoo.raw_env(SOLO, 3)
    rewards = play(environment, 1)
    assert all(set(it.values()) == {0.0} for it in rewards[:-1])
    assert tuple(rewards[-1].values()) == environment.episode.state.returns()
    assert sum(rewards[-1].values()) == pytest.approx(0)


def test_shaped_rewards_are_changes_of_points() -> None:
    environment = pettingzoo.raw_env(SOLO, 2, shaped=True)
    rewards = play(environment, 1)
    assert sum(any(it.values()) for it in rewards) > 5
    start, end = environment.match.start(0).scores(), environment.episode.state.scores()
    for agent, first, last in zip(environment.possible_agents, start, end, strict=True):
        assert sum(it[agent] for it in rewards) == last - first


def test_observations_are_those_of_a_new_observer() -> None:
    for title in TITLES:
        environment = pettingzoo.raw_env(title, 2)
        environment.reset(seed=1)
        random, match = Random(1), environment.match
        for _ in range(30):
            for agent, seat in (("seat_1", 1), ("seat_2", 2)):
                seen = environment.observe(agent)
                new = match.observations.observer(environment.episode.state, seat)
                assert seen["observation"].tolist() == list(new.out)
                assert environment.observation_space(agent).contains(seen)
            mask = environment.observe(environment.agent_selection)["action_mask"]
            environment.step(random.choice(np.flatnonzero(mask)))


def test_agents_without_a_decision_have_only_the_no_op() -> None:
    environment = pettingzoo.parallel_env(SOLO, 2, strict=True)
    observations, _ = environment.reset(seed=1)
    deciding = environment.episode.state.to_move
    for agent, seat in (("seat_1", 1), ("seat_2", 2)):
        legal = np.flatnonzero(observations[agent]["action_mask"])
        assert (legal.tolist() == [environment.no_op]) == (seat not in deciding)
    illegal = {agent: int(np.flatnonzero(it["action_mask"] == 0)[0]) for agent, it in observations.items()}
    with pytest.raises(IllegalActionError):
        environment.step(illegal)
    environment.strict = False
    _, rewards, terminations, _, infos = environment.step(illegal)
    assert set(rewards.values()) == {-1.0}
    assert all(terminations.values())
    assert all(it["illegal"] for it in infos.values())


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # since Python 3.12
def test_games_end_in_environments_of_several_processes() -> None:
    environments = gymnasium.make_vec(
        f"boardkeeper.rl.gymnasium:boardkeeper/{SOLO}-v0", num_envs=2, vectorization_mode="async"
    )
    random = np.random.default_rng(1)
    observations, _ = environments.reset(seed=1)
    for _ in range(WHOLE_GAME):
        actions = [random.choice(np.flatnonzero(mask)) for mask in observations["action_mask"]]
        observations, rewards, terminations, _, _ = environments.step(np.array(actions))
        if terminations.any():
            break
    environments.close()
    assert terminations.any()
    assert set(rewards[terminations]) <= {-1.0, 0.0, 1.0}
    assert set(rewards[~terminations]) <= {0.0}


def test_an_illegal_action_loses_or_raises_an_error() -> None:
    environment = BoardkeeperEnv(SOLO)
    environment.reset(seed=1)
    illegal = int(np.flatnonzero(~environment.action_masks())[0])
    assert environment.step(illegal)[1:] == (-1.0, True, False, {"illegal": True})
    environment = BoardkeeperEnv(SOLO, strict=True)
    environment.reset(seed=1)
    with pytest.raises(IllegalActionError):
        environment.step(illegal)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(engine.MisuseError, match="seat must be"):
        BoardkeeperEnv(SOLO, 2, seat=3)
    with pytest.raises(engine.MisuseError, match="opponents must name 1"):
        BoardkeeperEnv(SOLO, 2, opponents=["random", "random"])
    with pytest.raises(engine.MisuseError, match="chance must be"):
        pyspiel.load_game(f"boardkeeper_{SOLO}(chance=none)")


def advance(state: Any, seed: int, steps: int) -> None:
    """Apply random actions."""
    random = Random(seed)
    for _ in range(steps):
        state.apply_action(random.choice(state.legal_actions()))


@pytest.mark.parametrize("chance", [openspiel.SAMPLED, openspiel.SEEDED])
def test_clones_have_the_same_draws(chance: str) -> None:
    state = pyspiel.load_game(f"boardkeeper_{SOLO}(chance={chance},samples=3)").new_initial_state()
    advance(state, 1, 60)
    copies = [state, state.clone(), pickle.loads(pickle.dumps(state))]
    for each in copies:
        advance(each, 2, 80)
    assert len({str(it) for it in copies}) == 1


def test_resampled_states_look_the_same_to_the_player() -> None:
    state = pyspiel.load_game(f"boardkeeper_{SOLO}").new_initial_state()
    advance(state, 1, 60)
    while state.is_chance_node():
        advance(state, 1, 1)
    player = state.current_player()
    others = [state.resample_from_infostate(player, Random(seed).random) for seed in range(3)]
    for other in others:
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert other.legal_actions() == state.legal_actions()
    assert len({str(it) for it in (state, *others)}) == 4


def test_a_game_of_openspiel_can_be_pickled() -> None:
    game = pyspiel.load_game(f"boardkeeper_{SOLO}(players=3)")
    loaded = pickle.loads(pickle.dumps(game))
    assert (str(loaded), loaded.num_players()) == (str(game), 3)


def test_opponents_of_a_kind_play_as_this_bot() -> None:
    """The sensible bot wins against a random player."""
    environment, random, wins = BoardkeeperEnv(SOLO, opponents="sensible"), Random(1), 0
    for seed in range(2):
        observation, _ = environment.reset(seed=seed)
        over = False
        while not over:
            action = random.choice(np.flatnonzero(observation["action_mask"]))
            observation, _, over, _, info = environment.step(action)
        wins += info["returns"][1] == 1
    assert wins == 2
