"""Town Hall and beneficial deeds: which followers go, the reward, and the citizen for a completed deed."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, named

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.offers import DeedOffer
from boardkeeper.titles.stories.tables import tables_of

DEEDS = tables_of("settlers")["deeds"]
SENDING = [
    pytest.param(deed, follower, id=f"{deed}-{follower}") for deed in DEEDS for follower in DEEDS[deed]["spaces"]
]


def create_town_hall_game(*followers: str, technology_on_open_spaces: str = "closed") -> StoriesGame:
    """Seat 1 acts with these followers in its Town Hall."""
    game = StoriesGame(technology_on_open_spaces=technology_on_open_spaces).bag(1).fill(1, "town_hall", *followers)
    game.enter("actions")
    return game


def send(deed: str, space: str = "any", reward: str = "coins") -> c.SendToDeed:
    """Send the follower on this space of the Town Hall."""
    return c.SendToDeed("town_hall", space, deed, reward)


def almost_complete(game: StoriesGame, deed: str, follower: str) -> StoriesGame:
    """Fill a deed except for one space of this follower."""
    for other, count in DEEDS[deed]["spaces"].items():
        game.on_deed(deed, **{other: count - (other == follower)})
    return game


# --- the Town Hall -------------------------------------------------------------------------------------------


def test_stories_town_hall_one_or_two() -> None:
    """One follower is enough for an action; the Town Hall has two spaces."""
    game = create_town_hall_game("farmer")
    game.do(1, send("food_depot"))
    assert game.deciding() == [2]
    assert len(game.data.places["town_hall"].spaces) == 2


@pytest.mark.parametrize("follower", ["farmer", "fisherman", "craftsman", "trader", "knight", "scholar", "monk"])
def test_stories_town_hall_any_character(follower: str) -> None:
    game = StoriesGame().market(1, **{follower: 2})
    game.enter("planning")
    game.do(1, c.PlaceFollower(follower, "town_hall", "any"), c.PlaceFollower(follower, "town_hall", "any_2"))


def test_stories_town_hall_both_in_one_action() -> None:
    """Both go in one action, to one deed or two; or the second one goes in a later action."""
    game = create_town_hall_game("farmer", "craftsman")
    game.do(1, send("food_depot", "any_2"))
    assert game.decision(1) == "deed"
    game.do(1, send("embankment"))
    assert game.deciding() == [2]
    assert game.t.deeds["food_depot"].counts() == {"craftsman": 1}
    assert game.t.deeds["embankment"].counts() == {"farmer": 1}

    game = create_town_hall_game("farmer", "craftsman")
    game.do(1, send("food_depot"), c.FinishDeeds())
    assert game.counts("seat.1.town_hall.any_2") == {"craftsman": 1}
    game.idle(2)
    game.do(1, send("food_depot", "any_2"))


def test_stories_town_hall_both_in_one_action__no_deed_accepts_the_follower() -> None:
    """The action ends if no deed accepts the second follower, and cannot begin if none accepts the first."""
    game = almost_complete(almost_complete(StoriesGame(), "food_depot", "farmer"), "embankment", "farmer")
    game.on_deed("embankment", farmer=1).on_deed("barter", farmer=1).fill(1, "town_hall", "farmer", "farmer")
    game.enter("actions")
    game.do(1, send("food_depot"))
    assert game.deciding() == [2]
    game.idle(2)
    assert game.legal(1) == [c.Pass()]


# --- deeds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("deed", "follower"), SENDING)
def test_stories_deeds_reward(deed: str, follower: str) -> None:
    """A sent follower brings the reward of its space at once."""
    coins, fame = DEEDS[deed]["coins"].get(follower, 0), DEEDS[deed]["fame"].get(follower, 0)
    game = create_town_hall_game(follower)
    offered = DeedOffer("town_hall", "any", follower, deed, coins, fame, completes=False)
    assert game.play.offer(1, send(deed)) == offered

    events = game.do(1, send(deed))

    sent = e.FollowerSentToDeed("town_hall", follower, deed, coins, fame, completed=False, citizens=0)
    assert detail(events, e.FollowerSentToDeed) == sent
    assert (game.seat(1).coins.value, game.seat(1).fame.value) == (coins, 1 + fame)
    assert game.t.deeds[deed].counts() == {follower: 1}
    assert bool(coins) != bool(fame)


@pytest.mark.parametrize(("deed", "follower"), SENDING)
def test_stories_deeds_citizen(deed: str, follower: str) -> None:
    """Only the seat that fills the last space receives a citizen."""
    game = almost_complete(StoriesGame(3), deed, follower).fill(1, "town_hall", follower)
    game.enter("actions")
    assert isinstance(offer := game.play.offer(1, send(deed)), DeedOffer)
    assert offer.completes

    events = game.do(1, send(deed))

    sent = detail(events, e.FollowerSentToDeed)
    assert (sent.completed, sent.citizens) == (True, 1)
    assert [seat.citizens.value for seat in game.t.seats] == [1, 0, 0]
    assert {other: game.t.completed[other].value for other in DEEDS} == {other: int(other == deed) for other in DEEDS}


def test_stories_deeds_follower_there() -> None:
    """An empty or unknown space is rejected."""
    game = create_town_hall_game("", "farmer")
    for space in ("any", "any_3"):
        game.reject(1, send("food_depot", space), "stories.deeds.follower_there", "SPACE_EMPTY")
    game.do(1, send("food_depot", "any_2"))


def test_stories_deeds_follower_there__not_technology() -> None:
    """Technology in the Town Hall (reading ``technology_on_open_spaces``) cannot be sent."""
    game = create_town_hall_game("technology", technology_on_open_spaces="open")
    assert game.legal(1) == [c.Pass()]
    game.reject(1, send("food_depot"), "stories.deeds.exact_character", "WRONG_CHARACTER")


def test_stories_deeds_exact_character() -> None:
    """A deed accepts only the characters that it shows; a monk cannot replace them."""
    game = create_town_hall_game("monk", "knight")
    game.reject(1, send("food_depot"), "stories.deeds.exact_character", "WRONG_CHARACTER")
    game.reject(1, send("food_depot", "any_2"), "stories.deeds.exact_character", "WRONG_CHARACTER")
    assert {command.deed for command in game.listed(1, c.SendToDeed) if command.space == "any"} == {
        "alchemy",
        "hospice",
    }


def test_stories_deeds_exact_character__no_replacement_by_place_cards() -> None:
    """School and Herb Garden do not help."""
    game = create_town_hall_game("scholar", "fisherman").own(1, "school", "herb_garden")
    game.reject(1, send("town_wall"), "stories.deeds.exact_character", "WRONG_CHARACTER")
    game.reject(1, send("embankment", "any_2"), "stories.deeds.exact_character", "WRONG_CHARACTER")


def test_stories_deeds_free_space() -> None:
    """The Food Depot has space for two farmers."""
    game = create_town_hall_game("farmer", "farmer").on_deed("food_depot", farmer=1)
    game.do(1, send("food_depot"))
    game.reject(1, send("food_depot", "any_2"), "stories.deeds.free_space", "DEED_FULL")


def test_stories_deeds_no_own_followers() -> None:
    """The followers of the start can be sent too."""
    game = StoriesGame()
    game.do(1, c.PlaceFollower("farmer", "town_hall", "any"))
    game.idle_until("actions")
    game.do(1, send("food_depot"))


def test_stories_deeds_reward_choice() -> None:
    game = create_town_hall_game("farmer")
    game.reject(1, send("food_depot", reward="fame"), "stories.deeds.reward_choice", "WRONG_REWARD")


def test_stories_deeds_same_place() -> None:
    """While the action of the Town Hall is open, no follower can be sent from another place."""
    game = create_town_hall_game("farmer", "farmer")
    game.do(1, send("food_depot"))
    rejection = game.reject(
        1, c.SendToDeed("farm", "fisherman", "food_depot"), "stories.deeds.same_place", "OTHER_PLACE"
    )
    assert rejection.values["under_way"] == "town_hall"


def test_stories_deeds_for_good() -> None:
    """Followers on a completed deed stay, and no other can be added."""
    game = almost_complete(StoriesGame(), "alchemy", "monk").fill(1, "town_hall", "monk", "craftsman")
    game.enter("actions")
    game.do(1, send("alchemy"))
    assert game.t.deeds["alchemy"].counts() == {"craftsman": 1, "scholar": 1, "monk": 1}
    game.reject(1, send("alchemy", "any_2"), "stories.deeds.free_space", "DEED_FULL")


def test_stories_deeds_turned_over() -> None:
    """Reading ``deeds_flip``: a completed deed is emptied once and filled again, for a second citizen."""
    game = almost_complete(StoriesGame(deeds_flip="yes"), "alchemy", "monk").fill(1, "town_hall", "monk", "craftsman")
    game.enter("actions")
    game.do(1, send("alchemy"))
    assert game.t.deeds["alchemy"].counts() == {}
    assert [game.t.removed.items[each] for each in ("craftsman", "scholar", "monk")] == [1, 1, 1]
    game.do(1, send("alchemy", "any_2"))
    assert game.t.deeds["alchemy"].counts() == {"craftsman": 1}

    game.on_deed("alchemy", scholar=1).fill(2, "town_hall", "monk").enter("actions", 2)
    game.do(2, send("alchemy"))
    assert game.t.deeds["alchemy"].total() == 3
    assert [seat.citizens.value for seat in game.t.seats] == [1, 1]
    assert game.t.completed["alchemy"].value == 2


def test_stories_deeds_reward__reaches_a_fame_bonus() -> None:
    """The bonus of the first follower is chosen after the second one was sent."""
    game = create_town_hall_game("craftsman", "farmer").fame(1, 3)
    game.do(1, send("food_depot"))
    assert (game.decision(1), game.seat(1).fame_due.value) == ("deed", 1)
    game.do(1, send("food_depot", "any_2"))
    assert game.decision(1) == "fame_bonus"
    game.do(1, c.TakeCitizen())
    assert game.deciding() == [2]


def test_stories_deeds_reward__reaches_two_fame_bonuses() -> None:
    game = create_town_hall_game("scholar", "monk").fame(1, 6)
    game.do(1, send("alchemy"), send("hospice", "any_2"))
    assert (game.seat(1).fame.value, game.seat(1).fame_due.value) == (10, 2)
    game.do(1, c.UnlockPlace("castle"), c.UnlockPlace("monastery"))
    assert game.deciding() == [2]
    assert {"castle", "monastery"} < set(game.seat(1).place_tiles.items)


def test_stories_deeds_citizen__food_depot() -> None:
    """The completed Food Depot ends hunger for all seats permanently."""
    for reading in ("no", "yes"):
        game = almost_complete(StoriesGame(deeds_flip=reading), "food_depot", "farmer").era(1, 2).era(2, 2)
        game.goods(1).goods(2).fill(1, "town_hall", "farmer").enter("actions")
        game.do(1, send("food_depot"))
        events = game.enter("round_bonus")
        assert not named(events, "GoodsMissing")
        assert game.t.phase.value == "planning"


@pytest.mark.parametrize("deed", [deed for deed in DEEDS if deed != "food_depot"])
def test_stories_deeds_citizen__other_deeds_do_not_end_hunger(deed: str) -> None:
    follower = next(iter(DEEDS[deed]["spaces"]))
    game = almost_complete(StoriesGame(), deed, follower).era(1, 2).goods(1).fill(1, "town_hall", follower)
    game.enter("actions")
    game.do(1, send(deed))
    assert named(game.enter("round_bonus"), "GoodsMissing")
