"""England vs. France: the set-up and the first rounds."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.titles.stories.invariants import check_components
from tests.titles.stories.kit import detail
from tests.titles.stories.nations import NationsGame, set_up_nations

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.cards import CATEGORIES
from boardkeeper.titles.stories.data import MANOR, START_VILLAGE
from boardkeeper.titles.stories.offers import DeedOffer

SEATS = (1, 2, 3, 4)


def test_stories_setup_nations_map() -> None:
    """Two towns, and all landscapes with two manor farms dealt to the other 27 spaces."""
    game = set_up_nations()
    assert (len(game.t.areas), len(game.t.towns)) == (27, 2)
    for id, town in game.t.towns.items():
        assert game.counts(f"area.{id}")[game.data.towns[id]] == 1
        assert len(town.neighbours) == 6
    tiles = Counter(tile for area in game.t.areas.values() for tile in area.pile.items)
    assert tiles == {"field": 5, "lake": 5, "pasture": 5, "forest": 5, "hill": 5, MANOR: 2}
    assert not game.t.landscapes.items


def test_stories_setup_nations_map__by_columns_from_the_left() -> None:
    """Tiles are dealt at random in order of the columns from left to right, from top to bottom, publicly."""
    events = set_up_nations().laid
    dealt = detail(events, e.TableLaid).landscapes
    assert list(dealt) == sorted(dealt)
    assert len(dealt) == 27
    other = detail(set_up_nations("another").laid, e.TableLaid).landscapes
    assert other != dealt
    assert Counter(other.values()) == Counter(dealt.values())


def test_stories_setup_nations_map__no_start_villages() -> None:
    """No seat has a village, an area, a church or a fortress on the map."""
    game = set_up_nations()
    assert START_VILLAGE not in game.components
    for area in game.t.areas:
        assert game.stands_on(area) == {}
        assert not game.area(area).is_village()


@pytest.mark.parametrize("seat", SEATS)
def test_stories_setup_nations_settlers(seat: int) -> None:
    """Of twelve settlers two are on tracks, two in each town, and six in the supply."""
    game = set_up_nations()
    mine = game.seat(seat)
    assert mine.on_tracks.counts() == {f"settler.{seat}": 2}
    assert mine.settlers.counts() == {f"settler.{seat}": 6}
    assert all(town.pile.items[f"settler.{seat}"] == 2 for town in game.t.towns.values())
    assert f"settler.{seat}" not in game.counts("box")


@pytest.mark.parametrize("seat", SEATS)
def test_stories_setup_nations_fortresses(seat: int) -> None:
    """One of five fortresses stays in the box."""
    game = set_up_nations()
    assert game.seat(seat).fortresses.counts() == {f"fortress.{seat}": 4}
    assert game.counts("box")[f"fortress.{seat}"] == 1


@pytest.mark.parametrize("seat", SEATS)
def test_stories_setup_nations_coins(seat: int) -> None:
    """One coin, no goods, six followers on the market, era I, and fame 0."""
    mine = set_up_nations().seat(seat)
    assert (mine.coins.value, mine.fame.value, mine.era_reached.value) == (1, 0, 1)
    assert not mine.goods.items
    assert mine.market.counts() == {"farmer": 2, "fisherman": 2, "craftsman": 1, "trader": 1}


@pytest.mark.parametrize("seat", SEATS)
def test_stories_setup_nations_places(seat: int) -> None:
    """All six base places are unlocked."""
    game = set_up_nations()
    mine = game.seat(seat)
    assert sorted(mine.place_tiles.items) == sorted(game.data.base_places)
    assert len(game.data.base_places) == 6
    assert not mine.base_places.items


def test_stories_setup_towns() -> None:
    """The data set gives the spaces of the towns, one on each bank."""
    game = set_up_nations()
    assert game.data.towns == {"c2r3": "town_1", "c6r2": "town_2"}
    assert [town.cell.side for town in game.t.towns.values()] == ["south", "north"]


def test_stories_setup_supply__in_england_vs_france() -> None:
    """All tiles and cards are used; the followers of the seats come from the stacks."""
    game = set_up_nations()
    t = game.t
    assert t.supply.counts()["farmer"] == 24 - 8
    assert t.goods_market.counts() == {
        "grain": 40, "fish": 36, "cheese": 24, "wood": 24, "wine": 24, "bread": 18, "brocade": 18
    }  # fmt: skip
    assert sum(t.cards[category].total() for category in CATEGORIES) == 24
    check_components(game.play, 4)
    assert t.event.value == ""


@pytest.mark.parametrize("seed", [str(number) for number in range(20)])
def test_stories_bonus_tiles_setup(seed: str) -> None:
    """Three bonus tiles are open, never the malus, which is in the stack with the six others."""
    game = set_up_nations(seed)
    open_tiles = [tile for pile in game.t.bonus.values() for tile in pile.items]
    assert [pile.total() for pile in game.t.bonus.values()] == [1, 1, 1]
    assert "malus_food" not in open_tiles
    assert game.t.bonus_stack.counts()["malus_food"] == 1
    assert game.t.bonus_stack.total() == 7
    assert not game.t.aside.items
    assert len(game.data.bonus_tiles) == 10


def test_stories_drawing_first_round() -> None:
    """No followers are drawn in the first round: they are on the market and are planned at once."""
    game = set_up_nations()
    game.idle(*SEATS)
    assert game.t.round.value == 1
    assert {game.decision(seat) for seat in SEATS} == {"plan"}
    assert not any(game.seat(seat).bag.items for seat in SEATS)


@pytest.mark.parametrize(("era", "draw"), [(1, 5), (2, 6), (3, 7)])
def test_stories_drawing_limit__of_the_era(era: int, draw: int) -> None:
    """From the second round on, the era gives the number of followers drawn."""
    assert NationsGame().data.eras[era].draw == draw
    game = NationsGame().era(2, era).market(2).bag(2, farmer=4, fisherman=4)
    game.enter("followers")
    assert max(command.count for command in game.listed(2, c.DrawFollowers)) == draw


def test_stories_end_everybody_is_asked__in_every_round() -> None:
    """The number of rounds is unlimited."""
    game = set_up_nations()
    game.idle(*SEATS)
    for round in range(2, 21):
        game.idle_round()
        assert game.t.round.value == round
        assert game.t.start.value == (round - 1) % 4 + 1
    assert not game.play.is_over()


def test_stories_deeds_completion() -> None:
    """The last follower of a deed brings only the reward of its space."""
    game = NationsGame().on_deed("alchemy", scholar=1, monk=1).fill(1, "town_hall", "craftsman", "")
    sent = game.act(1, c.SendToDeed("town_hall", "any", "alchemy"))
    reward = detail(sent, e.FollowerSentToDeed)
    assert (reward.coins, reward.completed, reward.citizens) == (2, True, 0)
    assert game.seat(1).coins.value == 1 + 2
    assert game.seat(1).citizens.value == 0


def test_stories_deeds_completion_coins() -> None:
    """Reading ``deed_completion_evf``: three coins more, also in the offer."""
    game = NationsGame(deed_completion_evf="coins_3").on_deed("alchemy", scholar=1)
    game.fill(1, "town_hall", "monk", "craftsman")
    game.enter("actions")
    sending = [c.SendToDeed("town_hall", space, "alchemy") for space in ("any", "any_2")]
    offered = DeedOffer("town_hall", "any", "monk", "alchemy", 0, 2, completes=False)
    assert game.play.offer(1, sending[0]) == offered
    first = game.do(1, sending[0])
    assert detail(first, e.FollowerSentToDeed).coins == 0
    offered = DeedOffer("town_hall", "any_2", "craftsman", "alchemy", 2 + 3, 0, completes=True)
    assert game.play.offer(1, sending[1]) == offered
    last = game.do(1, c.SendToDeed("town_hall", "any_2", "alchemy"))
    assert detail(last, e.FollowerSentToDeed).coins == 2 + 3
    assert game.seat(1).coins.value == 1 + 2 + 3
    assert game.seat(1).fame.value == 2
