"""Sealed planning in two browsers: what one plans, the other's page is never told, until both have finished."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page
from tests.browser.hearing import HEAR, heard, messages
from tests.browser.houses import House
from tests.browser.pages import Table, Visitor

from boardkeeper.v1.effect_pb2 import Move
from boardkeeper.v1.table_pb2 import Zone

Visit = Callable[..., Visitor]

PLANS = "seat.1."
SCREENED = "as:seat.1.screen"


def told_of_plans(page: Page, since: int) -> list[str]:
    """Whatever the page was told of pieces behind the first seat's screen, of that version or later."""
    told = []
    for rpc, message in heard(page):
        for each in messages(message, since):
            if isinstance(each, Move) and any(zone.startswith(PLANS) for zone in (each.source, each.target)):
                told.append(f"{rpc}: {each.component} from {each.source} to {each.target}")
            if isinstance(each, Zone) and each.visibility == SCREENED and (each.contents or each.HasField("count")):
                told.append(f"{rpc}: {each.id} has {each.count}")
    return told


def drawn_of_plans(table: Table) -> dict[str, Any]:
    """What is drawn in the markets and on the action spaces of the first seat."""
    return {
        zone: lying
        for zone, lying in table.shown().items()
        if zone.startswith(PLANS)
        and zone.split(".")[2] in ("market", "ship", "wagon", "castle", "village", "farm_house")
    }


def test_what_one_plans_the_other_page_is_not_told(house: House, visitor: Visit) -> None:
    seats = [{"name": "Anna"}, {"name": "Ben"}]
    made = house.call("Games/CreateGame", {"title": "orleans", "options": {"planning": "sealed"}, "seats": seats})
    game = made["game"]["gameId"]
    anna, ben = visitor(house), visitor(house)
    tables = []
    for number, one in enumerate((anna, ben), 1):
        one.begins_with(HEAR)
        one.sits(made, number)
        tables.append(one.table(game))
    annas, bens = tables
    # Anna places all that she has, and is not finished.
    began = annas.version + 1
    placed = annas.plays(3)
    assert placed["commands"] == 3
    before = annas.version
    bens.reaches(before)
    assert drawn_of_plans(annas)
    assert told_of_plans(anna.page, began)
    assert drawn_of_plans(bens) == {}
    assert told_of_plans(ben.page, began) == []
    annas.chooses("Finish")
    bens.chooses("Finish")
    # The screens have gone: both see the same, which is what the service says to anybody.
    for table in tables:
        table.reaches(before + 3)
    assert drawn_of_plans(bens) == drawn_of_plans(annas) != {}
    assert told_of_plans(ben.page, began)
