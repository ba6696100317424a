"""What platforms are told goes along with their games: the feed with its numbers, and the webhooks that follow it.

Webhooks are disabled where they come to: a copy that somebody tries out would otherwise send, and after a real move
both databases would, as long as the old one is served. Whoever wants them sent from there enables them.
"""

from __future__ import annotations

import time

from msgspec.structs import replace

from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.feed import PutFeed
from boardkeeper.service.storage.webhooks import EndpointRow, NewEndpoint, PutDeliveries

MOVED = "it was moved from another database"
"""Why a webhook is disabled."""

_AT_ONCE = 500


def move_feed(source: Database, target: Database) -> int | None:
    """Copy the feed with its numbers, so that cursors hold; gives how many items went.

    A move that was interrupted goes on behind what is there already. ``None``: there is another feed, and it stays.
    """
    source.feed.settle()
    target.feed.settle()
    there, ends = target.feed.ends(), source.feed.ends()
    if there.newest and source.feed.id_at(there.newest) != there.newest_id:
        return None
    position, items = there.newest, 0
    while rows := source.feed.page(position, ends.newest, _AT_ONCE):
        target.log.writer.store([PutFeed(tuple(rows))])
        position, items = rows[-1].number, items + len(rows)
    return items


def move_webhooks(source: Database, target: Database) -> int:
    """Copy the endpoints that are not there yet, disabled, with all that they still have to be sent; gives how many.

    Only for a target with the same feed: where an endpoint stands in it is a number.
    """
    known = {row.endpoint_id for row in target.webhooks.endpoints()}
    missing = [row for row in source.webhooks.endpoints() if row.endpoint_id not in known]
    for row in missing:
        _move_deliveries(source, target, row)
        # Behind its deliveries: an endpoint that is there is whole.
        disabled = row if row.disable_time is not None else replace(row, disable_time=_now(), problem=MOVED)
        target.log.writer.store([NewEndpoint(disabled)])
    return len(missing)


def _move_deliveries(source: Database, target: Database, endpoint: EndpointRow) -> None:
    for dead in (False, True):
        after = 0
        while rows := source.webhooks.deliveries(endpoint.endpoint_id, dead=dead, limit=_AT_ONCE, after=after):
            target.log.writer.store([PutDeliveries(tuple(rows))])
            after = rows[-1].number


def _now() -> int:
    return time.time_ns() // 1_000_000
