"""Conversion of timestamps in messages, which may be outside the range of ``datetime``."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_SECOND = -62_135_596_800
_LAST_SECOND = 253_402_300_799
_MAX_NANOS = 999_999_999


def to_datetime(timestamp: Timestamp) -> datetime:
    """Return a timestamp as a UTC ``datetime``, clamped to the years 1 to 9999."""
    clamped = _clamped(timestamp)
    return _EPOCH + timedelta(seconds=clamped.seconds, microseconds=clamped.nanos // 1000)


def with_clamped_timestamps(message: Message) -> Message:
    """Return a copy of a message with all timestamps clamped to the years 1 to 9999, so that it can be printed."""
    copy = type(message)()
    copy.CopyFrom(message)
    _clamp_all(copy)
    return copy


def _clamp_all(message: Message) -> None:
    if isinstance(message, Timestamp):
        message.CopyFrom(_clamped(message))
        return
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            value = value.values()
        for part in value if field.is_repeated else (value,):
            if isinstance(part, Message):
                _clamp_all(part)


def _clamped(timestamp: Timestamp) -> Timestamp:
    if timestamp.seconds > _LAST_SECOND:
        return Timestamp(seconds=_LAST_SECOND, nanos=_MAX_NANOS)
    return Timestamp(seconds=max(timestamp.seconds, _FIRST_SECOND), nanos=min(max(timestamp.nanos, 0), _MAX_NANOS))
