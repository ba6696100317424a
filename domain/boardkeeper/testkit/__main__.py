"""Write the golden games and perft files that a title lacks: ``python -m boardkeeper.testkit MODULE``."""

from __future__ import annotations

import sys
from importlib import import_module

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.perft_positions import count_missing
from boardkeeper.testkit.recording import record_missing


def main(arguments: list[str]) -> int:
    """Write the files of the adapter in a module; returns the exit status."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m boardkeeper.testkit MODULE, where MODULE has ADAPTER\n")
        return 2
    sys.path.insert(0, "")
    adapter: Adapter = import_module(arguments[0]).ADAPTER
    record_missing(adapter, adapter.golden)
    count_missing(adapter, adapter.perft, adapter.golden)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
