"""Times out of messages: one beyond all calendars, for a service may say any, is as late or as early as they go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = -62_135_596_800
_LAST = 253_402_300_799
_MOST_NANOS = 999_999_999


def moment(time: Timestamp) -> datetime:
    """A time (UTC), at most the end of the year 9999 and at least the beginning of the year 1."""
    held = _held(time)
    return _EPOCH + timedelta(seconds=held.seconds, microseconds=held.nanos // 1000)


def in_calendar(message: Message) -> Message:
    """A copy in which every time is one that calendars have."""
    copy = type(message)()
    copy.CopyFrom(message)
    _hold(copy)
    return copy


def _hold(message: Message) -> None:
    if isinstance(message, Timestamp):
        message.CopyFrom(_held(message))
        return
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            value = value.values()
        for part in value if field.is_repeated else (value,):
            if isinstance(part, Message):
                _hold(part)


def _held(time: Timestamp) -> Timestamp:
    if time.seconds > _LAST:
        return Timestamp(seconds=_LAST, nanos=_MOST_NANOS)
    return Timestamp(seconds=max(time.seconds, _FIRST), nanos=min(max(time.nanos, 0), _MOST_NANOS))
