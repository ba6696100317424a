"""How far webhooks are behind: what of the feed endpoints have not been sent, and since when."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.service.storage.database import Database


class Waiting(Struct, frozen=True):
    """What was not sent yet, of all processes together. Endpoints that are disabled are left out, but for ``dead``.

    ``dead`` are dead letters that nobody has had sent again. The endpoint that has got least far has so many items of
    the feed before it (``items``), the oldest for so many ``seconds``. The oldest item that failed, or stands behind
    one that did, waits for ``failed_seconds``.
    """

    dead: int = 0
    items: int = 0
    seconds: float = 0.0
    failed_seconds: float = 0.0


def measure(database: Database, now: int) -> Waiting:
    """How it is at a time, in milliseconds since 1970; blocks."""
    backlog = database.webhooks.backlog()
    if backlog.position is None:
        return Waiting(backlog.dead)
    database.feed.number_outbox()  # where nobody delivers, nobody else may look at the feed either
    newest = database.feed.bounds().newest
    items, failed = max(newest - backlog.position, 0), backlog.oldest_pending

    def age(behind: int) -> float:
        found = database.feed.page(behind, newest, 1)
        return max(now - found[0].time, 0) / 1000 if found else 0.0

    return Waiting(backlog.dead, items, age(backlog.position), 0.0 if failed is None else age(failed - 1))
