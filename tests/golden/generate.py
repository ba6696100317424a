"""Record golden games: ``python -m tests.golden.generate [TITLE …]`` records the missing ones.

``--name`` records a single game instead, with ``--seed``, ``--edition``, ``--players``, ``--bots`` (one for each seat,
or one for all; without it a random game, eager if the seed is odd) and ``--choose`` for options and readings.
"""

from __future__ import annotations

import argparse

from tests.golden.games import folder
from tests.kit.adapters import adapter_of

from boardkeeper.game.choices import complete
from boardkeeper.testkit.recording import RecordedGame, record_missing, store_game
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import TITLES


def record_single(id: str, arguments: argparse.Namespace) -> None:
    """Record the game that the arguments describe."""
    adapter = adapter_of(id)
    meta = adapter.title.meta
    chosen = dict(it.partition("=")[::2] for it in arguments.choose)
    options = {option: value for option, value in chosen.items() if option in {it.id for it in meta.options}}
    readings = {reading: value for reading, value in chosen.items() if reading not in options}
    setup = complete(meta, Setup(arguments.edition, arguments.players, options, readings))
    path = folder(id) / f"{arguments.name}.jsonl.xz"
    store_game(adapter, path, RecordedGame(adapter, path, arguments.seed, setup, arguments.bots).record(), set())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.golden.generate", description="Record golden games.")
    parser.add_argument("titles", nargs="*", help=f"titles, all by default: {', '.join(TITLES)}")
    parser.add_argument("--name", help="record this single game of one title")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--edition", default="")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--bots", nargs="*", default=())
    parser.add_argument("--choose", nargs="*", default=(), metavar="ID=CHOICE")
    arguments = parser.parse_args()
    if unknown := [title for title in arguments.titles if title not in TITLES]:
        parser.error(f"no such title: {', '.join(unknown)}")
    if arguments.name:
        if len(arguments.titles) != 1:
            parser.error("--name needs exactly one title")
        record_single(arguments.titles[0], arguments)
        return
    for title in arguments.titles or TITLES:
        record_missing(adapter_of(title), folder(title))


if __name__ == "__main__":
    main()
