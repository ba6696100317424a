"""``boardkeeper games``: list the games of a service."""

from __future__ import annotations

from argparse import Namespace

from rich.table import Table

from boardkeeper.client.cli.output import DONE, Output
from boardkeeper.client.cli.session import as_record, connect, seat_names
from boardkeeper.client.drawing.words import captions
from boardkeeper.v1 import game_pb2

COLUMNS = ("game", "title", "state", "version", "seats", "last_event")
NARROW_COLUMNS = ("game", "state", "version", "seats")
WIDE = 100
"""How wide a terminal has to be for all columns; a narrower one shows how each game's id begins, which is enough."""
SHORT_ID = 8


def run(arguments: Namespace, output: Output) -> int:
    """One line for each game, the newest first."""
    narrow = output.console.width < WIDE
    words = captions(arguments.language)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for column in NARROW_COLUMNS if narrow else COLUMNS:
        table.add_column(
            words[column],
            no_wrap=column != "seats",
            justify="right" if column == "version" else "left",
        )
    with connect(arguments.server, arguments.language) as client:
        for game in client.games():
            output.record(as_record(game))
            cells = {
                "game": game.game_id[:SHORT_ID] if narrow else game.game_id,
                "title": game.title,
                "state": words[status(game)],
                "version": str(game.version),
                "seats": ", ".join(_seat(game, seat, arguments.language) for seat in game.seats),
                "last_event": game.update_time.ToDatetime().strftime("%Y-%m-%d %H:%M UTC"),
            }
            table.add_row(*(cells[column] for column in (NARROW_COLUMNS if narrow else COLUMNS)))
    if table.row_count:
        output.show(table)
    else:
        output.show("No games yet. 'boardkeeper play --server …' or any gRPC client can make one.")
    return DONE


def status(game: game_pb2.Game) -> str:
    """``open``, ``running`` or ``ended``."""
    return game_pb2.GameStatus.Name(game.status).removeprefix("GAME_STATUS_").lower()


def _seat(game: game_pb2.Game, seat: game_pb2.Seat, language: str) -> str:
    free = f"({captions(language)['free']})"
    name = seat.name or (f"{seat.bot} bot" if seat.bot else "" if seat.taken else free)
    name = name or seat_names(game, language)[seat.seat]
    ranks = [standing for standing in game.standings if standing.seat == seat.seat]
    return f"{name} {ranks[0].points}" if ranks else name
