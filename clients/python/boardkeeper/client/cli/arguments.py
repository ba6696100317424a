"""The arguments of the command line and the help that explains them."""

from __future__ import annotations

import argparse
import os
import textwrap
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from boardkeeper.client.cli import argument_types
from boardkeeper.client.cli.setting_flags import add_setting_flags
from boardkeeper.titles.registry import TITLES

DEFAULT_SERVER = "localhost:50051"
DEFAULT_LISTEN = "127.0.0.1:50051"
LANGUAGES = ("en", "de")
STANDARD = "-"
"""The name of standard input or output in the place of a file."""

_PATHS = frozenset({"archive", "checkpoint", "database", "db", "folder", "key_file", "position", "source", "target"})
"""Arguments that name a file or folder of which a stream cannot take the place."""
_PATHS_OF = {"backup": ("file",), "restore": ("file",), "film": ("out",)}

_EPILOG = f"""\
examples:
  boardkeeper demo                         bots play a whole game; nothing has to be set up
  boardkeeper play                         play against two bots, in this terminal
  boardkeeper serve                        a service for any gRPC client, on {DEFAULT_LISTEN}, and for browsers
  boardkeeper games                        the games of that service, and your own
  boardkeeper watch GAME                   follow one, from its first event, then live
  boardkeeper show GAME --at 100           its board after the hundredth event
  boardkeeper film GAME --out FOLDER       the whole game in pictures
  boardkeeper undo GAME                    take back your last commands there
  boardkeeper seat GAME --bot              let a bot play on for you
  boardkeeper fork GAME --at 100           go on from there, as another game
  boardkeeper export GAME --out game.jsonl its record: the whole game as a file
  boardkeeper verify game.jsonl            is all of it true? needs no service
  boardkeeper check --db games.db          has anything in a database file been changed?
  boardkeeper backup /backups --db games.db
                                           all of it in one file, while it is served

where games are:
  'serve' keeps them in a database file, 'play' without --server in files of your own. GAME is a game's id, or how it
  begins. It is looked for where you hold a seat in it, at the usual service ({DEFAULT_SERVER}) if one runs, and in your
  own files. --server HOST:PORT or --db FILE names one place instead; for --db no service has to run.

environment:
  BOARDKEEPER_SERVER          the usual service, as HOST:PORT or https://HOST:PORT (else {DEFAULT_SERVER})
  BOARDKEEPER_CA_FILE, BOARDKEEPER_CLIENT_CERT, BOARDKEEPER_CLIENT_KEY
                              for services at https://, as the flags of these names
  BOARDKEEPER_LANGUAGE        en or de
  BOARDKEEPER_HOME            the folder for your own games and seats
  BOARDKEEPER_KEY             the key of a platform, for services that want one; it is not sent to your own files
  BOARDKEEPER_OPERATOR_TOKEN  of a service: who sends it sees all that is hidden ('show --position', 'export') and can
                              remove games
  BOARDKEEPER_CONFIG          the file with the settings of 'serve'; 'config' lists these, each has a variable too
  NO_COLOR                    if set, nothing is coloured

exit status:
  0 done · 1 refused or failed · 2 wrong usage · 3 no service reached · 130 interrupted
  4 nothing is wrong with a record, but not everything can be checked yet (verify)
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


def parser() -> argparse.ArgumentParser:
    """The whole parser; the chosen command's name is in ``command``."""
    whole = argparse.ArgumentParser(
        prog="boardkeeper",
        description="Boardkeeper keeps board games: a rules service, its games, a table in your terminal.",
        epilog=_EPILOG,
        formatter_class=_Form,
    )
    whole.add_argument("--version", action="version", version=f"boardkeeper {_version()}")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _serve(commands)
    _config(commands)
    _demo(commands)
    _play(commands)
    _watch(commands)
    _feed(commands)
    _show(commands)
    _film(commands)
    _undo(commands)
    _seat(commands)
    _fork(commands)
    _games(commands)
    _invite(commands)
    _results(commands)
    _standings(commands)
    _titles(commands)
    _export(commands)
    _import(commands)
    _verify(commands)
    _keys(commands)
    _check(commands)
    _rebuild(commands)
    _migrate(commands)
    _move(commands)
    _backup(commands)
    _restore(commands)
    _archive(commands)
    _unarchive(commands)
    _erase(commands)
    _remove(commands)
    _access(commands)
    _webhooks(commands)
    _health(commands)
    _conformance(commands)
    return whole


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the arguments; ends the program with status 2 and a hint if they are wrong."""
    whole = parser()
    chosen = whole.parse_args(arguments)
    if chosen.command == "play" and chosen.resumed:
        if chosen.game and chosen.game != chosen.resumed:
            whole.error("play goes on with one game: name it once")
        chosen.game = chosen.resumed
    paths = [*_PATHS, *_PATHS_OF.get(chosen.command, ())]
    if any(getattr(chosen, name, None) == STANDARD for name in paths):
        whole.error("'-' is standard input or output, which cannot be used here: name a file")
    return chosen


Command = argparse.ArgumentParser
Commands = argparse._SubParsersAction  # argparse has no public name for what add_subparsers returns


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
    serve = _command(commands, "serve", "run the service", """
Run the service until it is interrupted (Ctrl-C or SIGTERM). Games survive a restart and a crash between any
two commands. One process owns one SQLite file; several can serve one PostgreSQL database (--workers).

examples:
  boardkeeper serve
  boardkeeper serve --db /var/lib/boardkeeper/games.db --listen 127.0.0.1:50051 --log-format json
  boardkeeper serve --config /etc/boardkeeper.toml
  boardkeeper serve --db postgresql://boardkeeper@db.internal/games --key-file /etc/boardkeeper.key --workers 4
""")  # fmt: skip
    add_setting_flags(serve)
    serve.add_argument("--worker", help=argparse.SUPPRESS)  # given by the process that looks after several


def _config(commands: Commands[Command]) -> None:
    config = _command(commands, "config", "show the settings of a service, and where each comes from", """
Show the settings that 'boardkeeper serve' would have if it were started here and now with the same flags, and where
each comes from: a flag, a variable, the file that --config names, or its default. Secrets are hidden. The exit status
is 0 only if all that is given can be used.

examples:
  boardkeeper config
  boardkeeper config --config /etc/boardkeeper.toml
  boardkeeper config --json | jq -r 'select(.source!="default").setting'
""")  # fmt: skip
    add_setting_flags(config)
    _output(config)


def _demo(commands: Commands[Command]) -> None:
    demo = _command(commands, "demo", "let bots play a whole game and print it", """
Start a service on a temporary file, seat a bot everywhere, play a whole game through a real socket, follow it
with WatchGame meanwhile, and print its log round by round and the final score sheet.

The bots are ordinary clients of the service. --seed fixes all chance: the choices of the bots, the dice and the game's
id. So the same arguments give the very same game again, events and all; only times, and the key that signs a record,
are others. Without it a new seed is taken, and shown. Nothing but a demo has dice that follow from a seed.

examples:
  boardkeeper demo
  boardkeeper demo --players 5 --bots sensible,random --seed 7 --language de
  boardkeeper demo --edition dlp-2014 --choose planning=sealed
  boardkeeper demo --record game.jsonl
  boardkeeper demo --json | jq -r .sentence
""")  # fmt: skip
    _game(demo)
    demo.add_argument(
        "--players", type=argument_types.positive, metavar="N", help="number of seats (default: 4, or nearly so)"
    )
    demo.set_defaults(usual_players=4)
    demo.add_argument("--seed", type=int, metavar="S", help="fixes all chance, the dice too (default: a new one)")
    demo.add_argument("--bots", type=argument_types.bots, default=(), metavar="KIND,…", help=_BOTS_HELP)
    demo.add_argument("--record", metavar="FILE", help="save the record of the game ('boardkeeper verify' checks it)")
    demo.add_argument("--in-service", action="store_true", help="let the service move the bots, not clients")
    demo.add_argument("--verbose", action="store_true", help=_VERBOSE_HELP)
    _language(demo)
    _output(demo)


def _play(commands: Commands[Command]) -> None:
    play = _command(commands, "play", "play in this terminal", """
Play a game in this terminal, against bots or with others. Without --server the game is kept in a file of your
own and a service for it runs as long as you play; all other commands find it there by its id, also while you play. Your
seat is remembered: a game can be taken up again.

examples:
  boardkeeper play                                          a new game against two bots
  boardkeeper play --players 4 --bots random                against three simple ones
  boardkeeper play --position position.json                 begin from a position ('show --position' prints one)
  boardkeeper play 4f1c…                                    go on with a game of yours
  boardkeeper play --resume                                 go on with the game played last
  boardkeeper play --server host:50051 --open 1             a seat is left for a friend, who types:
  boardkeeper play 4f1c… --server host:50051 --join
  boardkeeper play --time 20m+10s --on-expiry resign        with clocks
""")  # fmt: skip
    play.add_argument("resumed", nargs="?", metavar="GAME", help="go on with this game instead of a new one")
    _place(play, "play at this service", "keep the game in this database file (default: a new file of your own)")
    _game(play)
    play.add_argument(
        "--players", type=argument_types.positive, metavar="N", help="seats of a new game (default: 3, or nearly so)"
    )
    play.set_defaults(usual_players=3)
    play.add_argument("--bots", type=argument_types.bots, default=(), metavar="KIND,…", help=_BOTS_HELP)
    play.add_argument(
        "--open", type=argument_types.count, default=0, metavar="N", help="leave so many seats open for others"
    )
    play.add_argument(
        "--time",
        type=argument_types.time_control,
        metavar="TIME",
        help="what time people have: 90s/move or 3d/move, 20m for the whole game, 20m+10s with more after each turn"
        " (default: as much as they like)",
    )
    play.add_argument(
        "--on-expiry",
        choices=("bot", "resign"),
        default="bot",
        help="with --time: whose time has run out, a bot plays on or the seat resigns (default: bot)",
    )
    play.add_argument("--name", default="", help="your name at the table (default: your login name)")
    play.add_argument("--game", metavar="GAME", help="the same as GAME")
    play.add_argument("--position", metavar="FILE", help="begin from a position; it says title, edition and seats")
    play.add_argument("--resume", action="store_true", help="go on with the game that you played last")
    play.add_argument(
        "--entropy",
        type=argument_types.entropy,
        metavar="HEX",
        help="your share of the dice: up to 64 bytes (default: fresh ones)",
    )
    play.add_argument("--join", action="store_true", help="with GAME: take a free seat in it")
    play.add_argument(
        "--no-auto-pass",
        dest="auto_pass",
        action="store_false",
        help="ask also where passing is all that can be done",
    )
    _language(play)
    play.add_argument("--no-color", action="store_true", help="no colours")


def _watch(commands: Commands[Command]) -> None:
    watch = _command(commands, "watch", "follow a game", """
Print the events of a game as sentences, from its first one (or after a version), then live until it is over.
A connection that breaks is taken up again where it broke: no event is missed or shown twice.

examples:
  boardkeeper watch 4f1c…
  boardkeeper watch 4f1c… --after 120 --json
""")  # fmt: skip
    watch.add_argument("game", metavar="GAME", help="the game's id, or how it begins")
    watch.add_argument(
        "--after",
        type=argument_types.version_before,
        default=0,
        metavar="VERSION",
        help="begin after this version (default: 0, before the first event)",
    )
    watch.add_argument("--verbose", action="store_true", help=_VERBOSE_HELP)
    _place(watch)
    _language(watch)
    _output(watch)


def _feed(commands: Commands[Command]) -> None:
    feed = _command(commands, "feed", "follow all games of a service", """
Print what happens in all games of your platform (BOARDKEEPER_KEY), or of all with BOARDKEEPER_OPERATOR_TOKEN: games are
made, joined, ended, have results, are removed; other seats have to decide, or to vote on an undo; a seat resigns, its
time runs out, a bot plays on for it and its person comes back. From the oldest item that is kept, then live. A
connection that breaks is taken up again where it broke.

kinds:
  created joined turn ended result removed handed_over taken_back resigned time_expired vote

examples:
  boardkeeper feed --from-now
  boardkeeper feed --kinds ended,result --json
  boardkeeper feed --after CURSOR --json | jq -r .cursor
""")  # fmt: skip
    begin = feed.add_mutually_exclusive_group()
    begin.add_argument("--after", default="", metavar="CURSOR", help="go on behind the item with that cursor")
    begin.add_argument("--from-now", action="store_true", help="begin with what happens from now on")
    feed.add_argument(
        "--kinds",
        type=argument_types.words,
        default=(),
        metavar="KIND,…",
        help="only items of these kinds, such as turn,result",
    )
    feed.add_argument("--title", default="", metavar="ID", help="only games of this title")
    feed.add_argument("--game", default="", metavar="ID", help="only this game")
    feed.add_argument("--limit", type=argument_types.positive, metavar="N", help="end after so many items")
    _server(feed)
    _language(feed)
    _output(feed)


def _show(commands: Commands[Command]) -> None:
    show = _command(commands, "show", "draw the board of a game", """
Draw the board of a game as it is now or was after any of its events: in the terminal, or as a picture, as browsers
show it. Of a record in a file pictures alone are drawn. They need: pip install 'boardkeeper[pictures]'

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
    show.add_argument("game", metavar="GAME", help="the game's id, or how it begins; for pictures also a record's file")
    show.add_argument(
        "--at", type=argument_types.version_number, metavar="VERSION", help="after this many events (default: now)"
    )
    show.add_argument(
        "--position",
        action="store_true",
        help="print the whole position as JSON, to begin other games from; needs BOARDKEEPER_OPERATOR_TOKEN",
    )
    show.add_argument("--map", action="store_true", help="the title's map, if it has one, beside the table")
    show.add_argument("--svg", metavar="FILE", help="as a picture in SVG; - for standard output")
    show.add_argument("--png", metavar="FILE", help="as a picture in PNG; - for standard output")
    _picture(show)
    _place(show)
    _language(show)
    _output(show)


def _film(commands: Commands[Command]) -> None:
    film = _command(commands, "film", "draw a game as a film of pictures", """
Draw a game, or a record in a file, as pictures in the order in which it was played: FOLDER gets frame-0001.png and so
on, all of one size, and film.json, which tells of each its version, what happened in words, and how long to show it.
--apng makes one file of them that moves by itself, which browsers play. A film that was interrupted goes on
with the same command: frames that are there are kept. It needs: pip install 'boardkeeper[pictures]'

examples:
  boardkeeper film 4f1c… --out film --every round
  boardkeeper film game.jsonl --out film --from 100 --to 200 --boards map
  boardkeeper film game.jsonl --out film --apng film.png && xdg-open film.png
  ffmpeg -framerate 2 -i film/frame-%04d.png -pix_fmt yuv420p film.mp4
""")  # fmt: skip
    film.add_argument("game", metavar="GAME", help="the game's id, or how it begins; or a record's file")
    film.add_argument(
        "--out",
        metavar="FOLDER",
        required=True,
        help="where to: a new folder, an empty one, or that of a film to go on with",
    )
    film.add_argument("--apng", metavar="FILE", help="all frames in one animated PNG, too; - for standard output")
    film.add_argument("--svg", action="store_true", help="frames in SVG instead of PNG")
    film.add_argument(
        "--every",
        choices=("event", "command", "round"),
        default="command",
        help="after what a frame is drawn (default: command)",
    )
    version = argument_types.version_number
    film.add_argument("--from", dest="first", type=version, metavar="VERSION", help="begin after this many events")
    film.add_argument("--to", dest="last", type=version, metavar="VERSION", help="end after this many (default: now)")
    film.add_argument(
        "--seconds", type=argument_types.seconds_shown, default=0.8, help="how long a frame is shown (default: 0.8)"
    )
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
        help="as this seat sees it, which you hold; of a whole record any, 0: nobody's (default: a spectator, or all "
        "that a record tells)",
    )
    picture.add_argument("--boards", metavar="ID,…", help="only these boards: --json lists them")
    picture.add_argument(
        "--width", type=argument_types.side, default=1200, metavar="PIXELS", help="how wide (default: 1200)"
    )
    picture.add_argument("--height", type=argument_types.side, metavar="PIXELS", help="how high (default: as it fits)")
    picture.add_argument("--dark", action="store_true", help="light on dark")


def _undo(commands: Commands[Command]) -> None:
    undo = _command(commands, "undo", "take back your last commands, or answer who asks to", """
Take back the last commands of a seat that you hold. It is free, and done at once, as long as no other seat has acted
since and they have revealed nothing. Otherwise every other person has to consent in a vote. A person whose seat a bot
plays has to take the seat back before answering. While a vote is open, this shows it, and --answer answers
it. Nothing is ever removed from a game's history.

examples:
  boardkeeper undo 4f1c…
  boardkeeper undo 4f1c… --answer yes
  boardkeeper undo 4f1c… --json | jq .free
""")  # fmt: skip
    undo.add_argument("game", metavar="GAME", help="the game's id, or how it begins")
    undo.add_argument(
        "--answer",
        choices=("yes", "no"),
        help="consent to what another seat asks, or decline it; no also ends your own",
    )
    undo.add_argument(
        "--seat", type=argument_types.positive, default=0, metavar="N", help="which of your seats, if you hold several"
    )
    _place(undo, "only at this service", "only in this database file")
    _language(undo)
    _output(undo)


def _seat(commands: Commands[Command]) -> None:
    seat = _command(commands, "seat", "let a bot play on for you, take your seat back, or give up", """
Have a bot play a seat that you hold, as long as you are away, and take it back. Or give up, for good: who resigns ranks
behind all who do not. As long as two others are left, one of them a person, a bot plays on in your place; else the game
ends at once.

examples:
  boardkeeper seat 4f1c… --bot
  boardkeeper seat 4f1c… --bot random --seat 2
  boardkeeper seat 4f1c… --back
  boardkeeper seat 4f1c… --resign
""")  # fmt: skip
    seat.add_argument("game", metavar="GAME", help="the game's id, or how it begins")
    what = seat.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--bot",
        nargs="?",
        const="",
        metavar="KIND",
        help="a bot plays it from now on (default: the one that plays best)",
    )
    what.add_argument("--back", action="store_true", help="play it yourself again")
    what.add_argument("--resign", action="store_true", help="give up")
    seat.add_argument(
        "--seat", type=argument_types.positive, default=0, metavar="N", help="which of your seats, if you hold several"
    )
    _place(seat, "only at this service", "only in this database file")
    _language(seat)
    _output(seat)


def _fork(commands: Commands[Command]) -> None:
    fork = _command(commands, "fork", "go on from a version of a game, as a new game", """
Make a new game that begins as another one stands, now or after any of its events; the other game is not touched. What
you could not know there is dealt anew: as the seat that you hold, else as a spectator. With --operator the position is
exact. You take one seat of the new game. Bots keep theirs; those of other people go to bots, or are left open.

examples:
  boardkeeper fork 4f1c… --at 120
  boardkeeper fork 4f1c… --seat 2 --open 1
  boardkeeper fork 4f1c… --at 120 --operator --server host:50051
""")  # fmt: skip
    fork.add_argument("game", metavar="GAME", help="the game's id, or how it begins")
    fork.add_argument(
        "--at", type=argument_types.version_number, metavar="VERSION", help="after this many events (default: now)"
    )
    fork.add_argument(
        "--seat",
        type=argument_types.positive,
        default=0,
        metavar="N",
        help="your seat (default: the one that you hold there, else 1)",
    )
    fork.add_argument("--operator", action="store_true", help="the exact position; needs BOARDKEEPER_OPERATOR_TOKEN")
    fork.add_argument(
        "--open", type=argument_types.count, default=0, metavar="N", help="leave so many seats open for others"
    )
    fork.add_argument("--bots", type=argument_types.bots, default=(), metavar="KIND,…", help=_BOTS_HELP)
    fork.add_argument("--name", default="", help="your name at the table (default: your login name)")
    _place(fork)
    _language(fork)
    _output(fork)


def _games(commands: Commands[Command]) -> None:
    games = _command(commands, "games", "list the games that there are", """
List the games of the usual service, if one runs there, and those in your own files, where 'boardkeeper play' keeps
them. With --server or --db only those of that place. The newest come first: the last 50, or as many as you say.

examples:
  boardkeeper games
  boardkeeper games --db /var/lib/boardkeeper/games.db
  boardkeeper games --limit 500
  boardkeeper games --player p-4711 --turn
  boardkeeper games --player p-4711 --outcome won --title TITLE
  boardkeeper games --all --json | jq -r 'select(.status=="GAME_STATUS_OPEN").game_id'
""")  # fmt: skip
    many = games.add_mutually_exclusive_group()
    many.add_argument(
        "--limit", type=argument_types.positive, default=50, metavar="N", help="so many at most (default: 50)"
    )
    many.add_argument("--all", action="store_true", help="every game")
    games.add_argument("--player", default="", metavar="ID", help="those of a platform's player, by the platform's id")
    games.add_argument("--turn", action="store_true", help="those in which somebody, or that player, has to decide")
    games.add_argument("--outcome", choices=["won", "drawn", "lost"], default="", help="that ended so for that player")
    games.add_argument("--title", default="", metavar="TITLE", help="those of one title")
    games.add_argument("--status", choices=["open", "running", "ended"], default="", help="those that are so far")
    _place(games)
    _language(games)
    _output(games)


def _invite(commands: Commands[Command]) -> None:
    invite = _command(commands, "invite", "invite somebody to a free seat of a game", """
Make a code with which somebody takes a free seat of a game, once. It takes a seat of yours in that game, the key of its
platform in BOARDKEEPER_KEY, or the operator's token in BOARDKEEPER_OPERATOR_TOKEN.

examples:
  boardkeeper invite GAME
  boardkeeper invite GAME --seat 2 --expires 7d
  boardkeeper invite GAME --list
  boardkeeper invite GAME --revoke ID
""")  # fmt: skip
    invite.add_argument("game", metavar="GAME", help="the game's id, or how it begins")
    invite.add_argument("--seat", type=int, default=0, metavar="N", help="to this seat (default: any that is free)")
    invite.add_argument("--expires", default="", metavar="WHEN", help="after so long: 30m, 12h, 7d (default: never)")
    invite.add_argument("--player", default="", metavar="ID", help="for platforms: whose the seat is then")
    others = invite.add_mutually_exclusive_group()
    others.add_argument("--list", action="store_true", help="list the game's invitations")
    others.add_argument("--revoke", default="", metavar="ID", help="end this one")
    _place(invite)
    _language(invite)
    _output(invite)


def _results(commands: Commands[Command]) -> None:
    results = _command(commands, "results", "list the results of games that have ended", """
List the games of a platform that have ended, the newest first, with each seat's rank and points; or with --after
those that have come since, the oldest first. Where to go on from is told as the last line. A service tells them to
whoever has a platform's key, in BOARDKEEPER_KEY, or the operator's token, in BOARDKEEPER_OPERATOR_TOKEN.

examples:
  boardkeeper results
  boardkeeper results --title TITLE --limit 500
  boardkeeper results --after start --json
""")  # fmt: skip
    results.add_argument("--title", default="", metavar="TITLE", help="those of one title")
    results.add_argument("--platform", default="", metavar="ID", help="for operators: those of one platform")
    results.add_argument(
        "--after", default="", metavar="CURSOR", help="the oldest first, behind this cursor; 'start': from the first"
    )
    results.add_argument(
        "--limit", type=argument_types.positive, default=50, metavar="N", help="so many at most (default: 50)"
    )
    _place(results)
    _language(results)
    _output(results)


def _standings(commands: Commands[Command]) -> None:
    standings = _command(commands, "standings", "list the results of a platform's players in a title", """
List the players of a platform with their results in the games of a title that have ended. A player is counted if the
platform named him by an id ('player_id') when the seat was taken; the names of seats do not count.

columns:
  games                          games of the player that have ended: won, drawn and lost
  won                            games in which the player has rank 1, alone or with others
  drawn                          games in which all seats have rank 1
  shares                         1 for each victory, divided among the seats that share rank 1
  expected                       the sum of 1/seats over the games: the shares of a player who is as good as the others
  mean rank, mean points, best   over these games

examples:
  boardkeeper standings TITLE
  boardkeeper standings TITLE --player p-4711 --people-only
""")  # fmt: skip
    standings.add_argument("title", metavar="TITLE", help="the id of the title")
    standings.add_argument(
        "--player", action="append", default=[], metavar="ID", help="this player only; may be given several times"
    )
    standings.add_argument("--people-only", action="store_true", help="games without bots only")
    standings.add_argument("--platform", default="", metavar="ID", help="for operators: those of one platform")
    _place(standings)
    _language(standings)
    _output(standings)


def _titles(commands: Commands[Command]) -> None:
    titles = _command(commands, "titles", "list what can be played, or explain one title", """
List the titles that can be played; with a title, its editions, options and readings. They are those of the usual
service, if one runs there, else those that are installed here.

examples:
  boardkeeper titles
  boardkeeper titles TITLE
  boardkeeper titles TITLE --edition ID
""")  # fmt: skip
    titles.add_argument("title", nargs="?", metavar="TITLE", help="the id of one title")
    titles.add_argument("--edition", default="", metavar="ID", help="what lies out in this one (default: the first)")
    _place(titles, "as this service has them", "as a service on this database file has them")
    _language(titles)
    _output(titles)


def _export(commands: Commands[Command]) -> None:
    export = _command(commands, "export", "save the record of a game", """
Save the record of a game: one file with everything that happened, which anybody can check with 'boardkeeper verify'
and any service can take in. A game that has ended is saved whole. Of a running one you get what you may know: as the
seat that you hold there, as the operator with BOARDKEEPER_OPERATOR_TOKEN, else as a spectator.

With --html it is saved as a page that replays and checks it in any browser, also from a disk.

examples:
  boardkeeper export 4f1c… --out game.jsonl
  boardkeeper export 4f1c… --html game.html
  boardkeeper export 4f1c… | boardkeeper verify -
""")  # fmt: skip
    export.add_argument("game", metavar="GAME", help="the game's id, or how it begins")
    export.add_argument("--out", metavar="FILE", help="where to save it; - for standard output, the default")
    export.add_argument("--html", metavar="FILE", help="where to save it as a page that shows it; - as with --out")
    _place(export)
    _language(export)


def _import(commands: Commands[Command]) -> None:
    command = _command(commands, "import", "bring the record of a game to a service", """
Bring a game that was played elsewhere to a service. The service takes it in only if it has ended and its record holds
on every level; it keeps its id and the signature of the service that played it.

examples:
  boardkeeper import game.jsonl
  boardkeeper import game.jsonl --server host:50051
""")  # fmt: skip
    command.add_argument("file", metavar="FILE", help="the record, - for standard input")
    _place(command, "(default: the usual one)", "take it in there, with or without a service")
    _language(command)
    _output(command)


def _verify(commands: Commands[Command]) -> None:
    verify = _command(commands, "verify", "check records of games, without any service", """
Check records of games, or games, whose records are fetched as 'boardkeeper export' does. Nothing in a file is
trusted: its bytes, the chain of its events, the signature, every move of every component, every draw of the dice, and
that the rules, given the recorded commands, decide to the recorded events. Each of these levels is reported apart. The
exit status is 0 only if all of them hold in all files.

A signature tells who vouches for a record by the id of a key. 'boardkeeper verify' cannot know whose key that is:
compare the id with what that service tells ('boardkeeper keys'), or give the ids that you trust with --key.

examples:
  boardkeeper verify game.jsonl
  boardkeeper verify 4f1c…
  boardkeeper verify --key 3b1f09c2e7a4d851… --json games/one.jsonl games/two.jsonl
""")  # fmt: skip
    verify.add_argument("files", metavar="FILE", nargs="+", help="a record, - for standard input, or a game's id")
    _place(verify, "where to fetch a game", "where to fetch a game, whether or not a service has it open")
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
    keys = _command(commands, "keys", "by which keys are records signed?", """
List the ids of keys that sign records, for --key of 'boardkeeper verify': the key of a service or database file, with
how many records it signs, and those that signed the records that were brought there. Without --server and --db
it is the usual service and your own files. Of a file with a record it is the key that its last line names; whether the
signature is good, 'boardkeeper verify' says. With each stands from when to when the games under it were played, as far
as that is known; records do not say when they were signed. The keys themselves stay where they are.

examples:
  boardkeeper keys
  boardkeeper keys --server localhost:50051 --json | jq -r .key_id
  boardkeeper keys game.jsonl
""")  # fmt: skip
    keys.add_argument("files", metavar="FILE", nargs="*", help="a record, - for standard input")
    _place(keys, "of this service (default: the usual one, and your own files)", "of this database file")
    _language(keys)
    _output(keys)


def _check(commands: Commands[Command]) -> None:
    check = _command(commands, "check", "has a database file been changed? needs no service", """
Check the chains of all games in a database file: has any stored event been changed, removed, added or put
elsewhere since it was stored? Nothing in the file is changed, and a service may have it open. Each damaged game is
named with the first event that cannot be trusted. The exit status is 0 only if there is none.

Whoever can write the file can also make new chains. Records that were exported before ('boardkeeper export') show that.

The file is also compared to the newest checkpoint of its service, FILE.checkpoint beside it: an older copy in its place
has fewer events, or others. Whoever puts an older checkpoint back too is found with one that was kept elsewhere.

examples:
  boardkeeper check --db games.db
  boardkeeper check --db games.db --checkpoint /elsewhere/games.db.checkpoint
  boardkeeper check --db sqlite:////var/lib/boardkeeper/games.db --json
  boardkeeper check --db postgresql://db.internal/games --key-file /etc/boardkeeper.key
""")  # fmt: skip
    check.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    check.add_argument("--archive", metavar="FOLDER", help="look at the archived games in it, too")
    check.add_argument(
        "--checkpoint", metavar="FILE", help="compare to this checkpoint, not to the one beside the file"
    )
    check.add_argument("--key-file", metavar="FILE", help="the key to which a database on PostgreSQL must belong")
    _output(check)


def _rebuild(commands: Commands[Command]) -> None:
    rebuild = _command(commands, "rebuild", "make a database file's lobby again from its events", """
Make again what a database has besides its events and follows from them: the lobby, the results, which seats are
taken, and snapshots. Every difference is told. All is done in one transaction, and doing it again changes nothing.
Stop the service of a file first; a PostgreSQL may be served meanwhile. Names, tokens and secrets are not in the events
and stay as they are; so does a damaged game, because the lobby is what shows the damage (see 'boardkeeper check'). The
exit status is 0 if there is none.

examples:
  boardkeeper rebuild --db games.db
  boardkeeper rebuild --db games.db --json
""")  # fmt: skip
    rebuild.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    rebuild.add_argument("--key-file", metavar="FILE", help="the key of a database on PostgreSQL")
    _output(rebuild)


def _migrate(commands: Commands[Command]) -> None:
    migrate = _command(commands, "migrate", "make the tables of a PostgreSQL, as the user who is to own them", """
Make the tables of a database on PostgreSQL, or bring them up to date, as the user who is to own them, and grant another
user what a service needs: everything but to change or remove stored events, and to change tables. A service whose user
owns the tables does the first by itself. The services of an earlier release have to be stopped.

examples:
  boardkeeper migrate --db postgresql://owner@db.example/boardkeeper --grant boardkeeper
""")  # fmt: skip
    migrate.add_argument("--db", metavar="URL", help="postgresql://… (default: BOARDKEEPER_DATABASE)")
    migrate.add_argument("--grant", metavar="ROLE", help="the user of the services")


def _move(commands: Commands[Command]) -> None:
    move = _command(commands, "move", "move all games to another database", """
Copy all games from one database to another: every stored byte of their events, seats with names and tokens, secrets,
and what tells of games that were removed. So a service that began on one file goes on on PostgreSQL, or comes back
from there; clients notice nothing but the pause. Stop the service first. What was interrupted is begun again: games
that are there already are passed over. A damaged game stays where it is, and is told of; the exit status is 1 then.
The source is not changed. The key goes with the games, to the file of the other database's key if there is none yet.

examples:
  boardkeeper move --from games.db --to postgresql://boardkeeper@db.internal/games --key-file /etc/boardkeeper.key
  boardkeeper move --from games.db --to other.db
""")  # fmt: skip
    move.add_argument("--from", dest="source", metavar="URL", required=True, help="the database with the games")
    move.add_argument(
        "--to", dest="target", metavar="URL", required=True, help="where they go; it is made if it can be"
    )
    move.add_argument("--key-file", metavar="FILE", help="where the key of a PostgreSQL database is")
    move.add_argument("--archive", metavar="FOLDER", help="where games of the source are archived, which move, too")
    _output(move)


def _backup(commands: Commands[Command]) -> None:
    backup = _command(commands, "backup", "make a backup of a database, while it is served or not", """
Make a backup: one file with everything that the database holds at one moment, signed with the service's key. A service
may have the database open, and nobody waits. FILE must not be there yet; in a folder it gets a name of its own. An
interrupted backup leaves nothing. The key is not in it: keep a copy of that elsewhere, without it a backup cannot be
restored. What is in a backup is as secret as the database: dice, names, hashes of tokens.

--verify looks into a backup and restores nothing: is every byte as it was, and does every chain hold?

examples:
  boardkeeper backup /backups --db games.db
  boardkeeper backup monday.backup --db postgresql://db.internal/games --key-file /etc/boardkeeper.key
  boardkeeper backup monday.backup --verify --key-file /etc/boardkeeper.key
""")  # fmt: skip
    backup.add_argument("file", metavar="FILE", help="the backup, or a folder for it")
    backup.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    backup.add_argument(
        "--key-file", metavar="FILE", help="the key of a database on PostgreSQL; with --verify, whose backup it must be"
    )
    how = backup.add_mutually_exclusive_group()
    how.add_argument(
        "--with-key", action="store_true", help="put the key in: who has the backup can sign as the service"
    )
    how.add_argument("--verify", action="store_true", help="look into a backup that is there")
    _output(backup)


def _restore(commands: Commands[Command]) -> None:
    restore = _command(commands, "restore", "make a database of a backup, where there is none yet", """
Make a database of a backup, all or nothing: a file that is not there yet, or a PostgreSQL without tables. The key file
of the service has to be there first (beside the file, as games.db.key, or as --key-file names it), unless it is in the
backup. A service then goes on from the moment of the backup; what was played after it is lost.

examples:
  boardkeeper restore monday.backup --db games.db --key-file /safe/games.db.key
  boardkeeper restore monday.backup --db postgresql://db.internal/games --key-file /etc/boardkeeper.key
""")  # fmt: skip
    restore.add_argument("file", metavar="FILE", help="the backup")
    restore.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    restore.add_argument("--key-file", metavar="FILE", help="where the key is; beside a file it is copied from there")
    _output(restore)


def _archive(commands: Commands[Command]) -> None:
    archive = _command(commands, "archive", "move the events of games that have ended into a folder", """
Move the events of games that ended some time ago out of a database into FOLDER, a signed file for each. A service that
is started with --archive FOLDER answers about them as before. Seats, names, tokens and results stay in the database.
Stop the service of a file first; a PostgreSQL may be served meanwhile, and the user who owns its tables is needed. What
was interrupted is begun again. Back up the folder, too: afterwards these events are nowhere else.

examples:
  boardkeeper archive /srv/archive --older-than 90 --db games.db
  boardkeeper archive /srv/archive --older-than 30 --title TITLE --db postgresql://owner@db.internal/games \
    --key-file /etc/boardkeeper.key
""")  # fmt: skip
    archive.add_argument("folder", metavar="FOLDER", help="where they go; it has to be there")
    archive.add_argument(
        "--older-than", type=argument_types.days, required=True, metavar="DAYS", help="only games that ended before"
    )
    archive.add_argument("--title", default="", help="only games of this title")
    archive.add_argument("--platform", metavar="ID", help="only games of this platform")
    _kept_at(archive)


def _unarchive(commands: Commands[Command]) -> None:
    unarchive = _command(commands, "unarchive", "bring the events of archived games back into the database", """
Bring the events of archived games back from FOLDER into the database: of those that are named, or of all. The files
stay, for a backup of the database may need them. Stop the service of a file first; a PostgreSQL may be served
meanwhile.

examples:
  boardkeeper unarchive /srv/archive 4f1c… --db games.db
  boardkeeper unarchive /srv/archive --db games.db
""")  # fmt: skip
    unarchive.add_argument("folder", metavar="FOLDER", help="where they are")
    unarchive.add_argument("games", metavar="GAME", nargs="*", help="ids of games, or how they begin (default: all)")
    _kept_at(unarchive)


def _kept_at(command: argparse.ArgumentParser) -> None:
    command.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    command.add_argument("--key-file", metavar="FILE", help="the key of a database on PostgreSQL")
    _output(command)


def _erase(commands: Commands[Command]) -> None:
    erase = _command(commands, "erase", "remove a person's name from a database file", """
Remove a person's name for good: from one seat, or from every seat that has it. The games stay as they are, with
"Seat 2" in place of the name, and their history still verifies. Stop the service of a file first; a PostgreSQL may be
served meanwhile. Copies and backups made before keep the name; of a PostgreSQL that is also its write-ahead log.
With --player a platform's player goes from all of its games: his ids, names and tokens; also at a service (--server),
with a key that may operate in BOARDKEEPER_KEY, or the operator's token in BOARDKEEPER_OPERATOR_TOKEN.

examples:
  boardkeeper erase --db games.db --game 4f1c… --seat 2
  boardkeeper erase --db games.db --name Ada
  boardkeeper erase --server games.example.org:443 --player p-4711
""")  # fmt: skip
    erase.add_argument("--db", metavar="URL", help=_DATABASE_HELP)
    erase.add_argument("--server", metavar="HOST:PORT", type=argument_types.address, help="with --player: there")
    erase.add_argument("--player", default="", metavar="ID", help="erase the player with this id of a platform's")
    erase.add_argument("--platform", default="", metavar="ID", help="of this platform (default: of games of nobody)")
    erase.add_argument("--game", metavar="GAME", help="the game's id, or how it begins; with --seat")
    erase.add_argument("--seat", type=argument_types.positive, metavar="N", help="the seat whose name is erased")
    erase.add_argument("--name", metavar="NAME", help="erase this name, spelt exactly so, from every seat")


def _remove(commands: Commands[Command]) -> None:
    remove = _command(commands, "remove", "remove a game for good, as its operator", """
Remove a game for good, with its events, names and tokens: at a service whose operator you are (set
BOARDKEEPER_OPERATOR_TOKEN as the service has it), or from a database: a file that no service has open, or a PostgreSQL,
which may be served meanwhile. The game's id is never taken again, and the same record is not taken in again. Copies
and backups made before keep the game.

examples:
  boardkeeper remove 4f1c… --server localhost:50051
  boardkeeper remove 4f1c… --db games.db
""")  # fmt: skip
    remove.add_argument("game", metavar="GAME", help="the game's id, or how it begins")
    _place(
        remove, "at this service (default: the usual one)", "from this database: a file that nobody serves, or a URL"
    )
    _language(remove)
    _output(remove)


def _health(commands: Commands[Command]) -> None:
    health = _command(commands, "health", "does a service take calls?", """
Ask a service whether it is SERVING, as balancers and containers do. It is NOT_SERVING while it ends, and while nothing
can be stored. The exit status is 0 if it is SERVING, 1 if not, 3 if nobody answers.

examples:
  boardkeeper health
  boardkeeper health --server localhost:50051 --wait 60     until it is SERVING, a minute at the most
""")  # fmt: skip
    health.add_argument(
        "--server", metavar="HOST:PORT", type=argument_types.address, help="of this service (default: the usual one)"
    )
    health.add_argument(
        "--wait", metavar="SECONDS", type=argument_types.positive, default=0, help="ask until it is SERVING"
    )
    _trust(health)
    _output(health)


def _access(commands: Commands[Command]) -> None:
    access = _command(commands, "access", "make, list, replace, limit and revoke the keys of platforms", """
Make, list, replace and revoke the keys with which platforms use a service. A key is shown once, when it is made: only
its hash is stored. It has scopes and sees the games of its platform alone. A running service notices within seconds.
Where it has the database file open, or is named by --server, it is asked to do it: set BOARDKEEPER_OPERATOR_TOKEN as it
has it.

examples:
  boardkeeper access create lobby --scopes create,play,watch --db games.db
  boardkeeper access create "night import" --platform lobby --scopes import --expires 90d
  boardkeeper access create lobby --scopes create,play,watch --certificate lobby.example.org
  boardkeeper access list --json | jq -r 'select(.state=="active").key_id'
  boardkeeper access rotate 1f0c9a3b77de --overlap 24
  boardkeeper access revoke 1f0c9a3b77de
  boardkeeper access limit 1f0c9a3b77de reads=2k/s streams=8k games=50k
""")  # fmt: skip
    deeds = access.add_subparsers(dest="deed", metavar="DEED", required=True)
    create = deeds.add_parser("create", help="make a key and show it, once", formatter_class=_Form)
    create.add_argument("name", metavar="NAME", help="what to call it in lists")
    create.add_argument(
        "--scopes",
        type=argument_types.words,
        required=True,
        metavar="SCOPE,…",
        help="what it is for: create, play, watch, history, import, operate, webhooks",
    )
    create.add_argument(
        "--platform", default="", metavar="ID", help="whose games it is for (default: NAME); * for an operator's own"
    )
    create.add_argument("--expires", default="", metavar="WHEN", help="12h, 90d, 1y, or a day (default: never)")
    create.add_argument(
        "--certificate", default="", metavar="NAME", help="no secret: clients whose certificate has this name"
    )
    listed = deeds.add_parser("list", help="list all keys, without what is secret", formatter_class=_Form)
    rotate = deeds.add_parser("rotate", help="make a key in place of another one", formatter_class=_Form)
    rotate.add_argument(
        "--overlap", type=argument_types.hours, default=24.0, metavar="HOURS", help="the old one holds on (default: 24)"
    )
    revoke = deeds.add_parser("revoke", help="end a key at once", formatter_class=_Form)
    limit = deeds.add_parser("limit", help="give a key figures of its own", formatter_class=_Form)
    for deed in (rotate, revoke, limit):
        deed.add_argument("key", metavar="ID", help="the key's id, which is no secret")
    limit.add_argument(
        "limits",
        nargs="*",
        metavar="LIMIT=FIGURE",
        help="as in reads=2k/s:8k, streams=off, games=50k; all others are as for every key",
    )
    for deed in (create, listed, rotate, revoke, limit):
        _place(deed, "at this service, as its operator", _DATABASE_HELP)
        deed.add_argument("--key-file", metavar="FILE", help="the key of a database on PostgreSQL")
        _output(deed)


def _webhooks(commands: Commands[Command]) -> None:
    webhooks = _command(commands, "webhooks", "have what happens in all games sent somewhere", """
Have the feed of your platform (BOARDKEEPER_KEY, scope webhooks) posted to URLs of yours, signed after the Standard
Webhooks specification. What cannot be delivered is tried again for some three days, then it is a dead letter.

examples:
  boardkeeper webhooks create https://lobby.example.org/hook --kinds turn,result
  boardkeeper webhooks list
  boardkeeper webhooks test wh_1f0c9a3b77de
  boardkeeper webhooks rotate wh_1f0c9a3b77de --overlap 24
  boardkeeper webhooks dead wh_1f0c9a3b77de
  boardkeeper webhooks resend wh_1f0c9a3b77de
  boardkeeper webhooks remove wh_1f0c9a3b77de
""")  # fmt: skip
    deeds = webhooks.add_subparsers(dest="deed", metavar="DEED", required=True)
    create = deeds.add_parser("create", help="make one and show its secret, once", formatter_class=_Form)
    create.add_argument("url", metavar="URL", help="where to post: https:// and a public host")
    create.add_argument("--title", default="", metavar="ID", help="only games of this title")
    create.add_argument(
        "--kinds",
        type=argument_types.words,
        default=(),
        metavar="KIND,…",
        help="only items of these kinds, as 'feed --help' has them",
    )
    made = [create, deeds.add_parser("list", help="list all, without what is secret", formatter_class=_Form)]
    for name, does in (
        ("test", "send a message now"),
        ("rotate", "make another secret, and show it once"),
        ("dead", "list what could not be delivered"),
        ("resend", "send dead letters again"),
        ("enable", "use one again that was disabled"),
        ("remove", "send nothing there any more"),
    ):
        deed = deeds.add_parser(name, help=does, formatter_class=_Form)
        deed.add_argument("webhook", metavar="ID", help="its id, as the list has it")
        made.append(deed)
        if name == "rotate":
            deed.add_argument(
                "--overlap",
                type=argument_types.hours,
                default=24.0,
                metavar="HOURS",
                help="how long the one before signs, too (default: 24)",
            )
        if name == "resend":
            deed.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help="which (default: all)")
    for deed in made:
        _server(deed)
        _output(deed)


_DATABASE_HELP = "a path, sqlite:///PATH or postgresql://… (default: boardkeeper.db)"
_BOTS_HELP = "kinds of bots, dealt out to the seats in turn (default: the first that 'titles TITLE' tells)"
_KEY_HELP = "accept only signatures of this key: its id, or at least 16 digits of it; may be given several times"
_VERBOSE_HELP = "every event, those too that a short log leaves out"


def _game(command: argparse.ArgumentParser) -> None:
    usual = next(iter(TITLES))
    command.add_argument("--title", default=usual, help=f"what to play (default: {usual})")
    command.add_argument("--edition", default="", metavar="ID", help="which printing (see 'boardkeeper titles TITLE')")
    command.add_argument(
        "--choose",
        action="append",
        default=[],
        type=argument_types.choice,
        metavar="ID=CHOICE",
        help="an option or reading that is not to have its default; may be given several times",
    )


def default_server() -> str:
    """The usual service: the one that is meant where none is named."""
    return os.environ.get("BOARDKEEPER_SERVER") or DEFAULT_SERVER


def _place(
    command: argparse.ArgumentParser,
    server: str = "only at this service (default: the usual one, and your own games)",
    database: str = "only in this database file, whether or not a service has it open",
) -> None:
    place = command.add_mutually_exclusive_group()
    place.add_argument("--server", metavar="HOST:PORT", type=argument_types.address, help=server)
    place.add_argument("--db", metavar="FILE", help=database)
    _trust(command)


def _server(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--server", metavar="HOST:PORT", type=argument_types.address, help="at this service (default: the usual one)"
    )
    _trust(command)


def _conformance(commands: Commands[Command]) -> None:
    conformance = _command(commands, "conformance", "try a client in written scenarios of trouble", """
Run a client once for each of some written scenarios (answers that are lost, streams that break, limits, stale reads,
votes, fields of later versions, …) against a service that makes this trouble, and say what was not right in what it
did. The client plays one game to its end, prints each event of it as a line 'VERSION  SENTENCE', and ends with status
0, as those in clients/examples do. {address} stands where it is told the address of its service (gRPC, in the clear),
{web} for the URL of the same service for Connect. The exit status is 0 if nothing failed, else 1.

examples:
  boardkeeper conformance --list                                    the scenarios
  boardkeeper conformance -- python clients/examples/python/play_with_stubs.py {address}
  boardkeeper conformance --scenario stream-cut -- ./my-client {address}
  boardkeeper conformance --serve stream-cut --listen 127.0.0.1:50099      for a client in a debugger
""")  # fmt: skip
    conformance.add_argument("client", nargs="*", metavar="COMMAND", help="the client, after --, with {address} in it")
    conformance.add_argument("--list", action="store_true", help="list the scenarios")
    conformance.add_argument(
        "--scenario", metavar="NAME", action="append", default=[], help="only this one; can be given several times"
    )
    conformance.add_argument("--serve", metavar="NAME", help="serve this scenario to one client that you start")
    conformance.add_argument(
        "--listen",
        metavar="HOST:PORT",
        type=argument_types.tcp_endpoint,
        default="127.0.0.1:0",
        help="with --serve: where (default: any free port)",
    )
    conformance.add_argument(
        "--timeout", metavar="SECONDS", type=argument_types.positive, default=60, help="for each scenario (default: 60)"
    )
    conformance.add_argument(
        "--jobs", metavar="N", type=argument_types.positive, default=2, help="how many at a time (default: 2)"
    )
    _output(conformance)


def _trust(command: argparse.ArgumentParser) -> None:
    files = command.add_argument_group("of a service at https://")
    files.add_argument("--ca-file", metavar="FILE", help="trust who is signed by one of these certificates (PEM)")
    files.add_argument("--client-cert", metavar="FILE", help="a certificate of yours, if it wants to see one")
    files.add_argument("--client-key", metavar="FILE", help="the private key of that certificate")


def _language(command: argparse.ArgumentParser) -> None:
    default = os.environ.get("BOARDKEEPER_LANGUAGE", "en")
    command.add_argument(
        "--language",
        choices=LANGUAGES,
        default=default if default in LANGUAGES else "en",
        help="of sentences and names",
    )


def _output(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="one JSON object a line, for programs")
    command.add_argument("--no-color", action="store_true", help="no colours")


def _version() -> str:
    try:
        return version("boardkeeper")
    except PackageNotFoundError:
        return "(not installed)"
