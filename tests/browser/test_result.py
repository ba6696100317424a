"""The end of a game: the final score, who has won, and what the lobby and records show of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect
from tests.browser.houses import House
from tests.browser.pages import PHONE, Visitor
from tests.waiting import wait_until

Visit = Callable[..., Visitor]

EDITION = "schwerkraft-2019"


def result_of(house: House, game: str) -> list[tuple[int, str, int]]:
    """Rank, name and points of each seat, best first, as the service tells them."""
    known = house.call("Games/GetGame", {"gameId": game})["game"]
    names = [seat["displayName"] for seat in known["seats"]]
    return [(it["rank"], names[it["seat"] - 1], it.get("points", 0)) for it in known["standings"]]


def shows_result(page: Page, result: list[tuple[int, str, int]]) -> None:
    """Wait for the banner with this result."""
    banner = page.get_by_role("region", name="Result")
    winners = [name for rank, name, _ in result if rank == 1]
    expect(banner.locator("strong")).to_have_text(
        f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} win together"
    )
    for at, (rank, name, points) in enumerate(result):
        row = banner.get_by_role("listitem").nth(at)
        expect(row.locator(".rank")).to_have_text(f"{rank}.")
        expect(row.locator(".name")).to_have_text(name)
        expect(row.locator(".points")).to_have_text(f"{points} points")


def test_a_game_that_a_bot_finishes_shows_its_final_score_and_who_won(house: House, visitor: Visit) -> None:
    seats = [{"name": "Anna"}, {"bot": "sensible"}]
    made = house.call("Games/CreateGame", {"title": "paladins", "edition": EDITION, "seats": seats})
    game = made["game"]["gameId"]
    anna = visitor(house)
    page = anna.page
    anna.sits(made, 1)
    anna.table(game)
    page.get_by_role("tab", name="Score").click()
    expect(page.locator(".scores caption")).to_have_text("Score so far")
    page.get_by_role("button", name="Let a bot take over", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Let a bot take over").click()
    page.wait_for_selector(".game[data-over]")
    house.waits_for_the_end(game)
    result = result_of(house, game)
    shows_result(page, result)
    expect(page.locator(".scores caption")).to_have_text("Score")
    points = {name: total for _, name, total in result}
    expect(page.locator(".scores tfoot tr").first.locator("td")).to_have_text(
        [str(points[name]) for name in ("Anna", "Bot 2")]
    )
    expect(page.locator(".players .status")).to_contain_text("Game finished: ")

    with page.expect_download() as download:
        page.get_by_role("button", name="Export game record").click()
    assert download.value.suggested_filename == f"boardkeeper-{game[:8]}.jsonl"
    anna.open("#/record")
    page.locator("input[type=file]").set_input_files(download.value.path())
    expect(page.locator(".verdict")).to_contain_text("passed all checks of this page")
    anna.table(game)

    # The banner belongs to the present: a past version does not show it.
    page.get_by_role("button", name="First version").click()
    expect(page.get_by_role("region", name="Result")).to_have_count(0)

    anna.open("#/")
    card = page.locator("section[aria-labelledby=my-games] .game-card", has_text=game[:8])
    expect(card.locator(".state")).to_contain_text("win")
    expect(card.locator(".points")).to_have_text([f"{points[name]} points" for name in ("Anna", "Bot 2")])


def test_each_seat_shows_its_running_points(house: House, visitor: Visit) -> None:
    seats = [{"name": "Anna"}, {"bot": "random"}]
    made = house.call("Games/CreateGame", {"title": "paladins", "edition": EDITION, "seats": seats})
    anna = visitor(house)
    anna.expected.append("status of 400")  # a rejection, where the bot was faster
    anna.sits(made, 1)
    table = anna.table(made["game"]["gameId"])
    points = anna.page.locator(".players .points")

    def totals() -> list[str]:
        token = made["seatTokens"][0]["token"]
        answer = house.call("Games/GetScores", {"gameId": made["game"]["gameId"]}, token)
        return [f"{total} pt{'' if total == 1 else 's'}" for total in answer["scoreSheet"]["totals"]]

    wait_until(lambda: points.all_inner_texts() == totals())
    opening = totals()
    while totals() == opening:
        table.plays(5)
    wait_until(lambda: points.all_inner_texts() == totals())
    anna.page.get_by_role("button", name="First version").click()
    expect(points).to_have_count(0)  # they are those of the newest version
    anna.page.get_by_role("button", name="Latest version").click()
    wait_until(lambda: points.all_inner_texts() == totals())


def test_a_phone_shows_the_result_and_unfolds_the_score(
    house: House, visitor: Visit, ended: Callable[..., str]
) -> None:
    game = ended("stories", "england-vs-france", 4)
    cleo = visitor(house, size=PHONE, touch=True)
    page = cleo.table(game).page
    shows_result(page, result_of(house, game))
    expect(page.locator(".scores")).to_be_hidden()
    page.get_by_role("button", name="Show score").tap()
    expect(page.locator(".scores")).to_be_visible()
    page.get_by_role("button", name="Close").tap()
    expect(page.get_by_role("region", name="Result")).to_have_count(0)


def test_a_game_that_ends_by_resigning_has_ranks_without_points(house: House, visitor: Visit) -> None:
    seats: list[dict[str, Any]] = [{"name": "Anna"}, {"name": "Ben"}]
    made = house.call("Games/CreateGame", {"title": "orleans", "seats": seats})
    game = made["game"]["gameId"]
    resign = {"gameId": game, "seat": 1, "commandId": "resign"}
    house.call("Games/ResignSeat", resign, made["seatTokens"][0]["token"])
    ben = visitor(house)
    page = ben.table(game).page
    banner = page.get_by_role("region", name="Result")
    expect(banner.locator("strong")).to_have_text("Ben wins")
    expect(banner.locator(".name")).to_have_text(["Ben", "Anna"])
    expect(banner.locator(".points")).to_have_count(0)
    expect(page.get_by_role("tab", name="Score")).to_have_count(0)
    ben.open("#/")
    card = page.locator("section[aria-labelledby=all-games] .game-card", has_text=game[:8])
    expect(card.locator(".state")).to_contain_text("Ben wins")
    expect(card.locator(".points")).to_have_count(0)
