"""Undo: immediate if no other seat has acted, and otherwise by a vote."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.pages import NewVisitor, Table
from tests.browser.server_process import ServerProcess
from tests.waiting import wait_until


@pytest.fixture
def two(server: ServerProcess, new_visitor: NewVisitor) -> tuple[Table, Table]:
    """The pages of both players of a game."""
    created = server.create_game()
    tables = []
    for seat in (1, 2):
        one = new_visitor(server)
        one.store_seats(created, seat)
        tables.append(one.open_table(created["game"]["gameId"]))
    return tables[0], tables[1]


def request_undo(table: Table) -> None:
    table.page.get_by_role("button", name="Undo", exact=True).click()


def test_undo_is_immediate_if_no_other_seat_has_acted(two: tuple[Table, Table]) -> None:
    anna, ben = two
    before, contents = anna.version, anna.zone_contents()
    undo = anna.page.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_be_disabled()  # nothing to undo yet
    anna.play(1)
    ben.wait_for_version(before + 1)
    assert ben.zone_contents() != contents
    request_undo(anna)
    for table in two:
        table.wait_for_version(before + 2)
        assert table.zone_contents() == contents
        expect(table.page.locator(".log [aria-current]")).to_contain_text("undoes")
    expect(ben.page.locator(".vote")).to_have_count(0)
    expect(undo).to_be_disabled()
    anna.play(1)
    expect(undo).to_be_enabled()


def test_undo_needs_consent_after_other_seats_have_acted(two: tuple[Table, Table]) -> None:
    anna, ben = two
    before = anna.version
    anna.play(1)
    ben.wait_for_version(before + 1)
    ben.play(1)
    anna.wait_for_version(before + 2)
    then = ben.zone_contents()
    votes = [table.page.locator(".vote") for table in two]

    request_undo(anna)
    expect(votes[1]).to_contain_text("Anna asks to undo.")
    expect(votes[1].get_by_role("button")).to_have_text(["Agree", "Decline"])
    expect(votes[0].get_by_role("button")).to_have_text(["Withdraw request"])
    votes[0].get_by_role("button", name="Withdraw").click()
    for vote in votes:
        expect(vote).to_have_count(0)

    request_undo(anna)
    votes[1].get_by_role("button", name="Decline").click()
    for vote in votes:
        expect(vote).to_have_count(0)
    assert anna.zone_contents() == ben.zone_contents() == then

    ben.play(1)  # requests about the same commands are limited
    anna.wait_for_version(ben.version)
    ben.play(1)
    anna.wait_for_version(ben.version)
    anna.play(1)
    ben.wait_for_version(anna.version)
    version, then = ben.version, ben.zone_contents()
    ben.play(1)
    anna.wait_for_version(version + 1)
    request_undo(anna)
    votes[1].get_by_role("button", name="Agree").click()
    for table in two:
        table.wait_for_version(version + 4)  # request, consent and undo
        expect(table.page.locator(".vote")).to_have_count(0)
        assert table.zone_contents() != then
    assert anna.zone_contents() == ben.zone_contents()


def test_a_request_waits_for_a_person_whose_seat_a_bot_plays(server: ServerProcess, new_visitor: NewVisitor) -> None:
    created = server.create_game()
    game, bens = created["game"]["gameId"], created["seatTokens"][1]["token"]
    anna = new_visitor(server)
    anna.store_seats(created, 1)
    table = anna.open_table(game)
    table.play(1)
    server.call("Games/HandSeatToBot", {"gameId": game, "seat": 2, "commandId": "hand"}, bens)

    def read_game() -> Any:
        return server.call("Games/GetGame", {"gameId": game})["game"]

    wait_until(lambda: read_game()["deciding"] == [1])  # the bot has planned after Anna's command
    table.wait_for_version(int(read_game()["version"]))
    request_undo(table)
    vote = table.page.locator(".vote")
    expect(vote).to_contain_text("A bot plays for Ben and cannot agree")
    expect(vote.get_by_role("button")).to_have_text(["Withdraw request"])
    server.call("Games/TakeSeatBack", {"gameId": game, "seat": 2, "commandId": "back"}, bens)
    expect(vote).not_to_contain_text("A bot plays for Ben")
    expect(vote).to_contain_text("Anna asks to undo.")
