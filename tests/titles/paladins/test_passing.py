"""Passing, and the end of a round: rows move, and the tavern and the favours are cleared (pp. 10 and 24)."""

from __future__ import annotations

import pytest
from tests.titles.paladins.kit import PaladinsGame, detail, details, named

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e


def create_game(players: int = 2, round: int = 3, **choices: str) -> PaladinsGame:
    """Start seat 1's turn; no seat has townsfolk or workers."""
    game = PaladinsGame(players, **choices).turn(1, round=round)
    for seat in game.t.people:
        game.townsfolk(seat.number).workers(seat.number)
    return game


def read_row(game: PaladinsGame, row: str) -> list[str]:
    """Return the cards of a row, from left to right; "" for an empty place."""
    places = game.t.townsfolk if row == "townsfolk" else game.t.outsiders
    return ["".join(place.items) for place in places]


# --- passing -----------------------------------------------------------------------------------------------------


def test_paladins_pass_clears_board() -> None:
    """All workers of the own board return, on both sides; workshops and workers on favours and other boards stay."""
    game = (
        create_game().workshop(1, "attack", 2).occupy(1, "attack", "scout", "", "criminal").occupy(1, "hunt", "cleric")
    )
    game.occupy(2, "pray", "cleric").favours("favour_03").bring("labourer", game.t.favour_workers[0])

    events = game.do(1, c.Pass())

    assert sorted(detail(events, e.Passed).workers) == ["cleric", "criminal", "scout"]
    assert all(area.is_open() for area in game.seat(1).areas.values())
    assert game.seat(1).areas["attack"].workshop_mask() == 2
    assert not game.seat(2).areas["pray"].is_open()
    assert game.t.favour_workers[0].items == {"labourer": 1}


def test_paladins_pass_final() -> None:
    game = create_game(3).many_workers(1).many_workers(2).many_workers(3)
    game.do(1, c.Pass())
    assert game.decision(1) == "keep"
    game.reject(1, c.BeginAction("hunt", 1), "table.wrong_decision", "WRONG_DECISION")
    for _ in range(12):
        game.do(1, game.legal(1)[0])
    game.do(1, c.KeepWorkers())

    for seat in (2, 3, 2):
        assert game.deciding() == [seat]
        game.reject(1, c.Pass(), "table.not_deciding", "NOT_DECIDING")
        game.act(seat, "conspire" if game.seat(seat).areas["conspire"].is_open() else "hunt", 1)
    assert game.deciding() == [3]


@pytest.mark.parametrize("unused", [0, 1, 3, 4, 6])
def test_paladins_pass_keeps_three(unused: int) -> None:
    """Up to three unused workers of the owner's choice."""
    game = create_game().workers(1, labourer=unused, criminal=1 if unused else 0)
    unused += bool(unused)
    game.do(1, c.Pass())
    while game.seat(1).workers.total() > 3:
        rejection = game.reject(1, c.KeepWorkers(), "paladins.pass.keeps_three", "TOO_MANY_WORKERS")
        assert rejection.values == {"workers": str(game.seat(1).workers.total()), "most": "3"}
        game.do(1, c.ReturnWorker("labourer"))
    if unused:
        game.do(1, c.KeepWorkers())

    assert game.seat(1).workers.total() == min(3, unused)
    assert game.seat(1).workers.items.get("criminal", 0) == bool(unused)
    assert game.deciding() == [2]


def test_paladins_pass_keeps_three__or_fewer() -> None:
    game = create_game().workers(1, scout=1, labourer=1)
    game.do(1, c.Pass())
    game.reject(1, c.ReturnWorker("cleric"), "paladins.workers.own", "NO_SUCH_WORKER")

    game.do(1, c.ReturnWorker("scout"), c.ReturnWorker("labourer"))

    assert game.deciding() == [2], "without workers there is nothing to keep"


def test_paladins_pass_keeps_three__into_the_next_round() -> None:
    game = create_game().workers(1, scout=2)
    game.do(1, c.Pass(), c.KeepWorkers())
    game.do(2, c.Pass())
    assert game.t.phase.value == "paladins"

    assert game.seat(1).workers.items == {"scout": 2}


@pytest.mark.parametrize(("reading", "workers"), [("kept", 4), ("cut_to_three", 3)])
def test_paladins_pass_later_workers(reading: str, workers: int) -> None:
    """The reading workers_gained_after_pass: a Peddler's worker in an inquisition after passing."""
    game = (
        create_game(workers_gained_after_pass=reading)
        .workers(1, labourer=1)
        .workers(2, scout=3)
        .townsfolk(2, "peddler_1")
    )
    game.at(2, passed=1).suspicion(2, 0, 0).at(0, tax=1).next_suspicion(1)

    events = game.act(1, "conspire", 1)

    assert game.seat(2).workers.total() == workers
    gained = [event.detail for event in named(events, "Gained") if event.seat == 2]
    assert gained == [e.Gained(("labourer",), "peddler_1", () if workers == 4 else ("labourer",))]


@pytest.mark.parametrize("reading", ["kept", "cut_to_three"])
def test_paladins_pass_later_workers__below_three_or_before_passing(reading: str) -> None:
    for passed, before in ((1, 2), (0, 5)):
        game = create_game(workers_gained_after_pass=reading).workers(1, labourer=1).workers(2, scout=before)
        game.townsfolk(2, "peddler_1").at(2, passed=passed).suspicion(2, 0, 0).at(0, tax=1).next_suspicion(1)
        game.act(1, "conspire", 1)
        assert game.seat(2).workers.total() == before + 1


# --- rows --------------------------------------------------------------------------------------------------------


def test_the_rulebooks_example_of_the_end_of_a_round() -> None:
    """Page 11: the Debt Collector goes, two slide right and three come; no outsider goes, and four slide left."""
    game = create_game(4, round=1)
    game.display("townsfolk", "", "squire_1", "", "defender_1", "debt_collector_1")
    outsiders = ("archer_saracen", "hunter_saracen", "thief_viking", "mercenary_viking")
    game.empty(game.t.tavern, "tavern.deck").display("outsiders", "", outsiders[0], outsiders[1], "", *outsiders[2:])
    decks = game.t.townsfolk_deck.total(), game.t.outsider_deck.total()

    moved = detail(game.end_round(), e.RowsMoved)

    assert moved.discarded == ("debt_collector_1",)
    assert moved.townsfolk[3:] == ("squire_1", "defender_1")
    assert all(moved.townsfolk)
    assert moved.outsiders[:4] == outsiders
    assert all(moved.outsiders)
    assert read_row(game, "townsfolk") == list(moved.townsfolk)
    assert read_row(game, "outsiders") == list(moved.outsiders)
    assert (game.t.townsfolk_deck.total(), game.t.outsider_deck.total()) == (decks[0] - 3, decks[1] - 2)
    assert set(moved.townsfolk[:3]).isdisjoint(("squire_1", "defender_1", "debt_collector_1"))


def test_paladins_round_end_rightmost_townsfolk() -> None:
    game = create_game()
    leaving = read_row(game, "townsfolk")[-1]

    moved = detail(game.end_round(), e.RowsMoved)

    assert leaving in moved.discarded
    assert leaving in game.t.townsfolk_discard.items


def test_paladins_round_end_rightmost_townsfolk__if_the_place_is_not_empty() -> None:
    game = create_game().display("townsfolk", "abbot_1", "abbot_2", "abbot_3", "acolyte_1")

    moved = detail(game.end_round(), e.RowsMoved)

    assert set(moved.discarded).isdisjoint(game.t.data.townsfolk)
    assert moved.townsfolk[1:] == ("abbot_1", "abbot_2", "abbot_3", "acolyte_1")


def test_paladins_round_end_leftmost_outsider() -> None:
    game = create_game()
    leaving = read_row(game, "outsiders")[0]

    moved = detail(game.end_round(), e.RowsMoved)

    assert leaving in moved.discarded
    assert leaving in game.t.outsider_discard.items
    assert game.t.outsider_discard.total() == 1


def test_paladins_round_end_tavern_discarded() -> None:
    game = create_game()
    game.bring("tavern_05", game.t.tavern)
    discarded = game.t.tavern_discard.total()

    game.end_round()

    assert "tavern_05" in game.t.tavern_discard.items
    assert game.t.tavern_discard.total() == discarded + 1
    assert "tavern_05" not in game.t.tavern.items


def test_paladins_round_end_favours_cleared() -> None:
    game = create_game(round=4).favours("favour_03", "favour_10")
    game.bring("criminal", game.t.favour_workers[0]).bring("scout", game.t.favour_workers[1])

    game.end_round()

    assert all(not place.items for place in game.t.favour_workers)
    assert [bool(place.items) for place in game.t.favours] == [True, True, True, False, False]


def test_paladins_round_end_paladin_leaves() -> None:
    game = create_game().paladin(1, "otton")

    game.end_round()

    assert game.seat(1).retired.items == {"otton": 1}
    assert not game.seat(1).paladin.items
    assert "otton" not in game.seat(1).hand.items


def test_paladins_round_end_seventh() -> None:
    game = create_game(round=6)
    game.end_round()
    assert game.t.round.value == 7
    assert not game.play.is_over()

    events = game.turn(1, round=7).end_round()

    assert game.play.is_over()
    assert list(details(events, e.SeatScored)) == [1, 2]
    assert detail(events, e.RowsMoved).round == 7, "the rows move as after every round"
    assert not game.deciding()
    assert (game.t.acting.value, game.t.action.value) == (0, ""), "no seat acts any more"
    assert game.play.standings()[0].rank == 1


def test_paladins_rows_townsfolk_slide() -> None:
    game = create_game().display("townsfolk", "abbot_1", "", "abbot_2", "", "")

    moved = detail(game.end_round(), e.RowsMoved)

    assert moved.townsfolk[3:] == ("abbot_1", "abbot_2")
    assert all(moved.townsfolk)


def test_paladins_rows_outsiders_slide() -> None:
    game = create_game().display("outsiders", "archer_saracen", "", "thief_viking", "", "hunter_saracen", "")

    moved = detail(game.end_round(), e.RowsMoved)

    assert moved.outsiders[:2] == ("thief_viking", "hunter_saracen")
    assert all(moved.outsiders)


def test_paladins_rows_outsiders_slide__not_within_a_round() -> None:
    """The place of an attacked outsider stays empty until the round ends."""
    game = create_game().workers(1, scout=1, fighter=1, labourer=1).at(1, strength=12)
    before = read_row(game, "outsiders")

    game.act(1, "attack", 3, c.AttackOutsider(before[2]))

    assert read_row(game, "outsiders") == [*before[:2], "", *before[3:]]


def test_paladins_rows_run_out() -> None:
    """Page 10: their supply is deliberately limited."""
    game = (
        create_game()
        .display("townsfolk", "abbot_1", "abbot_2")
        .display("outsiders", "", "archer_saracen", "thief_viking")
    )
    for deck, discard in ((game.t.townsfolk_deck, "townsfolk.discard"), (game.t.outsider_deck, "outsiders.discard")):
        game.empty(deck, discard)
    game.bring("abbot_3", game.t.townsfolk_deck)

    moved = detail(game.end_round(), e.RowsMoved)

    assert moved.townsfolk == ("", "", "abbot_3", "abbot_1", "abbot_2")
    assert moved.outsiders == ("archer_saracen", "thief_viking", "", "", "", "")
    moved = detail(game.turn(1, round=4).end_round(), e.RowsMoved)
    assert moved.townsfolk == ("", "", "", "abbot_3", "abbot_1")
    assert moved.outsiders == ("thief_viking", "", "", "", "", "")
