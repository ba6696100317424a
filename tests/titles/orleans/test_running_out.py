"""When tiles run out: actions that would give one close, and open again if one comes back."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def without(component: str, store: str = "supply") -> OrleansGame:
    """A table on which none of these is left in its store."""
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
    """Without a tile of the character left its action cannot be played, so its track gives nothing, either (p. 8)."""
    game = without(character)
    game.turn(2, "income", "A").fill(1, place).enter("actions")

    game.reject(1, c.RecruitFollower(place, character, tile), "orleans.recruiting.supply")

    assert all(marker.value == 0 for marker in game.seat(1).track.values())


def test_orleans_running_out_characters__the_last_one() -> None:
    """The last tile can still be gained; the next seat comes too late (p. 8)."""
    game = without("knight")
    game.bring("knight", game.t.supply).fill(1, "castle").fill(2, "castle").enter("actions")

    game.do(1, c.RecruitFollower("castle", "knight"))

    game.reject(2, c.RecruitFollower("castle", "knight"), "orleans.recruiting.supply")


def test_orleans_running_out_characters__others_of_the_village() -> None:
    """In the Village a missing boatman closes the boatman only (p. 4 and 8)."""
    game = without("boatman")
    game.fill(1, "village", "farmer", "own_boatman", "craftsman").enter("actions")

    recruits = {command.character for command in game.legal(1) if isinstance(command, c.RecruitFollower)}

    assert recruits == {"craftsman", "trader"}


def test_orleans_running_out_characters__technology() -> None:
    """Without technology neither craftsmen nor the Laboratory can be used (p. 8)."""
    game = without("technology", "technology")
    game.own(1, "laboratory").fill(1, "laboratory").fill(1, "village").enter("actions")

    game.reject(1, c.RecruitFollower("village", "craftsman"), "orleans.village.technology_available")
    game.reject(1, c.UsePlace("laboratory"), "orleans.laboratory.technology_available")
    game.do(1, c.RecruitFollower("village", "boatman"))


def test_orleans_running_out_characters__goods() -> None:
    """Goods on the map or in somebody's hands do not help if the market has none left (p. 8)."""
    game = without("grain", "goods_market").goods(2)
    game.own(1, "hayrick").fill(1, "hayrick").fill(1, "farm_house").enter("actions")
    assert any("grain" in pile.items for pile in game.t.ways.values())

    game.reject(1, c.UsePlace("hayrick"), "orleans.goods.available")
    game.reject(1, c.RecruitFollower("farm_house", "farmer"), "orleans.farm_house.good_available")


def test_orleans_running_out_characters__another_good() -> None:
    """The Farm House needs the good of the next space (p. 4 and 8): past the grain spaces no grain is needed."""
    game = without("grain", "goods_market")
    game.at(1, farmers=2).fill(1, "farm_house").enter("actions")

    game.do(1, c.RecruitFollower("farm_house", "farmer"))

    assert game.seat(1).goods.counts() == {"cheese": 1}


def test_orleans_running_out_returns__plague() -> None:
    """A knight that the Plague brings back can be recruited again (p. 7 and 8), on the next space of the track."""
    game = without("knight").next_tile("income", "A")
    game.market(1).bag(1, knight=1).at(1, knights=1).fill(2, "castle").turn(5, "plague", "A")
    game.enter("event")
    assert game.t.supply.items["knight"] == 1

    game.idle_until("actions")

    assert game.deciding() == [2]
    game.do(2, c.RecruitFollower("castle", "knight"))
    assert game.seat(2).track["knights"].value == 1


def test_orleans_running_out_returns__harvest() -> None:
    """A grain that somebody gives for the Harvest is on the market again (p. 7 and 8)."""
    game = without("grain", "goods_market").next_tile("income", "A")
    game.goods(1, grain=1).own(2, "hayrick").fill(2, "hayrick").turn(5, "harvest", "A")
    game.market(1)
    game.enter("event")

    game.do(1, c.GiveFood("grain"))
    game.idle_until("actions")
    game.do(2, c.UsePlace("hayrick"))

    assert game.seat(2).goods.counts() == {"grain": 1}


def test_orleans_running_out_coins() -> None:
    """Whatever was paid out, everybody still gets what is due (p. 8): all 86 coins of the box and more."""
    game = OrleansGame(2)
    game.at(1, coins=86, development=22).at(2, coins=300, development=30).turn(3, "income", "A")

    events = game.enter("event")

    assert [event.detail for event in named(events, "IncomeReceived")] == [e.IncomeReceived(15), e.IncomeReceived(18)]
    assert [game.seat(1).coins.value, game.seat(2).coins.value] == [101, 318]
