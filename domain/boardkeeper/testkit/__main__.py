"""Write the golden games and perft files that a title lacks, or test its mutants.

``python -m boardkeeper.testkit MODULE`` or ``python -m boardkeeper.testkit mutants MODULE``.
"""

from __future__ import annotations

import sys
from importlib import import_module

from boardkeeper.testkit import mutants
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.perft_positions import count_missing
from boardkeeper.testkit.recording import record_missing

USAGE = """usage: python -m boardkeeper.testkit MODULE, where MODULE has ADAPTER
       python -m boardkeeper.testkit mutants MODULE [--help]
"""


def main(arguments: list[str]) -> int:
    """Write the files of the adapter in a module, or test mutants; returns the exit status."""
    sys.path.insert(0, "")
    if len(arguments) > 1 and arguments[0] == "mutants":
        return mutants.main(arguments[1:])
    if len(arguments) != 1:
        sys.stderr.write(USAGE)
        return 2
    adapter: Adapter = import_module(arguments[0]).ADAPTER
    record_missing(adapter, adapter.golden)
    count_missing(adapter, adapter.perft, adapter.golden)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
