"""Place tiles that give goods, coins or development."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e

ANY_CHARACTER = ["farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk"]
OWN = ["own_farmer", "own_boatman", "own_craftsman", "own_trader"]


def use(tile: str, *needed: str, **markers: int) -> tuple[OrleansGame, e.PlaceUsed]:
    """Activate a tile of seat 1 with exactly these characters and use it; check that one fewer is not enough.

    Seat 1 begins without coins and goods and with an empty bag.
    """
    game = OrleansGame(2).own(1, tile).at(1, coins=0, **markers)
    assert [space.requires for space in game.t.data.places[tile].spaces] == list(needed)
    for good in ("grain", "cheese", "wine", "wool", "brocade"):
        game.bring(good, game.t.goods_market)
    game.fill(1, tile, *needed[:-1], "")
    game.enter("actions")
    game.reject(1, c.UsePlace(tile), "orleans.actions.activated")
    game.fill(1, tile, *[""] * (len(needed) - 1), needed[-1])
    events = game.do(1, c.UsePlace(tile))
    assert game.seat(1).bag.counts() == _counted(needed)
    assert game.seat(2).coins.value == 5
    return game, detail(events, e.PlaceUsed)


def _counted(followers: tuple[str, ...]) -> dict[str, int]:
    return {follower: followers.count(follower) for follower in followers}


# --- goods ---------------------------------------------------------------------------------------------------


def check_good(tile: str, good: str, *needed: str) -> None:
    """Check that the tile gives this good from the market, and nothing else."""
    game, used = use(tile, *needed)

    assert used == e.PlaceUsed(tile, good=good)
    assert game.seat(1).goods.counts() == {good: 1}
    assert game.seat(1).coins.value == game.seat(1).development.value == 0
    assert game.seat(1).track["farmers"].value == 0


def test_orleans_hayrick_grain() -> None:
    """A farmer gives a grain (p. 8)."""
    check_good("hayrick", "grain", "farmer")


def test_orleans_cheese_factory_cheese() -> None:
    """Two farmers give a cheese (p. 8)."""
    check_good("cheese_factory", "cheese", "farmer", "farmer")


def test_orleans_winery_wine() -> None:
    """A farmer and a trader give a wine (p. 8)."""
    check_good("winery", "wine", "farmer", "trader")


def test_orleans_wool_manufacturer_wool() -> None:
    """A boatman and a trader give a wool (p. 8)."""
    check_good("wool_manufacturer", "wool", "boatman", "trader")


def test_orleans_tailor_shop_brocade() -> None:
    """A trader and a scholar give a brocade (p. 8)."""
    check_good("tailor_shop", "brocade", "trader", "scholar")


@pytest.mark.parametrize(
    ("tile", "good"),
    [
        ("hayrick", "grain"),
        ("cheese_factory", "cheese"),
        ("winery", "wine"),
        ("wool_manufacturer", "wool"),
        ("tailor_shop", "brocade"),
    ],
)
def test_orleans_goods_available(tile: str, good: str) -> None:
    """A place needs its good in the market, not only on the map (p. 8)."""
    game = OrleansGame(2).own(1, tile).fill(1, tile)
    game.run_out(good, game.t.goods_market).on_way("orleans_blois_water", **{good: 1})
    game.enter("actions")

    game.reject(1, c.UsePlace(tile), "orleans.goods.available", "GOOD_SOLD_OUT")

    game.bring(good, game.t.goods_market)
    game.do(1, c.UsePlace(tile))
    assert good not in game.t.goods_market.items
    assert game.seat(1).goods.counts() == {good: 1}


# --- coins and development -----------------------------------------------------------------------------------


def test_orleans_brewery_coins() -> None:
    """A monk gives two coins (p. 8)."""
    game, used = use("brewery", "monk")

    assert used == e.PlaceUsed("brewery", coins=2)
    assert game.seat(1).coins.value == 2
    assert game.seat(1).development.value == 0


def test_orleans_windmill_coins_and_development() -> None:
    """Two craftsmen give two coins and a development point (p. 8)."""
    game, used = use("windmill", "craftsman", "craftsman")

    assert used == e.PlaceUsed("windmill", coins=2, development=1)
    assert game.seat(1).coins.value == 2
    assert game.seat(1).development.value == 1


def test_orleans_windmill_coins_and_development__on_a_coin_space() -> None:
    """The coins of the development track are added (p. 6, 8)."""
    game, _ = use("windmill", "craftsman", "craftsman", development=6)

    assert game.seat(1).coins.value == 5


def test_orleans_library_development() -> None:
    """A knight and a scholar give two development points (p. 8)."""
    game, used = use("library", "knight", "scholar")

    assert used == e.PlaceUsed("library", development=2)
    assert game.seat(1).development.value == 2
    assert game.seat(1).coins.value == 0


@pytest.mark.parametrize(
    ("development", "status"), [(0, 1), (3, 1), (4, 2), (8, 2), (9, 3), (15, 4), (22, 5), (29, 5), (30, 6)]
)
def test_orleans_hospital_coins(development: int, status: int) -> None:
    """A boatman and a scholar give a coin for each point of the present status (p. 8)."""
    game, used = use("hospital", "boatman", "scholar", development=development)

    assert used == e.PlaceUsed("hospital", coins=status)
    assert game.seat(1).coins.value == status
    assert game.seat(1).development.value == development


def test_orleans_shipping_line_development() -> None:
    """A boatman gives one development point (p. 8)."""
    game, used = use("shipping_line", "boatman")

    assert used == e.PlaceUsed("shipping_line", development=1)
    assert game.seat(1).development.value == 1


def test_orleans_cellar_coins() -> None:
    """A monk and a scholar give four coins (p. 8)."""
    game, used = use("cellar", "monk", "scholar")

    assert used == e.PlaceUsed("cellar", coins=4)
    assert game.seat(1).coins.value == 4


@pytest.mark.parametrize("towns", [(), ("orleans",), ("orleans", "blois", "nevers")])
def test_orleans_office_coins(towns: tuple[str, ...]) -> None:
    """Two scholars give a coin for each own station on the map (p. 8)."""
    game = OrleansGame(2).own(1, "office").fill(1, "office", "scholar", "scholar").at(1, coins=0)
    game.stations(1, *towns).stations(2, "orleans", "tours", "chinon")
    game.enter("actions")

    events = game.do(1, c.UsePlace("office"))

    assert detail(events, e.PlaceUsed) == e.PlaceUsed("office", coins=len(towns))
    assert game.seat(1).coins.value == len(towns)


# --- the Pharmacy --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("follower", ANY_CHARACTER + OWN)
def test_orleans_pharmacy_any_character(follower: str) -> None:
    """Each character, marked or not, may be placed there and activates it (p. 8)."""
    game = OrleansGame(2).own(1, "pharmacy").market(1, **{follower: 1}).turn(4, "income", "A")
    game.enter("planning")

    game.do(1, c.PlaceFollower(follower, "pharmacy", "any"))
    game.idle_until("actions")
    game.do(1, c.BuyDevelopment("pharmacy", 1))

    assert game.seat(1).bag.counts() == {follower: 1}


@pytest.mark.parametrize("coins", [1, 2, 3])
def test_orleans_pharmacy_coins(coins: int) -> None:
    """A seat buys one, two or three points for a coin each (p. 8)."""
    game = OrleansGame(2).own(1, "pharmacy").fill(1, "pharmacy").at(1, coins=9)
    game.enter("actions")
    for wrong in (-1, 0, 4):
        game.reject(1, c.BuyDevelopment("pharmacy", wrong), "orleans.pharmacy.coins")

    events = game.do(1, c.BuyDevelopment("pharmacy", coins))

    assert detail(events, e.DevelopmentBought) == e.DevelopmentBought("pharmacy", coins)
    assert game.seat(1).coins.value == 9 - coins
    assert game.seat(1).development.value == coins


def test_orleans_pharmacy_coins__over_a_coin_space_and_a_citizen() -> None:
    """Bought points collect coins and citizens like all others (p. 6, 8)."""
    game = OrleansGame(2).own(1, "pharmacy").fill(1, "pharmacy").at(1, coins=3, development=6)
    game.enter("actions")
    game.do(1, c.BuyDevelopment("pharmacy", 3))
    assert game.seat(1).coins.value == 3

    game.fill(1, "pharmacy").at(1, development=2)
    game.enter("actions")
    events = game.do(1, c.BuyDevelopment("pharmacy", 1))
    assert detail(events, e.DevelopmentAdvanced).citizens == 1


def test_orleans_pharmacy_own_coins() -> None:
    """A seat needs the coins before it buys, even if the first point would bring coins; it is not tortured (p. 8)."""
    game = OrleansGame(2).own(1, "pharmacy").fill(1, "pharmacy").at(1, coins=1, development=6)
    game.enter("actions")

    for coins in (2, 3):
        game.reject(1, c.BuyDevelopment("pharmacy", coins), "orleans.pharmacy.own_coins", "NOT_ENOUGH_COINS")
    game.do(1, c.BuyDevelopment("pharmacy", 1))

    assert game.seat(1).coins.value == 3


def test_orleans_pharmacy_own_coins__without_coins() -> None:
    """Without a coin an activated Pharmacy cannot be used (p. 8)."""
    game = OrleansGame(2).own(1, "pharmacy").fill(1, "pharmacy").at(1, coins=0)
    game.enter("actions")

    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.BuyDevelopment("pharmacy", 1), "orleans.pharmacy.own_coins")
    assert not named(game.do(1, c.Pass()), "DevelopmentBought")
