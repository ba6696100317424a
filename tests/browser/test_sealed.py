"""Sealed planning in two browsers: no page receives the other seat's plan until both have finished."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page
from tests.browser.pages import NewVisitor, Table
from tests.browser.received_messages import RECORD_ANSWERS, received_messages, walk_messages
from tests.browser.server_process import ServerProcess

from boardkeeper.v1.effect_pb2 import Move
from boardkeeper.v1.table_pb2 import Zone

PLANS = "seat.1."
SCREENED = "as:seat.1.screen"


def received_plans(page: Page, since: int) -> list[str]:
    """Return what the page received about pieces behind the first seat's screen, from a version on."""
    plans = []
    for rpc, message in received_messages(page):
        for each in walk_messages(message, since):
            if isinstance(each, Move) and any(zone.startswith(PLANS) for zone in (each.source, each.target)):
                plans.append(f"{rpc}: {each.component} from {each.source} to {each.target}")
            if isinstance(each, Zone) and each.visibility == SCREENED and (each.contents or each.HasField("count")):
                plans.append(f"{rpc}: {each.id} has {each.count}")
    return plans


def drawn_plans(table: Table) -> dict[str, Any]:
    """Return the drawn contents of the first seat's market and action spaces."""
    return {
        zone: contents
        for zone, contents in table.zone_contents().items()
        if zone.startswith(PLANS)
        and zone.split(".")[2] in ("market", "ship", "wagon", "castle", "village", "farm_house")
    }


def test_a_page_does_not_receive_the_plan_of_another_seat(server: ServerProcess, new_visitor: NewVisitor) -> None:
    seats = [{"name": "Anna"}, {"name": "Ben"}]
    created = server.call("Games/CreateGame", {"title": "orleans", "options": {"planning": "sealed"}, "seats": seats})
    game = created["game"]["gameId"]
    anna, ben = new_visitor(server), new_visitor(server)
    tables = []
    for number, one in enumerate((anna, ben), 1):
        one.add_init_script(RECORD_ANSWERS)
        one.store_seats(created, number)
        tables.append(one.open_table(game))
    annas, bens = tables
    # Anna places all her followers, and does not finish.
    began = annas.version + 1
    placed = annas.play(3)
    assert placed["commands"] == 3
    before = annas.version
    bens.wait_for_version(before)
    assert drawn_plans(annas)
    assert received_plans(anna.page, began)
    assert drawn_plans(bens) == {}
    assert received_plans(ben.page, began) == []
    annas.choose("Finish")
    bens.choose("Finish")
    # Both have finished: both pages show the same plans.
    for table in tables:
        table.wait_for_version(before + 3)
    assert drawn_plans(bens) == drawn_plans(annas) != {}
    assert received_plans(ben.page, began)
