"""Locations of games: a server, a database file, or the files of ``boardkeeper play``.

``--server`` or ``--db`` names one location. Otherwise a game is searched at the locations of the user's saved seats, on
the default server if it runs, and in the files of ``play``. A file is opened by the server that already uses it, or by
a server that runs while the command runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from boardkeeper.client.addresses import Address
from boardkeeper.client.client import Client
from boardkeeper.client.message_types import load_types
from boardkeeper.client.proxies import proxy_variable
from boardkeeper.terminal import connections
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.connections import (
    WHOLE_ID,
    ambiguous_game,
    connect,
    connect_with_retry,
    explain_unreachable,
    find_game,
    find_games,
    game_not_found,
    normalize_prefix,
)
from boardkeeper.terminal.environment import default_server
from boardkeeper.terminal.errors import UNREACHABLE, USAGE, CommandError
from boardkeeper.terminal.local_server import database_file, own_folder, server_of_file
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.paths import exists
from boardkeeper.terminal.saved_seats import SavedSeat, SeatFile, data_folder
from boardkeeper.v1 import game_pb2


@dataclass(frozen=True)
class Location:
    """A server (HOST:PORT), or a database file (absolute path)."""

    server: str = ""
    database: str = ""

    def __str__(self) -> str:
        return self.server or self.database

    @property
    def is_own(self) -> bool:
        """Return whether the location is a file that ``boardkeeper play`` created."""
        return bool(self.database) and Path(self.database).parent == own_folder()

    @property
    def option(self) -> str:
        """The flag that names the location, after a space. Empty for files of ``play``, which need no flag."""
        if self.server:
            return f" --server {self.server}"
        return "" if self.is_own else f" --db {self.database}"

    def may_receive_token(self, saved: SavedSeat) -> bool:
        """Return whether a seat's token may be sent to this location: to the server that issued it, or to any file."""
        return not self.server or self.server == saved.server


@dataclass(frozen=True)
class OpenGame:
    """A game with its location and a client of its server.

    ``is_live`` is false if this command runs the server, so that no other client can use the game.
    """

    client: Client
    game: game_pb2.Game
    location: Location
    is_live: bool


def named_location(arguments: Arguments, *, new: bool = False) -> Location | None:
    """Return the location that the flags name, or ``None``.

    Raises :class:`CommandError` if the file does not exist and ``new`` is false.
    """
    if arguments.server:
        return Location(arguments.server)
    if arguments.db:
        return Location(database=str(database_file(arguments.db, new=new)))
    return None


def location_or_default(arguments: Arguments) -> Location:
    """Return the location that the flags name, or else the running default server. Raises :class:`CommandError`."""
    location = named_location(arguments) or default_location()
    if location is None:
        raise CommandError(
            f"{explain_unreachable(default_server())}. Name another server with --server, or a database with --db.",
            UNREACHABLE,
        )
    return location


def own_files(output: Output) -> list[Location]:
    """Return the files of ``play``, newest first. Print a remark if their folder cannot be read."""
    folder = own_folder()
    if folder is None:
        return []
    try:
        files = sorted((file for file in folder.iterdir() if file.suffix == ".db"), reverse=True)
    except FileNotFoundError:
        return []
    except OSError as error:
        output.remark(f"cannot read your own games in {folder}: {error.strerror}")
        return []
    return [Location(database=str(file)) for file in files]


def default_location() -> Location | None:
    """Return the default server, or ``None`` if it does not run."""
    server = default_server()
    return Location(server) if _listens(server) else None


def _listens(server: str) -> bool:
    try:
        address = Address.parse(server)
    except ValueError as error:
        raise CommandError(f"BOARDKEEPER_SERVER: {error}.", USAGE) from error
    if proxy_variable(address):
        return True  # calls go through a proxy, so a direct connection is no proof
    try:
        connections.probe(address)
    except OSError:
        return False
    return True


@contextmanager
def open_location(
    location: Location, language: str, output: Output, *, at_rest: bool = False, reconnect: bool = False
) -> Iterator[tuple[Client, bool]]:
    """Connect to a location. Yield a client, and whether other clients may use its games at the same time.

    With ``at_rest``, bots do not move in games of a file. With ``reconnect``, the client reconnects if the server
    stops.
    """
    with ExitStack() as stack:
        address, is_live = location.server, True
        if not address:
            report = None if location.is_own else output.remark
            reached = stack.enter_context(server_of_file(location.database, at_rest=at_rest, report=report))
            address, is_live = reached.address, not reached.is_own
        key = None if location.server else ""  # local files have no API keys
        if reconnect:
            connecting = connect_with_retry(address, language, output, key)
        else:
            connecting = connect(address, language, key=key)
        yield stack.enter_context(connecting), is_live


@contextmanager
def open_game(arguments: Arguments, output: Output, *, reconnect: bool = False) -> Iterator[OpenGame]:
    """Open the game that the arguments name, for reading. Raises :class:`CommandError` if none or several match."""
    location = named_location(arguments) or find_location(arguments.game, arguments.language, output)
    with open_location(location, arguments.language, output, at_rest=True, reconnect=reconnect) as (client, is_live):
        game = find_game(client, arguments.game)
        if output.as_json:
            load_types(client, game.title)
        yield OpenGame(client, game, location, is_live)


def find_location(id: str, language: str, output: Output) -> Location:
    """Return the location of the game with an id, which may be shortened. Raises :class:`CommandError`."""
    begin = normalize_prefix(id)
    seat_file = SeatFile(data_folder())
    seats = seat_file.all()
    if seat_file.problem:
        output.remark(seat_file.problem)
    found = {
        saved.game: location
        for saved in seats
        if saved.game.startswith(begin) and _is_there(location := location_of(saved))
    }
    usual = None
    if not (found and len(begin) == WHOLE_ID):
        usual = default_location()
        if usual is not None:
            with open_location(usual, language, output) as (client, _):
                found = {game.game_id: usual for game in find_games(client, begin)} | found
    if not found:
        found = _in_own_files(begin, language, output)
    if len(found) > 1:
        raise ambiguous_game(id)
    if not found and usual is not None:
        raise game_not_found(id, f" at {usual} or in your own files")
    if not found:
        raise CommandError(
            f"no game in your own files has an id that starts with {id!r}, and"
            f" {explain_unreachable(default_server())}. Name another location with --server HOST:PORT or --db FILE.",
            UNREACHABLE,
        )
    return next(iter(found.values()))


def _in_own_files(begin: str, language: str, output: Output) -> dict[str, Location]:
    found = {}
    for location in own_files(output):
        try:
            with open_location(location, language, output, at_rest=True) as (client, _):
                found.update({game.game_id: location for game in find_games(client, begin)})
        except CommandError as error:
            output.error(str(error))  # another file may contain the game
    return found


def location_of(saved: SavedSeat) -> Location:
    """Return the location of a saved seat."""
    return Location(saved.server, saved.database)


def _is_there(location: Location) -> bool:
    return bool(location.server) or exists(Path(location.database))
