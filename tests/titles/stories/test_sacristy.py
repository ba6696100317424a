"""The Sacristy: return a monk instead of suffering an event that takes something, or hunger."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, details

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

TAKE = ["A1", "A7", "B1", "B3", "B6", "C1", "C3", "C4", "C6", "D1", "D3", "D4", "D6"]
"""Cards that take something."""
GIVE = [f"{letter}{number}" for letter in "ABCD" for number in range(1, 9) if f"{letter}{number}" not in (*TAKE, "B8")]
"""Cards that take nothing from any seat."""


def create_sacristy_game(players: int = 2, **readings: str) -> StoriesGame:
    """Seat 1 has an activated Sacristy, and every seat has something to lose to every event."""
    game = StoriesGame(players, **readings).own(1, "sacristy").fill(1, "sacristy")
    for seat in range(1, players + 1):
        game.coins(seat, 10).goods(seat, grain=6, wood=2).bag(seat, scholar=3).fame(seat, 50)
    return game.settle("c1r3", 1) if players == 2 else game


def read_belongings(game: StoriesGame, seat: int) -> tuple[int, dict[str, int], int]:
    """Return coins, goods and scholars in the bag of a seat."""
    own = game.seat(seat)
    return own.coins.value, own.goods.counts(), own.bag.items["scholar"]


@pytest.mark.parametrize("card", TAKE)
def test_stories_sacristy_shields(card: str) -> None:
    """The monk returns to the bag and the owner loses nothing; other seats do."""
    game = create_sacristy_game()
    before = read_belongings(game, 1)
    game.strike(card)
    assert game.deciding() == [1]
    assert game.legal(1) == [c.UseSacristy(), c.SufferEvent()]

    events = game.do(1, c.UseSacristy())
    assert detail(events, e.SacristyUsed) == e.SacristyUsed(card)
    assert read_belongings(game, 1) == before
    assert game.seat(1).bag.counts() == {"scholar": 3, "monk": 1}
    assert game.counts("place.sacristy.monk") == {}
    assert "sacristy" in game.seat(1).place_tiles.items
    assert game.decision(2) in ("give", "pay") or read_belongings(game, 2) != before


@pytest.mark.parametrize("card", TAKE)
def test_stories_sacristy_choice(card: str) -> None:
    """The owner may suffer the event and keep the monk."""
    game = create_sacristy_game()
    before = read_belongings(game, 1)
    game.strike(card)
    events = game.do(1, c.SufferEvent())
    assert detail(events, e.EventSuffered) == e.EventSuffered(card)
    assert game.decision(1) in ("give", "pay") or read_belongings(game, 1) != before
    assert game.counts("place.sacristy.monk") == {"monk": 1}


@pytest.mark.parametrize("card", GIVE)
def test_stories_sacristy_only_losses(card: str) -> None:
    """Events that take nothing neither offer nor use the Sacristy."""
    game = create_sacristy_game()
    game.strike(card)
    assert game.decision(1) != "sacristy"
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_stories_sacristy_only_losses__only_the_last_seat_of_a_census() -> None:
    """A census takes something only from the last seat."""
    game = create_sacristy_game(3).settle("c2r2", 2).settle("c3r2", 3)
    game.strike("B8")
    assert game.decision(1) == "sacristy"
    game.do(1, c.UseSacristy())
    assert game.seat(1).coins.value == 10

    game = create_sacristy_game(3).settle("c2r2", 1)
    game.strike("B8")
    assert game.t.phase.value != "event"
    assert game.seat(1).coins.value == 12


@pytest.mark.parametrize("card", ["A7", "D4"])
def test_stories_sacristy_only_losses__no_goods_to_tax(card: str) -> None:
    game = create_sacristy_game().goods(1)
    game.strike(card)
    assert game.decision(1) != "sacristy"
    assert game.seat(1).coins.value == 10


def test_stories_sacristy_only_losses__no_areas_to_feed() -> None:
    """A seat without areas owes no food."""
    game = create_sacristy_game().goods(2, grain=9)
    for area in [area.id for area in game.t.areas.values() if 1 in area.settled_by()]:
        game.fortress(area, 0).settle(area)
    game.strike("D1")
    assert game.decision(1) != "sacristy"
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_stories_sacristy_only_losses__bandits_averted_by_fortresses() -> None:
    """Two fortresses avert bandits."""
    game = create_sacristy_game().fortress("c1r3", 1).goods(2, wood=1)
    game.strike("B6")
    assert game.t.phase.value != "event"
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_stories_sacristy_only_losses__no_goods_for_bandits() -> None:
    game = create_sacristy_game().goods(1).goods(2, wood=1)
    game.strike("B6")
    assert game.t.phase.value != "event"
    assert game.counts("place.sacristy.monk") == {"monk": 1}


@pytest.mark.parametrize("reading", ["choice", "automatic"])
@pytest.mark.parametrize("card", ["B3", "C3", "D3"])
def test_stories_sacristy_only_losses__empty_bag_in_a_plague(card: str, reading: str) -> None:
    game = create_sacristy_game(sacristy_use=reading).bag(1)
    game.strike(card)
    assert game.t.phase.value != "event"
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_stories_sacristy_shields__from_the_whole_event() -> None:
    """One monk averts the whole event, including torture."""
    game = create_sacristy_game().goods(1)
    game.strike("C1")
    game.do(1, c.UseSacristy())
    assert game.seat(1).owed.value == game.seat(1).debt.value == 0


def test_stories_sacristy_malus() -> None:
    """The Sacristy averts hunger; but then the malus of the era is not carried out."""
    game = create_sacristy_game().era(1, 2).turn(5, "A5")
    game.enter("round_bonus")
    assert game.deciding() == [1]
    events = game.do(1, c.UseSacristy())
    assert detail(events, e.SacristyUsed) == e.SacristyUsed("round_bonus")
    assert details(events, e.RoundBonusCarriedOut).keys() == {2}
    assert game.seat(1).goods.counts() == {"grain": 6, "wood": 2}
    assert game.seat(1).carried_out.value == 0


def test_stories_sacristy_choice__in_hunger() -> None:
    """A seat that suffers the malus pays, and may leave the era."""
    game = create_sacristy_game().era(1, 2).turn(5, "A5")
    game.enter("round_bonus")
    events = game.do(1, c.SufferEvent())
    assert detail(events, e.EventSuffered) == e.EventSuffered("round_bonus")
    assert game.seat(1).goods.counts() == {"grain": 5, "wood": 2}
    assert game.seat(1).carried_out.value == 1


def test_stories_sacristy_only_losses__bonus_of_an_era() -> None:
    """The bonus of era II after the end of hunger is no malus."""
    game = create_sacristy_game().era(1, 2).at(0, **{"deed.food_depot.completed": 1}).turn(5, "A5")
    game.enter("round_bonus")
    assert game.seat(1).coins.value == 13
    assert game.counts("place.sacristy.monk") == {"monk": 1}


def test_stories_sacristy_not_an_action() -> None:
    game = create_sacristy_game()
    game.enter("actions")
    game.reject(1, c.UsePlace("sacristy"), "stories.sacristy.not_an_action", "NO_ACTION")
    game.reject(1, c.UseSacristy(), "table.wrong_decision")


def test_stories_sacristy_automatic() -> None:
    """Reading ``sacristy_use``: the Sacristy is used automatically at the first loss."""
    game = create_sacristy_game(sacristy_use="automatic").goods(2, grain=1)
    events = game.strike("A1")
    assert detail(events, e.SacristyUsed) == e.SacristyUsed("A1")
    assert game.seat(1).goods.counts() == {"grain": 6, "wood": 2}
    assert game.counts("place.sacristy.monk") == {}


def test_stories_sacristy_automatic__without_a_loss() -> None:
    game = create_sacristy_game(sacristy_use="automatic").goods(1)
    game.strike("D4")
    assert game.counts("place.sacristy.monk") == {"monk": 1}
