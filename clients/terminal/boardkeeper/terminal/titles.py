"""The command ``boardkeeper titles``."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.output import Output


@cli.command()
@cli.argument("title", "TITLE", required=False, help="title id")
@cli.flag(
    "--edition", metavar="ID", default="", help="edition whose components are shown (default: the title's default)"
)
@cli.location_flags("titles of this server", "titles as a server on this database file has them")
@cli.language_flag
@cli.output_flags
def titles(arguments: cli.Arguments, output: Output) -> int:
    """List the titles that you can play.

    With TITLE, show its editions, options, rules interpretations (readings) and bots. The list comes from the default
    server, if it runs, else from this installation.

    examples:
      boardkeeper titles
      boardkeeper titles TITLE
      boardkeeper titles TITLE --edition ID
    """
    from boardkeeper.terminal.title_list import list_titles

    return list_titles(arguments, output)
