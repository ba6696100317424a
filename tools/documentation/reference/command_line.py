"""The command line reference, generated from the commands."""

from __future__ import annotations

from collections.abc import Iterator

import click

from boardkeeper.terminal.main import PROGRAM
from documentation.reference.markdown import page

WIDTH = 98


def pages() -> Iterator[tuple[str, str]]:
    """Yield place and text of the only page; the place is below ``reference``."""
    context = click.Context(PROGRAM, info_name="boardkeeper", terminal_width=WIDTH)
    blocks: list[str] = []
    for name in PROGRAM.commands:
        command = PROGRAM.get_command(context, name)
        assert command is not None
        blocks += [f"## {name}", _help(command, context)]
        if isinstance(command, click.Group):
            group = click.Context(command, context, name)
            blocks += [_help(it, group) for it in command.commands.values()]
    yield (
        "command-line",
        page(
            "# Command line reference",
            "The output of `boardkeeper --help` and of `boardkeeper COMMAND --help` for each command.",
            _help(PROGRAM, None),
            *blocks,
        ),
    )


def _help(command: click.Command, parent: click.Context | None) -> str:
    context = click.Context(command, parent, command.name, terminal_width=WIDTH, help_option_names=["-h", "--help"])
    return f"```text\n{command.get_help(context).rstrip()}\n```"
