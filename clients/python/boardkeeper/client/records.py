"""Game records: transfer in streams of messages, and as an HTML page that replays and verifies the game in any browser.

The page is the record viewer of the web client (``make viewer``) with the record embedded. Wheels contain the viewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from boardkeeper.client.built import read_built_files
from boardkeeper.client.cursors import ended_early
from boardkeeper.v1 import history_pb2

CHUNK_BYTES = 64 * 1024

VIEWER = Path(__file__).parent / "viewer" / "boardkeeper.html"
"""The viewer that ``make viewer`` builds. Wheels contain its folder as an archive."""

_SEAL = b'{"events":'
"""The beginning of the last line of every record, and of no other line (``docs/record.md``, section 2.5)."""
_PLACE = b'<div id="app"></div>'
_ELEMENT = b'<script type="application/jsonl" id="record">\n%s</script>'


class NotBuiltError(Exception):
    """The record viewer was not built."""


def split_record(record: bytes) -> Iterator[history_pb2.ImportRecordRequest]:
    """Yield the messages that upload a record."""
    for start in range(0, len(record), CHUNK_BYTES):
        yield history_pb2.ImportRecordRequest(data=record[start : start + CHUNK_BYTES])


def join_record(chunks: Iterable[history_pb2.GetRecordResponse]) -> bytes:
    """Return a downloaded record. Raises :class:`~boardkeeper.client.errors.Unavailable` if its last line is missing.

    A proxy may end a stream early with the status OK, so the status does not show whether the record is complete.
    """
    record = b"".join(chunk.data for chunk in chunks)
    last_line = record.rfind(b"\n", 0, len(record) - 1) + 1
    if not record.startswith(_SEAL, last_line) or not record.endswith(b"\n"):
        raise ended_early()
    return record


def with_record(record: bytes) -> bytes:
    """Return the HTML page for a record. Raises :class:`NotBuiltError` if the viewer was not built."""
    page = read_built_files(VIEWER.parent).get(VIEWER.name)
    if page is None:
        raise NotBuiltError("the record viewer is not built; build it with: make viewer")
    escaped = record.replace(b"<", b"\\u003c")  # so that the record cannot end its HTML element
    return page.replace(_PLACE, _PLACE + _ELEMENT % escaped, 1)
