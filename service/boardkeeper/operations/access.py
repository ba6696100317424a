"""The command ``boardkeeper access``: API keys."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.output import Output

_shared_flags = cli.combine(
    cli.location_flags("use this server; needs its operator token", cli.DATABASE_HELP),
    cli.file_flag("--key-file", help=cli.KEY_FILE_HELP),
    cli.output_flags,
)
_key_argument = cli.argument("key", "ID", help="id of the key; it is not secret")


@cli.group
def access() -> None:
    """Manage the API keys with which platforms call a server.

    A key is shown once, when it is created; only its hash is stored. A key has scopes and can access only the games of
    its platform. A running server applies changes within seconds.

    Keys are changed in the database (--db), or through the server if it has the SQLite file open or if --server names
    it. Through a server, set BOARDKEEPER_OPERATOR_TOKEN to the server's operator token.

    examples:
      boardkeeper access create lobby --scopes create,play,watch --db games.db
      boardkeeper access create "night import" --platform lobby --scopes import --expires 90d
      boardkeeper access create lobby --scopes create,play,watch --certificate lobby.example.org
      boardkeeper access list --json | jq -r 'select(.state=="active").key_id'
      boardkeeper access rotate 1f0c9a3b77de --overlap 24
      boardkeeper access revoke 1f0c9a3b77de
      boardkeeper access limit 1f0c9a3b77de reads=2k/s streams=8k games=50k
    """


@access.command()
@cli.argument("name", "NAME", help="name for lists")
@cli.flag(
    "--scopes",
    type=values.words,
    required=True,
    metavar="SCOPE,…",
    help="what it allows: create, play, watch, history, import, operate, webhooks",
)
@cli.flag(
    "--platform",
    default="",
    metavar="ID",
    help="platform whose games it can access (default: NAME); * for all, for an operator",
)
@cli.flag("--expires", default="", metavar="WHEN", help="12h, 90d, 1y, or a date such as 2031-12-31 (default: never)")
@cli.flag(
    "--certificate",
    default="",
    metavar="NAME",
    help="create no secret; clients are recognised by a TLS certificate with this name",
)
@_shared_flags
def create(arguments: cli.Arguments, output: Output) -> int:
    """Create a key and show it once."""
    return _run(arguments, output)


@access.command("list")
@_shared_flags
def list_keys(arguments: cli.Arguments, output: Output) -> int:
    """List all keys, without secrets."""
    return _run(arguments, output)


@access.command()
@_key_argument
@cli.flag("--overlap", type=values.hours, default=24, metavar="HOURS", help="how long the old key stays valid")
@_shared_flags
def rotate(arguments: cli.Arguments, output: Output) -> int:
    """Replace a key by a new one."""
    return _run(arguments, output)


@access.command()
@_key_argument
@_shared_flags
def revoke(arguments: cli.Arguments, output: Output) -> int:
    """Make a key invalid at once."""
    return _run(arguments, output)


@access.command()
@_key_argument
@cli.argument(
    "limits",
    "LIMIT=FIGURE",
    nargs=-1,
    help="for example reads=2k/s:8k streams=off games=50k; all other limits get their defaults",
)
@_shared_flags
def limit(arguments: cli.Arguments, output: Output) -> int:
    """Set a key's rate limits and quotas."""
    return _run(arguments, output)


def _run(arguments: cli.Arguments, output: Output) -> int:
    from boardkeeper.operations.api_keys import run_action

    return run_action(arguments, output)
