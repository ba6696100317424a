"""Write the golden games and perft files that a title lacks, show such a file, or test the mutants of a title.

``python -m boardkeeper.testkit MODULE``, ``show FILE`` or ``mutants MODULE``.
"""

from __future__ import annotations

import lzma
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from boardkeeper.testkit import mutants, packed_files
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.perft_positions import count_missing
from boardkeeper.testkit.recording import record_missing

USAGE = """usage: python -m boardkeeper.testkit MODULE, where MODULE has ADAPTER
       python -m boardkeeper.testkit show FILE, a golden game or perft file
       python -m boardkeeper.testkit mutants MODULE [--help]
"""


def main(arguments: list[str]) -> int:
    """Carry out a command, and return the exit status."""
    sys.path.insert(0, "")
    if len(arguments) > 1 and arguments[0] == "mutants":
        return mutants.main(arguments[1:])
    if len(arguments) == 2 and arguments[0] == "show":
        return _show(Path(arguments[1]))
    if len(arguments) != 1:
        sys.stderr.write(USAGE)
        return 2
    adapter: Adapter = import_module(arguments[0]).ADAPTER
    record_missing(adapter, adapter.golden)
    count_missing(adapter, adapter.perft, adapter.golden)
    return 0


def _show(path: Path) -> int:
    try:
        content = packed_files.read(path)
    except (OSError, lzma.LZMAError) as error:
        sys.stderr.write(f"{path}: cannot be read: {error}\n")
        return 1
    with suppress(BrokenPipeError):
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
