"""Which Chromium there is, and how it is started."""

import shutil

SWITCHES = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
"""Nothing of Chromium's own goes over the network, and it starts as root, as CI does."""


def found() -> str | None:
    """The program, None if there is none.

    The shell without windows is the same engine. What the whole browser does around each visitor and page, with
    profiles, extensions and windows, takes longer than many a test.
    """
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")
