"""Clones, pushes and determinised copies: a search changes nothing, and learns nothing that nobody can know."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from tests.engine.playing import played, pushed

from boardkeeper import engine

GAMES = [("orleans", "", 3), ("paladins", "", 2), ("paladins", "", 1), ("stories", "england-vs-france", 4)]


def seen(game: engine.Game) -> list[object]:
    """Everything that a game answers."""
    viewers = range(engine.OPERATOR, len(game.seats) + 1)
    legal = [game.legal(seat.number) for seat in game.seats]
    shown = [(game.board(viewer), game.table(viewer)) for viewer in viewers]
    return [game.digest(), game.version, game.to_move, game.is_over, game.standings, legal, shown]


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_what_is_pushed_and_popped_was_never_there(title: str, edition: str, players: int) -> None:
    """Also where legal commands are listed from piles whose order a search has changed."""
    random = Random(f"push {title}")
    game = engine.create(title, players, edition=edition, seed=5)
    saved, undisturbed = game.save(), game.clone()
    for _ in range(12):
        before, saved = seen(game), game.save()
        with game.trying():
            pushed(game, random, 30)
            assert game.is_over or game.digest() != before[0]
            for _ in range(game.pushed // 2):
                game.pop()
            halfway = game.digest()
            with game.trying():
                pushed(game, random, 5)
            assert game.digest() == halfway
        assert seen(game) == before
        assert game.save() == saved
        twin = Random(random.random())
        state = twin.getstate()
        played(game, twin, 15)
        twin.setstate(state)
        played(undisturbed, twin, 15)
        assert undisturbed.save() == game.save()


def test_a_whole_game_can_be_pushed() -> None:
    game = engine.create("paladins", 2, seed=1)
    before = game.digest()
    with game.trying():
        pushed(game, Random(1), 10_000)
        assert game.is_over
        assert game.standings
        assert not game.legal(1)
        with pytest.raises(engine.Rejected, match="GAME_OVER"):
            game.push(1, game.command("Pass"))
    assert (game.digest(), game.is_over, game.standings) == (before, False, ())


def test_what_is_tried_is_taken_back_after_an_error_too() -> None:
    game = engine.create("orleans", 2, seed=1)
    before = game.digest()
    with suppress(ZeroDivisionError), game.trying():
        pushed(game, Random(1), 7)
        assert game.pushed // 0
    assert (game.digest(), game.pushed) == (before, 0)


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_clones_go_ways_of_their_own(title: str, edition: str, players: int) -> None:
    game = played(engine.create(title, players, edition=edition, seed=9), Random(1), 30)
    before, clone = (seen(game), game.save()), game.clone()
    assert (seen(clone), clone.save()) == before
    played(clone, Random(2), 60)
    assert (seen(game), game.save()) == before
    assert clone.save() != before[1]
    other = game.clone()
    played(game, Random(2), 60)
    assert game.save() == clone.save()  # the same dice to come
    assert (seen(other), other.save()) == before


def test_clones_take_back_and_vote_as_the_game_would() -> None:
    game = played(engine.create("orleans", 2, seed=2), Random(4), 40)
    seat = next(seat for seat in (1, 2) if game._game.first_undo_version(seat))
    clone = game.clone()
    assert clone.undo(seat) == game.undo(seat)
    later = game.clone()
    assert (later.vote, later.save()) == (game.vote, game.save())


def worlds(title: str, edition: str, players: int, viewer: int, steps: int) -> tuple[engine.Game, engine.Game]:
    """Two games that look alike to a viewer, one of them the true one."""
    game = played(engine.create(title, players, edition=edition, seed=3), Random(steps), steps)
    return game, game.determinised(viewer, seed="world")


@pytest.mark.parametrize(
    ("title", "edition", "players"), [("paladins", "", 3), ("stories", "england-vs-france", 4), ("orleans", "", 2)]
)
def test_a_determinised_copy_follows_from_what_its_viewer_sees(title: str, edition: str, players: int) -> None:
    """Two worlds that look alike to him give the same copy, now and for all chance to come: nothing true leaks."""
    differed = 0
    for viewer in range(engine.SPECTATOR, players + 1):
        for steps in (12, 40):
            true, other = worlds(title, edition, players, viewer, steps)
            assert other.table(viewer) == true.table(viewer)
            assert other.board(viewer) == true.board(viewer)
            assert other.to_move == true.to_move
            differed += other.digest() != true.digest()
            one, two = (world.determinised(viewer, seed=11) for world in (true, other))
            assert one.digest() == two.digest()
            assert one.table(viewer) == true.table(viewer)
            played(one, Random(viewer), 80)
            played(two, Random(viewer), 80)
            assert one.digest() == two.digest()
    assert differed or title == "orleans"  # who watched knows all bags there


def test_a_determinised_copy_has_neither_the_past_nor_the_dice() -> None:
    true, other = worlds("paladins", "", 2, 1, 60)
    assert other._secret != true._secret
    assert true._secret not in other.save()
    assert true._secret.hex().encode() not in other.save()
    assert [event.name for event in other.events(engine.OPERATOR)][:1] == ["GameCreated"]
    assert other.version < true.version
    clone = true.clone()
    played(clone, Random(8), 200)
    played(other, Random(8), 200)
    assert clone.digest() != other.digest()
