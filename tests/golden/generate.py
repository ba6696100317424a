"""Make golden games: ``python -m tests.golden.generate [TITLE …]`` makes those that are missing.

With ``--name`` a single game is recorded, as it is asked for: ``--seed``, ``--edition``, ``--players``, ``--bots`` (one
a seat, or one for all; none: a random game, eager if the seed is odd) and ``--choose`` for options and readings.
"""

from __future__ import annotations

import argparse

from tests.golden.games import folder
from tests.kit.adapters import adapter_of

from boardkeeper.game.choices import complete
from boardkeeper.testkit.recording import RecordedGame, record_missing, store_game
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import TITLES


def single(id: str, asked: argparse.Namespace) -> None:
    """The game that is asked for."""
    adapter = adapter_of(id)
    meta = adapter.title.meta
    chosen = dict(it.partition("=")[::2] for it in asked.choose)
    options = {option: value for option, value in chosen.items() if option in {it.id for it in meta.options}}
    readings = {reading: value for reading, value in chosen.items() if reading not in options}
    setup = complete(meta, Setup(asked.edition, asked.players, options, readings))
    path = folder(id) / f"{asked.name}.jsonl.xz"
    store_game(adapter, path, RecordedGame(adapter, path, asked.seed, setup, asked.bots).record(), set())


def main() -> None:
    """Make what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.generate", description="Make golden games.")
    parser.add_argument("titles", nargs="*", help=f"whose games, all by default: {', '.join(TITLES)}")
    parser.add_argument("--name", help="record this single game of one title")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--edition", default="")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--bots", nargs="*", default=())
    parser.add_argument("--choose", nargs="*", default=(), metavar="ID=CHOICE")
    asked = parser.parse_args()
    if unknown := [title for title in asked.titles if title not in TITLES]:
        parser.error(f"no such title: {', '.join(unknown)}")
    if asked.name:
        if len(asked.titles) != 1:
            parser.error("a single game is of one title")
        single(asked.titles[0], asked)
        return
    for title in asked.titles or TITLES:
        record_missing(adapter_of(title), folder(title))


if __name__ == "__main__":
    main()
