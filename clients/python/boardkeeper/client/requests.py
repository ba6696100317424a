"""The requests of the service, made from plain values: shared by the clients that block and those that await."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from google.protobuf.duration_pb2 import Duration
from msgspec import Struct

from boardkeeper.v1 import catalog_pb2, command_pb2, event_pb2, game_pb2, games_pb2, history_pb2
from boardkeeper.v1.table_pb2 import Table
from boardkeeper.wire.messages import command_to_message

PAGE_SIZE = 200
PIECE = 64 * 1024
ENTROPY_BYTES = 32
AUTOMA = "automa"
"""What stands for the kind of bot where the rules play a seat."""
random_bytes: Callable[[int], bytes] = os.urandom
"""Where entropy comes from that nobody chose."""

Command = command_pb2.Command | command_pb2.LegalCommand | Struct
"""What a seat can submit: a message, an entry of the legal commands, or a title's struct."""


def person(name: str, entropy: bytes | None = None, player_id: str = "") -> games_pb2.SeatRequest:
    """A seat for somebody who plays through this client; its token comes back with the game.

    ``entropy`` is mixed into the dice (``docs/dice.md``): at most 64 bytes of one's own, ``b""`` for none. Unless it is
    given, fresh ones come from the operating system of this machine. ``player_id`` is a platform's own id of who it is.
    """
    return games_pb2.SeatRequest(name=name, entropy=_fresh(entropy), player_id=player_id)


def bot(kind: str = "sensible", name: str = "") -> games_pb2.SeatRequest:
    """A seat that the service plays itself, by one of the kinds of bots that the title has (``Title.bots``)."""
    return games_pb2.SeatRequest(name=name, bot=kind)


def automa(name: str = "") -> games_pb2.SeatRequest:
    """A seat that the rules play, where the title has such seats; the last ones need not be asked for."""
    return games_pb2.SeatRequest(name=name, bot=AUTOMA)


def open_seat() -> games_pb2.SeatRequest:
    """A seat that somebody takes later by joining; the game waits for it."""
    return games_pb2.SeatRequest(open=True)


def title(
    id: str, edition: str, players: int, options: Mapping[str, str] | None, readings: Mapping[str, str] | None
) -> catalog_pb2.GetTitleRequest:
    """Ask about a title, and what lies where on a table of one setup."""
    return catalog_pb2.GetTitleRequest(title=id, edition=edition, players=players, options=options, readings=readings)


def per_move(seconds: int, *, on_expiry: str = "bot") -> event_pb2.TimeControl:
    """So many seconds for each decision; ``on_expiry``, a ``bot`` plays on or the seat has to ``resign``."""
    return event_pb2.TimeControl(kind="move", seconds=seconds, on_expiry=on_expiry)


def per_game(seconds: int, increment: int = 0, *, on_expiry: str = "bot") -> event_pb2.TimeControl:
    """So many seconds for the whole game, and some more after each turn; ``on_expiry`` as in :func:`per_move`."""
    return event_pb2.TimeControl(kind="game", seconds=seconds, increment=increment, on_expiry=on_expiry)


def create_game(
    title: str,
    seats: Sequence[games_pb2.SeatRequest],
    edition: str,
    options: Mapping[str, str] | None,
    readings: Mapping[str, str] | None,
    position: Table | None,
    request_id: str,
    spectators: bool | None = None,
    time_control: event_pb2.TimeControl | None = None,
    by_invitation: bool = False,
    seat_token_lifetime: timedelta | None = None,
) -> games_pb2.CreateGameRequest:
    """Ask for a game; the request may be sent again."""
    return games_pb2.CreateGameRequest(
        title=title,
        edition=edition,
        options=options,
        readings=readings,
        seats=seats,
        request_id=request_id or str(uuid4()),
        position=position,
        spectators=spectators,
        time_control=time_control,
        by_invitation=by_invitation,
        seat_token_lifetime=lasting(seat_token_lifetime),
    )


def fork(
    game_id: str,
    seats: Sequence[games_pb2.SeatRequest],
    version: int | None,
    request_id: str,
    spectators: bool | None = None,
    time_control: event_pb2.TimeControl | None = None,
    by_invitation: bool = False,
    seat_token_lifetime: timedelta | None = None,
) -> games_pb2.ForkGameRequest:
    """Ask for a fork; the request may be sent again."""
    return games_pb2.ForkGameRequest(
        game_id=game_id,
        version=version,
        seats=seats,
        request_id=request_id or str(uuid4()),
        spectators=spectators,
        time_control=time_control,
        by_invitation=by_invitation,
        seat_token_lifetime=lasting(seat_token_lifetime),
    )


def games(
    title: str,
    status: game_pb2.GameStatus.ValueType,
    id_prefix: str,
    player_id: str,
    deciding: bool,
    outcome: game_pb2.GameOutcome.ValueType,
    times: Mapping[str, datetime | None],
    platform: str,
) -> games_pb2.ListGamesRequest:
    """Ask for the first page of games; ``times`` are by the names of their fields."""
    return games_pb2.ListGamesRequest(
        page_size=PAGE_SIZE,
        title=title,
        status=status,
        id_prefix=id_prefix,
        player_id=player_id,
        deciding=deciding,
        outcome=outcome,
        platform=platform,
        **{field: time for field, time in times.items() if time is not None},  # type: ignore[arg-type]
    )


def join(
    game_id: str,
    name: str,
    seat: int,
    entropy: bytes | None,
    request_id: str,
    player_id: str = "",
    invitation: str = "",
) -> games_pb2.JoinGameRequest:
    """Ask for a seat; the request may be sent again."""
    request_id = request_id or str(uuid4())
    return games_pb2.JoinGameRequest(
        game_id=game_id,
        seat=seat,
        name=name,
        entropy=_fresh(entropy),
        request_id=request_id,
        player_id=player_id,
        invitation=invitation,
    )


def lasting(time: timedelta | None) -> Duration | None:
    """A time that something lasts, as requests have it."""
    if time is None:
        return None
    duration = Duration()
    duration.FromTimedelta(time)
    return duration


def _fresh(entropy: bytes | None) -> bytes:
    return random_bytes(ENTROPY_BYTES) if entropy is None else entropy


def submit(
    game_id: str, seat: int, title: str, commands: Sequence[Command], expected_version: int | None, command_id: str
) -> games_pb2.SubmitCommandsRequest:
    """Carry out commands; the request may be sent again. The game's ``title`` counts for commands of its family."""
    return games_pb2.SubmitCommandsRequest(
        game_id=game_id,
        seat=seat,
        commands=[_message(command, title) for command in commands],
        command_id=command_id or str(uuid4()),
        expected_version=expected_version,
    )


def check(
    game_id: str,
    seat: int,
    title: str,
    commands: Sequence[Command],
    expected_version: int | None,
    min_version: int | None,
) -> games_pb2.CheckCommandRequest:
    """Judge commands. The game's ``title`` counts for commands of its family."""
    return games_pb2.CheckCommandRequest(
        game_id=game_id,
        seat=seat,
        commands=[_message(command, title) for command in commands],
        expected_version=expected_version,
        min_version=min_version,
    )


def request_undo(
    game_id: str, seat: int, expected_version: int | None, command_id: str
) -> games_pb2.RequestUndoRequest:
    """Take back a seat's last commands; the request may be sent again."""
    return games_pb2.RequestUndoRequest(
        game_id=game_id, seat=seat, command_id=command_id or str(uuid4()), expected_version=expected_version
    )


def answer_undo(
    game_id: str, seat: int, request_version: int, consent: bool, command_id: str
) -> games_pb2.AnswerUndoRequest:
    """Vote on an undo; the request may be sent again."""
    return games_pb2.AnswerUndoRequest(
        game_id=game_id,
        seat=seat,
        request_version=request_version,
        consent=consent,
        command_id=command_id or str(uuid4()),
    )


def resign(game_id: str, seat: int, command_id: str) -> games_pb2.ResignSeatRequest:
    """Give up for a seat; the request may be sent again."""
    return games_pb2.ResignSeatRequest(game_id=game_id, seat=seat, command_id=command_id or str(uuid4()))


def hand_to_bot(game_id: str, seat: int, bot: str, command_id: str) -> games_pb2.HandSeatToBotRequest:
    """Have a bot play a seat; the request may be sent again."""
    return games_pb2.HandSeatToBotRequest(game_id=game_id, seat=seat, bot=bot, command_id=command_id or str(uuid4()))


def take_back(game_id: str, seat: int, command_id: str) -> games_pb2.TakeSeatBackRequest:
    """Play a seat again; the request may be sent again."""
    return games_pb2.TakeSeatBackRequest(game_id=game_id, seat=seat, command_id=command_id or str(uuid4()))


def events(game_id: str, after_version: int, min_version: int | None, page_token: str) -> history_pb2.ListEventsRequest:
    """Ask for a page of events."""
    return history_pb2.ListEventsRequest(
        game_id=game_id,
        page_size=PAGE_SIZE,
        after_version=after_version,
        min_version=min_version,
        page_token=page_token,
    )


def record_pieces(record: bytes) -> Iterator[history_pb2.ImportRecordRequest]:
    """A record cut into messages."""
    for start in range(0, len(record), PIECE):
        yield history_pb2.ImportRecordRequest(data=record[start : start + PIECE])


class KnownTitles:
    """The titles of the games that a client has heard of last, for commands that several titles share."""

    MOST = 1000

    def __init__(self) -> None:
        self._titles: dict[str, str] = {}

    def keep(self, game_id: str, title: str) -> None:
        """Remember what a game is."""
        if len(self._titles) >= self.MOST:
            self._titles.clear()
        self._titles[game_id] = title

    def of(self, game_id: str, commands: Sequence[Command]) -> str | None:
        """What a game is: ``None`` if it is not known and the commands do not tell."""
        if any(isinstance(command, Struct) and not _title_of(command) for command in commands):
            return self._titles.get(game_id)
        return ""


def _message(command: Command, title: str) -> command_pb2.Command:
    if isinstance(command, command_pb2.LegalCommand):
        return command.command
    if isinstance(command, command_pb2.Command):
        return command
    return command_to_message(_title_of(command) or title, command)


def _title_of(command: Struct) -> str:
    """The title whose own a command is: it lives in ``boardkeeper.titles.<title>.commands``; empty for a family's."""
    house, *room = type(command).__module__.split(".")
    if house != "boardkeeper" or len(room) < 3 or room[0] not in ("titles", "families"):
        raise TypeError(f"{type(command).__name__} is not a command of a title")
    return room[1] if room[0] == "titles" else ""
