"""A real Chromium, driven by Playwright, against a real service. CI installs both; at a desk they may be missing."""

from __future__ import annotations

import importlib.util
import os
import re
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.chromium import SWITCHES, found
from tests.browser.houses import WAIT, House
from tests.browser.pages import PATIENCE, Visitor

import build_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser


OVER = "GAME_STATUS_ENDED"


def _missing() -> str:
    if found() is None:
        return "there is no Chromium (Debian's package chromium-headless-shell, or chromium)"
    if importlib.util.find_spec("playwright") is None:
        return "there is no Playwright (pip install -r .ci/requirements.lock)"
    return ""


class _Missing(pytest.Module):
    """A file of tests that cannot even be loaded here."""

    def collect(self) -> Iterator[pytest.Item]:
        pytest.skip(_missing(), allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Files here import Playwright. Where it is missing they say so, but never in CI."""
    if importlib.util.find_spec("playwright") is None and not os.environ.get("CI"):
        return _Missing.from_parent(parent, path=module_path)
    return None


@pytest.fixture(scope="session")
def client_is_built() -> None:
    """The browser client, from today's sources."""
    try:
        build_web.build()
    except build_web.NotInstalledError as missing:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"the browser client: {missing}")


@pytest.fixture(scope="package")
def browser(client_is_built: None) -> Iterator[Browser]:
    """Chromium. Skips where it cannot be, but never in CI.

    It is gone after this folder: as long as Playwright is there, an event loop runs in this thread, and tests of other
    folders that come next in the same process want one of their own.
    """
    missing = _missing()
    if missing and not os.environ.get("CI"):
        pytest.skip(missing)
    from playwright.sync_api import expect, sync_playwright  # not everybody has it

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found(), args=SWITCHES)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def shared_house(client_is_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A service for all tests that do it no harm."""
    house = House(tmp_path_factory.mktemp("house"))
    yield house
    house.close()


@pytest.fixture
def house(shared_house: House) -> House:
    """A service."""
    return shared_house


@pytest.fixture(scope="session")
def ended(shared_house: House) -> Callable[..., str]:
    """The id of a game of that title, edition and number of players that bots have played to its end; made once."""

    @cache
    def game(title: str, edition: str, players: int) -> str:
        seats = [{"bot": "sensible", "name": name} for name in ("Anna", "Ben", "Cleo", "Dan")[:players]]
        made = shared_house.call("Games/CreateGame", {"title": title, "edition": edition, "seats": seats})["game"]
        give_up = time.monotonic() + WAIT
        while (known := shared_house.call("Games/GetGame", {"gameId": made["gameId"]})["game"])["status"] != OVER:
            assert time.monotonic() < give_up, known
            time.sleep(0.05)
        return str(made["gameId"])

    return game


@pytest.fixture
def own_house(client_is_built: None, tmp_path: Path) -> Iterator[House]:
    """A service that the test has for itself."""
    house = House(tmp_path)
    yield house
    house.close()


@pytest.fixture
def visitor(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Makes visitors: browsers of their own, with nothing kept from others. Their pages must complain of nothing."""
    made: list[Visitor] = []

    def visit(house: House, **how: Any) -> Visitor:
        made.append(Visitor(browser, house, **how))
        return made[-1]

    yield visit
    complaints = [each for one in made for each in one.complaints]
    if request.node.stash.get(FAILED, False):
        for number, one in enumerate(made):
            one.picture(f"failed-{re.sub(r'[^a-z0-9]+', '-', request.node.name)}-{number}")
    for one in made:
        one.close()
    assert complaints == []


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report
