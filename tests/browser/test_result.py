"""The end of a game: the final score and the winner, on the table, in the lobby and in records."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from tests.browser.pages import PHONE, NewVisitor
from tests.browser.server_process import ServerProcess
from tests.waiting import wait_until

EDITION = "schwerkraft-2019"


def read_result(server: ServerProcess, game: str) -> list[tuple[int, str, int]]:
    """Return rank, name and points of each seat from the server, best first."""
    known = server.call("Games/GetGame", {"gameId": game})["game"]
    names = [seat["displayName"] for seat in known["seats"]]
    return [(it["rank"], names[it["seat"] - 1], it.get("points", 0)) for it in known["standings"]]


def wait_for_result(page: Page, result: list[tuple[int, str, int]]) -> None:
    """Wait for the banner with a result."""
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


def test_a_finished_game_shows_its_final_score_and_winner(server: ServerProcess, new_visitor: NewVisitor) -> None:
    created = server.create_game("paladins", EDITION, persons=1)
    game = created["game"]["gameId"]
    anna = new_visitor(server)
    page = anna.page
    anna.store_seats(created, 1)
    anna.open_table(game)
    page.get_by_role("tab", name="Score").click()
    expect(page.locator(".scores caption")).to_have_text("Score so far")
    page.get_by_role("button", name="Let a bot take over", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Let a bot take over").click()
    page.wait_for_selector(".game[data-over]")
    server.wait_for_end(game)
    result = read_result(server, game)
    wait_for_result(page, result)
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
    anna.open_table(game)

    # A past version does not show the banner.
    page.get_by_role("button", name="First version").click()
    expect(page.get_by_role("region", name="Result")).to_have_count(0)

    anna.open("#/")
    card = page.locator("section[aria-labelledby=my-games] .game-card", has_text=game[:8])
    expect(card.locator(".state")).to_contain_text("win")
    expect(card.locator(".points")).to_have_text([f"{points[name]} points" for name in ("Anna", "Bot 2")])


def test_each_seat_shows_its_running_points(server: ServerProcess, new_visitor: NewVisitor) -> None:
    created = server.create_game("paladins", EDITION, seats=[{"name": "Anna"}, {"bot": "random"}])
    anna = new_visitor(server)
    anna.expected_errors.append("status of 400")  # a rejection, where the bot was faster
    anna.store_seats(created, 1)
    table = anna.open_table(created["game"]["gameId"])
    points = anna.page.locator(".players .points")

    def totals() -> list[str]:
        token = created["seatTokens"][0]["token"]
        answer = server.call("Games/GetScores", {"gameId": created["game"]["gameId"]}, token)
        return [f"{total} pt{'' if total == 1 else 's'}" for total in answer["scoreSheet"]["totals"]]

    wait_until(lambda: points.all_inner_texts() == totals())
    opening = totals()
    while totals() == opening:
        table.play(5)
    wait_until(lambda: points.all_inner_texts() == totals())
    anna.page.get_by_role("button", name="First version").click()
    expect(points).to_have_count(0)  # only the newest version shows them
    anna.page.get_by_role("button", name="Latest version").click()
    wait_until(lambda: points.all_inner_texts() == totals())


def test_a_phone_shows_the_result_and_unfolds_the_score(
    server: ServerProcess, new_visitor: NewVisitor, finished_game: Callable[..., str]
) -> None:
    game = finished_game("stories", "england-vs-france", 4)
    cleo = new_visitor(server, size=PHONE, touch=True)
    page = cleo.open_table(game).page
    wait_for_result(page, read_result(server, game))
    expect(page.locator(".scores")).to_be_hidden()
    page.get_by_role("button", name="Show score").tap()
    expect(page.locator(".scores")).to_be_visible()
    page.get_by_role("button", name="Close").tap()
    expect(page.get_by_role("region", name="Result")).to_have_count(0)


def test_a_game_that_ends_by_resigning_has_ranks_without_points(server: ServerProcess, new_visitor: NewVisitor) -> None:
    created = server.create_game()
    game = created["game"]["gameId"]
    resign = {"gameId": game, "seat": 1, "commandId": "resign"}
    server.call("Games/ResignSeat", resign, created["seatTokens"][0]["token"])
    ben = new_visitor(server)
    page = ben.open_table(game).page
    banner = page.get_by_role("region", name="Result")
    expect(banner.locator("strong")).to_have_text("Ben wins")
    expect(banner.locator(".name")).to_have_text(["Ben", "Anna"])
    expect(banner.locator(".points")).to_have_count(0)
    expect(page.get_by_role("tab", name="Score")).to_have_count(0)
    ben.open("#/")
    card = page.locator("section[aria-labelledby=all-games] .game-card", has_text=game[:8])
    expect(card.locator(".state")).to_contain_text("Ben wins")
    expect(card.locator(".points")).to_have_count(0)
