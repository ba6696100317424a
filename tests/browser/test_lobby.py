"""The lobby: new games, invitations, joining from another browser, whose turn it is, export and import of seats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.pages import NewVisitor, Table
from tests.browser.server_process import ServerProcess

OPERATOR = "the operator of a server that requires keys"


def fill_seat(page: Page, number: int, who: str, name: str = "") -> None:
    """Select the player of a seat in the form of a new game."""
    page.get_by_label(f"Who plays seat {number}?").select_option(who)
    if name:
        page.get_by_label(f"Name for seat {number}").fill(name)


def submit_form(page: Page) -> str:
    """Submit the form of a new game, and return the game's id."""
    page.get_by_role("button", name="Create game").click()
    page.wait_for_url("**/#/games/*")
    return str(page.url.rpartition("/")[2])


def my_game(page: Page, game: str) -> Locator:
    """Return the card of a game in the list "My games"."""
    return page.locator("section[aria-labelledby=my-games] .game-card", has_text=game[:8])


def test_a_game_is_created_joined_by_its_link_and_played(
    server: ServerProcess, new_visitor: NewVisitor, tmp_path: Path
) -> None:
    anna, ben, cleo = (new_visitor(server) for _ in range(3))
    page = anna.open()
    page.get_by_role("link", name="New game").click()
    page.locator("input[name=title][value=orleans]").check()
    page.locator("input[name=edition][value=dlp-8th]").check()
    page.locator("input[name=players][value='3']").check()
    fill_seat(page, 1, "me", "Anna")
    fill_seat(page, 2, "open")
    fill_seat(page, 3, "bot:sensible", "Robo")
    variants = page.locator(".variants")
    assert variants.get_attribute("open") is None
    expect(variants.locator("summary").first).to_contain_text("0 of 27 changed")
    variants.locator("summary").first.click()
    page.get_by_role("radio", name="In turn: ").check()
    expect(variants.locator("summary").first).to_contain_text("1 of 27 changed")
    game = submit_form(page)
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    known = server.call("Games/GetGame", {"gameId": game})["game"]
    assert (known["title"], known["edition"], known["options"]["planning"]) == ("orleans", "dlp-8th", "in_turn")
    assert [each.get("name", "") for each in known["seats"]] == ["Anna", "", "Robo"]

    # Ben follows the invite link, and Anna's page opens the table automatically.
    link = page.get_by_label("Invite link for seat 2", exact=True).input_value()
    ben.page.goto(link)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Join").click()
    tables = []
    expect(page.get_by_role("tab", name="Score")).to_be_visible()  # although the game had no score when the page loaded
    for one in (anna, ben):
        one.page.wait_for_selector(".stage .piece")
        expect(one.page.locator(".players")).to_contain_text("Ben")
        tables.append(Table(one.page))
    annas, bens = tables
    assert annas.play(1)["commands"] == 1
    bens.wait_for_version(annas.version)

    # "My games" shows whose turn it is, and updates it.
    ben.open("#/")
    state = my_game(ben.page, game).locator(".state")
    expect(state).to_contain_text("Waiting for Anna")
    annas.choose("Finish")
    expect(state).to_contain_text("Your turn: Ben")
    my_game(ben.page, game).get_by_role("link", name="Orléans").click()
    ben.page.wait_for_selector(".stage .piece")
    bens = Table(ben.page)
    before = bens.version
    assert bens.play(1)["commands"] == 1
    assert bens.version > before

    # Seats are exported from one browser and played in another.
    ben.open("#/")
    ben.page.get_by_text("Seats in this browser").click()
    with ben.page.expect_download() as download:
        ben.page.get_by_role("button", name="Export my seats").click()
    file = tmp_path / "seats.json"
    download.value.save_as(file)
    assert [each["name"] for each in json.loads(file.read_text("utf-8"))["seats"]] == ["Ben"]
    cleo.open("#/")
    expect(my_game(cleo.page, game)).to_have_count(0)
    cleo.page.get_by_text("Seats in this browser").click()
    cleo.page.get_by_label("Import seats").set_input_files(file)
    expect(cleo.page.get_by_text("Imported 1 seat.")).to_be_visible()
    my_game(cleo.page, game).get_by_role("link", name="Orléans").click()
    cleo.page.wait_for_selector(".stage .piece")
    expect(cleo.page.locator(".players .own")).to_contain_text("Ben")


def test_an_invite_link_works_for_one_person(server: ServerProcess, new_visitor: NewVisitor) -> None:
    anna, ben, cleo = (new_visitor(server) for _ in range(3))
    page = anna.open("#/new")
    fill_seat(page, 1, "me", "Anna")
    fill_seat(page, 2, "open")
    page.get_by_label("Join by invitation only").check()
    game = submit_form(page)
    link = page.get_by_label("Invite link for seat 2", exact=True).input_value()
    assert "invitation=" in link
    for one, address in ((cleo, f"#/join/{game}?seat=2"), (ben, link.partition("/#")[2])):
        one.expected_errors.append("the server responded with a status of")
        one.open(f"#{address.removeprefix('#')}")
        one.page.get_by_label("Your name").fill("Cleo or Ben")
        one.page.get_by_role("button", name="Join").click()
        if one is cleo:
            expect(one.page.get_by_role("alert")).to_contain_text("You have not joined the game.")
    ben.page.wait_for_selector(".stage .piece")
    assert "invitation" not in ben.page.url
    # The same link a second time: the seat is taken.
    cleo.page.goto(link)
    expect(cleo.page.get_by_text("All seats in this game are taken.")).to_be_visible()


def test_differences_name_components_of_other_editions(server: ServerProcess, new_visitor: NewVisitor) -> None:
    page = new_visitor(server, language="de").open("#/new")
    page.locator("input[name=title][value=stories]").check()
    page.locator(".differences summary").click()
    rows = page.locator(".differences tbody th")
    expect(rows.filter(has_text="Gutshof")).to_have_count(1)  # only in England vs. France
    expect(rows.filter(has_text="manor farm")).to_have_count(0)


@pytest.fixture
def private_server(client_is_built: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerProcess]:
    """A server that requires keys; its operator has the token ``OPERATOR``."""
    monkeypatch.setenv("BOARDKEEPER_OPERATOR_TOKEN", OPERATOR)
    server = ServerProcess(tmp_path, "--need-keys")
    yield server
    server.close()


def test_a_private_game_can_be_joined_with_only_an_invitation(
    private_server: ServerProcess, new_visitor: NewVisitor
) -> None:
    request = {"title": "orleans", "seats": [{"open": True}, {"bot": "random"}], "spectators": False}
    game = private_server.call("Games/CreateGame", request, OPERATOR)["game"]["gameId"]
    code = private_server.call("Players/CreateInvitation", {"gameId": game}, OPERATOR)["code"]
    cleo, anna = new_visitor(private_server), new_visitor(private_server)
    cleo.expected_errors.append("the server responded with a status of")
    anna.expected_errors.append("the server responded with a status of")
    cleo.open(f"#/join/{game}")
    expect(cleo.page.get_by_role("alert")).to_be_visible()
    expect(cleo.page.get_by_role("button", name="Join")).to_have_count(0)
    anna.open(f"#/join/{game}?invitation={code}")
    anna.page.get_by_label("Your name").fill("Anna")
    expect(anna.page.get_by_role("alert")).to_have_count(0)
    anna.page.get_by_role("button", name="Join").click()
    anna.page.wait_for_selector(".stage .piece")
    expect(anna.page.locator(".players .own")).to_contain_text("Anna")


COVERED = """all => all.filter((each) => {
  each.scrollIntoView({ block: "end" });
  const { x, y, width, height } = each.getBoundingClientRect();
  const found = document.elementFromPoint(x + Math.min(width, 40) / 2, y + height / 2);
  return !(each.contains(found) || found?.contains(each));
}).map((each) => each.textContent)"""
"""Returns headings that are covered by other elements when they are scrolled to the bottom of the page."""


def test_nothing_covers_the_headings_of_a_new_game(server: ServerProcess, new_visitor: NewVisitor) -> None:
    anna = new_visitor(server, size=(1280, 800))
    page = anna.open("#/new")
    headings = page.locator(".create :is(h2, legend)").filter(visible=True)
    expect(headings).not_to_have_count(0)
    assert headings.evaluate_all(COVERED) == []
    page.locator(".variants > summary").click()
    assert headings.evaluate_all(COVERED) == []
