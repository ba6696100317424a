"""The commands ``boardkeeper results`` and ``boardkeeper standings``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.environment import OPERATOR_TOKEN
from boardkeeper.terminal.errors import DONE
from boardkeeper.terminal.escaping import escape
from boardkeeper.terminal.output import Output

if TYPE_CHECKING:
    from boardkeeper.v1 import players_pb2


START = "start"
"""The value of ``--after`` for all results."""


@cli.command()
@cli.flag("--title", metavar="TITLE", default="", help="only games of this title")
@cli.flag("--platform", metavar="ID", default="", help="for operators: only games of this platform")
@cli.flag("--after", metavar="CURSOR", default="", help="oldest first, after this cursor; 'start' for all results")
@cli.flag("--limit", metavar="N", type=values.positive, default=50, help="list at most N results")
@cli.location_flags()
@cli.language_flag
@cli.output_flags
def results(arguments: cli.Arguments, output: Output) -> int:
    """List the finished games of a platform with the rank and points of each seat, newest first.

    With --after, list the results that were added after a cursor, oldest first; the last line prints the next cursor. A
    server needs the API key of the platform (BOARDKEEPER_KEY) or the operator token (BOARDKEEPER_OPERATOR_TOKEN).

    examples:
      boardkeeper results
      boardkeeper results --title TITLE --limit 500
      boardkeeper results --after start --json
    """
    from boardkeeper.client.requests import PAGE_SIZE
    from boardkeeper.terminal.connections import as_record
    from boardkeeper.terminal.locations import location_or_default, open_location

    location = location_or_default(arguments)
    token = os.environ.get(OPERATOR_TOKEN, "") if location.server else ""
    newest_first = not arguments.after
    cursor = "" if arguments.after in ("", START) else arguments.after
    left = arguments.limit
    with open_location(location, arguments.language, output, at_rest=True) as (client, _):
        while True:
            page = client.results(
                cursor=cursor,
                title=arguments.title,
                newest_first=newest_first,
                platform=arguments.platform,
                page_size=min(left, PAGE_SIZE),
                token=token,
            )
            for result in page.results:
                output.record(as_record(result))
                output.line(_line(result, arguments.language))
            left -= len(page.results)
            cursor = page.next_cursor
            if not page.more or left <= 0:
                break
    output.record({"next_cursor": cursor, "more": page.more})
    if not newest_first:
        output.remark(f"For later results: --after={cursor}")
    return DONE


def _line(result: players_pb2.GameResult, language: str) -> str:
    from boardkeeper.client.timestamps import to_datetime
    from boardkeeper.terminal.connections import seat_names

    names = seat_names(result.game, language)
    seats = sorted(result.seats, key=lambda it: (it.rank, it.seat))
    ranking = ", ".join(f"{seat.rank}. {escape(names[seat.seat])} {seat.points}{_id(seat)}" for seat in seats)
    game = f"{result.game.game_id}  {escape(result.game.title)}"
    return f"{game}  {to_datetime(result.end_time):%Y-%m-%d %H:%M} UTC  {ranking}"


def _id(seat: players_pb2.SeatResult) -> str:
    return f" [{escape(seat.player_id)}]" if seat.player_id else ""


_COLUMNS = ("player", "games", "won", "drawn", "lost", "shares", "expected", "mean rank", "mean points", "best")
_LEGEND = (
    "shares: 1 for each victory, divided by the number of seats that share rank 1; expected: the shares of an average"
    " player."
)
_PLAYER_ID_HINT = (
    "Only players with a player id are counted. A platform sets it with 'player_id' when it creates or joins a game, or"
    " with SetSeatPlayer."
)


@cli.command()
@cli.argument("title", "TITLE", help="title id")
@cli.flag("--player", multiple=True, metavar="ID", help="only this player; repeatable")
@cli.switch("--people-only", help="only games without bots")
@cli.flag("--platform", metavar="ID", default="", help="for operators: only games of this platform")
@cli.location_flags()
@cli.language_flag
@cli.output_flags
def standings(arguments: cli.Arguments, output: Output) -> int:
    """List the players of a platform with their results in the finished games of a title.

    Only players with a player id ('player_id') are counted; a name alone is not enough.

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
    """
    from rich.table import Table

    from boardkeeper.terminal.connections import as_record
    from boardkeeper.terminal.locations import location_or_default, open_location

    location = location_or_default(arguments)
    token = os.environ.get(OPERATOR_TOKEN, "") if location.server else ""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column == "player" else "right")
    with open_location(location, arguments.language, output, at_rest=True) as (client, _):
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
        output.line(f"No finished game of {escape(arguments.title)} with {who}.")
        output.remark(_PLAYER_ID_HINT)
    return DONE


def _cells(it: players_pb2.PlayerStanding) -> tuple[str, ...]:
    counts = (it.games, it.won, it.drawn, it.lost)
    means = (it.shares, it.expected_shares, it.mean_rank, it.mean_points)
    return (escape(it.player_id), *map(str, counts), *(f"{mean:.2f}" for mean in means), str(it.best_points))
