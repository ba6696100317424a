"""Search states: copies are independent, pushes are reverted, keys are those of the table, and the dice are new."""

from __future__ import annotations

import pickle
from random import Random

import msgspec
import pytest
from tests.engine.playing import play
from tests.engine.test_determinised import create_secretive

from boardkeeper import engine

GAMES = [("orleans", "", 3), ("paladins", "", 2), ("paladins", "", 1), ("stories", "england-vs-france", 4)]

STEPS = 60


def start(title: str, edition: str = "", players: int = 2, steps: int = 20) -> engine.SearchState:
    """Return a state in the middle of a game with as many secrets as possible."""
    game = create_secretive(title, edition or engine.title(title).default_edition, players, 1)
    assert game is not None
    return play(game, Random(title), steps).search_state(seed=1)


def push(state: engine.SearchState, random: Random, steps: int = 1) -> None:
    """Push random commands until the game ends, at most ``steps``."""
    for _ in range(steps):
        if state.is_over:
            break
        seat = random.choice(state.to_move)
        state.push(seat, random.choice(state.legal(seat)))


def view(state: engine.SearchState) -> list[object]:
    """Return everything that callers can read of a state, except draw counters."""
    seats = range(1, state.setup.players + 1)
    boards = [msgspec.to_builtins(state.board(seat)) | {"draws": {}} for seat in seats]
    return [state.to_move, *boards, *map(state.legal, seats), state.key(), *map(state.key, seats)]


def reload(state: engine.SearchState) -> engine.SearchState:
    """Return the state after pickling; it has its own workspace, so it computes everything again."""
    loaded = pickle.loads(pickle.dumps(state))
    assert isinstance(loaded, engine.SearchState)
    return loaded


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_states_of_a_tree_do_not_disturb_each_other(title: str, edition: str, players: int) -> None:
    """Random pushes, pops, copies and determinizations of several states, which share a workspace."""
    random = Random(f"tree {title} {players}")
    first = start(title, edition, players)
    states = [(first, [view(first)])]
    for _ in range(STEPS):
        state, views = random.choice(states)
        assert view(state) == views[-1]
        match random.choice(["push", "push", "push", "pop", "copy", "determinise", "forget", "reject"]):
            case "push":
                push(state, random)
                if state.pushed == len(views):
                    views.append(view(state))
            case "pop" if state.pushed:
                state.pop()
                views.pop()
            case "copy":
                states.append((state.copy(), views[-1:]))
            case "determinise":
                viewer = random.randrange(players + 1)
                world = state.determinise(viewer, random.random().hex())
                assert world.key(viewer) == state.key(viewer)
                states.append((world, [view(world)]))
            case "forget" if len(states) > 3:
                states.remove((state, views))
            case "reject" if waiting := set(range(1, players + 1)) - {*state.to_move}:
                with pytest.raises(engine.Rejected, match=r"NOT_DECIDING|GAME_OVER"):
                    state.push(waiting.pop(), first.legal(first.to_move[0])[0])
        if not random.randrange(4):
            assert view(state) == view(reload(state))
    for state, views in states:
        while state.pushed:
            assert view(state) == views.pop()
            state.pop()
        assert [view(state)] == views


def test_returns_and_scores_are_those_of_the_standings() -> None:
    for title, edition, players in GAMES:
        game = engine.create(title, players, edition=edition, seed=3)
        state = game.search_state()
        with pytest.raises(engine.MisuseError, match="scores"):
            state.returns()
        random = Random(title)
        while not game.is_over:
            assert len(state.scores()) == len(game.seats)
            play(game, random, 60)
            state = game.search_state()
        assert state.scores() == tuple(it.points for it in sorted(game.standings, key=lambda it: it.seat))
        assert sum(state.returns()) == pytest.approx(0)
        assert state.returns()[game.standings[0].seat - 1] == max(state.returns()) <= 1
        assert not any(state.legal(seat.number) for seat in game.seats)


def test_dice_are_new_for_each_push_and_can_be_prescribed() -> None:
    state = start("paladins", players=2, steps=0)
    random = Random(2)
    while True:
        seat = state.to_move[0]
        command = random.choice(state.legal(seat))
        state.push(seat, command)
        if len(state.outcome) > 3:
            break
    rolled, key = state.outcome, state.key()
    state.pop()
    before = view(state)
    other = state.copy()
    for each in (state, other):
        each.push(seat, command)
        assert each.outcome != rolled
        each.pop()
        each.push(seat, command, outcome=rolled)
        assert (each.outcome, each.key()) == (rolled, key)
        each.pop()
        for wrong in (rolled[:-1], (*rolled, 0), (-1, *rolled[1:]), (1 << 70, *rolled[1:])):
            with pytest.raises(engine.MisuseError, match="outcome"):
                each.push(seat, command, outcome=wrong)
            assert view(each) == before


def test_worlds_are_equal_for_states_that_look_equal() -> None:
    state = start("paladins", players=3, steps=40)
    for viewer in (0, 1, 2):
        world = state.determinise(viewer, 5)
        assert world.determinise(viewer, 7).key() == state.determinise(viewer, 7).key()
    hidden = {state.determinise(1, seed).key() for seed in range(5)}
    assert len(hidden) > 1


def test_a_state_of_a_viewer_and_a_seed_is_reproducible() -> None:
    game = engine.create("paladins", 2, seed=1)
    one, two = (game.search_state(2, seed="a") for _ in range(2))
    for _ in range(30):
        assert one.key() == two.key()
        push(one, Random(one.key()))
        push(two, Random(two.key()))
    with pytest.raises(engine.MisuseError, match="copy"):
        one.determinise(engine.OPERATOR)


def test_games_can_be_pickled_with_pushed_commands() -> None:
    game = play(engine.create("orleans", ["Anna", "Ben"], seed=1), Random(1), 30)
    seat = game.to_move[0]
    game.push(seat, game.legal(seat)[0])
    copy = pickle.loads(pickle.dumps(game))
    assert (copy.digest(), copy.seats, copy.pushed) == (game.digest(), game.seats, 1)
    copy.pop()
    game.pop()
    assert copy.save() == game.save()


def test_suggestions_are_legal_and_copies_with_equal_seeds_have_equal_dice() -> None:
    differing = 0
    for title, edition, players in GAMES:
        state = start(title, edition, players)
        copies = [state.copy(seed="a"), state.copy(seed="a"), state.copy(seed="b")]
        for _ in range(STEPS):
            seat = state.to_move[0]
            before = state.key()
            command = state.suggest(seat)
            assert command in state.legal(seat)
            assert state.suggest(seat, "random") in state.legal(seat)
            assert state.key() == before
            state.push(seat, command)
        for copy in copies:
            push(copy, Random(1), STEPS)
        assert copies[0].key() == copies[1].key()
        differing += copies[0].key() != copies[2].key()
    assert differing
    with pytest.raises(engine.MisuseError, match="nothing to decide"):
        state.suggest(next(it for it in range(1, players + 1) if it not in state.to_move))
