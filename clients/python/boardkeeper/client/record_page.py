"""A record as a page: one HTML file that replays and checks it in any browser, with no service and no network.

The page is the viewer of records of the browser client (``make viewer``), which is part of the wheel, with the record
in it.
"""

from __future__ import annotations

from pathlib import Path

from boardkeeper.client.built import built

VIEWER = Path(__file__).parent / "viewer" / "boardkeeper.html"
"""Where ``make viewer`` puts it; a wheel has its folder in an archive."""

_PLACE = b'<div id="app"></div>'
_ELEMENT = b'<script type="application/jsonl" id="record">\n%s</script>'


class NotBuiltError(Exception):
    """The viewer of records is not there; the text says how it is built."""


def with_record(record: bytes) -> bytes:
    """The page with a record in it, as bytes of HTML; raises :class:`NotBuiltError` if there is no viewer."""
    page = built(VIEWER.parent).get(VIEWER.name)
    if page is None:
        raise NotBuiltError("the record viewer is not built; build it with: make viewer")
    return page.replace(_PLACE, _PLACE + _ELEMENT % _guarded(record), 1)


def _guarded(record: bytes) -> bytes:
    """Lines in which nothing can end the element or begin another; canonical bytes never have these six themselves."""
    return record.replace(b"<", b"\\u003c")
