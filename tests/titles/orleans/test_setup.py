"""Setup: the table before the first decision."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans.title import TITLE

GOODS = ("grain", "cheese", "wine", "wool", "brocade")
TRACKS = ("farmers", "boatmen", "craftsmen", "traders", "knights", "scholars")
DEEDS = (
    "city_wall",
    "papal_conclave",
    "defeat_plague",
    "astronomy",
    "boatmen_guild",
    "cathedral",
    "peace_treaty",
    "canalization",
)
MARKED_FOUR = {"le_mans_chartres", "etampes_montargis", "saint_amand_nevers", "chatellerault_argenton"}
"""The roads and waterways with a second goods space that is marked 4."""
MARKED_THREE = {
    "le_mans_tours_road",
    "orleans_vierzon_road",
    "orleans_briare_water",
    "briare_sancerre_water",
    "chinon_le_blanc_water",
}
"""The roads and waterways with a second goods space that is marked 3."""


def goods_on(game: OrleansGame, *prefixes: str) -> dict[str, int]:
    """Return the goods in all zones whose ids have one of these prefixes."""
    found = dict.fromkeys(GOODS, 0)
    for id, zone in game.table.zones.items():
        if id.startswith(prefixes):
            for good in GOODS:
                found[good] += zone.counts().get(good, 0)
    return found


def ways_with(game: OrleansGame, goods: int) -> set[str]:
    """Return the roads and waterways with this number of goods."""
    return {way for way, pile in game.t.ways.items() if pile.total() == goods}


def supply(players: int) -> dict[str, int]:
    """Return the supply of followers after the setup."""
    return OrleansGame(players).t.supply.counts()


# --- seats -------------------------------------------------------------------------------------------------


def test_orleans_setup_seats() -> None:
    """A game has two to five players (p. 2)."""
    for players in (2, 3, 4, 5):
        assert len(OrleansGame(players).board(0).seats) == players
    for players in (0, 1, 6):
        with pytest.raises(ChoiceError):
            complete(TITLE.meta, Setup("capstone-2021", players))
        with pytest.raises(ValueError, match="players"):
            TITLE.layout(Setup("capstone-2021", players))


def test_orleans_setup_seats__first_printings() -> None:
    """The first printings have components for four players (German rulebook, components)."""
    for players in (2, 3, 4):
        assert TITLE.layout(Setup("dlp-2014", players)).seats == players
    with pytest.raises(ValueError, match="players"):
        TITLE.layout(Setup("dlp-2014", 5))


def test_orleans_setup_coins() -> None:
    """Each seat begins with five coins (p. 2)."""
    assert [seat.coins.value for seat in OrleansGame(5).t.seats] == [5] * 5


def test_orleans_setup_stations() -> None:
    """Each seat has ten trading stations of its color, none of them built (p. 2)."""
    game = OrleansGame(5)

    for seat in game.board(0).seats:
        assert (seat.stations_in_supply, seat.stations) == (10, ())
        assert game.counts(f"seat.{seat.seat}.stations") == {f"station.{seat.seat}": 10}


def test_orleans_setup_own_followers() -> None:
    """The four followers of the own color are on the market, not in the bag (p. 3)."""
    game = OrleansGame(5)

    for seat in game.t.seats:
        assert seat.market.counts() == {"own_farmer": 1, "own_boatman": 1, "own_craftsman": 1, "own_trader": 1}
        assert seat.bag.total() == 0


def test_orleans_setup_merchants() -> None:
    """All merchants are in Orléans (p. 3)."""
    assert [seat.merchant for seat in OrleansGame(5).board(0).seats] == ["orleans"] * 5


def test_orleans_setup_track_markers() -> None:
    """All markers are on the first spaces, so the development status is 1 (p. 2)."""
    for seat in OrleansGame(5).board(0).seats:
        assert seat.tracks == dict.fromkeys(TRACKS, 0)
        assert (seat.development, seat.status) == (0, 1)


# --- the hour glass ----------------------------------------------------------------------------------------


def turn_all(game: OrleansGame) -> list[tuple[str, str]]:
    """Play a game of idle seats, and return its 18 hour glass tiles in order."""
    tiles = [detail(game.laid, e.HourGlassTurned)]
    while not game.play.is_over():
        tiles += [event.detail for event in game.idle_round() if isinstance(event.detail, e.HourGlassTurned)]
    return [(tile.event, tile.strength) for tile in tiles]


def test_orleans_setup_hour_glass_piles() -> None:
    """The A tiles come before the B tiles and these before the C tiles; each letter is shuffled (p. 2-3)."""
    one, other = turn_all(OrleansGame(2, seed="one")), turn_all(OrleansGame(2, seed="other"))

    for tiles in (one, other):
        assert "".join(strength for _, strength in tiles[1:]) == "AAAAABBBBBBCCCCCC"
        for strength in "ABC":
            events = [event for event, letter in tiles if letter == strength]
            assert len(set(events)) == len(events)
    for part in (slice(1, 6), slice(6, 12), slice(12, 18)):
        assert one[part] != other[part]


def test_orleans_setup_hour_glass_split() -> None:
    """Each letter has all six events, except A: its Pilgrimage is the start tile (p. 2-3)."""
    tiles = turn_all(OrleansGame(2))
    five = {"income", "harvest", "taxes", "trading_day", "plague"}

    assert {event for event, strength in tiles if strength == "A"} == five
    assert {event for event, strength in tiles if strength == "B"} == five | {"pilgrimage"}
    assert {event for event, strength in tiles if strength == "C"} == five | {"pilgrimage"}


def test_orleans_setup_pilgrimage_on_top() -> None:
    """The light Pilgrimage tile is always on top (p. 2-3)."""
    for seed in "abcdefgh":
        tile = detail(OrleansGame(3, seed=seed).laid, e.HourGlassTurned)
        assert (tile.round, tile.event, tile.strength) == (1, "pilgrimage", "START")


# --- supplies ----------------------------------------------------------------------------------------------


def test_orleans_setup_neutral_followers_five() -> None:
    """Five players use all neutral followers (p. 8)."""
    assert supply(5) == {
        "farmer": 18,
        "boatman": 12,
        "craftsman": 12,
        "trader": 12,
        "knight": 17,
        "scholar": 17,
        "monk": 17,
    }


def test_orleans_setup_neutral_followers_four() -> None:
    """Four players use 88 neutral followers (p. 8)."""
    assert supply(4) == {
        "farmer": 16,
        "boatman": 10,
        "craftsman": 10,
        "trader": 10,
        "knight": 14,
        "scholar": 14,
        "monk": 14,
    }


def test_orleans_setup_neutral_followers_three() -> None:
    """Three players use 71 neutral followers (p. 8)."""
    assert supply(3) == {
        "farmer": 14,
        "boatman": 8,
        "craftsman": 8,
        "trader": 8,
        "knight": 11,
        "scholar": 11,
        "monk": 11,
    }


def test_orleans_setup_neutral_followers_two() -> None:
    """Two players use 54 neutral followers (p. 8)."""
    assert supply(2) == {
        "farmer": 12,
        "boatman": 6,
        "craftsman": 6,
        "trader": 6,
        "knight": 8,
        "scholar": 8,
        "monk": 8,
    }


def test_orleans_setup_technology() -> None:
    """Five players have 20 technology tiles; with fewer players four of them are not used (p. 2)."""
    assert [OrleansGame(players).board(0).technology for players in (2, 3, 4, 5)] == [16, 16, 16, 20]


def test_orleans_setup_unused_colors() -> None:
    """Followers and trading stations of a color without a seat stay in the box (p. 3)."""
    for players in (2, 3, 4, 5):
        game = OrleansGame(players)
        box = game.counts("box")
        in_play = [zone.counts() for id, zone in game.table.zones.items() if id != "box"]
        for character in ("farmer", "boatman", "craftsman", "trader"):
            assert sum(zone.get(f"own_{character}", 0) for zone in in_play) == players
            assert box.get(f"own_{character}", 0) == 5 - players
        stations = {id for zone in in_play for id in zone if id.startswith("station.")}
        assert stations == {f"station.{seat}" for seat in range(1, players + 1)}


# --- goods -------------------------------------------------------------------------------------------------


def test_orleans_setup_goods_removed_three() -> None:
    """Three players use 84 goods: six random ones are removed before the map is filled (p. 3, 8)."""
    games = [OrleansGame(3, seed=seed) for seed in "abcd"]

    for game in games:
        assert sum(goods_on(game, "box").values()) == 6
        assert sum(goods_on(game, "way.", "goods_market").values()) == 84
        assert sum(detail(game.laid, e.TableLaid).goods_removed.values()) == 6
    assert len({tuple(goods_on(game, "box").items()) for game in games}) > 1


def test_orleans_setup_goods_removed_two() -> None:
    """Two players use 78 goods: twelve random ones are removed before the map is filled (p. 3, 8)."""
    games = [OrleansGame(2, seed=seed) for seed in "abcd"]

    for game in games:
        assert sum(goods_on(game, "box").values()) == 12
        assert sum(goods_on(game, "way.", "goods_market").values()) == 78
        assert sum(detail(game.laid, e.TableLaid).goods_removed.values()) == 12
    assert len({tuple(goods_on(game, "box").items()) for game in games}) > 1


@pytest.mark.parametrize("players", [4, 5])
def test_orleans_setup_goods_on_map(players: int) -> None:
    """Four or five players fill all 52 goods spaces with random goods and remove none (p. 3)."""
    one, other = OrleansGame(players, seed="one"), OrleansGame(players, seed="other")

    assert sum(goods_on(one, "way.").values()) == 52
    assert {way.removesuffix("_road").removesuffix("_water") for way in ways_with(one, 2)} >= MARKED_FOUR
    assert len(ways_with(one, 2)) == len(MARKED_FOUR) + len(MARKED_THREE)
    assert ways_with(one, 1) | ways_with(one, 2) == set(one.t.ways)
    assert sum(goods_on(one, "box").values()) == 0
    assert [pile.counts() for pile in one.t.ways.values()] != [pile.counts() for pile in other.t.ways.values()]


def test_orleans_setup_spaces_marked_four() -> None:
    """With three players the four spaces marked 4 stay empty (p. 3)."""
    game = OrleansGame(3)

    assert sum(goods_on(game, "way.").values()) == 48
    assert ways_with(game, 2) == MARKED_THREE
    assert ways_with(game, 1) == set(game.t.ways) - MARKED_THREE


def test_orleans_setup_spaces_marked_three() -> None:
    """With two players all marked spaces stay empty, so each way has one good (p. 3)."""
    game = OrleansGame(2)

    assert sum(goods_on(game, "way.").values()) == 43
    assert ways_with(game, 1) == set(game.t.ways)


@pytest.mark.parametrize(("players", "left"), [(2, 35), (3, 36), (4, 38), (5, 38)])
def test_orleans_setup_goods_market(players: int, left: int) -> None:
    """The goods market has all goods that are neither on the map nor removed (p. 3)."""
    game = OrleansGame(players)

    assert sum(game.board(0).goods_market.values()) == left
    assert goods_on(game, "way.", "goods_market", "box") == {
        "grain": 24,
        "cheese": 21,
        "wine": 18,
        "wool": 15,
        "brocade": 12,
    }


# --- citizens, place tiles, start player --------------------------------------------------------------------


def test_orleans_setup_citizens() -> None:
    """Thirteen citizens are on marked spaces and deeds, one each, and the last one beside the board (p. 3)."""
    game = OrleansGame(2)
    homes = {f"track.development.{space}" for space in (3, 18, 28)} | {"track.boatmen", "track.knights"}
    homes |= {f"deed.{deed}" for deed in DEEDS}

    found = {id: zone.counts()["citizen"] for id, zone in game.table.zones.items() if "citizen" in zone.counts()}

    assert found == dict.fromkeys(homes | {"most_stations"}, 1)
    assert len(homes) == 13


def test_orleans_setup_place_tiles() -> None:
    """All place tiles are face up in the stacks of their categories (p. 3 and 7-8)."""
    board = OrleansGame(2).board(0)

    assert set(board.place_tiles_1) == {
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
    assert set(board.place_tiles_2) == {
        "shipping_line",
        "cellar",
        "office",
        "horse_wagon",
        "laboratory",
        "pharmacy",
        "gunpowder_tower",
        "school",
    }
    assert (len(board.place_tiles_1), len(board.place_tiles_2)) == (12, 8)


def test_orleans_setup_start_player() -> None:
    """The first seat stands for the youngest player (p. 3) and turns the first tile."""
    game = OrleansGame(3)

    assert game.board(0).start_seat == 1
    assert detail(game.laid, e.HourGlassTurned).start_seat == 1
