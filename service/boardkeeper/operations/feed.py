"""``boardkeeper feed``: follow all games of a platform."""

from __future__ import annotations

import os
from argparse import Namespace
from contextlib import closing
from itertools import islice

from boardkeeper.client.feed import name_of
from boardkeeper.client.timestamps import to_datetime
from boardkeeper.terminal.arguments import default_server
from boardkeeper.terminal.output import DONE, USAGE, CommandError, Output
from boardkeeper.terminal.positions import VARIABLE
from boardkeeper.terminal.session import as_record, stay_connected
from boardkeeper.v1 import feed_pb2


def run(arguments: Namespace, output: Output) -> int:
    """Print items as they come, for ever or as many as were asked for."""
    server = arguments.server or default_server()
    with stay_connected(server, arguments.language, output) as client:
        try:
            items = client.watch_games(
                after_cursor=arguments.after,
                from_now=arguments.from_now,
                title=arguments.title,
                game_id=arguments.game,
                kinds=arguments.kinds,
                token=os.environ.get(VARIABLE, ""),
            )
        except ValueError as error:
            raise CommandError(f"{error}.", USAGE) from error
        with closing(items):
            for item in islice(items, arguments.limit):
                output.record(as_record(item))
                output.line(_line(item))
    return DONE


def _line(item: feed_pb2.FeedItem) -> str:
    seats = f"  {', '.join(map(str, item.seats))}" if item.seats else ""
    ranks = (
        "  " + ", ".join(f"{it.rank}. seat {it.seat} ({it.points})" for it in item.standings) if item.standings else ""
    )
    kind = name_of(item.kind)
    bot = f"  {item.bot}" if item.bot else ""
    return f"{to_datetime(item.time):%Y-%m-%d %H:%M:%S} UTC  {item.game_id}  {item.title}  {kind}{seats}{bot}{ranks}"
