"""Taking back: at once where nobody was told anything, and otherwise if the others agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.houses import House
from tests.browser.pages import Table, Visitor
from tests.waiting import wait_until

Visit = Callable[..., Visitor]


@pytest.fixture
def two(house: House, visitor: Visit) -> tuple[Table, Table]:
    """The pages of two who play with each other."""
    made: Any = house.call("Games/CreateGame", {"title": "orleans", "seats": [{"name": "Anna"}, {"name": "Ben"}]})
    tables = []
    for seat in (1, 2):
        one = visitor(house)
        one.sits(made, seat)
        tables.append(one.table(made["game"]["gameId"]))
    return tables[0], tables[1]


def asks(table: Table) -> None:
    table.page.get_by_role("button", name="Undo", exact=True).click()


def test_what_nobody_has_built_upon_is_taken_back_at_once(two: tuple[Table, Table]) -> None:
    anna, ben = two
    before, lay = anna.version, anna.shown()
    undo = anna.page.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_be_disabled()  # nothing to undo yet
    anna.plays(1)
    ben.reaches(before + 1)
    assert ben.shown() != lay
    asks(anna)
    for table in two:
        table.reaches(before + 2)
        assert table.shown() == lay
        expect(table.page.locator(".log [aria-current]")).to_contain_text("undoes")
    expect(ben.page.locator(".vote")).to_have_count(0)
    expect(undo).to_be_disabled()
    anna.plays(1)
    expect(undo).to_be_enabled()


def test_what_others_have_gone_on_from_is_taken_back_if_they_agree(two: tuple[Table, Table]) -> None:
    anna, ben = two
    before = anna.version
    anna.plays(1)
    ben.reaches(before + 1)
    ben.plays(1)
    anna.reaches(before + 2)
    then = ben.shown()
    votes = [table.page.locator(".vote") for table in two]

    asks(anna)
    expect(votes[1]).to_contain_text("Anna asks to undo.")
    expect(votes[1].get_by_role("button")).to_have_text(["Agree", "Decline"])
    expect(votes[0].get_by_role("button")).to_have_text(["Withdraw request"])
    votes[0].get_by_role("button", name="Withdraw").click()
    for vote in votes:
        expect(vote).to_have_count(0)

    asks(anna)
    votes[1].get_by_role("button", name="Decline").click()
    for vote in votes:
        expect(vote).to_have_count(0)
    assert anna.shown() == ben.shown() == then

    ben.plays(1)  # or it would be asked about the same too often
    anna.reaches(ben.version)
    ben.plays(1)
    anna.reaches(ben.version)
    anna.plays(1)
    ben.reaches(anna.version)
    version, then = ben.version, ben.shown()
    ben.plays(1)
    anna.reaches(version + 1)
    asks(anna)
    votes[1].get_by_role("button", name="Agree").click()
    for table in two:
        table.reaches(version + 4)  # asked, agreed, taken back
        expect(table.page.locator(".vote")).to_have_count(0)
        assert table.shown() != then
    assert anna.shown() == ben.shown()


def test_a_request_waits_for_a_person_for_whom_a_bot_plays(house: House, visitor: Visit) -> None:
    made: Any = house.call("Games/CreateGame", {"title": "orleans", "seats": [{"name": "Anna"}, {"name": "Ben"}]})
    game, bens = made["game"]["gameId"], made["seatTokens"][1]["token"]
    anna = visitor(house)
    anna.sits(made, 1)
    table = anna.table(game)
    table.plays(1)
    house.call("Games/HandSeatToBot", {"gameId": game, "seat": 2, "commandId": "hand"}, bens)

    def now() -> Any:
        return house.call("Games/GetGame", {"gameId": game})["game"]

    wait_until(lambda: now()["deciding"] == [1])  # the bot has planned after Anna's command
    table.reaches(int(now()["version"]))
    asks(table)
    vote = table.page.locator(".vote")
    expect(vote).to_contain_text("A bot plays for Ben and cannot agree")
    expect(vote.get_by_role("button")).to_have_text(["Withdraw request"])
    house.call("Games/TakeSeatBack", {"gameId": game, "seat": 2, "commandId": "back"}, bens)
    expect(vote).not_to_contain_text("A bot plays for Ben")
    expect(vote).to_contain_text("Anna asks to undo.")
