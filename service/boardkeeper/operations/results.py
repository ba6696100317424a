"""``boardkeeper results``: the games of a platform that have ended."""

from __future__ import annotations

import os
from argparse import Namespace

from boardkeeper.client.requests import PAGE_SIZE
from boardkeeper.client.timestamps import to_datetime
from boardkeeper.terminal.escaping import plain
from boardkeeper.terminal.locations import asked_place, open_place
from boardkeeper.terminal.output import DONE, Output
from boardkeeper.terminal.positions import VARIABLE
from boardkeeper.terminal.session import as_record, seat_names
from boardkeeper.v1 import players_pb2

FROM_THE_FIRST = "start"


def run(arguments: Namespace, output: Output) -> int:
    """One line for each result, and where to go on."""
    place = asked_place(arguments)
    token = os.environ.get(VARIABLE, "") if place.server else ""
    newest_first = not arguments.after
    cursor = "" if arguments.after in ("", FROM_THE_FIRST) else arguments.after
    left = arguments.limit
    with open_place(place, arguments.language, output, at_rest=True) as (client, _):
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
    names = seat_names(result.game, language)
    seats = sorted(result.seats, key=lambda it: (it.rank, it.seat))
    told = ", ".join(f"{seat.rank}. {plain(names[seat.seat])} {seat.points}{_id(seat)}" for seat in seats)
    return (
        f"{result.game.game_id}  {plain(result.game.title)}  {to_datetime(result.end_time):%Y-%m-%d %H:%M} UTC  {told}"
    )


def _id(seat: players_pb2.SeatResult) -> str:
    return f" [{plain(seat.player_id)}]" if seat.player_id else ""
