"""Texts of others on a terminal of ours: names, ids, sentences and problems from a service or a record.

A terminal obeys what is written to it: escapes move the cursor, change colours and titles, and some set the clipboard;
characters that turn the direction of writing make one thing read like another. So nothing of that kind gets there.
Programs get everything, in the escapes that JSON has for it.
"""

from __future__ import annotations

import re

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

_FORMAT = (
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_UNSAFE = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff{_FORMAT}]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_NO_TIME = "?"


def plain_lines(text: str) -> str:
    """Lines with nothing in them that a terminal obeys."""
    return _UNSAFE.sub(_REPLACEMENT, text)


def plain_json(text: str) -> str:
    """JSON that says the same in characters that no terminal obeys."""
    return _UNSAFE.sub(_escaped, text)


def moment(time: Timestamp) -> str:
    """A time to the minute, or a question mark for one that no calendar has."""
    try:
        return time.ToDatetime().strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError):
        return _NO_TIME


def without_odd_times(message: Message) -> Message:
    """The message, or where it has times that no calendar has, a copy without them."""
    copy = type(message)()
    copy.CopyFrom(message)
    return copy if _drop_odd_times(copy) else message


def _drop_odd_times(message: Message) -> bool:
    dropped = False
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for item in value if field.is_repeated else (value,):
            if isinstance(item, Timestamp):
                if not _is_time(item):
                    item.Clear()
                    dropped = True
            else:
                dropped |= _drop_odd_times(item)
    return dropped


def _is_time(time: Timestamp) -> bool:
    try:
        time.ToJsonString()
    except (ValueError, OverflowError):
        return False
    return True


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2], 'big'):04x}" for at in range(0, len(units), 2))
