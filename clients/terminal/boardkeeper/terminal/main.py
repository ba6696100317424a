"""The command ``boardkeeper``: lists the commands, runs one, and reports failures in one line."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

import click

from boardkeeper.terminal.command_line import Arguments, write_paragraphs
from boardkeeper.terminal.environment import DEFAULT_SERVER
from boardkeeper.terminal.errors import FAILED, INTERRUPTED, CommandError
from boardkeeper.terminal.output import Output

_MISSING_PACKAGE = "the command line needs more packages: pip install 'boardkeeper[client]' (missing: {})"
_READ_TITLES = frozenset({"config", "serve"})
"""Commands that read BOARDKEEPER_TITLES with the other settings of a server."""
_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO})
_HELP_WIDTH = 120

_COMMANDS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "play": {
        "demo": ("terminal.demo", "let bots play a whole game and print it"),
        "play": ("terminal.play", "play a game in this terminal"),
        "titles": ("terminal.titles", "list the titles, or explain one"),
        "games": ("terminal.games", "list games"),
        "invite": ("terminal.invite", "invite a person to an open seat"),
        "undo": ("terminal.undo", "undo your last moves, or answer another player's request"),
        "seat": ("terminal.seat", "hand your seat to a bot, take it back, or resign"),
        "fork": ("terminal.fork", "start a new game from a version of another game"),
    },
    "watch and look back": {
        "watch": ("terminal.watch", "follow a game live"),
        "show": ("terminal.show", "draw the board of a game"),
        "film": ("terminal.film", "draw a game as a series of pictures"),
        "results": ("operations.players", "list the results of finished games"),
        "standings": ("operations.players", "list how a platform's players did in a title"),
    },
    "records": {
        "export": ("terminal.export", "save the record of a game"),
        "import": ("operations.import_record", "import a record into a server"),
        "verify": ("terminal.verify", "verify game records; needs no server"),
        "keys": ("operations.keys", "list the keys that signed records"),
    },
    "run a server": {
        "serve": ("operations.serve", "run the server"),
        "config": ("operations.config", "show the server's settings and where each comes from"),
        "health": ("operations.health", "check whether a server accepts calls"),
        "access": ("operations.access", "create, list, rotate, limit and revoke API keys"),
        "feed": ("operations.feed", "follow all games of a platform"),
        "webhooks": ("operations.webhooks", "send the event feed to URLs"),
    },
    "databases": {
        "check": ("operations.databases", "check whether a database was changed; needs no server"),
        "backup": ("operations.backups", "back up a database, or verify a backup"),
        "restore": ("operations.backups", "create a database from a backup"),
        "archive": ("operations.archives", "move the events of finished games into a folder"),
        "unarchive": ("operations.archives", "move archived events back into the database"),
        "move": ("operations.databases", "move all games to another database"),
        "migrate": ("operations.databases", "create or update the tables of a PostgreSQL database"),
        "rebuild": ("operations.databases", "recompute the game list of a database from its events"),
        "erase": ("operations.removal", "erase a person's name or a player from games"),
        "remove": ("operations.removal", "remove a game permanently"),
    },
    "write a client": {
        "conformance": ("operations.conformance", "test a client against simulated network and server faults"),
    },
    "compare bots": {
        "arena": ("operations.arena", "play a match between bots; needs no server"),
    },
    "write a title": {
        "new-title": ("operations.titles", "write a package with a small title, to start your own"),
        "title-numbers": ("operations.titles", "fix the field numbers of a title's API in its package"),
    },
}
"""The module and the description of each command, by heading and name. Its function has the same name."""

_HELP = f"""\
Play, watch and verify board games in the terminal, and run the server that stores them.

{{commands}}

examples:
  boardkeeper demo                         let bots play a whole game; needs no set-up
  boardkeeper play                         play against two bots in this terminal
  boardkeeper serve                        run a server for browsers and programs ({DEFAULT_SERVER})
  boardkeeper games                        list the games of that server, and your own
  boardkeeper watch GAME                   follow a game from its first event
  boardkeeper show GAME --at 100           draw its board after event 100
  boardkeeper undo GAME                    undo your last moves
  boardkeeper fork GAME --at 100           start a new game from version 100
  boardkeeper export GAME --out game.jsonl save its record: the whole game as a file
  boardkeeper verify game.jsonl            verify the record; needs no server
  boardkeeper backup /backups --db games.db
                                           back up a database, also while a server uses it

Use 'boardkeeper COMMAND --help' for the flags of a command.

games:
  GAME is a game id, or its first 4 or more characters. 'boardkeeper serve' stores games in one database,
  'boardkeeper play' without --server in files of your own. A game is looked up in this order: where you hold a
  seat in it, on the default server ({DEFAULT_SERVER}), in your own files. --server HOST:PORT or --db FILE
  names one place instead. With --db no server has to run.

environment:
  BOARDKEEPER_SERVER          default server, HOST:PORT or https://HOST:PORT (default: {DEFAULT_SERVER})
  BOARDKEEPER_CA_FILE, BOARDKEEPER_CLIENT_CERT, BOARDKEEPER_CLIENT_KEY
                              TLS files for servers at https://, as the flags of these names
  BOARDKEEPER_LANGUAGE        en or de
  BOARDKEEPER_HOME            folder for your own games and seat tokens
  BOARDKEEPER_TITLES          titles that may be loaded here, as for 'serve --titles' (default: built-in)
  BOARDKEEPER_KEY             API key of a platform; only sent to servers
  BOARDKEEPER_OPERATOR_TOKEN  operator token of a server: shows hidden information ('show --position', 'export'),
                              removes games
  BOARDKEEPER_CONFIG          settings file of 'serve'; each setting also has a variable, see 'boardkeeper config'
  NO_COLOR                    if set, print without colours

exit status:
  0    done; for checks: everything is in order
  1    rejected or failed; for checks: a fault was found
  2    wrong usage
  3    no server reached
  4    verify: no fault found, but not everything can be verified yet
  5    for checks: could not check, for example because a file is unreadable or not a record
  130  interrupted
"""


class Program(click.Group):
    """The command ``boardkeeper``, which imports the module of a command when the command is used."""

    def __init__(self) -> None:
        super().__init__(
            "boardkeeper",
            commands={
                name: click.Command(name, short_help=description)
                for commands in _COMMANDS.values()
                for name, (_, description) in commands.items()
            },
            context_settings={"help_option_names": ["-h", "--help"], "max_content_width": _HELP_WIDTH},
            subcommand_metavar="COMMAND ...",
            no_args_is_help=False,
        )

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        for commands in _COMMANDS.values():
            if cmd_name in commands:
                module = commands[cmd_name][0]
                name = {"import": "import_record"}.get(cmd_name, cmd_name.replace("-", "_"))
                command = getattr(import_module(f"boardkeeper.{module}"), name)
                assert isinstance(command, click.Command)
                return command
        return None

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by heading, examples, environment variables and exit statuses."""
        self.format_usage(ctx, formatter)
        lists = [
            "\n".join([f"{heading}:", *(f"  {name:<12} {description}" for name, (_, description) in commands.items())])
            for heading, commands in _COMMANDS.items()
        ]
        write_paragraphs(formatter, _HELP.format(commands="\n\n".join(lists)))


def _show_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("boardkeeper")
        except PackageNotFoundError:
            number = "(not installed)"
        click.echo(f"boardkeeper {number}")
        ctx.exit()


PROGRAM = Program()
PROGRAM.params.append(
    click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_show_version)
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; see ``boardkeeper --help``."""
    _open_missing_descriptors()
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # also during imports
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader, such as head or less, has stopped
        _discard_output()
        return FAILED
    except OSError as error:
        if error.errno not in _DISK_ERRORS:
            raise
        _discard_output()
        print(f"boardkeeper: cannot write: {error.strerror}.", file=sys.stderr)
        return FAILED


def parse(arguments: Sequence[str]) -> Arguments:
    """Read the arguments of a command. Raises :class:`click.ClickException`, or :class:`click.exceptions.Exit`."""
    with PROGRAM.make_context("boardkeeper", list(arguments)) as context:
        parsed = PROGRAM.invoke(context)
    assert isinstance(parsed, Arguments)
    return parsed


def _open_missing_descriptors() -> None:
    """Open the null device for each standard file descriptor that is closed.

    Otherwise a socket would get its number, and uvloop aborts when it closes a socket with such a number.
    """
    for descriptor, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the system assigns the lowest free number, which is this one
            os.set_inheritable(descriptor, True)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8", closefd=False))


def _discard_output() -> None:
    """Discard buffered output, so that the interpreter does not report an error at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str]) -> int:
    try:
        parsed = parse(arguments)
    except click.exceptions.Exit as done:
        sys.stdout.flush()
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # no log lines of gRPC: commands report errors themselves
    color = not getattr(parsed, "no_color", False) and not os.environ.get("NO_COLOR")
    try:
        output = Output(color=color, as_json=getattr(parsed, "json", False))
    except ModuleNotFoundError as error:
        return _report_missing_package(error)
    try:
        from boardkeeper.terminal.tls_files import set_tls_files

        set_tls_files(parsed)
        if parsed.command not in _READ_TITLES and (listed := os.environ.get("BOARDKEEPER_TITLES")):
            from boardkeeper.titles.registry import allow_listed

            for problem in allow_listed(listed)[1]:
                output.error(f"{problem}.")
        status = parsed.run(parsed, output)
        sys.stdout.flush()
    except CommandError as error:
        output.error(str(error))
        return error.status
    except click.UsageError as error:
        error.show()
        return error.exit_code
    except ModuleNotFoundError as error:
        return _report_missing_package(error)
    except ValueError as error:
        from boardkeeper.wire.errors import ConversionError

        if not isinstance(error, ConversionError):
            raise
        output.error(f"the server sent something that this program does not know ({error}). Update this program.")
        return FAILED
    return status


def _report_missing_package(error: ModuleNotFoundError) -> int:
    """Report a package that is not installed; a missing module of Boardkeeper itself is a bug."""
    if (error.name or "").startswith("boardkeeper"):
        raise error
    print(f"boardkeeper: {_MISSING_PACKAGE.format(error.name)}", file=sys.stderr)
    return FAILED
