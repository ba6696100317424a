"""The Guildhall: building trading stations."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e

BUILD = c.UsePlace("guildhall")


def ready(town: str = "orleans", players: int = 3) -> OrleansGame:
    """Create a game in which seat 1 has an activated Guildhall and its merchant in a town."""
    return OrleansGame(players).at(1, merchant=town).fill(1, "guildhall")


def test_orleans_guildhall_station() -> None:
    """The station goes from the own supply to the town of the own merchant (p. 5)."""
    game = ready("blois").at(2, merchant="tours")
    game.enter("actions")

    events = game.do(1, BUILD)

    assert detail(events, e.TradingStationBuilt).town == "blois"
    assert game.counts("town.blois") == {"station.1": 1}
    assert game.seat(1).stations.total() == 9
    assert game.seat(1).built_stations() == 1
    assert game.seat(2).built_stations() == 0
    assert game.seat(1).coins.value == 5


@pytest.mark.parametrize("builder", [1, 2])
def test_orleans_guildhall_one_per_town(builder: int) -> None:
    """In a town with a station no seat builds, not even its owner (p. 5)."""
    game = ready("blois").stations(builder, "blois")
    game.enter("actions")

    game.reject(1, BUILD, "orleans.guildhall.one_per_town")

    game.at(1, merchant="tours")
    game.do(1, BUILD)


def test_orleans_guildhall_one_per_town__first_come() -> None:
    """With two merchants in a town, only the first seat that acts builds (p. 5)."""
    game = ready("blois").at(2, merchant="blois").fill(2, "guildhall")
    game.enter("actions", start=2)
    game.do(2, BUILD)
    game.idle(3)

    game.reject(1, BUILD, "orleans.guildhall.one_per_town")


def test_orleans_guildhall_orleans() -> None:
    """In Orléans each seat may build once (p. 5)."""
    game = OrleansGame(5)
    for seat in (1, 2, 3, 4, 5):
        game.fill(seat, "guildhall")
    game.enter("actions")
    for seat in (1, 2, 3, 4, 5):
        game.do(seat, BUILD)

    assert game.counts("town.orleans") == {f"station.{seat}": 1 for seat in (1, 2, 3, 4, 5)}
    game.fill(1, "guildhall", "monk", "monk", "monk")
    game.reject(1, BUILD, "orleans.guildhall.orleans")


def test_orleans_guildhall_supply() -> None:
    """A seat has ten stations to build (p. 2, 5)."""
    built = ("orleans", "tours", "chinon", "loches", "nevers", "vierzon", "bourges", "briare", "chartres")
    game = ready("blois").stations(1, *built)
    game.enter("actions")
    game.do(1, BUILD)
    assert game.seat(1).built_stations() == 10

    game.fill(1, "guildhall").at(1, merchant="sancerre")
    game.enter("actions")
    game.reject(1, BUILD, "orleans.guildhall.supply")
