"""Recruiting: Farm House, Village, University, Castle and Monastery."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans.data import TRACKS

TRACK = {
    "farmer": "farmers",
    "boatman": "boatmen",
    "craftsman": "craftsmen",
    "trader": "traders",
    "knight": "knights",
    "scholar": "scholars",
}
LENGTH = {"farmer": 8, "boatman": 5, "craftsman": 5, "trader": 5, "knight": 5, "scholar": 5}
PLACE = {
    "farmer": "farm_house",
    "boatman": "village",
    "craftsman": "village",
    "trader": "village",
    "knight": "castle",
    "scholar": "university",
    "monk": "monastery",
}
CATEGORY_1 = {
    "hayrick",
    "cheese_factory",
    "winery",
    "wool_manufacturer",
    "tailor_shop",
    "brewery",
    "sacristy",
    "windmill",
    "library",
    "hospital",
    "herb_garden",
    "bathhouse",
}
CATEGORY_2 = {
    "shipping_line",
    "cellar",
    "office",
    "horse_wagon",
    "laboratory",
    "pharmacy",
    "gunpowder_tower",
    "school",
}


def recruiting(character: str) -> c.RecruitFollower:
    """The command that recruits somebody, a trader with the Hayrick."""
    return c.RecruitFollower(PLACE[character], character, "hayrick" if character == "trader" else "")


def ready(character: str, players: int = 2, **markers: int) -> OrleansGame:
    """Seat 1 acts; its place for recruiting that character is full, and no pilgrimage is under way."""
    game = OrleansGame(players).turn(4, "income", "A").bag(1).at(1, **markers)
    for good in ("grain", "cheese", "wine", "wool", "brocade"):
        game.bring(good, game.t.goods_market)
    game.fill(1, PLACE[character])
    game.enter("actions")
    return game


# --- all recruits --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("character", PLACE)
def test_orleans_recruiting_to_bag(character: str) -> None:
    """Whoever is recruited leaves the supply for the bag, beside the followers used (p. 4-5)."""
    game = ready(character)
    used = [space.requires for space in game.t.data.places[PLACE[character]].spaces]
    supply = game.t.supply.counts()
    market = game.seat(1).market.counts()

    game.do(1, recruiting(character))

    assert game.seat(1).bag.counts() == dict(Counter([*used, character]))
    assert game.t.supply.items.get(character, 0) == supply[character] - 1
    assert game.t.supply.total() == sum(supply.values()) - 1
    assert game.seat(1).market.counts() == market


GIVEN = {
    "farmer": e.FollowerRecruited("farm_house", "farmer", 1, good="grain"),
    "boatman": e.FollowerRecruited("village", "boatman", 1, coins=2),
    "craftsman": e.FollowerRecruited("village", "craftsman", 1, technology=True),
    "trader": e.FollowerRecruited("village", "trader", 1, place_tile="hayrick"),
    "knight": e.FollowerRecruited("castle", "knight", 1),
    "scholar": e.FollowerRecruited("university", "scholar", 1, development=2),
    "monk": e.FollowerRecruited("monastery", "monk", 0),
}
"""What the first recruit of each character brings, as its event tells it."""


@pytest.mark.parametrize("character", PLACE)
def test_orleans_recruiting_track__nothing_else(character: str) -> None:
    """The event tells what the space of the track shows (p. 4-5), and the table gives that and no more."""
    game = ready(character)
    seat, given = game.seat(1), GIVEN[character]

    events = game.do(1, recruiting(character))

    assert detail(events, e.FollowerRecruited) == given
    assert seat.coins.value == 5 + given.coins
    assert seat.development.value == given.development
    assert seat.goods.total() == bool(given.good)
    assert seat.technology.total() == given.technology
    assert seat.place_tiles.total() == bool(given.place_tile)
    assert [seat.track[track].value for track in TRACKS] == [int(track == TRACK.get(character)) for track in TRACKS]


@pytest.mark.parametrize("character", PLACE)
def test_orleans_recruiting_supply(character: str) -> None:
    """A character that has run out is recruited by nobody (p. 8); the last one still is."""
    game = ready(character)
    game.run_out(character, game.t.supply)

    game.reject(1, recruiting(character), "orleans.recruiting.supply")

    game.bring(character, game.t.supply)
    game.do(1, recruiting(character))
    assert character not in game.t.supply.items


def test_orleans_recruiting_supply__others_of_the_village_remain() -> None:
    """Without boatmen the Village still recruits craftsmen and traders (p. 8)."""
    game = ready("boatman")
    game.run_out("boatman", game.t.supply)

    assert {x.character for x in game.legal(1) if isinstance(x, c.RecruitFollower)} == {"craftsman", "trader"}


@pytest.mark.parametrize("character", PLACE)
def test_orleans_recruiting_track(character: str) -> None:
    """The marker of the recruit's own track goes one space forward and no other; monks have no track (p. 4-5)."""
    markers = dict.fromkeys(TRACKS, 1)
    game = ready(character, **markers)
    if character == "trader":
        game.own(1, "brewery")

    events = game.do(1, recruiting(character))

    expected = markers | ({TRACK[character]: 2} if character in TRACK else {})
    assert {track: marker.value for track, marker in game.seat(1).track.items()} == expected
    assert detail(events, e.FollowerRecruited).position == (2 if character in TRACK else 0)
    assert all(marker.value == 0 for marker in game.seat(2).track.values())


@pytest.mark.parametrize("character", TRACK)
def test_orleans_recruiting_track_end(character: str) -> None:
    """The last space of a track can be reached, and then this recruit is closed for the seat (p. 5)."""
    length = LENGTH[character]
    game = ready(character, **{TRACK[character]: length - 1})

    game.do(1, recruiting(character))

    assert game.seat(1).track[TRACK[character]].value == length
    game.fill(1, PLACE[character]).fill(2, PLACE[character])
    game.enter("actions")
    tile = "winery" if character == "trader" else ""
    game.reject(1, c.RecruitFollower(PLACE[character], character, tile), "orleans.recruiting.track_end")
    game.do(1, c.Pass())
    if character == "craftsman":
        game.do(1, c.KeepTechnology())
    if character != "farmer":
        game.do(2, c.RecruitFollower(PLACE[character], character, tile))


# --- Farm House ----------------------------------------------------------------------------------------------


def test_orleans_farm_house_farmer() -> None:
    """The Farm House offers a farmer and nobody else (p. 4)."""
    game = ready("farmer")

    assert game.legal(1) == [c.RecruitFollower("farm_house", "farmer"), c.Pass()]
    for character in ("boatman", "craftsman", "knight", "monk"):
        game.reject(1, c.RecruitFollower("farm_house", character), "orleans.actions.matching_command")


@pytest.mark.parametrize(
    ("position", "good"), list(enumerate(["grain", "grain", "cheese", "cheese", "wine", "wine", "wool", "brocade"], 1))
)
def test_orleans_farm_house_good(position: int, good: str) -> None:
    """The good of the space that the marker arrives at comes from the goods market (p. 4)."""
    game = ready("farmer", farmers=position - 1)
    market = game.t.goods_market.counts()

    events = game.do(1, c.RecruitFollower("farm_house", "farmer"))

    assert game.seat(1).goods.counts() == {good: 1}
    assert game.t.goods_market.items.get(good, 0) == market[good] - 1
    assert detail(events, e.FollowerRecruited).good == good
    assert game.seat(1).track["farmers"].value == position


def test_orleans_farm_house_good_available() -> None:
    """At the third space a cheese is needed: other goods do not help, nor does cheese on the map (p. 8)."""
    game = ready("farmer", farmers=2)
    game.run_out("cheese", game.t.goods_market)
    game.on_way("orleans_blois_water", cheese=1)
    assert game.t.goods_market.total() > 0

    game.reject(1, c.RecruitFollower("farm_house", "farmer"), "orleans.farm_house.good_available")

    game.bring("cheese", game.t.goods_market)
    game.do(1, c.RecruitFollower("farm_house", "farmer"))


def test_orleans_farm_house_good_available__the_good_of_the_present_space_is_not_needed() -> None:
    """What counts is the next space, not the one where the marker stands (p. 4, 8)."""
    game = ready("farmer", farmers=2)
    game.run_out("grain", game.t.goods_market)

    game.do(1, c.RecruitFollower("farm_house", "farmer"))

    assert game.seat(1).goods.counts() == {"cheese": 1}


# --- Village -------------------------------------------------------------------------------------------------


def test_orleans_village_choice() -> None:
    """Boatman, craftsman and trader are open when the Village is used; farmers and others are not (p. 4-5)."""
    game = ready("boatman")

    assert {x.character for x in game.legal(1) if isinstance(x, c.RecruitFollower)} == {
        "boatman",
        "craftsman",
        "trader",
    }
    for character in ("farmer", "knight", "scholar", "monk"):
        game.reject(1, c.RecruitFollower("village", character), "orleans.actions.matching_command")


def test_orleans_village_choice__one_only() -> None:
    """The three are alternatives: one recruit empties the Village (p. 4)."""
    game = ready("boatman")

    game.do(1, c.RecruitFollower("village", "boatman"))
    game.idle(2)

    game.reject(1, c.RecruitFollower("village", "craftsman"), "orleans.actions.activated")


@pytest.mark.parametrize(("position", "coins"), [(1, 2), (2, 3), (3, 4), (4, 5)])
def test_orleans_village_boatman(position: int, coins: int) -> None:
    """2, 3, 4 and 5 coins for the first four boatmen (p. 5)."""
    game = ready("boatman", boatmen=position - 1, coins=1)

    events = game.do(1, c.RecruitFollower("village", "boatman"))

    assert game.seat(1).coins.value == 1 + coins
    assert detail(events, e.FollowerRecruited).coins == coins
    assert not game.seat(1).citizens.items


def test_orleans_village_last_boatman() -> None:
    """The first at the end gets the citizen and no coins; the second may still go there and gets nothing (p. 5)."""
    game = OrleansGame(2).at(1, boatmen=4, coins=1).at(2, boatmen=4, coins=1)
    game.fill(1, "village").fill(2, "village")
    game.enter("actions", start=2)

    first = game.do(2, c.RecruitFollower("village", "boatman"))
    second = game.do(1, c.RecruitFollower("village", "boatman"))

    assert detail(first, e.FollowerRecruited).citizen
    assert not detail(second, e.FollowerRecruited).citizen
    assert game.seat(2).citizens.counts() == {"citizen": 1}
    assert not game.seat(1).citizens.items
    assert [seat.coins.value for seat in game.t.seats] == [1, 1]
    assert game.seat(1).track["boatmen"].value == 5


def test_orleans_village_craftsman() -> None:
    """A craftsman brings technology, which lies aside and is of no use before passing (p. 5)."""
    game = ready("craftsman")
    left = game.t.technology.total()

    events = game.do(1, c.RecruitFollower("village", "craftsman"))

    assert detail(events, e.FollowerRecruited).technology
    assert game.seat(1).technology.counts() == {"technology": 1}
    assert game.t.technology.total() == left - 1
    game.idle(2)
    game.reject(1, c.PlaceTechnology("ship", "farmer"), "orleans.technology.after_passing")
    game.do(1, c.Pass())
    assert c.PlaceTechnology("ship", "farmer") in game.legal(1)


def test_orleans_village_technology_available() -> None:
    """Without technology there are no craftsmen, though craftsmen lie in the supply (p. 8)."""
    game = ready("craftsman")
    game.run_out("technology", game.t.technology)

    game.reject(1, c.RecruitFollower("village", "craftsman"), "orleans.village.technology_available")

    assert c.RecruitFollower("village", "boatman") in game.legal(1)
    game.bring("technology", game.t.technology)
    game.do(1, c.RecruitFollower("village", "craftsman"))
    assert game.t.technology.total() == 0


def test_orleans_village_trader() -> None:
    """The tile of the seat's choice leaves the stacks for its city, to be used from the next planning on (p. 5)."""
    game = ready("trader")
    events = game.do(1, c.RecruitFollower("village", "trader", "winery"))

    assert detail(events, e.FollowerRecruited).place_tile == "winery"
    assert game.seat(1).place_tiles.counts() == {"winery": 1}
    assert "winery" not in game.t.place_tiles["1"].items

    game.market(1, own_farmer=1).market(2, own_farmer=1)
    game.enter("planning")
    game.do(1, c.PlaceFollower("own_farmer", "winery", "farmer"))
    game.reject(2, c.PlaceFollower("own_farmer", "winery", "farmer"), "orleans.planning.own_place")


def test_orleans_village_trader__technology_for_the_new_tile() -> None:
    """The new place is there at once: technology may be put on it in the same round (p. 5)."""
    game = ready("trader").technology(1)
    game.do(1, c.RecruitFollower("village", "trader", "winery"))
    game.idle(2)
    game.do(1, c.Pass())

    game.do(1, c.PlaceTechnology("winery", "farmer"))


def test_orleans_village_first_trader() -> None:
    """The first trader brings one of the twelve tiles of category I and none of category II (p. 5)."""
    game = ready("trader")

    assert {x.place_tile for x in game.legal(1) if isinstance(x, c.RecruitFollower) and x.place_tile} == CATEGORY_1
    for tile in CATEGORY_2:
        game.reject(1, c.RecruitFollower("village", "trader", tile), "orleans.village.first_trader", "WRONG_CATEGORY")


@pytest.mark.parametrize("traders", [1, 2, 3, 4])
def test_orleans_village_later_traders(traders: int) -> None:
    """Every later trader brings any tile that is left, of either category (p. 5)."""
    game = ready("trader", traders=traders)
    game.own(1, "library").own(2, "office")

    offered = {x.place_tile for x in game.legal(1) if isinstance(x, c.RecruitFollower) and x.place_tile}

    assert offered == (CATEGORY_1 | CATEGORY_2) - {"library", "office"}
    game.do(1, c.RecruitFollower("village", "trader", "school" if traders % 2 else "hayrick"))


def test_orleans_village_place_tile_available() -> None:
    """A tile that somebody owns is gone, no trader comes without a tile, and tiles are not invented (p. 8)."""
    game = ready("trader").own(2, "winery")

    for tile in ("winery", ""):
        game.reject(1, c.RecruitFollower("village", "trader", tile), "orleans.village.place_tile_available")
    for tile in ("cathedral", "scriptorium"):
        game.reject(1, c.RecruitFollower("village", "trader", tile), "table.known_ids", "UNKNOWN_ID")


def test_orleans_village_place_tile_available__category_one_gone() -> None:
    """Once category I is gone the first trader cannot come, a second one can (p. 5, 8)."""
    game = ready("trader").own(2, *CATEGORY_1)

    assert not any(isinstance(x, c.RecruitFollower) and x.character == "trader" for x in game.legal(1))
    game.reject(1, c.RecruitFollower("village", "trader"), "orleans.village.place_tile_available")
    game.reject(1, c.RecruitFollower("village", "trader", "school"), "orleans.village.first_trader")
    game.at(1, traders=1)
    game.do(1, c.RecruitFollower("village", "trader", "school"))


def test_orleans_village_place_tile_only_for_traders() -> None:
    """Boatmen, craftsmen and the recruits of other places bring no tile (p. 5)."""
    game = ready("boatman").fill(1, "castle")

    for place, character in (("village", "boatman"), ("village", "craftsman"), ("castle", "knight")):
        rule = "orleans.village.place_tile_only_for_traders"
        game.reject(1, c.RecruitFollower(place, character, "hayrick"), rule)
    assert len(game.t.place_tiles["1"].items) == 12


# --- University ----------------------------------------------------------------------------------------------


def test_orleans_university_scholar() -> None:
    """The University offers a scholar and nobody else (p. 5)."""
    game = ready("scholar")

    assert game.legal(1) == [c.RecruitFollower("university", "scholar"), c.Pass()]


@pytest.mark.parametrize("position", [1, 2, 3, 4, 5])
def test_orleans_university_development(position: int) -> None:
    """2, 3, 4, 5 and 6 development points for the five scholars (p. 5)."""
    game = ready("scholar", scholars=position - 1, development=22)

    events = game.do(1, c.RecruitFollower("university", "scholar"))

    assert detail(events, e.FollowerRecruited).development == position + 1
    assert game.seat(1).development.value == 22 + position + 1


def test_orleans_university_development__collects_on_the_way() -> None:
    """Points of a scholar count like all others: two of them from space 6 reach the coins of space 7 (p. 5, 6)."""
    game = ready("scholar", development=6, coins=0)

    events = game.do(1, c.RecruitFollower("university", "scholar"))

    assert game.seat(1).coins.value == 3
    assert detail(events, e.DevelopmentAdvanced) == e.DevelopmentAdvanced(position=8, status=2, coins=3, citizens=0)


# --- Castle --------------------------------------------------------------------------------------------------


def test_orleans_castle_knight() -> None:
    """The Castle offers a knight and nobody else (p. 5)."""
    game = ready("knight")

    assert game.legal(1) == [c.RecruitFollower("castle", "knight"), c.Pass()]


@pytest.mark.parametrize(("knights", "limit"), list(enumerate([4, 5, 6, 7, 7, 8])))
def test_orleans_castle_draw_limit(knights: int, limit: int) -> None:
    """With 0 to 5 knights recruited 4, 5, 6, 7, 7 and 8 followers may be drawn (p. 5)."""
    game = OrleansGame(2).market(1).bag(1, farmer=9)
    for _ in range(knights):
        game.fill(1, "castle")
        game.enter("actions")
        game.do(1, c.RecruitFollower("castle", "knight"))

    game.bag(1, farmer=9)
    game.enter("followers")

    assert max(x.count for x in game.legal(1) if isinstance(x, c.DrawFollowers)) == limit
    game.reject(1, c.DrawFollowers(limit + 1), "orleans.drawing.limit")


def test_orleans_castle_fourth_knight() -> None:
    """The citizen goes to the first fourth knight of all; later fourths and any fifth get none (p. 5)."""
    game = OrleansGame(2).at(1, knights=3).at(2, knights=3)
    citizens = []
    for seat in (2, 1, 2, 1):
        game.fill(seat, "castle")
        game.enter("actions", start=seat)
        events = game.do(seat, c.RecruitFollower("castle", "knight"))
        citizens.append(detail(events, e.FollowerRecruited).citizen)

    assert citizens == [True, False, False, False]
    assert game.seat(2).citizens.counts() == {"citizen": 1}
    assert not game.seat(1).citizens.items


def test_orleans_castle_fourth_knight__third_gets_none() -> None:
    """The third knight does not bring the citizen (p. 5)."""
    game = ready("knight", knights=2)

    game.do(1, c.RecruitFollower("castle", "knight"))

    assert not game.seat(1).citizens.items
    assert game.t.track_citizens["knights"].counts() == {"citizen": 1}


# --- Monastery -----------------------------------------------------------------------------------------------


def test_orleans_monastery_monk() -> None:
    """Monk after monk may be recruited, each with nothing but himself (p. 5)."""
    game = OrleansGame(2).turn(4, "income", "A").bag(1).at(1, coins=0)
    for monks in range(1, 9):
        game.fill(1, "monastery")
        game.enter("actions")
        events = game.do(1, c.RecruitFollower("monastery", "monk"))

        assert detail(events, e.FollowerRecruited) == e.FollowerRecruited("monastery", "monk", 0)
        assert game.seat(1).bag.items["monk"] == monks
    assert game.seat(1).coins.value == game.seat(1).development.value == 0
    assert not game.seat(1).goods.items


@pytest.mark.parametrize("strength", ["START", "B", "C"])
def test_orleans_monastery_not_during_pilgrimage(strength: str) -> None:
    """Pilgrimage closes the activated Monastery for the round, and only the Monastery (p. 7)."""
    game = ready("monk").fill(1, "castle").turn(7, "pilgrimage", strength)

    game.reject(1, c.RecruitFollower("monastery", "monk"), "orleans.monastery.not_during_pilgrimage", "PILGRIMAGE")

    game.do(1, c.RecruitFollower("castle", "knight"))


def test_orleans_monastery_not_during_pilgrimage__not_in_other_rounds() -> None:
    """All other events leave the Monastery open (p. 7)."""
    game = ready("monk")
    for event in ("income", "harvest", "taxes", "trading_day", "plague"):
        game.turn(7, event, "B")
        assert c.RecruitFollower("monastery", "monk") in game.legal(1)
    assert not named(game.do(1, c.RecruitFollower("monastery", "monk")), "DevelopmentAdvanced")
