"""King's Favours: actions that all players share."""

from __future__ import annotations

import pytest
from tests.titles.paladins.holdings import TABLES, change, change_by, enrich, holdings, ids_of, take_all
from tests.titles.paladins.kit import PaladinsGame, detail

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.data import WORKERS

FAVOURS = ids_of("favours")


def worker_for(favour: str) -> str:
    """Return a worker that the favour takes."""
    worker: str = TABLES["favours"][favour]["worker"]
    return "labourer" if worker == "any" else worker


def create_game_with_favours(*favours: str, seat: int = 1) -> PaladinsGame:
    """Create a game with these favours revealed, in which a seat has a worker for each."""
    game = enrich(PaladinsGame(2).turn(seat).favours(*favours), seat)
    return game.workers(seat, **{worker_for(favour): 1 for favour in favours}).display("townsfolk", "abbot_1")


def test_paladins_favours_revealed() -> None:
    game = create_game_with_favours("favour_09")
    for favour in FAVOURS:
        if favour != "favour_09":
            game.reject(1, c.UseFavour(favour), "paladins.favours.revealed", "NOT_REVEALED")
    game.reject(1, c.UseFavour("favour_11"), "table.known_ids", "UNKNOWN_ID")
    game.do(1, c.UseFavour("favour_09"))


def test_paladins_favours_revealed__can_be_used_in_the_same_round() -> None:
    """The first favour is revealed in the third round."""
    game = PaladinsGame(2)
    while game.t.round.value < 3 or game.t.phase.value != "actions":
        assert not game.counts("favour.1") or game.t.round.value == 3
        game.idle(game.deciding()[0])
    (seat,) = game.deciding()
    (favour,) = game.counts("favour.1")
    enrich(game, seat).workers(seat, **{worker_for(favour): 1})
    assert c.UseFavour(favour) in game.legal(seat)


def test_paladins_favours_once_a_round() -> None:
    """By any seat; at the end of the round the worker goes to the supply."""
    game = create_game_with_favours("favour_09")
    game.do(1, c.UseFavour("favour_09"))
    assert game.counts("favour.1.worker") == {"labourer": 1}
    game.workers(2, labourer=1)
    game.reject(2, c.UseFavour("favour_09"), "paladins.favours.once_a_round", "FAVOUR_USED")
    game.workers(2).idle(2)
    game.workers(1, labourer=1)
    game.reject(1, c.UseFavour("favour_09"), "paladins.favours.once_a_round", "FAVOUR_USED")

    game.end_round()

    assert not game.counts("favour.1.worker")
    assert game.counts("favour.1") == {"favour_09": 1}


def test_paladins_favours_once_a_round__also_after_praying() -> None:
    game = create_game_with_favours("favour_09", "favour_10")
    game.do(1, c.UseFavour("favour_09"))
    game.turn().workers(1, labourer=1).occupy(1, "hunt", "scout")
    game.do(1, c.UseFavour("favour_10"))
    assert game.legal(1) == [c.ClearArea("hunt"), c.ForgoReward("pray")]
    game.do(1, c.ClearArea("hunt"))
    assert [game.counts(f"favour.{at}.worker") for at in (1, 2)] == [{"labourer": 1}] * 2


@pytest.mark.parametrize("favour", FAVOURS)
def test_paladins_favours_price(favour: str) -> None:
    """One worker: of the colour of the favour, or a criminal instead."""
    table = TABLES["favours"][favour]
    for worker in WORKERS:
        game = create_game_with_favours(favour).workers(1, **{worker: 1})
        if table["worker"] in ("any", worker) or worker == "criminal":
            before = holdings(game)
            events = game.do(1, c.UseFavour(favour))
            assert (detail(events, e.ActionBegun), game.t.action_workers.value) == (e.ActionBegun(favour, 1), 1)
            begun = detail(events, e.FavourBegun)
            assert (begun.silver, begun.provisions) == (table["silver"], table["provision"])
            assert game.counts("favour.1.worker") == {worker: 1}
            if table["silver"] or table["provision"]:
                paid = {word: before[word] - holdings(game)[word] for word in ("silver", "provision")}
                assert paid == {word: table[word] for word in paid}
        else:
            game.reject(1, c.UseFavour(favour), "paladins.workers.colours", "NOT_ENOUGH_WORKERS")


def test_paladins_favours_price__is_needed() -> None:
    game = create_game_with_favours("favour_05", "favour_07").at(1, silver=0, provisions=0)
    rejection = game.reject(1, c.UseFavour("favour_05"), "paladins.favours.price", "NOT_ENOUGH_SILVER")
    assert rejection.values == {"has": "0", "needs": "1"}
    rejection = game.reject(1, c.UseFavour("favour_07"), "paladins.favours.price", "NOT_ENOUGH_PROVISIONS")
    assert rejection.values == {"has": "0", "needs": "1"}


OPTIONS = [(favour, at) for favour in FAVOURS for at in range(len(TABLES["favours"][favour].get("choice", [()])))]


@pytest.mark.parametrize(("favour", "at"), OPTIONS)
def test_paladins_favours_gain(favour: str, at: int) -> None:
    """All rewards of the favour, and of several options the chosen one."""
    table = TABLES["favours"][favour]
    game = create_game_with_favours(favour).occupy(1, "hunt", "labourer")
    before = holdings(game)
    before[worker_for(favour)] -= 1
    before["silver"] -= table["silver"]
    before["provision"] -= table["provision"]

    game.do(1, c.UseFavour(favour))
    gain = list(table["gain"])
    if "choice" in table:
        options = [command for command in game.legal(1) if isinstance(command, c.ChooseReward)]
        assert [command.option for command in options] == list(range(1, len(table["choice"]) + 1))
        game.do(1, options[at])
        gain += table["choice"][at]
    take_all(game)

    if "free_develop" in gain:
        assert game.seat(1).workshops.total() == 7
        gain += ["scout"]
    assert change(before, holdings(game)) == change_by(gain)
    assert game.counts("seat.1.townsfolk") == ({"abbot_1": 1} if "free_recruit" in gain else {})
    assert game.seat(1).areas["hunt"].is_open() is ("pray" in gain)
    assert game.deciding() == [2], "a favour is a whole action"


def test_paladins_favours_gain__two_criminals_one_after_the_other() -> None:
    """Each brings a suspicion card, whose silver is taken before the next card."""
    game = PaladinsGame(2).turn().favours("favour_03").workers(1, labourer=1).next_suspicion(2)
    events = game.do(1, c.UseFavour("favour_03"))
    while game.decision(1) == "reward":
        events += game.do(1, c.TakeReward("criminal"))
    assert [event.name for event in events if event.name in ("Gained", "SuspicionTaken")] == [
        "Gained",
        "SuspicionTaken",
    ] * 2
    assert game.seat(1).silver.value == 3 + 4
