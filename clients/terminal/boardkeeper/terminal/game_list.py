"""Lists of games."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from itertools import islice
from typing import TypedDict

from rich.cells import cell_len
from rich.table import Table

from boardkeeper.client.client import Client
from boardkeeper.client.clocks import Countdown
from boardkeeper.client.errors import BoardkeeperError
from boardkeeper.client.requests import PAGE_SIZE
from boardkeeper.client.timestamps import to_datetime
from boardkeeper.terminal.clocks import format_time
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.connections import as_record, explain_unreachable, seat_names
from boardkeeper.terminal.drawing.captions import captions
from boardkeeper.terminal.environment import default_server
from boardkeeper.terminal.errors import DONE, UNREACHABLE, USAGE, CommandError
from boardkeeper.terminal.escaping import escape
from boardkeeper.terminal.local_server import own_folder
from boardkeeper.terminal.locations import Location, default_location, named_location, open_location, own_files
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.texts import texts
from boardkeeper.v1 import game_pb2

COLUMNS = ("game", "title", "state", "version", "seats", "last_event")
NARROW_COLUMNS = ("game", "state", "version", "seats")
WIDE = 100
"""Minimum width of a terminal for all columns. Narrower terminals show shortened game ids."""
SHORT_ID = 8


def list_games(arguments: Arguments, output: Output) -> int:
    """Print one line for each game, newest first: games of the named location, or by default of all locations."""
    words = texts(arguments.language)
    wanted = _wanted(arguments)
    location = named_location(arguments)
    if location is not None:
        if not _show(_games(location, wanted, arguments.language, output), "", arguments, output):
            output.line(words["no_games"].format(location=location))
        return DONE
    usual, own = default_location(), own_files(output)
    if usual is None and not own:
        raise CommandError(
            f"{explain_unreachable(default_server())}, and you have no games of your own. "
            "Start a game with 'boardkeeper play', or a server with 'boardkeeper serve'.",
            UNREACHABLE,
        )
    problems: list[CommandError] = []
    if usual is None:
        output.remark(words["no_service"].format(server=default_server()))
    elif not _show(_all_games([usual], wanted, arguments.language, output, problems), str(usual), arguments, output):
        output.line(words["no_games"].format(location=usual))
    _show(_all_games(own, wanted, arguments.language, output, problems), str(own_folder()), arguments, output)
    for problem in problems:
        output.error(str(problem))
    return problems[0].status if problems else DONE


class _Wanted(TypedDict):
    """Arguments of ``Client.games`` that select games."""

    player_id: str
    deciding: bool
    outcome: game_pb2.GameOutcome.ValueType
    title: str
    status: game_pb2.GameStatus.ValueType


def _wanted(arguments: Arguments) -> _Wanted:
    if arguments.outcome and not arguments.player:
        raise CommandError("--outcome needs a player: add --player ID.", USAGE)
    return _Wanted(
        player_id=arguments.player,
        deciding=arguments.turn,
        outcome=game_pb2.GameOutcome.Value(f"GAME_OUTCOME_{(arguments.outcome or 'unspecified').upper()}"),
        title=arguments.title,
        status=game_pb2.GameStatus.Value(f"GAME_STATUS_{(arguments.status or 'unspecified').upper()}"),
    )


def _games(
    location: Location, wanted: _Wanted, language: str, output: Output
) -> Generator[tuple[Location, game_pb2.Game]]:
    with open_location(location, language, output, at_rest=True) as (client, is_live):
        for game in client.games(**wanted):
            yield location, game if is_live else _checked(client, game)


def _checked(client: Client, game: game_pb2.Game) -> game_pb2.Game:
    """Read a game again, to find out whether it is damaged: a server checks a game when it is first read."""
    try:
        return client.game(game.game_id)
    except BoardkeeperError as error:
        if error.reason not in ("TITLE_INCOMPATIBLE", "TITLE_NOT_SERVED"):
            raise
        return game


def _all_games(
    locations: list[Location], wanted: _Wanted, language: str, output: Output, problems: list[CommandError]
) -> Generator[tuple[Location, game_pb2.Game]]:
    """Yield the games of several locations. Locations that cannot be read are added to ``problems``."""
    for location in locations:
        try:
            yield from _games(location, wanted, language, output)
        except CommandError as error:
            problems.append(error)


def _show(games: Generator[tuple[Location, game_pb2.Game]], heading: str, arguments: Arguments, output: Output) -> bool:
    """Print games page by page under a heading; return whether at least one was printed."""
    listing = _Listing(heading, output, arguments.language)
    with closing(games):
        for location, game in games if arguments.all else islice(games, arguments.limit):
            output.record(as_record(game) | {"server" if location.server else "database": str(location)})
            listing.add(game)
        listing.flush()
        if not arguments.all and next(games, None) is not None:
            output.remark(texts(arguments.language)["more_games"].format(limit=arguments.limit))
    return not listing.is_empty


class _Listing:
    """A table that is printed page by page. Columns may become wider, but not narrower, from page to page."""

    def __init__(self, heading: str, output: Output, language: str) -> None:
        self.is_empty = True
        self._heading = heading
        self._output = output
        self._language = language
        self._words = captions(language)
        self._columns = NARROW_COLUMNS if output.console.width < WIDE else COLUMNS
        self._widths = dict.fromkeys(self._columns, 0)
        self._rows: list[dict[str, str]] = []

    def add(self, game: game_pb2.Game) -> None:
        """Add a game."""
        cells = {
            "game": game.game_id[:SHORT_ID] if self._columns is NARROW_COLUMNS else game.game_id,
            "title": game.title,
            "state": state(game, self._language),
            "version": str(game.version),
            "seats": ", ".join(_seat(game, seat, self._language) for seat in game.seats),
            "last_event": f"{to_datetime(game.update_time):%Y-%m-%d %H:%M} UTC",
        }
        self._rows.append({column: escape(cell) for column, cell in cells.items()})
        if len(self._rows) == PAGE_SIZE:
            self.flush()

    def flush(self) -> None:
        """Print the games that were not printed yet."""
        if not self._rows:
            return
        if self.is_empty and self._heading:
            self._output.line(self._heading, "bold")
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False, show_header=self.is_empty)
        for column in self._columns:
            if column != "seats":
                self._widths[column] = max(self._widths[column], *(cell_len(row[column]) for row in self._rows))
            table.add_column(
                self._words[column],
                no_wrap=column != "seats",
                min_width=max(self._widths[column], cell_len(self._words[column])),
                justify="right" if column == "version" else "left",
            )
        for row in self._rows:
            table.add_row(*(row[column] for column in self._columns))
        self._output.show(table)
        self._rows.clear()
        self.is_empty = False


def state(game: game_pb2.Game, language: str) -> str:
    """Return the status of a game as text. For a damaged game this is the version from which it is damaged."""
    words = captions(language)
    if game.damaged_version:
        return words["damaged"].format(version=game.damaged_version)
    if game.status == game_pb2.GAME_STATUS_OPEN:
        return words["joining"]
    return words[game_pb2.GameStatus.Name(game.status).removeprefix("GAME_STATUS_").lower()]


def _seat(game: game_pb2.Game, seat: game_pb2.Seat, language: str) -> str:
    free = f"({captions(language)['free']})"
    name = seat_names(game, language)[seat.seat] if seat.name or seat.bot or seat.taken else free
    countdown = Countdown(game)
    if countdown.runs(seat.seat):
        return f"{name} {format_time(countdown.left(seat.seat))} ⏳"
    ranks = [standing for standing in game.standings if standing.seat == seat.seat]
    return f"{name} {ranks[0].points}" if ranks else name
