"""What the browser client costs whoever looks at it: the bytes of a first view, and steps through the history.

    python -m bench.bench_pages [--steps 600]

Needs Chromium and Playwright (`.ci/requirements.lock`). A game of bots is played out over a real service; its page is
opened in an empty browser, and all that comes for it is counted as it comes, compressed and with its heads. Then the
slider is drawn by one version a frame. What counts is the processor time that all processes of the browser take for a
step, drawing in software on one core (where the system lets us choose it): at 60 steps a second that has 16.7 ms for
each.
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
from tests.browser.chromium import SWITCHES
from tests.browser.houses import House
from tests.browser.measures import STEPS, Wire, processor_seconds

MOST_BYTES = 300_000
FRAME_MS = 1000 / 60


def played(house: House, title: dict[str, Any]) -> tuple[str, str, int]:
    """A game of a title's usual edition, with as many players as can be, that bots have played to its end.

    Tells what it is, its id, and how many events it has.
    """
    edition = next(each for each in title["editions"] if each["id"] == title["defaultEdition"])
    players = edition["playersMax"]
    asked = {"title": title["id"], "seats": [{"bot": title["bots"][0]["id"]}] * players}
    game: str = house.call("Games/CreateGame", asked)["game"]["gameId"]
    return f"{title['text']}, {edition['text']}, {players} players", game, house.waits_for_the_end(game)


@contextmanager
def on_one_core() -> Iterator[None]:
    """Whatever is started within runs on one core, if the system is one where that can be said."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def measure(house: House, folder: Path, game: str, steps: int) -> tuple[int, float, list[float]]:
    """Bytes of the first view; processor time of a step in ms; how long each frame was in ms."""
    with on_one_core(), sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            folder, executable_path=shutil.which("chromium"), args=SWITCHES, viewport={"width": 1400, "height": 900}
        )
        page = context.new_page()
        wire = Wire(page)
        page.goto(f"{house.web}/#/games/{game}")
        page.wait_for_selector(".stage .piece")
        page.wait_for_load_state("networkidle")
        first = wire.total
        page.locator(".history input[type=range]").fill("1")  # the whole history is there from now on
        page.wait_for_function("() => document.querySelector('.history output').textContent.startsWith('1/')")
        page.evaluate(STEPS, [60])
        before = processor_seconds(folder)
        frames = page.evaluate(STEPS, [steps])
        spent = processor_seconds(folder) - before
        context.close()
    return first, spent / steps * 1000, frames


def main() -> None:
    """Run as a program."""
    parser = argparse.ArgumentParser(description="What the browser client costs whoever looks at it.")
    parser.add_argument("--steps", type=int, default=600)
    steps = parser.parse_args().steps
    subprocess.run([sys.executable, "tools/build_web.py"], check=True)
    with TemporaryDirectory() as folder:
        house = House(Path(folder))
        try:
            for number, title in enumerate(house.call("Catalog/ListTitles", {})["titles"]):
                name, game, last = played(house, title)
                size, spent, frames = measure(house, Path(folder) / f"browser-{number}", game, steps)
                light = "met" if size <= MOST_BYTES else "NOT met"
                quick = "met" if spent <= FRAME_MS else "NOT met"
                print(f"{name}, {last} events")
                print(f"  first view: {size / 1000:.0f} KB (at most {MOST_BYTES // 1000}: {light})")
                print(f"  a step: {spent:.1f} ms of the processor (at most {FRAME_MS:.1f}: {quick})")
                late = sum(frame > 1.5 * FRAME_MS for frame in frames)
                print(f"  a frame: {statistics.median(frames):.1f} ms; {late / len(frames):.1%} came late")
        finally:
            house.close()


if __name__ == "__main__":
    main()
