"""Ship, Wagon and Horse Wagon: moving the merchant on the map."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def ready(place: str, town: str = "orleans") -> OrleansGame:
    """Create a game in which seat 1 acts with one activated place and its merchant in a town."""
    game = OrleansGame(2).at(1, merchant=town)
    if place not in game.seat(1).estate().places:
        game.own(1, place)
    game.fill(1, place)
    game.enter("actions")
    return game


def legal_towns(game: OrleansGame) -> set[str]:
    """Return the towns to which seat 1 may travel."""
    return {x.town for x in game.legal(1) if isinstance(x, c.Travel)}


def test_orleans_travel_waterway() -> None:
    """From Orléans the Ship reaches Blois and Briare, but no towns on roads (p. 5)."""
    game = ready("ship")

    assert legal_towns(game) == {"blois", "briare"}
    for town in ("chartres", "chateaudun", "montargis", "vierzon"):
        game.reject(1, c.Travel("ship", town), "orleans.travel.waterway")
    events = game.do(1, c.Travel("ship", "briare"))

    assert game.seat(1).merchant.value == "briare"
    assert detail(events, e.MerchantMoved).way == "orleans_briare_water"
    assert game.seat(2).merchant.value == "orleans"


def test_orleans_travel_waterway__in_both_directions() -> None:
    """A waterway is used in both directions (p. 5)."""
    game = ready("ship", "blois")

    assert legal_towns(game) == {"orleans", "tours"}
    game.do(1, c.Travel("ship", "orleans"))


def test_orleans_travel_waterway__none_in_town() -> None:
    """In a town without a waterway the Ship cannot be used (p. 5)."""
    game = ready("ship", "chartres")

    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.Travel("ship", "orleans"), "orleans.travel.waterway")


def test_orleans_travel_road() -> None:
    """From Orléans the Wagon reaches four towns, but none on waterways (p. 5)."""
    game = ready("wagon")

    assert legal_towns(game) == {"chartres", "chateaudun", "montargis", "vierzon"}
    for town in ("blois", "briare"):
        game.reject(1, c.Travel("wagon", town), "orleans.travel.road")
    game.do(1, c.Travel("wagon", "vierzon"))
    assert game.seat(1).merchant.value == "vierzon"


def test_orleans_travel_road__beside_a_waterway() -> None:
    """If a road and a waterway connect two towns, each place uses its way and the goods on it (p. 5)."""
    for place, good, other, way in (
        ("ship", "wine", "wool", "chinon_chatellerault_water"),
        ("wagon", "wool", "wine", "chinon_chatellerault_road"),
    ):
        game = ready(place, "chinon")
        game.on_way("chinon_chatellerault_water", wine=1).on_way("chinon_chatellerault_road", wool=1)

        game.reject(1, c.Travel(place, "chatellerault", other), "orleans.travel.good_on_the_way")
        assert detail(game.do(1, c.Travel(place, "chatellerault", good)), e.MerchantMoved).way == way


@pytest.mark.parametrize(("place", "kind"), [("ship", "waterway"), ("wagon", "road"), ("horse_wagon", "road")])
def test_orleans_travel_connected(place: str, kind: str) -> None:
    """One action moves the merchant to an adjacent town (p. 5)."""
    game = ready(place)

    for town in ("tours", "le_mans", "bourges", "orleans"):
        game.reject(1, c.Travel(place, town), f"orleans.travel.{kind}")
    for nothing in ("paris", ""):
        game.reject(1, c.Travel(place, nothing), "table.known_ids", "UNKNOWN_ID")


def test_orleans_travel_one_good() -> None:
    """A seat takes one of two goods on the way, by its choice; the other stays (p. 5)."""
    for good, left in (("wine", "brocade"), ("brocade", "wine")):
        game = ready("wagon").on_way("orleans_vierzon_road", wine=1, brocade=1)
        market = game.t.goods_market.counts()

        events = game.do(1, c.Travel("wagon", "vierzon", good))

        assert detail(events, e.MerchantMoved).good == good
        assert game.seat(1).goods.counts() == {good: 1}
        assert game.counts("way.orleans_vierzon_road") == {left: 1}
        assert game.t.goods_market.counts() == market


def test_orleans_travel_one_good__of_two_equal_ones() -> None:
    """A seat takes one of two equal goods on the way (p. 5)."""
    game = ready("ship").on_way("orleans_briare_water", cheese=2)

    game.do(1, c.Travel("ship", "briare", "cheese"))

    assert game.seat(1).goods.counts() == {"cheese": 1}
    assert game.counts("way.orleans_briare_water") == {"cheese": 1}


def test_orleans_travel_decline_good() -> None:
    """A seat need not take a good (p. 5): goods increase its taxes."""
    game = ready("ship").on_way("orleans_blois_water", grain=1)

    game.do(1, c.Travel("ship", "blois"))

    assert game.seat(1).merchant.value == "blois"
    assert not game.seat(1).goods.items
    assert game.counts("way.orleans_blois_water") == {"grain": 1}


def test_orleans_travel_good_on_the_way() -> None:
    """Only a good on the way can be taken (p. 5)."""
    game = ready("ship").on_way("orleans_blois_water", grain=1).on_way("orleans_briare_water", wine=1)
    game.bring("cheese", game.t.goods_market)

    for good in ("wine", "cheese"):
        game.reject(1, c.Travel("ship", "blois", good), "orleans.travel.good_on_the_way", "NO_SUCH_GOOD")
    game.reject(1, c.Travel("ship", "blois", "gold"), "table.known_ids", "UNKNOWN_ID")
    assert game.seat(1).merchant.value == "orleans"
    game.do(1, c.Travel("ship", "blois", "grain"))


def test_orleans_travel_empty_way() -> None:
    """An empty way can be used and gives no good (p. 8)."""
    game = ready("ship").on_way("orleans_blois_water")

    assert [x for x in game.legal(1) if isinstance(x, c.Travel) and x.town == "blois"] == [c.Travel("ship", "blois")]
    game.reject(1, c.Travel("ship", "blois", "grain"), "orleans.travel.good_on_the_way")
    game.do(1, c.Travel("ship", "blois"))
    assert not game.seat(1).goods.items


def test_orleans_travel_empty_way__emptied_by_the_first() -> None:
    """Goods on the map are not replaced (p. 5, 8)."""
    game = ready("ship").on_way("orleans_blois_water", grain=1).fill(2, "ship")
    game.do(1, c.Travel("ship", "blois", "grain"))

    game.reject(2, c.Travel("ship", "blois", "grain"), "orleans.travel.good_on_the_way")
    game.do(2, c.Travel("ship", "blois"))


def test_orleans_travel_no_blocking() -> None:
    """Merchants and trading stations of other seats do not block a town (our ruling on p. 5)."""
    game = ready("ship").at(2, merchant="blois").stations(2, "blois")

    game.do(1, c.Travel("ship", "blois"))

    assert [seat.merchant.value for seat in game.t.seats] == ["blois", "blois"]


def test_orleans_horse_wagon_road() -> None:
    """With a knight and a trader, the Horse Wagon uses a road and takes a good like the Wagon (p. 8)."""
    game = ready("horse_wagon").on_way("chartres_orleans_road", wool=1)

    assert [space.requires for space in game.t.data.places["horse_wagon"].spaces] == ["knight", "trader"]
    assert legal_towns(game) == {"chartres", "chateaudun", "montargis", "vierzon"}
    game.reject(1, c.Travel("horse_wagon", "blois"), "orleans.travel.road")
    game.reject(1, c.Travel("wagon", "chartres"), "orleans.actions.activated")
    game.do(1, c.Travel("horse_wagon", "chartres", "wool"))

    assert game.seat(1).merchant.value == "chartres"
    assert game.seat(1).goods.counts() == {"wool": 1}
    assert game.seat(1).bag.counts() == {"knight": 1, "trader": 1}


def test_orleans_horse_wagon_may_leave() -> None:
    """With this reading a seat need not take a good, as with Ship and Wagon (p. 8)."""
    game = OrleansGame(2, horse_wagon_good="may").own(1, "horse_wagon").on_way("chartres_orleans_road", wool=1)
    game.fill(1, "horse_wagon").enter("actions")

    assert c.Travel("horse_wagon", "chartres", "wool") in game.legal(1)
    game.do(1, c.Travel("horse_wagon", "chartres"))
    assert game.seat(1).goods.total() == 0
    assert game.counts("way.chartres_orleans_road") == {"wool": 1}


def test_orleans_horse_wagon_collects() -> None:
    """It must take a good if the way has one (p. 8; 8th edition, p. 23); the seat chooses which."""
    game = OrleansGame(2).own(1, "horse_wagon").on_way("chartres_orleans_road", wool=1, wine=1)
    game.on_way("orleans_montargis_road")
    game.fill(1, "horse_wagon").fill(1, "wagon").enter("actions")

    game.reject(1, c.Travel("horse_wagon", "chartres"), "orleans.horse_wagon.collects", "GOOD_LEFT")
    assert c.Travel("horse_wagon", "chartres", "wool") in game.legal(1)
    assert c.Travel("horse_wagon", "chartres", "wine") in game.legal(1)
    assert c.Travel("wagon", "chartres") in game.legal(1)
    game.do(1, c.Travel("horse_wagon", "montargis"))
