"""The arguments of the command line and the help that explains them."""

from __future__ import annotations

import argparse
import os
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NoReturn

from boardkeeper.operations.setting_flags import add_setting_flags
from boardkeeper.terminal import argument_types
from boardkeeper.titles.registry import TITLES

DEFAULT_SERVER = "localhost:8050"
_USUAL = f"(default: BOARDKEEPER_SERVER or {DEFAULT_SERVER})"
_USUAL_AND_OWN = f"(default: BOARDKEEPER_SERVER or {DEFAULT_SERVER}, and your own games)"
LANGUAGES = ("en", "de")
STANDARD = "-"
"""The name of standard input or output in the place of a file."""

_PATHS = frozenset({"archive", "checkpoint", "database", "db", "folder", "key_file", "position", "source", "target"})
"""Arguments that name a file or folder of which a stream cannot take the place."""
_PATHS_OF = {"backup": ("file",), "restore": ("file",), "film": ("out",)}

_EPILOG = f"""\
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


class _Form(argparse.RawDescriptionHelpFormatter):
    """Help whose paragraphs fit the terminal and whose lists stay as written, with room for the names of options."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.split("\n\n")
        return "\n\n".join(
            paragraph
            if "\n  " in paragraph
            else textwrap.fill(" ".join(paragraph.split()), width, initial_indent=indent)
            for paragraph in paragraphs
        )

    def _get_help_string(self, action: argparse.Action) -> str:
        """Add the default of a flag, unless its help says it in words."""
        text = action.help or ""
        has_default = bool(action.default) and action.default is not True and action.default != argparse.SUPPRESS
        return f"{text} (default: %(default)s)" if has_default and "(default:" not in text else text


class Command(argparse.ArgumentParser):
    """A parser that names the nearest command, value or flag when one is unknown."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        if not isinstance(action, argparse._SubParsersAction):
            raise argparse.ArgumentError(action, f"{value!r} must be one of: {', '.join(known)}")
        what = "command" if action.dest == "command" else "action"
        hint = _nearest(str(value), known) or f". '{self.prog} --help' lists all"
        raise argparse.ArgumentError(None, f"unknown {what} {value!r}{hint}")

    def error(self, message: str) -> NoReturn:
        """End the program with status 2; a missing command is answered with where all are listed."""
        hint = f"; '{self.prog} --help' lists all" if message.endswith((": COMMAND", ": ACTION")) else ""
        super().error(message + hint)

    def reject_unknown(self, arguments: Sequence[str]) -> NoReturn:
        """End the program with status 2 because of arguments that the command does not have."""
        hint = _nearest(arguments[0].partition("=")[0], self._option_string_actions)
        self.error(f"unrecognized arguments: {' '.join(arguments)}{hint or f'. See {self.prog} --help'}")


Commands = argparse._SubParsersAction  # argparse has no public name for what add_subparsers returns


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def parser() -> Command:
    """The whole parser; the chosen command's name is in ``command``."""
    return _whole()[0]


def _whole() -> tuple[Command, Mapping[str, Command]]:
    """The whole parser, and those of the commands by their names."""
    whole = Command(
        prog="boardkeeper",
        usage="boardkeeper [-h] [--version] COMMAND ...",
        description="Play, watch and verify board games in the terminal, and run the server that stores them.",
        formatter_class=_Form,
    )
    whole.add_argument("--version", action="version", version=f"boardkeeper {_version()}")
    # The list of commands is in groups, which argparse cannot print.
    commands = whole.add_subparsers(
        dest="command", metavar="COMMAND", required=True, prog="boardkeeper", help=argparse.SUPPRESS
    )
    for _, add_commands in _groups():
        for add in add_commands:
            add(commands)
    helps = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    lists = []
    for heading, adding in _groups():
        names = [add.__name__.strip("_").replace("_", "-") for add in adding]
        lists.append("\n".join([f"{heading}:", *(f"  {name:<12} {helps[name]}" for name in names)]))
    whole.epilog = "\n\n".join([*lists, _EPILOG])
    return whole, commands.choices


def _groups() -> Sequence[tuple[str, Sequence[Callable[[Commands[Command]], None]]]]:
    """Every command below its heading in the list of commands."""
    return (
        ("play", (_demo, _play, _titles, _games, _invite, _undo, _seat, _fork)),
        ("watch and look back", (_watch, _show, _film, _results, _standings)),
        ("records", (_export, _import, _verify, _keys)),
        ("run a server", (_serve, _config, _health, _access, _feed, _webhooks)),
        (
            "databases",
            (_check, _backup, _restore, _archive, _unarchive, _move, _migrate, _rebuild, _erase, _remove),
        ),
        ("write a client", (_conformance,)),
        ("write a title", (_new_title, _title_numbers)),
    )


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the arguments; ends the program with status 2 and a hint if they are wrong."""
    whole, commands = _whole()
    chosen, unknown = whole.parse_known_args(arguments)
    if unknown:
        commands[chosen.command].reject_unknown(unknown)
    if chosen.command == "play" and chosen.resumed:
        if chosen.game and chosen.game != chosen.resumed:
            whole.error("name only one game to continue, as GAME or with --game")
        chosen.game = chosen.resumed
    paths = [*_PATHS, *_PATHS_OF.get(chosen.command, ())]
    if any(getattr(chosen, name, None) == STANDARD for name in paths):
        whole.error("'-' means standard input or output, which cannot be used here: name a file")
    return chosen


def _command(commands: Commands[Command], name: str, does: str, text: str) -> Command:
    description, _, examples = text.partition("examples:\n")
    return commands.add_parser(
        name,
        help=does,
        description=description.strip(),
        epilog=f"examples:\n{examples.rstrip()}" if examples else None,
        formatter_class=_Form,
    )


def _serve(commands: Commands[Command]) -> None:
    serve = _command(commands, "serve", "run the server", """
Run the server until it is interrupted (Ctrl-C or SIGTERM). Stored games survive a restart and a crash. One process
uses one SQLite file; several processes can share one PostgreSQL database (--workers).

Each flag is a setting that can also be given as an environment variable or in a TOML file (--config). A flag overrides
a variable, a variable overrides the file. 'boardkeeper config' shows the result.

examples:
  boardkeeper serve
  boardkeeper serve --db /var/lib/boardkeeper/games.db --listen 127.0.0.1:8050 --log-format json
  boardkeeper serve --config /etc/boardkeeper.toml
  boardkeeper serve --db postgresql://boardkeeper@db.internal/games --key-file /etc/boardkeeper.key --workers 4
""")  # fmt: skip
    serve.usage = "boardkeeper serve [-h] [--config FILE] [--FLAG ...]"
    add_setting_flags(serve)
    serve.add_argument("--worker", help=argparse.SUPPRESS)  # given by the process that looks after several


def _config(commands: Commands[Command]) -> None:
    config = _command(commands, "config", "show the server's settings and where each comes from", """
Show the settings that 'boardkeeper serve' would use with the same flags, and where each comes from: a flag, an
environment variable, the settings file (--config) or the default. Secrets are hidden.

The exit status is 0 if all settings are valid, else 1.

examples:
  boardkeeper config
  boardkeeper config --config /etc/boardkeeper.toml
  boardkeeper config --json | jq -r 'select(.source!="default").setting'
""")  # fmt: skip
    config.usage = "boardkeeper config [-h] [--json] [--FLAG ...]"
    add_setting_flags(config)
    _output(config)


def _demo(commands: Commands[Command]) -> None:
    demo = _command(commands, "demo", "let bots play a whole game and print it", """
Start a server with a temporary database, let bots play a whole game on it as ordinary clients, and print the game log
and the final scores.

--seed fixes all randomness: the bots' choices, the dice and the game id. The same arguments then give the same game,
except for times and signatures. Without --seed a new seed is chosen and shown. Only demo games use dice from a seed.

examples:
  boardkeeper demo
  boardkeeper demo --players 5 --bots sensible,random --seed 7 --language de
  boardkeeper demo --edition dlp-2014 --choose planning=sealed
  boardkeeper demo --record game.jsonl
  boardkeeper demo --json | jq -r .sentence
""")  # fmt: skip
    _game(demo)
    demo.add_argument(
        "--players",
        type=argument_types.positive,
        metavar="N",
        help="number of seats (default: 4, or the nearest number that the edition allows)",
    )
    demo.set_defaults(usual_players=4)
    demo.add_argument("--seed", type=int, metavar="S", help="seed for all randomness (default: a new one)")
    demo.add_argument("--bots", type=argument_types.bots, default=(), metavar="KIND,…", help=_BOTS_HELP)
    demo.add_argument("--record", metavar="FILE", help="save the game record to this file")
    demo.add_argument("--in-service", action="store_true", help="run the bots inside the server, not as clients")
    demo.add_argument("--verbose", action="store_true", help=_VERBOSE_HELP)
    _language(demo)
    _output(demo)


def _play(commands: Commands[Command]) -> None:
    play = _command(commands, "play", "play a game in this terminal", """
Play a game in this terminal, against bots or other people. With --server the game is stored on that server. Without it,
the game is stored in a file of your own, and a server for it runs while you play. Other commands find the game by its
id, also while you play. Your seat is saved, so you can leave and continue later.

examples:
  boardkeeper play                                          start a game against two bots
  boardkeeper play --players 4 --bots random                start a game against three random bots
  boardkeeper play --position position.json                 start from a position (see 'show --position')
  boardkeeper play 4f1c…                                    continue a game
  boardkeeper play --resume                                 continue the game that you played last
  boardkeeper play --server host:8050 --open 1             leave a seat open for a friend, who then types:
  boardkeeper play 4f1c… --server host:8050 --join
  boardkeeper play --time 20m+10s --on-expiry resign        play with a turn timer
""")  # fmt: skip
    play.add_argument("resumed", nargs="?", metavar="GAME", help="continue this game instead of starting one")
    _place(play, "play on this server", "store the game in this database file (default: a new file of your own)")
    _game(play)
    play.add_argument(
        "--players",
        type=argument_types.positive,
        metavar="N",
        help="number of seats (default: 3, or the nearest number that the edition allows)",
    )
    play.set_defaults(usual_players=3)
    play.add_argument("--bots", type=argument_types.bots, default=(), metavar="KIND,…", help=_BOTS_HELP)
    play.add_argument(
        "--open", type=argument_types.count, default=0, metavar="N", help="leave N seats open for other people"
    )
    play.add_argument(
        "--time",
        type=argument_types.time_control,
        metavar="TIME",
        help="time limit for people: per move (90s/move, 3d/move), per game (20m), or per game with extra time for each"
        " turn (20m+10s) (default: no limit)",
    )
    play.add_argument(
        "--on-expiry",
        choices=("bot", "resign"),
        default="bot",
        help="with --time: what happens when a player's time runs out: a bot takes over, or the player resigns",
    )
    play.add_argument("--name", default="", help="your name in the game (default: your login name)")
    play.add_argument("--game", metavar="GAME", help="same as GAME")
    play.add_argument(
        "--position", metavar="FILE", help="start from this position; it sets title, edition and number of seats"
    )
    play.add_argument("--resume", action="store_true", help="continue the game that you played last")
    play.add_argument(
        "--entropy",
        type=argument_types.entropy,
        metavar="HEX",
        help="your entropy for the dice, up to 64 bytes (default: random bytes)",
    )
    play.add_argument("--join", action="store_true", help="with GAME: join the game in an open seat")
    play.add_argument(
        "--no-auto-pass",
        dest="auto_pass",
        action="store_false",
        help="ask for a move even if passing is the only one",
    )
    _language(play)
    play.add_argument("--no-color", action="store_true", help=_NO_COLOR_HELP)


def _watch(commands: Commands[Command]) -> None:
    watch = _command(commands, "watch", "follow a game live", """
Print the events of a game as sentences: first the past ones, then new ones until the game ends. A lost connection is
restored without missing or repeating an event.

examples:
  boardkeeper watch 4f1c…
  boardkeeper watch 4f1c… --after 120 --json
""")  # fmt: skip
    watch.add_argument("game", metavar="GAME", help=_GAME_HELP)
    watch.add_argument(
        "--after",
        type=argument_types.version_before,
        default=0,
        metavar="VERSION",
        help="start after this version (default: 0, the beginning)",
    )
    watch.add_argument("--verbose", action="store_true", help=_VERBOSE_HELP)
    _place(watch)
    _language(watch)
    _output(watch)


def _feed(commands: Commands[Command]) -> None:
    feed = _command(commands, "feed", "follow all games of a platform", """
Print the event feed: one line for each change in the games of your platform (API key in BOARDKEEPER_KEY), or of all
games (BOARDKEEPER_OPERATOR_TOKEN). First the stored items, oldest first, then new ones. A lost connection is restored
without missing or repeating an item.

kinds:
  created       a game was created
  joined        a player joined
  turn          other seats have to decide
  vote          seats have to vote on an undo
  handed_over   a bot took over a seat
  taken_back    a player took the seat back
  time_expired  a player's time ran out
  resigned      a player resigned
  ended         a game ended
  result        a game has a result
  removed       a game was removed

examples:
  boardkeeper feed --from-now
  boardkeeper feed --kinds ended,result --json
  boardkeeper feed --after CURSOR --json | jq -r .cursor
""")  # fmt: skip
    begin = feed.add_mutually_exclusive_group()
    begin.add_argument("--after", default="", metavar="CURSOR", help="start after the item with this cursor")
    begin.add_argument("--from-now", action="store_true", help="skip the stored items")
    feed.add_argument(
        "--kinds",
        type=argument_types.words,
        default=(),
        metavar="KIND,…",
        help="only items of these kinds, for example turn,result",
    )
    feed.add_argument("--title", default="", metavar="ID", help="only games of this title")
    feed.add_argument("--game", default="", metavar="ID", help="only this game")
    feed.add_argument("--limit", type=argument_types.positive, metavar="N", help="stop after N items")
    _server(feed)
    _language(feed)
    _output(feed)


def _show(commands: Commands[Command]) -> None:
    show = _command(commands, "show", "draw the board of a game", """
Draw the board of a game, now or after any event: as text in the terminal, or as a picture with --svg or --png. A record
in a file can only be drawn as a picture. Pictures need: pip install 'boardkeeper[pictures]'

examples:
  boardkeeper show 4f1c…
  boardkeeper show 4f1c… --png board.png
  boardkeeper show game.jsonl --at 120 --svg board.svg --dark
  boardkeeper show 4f1c… --png - --boards map | wl-copy
  boardkeeper show 4f1c… --at 120
  boardkeeper show 4f1c… --map
  boardkeeper show 4f1c… --position
  boardkeeper show 4f1c… --json | jq .version
""")  # fmt: skip
    show.add_argument("game", metavar="GAME", help=f"{_GAME_HELP}; for pictures also a record file")
    show.add_argument(
        "--at", type=argument_types.version_number, metavar="VERSION", help="show the board after event VERSION"
    )
    show.add_argument(
        "--position",
        action="store_true",
        help="print the full position as JSON, to start games from; needs BOARDKEEPER_OPERATOR_TOKEN",
    )
    show.add_argument("--map", action="store_true", help="also draw the map, if the title has one")
    show.add_argument("--svg", metavar="FILE", help="save as an SVG picture; - for standard output")
    show.add_argument("--png", metavar="FILE", help="save as a PNG picture; - for standard output")
    _picture(show)
    _place(show)
    _language(show)
    _output(show)


def _film(commands: Commands[Command]) -> None:
    film = _command(commands, "film", "draw a game as a series of pictures", """
Draw a game, or a record in a file, as a series of pictures. FOLDER gets frame-0001.png, frame-0002.png and so on, all
of one size, and film.json with the version, sentences and duration of each frame. --apng also combines them into one
animated PNG file, which browsers play.

To continue after an interruption, run the same command again: finished frames are not drawn twice. Needs: pip install
'boardkeeper[pictures]'

examples:
  boardkeeper film 4f1c… --out film --every round
  boardkeeper film game.jsonl --out film --from 100 --to 200 --boards map
  boardkeeper film game.jsonl --out film --apng film.png && xdg-open film.png
  ffmpeg -framerate 2 -i film/frame-%04d.png -pix_fmt yuv420p film.mp4
""")  # fmt: skip
    film.add_argument("game", metavar="GAME", help=f"{_GAME_HELP}; or a record file")
    film.add_argument(
        "--out", metavar="FOLDER", required=True, help="new or empty folder, or the folder of the film to continue"
    )
    film.add_argument("--apng", metavar="FILE", help="also save all frames as an animated PNG; - for standard output")
    film.add_argument("--svg", action="store_true", help="draw SVG frames instead of PNG")
    film.add_argument(
        "--every",
        choices=("event", "command", "round"),
        default="command",
        help="draw a frame after every event, command or round",
    )
    version = argument_types.version_number
    film.add_argument("--from", dest="first", type=version, metavar="VERSION", help="first version to draw")
    film.add_argument("--to", dest="last", type=version, metavar="VERSION", help="last version to draw (default: now)")
    film.add_argument("--seconds", type=argument_types.seconds_shown, default=0.8, help="duration of a frame")
    _picture(film)
    _place(film)
    _language(film)
    _output(film)


def _picture(command: argparse.ArgumentParser) -> None:
    """How pictures of boards are to be."""
    picture = command.add_argument_group("pictures")
    picture.add_argument(
        "--seat",
        type=argument_types.seat_or_none,
        metavar="N",
        help="draw what seat N sees: a seat that you hold, or any seat of a record; 0 for a spectator (default: a"
        " spectator; for records everything they contain)",
    )
    picture.add_argument("--boards", metavar="ID,…", help="only these boards; --json lists them")
    picture.add_argument("--width", type=argument_types.side, default=1200, metavar="PIXELS", help="width")
    picture.add_argument("--height", type=argument_types.side, metavar="PIXELS", help="height (default: to fit)")
    picture.add_argument("--dark", action="store_true", help="use dark colours")


def _undo(commands: Commands[Command]) -> None:
    undo = _command(commands, "undo", "undo your last moves, or answer another player's request", """
Undo the last moves of a seat that you hold. This happens at once if no other seat has moved since and the moves
revealed nothing hidden. Otherwise a vote starts, and every other person has to agree. While a vote is open, this
command shows it, and --answer answers it. A player whose seat a bot plays has to take the seat back before answering.
The undone events stay in the game's history.

examples:
  boardkeeper undo 4f1c…
  boardkeeper undo 4f1c… --answer yes
  boardkeeper undo 4f1c… --json | jq .free
""")  # fmt: skip
    undo.add_argument("game", metavar="GAME", help=_GAME_HELP)
    undo.add_argument(
        "--answer",
        choices=("yes", "no"),
        help="agree to another player's request or decline it; 'no' also cancels your own request",
    )
    _own_seat(undo)
    _place(undo, "only on this server", "only in this database file")
    _language(undo)
    _output(undo)


def _seat(commands: Commands[Command]) -> None:
    seat = _command(commands, "seat", "hand your seat to a bot, take it back, or resign", """
Let a bot play your seat while you are away, take the seat back, or resign. A player who resigns ranks behind everyone
who did not, and cannot return. After a resignation a bot plays the seat, and the game continues while at least two
other seats are left and one of them is played by a person; otherwise it ends.

examples:
  boardkeeper seat 4f1c… --bot
  boardkeeper seat 4f1c… --bot random --seat 2
  boardkeeper seat 4f1c… --back
  boardkeeper seat 4f1c… --resign
""")  # fmt: skip
    seat.add_argument("game", metavar="GAME", help=_GAME_HELP)
    what = seat.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--bot",
        nargs="?",
        const="",
        metavar="KIND",
        help="let a bot take over (default kind: the strongest)",
    )
    what.add_argument("--back", action="store_true", help="take your seat back")
    what.add_argument("--resign", action="store_true", help="resign from the game")
    _own_seat(seat)
    _place(seat, "only on this server", "only in this database file")
    _language(seat)
    _output(seat)


def _own_seat(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--seat",
        type=argument_types.positive,
        default=0,
        metavar="N",
        help="which seat, if you hold several in this game",
    )


def _fork(commands: Commands[Command]) -> None:
    fork = _command(commands, "fork", "start a new game from a version of another game", """
Create a new game from the current or an earlier version of another game, which stays unchanged. Cards and tiles that
your seat could not see (without a seat: a spectator) are shuffled and dealt again. With --operator the position is
exact. You get one seat of the new game. Bots keep their seats; bots also get the seats of other people, unless --open
leaves them open.

examples:
  boardkeeper fork 4f1c… --at 120
  boardkeeper fork 4f1c… --seat 2 --open 1
  boardkeeper fork 4f1c… --at 120 --operator --server host:8050
""")  # fmt: skip
    fork.add_argument("game", metavar="GAME", help=_GAME_HELP)
    fork.add_argument(
        "--at", type=argument_types.version_number, metavar="VERSION", help="version to start from (default: now)"
    )
    fork.add_argument(
        "--seat",
        type=argument_types.positive,
        default=0,
        metavar="N",
        help="your seat in the new game (default: the seat that you hold in the old one, else 1)",
    )
    fork.add_argument(
        "--operator", action="store_true", help="use the exact position; needs BOARDKEEPER_OPERATOR_TOKEN"
    )
    fork.add_argument(
        "--open", type=argument_types.count, default=0, metavar="N", help="leave N seats open for other people"
    )
    fork.add_argument("--bots", type=argument_types.bots, default=(), metavar="KIND,…", help=_BOTS_HELP)
    fork.add_argument("--name", default="", help="your name in the game (default: your login name)")
    _place(fork)
    _language(fork)
    _output(fork)


def _games(commands: Commands[Command]) -> None:
    games = _command(commands, "games", "list games", """
List games, newest first: those of the default server, if it runs, and those that 'boardkeeper play' stored in your own
files. --server or --db lists one place only.

examples:
  boardkeeper games
  boardkeeper games --db /var/lib/boardkeeper/games.db
  boardkeeper games --limit 500
  boardkeeper games --player p-4711 --turn
  boardkeeper games --player p-4711 --outcome won --title TITLE
  boardkeeper games --all --json | jq -r 'select(.status=="GAME_STATUS_OPEN").game_id'
""")  # fmt: skip
    many = games.add_mutually_exclusive_group()
    many.add_argument("--limit", type=argument_types.positive, default=50, metavar="N", help="list at most N games")
    many.add_argument("--all", action="store_true", help="list every game")
    games.add_argument("--player", default="", metavar="ID", help="only games of the player with this player id")
    games.add_argument("--turn", action="store_true", help="only games that wait for a player, or for --player")
    games.add_argument(
        "--outcome", choices=["won", "drawn", "lost"], default="", help="only games with this outcome for --player"
    )
    games.add_argument("--title", default="", metavar="TITLE", help="only games of this title")
    games.add_argument("--status", choices=["open", "running", "ended"], default="", help="only games with this status")
    _place(games)
    _language(games)
    _output(games)


def _invite(commands: Commands[Command]) -> None:
    invite = _command(commands, "invite", "invite a person to an open seat", """
Create an invitation: a code with which one person can join a game, once. This needs a seat that you hold in the game,
the API key of its platform (BOARDKEEPER_KEY), or the operator token (BOARDKEEPER_OPERATOR_TOKEN).

examples:
  boardkeeper invite GAME
  boardkeeper invite GAME --seat 2 --expires 7d
  boardkeeper invite GAME --list
  boardkeeper invite GAME --revoke ID
""")  # fmt: skip
    invite.add_argument("game", metavar="GAME", help=_GAME_HELP)
    invite.add_argument("--seat", type=int, default=0, metavar="N", help="for this seat (default: any open seat)")
    invite.add_argument(
        "--expires", default="", metavar="WHEN", help="how long it is valid: 30m, 12h, 7d (default: no limit)"
    )
    invite.add_argument("--player", default="", metavar="ID", help="for platforms: player id for the seat")
    others = invite.add_mutually_exclusive_group()
    others.add_argument("--list", action="store_true", help="list the game's invitations")
    others.add_argument("--revoke", default="", metavar="ID", help="revoke this invitation")
    _place(invite)
    _language(invite)
    _output(invite)


def _results(commands: Commands[Command]) -> None:
    results = _command(commands, "results", "list the results of finished games", """
List the finished games of a platform with the rank and points of each seat, newest first. With --after, list the
results that were added after a cursor, oldest first; the last line prints the next cursor. A server needs the API key
of the platform (BOARDKEEPER_KEY) or the operator token (BOARDKEEPER_OPERATOR_TOKEN).

examples:
  boardkeeper results
  boardkeeper results --title TITLE --limit 500
  boardkeeper results --after start --json
""")  # fmt: skip
    results.add_argument("--title", default="", metavar="TITLE", help="only games of this title")
    results.add_argument("--platform", default="", metavar="ID", help="for operators: only games of this platform")
    results.add_argument(
        "--after", default="", metavar="CURSOR", help="oldest first, after this cursor; 'start' for all results"
    )
    results.add_argument(
        "--limit", type=argument_types.positive, default=50, metavar="N", help="list at most N results"
    )
    _place(results)
    _language(results)
    _output(results)


def _standings(commands: Commands[Command]) -> None:
    standings = _command(commands, "standings", "list how a platform's players did in a title", """
List the players of a platform with their results in the finished games of a title. Only players with a player id
('player_id') are counted; a name alone is not enough.

columns:
  games                          finished games of the player
  won                            games in which the player has rank 1, alone or shared
  drawn                          games in which all seats have rank 1
  lost                           all other games
  shares                         1 for each victory, divided by the number of seats that share rank 1
  expected                       sum of 1/seats over the games: the shares of an average player
  mean rank, mean points, best   over these games

examples:
  boardkeeper standings TITLE
  boardkeeper standings TITLE --player p-4711 --people-only
""")  # fmt: skip
    standings.add_argument("title", metavar="TITLE", help="title id")
    standings.add_argument("--player", action="append", default=[], metavar="ID", help="only this player; repeatable")
    standings.add_argument("--people-only", action="store_true", help="only games without bots")
    standings.add_argument("--platform", default="", metavar="ID", help="for operators: only games of this platform")
    _place(standings)
    _language(standings)
    _output(standings)


def _titles(commands: Commands[Command]) -> None:
    titles = _command(commands, "titles", "list the titles, or explain one", """
List the titles that you can play. With TITLE, show its editions, options, rules interpretations (readings) and bots.
The list comes from the default server, if it runs, else from this installation.

examples:
  boardkeeper titles
  boardkeeper titles TITLE
  boardkeeper titles TITLE --edition ID
""")  # fmt: skip
    titles.add_argument("title", nargs="?", metavar="TITLE", help="title id")
    titles.add_argument(
        "--edition", default="", metavar="ID", help="edition whose components are shown (default: the title's default)"
    )
    _place(titles, "titles of this server", "titles as a server on this database file has them")
    _language(titles)
    _output(titles)


def _export(commands: Commands[Command]) -> None:
    export = _command(commands, "export", "save the record of a game", """
Save the record of a game: one file with all its events. 'boardkeeper verify' verifies it, and any server can import it.
The record of a finished game is complete. The record of a running game contains what you may see: as the seat that you
hold, as the operator (BOARDKEEPER_OPERATOR_TOKEN), else as a spectator.

--html saves a web page that replays and verifies the game in any browser, also from a file.

examples:
  boardkeeper export 4f1c… --out game.jsonl
  boardkeeper export 4f1c… --html game.html
  boardkeeper export 4f1c… | boardkeeper verify -
""")  # fmt: skip
    export.add_argument("game", metavar="GAME", help=_GAME_HELP)
    export.add_argument("--out", metavar="FILE", help="save the record to this file (default: - for standard output)")
    export.add_argument("--html", metavar="FILE", help="save the record as a web page; - for standard output")
    _place(export)
    _language(export)


def _import(commands: Commands[Command]) -> None:
    command = _command(commands, "import", "import a record into a server", """
Import the record of a finished game into a server. The server verifies it first and rejects it if any check fails. The
game keeps its id and the signature of the server on which it was played.

examples:
  boardkeeper import game.jsonl
  boardkeeper import game.jsonl --server host:8050
""")  # fmt: skip
    command.add_argument("file", metavar="FILE", help="the record; - for standard input")
    _place(command, f"import into this server {_USUAL}", "import into this database file")
    _language(command)
    _output(command)


def _verify(commands: Commands[Command]) -> None:
    verify = _command(commands, "verify", "verify game records; needs no server", """
Verify records in files, or of games, whose records are fetched as by 'boardkeeper export'. Nothing in a record is
trusted. The checks are:

  well-formed  the file has the format of a record
  chained      no event was changed, added or removed
  signed       the signature
  conserved    no component appears or disappears
  fair         every draw follows from the dice secret
  decided      the rules lead from commands to events

A signature names the key that made it by the key's id. To know whose key that is, compare the id with the one that the
server shows ('boardkeeper keys'), or pass the ids that you trust with --key.

examples:
  boardkeeper verify game.jsonl
  boardkeeper verify 4f1c…
  boardkeeper verify --key 3b1f09c2e7a4d851… --json games/one.jsonl games/two.jsonl

exit status:
  0  all levels of all records hold
  1  a record does not hold
  4  no fault found, but not everything can be verified yet, because a record was saved during its game
  5  no fault found, but at least one argument could not be checked: unreadable, or not a record
""")  # fmt: skip
    verify.add_argument("files", metavar="FILE", nargs="+", help="a record file, - for standard input, or a game id")
    _place(verify, "fetch games from this server", "fetch games from this database file, also while a server uses it")
    _language(verify)
    verify.add_argument(
        "--key",
        metavar="ID",
        action="append",
        default=[],
        type=argument_types.key,
        help=_KEY_HELP,
    )
    _output(verify)


def _keys(commands: Commands[Command]) -> None:
    keys = _command(commands, "keys", "list the keys that signed records", """
List the ids of the keys that sign records, for 'boardkeeper verify --key': the key of a server or database file, and
the keys of imported records, each with its number of records and the time of their first and last event. Without
--server and --db, list the keys of the default server and of your own files.

With FILE, show the key that the record names. 'boardkeeper verify' checks whether the signature is good. Private keys
are never shown.

examples:
  boardkeeper keys
  boardkeeper keys --server localhost:8050 --json | jq -r .key_id
  boardkeeper keys game.jsonl
""")  # fmt: skip
    keys.add_argument("files", metavar="FILE", nargs="*", help="a record file; - for standard input")
    _place(keys, f"keys of this server {_USUAL_AND_OWN}", "keys of this database file")
    _language(keys)
    _output(keys)


def _check(commands: Commands[Command]) -> None:
    check = _command(commands, "check", "check whether a database was changed; needs no server", """
Check whether any stored event in a database was changed, removed, added or moved. The check verifies the hash chains
of all games and changes nothing; a server may use the database at the same time. Each damaged game is listed with its
first damaged event.

A file is also compared with the newest checkpoint of its server (FILE.checkpoint beside it), to detect that an older
copy was put in its place. An attacker could replace that checkpoint too: name one that you stored elsewhere with
--checkpoint. An attacker who can write the file could also compute new hash chains; compare with records that were
exported earlier.

examples:
  boardkeeper check --db games.db
  boardkeeper check --db games.db --checkpoint /elsewhere/games.db.checkpoint
  boardkeeper check --db sqlite:////var/lib/boardkeeper/games.db --json
  boardkeeper check --db postgresql://db.internal/games --key-file /etc/boardkeeper.key

exit status:
  0  no change found
  1  a change was found
  5  could not check: the database cannot be opened or read
""")  # fmt: skip
    check.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    check.add_argument("--archive", metavar="FOLDER", help="also check the archived games in this folder")
    check.add_argument(
        "--checkpoint", metavar="FILE", help="compare with this checkpoint instead of the one beside the file"
    )
    check.add_argument("--key-file", metavar="FILE", help="key to which a PostgreSQL database must belong")
    _output(check)


def _rebuild(commands: Commands[Command]) -> None:
    rebuild = _command(commands, "rebuild", "recompute the game list of a database from its events", """
Recompute everything that follows from the stored events: the game list, the results, which seats are taken, and
snapshots. Each difference is reported. Everything happens in one transaction; running it twice changes nothing. Names,
tokens and secrets are not in the events and are not touched. Damaged games are skipped (see 'boardkeeper check').

Stop the server of a SQLite file first; a PostgreSQL database may be in use.

The exit status is 0 if no game is damaged, 1 if one is, 5 if the database cannot be opened.

examples:
  boardkeeper rebuild --db games.db
  boardkeeper rebuild --db games.db --json
""")  # fmt: skip
    rebuild.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    rebuild.add_argument("--key-file", metavar="FILE", help=_KEY_FILE_HELP)
    _output(rebuild)


def _migrate(commands: Commands[Command]) -> None:
    migrate = _command(commands, "migrate", "create or update the tables of a PostgreSQL database", """
Create the tables of a PostgreSQL database, or update them to this release, as the database user who owns them. --grant
gives another user what the server needs; that user cannot change or remove stored events or alter tables. You do not
need this command if the server's own user owns the tables. Stop servers of earlier releases first.

examples:
  boardkeeper migrate --db postgresql://owner@db.example/boardkeeper --grant boardkeeper
""")  # fmt: skip
    migrate.add_argument("--db", metavar="URL", help="postgresql://… (default: BOARDKEEPER_DATABASE)")
    migrate.add_argument("--grant", metavar="ROLE", help="database user of the server")


def _move(commands: Commands[Command]) -> None:
    move = _command(commands, "move", "move all games to another database", """
Copy everything from one database to another, for example from a SQLite file to PostgreSQL or back: events, seats with
names and tokens, secrets, and the ids of removed games. Clients notice only the pause. The source is only read; it
must have the tables of this release. The signing key is copied to the key file of the target, unless that exists.

Stop the server first. To continue after an interruption, run the same command again: games that are already there are
skipped. Damaged games are not copied but reported. Archived games are only copied with --archive.

examples:
  boardkeeper move --from games.db --to postgresql://boardkeeper@db.internal/games --key-file /etc/boardkeeper.key
  boardkeeper move --from games.db --to other.db --archive /srv/archive

exit status:
  0  all games were copied
  1  the move failed, or some games were not copied: damaged games, or archived games without --archive
""")  # fmt: skip
    move.add_argument("--from", dest="source", metavar="URL", required=True, help="database with the games")
    move.add_argument(
        "--to", dest="target", metavar="URL", required=True, help="target database; a file is created if missing"
    )
    move.add_argument("--key-file", metavar="FILE", help=_KEY_FILE_HELP)
    move.add_argument("--archive", metavar="FOLDER", help="folder with archived games of the source, which move too")
    _output(move)


def _backup(commands: Commands[Command]) -> None:
    backup = _command(commands, "backup", "back up a database, or verify a backup", """
Back up a database: one signed file with everything that the database holds at one moment. A server may use the database
at the same time, and is not blocked. FILE must not exist; in a folder the backup gets a name of its own. An interrupted
backup leaves no file.

The signing key is not in the backup, and a backup cannot be restored without it: store a copy of the key elsewhere.
Keep backups as secret as the database: they contain dice secrets, names and token hashes.

--verify checks every byte and every hash chain of an existing backup and restores nothing.

examples:
  boardkeeper backup /backups --db games.db
  boardkeeper backup monday.backup --db postgresql://db.internal/games --key-file /etc/boardkeeper.key
  boardkeeper backup monday.backup --verify --key-file /etc/boardkeeper.key

exit status with --verify:
  0  everything is in order
  1  the backup is damaged or incomplete, contains a damaged game, or is signed with another key
  5  could not check: the file is missing, unreadable or not a backup, or --key-file cannot be read
""")  # fmt: skip
    backup.add_argument("file", metavar="FILE", help="backup file, or a folder for it")
    backup.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    backup.add_argument(
        "--key-file",
        metavar="FILE",
        help="signing key of a PostgreSQL database; with --verify: key that the backup must be signed with",
    )
    how = backup.add_mutually_exclusive_group()
    how.add_argument(
        "--with-key",
        action="store_true",
        help="include the signing key; anyone with the backup can then sign as your server",
    )
    how.add_argument("--verify", action="store_true", help="verify an existing backup")
    _output(backup)


def _restore(commands: Commands[Command]) -> None:
    restore = _command(commands, "restore", "create a database from a backup", """
Create a database from a backup: a new SQLite file, or a PostgreSQL database without tables. If the restore fails,
nothing is created. The signing key has to exist before (beside the file, as games.db.key, or named by --key-file),
unless the backup contains it. Games continue from the moment of the backup; everything played later is lost.

examples:
  boardkeeper restore monday.backup --db games.db --key-file /safe/games.db.key
  boardkeeper restore monday.backup --db postgresql://db.internal/games --key-file /etc/boardkeeper.key
""")  # fmt: skip
    restore.add_argument("file", metavar="FILE", help="backup file")
    restore.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    restore.add_argument(
        "--key-file", metavar="FILE", help="signing key; for a SQLite file it is copied beside the file"
    )
    _output(restore)


def _archive(commands: Commands[Command]) -> None:
    archive = _command(commands, "archive", "move the events of finished games into a folder", """
Move the events of games that ended some time ago out of a database into FOLDER, one signed file for each game. A server
that is started with --archive FOLDER serves these games as before. Seats, names, tokens and results stay in the
database. Include the folder in your backups: these events are stored nowhere else.

Stop the server of a SQLite file first. A PostgreSQL database may be in use, but the command needs the user who owns its
tables. To continue after an interruption, run the same command again.

examples:
  boardkeeper archive /srv/archive --older-than 90 --db games.db
  boardkeeper archive /srv/archive --db postgresql://owner@db.internal/games --key-file /etc/boardkeeper.key
""")  # fmt: skip
    archive.add_argument("folder", metavar="FOLDER", help="existing folder for the files")
    archive.add_argument(
        "--older-than",
        type=argument_types.days,
        required=True,
        metavar="DAYS",
        help="only games that ended more than DAYS days ago",
    )
    archive.add_argument("--title", default="", help="only games of this title")
    archive.add_argument("--platform", metavar="ID", help="only games of this platform")
    _database(archive)


def _unarchive(commands: Commands[Command]) -> None:
    unarchive = _command(commands, "unarchive", "move archived events back into the database", """
Copy the events of archived games from FOLDER back into the database: of the games that you name, or of all. The files
stay, because a backup of the database may need them. Stop the server of a SQLite file first; a PostgreSQL database may
be in use.

examples:
  boardkeeper unarchive /srv/archive 4f1c… --db games.db
  boardkeeper unarchive /srv/archive --db games.db
""")  # fmt: skip
    unarchive.add_argument("folder", metavar="FOLDER", help="folder with the archived games")
    unarchive.add_argument("games", metavar="GAME", nargs="*", help=f"{_GAME_HELP} (default: all games)")
    _database(unarchive)


def _database(command: argparse.ArgumentParser) -> None:
    command.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    command.add_argument("--key-file", metavar="FILE", help=_KEY_FILE_HELP)
    _output(command)


def _erase(commands: Commands[Command]) -> None:
    erase = _command(commands, "erase", "erase a person's name or a player from games", """
Erase a person's name from one seat, or from every seat that has it. The games stay, with "Seat 2" in place of the name,
and can still be verified. Older copies, backups and PostgreSQL write-ahead logs still contain the name.

--player erases a player of a platform from all games: player id, names and tokens. It also works on a server
(--server), with an API key of scope 'operate' (BOARDKEEPER_KEY) or the operator token (BOARDKEEPER_OPERATOR_TOKEN).

With --db, stop the server of a SQLite file first; a PostgreSQL database may be in use.

examples:
  boardkeeper erase --db games.db --game 4f1c… --seat 2
  boardkeeper erase --db games.db --name Ada
  boardkeeper erase --server games.example.org:443 --player p-4711
""")  # fmt: skip
    erase.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    erase.add_argument(
        "--server", metavar="HOST:PORT", type=argument_types.address, help="with --player: erase on this server"
    )
    erase.add_argument("--player", default="", metavar="ID", help="erase the player with this player id")
    erase.add_argument(
        "--platform", default="", metavar="ID", help="platform of the player (default: games without a platform)"
    )
    erase.add_argument("--game", metavar="GAME", help=f"with --seat: {_GAME_HELP}")
    erase.add_argument("--seat", type=argument_types.positive, metavar="N", help="erase the name of this seat")
    erase.add_argument("--name", metavar="NAME", help="erase this name, in exactly this spelling, from every seat")


def _remove(commands: Commands[Command]) -> None:
    remove = _command(commands, "remove", "remove a game permanently", """
Remove a game permanently, with its events, names and tokens. On a server this needs the operator token
(BOARDKEEPER_OPERATOR_TOKEN). In a database (--db) it needs a SQLite file that no server uses, or PostgreSQL. The id is
never used again, and the record of the game can no longer be imported. Older copies and backups still contain the game.

examples:
  boardkeeper remove 4f1c… --server localhost:8050
  boardkeeper remove 4f1c… --db games.db
""")  # fmt: skip
    remove.add_argument("game", metavar="GAME", help=_GAME_HELP)
    _place(
        remove,
        f"remove it on this server {_USUAL}",
        "remove it from this database: a file that no server uses, or a PostgreSQL URL",
    )
    _language(remove)
    _output(remove)


def _health(commands: Commands[Command]) -> None:
    health = _command(commands, "health", "check whether a server accepts calls", """
Ask a server for its health, as load balancers and containers do. It is SERVING when it accepts calls, and NOT_SERVING
while it shuts down or cannot store anything.

examples:
  boardkeeper health
  boardkeeper health --server localhost:8050 --wait 60     wait up to a minute until it is SERVING

exit status:
  0  the server is SERVING
  1  the server is NOT_SERVING
  3  no server reached
  5  the server answered, but its health could not be determined
""")  # fmt: skip
    health.add_argument(
        "--server",
        metavar="HOST:PORT",
        type=argument_types.address,
        help=f"server to check {_USUAL}",
    )
    health.add_argument(
        "--wait",
        metavar="SECONDS",
        type=argument_types.positive,
        default=0,
        help="wait up to this time until it is SERVING",
    )
    _trust(health)
    _output(health)


def _access(commands: Commands[Command]) -> None:
    access = _command(commands, "access", "create, list, rotate, limit and revoke API keys", """
Manage the API keys with which platforms call a server. A key is shown once, when it is created; only its hash is
stored. A key has scopes and can access only the games of its platform. A running server applies changes within seconds.

Keys are changed in the database (--db), or through the server if it has the SQLite file open or if --server names it.
Through a server, set BOARDKEEPER_OPERATOR_TOKEN to the server's operator token.

examples:
  boardkeeper access create lobby --scopes create,play,watch --db games.db
  boardkeeper access create "night import" --platform lobby --scopes import --expires 90d
  boardkeeper access create lobby --scopes create,play,watch --certificate lobby.example.org
  boardkeeper access list --json | jq -r 'select(.state=="active").key_id'
  boardkeeper access rotate 1f0c9a3b77de --overlap 24
  boardkeeper access revoke 1f0c9a3b77de
  boardkeeper access limit 1f0c9a3b77de reads=2k/s streams=8k games=50k
""")  # fmt: skip
    deeds = access.add_subparsers(dest="deed", metavar="ACTION", required=True)
    create = deeds.add_parser("create", help="create a key and show it once", formatter_class=_Form)
    create.add_argument("name", metavar="NAME", help="name for lists")
    create.add_argument(
        "--scopes",
        type=argument_types.words,
        required=True,
        metavar="SCOPE,…",
        help="what it allows: create, play, watch, history, import, operate, webhooks",
    )
    create.add_argument(
        "--platform",
        default="",
        metavar="ID",
        help="platform whose games it can access (default: NAME); * for all, for an operator",
    )
    create.add_argument(
        "--expires", default="", metavar="WHEN", help="12h, 90d, 1y, or a date such as 2031-12-31 (default: never)"
    )
    create.add_argument(
        "--certificate",
        default="",
        metavar="NAME",
        help="create no secret; clients are recognised by a TLS certificate with this name",
    )
    listed = deeds.add_parser("list", help="list all keys, without secrets", formatter_class=_Form)
    rotate = deeds.add_parser("rotate", help="replace a key by a new one", formatter_class=_Form)
    rotate.add_argument(
        "--overlap",
        type=argument_types.hours,
        default=24,
        metavar="HOURS",
        help="how long the old key stays valid",
    )
    revoke = deeds.add_parser("revoke", help="make a key invalid at once", formatter_class=_Form)
    limit = deeds.add_parser("limit", help="set a key's rate limits and quotas", formatter_class=_Form)
    for deed in (rotate, revoke, limit):
        deed.add_argument("key", metavar="ID", help="id of the key; it is not secret")
    limit.add_argument(
        "limits",
        nargs="*",
        metavar="LIMIT=FIGURE",
        help="for example reads=2k/s:8k streams=off games=50k; all other limits get their defaults",
    )
    for deed in (create, listed, rotate, revoke, limit):
        _place(deed, "use this server; needs its operator token", _DATABASE_HELP)
        deed.add_argument("--key-file", metavar="FILE", help=_KEY_FILE_HELP)
        _output(deed)


def _webhooks(commands: Commands[Command]) -> None:
    webhooks = _command(commands, "webhooks", "send the event feed to URLs", """
Manage webhooks: URLs to which the server sends the event feed of your platform (API key with scope 'webhooks' in
BOARDKEEPER_KEY). Messages are signed as in the Standard Webhooks specification. A message that cannot be delivered is
retried for about three days and then listed as a dead letter.

examples:
  boardkeeper webhooks create https://lobby.example.org/hook --kinds turn,result
  boardkeeper webhooks list
  boardkeeper webhooks test wh_1f0c9a3b77de
  boardkeeper webhooks rotate wh_1f0c9a3b77de --overlap 24
  boardkeeper webhooks dead wh_1f0c9a3b77de
  boardkeeper webhooks resend wh_1f0c9a3b77de
  boardkeeper webhooks remove wh_1f0c9a3b77de
""")  # fmt: skip
    deeds = webhooks.add_subparsers(dest="deed", metavar="ACTION", required=True)
    create = deeds.add_parser("create", help="create a webhook and show its secret once", formatter_class=_Form)
    create.add_argument("url", metavar="URL", help="where to send messages: https:// and a public host")
    create.add_argument("--title", default="", metavar="ID", help="only games of this title")
    create.add_argument(
        "--kinds",
        type=argument_types.words,
        default=(),
        metavar="KIND,…",
        help="only items of these kinds; 'boardkeeper feed --help' lists them",
    )
    made = [create, deeds.add_parser("list", help="list all webhooks, without secrets", formatter_class=_Form)]
    for name, does in (
        ("test", "send a test message now"),
        ("rotate", "create a new secret and show it once"),
        ("dead", "list messages that could not be delivered (dead letters)"),
        ("resend", "send dead letters again"),
        ("enable", "enable a disabled webhook"),
        ("remove", "remove a webhook"),
    ):
        deed = deeds.add_parser(name, help=does, formatter_class=_Form)
        deed.add_argument("webhook", metavar="ID", help="webhook id, see 'boardkeeper webhooks list'")
        made.append(deed)
        if name == "rotate":
            deed.add_argument(
                "--overlap",
                type=argument_types.hours,
                default=24,
                metavar="HOURS",
                help="how long messages are also signed with the old secret",
            )
        if name == "resend":
            deed.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help="dead letters (default: all)")
    for deed in made:
        _server(deed)
        _output(deed)


_GAME_HELP = "game id, or its first 4 or more characters"
_DATABASE_HELP = "path, sqlite:///PATH or postgresql://… (default: boardkeeper.db)"
_KEY_FILE_HELP = "signing key of a PostgreSQL database"
_BOTS_HELP = "kinds of bots, assigned to the seats in turn (default: the first that 'boardkeeper titles TITLE' lists)"
_KEY_HELP = "accept only signatures of this key: its id, or the first 16 or more characters of it; repeatable"
_VERBOSE_HELP = "also print minor events"
_NO_COLOR_HELP = "print without colours"


def _game(command: argparse.ArgumentParser) -> None:
    usual = next(iter(TITLES))
    command.add_argument("--title", default=usual, help=f"title to play (default: {usual})")
    command.add_argument("--edition", default="", metavar="ID", help="edition; 'boardkeeper titles TITLE' lists them")
    command.add_argument(
        "--choose",
        action="append",
        default=[],
        type=argument_types.choice,
        metavar="ID=CHOICE",
        help="set an option or rules interpretation of the title; repeatable",
    )


def default_server() -> str:
    """The default server: the one that is meant where none is named."""
    return os.environ.get("BOARDKEEPER_SERVER") or DEFAULT_SERVER


def _place(
    command: argparse.ArgumentParser,
    server: str = f"only this server {_USUAL_AND_OWN}",
    database: str = "only this database file, also while a server uses it",
) -> None:
    place = command.add_mutually_exclusive_group()
    place.add_argument("--server", metavar="HOST:PORT", type=argument_types.address, help=server)
    place.add_argument("--db", metavar="FILE", help=database)
    _trust(command)


def _server(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--server",
        metavar="HOST:PORT",
        type=argument_types.address,
        help=f"server to use {_USUAL}",
    )
    _trust(command)


def _new_title(commands: Commands[Command]) -> None:
    new_title = _command(commands, "new-title", "write a package with a small title, to start your own", """
Write a folder NAME with a complete title of your own: a small card game with hidden hands that plays at once, its
tests, and pyproject.toml. Change its rules into those of your game: docs/adding-a-title.md leads through all parts.

NAME is the id of the title, and the name of its Python module: lower-case letters, digits and _.

examples:
  boardkeeper new-title my_game
  boardkeeper new-title my_game --folder ~/titles
""")  # fmt: skip
    new_title.add_argument("name", metavar="NAME", help="id of the title")
    new_title.add_argument("--folder", metavar="DIR", help="folder to write it in (default: the current folder)")
    _output(new_title)


def _title_numbers(commands: Commands[Command]) -> None:
    numbers = _command(commands, "title-numbers", "fix the field numbers of a title's API in its package", """
Write the file wire.binpb into the package of an installed title, beside its structs, and list what was added. The file
fixes the field numbers of the title's messages: run this before the first release, and after each change of a struct.
Numbers never move. A removed field stays reserved: neither its number nor its name is used again.

examples:
  boardkeeper title-numbers my_game
  boardkeeper title-numbers my_game --check
""")  # fmt: skip
    numbers.add_argument("title", metavar="TITLE", help="id of the title")
    numbers.add_argument("--check", action="store_true", help="write nothing; exit with status 1 if the file is old")
    _output(numbers)


def _conformance(commands: Commands[Command]) -> None:
    conformance = _command(commands, "conformance", "test a client against simulated network and server faults", """
Run a client once for each scenario (lost responses, cut streams, rate limits, stale reads, votes, fields of later
versions, …) against a server that simulates the fault, and report what the client did wrong. In the command, {address}
is replaced by the address of the server (gRPC without TLS) and {web} by its URL for Connect.

The client has to play one game to its end, print each event as a line 'VERSION  SENTENCE', and exit with status 0, as
the programs in clients/examples do.

examples:
  boardkeeper conformance --list                                    list the scenarios
  boardkeeper conformance -- python clients/examples/python/play_with_stubs.py {address}
  boardkeeper conformance --scenario stream-cut -- ./my-client {address}
  boardkeeper conformance --serve stream-cut --listen 127.0.0.1:50099      for a client in a debugger

exit status:
  0  no scenario failed
  1  a scenario failed
  5  could not check: the tests could not be run
""")  # fmt: skip
    conformance.add_argument("client", nargs="*", metavar="COMMAND", help="client command, after --, with {address}")
    conformance.add_argument("--list", action="store_true", help="list the scenarios")
    conformance.add_argument(
        "--scenario", metavar="NAME", action="append", default=[], help="only this scenario; repeatable"
    )
    conformance.add_argument("--serve", metavar="NAME", help="serve this scenario to one client that you start")
    conformance.add_argument(
        "--listen",
        metavar="HOST:PORT",
        type=argument_types.tcp_endpoint,
        default="127.0.0.1:0",
        help="with --serve: where to listen (default: any free port)",
    )
    conformance.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=argument_types.positive,
        default=60,
        help="time limit for each scenario",
    )
    conformance.add_argument(
        "--jobs",
        metavar="N",
        type=argument_types.positive,
        default=2,
        help="number of scenarios to run at a time",
    )
    _output(conformance)


def _trust(command: argparse.ArgumentParser) -> None:
    files = command.add_argument_group("for servers at https://")
    files.add_argument(
        "--ca-file", metavar="FILE", help="trust servers whose certificate one of these authorities signed (PEM)"
    )
    files.add_argument("--client-cert", metavar="FILE", help="your certificate, if the server requires one")
    files.add_argument("--client-key", metavar="FILE", help="private key of your certificate")


def _language(command: argparse.ArgumentParser) -> None:
    default = os.environ.get("BOARDKEEPER_LANGUAGE", "en")
    command.add_argument(
        "--language",
        choices=LANGUAGES,
        default=default if default in LANGUAGES else "en",
        help="language of sentences and names (default: BOARDKEEPER_LANGUAGE or en)",
    )


def _output(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON object per line, for programs")
    command.add_argument("--no-color", action="store_true", help=_NO_COLOR_HELP)


def _version() -> str:
    try:
        return version("boardkeeper")
    except PackageNotFoundError:
        return "(not installed)"
