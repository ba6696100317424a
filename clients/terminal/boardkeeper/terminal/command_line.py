"""Commands and flags of the command line, and the flags that many commands share.

A command is a function that takes the values of its flags (:class:`Arguments`) and the :class:`Output`, and returns an
exit status. Its docstring is its help text. Modules with commands import other modules inside functions, so that
``--help`` does not load gRPC and the server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import cleandoc
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from boardkeeper.terminal import values
from boardkeeper.terminal.environment import DEFAULT_SERVER, LANGUAGES, default_language

if TYPE_CHECKING:
    from boardkeeper.terminal.output import Output

Function = Callable[..., int]
Decorator = Callable[[Function], Function]

_NAME_COLUMN = 30
"""Maximum width of the names of flags in help texts."""

GAME_HELP = "game id, or its first 4 or more characters"
DATABASE_HELP = "path, sqlite:///PATH or postgresql://… (default: boardkeeper.db)"
KEY_FILE_HELP = "signing key of a PostgreSQL database"
VERBOSE_HELP = "also print minor events"
DEFAULT_HELP = f"(default: BOARDKEEPER_SERVER or {DEFAULT_SERVER})"
ALL_PLACES_HELP = f"(default: BOARDKEEPER_SERVER or {DEFAULT_SERVER}, and your own games)"


class Arguments(SimpleNamespace):
    """The values of the flags of one command, by name, with ``command``, ``action`` and its function ``run``."""

    run: Callable[[Arguments, Output], int]
    command: str
    action: str

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


class Value(click.ParamType[Any]):
    """A parameter type that converts texts with a function. The function raises ``ValueError`` for invalid texts."""

    name = "text"

    def __init__(self, convert: Callable[[str], Any]) -> None:
        self._convert = convert

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert a text. Defaults are not texts and stay unchanged."""
        if not isinstance(value, str):
            return value
        try:
            return self._convert(value)
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)


class Flag(click.Option):
    """An option with a heading in the help text, and with names of flags that cannot be combined with it."""

    def __init__(self, *args: Any, group: str = "Options", conflicts: Sequence[str] = (), **settings: Any) -> None:
        default, text = settings.get("default"), settings.get("help", "")
        if default and not callable(default) and default is not True and "(default:" not in text:
            settings["help"] = f"{text} (default: {default})"
        super().__init__(*args, **settings)
        self.group = group
        self._conflicts = conflicts

    def handle_parse_result(self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]) -> Any:
        """Reject this flag if a conflicting flag was also passed."""
        if self.name in opts:
            for other in self._conflicts:
                if other in opts:
                    raise click.UsageError(f"{self.opts[0]} cannot be used with --{other.replace('_', '-')}.", ctx)
        return super().handle_parse_result(ctx, opts, args)


class Command(click.Command):
    """A command with examples below its flags. Flags can be shortened as long as they stay unambiguous."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the part of the docstring before the examples."""
        write_paragraphs(formatter, cleandoc(self.help or "").partition("examples:\n")[0])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the flags under their headings."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and not isinstance(parameter, click.Argument):
                groups.setdefault(getattr(parameter, "group", "Options"), []).append(record)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl(records, col_max=_NAME_COLUMN)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        _, found, examples = cleandoc(self.help or "").partition("examples:\n")
        if found:
            write_paragraphs(formatter, f"examples:\n{examples}")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Complete shortened flags, then read the arguments."""
        end = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [self._complete(ctx, it) for it in args[:end]] + args[end:])

    def _complete(self, ctx: click.Context, argument: str) -> str:
        name, separator, value = argument.partition("=")
        if not name.startswith("--"):
            return argument
        names = {it for parameter in self.get_params(ctx) for it in (*parameter.opts, *parameter.secondary_opts)}
        found = [it for it in names if it.startswith(name)]
        if name in names or not found:
            return argument
        if len(found) > 1:
            raise click.UsageError(f"{name} could be any of: {', '.join(sorted(found))}.", ctx)
        return f"{found[0]}{separator}{value}"

    def invoke(self, ctx: click.Context) -> Arguments:
        """Return the arguments; the caller runs the command."""
        assert self.callback is not None
        names = ctx.command_path.split()[1:]
        return Arguments(command=names[0], action=names[1] if len(names) > 1 else "", run=self.callback, **ctx.params)


class CommandGroup(click.Group):
    """A command with actions, such as ``boardkeeper access create``."""

    command_class = Command

    format_help_text = Command.format_help_text
    format_epilog = Command.format_epilog

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the actions in the order of their definition."""
        return list(self.commands)


def write_paragraphs(formatter: click.HelpFormatter, text: str) -> None:
    """Write paragraphs. Wrap their lines, except in paragraphs with indented lines."""
    for paragraph in text.strip().split("\n\n"):
        formatter.write_paragraph()
        formatter.write(f"{paragraph}\n") if "\n  " in paragraph else formatter.write_text(paragraph)


def command(name: str | None = None) -> Callable[[Callable[..., int]], Command]:
    """Turn a function into a command. ``name`` is by default the name of the function."""
    return click.command(name, cls=Command)


def group(function: Callable[..., Any]) -> CommandGroup:
    """Turn a function into a command with actions."""
    return click.group(cls=CommandGroup, subcommand_metavar="ACTION ...")(function)


def flag(*declarations: str, **settings: Any) -> Decorator:
    """Add a flag. ``type`` may be a function that converts a text; ``choices`` is a list of the allowed values."""
    if "choices" in settings:
        settings["type"] = click.Choice(settings.pop("choices"))
        settings.setdefault("metavar", None)
    elif callable(settings.get("type")) and not isinstance(settings["type"], type):
        settings["type"] = Value(settings["type"])
    return click.option(*declarations, cls=Flag, **settings)


def switch(*declarations: str, **settings: Any) -> Decorator:
    """Add a flag without a value."""
    return click.option(*declarations, cls=Flag, is_flag=True, **settings)


def argument(name: str, metavar: str, **settings: Any) -> Decorator:
    """Add a positional argument."""
    if callable(settings.get("type")) and not isinstance(settings["type"], type):
        settings["type"] = Value(settings["type"])
    if not settings.get("required", "nargs" not in settings):
        metavar = f"[{metavar}]"
    if "nargs" in settings:
        metavar += "..."
    return click.argument(name, metavar=metavar, **settings)


def combine(*decorators: Decorator) -> Decorator:
    """Return one decorator for several flags, in the order of the help text."""

    def decorate(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


# --- flags of several commands ---------------------------------------------------------------------------------------


def file_flag(*declarations: str, help: str, metavar: str = "FILE", **settings: Any) -> Decorator:
    """Add a flag that names a file; ``-`` is rejected."""
    return flag(*declarations, metavar=metavar, type=values.path, help=help, **settings)


def game_argument(help: str = GAME_HELP) -> Decorator:
    """Add the argument GAME."""
    return argument("game", "GAME", help=help)


def server_flag(help: str = f"server to use {DEFAULT_HELP}", **settings: Any) -> Decorator:
    """Add ``--server``."""
    return flag("--server", metavar="HOST:PORT", type=values.address, help=help, **settings)


_TLS = "For servers at https://"
tls_flags = combine(
    file_flag("--ca-file", help="trust servers whose certificate one of these authorities signed (PEM)", group=_TLS),
    file_flag("--client-cert", help="your certificate, if the server requires one", group=_TLS),
    file_flag("--client-key", help="private key of your certificate", group=_TLS),
)


def location_flags(
    server: str = f"only this server {ALL_PLACES_HELP}",
    database: str = "only this database file, also while a server uses it",
) -> Decorator:
    """Add ``--server`` and ``--db``, which name the location of games, and the flags of TLS files."""
    return combine(
        server_flag(server, conflicts=("db",)), file_flag("--db", help=database, conflicts=("server",)), tls_flags
    )


def database_flags(key_file: str = KEY_FILE_HELP) -> Decorator:
    """Add ``--db`` and ``--key-file``, for commands that open a database without a server."""
    return combine(file_flag("--db", metavar="URL", help=DATABASE_HELP), file_flag("--key-file", help=key_file))


language_flag = flag(
    "--language",
    choices=LANGUAGES,
    default=default_language,
    help="language of sentences and names (default: BOARDKEEPER_LANGUAGE or en)",
)
color_flag = switch("--no-color", help="print without colours")
output_flags = combine(switch("--json", help="print one JSON object per line, for programs"), color_flag)
bots_flag = flag(
    "--bots",
    type=values.bots,
    default=(),
    metavar="KIND,…",
    help="kinds of bots, assigned to the seats in turn (default: the first that 'boardkeeper titles TITLE' lists)",
)
own_seat_flag = flag(
    "--seat", metavar="N", type=values.positive, default=0, help="which seat, if you hold several in this game"
)


_PICTURES = "Pictures"
picture_flags = combine(
    flag(
        "--seat",
        metavar="N",
        type=values.seat_or_none,
        help="draw what seat N sees: a seat that you hold, or any seat of a record; 0 for a spectator (default: a"
        " spectator; for records everything they contain)",
        group=_PICTURES,
    ),
    flag("--boards", metavar="ID,…", help="only these boards; --json lists them", group=_PICTURES),
    flag("--width", metavar="PIXELS", type=values.pixels, default=1200, help="width", group=_PICTURES),
    flag("--height", metavar="PIXELS", type=values.pixels, help="height (default: to fit)", group=_PICTURES),
    switch("--dark", help="use dark colours", group=_PICTURES),
)


def new_game_flags(usual_players: int) -> Decorator:
    """Add the flags for the title, edition, options, number of players and bots of a new game."""
    from boardkeeper.titles.registry import TITLES

    title = next(iter(TITLES))
    return combine(
        flag("--title", default=title, help="title to play"),
        flag("--edition", default="", metavar="ID", help="edition; 'boardkeeper titles TITLE' lists them"),
        flag(
            "--choose",
            multiple=True,
            type=values.choice,
            metavar="ID=CHOICE",
            help="set an option or rules interpretation of the title; repeatable",
        ),
        flag(
            "--players",
            type=values.positive,
            metavar="N",
            help=f"number of seats (default: {usual_players}, or the nearest number that the edition allows)",
        ),
        bots_flag,
    )
