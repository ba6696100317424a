"""The Town Hall and the beneficial deeds."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans.meta import sentence

HALL = "town_hall"
DEEDS = {
    "city_wall": (1, {"knight": 3, "trader": 1, "farmer": 3, "craftsman": 3}),
    "papal_conclave": (3, {"monk": 2, "knight": 1}),
    "defeat_plague": (2, {"scholar": 2, "boatman": 1, "farmer": 1, "trader": 1}),
    "astronomy": (1, {"scholar": 2, "trader": 1}),
    "boatmen_guild": (1, {"scholar": 1, "boatman": 3}),
    "cathedral": (2, {"craftsman": 2, "monk": 2, "trader": 2}),
    "peace_treaty": (2, {"monk": 1, "scholar": 1, "knight": 2}),
    "canalization": (1, {"boatman": 3, "trader": 2, "farmer": 3, "craftsman": 2}),
}
"""Coins for each follower and spaces of each deed, as printed on the board."""


def hall(*followers: str, players: int = 2) -> OrleansGame:
    """Create a game in which seat 1 acts with these followers in its Town Hall."""
    game = OrleansGame(players).at(1, coins=0).bag(1).fill(1, HALL, *followers)
    game.enter("actions")
    return game


def send(deed: str, space: str = "any", reward: str = "coins") -> c.SendToDeed:
    """Return the command that sends the follower of a space of the Town Hall."""
    return c.SendToDeed(HALL, space, deed, reward)


# --- the Town Hall -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("followers", [("knight", ""), ("", "knight")])
def test_orleans_town_hall_one_or_two(followers: tuple[str, str]) -> None:
    """A single follower on either space activates the Town Hall (p. 5)."""
    game = hall(*followers)

    events = game.do(1, send("city_wall", "any" if followers[0] else "any_2"))

    assert detail(events, e.FollowerSentToDeed).follower == "knight"
    assert game.deciding() == [2]


def test_orleans_town_hall_one_or_two__two_at_most() -> None:
    """The Town Hall has room for two followers; without any it is not activated (p. 5)."""
    game = OrleansGame(2).market(1, knight=3)
    game.enter("planning")

    game.do(1, c.PlaceFollower("knight", HALL, "any"), c.PlaceFollower("knight", HALL, "any_2"))

    assert not any(isinstance(x, c.PlaceFollower) and x.place == HALL for x in game.legal(1))
    game.reject(1, c.PlaceFollower("knight", HALL, "any"), "orleans.planning.free_space")
    game = hall("", "")
    game.reject(1, send("city_wall"), "orleans.actions.activated")


@pytest.mark.parametrize("character", ["farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk"])
def test_orleans_town_hall_any_character(character: str) -> None:
    """Both spaces take neutral followers of all seven characters (p. 5)."""
    game = OrleansGame(2).market(1, **{character: 2})
    game.enter("planning")

    game.do(1, c.PlaceFollower(character, HALL, "any_2"), c.PlaceFollower(character, HALL, "any"))


@pytest.mark.parametrize("character", ["farmer", "boatman", "craftsman", "trader"])
def test_orleans_town_hall_no_own_followers(character: str) -> None:
    """The four marked followers are rejected, a neutral follower of the same character is not (p. 5)."""
    game = OrleansGame(2).market(1, **{character: 1, f"own_{character}": 1})
    game.enter("planning")

    for space in ("any", "any_2"):
        game.reject(1, c.PlaceFollower(f"own_{character}", HALL, space), "orleans.town_hall.no_own_followers")
    game.do(1, c.PlaceFollower(character, HALL, "any"))


def test_orleans_town_hall_both_in_one_action() -> None:
    """Both followers go to different deeds before the next seat acts (p. 5)."""
    game = hall("knight", "scholar")

    game.do(1, send("city_wall"))
    assert game.deciding() == [1]
    game.do(1, send("astronomy", "any_2"))

    assert game.deciding() == [2]
    assert game.seat(1).coins.value == 2
    assert not game.seat(1).bag.items


def test_orleans_town_hall_both_in_one_action__or_one_now_and_one_later() -> None:
    """The second follower may stay on its space until a later action sends it (p. 5)."""
    game = hall("knight", "scholar")
    game.do(1, send("astronomy", "any_2"))
    game.do(1, c.FinishDeeds())

    assert game.deciding() == [2]
    assert game.counts("seat.1.town_hall.any") == {"knight": 1}
    assert not game.seat(1).bag.items
    game.idle(2)
    game.do(1, send("peace_treaty"))
    assert game.deciding() == [1]
    assert game.seat(1).estate().free() & game.t.data.places[HALL].mask == game.t.data.places[HALL].mask


def test_orleans_town_hall_both_in_one_action__in_the_next_round() -> None:
    """A follower that was not sent stays in the Town Hall for the next round (p. 4, 5)."""
    game = hall("knight", "scholar").turn(4, "income", "A").next_tile("income", "B")
    game.do(1, send("astronomy", "any_2"))
    game.do(1, c.FinishDeeds())
    game.idle_round()
    game.idle_until("actions")
    game.idle(2)

    game.do(1, send("peace_treaty"))


def test_orleans_town_hall_both_in_one_action__no_deed_for_the_second() -> None:
    """If no deed needs the second follower, the action ends without a decision (p. 5)."""
    game = hall("knight", "monk")
    game.on_deed("papal_conclave", monk=2).on_deed("cathedral", monk=2).on_deed("peace_treaty", monk=1)

    game.do(1, send("city_wall"))

    assert game.deciding() == [2]
    assert game.counts("seat.1.town_hall.any_2") == {"monk": 1}


def test_orleans_town_hall_both_in_one_action__no_other_action_between() -> None:
    """Other commands are rejected between the two followers of one action (p. 4, 5)."""
    game = hall("knight", "scholar").fill(1, "guildhall")
    game.do(1, send("city_wall"))

    game.reject(1, c.UsePlace("guildhall"), "table.wrong_decision")
    game.reject(1, c.Pass(), "table.wrong_decision")
    game.do(1, c.FinishDeeds())


# --- the deeds -----------------------------------------------------------------------------------------------


def test_orleans_deeds_follower_there() -> None:
    """No follower is sent from an empty space or from an unknown one (p. 5)."""
    game = hall("knight", "")

    for space in ("any_2", "any_3", "knight"):
        game.reject(1, send("city_wall", space), "orleans.deeds.follower_there")


def test_orleans_deeds_follower_there__not_twice() -> None:
    """The first follower cannot be sent again in the same action (p. 5)."""
    game = hall("knight", "scholar")
    game.do(1, send("city_wall"))

    game.reject(1, send("papal_conclave"), "orleans.deeds.follower_there")


@pytest.mark.parametrize("character", ["farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk"])
def test_orleans_deeds_exact_character(character: str) -> None:
    """A follower goes only to the deeds that show its character; a monk does not stand in (p. 5)."""
    game = hall(character)
    takers = {deed for deed, (_, spaces) in DEEDS.items() if character in spaces}

    assert {x.deed for x in game.legal(1) if isinstance(x, c.SendToDeed)} == takers
    for deed in DEEDS.keys() - takers:
        game.reject(1, send(deed), "orleans.deeds.exact_character")
    game.reject(1, send("pyramids"), "table.known_ids", "UNKNOWN_ID")


@pytest.mark.parametrize(
    ("tile", "follower", "deed"), [("herb_garden", "boatman", "city_wall"), ("school", "scholar", "canalization")]
)
def test_orleans_deeds_exact_character__no_stand_ins(tile: str, follower: str, deed: str) -> None:
    """Herb Garden and School do not apply to deeds (p. 5, 8)."""
    game = hall(follower).own(1, tile)

    game.reject(1, send(deed), "orleans.deeds.exact_character")


def test_orleans_deeds_free_space() -> None:
    """The city wall has three farmers and takes no fourth, but it takes knights (p. 5)."""
    game = hall("farmer", "knight").on_deed("city_wall", farmer=3)

    game.reject(1, send("city_wall"), "orleans.deeds.free_space")

    game.do(1, send("city_wall", "any_2"))


def test_orleans_deeds_free_space__taken_within_the_action() -> None:
    """Astronomy has only one space for a trader (p. 5)."""
    game = hall("trader", "trader")
    game.do(1, send("astronomy"))

    game.reject(1, send("astronomy", "any_2"), "orleans.deeds.free_space")


def test_orleans_deeds_no_own_followers() -> None:
    """From the Gunpowder Tower, too, only a neutral follower is sent (p. 5, 8)."""
    game = OrleansGame(2).own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "own_farmer", "farmer")
    game.enter("actions")
    tower = "gunpowder_tower"

    for deed in ("city_wall", "canalization", "defeat_plague"):
        game.reject(1, c.SendToDeed(tower, "any", deed), "orleans.deeds.no_own_followers")
    game.do(1, c.SendToDeed(tower, "any_2", "city_wall"))

    assert game.deciding() == [2]
    assert game.counts("place.gunpowder_tower.any") == {"own_farmer": 1}


@pytest.mark.parametrize("deed", DEEDS)
def test_orleans_deeds_reward(deed: str) -> None:
    """Each follower brings the coins of its deed, for all characters (p. 5)."""
    coins, spaces = DEEDS[deed]
    for character in spaces:
        game = hall(character)
        events = game.do(1, send(deed))

        assert detail(events, e.FollowerSentToDeed).coins == coins
        assert game.seat(1).coins.value == coins
        assert game.counts(f"deed.{deed}") == {"citizen": 1, character: 1}


def test_orleans_deeds_reward__for_each_of_two() -> None:
    """Two followers in one action are rewarded twice (p. 5)."""
    game = hall("monk", "monk")

    game.do(1, send("papal_conclave"))
    game.do(1, send("cathedral", "any_2"))

    assert game.seat(1).coins.value == 5


@pytest.mark.parametrize(
    ("rewards", "coins", "development"),
    [
        (("coins", "coins"), 2, 0),
        (("coins", "development"), 1, 1),
        (("development", "coins"), 1, 1),
        (("development", "development"), 0, 2),
    ],
)
def test_orleans_deeds_canalization(rewards: tuple[str, str], coins: int, development: int) -> None:
    """A coin or a development point, chosen for each follower (p. 5)."""
    game = hall("farmer", "boatman")

    game.do(1, send("canalization", "any", rewards[0]))
    game.do(1, send("canalization", "any_2", rewards[1]))

    assert game.seat(1).coins.value == coins
    assert game.seat(1).development.value == development


def test_orleans_deeds_canalization__onto_a_coin_space() -> None:
    """A development point of the canalization reaches a coin space like any other (p. 5, 6)."""
    game = hall("farmer").at(1, development=11)

    game.do(1, send("canalization", "any", "development"))

    assert game.seat(1).coins.value == 4


def test_orleans_deeds_reward_choice() -> None:
    """Seven deeds bring only coins, and no deed brings other rewards (p. 5)."""
    for deed, (_, spaces) in DEEDS.items():
        game = hall(next(iter(spaces)))
        if deed != "canalization":
            game.reject(1, send(deed, reward="development"), "orleans.deeds.reward_choice")
        for reward in ("", "citizen"):
            game.reject(1, send(deed, reward=reward), "orleans.deeds.reward_choice")


@pytest.mark.parametrize("deed", DEEDS)
def test_orleans_deeds_citizen(deed: str) -> None:
    """The follower on the last free space brings the citizen and the coins (p. 5)."""
    coins, spaces = DEEDS[deed]
    last = min(spaces, key=lambda character: spaces[character])
    filled = {character: count - (character == last) for character, count in spaces.items()}
    second = next(character for character in spaces if character != last)
    filled[second] -= 1
    game = OrleansGame(5).at(1, coins=0).on_deed(deed, **filled).fill(1, HALL, last, second)
    game.enter("actions")

    events = game.do(1, send(deed))
    assert not detail(events, e.FollowerSentToDeed).completed
    assert not game.seat(1).citizens.items
    events = game.do(1, send(deed, "any_2"))

    assert detail(events, e.FollowerSentToDeed).completed
    assert game.seat(1).citizens.counts() == {"citizen": 1}
    assert game.counts(f"deed.{deed}") == spaces
    assert game.seat(1).coins.value == 2 * coins


def test_orleans_deeds_citizen__for_the_last_follower_not_for_the_most() -> None:
    """The seat that fills the last space gets the citizen, even if another seat filled all others (p. 5)."""
    game = OrleansGame(2).fill(1, HALL, "scholar", "scholar").fill(2, HALL, "trader")
    game.enter("actions")
    game.do(1, send("astronomy"))
    game.do(1, send("astronomy", "any_2"))
    game.do(2, send("astronomy"))

    assert game.seat(2).citizens.counts() == {"citizen": 1}
    assert not game.seat(1).citizens.items


def test_orleans_deeds_for_good() -> None:
    """Followers stay on a deed: they return neither to the bag nor to the supply (p. 5)."""
    game = hall("knight", "scholar").turn(4, "income", "A").next_tile("income", "B")
    supply = game.t.supply.counts()
    game.do(1, send("peace_treaty"))
    game.do(1, send("peace_treaty", "any_2"))
    assert not game.seat(1).bag.items
    game.idle_round()
    game.idle_until("actions")

    assert game.t.round.value == 5
    assert game.counts("deed.peace_treaty") == {"knight": 1, "scholar": 1, "citizen": 1}
    assert game.t.supply.counts() == supply


@pytest.mark.parametrize(("first", "second"), [(HALL, "gunpowder_tower"), ("gunpowder_tower", HALL)])
def test_orleans_deeds_same_place(first: str, second: str) -> None:
    """One action sends followers from the Town Hall or the Gunpowder Tower, not from both (p. 5, 8)."""
    game = OrleansGame(2).own(1, "gunpowder_tower")
    game.fill(1, HALL, "knight", "knight").fill(1, "gunpowder_tower", "scholar", "scholar")
    game.enter("actions")
    game.do(1, c.SendToDeed(first, "any", "peace_treaty"))

    game.reject(1, c.SendToDeed(second, "any", "peace_treaty"), "orleans.deeds.same_place")

    game.do(1, c.FinishDeeds())
    game.idle(2)
    game.do(1, c.SendToDeed(second, "any", "peace_treaty"))


# --- offers ------------------------------------------------------------------------------------------------------


def test_offers_name_the_follower_the_deed_and_the_reward() -> None:
    """Commands name only spaces; sentences of offers add the follower and the reward of the deed."""
    game = hall("scholar", "farmer").on_deed("canalization", boatman=3, trader=2, farmer=2, craftsman=2)
    legal = game.legal(1)
    offers = [game.play.offer(1, command) for command in legal]
    texts = {language: [sentence(language, ("Anna", "Ben"), 0, offer) for offer in offers] for language in ("en", "de")}
    for sentences in texts.values():
        assert len(set(sentences)) == len(legal)
    assert "Send a scholar from the open space of the Town Hall to Astronomy for 1 coin" in texts["en"]
    assert (
        "Send a farmer from the second open space of the Town Hall to the Canalization for 1 coin and the citizen for "
        "completing it" in texts["en"]
    )
    assert (
        "Send a farmer from the second open space of the Town Hall to the Canalization for 1 development point and the "
        "citizen for completing it" in texts["en"]
    )
    assert any(text.startswith("Entsende einen Bauern vom zweiten offenen Feld des Rathauses") for text in texts["de"])
    assert game.play.offer(1, c.Pass()) == c.Pass()
    game.do(1, next(command for command in legal if getattr(command, "deed", "") == "canalization"))
