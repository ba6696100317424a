"""A whole game of bots on a temporary server, printed as it is played."""

from __future__ import annotations

import secrets
import threading
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from boardkeeper.client import bots
from boardkeeper.client.client import Client, NewGame, Seat
from boardkeeper.client.errors import BoardkeeperError, Closed
from boardkeeper.client.requests import AUTOMA, automa, bot, person
from boardkeeper.terminal import record_files
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.connections import NAMES, as_record, connect, explain, load_viewpoint, seat_names
from boardkeeper.terminal.drawing.score import draw_score
from boardkeeper.terminal.environment import STANDARD
from boardkeeper.terminal.errors import DONE, USAGE, CommandError
from boardkeeper.terminal.game_options import USUAL_PLAYERS, GameOptions, check_bots, choose_options, installed_bots
from boardkeeper.terminal.local_server import run_server, temporary_folder
from boardkeeper.terminal.log import Log
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.texts import texts


def play_demo(arguments: Arguments, output: Output) -> int:
    """Start a server, let bots play a game, and print its log and score sheet."""
    if arguments.record:
        if arguments.record == STANDARD:
            raise CommandError("the game log goes to standard output: name a file for the record.", USAGE)
        record_files.check_writable(arguments.record)
    if kinds := installed_bots(arguments.title):  # otherwise the server reports the unknown title
        arguments.bots = check_bots(arguments.title, kinds, arguments.bots)
    output.progress("Starting a temporary server ...")
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder("demo"))
        seed = secrets.randbelow(1_000_000_000) if arguments.seed is None else arguments.seed
        server = stack.enter_context(run_server(str(folder / "demo.db"), _server_seed(arguments, seed)))
        client = stack.enter_context(connect(server, arguments.language, key=""))
        wanted = choose_options(client, arguments)
        kinds = [wanted.bots[index % len(wanted.bots)] for index in range(wanted.players)]
        new = _create(arguments, client, wanted, kinds)
        _introduce(arguments, server, new, kinds, seed, output)
        if not arguments.in_service:
            own = [stack.enter_context(Client(server, language=arguments.language)) for _ in new.seats]
            seats = [one.seat(seat.game_id, seat.number, seat.token) for one, seat in zip(own, new.seats, strict=True)]
            policies = {
                seat: bots.policy(kinds[seat.number - 1], f"{seed}:{seat.number}", arguments.title) for seat in seats
            }
            with Players(policies, client, server):
                _follow(arguments, client, new, output)
        else:
            _follow(arguments, client, new, output)
        if arguments.record:
            record_files.save(client.record(new.game.game_id), arguments.record)
            output.remark(f"Saved the record. Verify it with: boardkeeper verify {arguments.record}")
    return DONE


class Players:
    """Bots that play in a thread until the end of the block, where their errors are raised."""

    def __init__(self, policies: dict[Seat, bots.Policy], watcher: Client, server: str) -> None:
        self._policies = policies
        self._watcher = watcher
        self._server = server
        self._stop = threading.Event()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._play, name="boardkeeper-bots", daemon=True)

    def _play(self) -> None:
        try:
            bots.play(self._policies, self._stop)
        except Exception as error:  # noqa: BLE001  # raised at the end of the block
            self._error = error
            self._watcher.close()  # ends the main thread's wait for events

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the bots before their clients close. Raises the error that stopped the bots."""
        self._stop.set()
        self._thread.join()
        if self._error is not None and (error is None or isinstance(error, Closed)):
            if isinstance(self._error, BoardkeeperError):
                raise explain(self._error, self._server) from self._error
            raise self._error


def _server_seed(arguments: Arguments, seed: int) -> str:
    """Return the seed for the server's ids and secrets. It contains ``seed`` and all flags that change the game."""
    players = arguments.players or USUAL_PLAYERS[arguments.command]
    others = (arguments.title, arguments.edition, players, arguments.bots, sorted(arguments.choose))
    return f"{seed} {others} {arguments.in_service}"


def _create(arguments: Arguments, client: Client, wanted: GameOptions, kinds: list[str]) -> NewGame:
    seats = []
    for seat, kind in enumerate(kinds, 1):
        name = NAMES[(seat - 1) % len(NAMES)]
        if seat in wanted.automata:
            seats.append(automa())
        else:  # all randomness follows from the seed
            seats.append(bot(kind, name) if arguments.in_service else person(name, entropy=b""))
    return client.create_game(
        arguments.title, seats, edition=wanted.edition, options=wanted.options, readings=wanted.readings
    )


def _introduce(arguments: Arguments, server: str, new: NewGame, kinds: list[str], seed: int, output: Output) -> None:
    where = "the server runs the bots" if arguments.in_service else "each bot is a client"
    output.remark(f"Playing game {new.game.game_id} on a temporary server at {server}; {where}.")
    names = seat_names(new.game, arguments.language)
    rules = texts(arguments.language)["fork_rules"]
    players = (rules if seat.bot == AUTOMA else f"({seat.bot or kinds[seat.seat - 1]})" for seat in new.game.seats)
    table = ", ".join(f"{names[seat.seat]} {player}" for seat, player in zip(new.game.seats, players, strict=True))
    output.line(f"{new.game.title} · {new.game.edition} · {table} · seed {seed}", "bold")


def _follow(arguments: Arguments, client: Client, new: NewGame, output: Output) -> None:
    viewpoint = load_viewpoint(client, new.game, arguments.language)
    log = Log(output, viewpoint, short=not arguments.verbose)
    for event in client.watch(new.game.game_id):
        log.show(event)
    output.record(as_record(client.game(new.game.game_id)))
    output.show("", draw_score(client.table(new.game.game_id).score_sheet, viewpoint))
