"""The Sacristy: a monk instead of an event that takes something, or of hunger."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, details

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

TAKE = ["A1", "A7", "B1", "B3", "B6", "C1", "C3", "C4", "C6", "D1", "D3", "D4", "D6"]
"""The cards that take something."""
GIVE = [f"{letter}{number}" for letter in "ABCD" for number in range(1, 9) if f"{letter}{number}" not in (*TAKE, "B8")]
"""The cards that take nothing from anybody."""


def sheltered(players: int = 2, **readings: str) -> StoriesGame:
    """Seat 1 owns an activated Sacristy, and everybody has something to lose to every event."""
    game = StoriesGame(players, **readings).own(1, "sacristy").fill(1, "sacristy")
    for seat in range(1, players + 1):
        game.coins(seat, 10).goods(seat, grain=6, wood=2).bag(seat, scholar=3).fame(seat, 50)
    return game.settle("c1r3", 1) if players == 2 else game


def belongings(game: StoriesGame, seat: int) -> tuple[int, dict[str, int], int]:
    """Coins, goods and scholars in the bag of a seat."""
    own = game.seat(seat)
    return own.coins.value, own.goods.counts(), own.bag.items["scholar"]


@pytest.mark.parametrize("card", TAKE)
def test_stories_sacristy_shields(card: str) -> None:
    """The monk goes back to the bag and its owner loses nothing; the others do."""
    game = sheltered()
    before = belongings(game, 1)
    game.strike(card)
    assert game.deciding() == [1]
    assert game.legal(1) == [c.UseSacristy(), c.SufferEvent()]

    events = game.do(1, c.UseSacristy())
    assert detail(events, e.SacristyUsed) == e.SacristyUsed(card)
    assert belongings(game, 1) == before
    assert game.seat(1).bag.counts() == {"scholar": 3, "monk": 1}
    assert game.counts("place.sacristy.monk") == {}
    assert "sacristy" in game.seat(1).place_tiles.items
    assert game.decision(2) in ("give", "pay") or belongings(game, 2) != before


@pytest.mark.parametrize("card", TAKE)
def test_stories_sacristy_choice(card: str) -> None:
    """Its owner may suffer the event, and keep the monk for a worse one."""
    game = sheltered()
    before = belongings(game, 1)
    game.strike(card)
    events = game.do(1, c.SufferEvent())
    assert detail(events, e.EventSuffered) == e.EventSuffered(card)
    assert game.decision(1) in ("give", "pay") or belongings(game, 1) != before
    assert game.counts("place.sacristy.monk") == {"monk": 1}


@pytest.mark.parametrize("card", GIVE)
def test_stories_sacristy_only_losses(card: str) -> None:
    """Events that take nothing neither ask for the Sacristy nor spend it."""
    game = sheltered()
    game.strike(card)
    assert game.decision(1) != "sacristy"
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_stories_sacristy_only_losses__who_is_last_alone() -> None:
    """A census takes something from nobody but the last, so it asks nobody else."""
    game = sheltered(3).settle("c2r2", 2).settle("c3r2", 3)
    game.strike("B8")
    assert game.decision(1) == "sacristy"
    game.do(1, c.UseSacristy())
    assert game.seat(1).coins.value == 10

    game = sheltered(3).settle("c2r2", 1)
    game.strike("B8")
    assert game.t.phase.value != "event"
    assert game.seat(1).coins.value == 12


@pytest.mark.parametrize("card", ["A7", "D4"])
def test_stories_sacristy_only_losses__not_from_taxes_on_nothing(card: str) -> None:
    """Who has no goods to be taxed for is not asked."""
    game = sheltered().goods(1)
    game.strike(card)
    assert game.decision(1) != "sacristy"
    assert game.seat(1).coins.value == 10


def test_stories_sacristy_only_losses__not_from_hunger_without_areas() -> None:
    """Who controls nothing has no food to give, and is not asked."""
    game = sheltered().goods(2, grain=9)
    for area in [area.id for area in game.t.areas.values() if 1 in area.settled_by()]:
        game.fortress(area, 0).settle(area)
    game.strike("D1")
    assert game.decision(1) != "sacristy"
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_stories_sacristy_only_losses__not_from_averted_bandits() -> None:
    """Two fortresses are enough."""
    game = sheltered().fortress("c1r3", 1).goods(2, wood=1)
    game.strike("B6")
    assert game.t.phase.value != "event"
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_stories_sacristy_only_losses__not_from_bandits_who_find_nothing() -> None:
    """Who has no good keeps the monk."""
    game = sheltered().goods(1).goods(2, wood=1)
    game.strike("B6")
    assert game.t.phase.value != "event"
    assert game.counts("place.sacristy.monk") == {"monk": 1}


@pytest.mark.parametrize("reading", ["choice", "automatic"])
@pytest.mark.parametrize("card", ["B3", "C3", "D3"])
def test_stories_sacristy_only_losses__not_from_a_plague_that_finds_an_empty_bag(card: str, reading: str) -> None:
    """Whose bag is empty keeps the monk for something worse."""
    game = sheltered(sacristy_use=reading).bag(1)
    game.strike(card)
    assert game.t.phase.value != "event"
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_stories_sacristy_shields__from_the_whole_event() -> None:
    """One monk spares all that a famine asks for, and the torture with it."""
    game = sheltered().goods(1)
    game.strike("C1")
    game.do(1, c.UseSacristy())
    assert game.seat(1).owed.value == game.seat(1).debt.value == 0


def test_stories_sacristy_malus() -> None:
    """It shields from hunger; but who was spared has not carried out the malus of the era."""
    game = sheltered().era(1, 2).turn(5, "A5")
    game.enter("round_bonus")
    assert game.deciding() == [1]
    events = game.do(1, c.UseSacristy())
    assert detail(events, e.SacristyUsed) == e.SacristyUsed("round_bonus")
    assert details(events, e.RoundBonusCarriedOut).keys() == {2}
    assert game.seat(1).goods.counts() == {"grain": 6, "wood": 2}
    assert game.seat(1).carried_out.value == 0


def test_stories_sacristy_choice__in_hunger() -> None:
    """Who suffers it pays, and may leave the era."""
    game = sheltered().era(1, 2).turn(5, "A5")
    game.enter("round_bonus")
    events = game.do(1, c.SufferEvent())
    assert detail(events, e.EventSuffered) == e.EventSuffered("round_bonus")
    assert game.seat(1).goods.counts() == {"grain": 5, "wood": 2}
    assert game.seat(1).carried_out.value == 1


def test_stories_sacristy_only_losses__not_from_a_bonus() -> None:
    """Bonuses are no malus, that of a fed era II neither."""
    game = sheltered().era(1, 2).at(0, **{"deed.food_depot.completed": 1}).turn(5, "A5")
    game.enter("round_bonus")
    assert game.seat(1).coins.value == 13
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_stories_sacristy_not_an_action() -> None:
    """In the phase of actions its owner can do nothing with it."""
    game = sheltered()
    game.enter("actions")
    game.reject(1, c.UsePlace("sacristy"), "stories.sacristy.not_an_action", "NO_ACTION")
    game.reject(1, c.UseSacristy(), "table.wrong_decision")


def test_stories_sacristy_automatic() -> None:
    """The other reading: it is used at the first thing that takes something, whether its owner wants to or not."""
    game = sheltered(sacristy_use="automatic").goods(2, grain=1)
    events = game.strike("A1")
    assert detail(events, e.SacristyUsed) == e.SacristyUsed("A1")
    assert game.seat(1).goods.counts() == {"grain": 6, "wood": 2}
    assert game.counts("place.sacristy.monk") == {}


def test_stories_sacristy_automatic__not_where_nothing_is_taken() -> None:
    """What takes nothing does not use it up."""
    game = sheltered(sacristy_use="automatic").goods(1)
    game.strike("D4")
    assert game.counts("place.sacristy.monk") == {"monk": 1}
