"""``boardkeeper standings``: what players have reached in a title."""

from __future__ import annotations

import os
from argparse import Namespace

from rich.table import Table

from boardkeeper.terminal.escaping import plain
from boardkeeper.terminal.locations import asked_place, open_place
from boardkeeper.terminal.output import DONE, Output
from boardkeeper.terminal.positions import VARIABLE
from boardkeeper.terminal.session import as_record
from boardkeeper.v1 import players_pb2

_COLUMNS = ("player", "games", "won", "drawn", "lost", "shares", "expected", "mean rank", "mean points", "best")
_LEGEND = (
    "shares: 1 for each victory, divided by the number of seats that share rank 1; expected: the shares of an average"
    " player."
)
_WHO_COUNTS = (
    "Only players with a player id are counted. A platform sets it with 'player_id' when it creates or joins a game, or"
    " with SetSeatPlayer."
)


def run(arguments: Namespace, output: Output) -> int:
    """One line for each player, in the order of their ids."""
    place = asked_place(arguments)
    token = os.environ.get(VARIABLE, "") if place.server else ""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column == "player" else "right")
    with open_place(place, arguments.language, output, at_rest=True) as (client, _):
        for standing in client.standings(
            arguments.title,
            arguments.player,
            people_only=arguments.people_only,
            platform=arguments.platform,
            token=token,
        ):
            output.record(as_record(standing))
            table.add_row(*_cells(standing))
    if table.row_count:
        output.show(table)
        output.remark(_LEGEND)
    else:
        who = "these players" if arguments.player else "a player id"
        output.line(f"No finished game of {plain(arguments.title)} with {who}.")
        output.remark(_WHO_COUNTS)
    return DONE


def _cells(it: players_pb2.PlayerStanding) -> tuple[str, ...]:
    counts = (it.games, it.won, it.drawn, it.lost)
    means = (it.shares, it.expected_shares, it.mean_rank, it.mean_points)
    return (plain(it.player_id), *map(str, counts), *(f"{mean:.2f}" for mean in means), str(it.best_points))
