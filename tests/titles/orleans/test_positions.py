"""Positions: what a board describes can be played on as if it had been reached, and what is none is refused."""

from __future__ import annotations

import random
from collections import Counter
from uuid import UUID

import msgspec
import pytest
from tests.titles.orleans.boards import Sheet, as_json
from tests.titles.orleans.playouts import META, Playout, playout, varied

from boardkeeper.game.choices import complete
from boardkeeper.game.game import Game
from boardkeeper.table.effects import Effect, Set
from boardkeeper.table.events import Event
from boardkeeper.table.forking import layout_of
from boardkeeper.table.positions import problems
from boardkeeper.table.table import Table
from boardkeeper.table.title import PositionError, Setup
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.title import TITLE

PRINTINGS = [
    (edition.id, players) for edition in META.editions for players in range(edition.players[0], edition.players[1] + 1)
]
SHIELDED_AT_THE_CENSUS = (
    5,
    complete(
        META,
        Setup(
            "",
            3,
            {"bathhouse": "passive"},
            {
                "draw_amount": "fixed",
                "sacristy_scope": "census_too",
                "technology_on_open_spaces": "open",
                "taking_back_time": "before_drawing",
                "torture_from_coin_space": "open",
                "torture_nothing_left": "carried",
            },
        ),
    ),
)
"""A seed and a setup whose game comes to what hardly any other comes to."""
FORGOTTEN = (".placed", ".best_development")
"""Markers whose old value may be another: rounds in which spaces were filled long ago, marks that were regained."""


def begin_from(game: Playout, board: Board) -> OrleansPlay:
    """A table that begins as the board shows it, under the dice of the game."""
    return game.bind(Table(TITLE.position(game.setup, board)))


def remembered(event: Event) -> tuple[int, object, tuple[Effect, ...]]:
    """What two histories have in common that meet in one position."""
    kept = [x for x in event.effects if not (isinstance(x, Set) and x.marker.endswith(FORGOTTEN))]
    return event.seat, event.detail, tuple(kept)


def goes_on_alike(game: Playout, begun: OrleansPlay, steps: int) -> None:
    """The same commands are legal, and they have the same events, as long as both are watched."""
    for _ in range(steps):
        if game.play.is_over():
            break
        for seat in range(1, game.setup.players + 1):
            assert begun.legal(seat) == game.play.legal(seat)
        for viewer in (OPERATOR, 0, 1, game.setup.players):
            assert begun.board(viewer) == game.play.board(viewer)
        events = game.step()
        seat, command = game.commands[-1]
        assert begun.decide(seat, command) is None
        assert list(map(remembered, begun.recorder.take())) == list(map(remembered, events))
    assert begun.board(OPERATOR) == game.play.board(OPERATOR)


# --- round trip ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "players"), PRINTINGS)
def test_a_game_goes_on_from_its_position_as_it_would_have(edition: str, players: int) -> None:
    """Through JSON in any order: same board for everybody, same legal commands, same future under the same dice."""
    for seed in range(2):
        chance = random.Random(f"{edition} {players} {seed}")
        with playout(seed, complete(META, Setup(edition, players))) as game:
            while not game.play.is_over():
                for _ in range(chance.randrange(60 * players)):
                    if not game.play.is_over():
                        game.step()
                if not game.play.is_over():
                    position = msgspec.json.decode(as_json(game.play.board(OPERATOR), chance), type=Board)
                    goes_on_alike(game, begin_from(game, position), chance.randrange(30))


@pytest.mark.parametrize("seed", range(24))
def test_a_game_with_other_choices_goes_on_from_its_position(seed: int) -> None:
    chance = random.Random(seed)
    with playout(seed, varied(seed, 2 + seed % 4)) as game:
        while not game.play.is_over():
            for _ in range(chance.randrange(200)):
                if not game.play.is_over():
                    game.step()
            if not game.play.is_over():
                position = msgspec.json.decode(as_json(game.play.board(OPERATOR), chance), type=Board)
                assert not problems(TITLE, game.setup, TITLE.position(game.setup, position))
                assert not problems(TITLE, game.setup, layout_of(game.play.table))
                goes_on_alike(game, begin_from(game, position), chance.randrange(60))


def test_every_kind_of_decision_can_be_begun_from() -> None:
    """Whoever has to decide whatever: the position is accepted and the same is legal."""
    begun = Counter[tuple[str, str]]()
    for seed, setup in [SHIELDED_AT_THE_CENSUS, *((seed, varied(seed, 2 + seed % 4)) for seed in range(30))]:
        with playout(seed, setup) as game:
            while not game.play.is_over():
                open_now = {(game.play.t.phase.value, decision) for decision in game.table.decisions if decision}
                if any(begun[kind] < 4 for kind in open_now):
                    play = begin_from(game, game.play.board(OPERATOR))
                    assert [play.legal(seat) for seat in (1, 2)] == [game.play.legal(seat) for seat in (1, 2)]
                    begun.update(open_now)
                game.step()
    assert set(begun) == {
        ("census", "torture"),
        ("census", "sacristy"),
        ("followers", "draw"),
        ("followers", "take_back"),
        ("followers", "keep"),
        ("followers", "store"),
        ("planning", "plan"),
        ("actions", "act"),
        ("actions", "deed"),
        ("actions", "bathhouse"),
        ("actions", "technology"),
        ("event", "sacristy"),
        ("event", "harvest"),
        ("event", "torture"),
    }


@pytest.mark.parametrize("seed", range(6))
def test_what_follows_from_the_rest_may_be_left_out(seed: int) -> None:
    """A position written by hand need not say what nobody could decide otherwise."""
    with playout(seed, varied(seed, 2 + seed % 4)) as game:
        for _ in range(100 + 40 * seed):
            if game.play.t.round.value < game.play.t.data.rounds:
                game.step()
        board = game.play.board(OPERATOR)
        sheet = Sheet(board).set("deciding", [])
        for way in sheet.values["ways"]:
            way.update(kind="", towns=[])
        for deed in sheet.values["deeds"]:
            deed["free"] = {}
        for seat in sheet.values["seats"]:
            seat.update(color="", status=0, draw_limit=0)
            if seat["best_development"] == seat["development"]:
                seat["best_development"] = 0
            for place in seat["places"]:
                place["active"] = False
                for space in place["spaces"]:
                    space.update(requires="", changeable=False)
        assert begin_from(game, sheet.board()).board(OPERATOR) == board


def test_a_game_record_begins_from_a_position() -> None:
    """The first event holds the whole table, so the history folds without rules and without the game before it."""
    game = Playout(3, complete(META, Setup("", 2)))
    for _ in range(150):
        game.step()
    board = game.play.board(OPERATOR)
    made, events = Game.create(
        UUID(int=1), TITLE, game.setup, ["bot.random"] * 2, bytes(32), "test", "create", 1, position=board
    )
    made.commit(events)
    assert made.play is not None
    assert made.play.board(OPERATOR) == board
    assert made.legal(1) == game.play.legal(1)
    again = Game.load(TITLE, bytes(32), events)
    assert again.table.contents() == made.table.contents()


def test_a_finished_game_is_no_position() -> None:
    game = Playout(1, complete(META, Setup("", 2)))
    game.finish()
    with pytest.raises(PositionError, match="phase"):
        TITLE.position(game.setup, game.play.board(OPERATOR))


def test_what_a_spectator_sees_is_no_position() -> None:
    game = Playout(1, complete(META, Setup("", 2)))
    while not all(seat.bag.items for seat in game.play.t.seats):
        game.step()
    with pytest.raises(PositionError) as error:
        TITLE.position(game.setup, game.play.board(1))
    assert [problem.field for problem in error.value.problems] == ["seats[2].bag"]
    assert "a position has nothing hidden" in error.value.problems[0].message


def test_a_position_for_other_numbers_of_players_is_refused() -> None:
    game = Playout(1, complete(META, Setup("", 3)))
    for players in (2, 4):
        with pytest.raises(PositionError, match=f"seats 1 to {players}"):
            TITLE.position(complete(META, Setup("", players)), game.play.board(OPERATOR))
