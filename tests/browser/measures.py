"""The cost of a page: received bytes, and CPU time of steps in the history."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

_TICKS = os.sysconf("SC_CLK_TCK")


class ReceivedBytes:
    """The bytes that a page receives, compressed and with headers, by address."""

    def __init__(self, page: Page) -> None:
        self.bytes: dict[str, int] = {}
        names: dict[str, str] = {}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", lambda it: names.__setitem__(it["requestId"], it["request"]["url"]))

        def ended(it: dict[str, Any]) -> None:
            name = names.get(it["requestId"], "?")
            self.bytes[name] = self.bytes.get(name, 0) + int(it["encodedDataLength"])

        session.on("Network.loadingFinished", ended)

    @property
    def total(self) -> int:
        return sum(self.bytes.values())


STEP_THROUGH_HISTORY = """
// Moves by one version per frame through the history, back and forth; returns the duration of each frame.
async ([steps]) => {
  const slider = document.querySelector(".history input[type=range]");
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const times = [];
  let at = Number(slider.value), by = -1;
  await new Promise((resolve) => {
    let last = performance.now();
    const frame = (now) => {
      times.push(now - last);
      last = now;
      if (times.length > steps) return resolve();
      if (at <= 2) by = 1;
      if (at >= Number(slider.max)) by = -1;
      at += by;
      set.call(slider, String(at));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return times.slice(1);
}
"""


def cpu_seconds(folder: Path) -> float:
    """Return the CPU time of all processes of the browser with this user data folder."""
    total = 0.0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            if b"chromium" not in command:
                continue
            if not _belongs_to(process, folder):
                continue
            fields = (process / "stat").read_text("ascii").rpartition(")")[2].split()
        except OSError:
            continue
        total += (int(fields[11]) + int(fields[12])) / _TICKS
    return total


def _belongs_to(process: Path, folder: Path) -> bool:
    """Return whether a process or one of its ancestors has this folder in its command line."""
    while process.name not in ("0", "1"):
        if str(folder).encode() in (process / "cmdline").read_bytes():
            return True
        parent = (process / "stat").read_text("ascii").rpartition(")")[2].split()[1]
        process = process.parent / parent
    return False
