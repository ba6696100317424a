"""The cost of a page of the browser client: the bytes of its first view, and the CPU time of steps in the history.

    python -m bench.bench_pages [--steps 600]

Needs Chromium and Playwright (`.ci/requirements.lock`). Bots finish a game on a real service. A new browser opens its
page, and all received bytes count, compressed and with headers. Then the slider moves by one version per frame. The
measured value is the CPU time of all processes of the browser per step, rendered in software and on one core (where
the system allows to choose it). The goal is 16.7 ms, for 60 steps per second.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright
from tests.browser.chromium import FLAGS
from tests.browser.measures import STEP_THROUGH_HISTORY, ReceivedBytes, cpu_seconds
from tests.browser.server_process import ServerProcess

MOST_BYTES = 300_000
FRAME_MS = 1000 / 60


def play_game(server: ServerProcess, title: dict[str, Any]) -> tuple[str, str, int]:
    """Let bots play a game of a title's default edition with the most players.

    Return a description, the game id and the number of events.
    """
    edition = next(each for each in title["editions"] if each["id"] == title["defaultEdition"])
    players = edition["playersMax"]
    request = {"title": title["id"], "seats": [{"bot": title["bots"][0]["id"]}] * players}
    game: str = server.call("Games/CreateGame", request)["game"]["gameId"]
    return f"{title['text']}, {edition['text']}, {players} players", game, server.wait_for_end(game)


@contextmanager
def on_one_core() -> Iterator[None]:
    """Run new processes on one core, if the system supports it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def measure(server: ServerProcess, folder: Path, game: str, steps: int) -> tuple[int, float, list[float]]:
    """Return the bytes of the first view, the CPU time of a step in ms, and the duration of each frame in ms."""
    with on_one_core(), sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            folder, executable_path=shutil.which("chromium"), args=FLAGS, viewport={"width": 1400, "height": 900}
        )
        page = context.new_page()
        wire = ReceivedBytes(page)
        page.goto(f"{server.web}/#/games/{game}")
        page.wait_for_selector(".stage .piece")
        page.wait_for_load_state("networkidle")
        first = wire.total
        page.locator(".history input[type=range]").fill("1")  # loads the whole history
        page.wait_for_function("() => document.querySelector('.history output').textContent.startsWith('1/')")
        page.evaluate(STEP_THROUGH_HISTORY, [60])
        before = cpu_seconds(folder)
        frames = page.evaluate(STEP_THROUGH_HISTORY, [steps])
        spent = cpu_seconds(folder) - before
        context.close()
    return first, spent / steps * 1000, frames


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the cost of a page of the browser client.")
    parser.add_argument("--steps", type=int, default=600)
    steps = parser.parse_args().steps
    subprocess.run([sys.executable, "tools/build_web.py"], check=True)
    with TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder))
        try:
            for number, title in enumerate(server.call("Catalog/ListTitles", {})["titles"]):
                name, game, last = play_game(server, title)
                size, spent, frames = measure(server, Path(folder) / f"browser-{number}", game, steps)
                light = "met" if size <= MOST_BYTES else "NOT met"
                quick = "met" if spent <= FRAME_MS else "NOT met"
                print(f"{name}, {last} events")
                print(f"  first view: {size / 1000:.0f} KB (at most {MOST_BYTES // 1000}: {light})")
                print(f"  a step: {spent:.1f} ms of the processor (at most {FRAME_MS:.1f}: {quick})")
                late = sum(frame > 1.5 * FRAME_MS for frame in frames)
                print(f"  a frame: {statistics.median(frames):.1f} ms; {late / len(frames):.1%} came late")
        finally:
            server.close()


if __name__ == "__main__":
    main()
