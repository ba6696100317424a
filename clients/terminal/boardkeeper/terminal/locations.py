"""Where games are: at a service, in a database file that is named, or in the files of one's own.

Who says ``--server`` or ``--db`` means that place and no other. Else a game is looked for wherever one holds a seat in
it, at the usual service if one listens there, and in the files in which ``play`` keeps its games. A file is opened by a
service of one's own, for as long as the command runs; if another process serves it already, that one is asked.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from boardkeeper.client.addresses import Address
from boardkeeper.client.client import Client
from boardkeeper.client.message_types import load_types
from boardkeeper.client.proxies import proxy_variable
from boardkeeper.terminal import reaching
from boardkeeper.terminal.arguments import default_server
from boardkeeper.terminal.local_server import database_file, own_folder, service_on
from boardkeeper.terminal.output import UNREACHABLE, USAGE, CommandError, Output
from boardkeeper.terminal.paths import exists
from boardkeeper.terminal.reaching import unreached
from boardkeeper.terminal.saved_seats import HeldSeat, SeatBook, data_folder
from boardkeeper.terminal.session import (
    WHOLE_ID,
    connect,
    find_game,
    find_games,
    no_game,
    several_games,
    shortened,
    stay_connected,
)
from boardkeeper.v1 import game_pb2


@dataclass(frozen=True)
class Place:
    """Where games are: a service (``server``, HOST:PORT), or a file (``database``, its whole path)."""

    server: str = ""
    database: str = ""

    def __str__(self) -> str:
        return self.server or self.database

    @property
    def is_own(self) -> bool:
        """Whether it is one of the files in which ``play`` keeps games."""
        return bool(self.database) and Path(self.database).parent == own_folder()

    @property
    def option(self) -> str:
        """What names the place on a command line, with a space before it; nothing where nothing has to."""
        if self.server:
            return f" --server {self.server}"
        return "" if self.is_own else f" --db {self.database}"

    def believes(self, held: HeldSeat) -> bool:
        """Whether a seat's token may be shown there: a secret is for the service that gave it, or for one's own."""
        return not self.server or self.server == held.server


@dataclass(frozen=True)
class OpenGame:
    """A game that was found, where, and a client of the service that has it.

    ``is_live`` says whether others may be in the game now; they cannot be if its file is ours while we look.
    """

    client: Client
    game: game_pb2.Game
    place: Place
    is_live: bool


def given(arguments: Namespace, *, new: bool = False) -> Place | None:
    """The place that the arguments name; a file has to be there unless a ``new`` one may be made."""
    if arguments.server:
        return Place(arguments.server)
    if arguments.db:
        return Place(database=str(database_file(arguments.db, new=new)))
    return None


def asked_place(arguments: Namespace) -> Place:
    """The place that the arguments name, else the usual service; raises :class:`CommandError` if none listens there."""
    place = given(arguments) or usual_service()
    if place is None:
        raise CommandError(
            f"{unreached(default_server())}. Name another server with --server, or a database with --db.", UNREACHABLE
        )
    return place


def own_places(output: Output) -> list[Place]:
    """Return one's own files, the newest first; none, and a remark, if their folder cannot be read."""
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
    return [Place(database=str(file)) for file in files]


def usual_service() -> Place | None:
    """The service at the usual address, if one listens there."""
    server = default_server()
    return Place(server) if _listens(server) else None


def _listens(server: str) -> bool:
    try:
        address = Address.parse(server)
    except ValueError as error:
        raise CommandError(f"BOARDKEEPER_SERVER: {error}.", USAGE) from error
    if proxy_variable(address):
        return True  # the call goes through a proxy, so a direct connection proves nothing
    try:
        reaching.connect(address)
    except OSError:
        return False
    return True


@contextmanager
def open_place(
    place: Place, language: str, output: Output, *, at_rest: bool = False, patient: bool = False
) -> Iterator[tuple[Client, bool]]:
    """A client of the service that has the place, and whether others may be in its games now.

    ``at_rest`` only looks: bots do not move in a file. A ``patient`` client waits long for a service that goes away.
    """
    with ExitStack() as stack:
        address, is_live = place.server, True
        if not address:
            tell = None if place.is_own else output.remark
            reached = stack.enter_context(service_on(place.database, at_rest=at_rest, tell=tell))
            address, is_live = reached.address, not reached.is_own
        key = None if place.server else ""  # that of a platform's service, which one's own files know nothing of
        if patient:
            connecting = stay_connected(address, language, output, key)
        else:
            connecting = connect(address, language, key=key)
        yield stack.enter_context(connecting), is_live


@contextmanager
def open_game(arguments: Namespace, output: Output, *, patient: bool = False) -> Iterator[OpenGame]:
    """The game that the arguments name, to be looked at; raises :class:`CommandError` if there is none or several."""
    place = given(arguments) or locate(arguments.game, arguments.language, output)
    with open_place(place, arguments.language, output, at_rest=True, patient=patient) as (client, is_live):
        game = find_game(client, arguments.game)
        if output.as_json:
            load_types(client, game.title)
        yield OpenGame(client, game, place, is_live)


def locate(id: str, language: str, output: Output) -> Place:
    """Where the game with that id is, which may be cut short; raises :class:`CommandError`."""
    begin = shortened(id)
    book = SeatBook(data_folder())
    seats = book.all()
    if book.problem:
        output.remark(book.problem)
    found = {held.game: place for held in seats if held.game.startswith(begin) and _is_there(place := place_of(held))}
    usual = None
    if not (found and len(begin) == WHOLE_ID):
        usual = usual_service()
        if usual is not None:
            with open_place(usual, language, output) as (client, _):
                found = {game.game_id: usual for game in find_games(client, begin)} | found
    if not found:
        found = _in_own_files(begin, language, output)
    if len(found) > 1:
        raise several_games(id)
    if not found and usual is not None:
        raise no_game(id, f" at {usual} or in your own files")
    if not found:
        raise CommandError(
            f"no game in your own files has an id that starts with {id!r}, and {unreached(default_server())}. "
            "Name another place with --server HOST:PORT or --db FILE.",
            UNREACHABLE,
        )
    return next(iter(found.values()))


def _in_own_files(begin: str, language: str, output: Output) -> dict[str, Place]:
    found = {}
    for place in own_places(output):
        try:
            with open_place(place, language, output, at_rest=True) as (client, _):
                found.update({game.game_id: place for game in find_games(client, begin)})
        except CommandError as error:
            output.error(str(error))  # the others may have it
    return found


def place_of(held: HeldSeat) -> Place:
    """Where a seat is played."""
    return Place(held.server, held.database)


def _is_there(place: Place) -> bool:
    return bool(place.server) or exists(Path(place.database))
