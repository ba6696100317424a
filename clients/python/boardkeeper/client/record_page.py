"""A game record as one HTML file that replays and verifies the game in any browser, without a server or network.

The file is the record viewer of the web client (``make viewer``), which wheels contain, with the record embedded.
"""

from __future__ import annotations

from pathlib import Path

from boardkeeper.client.built import read_built_files

VIEWER = Path(__file__).parent / "viewer" / "boardkeeper.html"
"""The viewer that ``make viewer`` builds. Wheels contain its folder as an archive."""

_PLACE = b'<div id="app"></div>'
_ELEMENT = b'<script type="application/jsonl" id="record">\n%s</script>'


class NotBuiltError(Exception):
    """The record viewer was not built."""


def with_record(record: bytes) -> bytes:
    """Return the HTML page for a record. Raises :class:`NotBuiltError` if the viewer was not built."""
    page = read_built_files(VIEWER.parent).get(VIEWER.name)
    if page is None:
        raise NotBuiltError("the record viewer is not built; build it with: make viewer")
    return page.replace(_PLACE, _PLACE + _ELEMENT % _escaped(record), 1)


def _escaped(record: bytes) -> bytes:
    """Escape ``<``, so that the record cannot end its HTML element. JSON allows the escape only within strings."""
    return record.replace(b"<", b"\\u003c")
