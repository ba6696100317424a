"""Records that came whole: that a stream has ended well says little, for whatever stands on the way may end it."""

from __future__ import annotations

from collections.abc import Iterable

from boardkeeper.client.resuming import ended_early
from boardkeeper.v1 import history_pb2

_SEAL = b'{"events":'
"""How the last line of every record begins (``docs/record.md``, section 2.5), and no other."""


def put_together(pieces: Iterable[history_pb2.GetRecordResponse]) -> bytes:
    """A record of its pieces; raises :class:`~boardkeeper.client.errors.Unavailable` if it ends without its seal."""
    record = b"".join(piece.data for piece in pieces)
    last = record.rfind(b"\n", 0, len(record) - 1) + 1
    if not record.startswith(_SEAL, last) or not record.endswith(b"\n"):
        raise ended_early()
    return record
