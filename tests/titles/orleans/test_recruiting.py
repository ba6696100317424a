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


def recruit(character: str) -> c.RecruitFollower:
    """Return the command that recruits a character, a trader with the Hayrick."""
    return c.RecruitFollower(PLACE[character], character, "hayrick" if character == "trader" else "")


def ready(character: str, players: int = 2, **markers: int) -> OrleansGame:
    """Create a game in which seat 1 acts and can recruit this character, in a round without a pilgrimage."""
    game = OrleansGame(players).turn(4, "income", "A").bag(1).at(1, **markers)
    for good in ("grain", "cheese", "wine", "wool", "brocade"):
        game.bring(good, game.t.goods_market)
    game.fill(1, PLACE[character])
    game.enter("actions")
    return game


# --- all recruits --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("character", PLACE)
def test_orleans_recruiting_to_bag(character: str) -> None:
    """The recruit goes from the supply to the bag, as do the used followers (p. 4-5)."""
    game = ready(character)
    used = [space.requires for space in game.t.data.places[PLACE[character]].spaces]
    supply = game.t.supply.counts()
    market = game.seat(1).market.counts()

    game.do(1, recruit(character))

    assert game.seat(1).bag.counts() == dict(Counter([*used, character]))
    assert game.t.supply.items.get(character, 0) == supply[character] - 1
    assert game.t.supply.total() == sum(supply.values()) - 1
    assert game.seat(1).market.counts() == market


FIRST_RECRUITS = {
    "farmer": e.FollowerRecruited("farm_house", "farmer", 1, good="grain"),
    "boatman": e.FollowerRecruited("village", "boatman", 1, coins=2),
    "craftsman": e.FollowerRecruited("village", "craftsman", 1, technology=True),
    "trader": e.FollowerRecruited("village", "trader", 1, place_tile="hayrick"),
    "knight": e.FollowerRecruited("castle", "knight", 1),
    "scholar": e.FollowerRecruited("university", "scholar", 1, development=2),
    "monk": e.FollowerRecruited("monastery", "monk", 0),
}
"""The event of the first recruit of each character."""


@pytest.mark.parametrize("character", PLACE)
def test_orleans_recruiting_track__nothing_else(character: str) -> None:
    """The recruit brings what the space of the track shows, and nothing else (p. 4-5)."""
    game = ready(character)
    seat, expected = game.seat(1), FIRST_RECRUITS[character]

    events = game.do(1, recruit(character))

    assert detail(events, e.FollowerRecruited) == expected
    assert seat.coins.value == 5 + expected.coins
    assert seat.development.value == expected.development
    assert seat.goods.total() == bool(expected.good)
    assert seat.technology.total() == expected.technology
    assert seat.place_tiles.total() == bool(expected.place_tile)
    assert [seat.track[track].value for track in TRACKS] == [int(track == TRACK.get(character)) for track in TRACKS]


@pytest.mark.parametrize("character", PLACE)
def test_orleans_recruiting_supply(character: str) -> None:
    """A character that has run out cannot be recruited (p. 8)."""
    game = ready(character)
    game.run_out(character, game.t.supply)

    game.reject(1, recruit(character), "orleans.recruiting.supply")

    game.bring(character, game.t.supply)
    game.do(1, recruit(character))
    assert character not in game.t.supply.items


def test_orleans_recruiting_supply__others_of_the_village_remain() -> None:
    """Without boatmen the Village still recruits craftsmen and traders (p. 8)."""
    game = ready("boatman")
    game.run_out("boatman", game.t.supply)

    assert {x.character for x in game.legal(1) if isinstance(x, c.RecruitFollower)} == {"craftsman", "trader"}


@pytest.mark.parametrize("character", PLACE)
def test_orleans_recruiting_track(character: str) -> None:
    """Only the marker of the recruit's track advances, by one space; monks have no track (p. 4-5)."""
    markers = dict.fromkeys(TRACKS, 1)
    game = ready(character, **markers)
    if character == "trader":
        game.own(1, "brewery")

    events = game.do(1, recruit(character))

    expected = markers | ({TRACK[character]: 2} if character in TRACK else {})
    assert {track: marker.value for track, marker in game.seat(1).track.items()} == expected
    assert detail(events, e.FollowerRecruited).position == (2 if character in TRACK else 0)
    assert all(marker.value == 0 for marker in game.seat(2).track.values())


@pytest.mark.parametrize("character", TRACK)
def test_orleans_recruiting_track_end(character: str) -> None:
    """After the last space of a track, the seat cannot recruit this character (p. 5)."""
    length = LENGTH[character]
    game = ready(character, **{TRACK[character]: length - 1})

    game.do(1, recruit(character))

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
    """The Farm House recruits only a farmer (p. 4)."""
    game = ready("farmer")

    assert game.legal(1) == [c.RecruitFollower("farm_house", "farmer"), c.Pass()]
    for character in ("boatman", "craftsman", "knight", "monk"):
        game.reject(1, c.RecruitFollower("farm_house", character), "orleans.actions.matching_command")


@pytest.mark.parametrize(
    ("position", "good"), list(enumerate(["grain", "grain", "cheese", "cheese", "wine", "wine", "wool", "brocade"], 1))
)
def test_orleans_farm_house_good(position: int, good: str) -> None:
    """The good of the reached space comes from the goods market (p. 4)."""
    game = ready("farmer", farmers=position - 1)
    market = game.t.goods_market.counts()

    events = game.do(1, c.RecruitFollower("farm_house", "farmer"))

    assert game.seat(1).goods.counts() == {good: 1}
    assert game.t.goods_market.items.get(good, 0) == market[good] - 1
    assert detail(events, e.FollowerRecruited).good == good
    assert game.seat(1).track["farmers"].value == position


def test_orleans_farm_house_good_available() -> None:
    """The third space needs a cheese in the market, not only on the map (p. 8)."""
    game = ready("farmer", farmers=2)
    game.run_out("cheese", game.t.goods_market)
    game.on_way("orleans_blois_water", cheese=1)
    assert game.t.goods_market.total() > 0

    game.reject(1, c.RecruitFollower("farm_house", "farmer"), "orleans.farm_house.good_available")

    game.bring("cheese", game.t.goods_market)
    game.do(1, c.RecruitFollower("farm_house", "farmer"))


def test_orleans_farm_house_good_available__only_that_of_the_next_space() -> None:
    """The good of the marker's present space is not needed (p. 4, 8)."""
    game = ready("farmer", farmers=2)
    game.run_out("grain", game.t.goods_market)

    game.do(1, c.RecruitFollower("farm_house", "farmer"))

    assert game.seat(1).goods.counts() == {"cheese": 1}


# --- Village -------------------------------------------------------------------------------------------------


def test_orleans_village_choice() -> None:
    """The Village recruits boatmen, craftsmen and traders, and no others (p. 4-5)."""
    game = ready("boatman")

    assert {x.character for x in game.legal(1) if isinstance(x, c.RecruitFollower)} == {
        "boatman",
        "craftsman",
        "trader",
    }
    for character in ("farmer", "knight", "scholar", "monk"):
        game.reject(1, c.RecruitFollower("village", character), "orleans.actions.matching_command")


def test_orleans_village_choice__only_one() -> None:
    """The Village recruits one follower per action (p. 4)."""
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
    """The first seat at the end gets the citizen and no coins; later seats get nothing (p. 5)."""
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
    """A craftsman brings technology, which cannot be placed before passing (p. 5)."""
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
    """Without technology no craftsman can be recruited, even if the supply has craftsmen (p. 8)."""
    game = ready("craftsman")
    game.run_out("technology", game.t.technology)

    game.reject(1, c.RecruitFollower("village", "craftsman"), "orleans.village.technology_available")

    assert c.RecruitFollower("village", "boatman") in game.legal(1)
    game.bring("technology", game.t.technology)
    game.do(1, c.RecruitFollower("village", "craftsman"))
    assert game.t.technology.total() == 0


def test_orleans_village_trader() -> None:
    """The seat takes a tile of its choice from the stacks and can use it from the next planning on (p. 5)."""
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
    """Technology may be placed on the new tile in the same round (p. 5)."""
    game = ready("trader").technology(1)
    game.do(1, c.RecruitFollower("village", "trader", "winery"))
    game.idle(2)
    game.do(1, c.Pass())

    game.do(1, c.PlaceTechnology("winery", "farmer"))


def test_orleans_village_first_trader() -> None:
    """The first trader brings a tile of category I (p. 5)."""
    game = ready("trader")

    assert {x.place_tile for x in game.legal(1) if isinstance(x, c.RecruitFollower) and x.place_tile} == CATEGORY_1
    for tile in CATEGORY_2:
        game.reject(1, c.RecruitFollower("village", "trader", tile), "orleans.village.first_trader", "WRONG_CATEGORY")


@pytest.mark.parametrize("traders", [1, 2, 3, 4])
def test_orleans_village_later_traders(traders: int) -> None:
    """Later traders bring any tile of both categories that is left (p. 5)."""
    game = ready("trader", traders=traders)
    game.own(1, "library").own(2, "office")

    offered = {x.place_tile for x in game.legal(1) if isinstance(x, c.RecruitFollower) and x.place_tile}

    assert offered == (CATEGORY_1 | CATEGORY_2) - {"library", "office"}
    game.do(1, c.RecruitFollower("village", "trader", "school" if traders % 2 else "hayrick"))


def test_orleans_village_place_tile_available() -> None:
    """A trader needs a tile, and one that is still in the stacks (p. 8)."""
    game = ready("trader").own(2, "winery")

    for tile in ("winery", ""):
        game.reject(1, c.RecruitFollower("village", "trader", tile), "orleans.village.place_tile_available")
    for tile in ("cathedral", "scriptorium"):
        game.reject(1, c.RecruitFollower("village", "trader", tile), "table.known_ids", "UNKNOWN_ID")


def test_orleans_village_place_tile_available__category_one_has_run_out() -> None:
    """Without tiles of category I a first trader cannot be recruited, a second one can (p. 5, 8)."""
    game = ready("trader").own(2, *CATEGORY_1)

    assert not any(isinstance(x, c.RecruitFollower) and x.character == "trader" for x in game.legal(1))
    game.reject(1, c.RecruitFollower("village", "trader"), "orleans.village.place_tile_available")
    game.reject(1, c.RecruitFollower("village", "trader", "school"), "orleans.village.first_trader")
    game.at(1, traders=1)
    game.do(1, c.RecruitFollower("village", "trader", "school"))


def test_orleans_village_place_tile_only_for_traders() -> None:
    """Other recruits bring no tile (p. 5)."""
    game = ready("boatman").fill(1, "castle")

    for place, character in (("village", "boatman"), ("village", "craftsman"), ("castle", "knight")):
        rule = "orleans.village.place_tile_only_for_traders"
        game.reject(1, c.RecruitFollower(place, character, "hayrick"), rule)
    assert len(game.t.place_tiles["1"].items) == 12


# --- University ----------------------------------------------------------------------------------------------


def test_orleans_university_scholar() -> None:
    """The University recruits only a scholar (p. 5)."""
    game = ready("scholar")

    assert game.legal(1) == [c.RecruitFollower("university", "scholar"), c.Pass()]


@pytest.mark.parametrize("position", [1, 2, 3, 4, 5])
def test_orleans_university_development(position: int) -> None:
    """2, 3, 4, 5 and 6 development points for the five scholars (p. 5)."""
    game = ready("scholar", scholars=position - 1, development=22)

    events = game.do(1, c.RecruitFollower("university", "scholar"))

    assert detail(events, e.FollowerRecruited).development == position + 1
    assert game.seat(1).development.value == 22 + position + 1


def test_orleans_university_development__passes_a_coin_space() -> None:
    """The points of a scholar collect coins like all others (p. 5, 6)."""
    game = ready("scholar", development=6, coins=0)

    events = game.do(1, c.RecruitFollower("university", "scholar"))

    assert game.seat(1).coins.value == 3
    assert detail(events, e.DevelopmentAdvanced) == e.DevelopmentAdvanced(position=8, status=2, coins=3, citizens=0)


# --- Castle --------------------------------------------------------------------------------------------------


def test_orleans_castle_knight() -> None:
    """The Castle recruits only a knight (p. 5)."""
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
    """The first seat with a fourth knight gets the citizen; later seats and a fifth knight get none (p. 5)."""
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


def test_orleans_castle_fourth_knight__not_the_third() -> None:
    """The third knight does not bring the citizen (p. 5)."""
    game = ready("knight", knights=2)

    game.do(1, c.RecruitFollower("castle", "knight"))

    assert not game.seat(1).citizens.items
    assert game.t.track_citizens["knights"].counts() == {"citizen": 1}


# --- Monastery -----------------------------------------------------------------------------------------------


def test_orleans_monastery_monk() -> None:
    """Any number of monks may be recruited; they bring nothing else (p. 5)."""
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
    """Pilgrimage closes the Monastery for the round, and no other place (p. 7)."""
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
