"""The installed Chromium and its flags."""

import shutil

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
"""Chromium sends no requests for itself, and can start as root, as in CI."""


def find_chromium() -> str | None:
    """Return the program, or None.

    The headless shell is the same engine, and starts pages faster than the browser with profiles, extensions and
    windows.
    """
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")
