"""How Chromium is started."""

SWITCHES = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
"""Nothing of Chromium's own goes over the network, and it starts as root, as CI does."""
