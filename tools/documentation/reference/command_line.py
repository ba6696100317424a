"""The command line reference, generated from the argument parser."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from unittest.mock import patch

from boardkeeper.terminal.arguments import parser
from documentation.reference.markdown import page

WIDTH = "100"


def pages() -> Iterator[tuple[str, str]]:
    """Yield place and text of the only page; the place is below ``reference``."""
    with patch.dict(os.environ, {"COLUMNS": WIDTH}):
        whole = parser()
        commands = next(it for it in whole._actions if isinstance(it, argparse._SubParsersAction))
        blocks = [
            block
            for name, command in commands.choices.items()
            for block in (f"## {name}", _help(command.format_help()))
        ]
        yield (
            "command-line",
            page("# Command line reference",
                 "The output of `boardkeeper --help` and of `boardkeeper COMMAND --help` for each command.",
                 _help(whole.format_help()), *blocks),
        )  # fmt: skip


def _help(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"
