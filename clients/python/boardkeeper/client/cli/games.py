"""``boardkeeper games``: list the games of a service."""

from __future__ import annotations

from argparse import Namespace

from rich.table import Table

from boardkeeper.client.cli.output import DONE, Output
from boardkeeper.client.cli.session import as_record, connect
from boardkeeper.v1 import game_pb2


def run(arguments: Namespace, output: Output) -> int:
    """One line for each game, the newest first."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for caption in ("Game", "Title", "Status", "Version", "Seats", "Last event"):
        table.add_column(caption, no_wrap=caption != "Seats", justify="right" if caption == "Version" else "left")
    with connect(arguments.server, arguments.language) as client:
        for game in client.games():
            output.record(as_record(game))
            table.add_row(
                game.game_id,
                game.title,
                status(game),
                str(game.version),
                ", ".join(_seat(game, seat) for seat in game.seats),
                game.update_time.ToDatetime().strftime("%Y-%m-%d %H:%M"),
            )
    if table.row_count:
        output.show(table)
    else:
        output.show("No games yet. 'boardkeeper play --server …' or any gRPC client can make one.")
    return DONE


def status(game: game_pb2.Game) -> str:
    """``open``, ``running`` or ``ended``."""
    return game_pb2.GameStatus.Name(game.status).removeprefix("GAME_STATUS_").lower()


def _seat(game: game_pb2.Game, seat: game_pb2.Seat) -> str:
    name = seat.name or (f"{seat.bot} bot" if seat.bot else "" if seat.taken else "(open)") or f"seat {seat.seat}"
    ranks = [standing for standing in game.standings if standing.seat == seat.seat]
    return f"{name} {ranks[0].points}" if ranks else name
