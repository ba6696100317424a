"""Tiles that have run out: actions that give one are closed until one returns."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def create_game_without(component: str, store: str = "supply") -> OrleansGame:
    """Create a game in which a component has run out in its store."""
    game = OrleansGame(2)
    return game.bring(component, game.t.box, game.counts(store)[component])


@pytest.mark.parametrize(
    ("place", "character", "tile"),
    [
        ("farm_house", "farmer", ""),
        ("village", "boatman", ""),
        ("village", "craftsman", ""),
        ("village", "trader", "hayrick"),
        ("university", "scholar", ""),
        ("castle", "knight", ""),
        ("monastery", "monk", ""),
    ],
)
def test_orleans_running_out_characters(place: str, character: str, tile: str) -> None:
    """A character that has run out cannot be recruited, so its track gives nothing (p. 8)."""
    game = create_game_without(character)
    game.turn(2, "income", "A").fill(1, place).enter("actions")

    game.reject(1, c.RecruitFollower(place, character, tile), "orleans.recruiting.supply")

    assert all(marker.value == 0 for marker in game.seat(1).track.values())


def test_orleans_running_out_characters__the_last_one() -> None:
    """After the last tile is taken, the next seat gets none (p. 8)."""
    game = create_game_without("knight")
    game.bring("knight", game.t.supply).fill(1, "castle").fill(2, "castle").enter("actions")

    game.do(1, c.RecruitFollower("castle", "knight"))

    game.reject(2, c.RecruitFollower("castle", "knight"), "orleans.recruiting.supply")


def test_orleans_running_out_characters__others_of_the_village() -> None:
    """Without boatmen the Village still recruits the other characters (p. 4 and 8)."""
    game = create_game_without("boatman")
    game.fill(1, "village", "farmer", "own_boatman", "craftsman").enter("actions")

    recruits = {command.character for command in game.legal(1) if isinstance(command, c.RecruitFollower)}

    assert recruits == {"craftsman", "trader"}


def test_orleans_running_out_characters__technology() -> None:
    """Without technology neither craftsmen nor the Laboratory can be used (p. 8)."""
    game = create_game_without("technology", "technology")
    game.own(1, "laboratory").fill(1, "laboratory").fill(1, "village").enter("actions")

    game.reject(1, c.RecruitFollower("village", "craftsman"), "orleans.village.technology_available")
    game.reject(1, c.UsePlace("laboratory"), "orleans.laboratory.technology_available")
    game.do(1, c.RecruitFollower("village", "boatman"))


def test_orleans_running_out_characters__goods() -> None:
    """Only goods in the market count, not those on the map or of seats (p. 8)."""
    game = create_game_without("grain", "goods_market").goods(2)
    game.own(1, "hayrick").fill(1, "hayrick").fill(1, "farm_house").enter("actions")
    assert any("grain" in pile.items for pile in game.t.ways.values())

    game.reject(1, c.UsePlace("hayrick"), "orleans.goods.available")
    game.reject(1, c.RecruitFollower("farm_house", "farmer"), "orleans.farm_house.good_available")


def test_orleans_running_out_characters__another_good() -> None:
    """The Farm House needs only the good of the next space (p. 4 and 8)."""
    game = create_game_without("grain", "goods_market")
    game.at(1, farmers=2).fill(1, "farm_house").enter("actions")

    game.do(1, c.RecruitFollower("farm_house", "farmer"))

    assert game.seat(1).goods.counts() == {"cheese": 1}


def test_orleans_running_out_returns__plague() -> None:
    """A knight lost to the Plague can be recruited again (p. 7 and 8)."""
    game = create_game_without("knight").next_tile("income", "A")
    game.market(1).bag(1, knight=1).at(1, knights=1).fill(2, "castle").turn(5, "plague", "A")
    game.enter("event")
    assert game.t.supply.items["knight"] == 1

    game.idle_until("actions")

    assert game.deciding() == [2]
    game.do(2, c.RecruitFollower("castle", "knight"))
    assert game.seat(2).track["knights"].value == 1


def test_orleans_running_out_returns__harvest() -> None:
    """A grain given for the Harvest is on the market again (p. 7 and 8)."""
    game = create_game_without("grain", "goods_market").next_tile("income", "A")
    game.goods(1, grain=1).own(2, "hayrick").fill(2, "hayrick").turn(5, "harvest", "A")
    game.market(1)
    game.enter("event")

    game.do(1, c.GiveFood("grain"))
    game.idle_until("actions")
    game.do(2, c.UsePlace("hayrick"))

    assert game.seat(2).goods.counts() == {"grain": 1}


def test_orleans_running_out_coins() -> None:
    """Coins never run out, even if the seats have more than the 86 coins of the box (p. 8)."""
    game = OrleansGame(2)
    game.at(1, coins=86, development=22).at(2, coins=300, development=30).turn(3, "income", "A")

    events = game.enter("event")

    assert [event.detail for event in named(events, "IncomeReceived")] == [e.IncomeReceived(15), e.IncomeReceived(18)]
    assert [game.seat(1).coins.value, game.seat(2).coins.value] == [101, 318]
