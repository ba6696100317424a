"""The command ``boardkeeper feed``."""

from __future__ import annotations

import os
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.environment import OPERATOR_TOKEN, default_server
from boardkeeper.terminal.errors import DONE, USAGE, CommandError
from boardkeeper.terminal.output import Output

if TYPE_CHECKING:
    from boardkeeper.v1 import feed_pb2


@cli.command()
@cli.flag(
    "--after", metavar="CURSOR", default="", help="start after the item with this cursor", conflicts=("from_now",)
)
@cli.switch("--from-now", help="skip the stored items", conflicts=("after",))
@cli.flag(
    "--kinds",
    metavar="KIND,…",
    type=values.words,
    default=(),
    help="only items of these kinds, for example turn,result",
)
@cli.flag("--title", metavar="ID", default="", help="only games of this title")
@cli.flag("--game", metavar="ID", default="", help="only this game")
@cli.flag("--limit", metavar="N", type=values.positive, help="stop after N items")
@cli.server_flag()
@cli.tls_flags
@cli.language_flag
@cli.output_flags
def feed(arguments: cli.Arguments, output: Output) -> int:
    """Print the event feed: one line for each change in the games of a platform.

    With the API key of a platform (BOARDKEEPER_KEY), print the changes in its games; with the operator token
    (BOARDKEEPER_OPERATOR_TOKEN), those in all games. First the stored items are printed, oldest first, then new ones. A
    lost connection is restored without missing or repeating an item.

    kinds:
      created       a game was created
      joined        a player joined
      turn          other seats have to decide
      vote          seats have to vote on an undo
      handed_over   a bot took over a seat
      taken_back    a player took the seat back
      time_expired  a player's time ran out
      resigned      a player resigned
      ended         a game ended
      result        a game has a result
      removed       a game was removed

    examples:
      boardkeeper feed --from-now
      boardkeeper feed --kinds ended,result --json
      boardkeeper feed --after CURSOR --json | jq -r .cursor
    """
    from boardkeeper.terminal.connections import as_record, connect_with_retry

    server = arguments.server or default_server()
    with connect_with_retry(server, arguments.language, output) as client:
        try:
            items = client.watch_games(
                after_cursor=arguments.after,
                from_now=arguments.from_now,
                title=arguments.title,
                game_id=arguments.game,
                kinds=arguments.kinds,
                token=os.environ.get(OPERATOR_TOKEN, ""),
            )
        except ValueError as error:
            raise CommandError(f"{error}.", USAGE) from error
        with closing(items):
            for item in islice(items, arguments.limit):
                output.record(as_record(item))
                output.line(_line(item))
    return DONE


def _line(item: feed_pb2.FeedItem) -> str:
    from boardkeeper.client.feed import name_of
    from boardkeeper.client.timestamps import to_datetime

    seats = f"  {', '.join(map(str, item.seats))}" if item.seats else ""
    ranks = (
        "  " + ", ".join(f"{it.rank}. seat {it.seat} ({it.points})" for it in item.standings) if item.standings else ""
    )
    kind = name_of(item.kind)
    bot = f"  {item.bot}" if item.bot else ""
    return f"{to_datetime(item.time):%Y-%m-%d %H:%M:%S} UTC  {item.game_id}  {item.title}  {kind}{seats}{bot}{ranks}"
