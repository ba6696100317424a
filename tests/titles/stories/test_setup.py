"""The set-up of The Settlers."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.titles.stories.invariants import check_components
from tests.titles.stories.kit import StoriesGame, detail

from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.cards import GOODS
from boardkeeper.titles.stories.material import box

PLAYERS = (2, 3, 4)
ROWS = {
    4: (40, 36, 24, 24, 24, 20, 12, 12, 10, 18, 18),
    3: (30, 27, 18, 18, 18, 15, 10, 10, 9, 14, 14),
    2: (20, 18, 12, 12, 12, 10, 8, 8, 8, 9, 9),
}
"""The rulebook's table. It does not show which row belongs to which component."""


@pytest.mark.parametrize("players", PLAYERS)
def test_stories_setup_settlers(players: int) -> None:
    """Of twelve settlers one is on the village, one on each track, eight in the supply, one in the box."""
    game = StoriesGame(players)
    for seat in game.t.seats:
        assert seat.settlers.counts() == {seat.settler: 8}
        assert seat.on_tracks.counts() == {seat.settler: 2}
        assert game.t.box.items[seat.settler] == 1
        assert [area.id for area in game.t.areas.values() if seat.settler in area.pile.items] == [
            find_home(game, seat.number)
        ]


def find_home(game: StoriesGame, seat: int) -> str:
    """Return the first village of a seat."""
    return game.data.start_villages(len(game.t.seats))[seat - 1]


@pytest.mark.parametrize(("players", "supply"), [(2, 3), (3, 4), (4, 4)])
def test_stories_setup_fortresses(players: int, supply: int) -> None:
    """A fortress on each first village; four in the supply, with two players three."""
    game = StoriesGame(players)
    for seat in game.t.seats:
        assert seat.fortresses.counts() == {seat.fortress: supply}
        assert game.area(find_home(game, seat.number)).fortified_by() == seat.number
        assert game.t.box.items.get(seat.fortress, 0) == 4 - supply


@pytest.mark.parametrize("players", PLAYERS)
def test_stories_setup_followers(players: int) -> None:
    """Two farmers, two fishermen, a craftsman and a trader on the market, no follower in the bag."""
    game = StoriesGame(players)
    for seat in game.t.seats:
        assert seat.market.counts() == {"farmer": 2, "fisherman": 2, "craftsman": 1, "trader": 1}
        assert not seat.bag.items


@pytest.mark.parametrize("players", PLAYERS)
def test_stories_setup_goods(players: int) -> None:
    """A grain and a fish from the market."""
    game = StoriesGame(players)
    for seat in game.t.seats:
        assert seat.goods.counts() == {"grain": 1, "fish": 1}
    for good in GOODS:
        taken = players if good in ("grain", "fish") else 0
        assert game.t.goods_market.items[good] == game.data.supplies[players][good] - taken


@pytest.mark.parametrize("players", PLAYERS)
def test_stories_setup_coins(players: int) -> None:
    assert [seat.coins.value for seat in StoriesGame(players).t.seats] == [0] * players


@pytest.mark.parametrize("players", PLAYERS)
def test_stories_setup_fame(players: int) -> None:
    """All seats start on space 1 of the fame track, in era I, without citizens."""
    for seat in StoriesGame(players).t.seats:
        assert (seat.fame.value, seat.era_reached.value, seat.citizens.value) == (1, 1, 0)
        assert not any((seat.carried_out.value, seat.peace.value, seat.fame_due.value))


def test_stories_setup_seats() -> None:
    for players in PLAYERS:
        assert len(StoriesGame(players).t.seats) == players
    for players in (1, 5):
        with pytest.raises((KeyError, ValueError)):
            StoriesGame(players)


def test_stories_setup_data_set() -> None:
    """Another data set assigns the rows of the table to other stacks."""
    other = StoriesGame(4, data_set="reconstructed-2").data.supplies[4]
    first = StoriesGame(4).data.supplies[4]
    assert other != first
    assert set(other.values()) == set(first.values()) == set(ROWS[4])


@pytest.mark.parametrize("players", PLAYERS)
def test_stories_setup_university(players: int) -> None:
    """Only the University is unlocked."""
    game = StoriesGame(players)
    locked = {"workshop", "castle", "monastery", "fortress_building", "church_building"}
    for seat in game.t.seats:
        assert seat.place_tiles.counts() == {"university": 1}
        assert seat.base_places.counts() == dict.fromkeys(locked, 1)


@pytest.mark.parametrize("players", PLAYERS)
def test_stories_setup_supply(players: int) -> None:
    """The numbers of the rulebook's table, in any order, and all twelve churches."""
    game = StoriesGame(players)
    check_components(game.play, players)
    assert set(game.data.supplies[players].values()) == set(ROWS[players])
    for component, count in game.data.supplies[players].items():
        in_play = game.components[component] - game.t.box.items.get(component, 0)
        assert in_play == count, component
    assert game.t.churches.counts() == {"church": 12}
    if players == 4:
        tiles = game.data.supplies[4]
        assert sum(tiles[good] for good in GOODS) == 184
        assert sum(tiles[follower] for follower in game.data.followers) == 126


@pytest.mark.parametrize("players", PLAYERS)
def test_stories_setup_events(players: int) -> None:
    """Place cards by category, event cards in four piles of eight, empty deeds."""
    game = StoriesGame(players)
    assert {category: pile.total() for category, pile in game.t.cards.items()} == {"I": 8, "II": 8, "III": 8}
    assert sum(pile.total() for pile in game.t.events.values()) + game.t.turned_now.total() == 32
    assert not any(pile.items for pile in game.t.deeds.values())


@pytest.mark.parametrize(("players", "spaces"), [(2, 15), (3, 22), (4, 29)])
def test_stories_setup_landscapes(players: int, spaces: int) -> None:
    """Random landscapes on all spaces without a village; the other tiles of 25 stay aside."""
    dealt = []
    for seed in ("one", "another"):
        game = StoriesGame(players, seed=seed)
        assert len(game.t.areas) == spaces
        on_map = detail(game.laid, e.TableLaid).landscapes
        assert len(on_map) == spaces - players
        for area, landscape in on_map.items():
            assert landscape in game.area(area).pile.items
        tiles = Counter(on_map.values()) + Counter(game.t.landscapes.counts())
        assert tiles == dict.fromkeys(("field", "lake", "pasture", "forest", "hill"), 5)
        dealt.append(on_map)
    assert dealt[0] != dealt[1]


@pytest.mark.parametrize("players", PLAYERS)
def test_stories_setup_landscapes__column_by_column(players: int) -> None:
    """Tiles are dealt from the left, each column from top to bottom."""
    game = StoriesGame(players)
    dealt = list(detail(game.laid, e.TableLaid).landscapes)
    assert dealt == sorted(dealt)


@pytest.mark.parametrize("players", PLAYERS)
def test_stories_setup_start_villages(players: int) -> None:
    """Each seat has its own village, not adjacent to another one."""
    game = StoriesGame(players)
    homes = [find_home(game, seat) for seat in range(1, players + 1)]
    assert len(set(homes)) == players
    assert [area.id for area in game.t.areas.values() if area.is_village()] == sorted(homes)
    for area in homes:
        assert not set(homes) & set(game.area(area).neighbours)


def test_stories_setup_start_player() -> None:
    """The dice choose the start player."""
    seats = [
        detail(StoriesGame(4, seed=str(n), start_player="host_or_random").laid, e.TableLaid).start_seat
        for n in range(24)
    ]
    assert set(seats) == {1, 2, 3, 4}


def test_stories_setup_youngest() -> None:
    """Reading ``start_player``: the first seat begins; the creator of the game puts the youngest player there."""
    for seed in "abcdef":
        game = StoriesGame(3, seed=seed, start_player="youngest_named")
        assert detail(game.laid, e.TableLaid).start_seat == game.t.start.value == 1


def test_stories_setup_start_player__acts_first() -> None:
    game = next(
        game
        for game in (StoriesGame(3, seed=str(n), start_player="host_or_random") for n in range(20))
        if game.t.start.value == 3
    )
    game.idle_until("actions")
    assert game.deciding() == [3]


def test_stories_setup_material() -> None:
    """Each story has only its own cards and tiles."""
    settlers, nations = StoriesGame(), StoriesGame(4, "england-vs-france")
    assert len(settlers.data.events) == 32
    assert not nations.data.events
    assert len(nations.data.fame_tiles) == 12
    assert len(nations.data.missions) == 8
    assert len(nations.data.messages) == 12
    for data in (settlers.data.fame_tiles, settlers.data.missions, settlers.data.messages):
        assert not data


@pytest.mark.parametrize(("edition", "towns"), [("settlers", {}), ("england-vs-france", {"town_1": 1, "town_2": 1})])
def test_stories_setup_material__of_each_seat(edition: str, towns: dict[str, int]) -> None:
    """The box always has the pieces of four seats, and each town once."""
    contents = box(StoriesGame(4, edition).data)
    pieces = {f"settler.{seat}": 12 for seat in range(1, 5)} | {f"fortress.{seat}": 5 for seat in range(1, 5)}
    tokens = {f"start.{seat}": 1 for seat in range(1, 5)}
    kinds = ("settler.", "fortress.", "start.", "town_")
    assert {id: count for id, count in contents.items() if id.startswith(kinds)} == pieces | tokens | towns
