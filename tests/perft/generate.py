"""Write the missing perft files: ``python -m tests.perft.generate [TITLE …]``."""

from __future__ import annotations

import sys

from tests.golden.games import folder
from tests.kit.adapters import adapter_of
from tests.perft.counting import HERE

from boardkeeper.testkit.perft_positions import count_missing
from boardkeeper.titles.registry import TITLES


def main() -> int:
    """Write the missing files of the named titles, or of all."""
    titles = sys.argv[1:] or list(TITLES)
    if unknown := [title for title in titles if title not in TITLES]:
        sys.stderr.write(f"no such title: {', '.join(unknown)}\n")
        return 2
    for title in titles:
        count_missing(adapter_of(title), HERE / title, folder(title))
    return 0


if __name__ == "__main__":
    sys.exit(main())
