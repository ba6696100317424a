"""A real Chromium, driven by Playwright, with a real server. CI installs Chromium and Playwright."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.pages import TIMEOUT_MS, Visitor
from tests.browser.server_process import PLAYERS, ServerProcess

import build_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def _missing() -> str:
    if find_chromium() is None:
        return "there is no Chromium (Debian's package chromium-headless-shell, or chromium)"
    if importlib.util.find_spec("playwright") is None:
        return "there is no Playwright (pip install -r .ci/requirements.lock)"
    return ""


class _Missing(pytest.Module):
    """A test file that cannot be imported without Playwright."""

    def collect(self) -> Iterator[pytest.Item]:
        pytest.skip(_missing(), allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Skip the test files if Playwright is missing, but never in CI."""
    if importlib.util.find_spec("playwright") is None and not os.environ.get("CI"):
        return _Missing.from_parent(parent, path=module_path)
    return None


@pytest.fixture(scope="session")
def client_is_built() -> None:
    """The web client, built from the current sources."""
    try:
        build_web.build()
    except build_web.NotInstalledError as missing:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"the web client: {missing}")


@pytest.fixture(scope="package")
def browser(client_is_built: None) -> Iterator[Browser]:
    """Chromium. Skips the tests if it is missing, but never in CI.

    It is closed after this folder: while Playwright runs, this thread has an event loop, and tests of other folders in
    the same process need their own.
    """
    missing = _missing()
    if missing and not os.environ.get("CI"):
        pytest.skip(missing)
    from playwright.sync_api import expect, sync_playwright  # may be missing outside of CI

    expect.set_options(timeout=TIMEOUT_MS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def shared_server(client_is_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for all tests that do not restart or change it."""
    server = ServerProcess(tmp_path_factory.mktemp("server"))
    yield server
    server.close()


@pytest.fixture
def server(shared_server: ServerProcess) -> ServerProcess:
    return shared_server


@pytest.fixture(scope="session")
def finished_game(shared_server: ServerProcess) -> Callable[..., str]:
    """A function of title, edition and players that returns a game that bots have finished; each is played once."""

    @cache
    def play_game(title: str, edition: str, players: int) -> str:
        seats = [{"bot": "sensible", "name": name} for name in PLAYERS[:players]]
        game: str = shared_server.create_game(title, edition, seats=seats)["game"]["gameId"]
        shared_server.wait_for_end(game)
        return game

    return play_game


@pytest.fixture
def own_server(client_is_built: None, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server for one test."""
    server = ServerProcess(tmp_path)
    yield server
    server.close()


@pytest.fixture
def new_visitor(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Opens separate browser contexts. Their pages must log no unexpected errors."""
    made: list[Visitor] = []

    def visit(server: ServerProcess, **how: Any) -> Visitor:
        made.append(Visitor(browser, server, **how))
        return made[-1]

    yield visit
    errors = [each for one in made for each in one.errors]
    if request.node.stash.get(FAILED, False):
        for number, one in enumerate(made):
            one.take_screenshot(f"failed-{re.sub(r'[^a-z0-9]+', '-', request.node.name)}-{number}")
    for one in made:
        one.close()
    assert errors == []


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report
