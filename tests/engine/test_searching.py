"""Clones, pushes and determinised copies: a search leaves the game unchanged, and learns no secrets."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from tests.engine.playing import play, push

from boardkeeper import engine

GAMES = [("orleans", "", 3), ("paladins", "", 2), ("paladins", "", 1), ("stories", "england-vs-france", 4)]


def state(game: engine.Game) -> list[object]:
    """Return the results of the calls that read a game."""
    viewers = range(engine.OPERATOR, len(game.seats) + 1)
    legal = [game.legal(seat.number) for seat in game.seats]
    shown = [(game.board(viewer), game.table(viewer)) for viewer in viewers]
    return [game.digest(), game.version, game.to_move, game.is_over, game.standings, legal, shown]


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_a_game_is_unchanged_after_push_and_pop(title: str, edition: str, players: int) -> None:
    """Including the order of piles, which determines the order of legal commands."""
    random = Random(f"push {title}")
    game = engine.create(title, players, edition=edition, seed=5)
    saved, undisturbed = game.save(), game.clone()
    for _ in range(12):
        before, saved = state(game), game.save()
        with game.trying():
            push(game, random, 30)
            assert game.is_over or game.digest() != before[0]
            for _ in range(game.pushed // 2):
                game.pop()
            halfway = game.digest()
            with game.trying():
                push(game, random, 5)
            assert game.digest() == halfway
        assert state(game) == before
        assert game.save() == saved
        twin = Random(random.random())
        start = twin.getstate()
        play(game, twin, 15)
        twin.setstate(start)
        play(undisturbed, twin, 15)
        assert undisturbed.save() == game.save()


def test_a_whole_game_can_be_pushed() -> None:
    game = engine.create("paladins", 2, seed=1)
    before = game.digest()
    with game.trying():
        push(game, Random(1), 10_000)
        assert game.is_over
        assert game.standings
        assert not game.legal(1)
        with pytest.raises(engine.Rejected, match="GAME_OVER"):
            game.push(1, game.command("Pass"))
    assert (game.digest(), game.is_over, game.standings) == (before, False, ())


def test_trying_pops_all_pushes_after_an_error_too() -> None:
    game = engine.create("orleans", 2, seed=1)
    before = game.digest()
    with suppress(ZeroDivisionError), game.trying():
        push(game, Random(1), 7)
        assert game.pushed // 0
    assert (game.digest(), game.pushed) == (before, 0)


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_clones_are_independent(title: str, edition: str, players: int) -> None:
    game = play(engine.create(title, players, edition=edition, seed=9), Random(1), 30)
    before, clone = (state(game), game.save()), game.clone()
    assert (state(clone), clone.save()) == before
    play(clone, Random(2), 60)
    assert (state(game), game.save()) == before
    assert clone.save() != before[1]
    other = game.clone()
    play(game, Random(2), 60)
    assert game.save() == clone.save()  # a clone has the same future dice
    assert (state(other), other.save()) == before


def test_clones_undo_and_vote_like_the_game() -> None:
    game = play(engine.create("orleans", 2, seed=2), Random(4), 40)
    seat = next(seat for seat in (1, 2) if game._game.first_undo_version(seat))
    clone = game.clone()
    assert clone.undo(seat) == game.undo(seat)
    later = game.clone()
    assert (later.vote, later.save()) == (game.vote, game.save())


def worlds(title: str, edition: str, players: int, viewer: int, steps: int) -> tuple[engine.Game, engine.Game]:
    """Return a game, and another one that looks the same to a viewer."""
    game = play(engine.create(title, players, edition=edition, seed=3), Random(steps), steps)
    return game, game.determinised(viewer, seed="world")


@pytest.mark.parametrize(
    ("title", "edition", "players"), [("paladins", "", 3), ("stories", "england-vs-france", 4), ("orleans", "", 2)]
)
def test_a_determinised_copy_depends_only_on_what_its_viewer_sees(title: str, edition: str, players: int) -> None:
    """Two games that look alike to the viewer give the same copy, with the same future dice."""
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
            play(one, Random(viewer), 80)
            play(two, Random(viewer), 80)
            assert one.digest() == two.digest()
    assert differed or title == "orleans"  # a viewer who has seen all events knows the contents of all bags


def test_a_determinised_copy_has_no_past_events_and_other_dice() -> None:
    true, other = worlds("paladins", "", 2, 1, 60)
    assert other._secret != true._secret
    assert true._secret not in other.save()
    assert true._secret.hex().encode() not in other.save()
    assert [event.name for event in other.events(engine.OPERATOR)][:1] == ["GameCreated"]
    assert other.version < true.version
    clone = true.clone()
    play(clone, Random(8), 200)
    play(other, Random(8), 200)
    assert clone.digest() != other.digest()
