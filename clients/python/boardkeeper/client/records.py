"""Game records as streams of messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from boardkeeper.client.cursors import ended_early
from boardkeeper.v1 import history_pb2

CHUNK_BYTES = 64 * 1024

_SEAL = b'{"events":'
"""The beginning of the last line of every record, and of no other line (``docs/record.md``, section 2.5)."""


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
