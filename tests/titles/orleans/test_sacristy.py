"""The Sacristy: its monk cancels a negative event."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, details

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e

NEGATIVE = ["harvest", "taxes", "plague"]
HARMLESS = ["pilgrimage", "income", "trading_day"]


def create_shielded_game(players: int = 2, **readings: str) -> OrleansGame:
    """Create a game in which seat 1 has an activated Sacristy, and all seats have something to lose to every event."""
    game = OrleansGame(players, **readings).own(1, "sacristy").fill(1, "sacristy")
    for seat in range(1, players + 1):
        game.at(seat, coins=10).goods(seat, grain=3).bag(seat, scholar=3)
    return game


def belongings(game: OrleansGame, seat: int) -> tuple[int, dict[str, int], int]:
    """Return the coins, the goods and the scholars in the bag of a seat."""
    own = game.seat(seat)
    return own.coins.value, own.goods.counts(), own.bag.items["scholar"]


@pytest.mark.parametrize("event", NEGATIVE)
def test_orleans_sacristy_shields(event: str) -> None:
    """Page 8: the monk returns to the bag and only the other seats lose something."""
    game = create_shielded_game()
    game.strike(event, "A")
    assert game.deciding() == [1]
    assert game.legal(1) == [c.UseSacristy(), c.SufferEvent()]

    events = game.do(1, c.UseSacristy())
    if event == "harvest":
        game.do(2, c.GiveFood("grain"))

    assert detail(events, e.SacristyUsed) == e.SacristyUsed(event)
    assert belongings(game, 1) == (10, {"grain": 3}, 3)
    assert belongings(game, 2) != (10, {"grain": 3}, 3)
    assert game.seat(1).bag.counts() == {"scholar": 3, "monk": 1}
    assert game.counts("place.sacristy.monk") == {}
    assert "sacristy" in game.seat(1).place_tiles.items
    assert game.t.round.value == 6


def test_orleans_sacristy_shields__whole_harvest() -> None:
    """Page 8: one monk cancels all three items of Harvest C, and with them the torture."""
    game = OrleansGame(2).own(1, "sacristy").fill(1, "sacristy").at(1, coins=0).goods(1).at(2, coins=50)
    game.strike("harvest", "C")
    game.do(1, c.UseSacristy())
    assert game.seat(1).food_due.value == game.seat(1).debt.value == 0
    assert game.deciding() == [2]


@pytest.mark.parametrize("event", NEGATIVE)
def test_orleans_sacristy_choice(event: str) -> None:
    """Our ruling: the owner may suffer the event and keep the monk for a later one."""
    game = create_shielded_game()
    game.strike(event, "A")
    events = game.do(1, c.SufferEvent())
    assert detail(events, e.EventSuffered) == e.EventSuffered(event)
    if event == "harvest":
        game.do(1, c.GiveFood("grain"))
    assert belongings(game, 1) != (10, {"grain": 3}, 3)
    assert game.counts("place.sacristy.monk") == {"monk": 1}
    assert "monk" not in game.seat(1).bag.items

    game.strike("taxes", "A")
    game.do(1, c.UseSacristy())
    assert game.counts("place.sacristy.monk") == {}


def test_orleans_sacristy_choice__before_anything_else() -> None:
    """Our ruling: the owner chooses before any seat gives or pays something."""
    game = create_shielded_game()
    game.strike("harvest", "A")
    game.reject(1, c.GiveFood("grain"), "table.wrong_decision")
    game.reject(1, c.PayForFood(), "table.wrong_decision")
    game.reject(2, c.UseSacristy(), "table.not_deciding")


def test_orleans_sacristy_not_an_action() -> None:
    """Page 8: it is used only in the event phase, not in phase 5."""
    game = create_shielded_game()
    game.turn(5, "taxes", "A").enter("actions")
    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.UsePlace("sacristy"), "orleans.sacristy.not_an_action")
    game.reject(1, c.UseSacristy(), "table.wrong_decision")
    assert game.counts("place.sacristy.monk") == {"monk": 1}


@pytest.mark.parametrize("event", HARMLESS)
def test_orleans_sacristy_negative_events_only(event: str) -> None:
    """Our ruling: other events neither ask for the Sacristy nor use it."""
    game = create_shielded_game().stations(1, "tours")
    events = game.strike(event, "B")
    assert game.decision(1) == "draw", "the next round has begun"
    assert game.counts("place.sacristy.monk") == {"monk": 1}
    assert not details(events, e.SacristyUsed)
    assert game.seat(1).coins.value == (10 if event == "pilgrimage" else 12)


def test_orleans_sacristy_negative_events_only__not_the_census() -> None:
    """Our ruling: the census is no event of the hour glass, so the last seat pays."""
    game = create_shielded_game(3).at(2, farmers=1).at(3, farmers=1)
    events = game.enter("census")
    assert detail(events, e.CensusPaid) == e.CensusPaid(paid=1, missing=0)
    assert game.seat(1).coins.value == 9
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_orleans_sacristy_negative_events_only__not_the_torture_of_the_census() -> None:
    """Our ruling: the torture after a census cannot be cancelled."""
    game = create_shielded_game(3).at(1, coins=0).at(2, farmers=1).at(3, farmers=1)
    game.enter("census")
    assert game.decision(1) == "torture"
    game.reject(1, c.UseSacristy(), "table.wrong_decision")


def test_orleans_sacristy_activated() -> None:
    """Page 8: a Sacristy without its monk shields no seat."""
    game = create_shielded_game()
    game.empty(game.t.tiles["sacristy"].spaces[0].pile)
    game.strike("taxes", "A")
    assert belongings(game, 1) == belongings(game, 2) == (7, {"grain": 3}, 3)


def test_orleans_sacristy_activated__only_by_a_monk() -> None:
    """Page 8: neither a scholar with the School nor technology replaces the monk."""
    game = OrleansGame(2).own(1, "sacristy", "school").market(1, scholar=1, monk=1).turn(5, "taxes", "A")
    game.enter("planning")
    game.reject(1, c.PlaceFollower("scholar", "sacristy", "monk"), "orleans.wild.never_for_monk")
    game.do(1, c.PlaceFollower("monk", "sacristy", "monk"))

    game = OrleansGame(2).own(1, "sacristy").technology(1).at(1, technology_placed=1)
    game.enter("actions")
    game.do(1, c.Pass())
    game.reject(1, c.PlaceTechnology("sacristy", "monk"), "orleans.technology.never_single_space")


@pytest.mark.parametrize("event", NEGATIVE)
def test_orleans_sacristy_automatic(event: str) -> None:
    """The other reading: the first negative event uses the monk without a choice."""
    game = create_shielded_game(sacristy_use="automatic")
    events = game.strike(event, "A")
    assert details(events, e.SacristyUsed) == {1: e.SacristyUsed(event)}
    assert game.decision(1) != "sacristy"
    assert belongings(game, 1) == (10, {"grain": 3}, 3)
    assert game.counts("place.sacristy.monk") == {}
    assert game.seat(1).bag.items["monk"] == 1


@pytest.mark.parametrize("event", HARMLESS)
def test_orleans_sacristy_automatic__not_by_harmless_events(event: str) -> None:
    """The other reading does not use the monk for other events or the census."""
    game = create_shielded_game(3, sacristy_use="automatic").at(2, farmers=1).at(3, farmers=1)
    game.strike(event, "B")
    assert game.t.round.value == 6, "and a census was held"
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_orleans_sacristy_census_too() -> None:
    """The other reading: the last seat of the census may return the monk instead of paying."""
    game = create_shielded_game(3, sacristy_scope="census_too").at(2, farmers=1).at(3, farmers=1)
    game.enter("census")
    assert game.deciding() == [1]
    events = game.do(1, c.UseSacristy())
    assert detail(events, e.SacristyUsed) == e.SacristyUsed("census")
    assert game.seat(1).coins.value == 10
    assert game.counts("place.sacristy.monk") == {}

    game = create_shielded_game(3, sacristy_scope="census_too").at(2, farmers=1).at(3, farmers=1)
    game.enter("census")
    events = game.do(1, c.SufferEvent())
    assert detail(events, e.CensusPaid) == e.CensusPaid(paid=1, missing=0)
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_orleans_sacristy_census_too__only_for_a_seat_that_has_to_pay() -> None:
    """The other reading makes no decision for the leader, and Income still does not use the monk."""
    game = create_shielded_game(3, sacristy_scope="census_too").at(1, farmers=3)
    assert not details(game.enter("census"), e.SacristyUsed)
    assert game.decision(1) == "draw"
    game.strike("income", "A")
    assert game.counts("place.sacristy.monk") == {"monk": 1}
