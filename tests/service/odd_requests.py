"""Odd requests: real ones of a real table with a few things changed, and bytes that are no request at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import strategies as st

from boardkeeper.wire.plans import descriptor_of

NUMBERS = (0, 1, 2, 3, 4, 5, 16, 17, 64, 255, 10**9, -1, 2**31 - 1, -(2**31))
LONG_NUMBERS = (*NUMBERS, 2**53, 2**63 - 1, -(2**63))
TEXTS = ("", " ", "?", "x", "\0", "a\nb", "ß" * 33, "x" * 65, "x" * 5000, "\u202e", "../..", "0", "-1", "%s{}")
DATA = (b"", b"\0", b"\xff" * 64, b"x" * 65)
UNKNOWN_FIELD = b"\xf8\x07\x01"

_INTEGERS = {FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_ENUM}
_MOST_SLOTS = 400


def odd(data: st.DataObject, request: Message, words: Sequence[str]) -> bytes:
    """A copy of the request with up to three things changed, serialized; now and then no message any more.

    ``words`` are texts that mean something somewhere.
    """
    changed = type(request)()
    changed.CopyFrom(request)
    for _ in range(data.draw(st.integers(0, 3), label="changes")):
        slots = list(_slots(changed))
        _change(data, *data.draw(st.sampled_from(slots), label="field"), words) if slots else None
    return spoilt(data, changed.SerializeToString())


def spoilt(data: st.DataObject, sent: bytes) -> bytes:
    """These bytes, most of the time as they are."""
    match data.draw(st.integers(0, 19), label="spoil"):
        case 17:
            return sent + UNKNOWN_FIELD
        case 18:
            return sent[: data.draw(st.integers(0, len(sent)))]
        case 19 if sent:
            at = data.draw(st.integers(0, len(sent) - 1))
            return sent[:at] + bytes((data.draw(st.integers(0, 255)),)) + sent[at + 1 :]
    return sent


def words_in(message: Message) -> Iterator[str]:
    """Every text in a message."""
    for field, value in message.ListFields():
        if _is_map(field):
            yield from (str(text) for pair in value.items() for text in pair if isinstance(text, str))
            continue
        for item in value if field.is_repeated else (value,):
            if isinstance(item, Message):
                yield from words_in(item)
            elif isinstance(item, str):
                yield item


def _slots(message: Message) -> list[tuple[Message, FieldDescriptor]]:
    """Every field of a message and of those within it, set or not: those further out first."""
    found: list[tuple[Message, FieldDescriptor]] = []
    inside = [message]
    while inside and len(found) < _MOST_SLOTS:
        outer = inside.pop(0)
        found += ((outer, field) for field in descriptor_of(type(outer)).fields)
        for field, value in outer.ListFields():
            if field.message_type is not None and not _is_map(field):
                inside += value if field.is_repeated else (value,)
    return found


def _change(data: st.DataObject, message: Message, field: FieldDescriptor, words: Sequence[str]) -> None:
    if data.draw(st.integers(0, 4), label="clear") == 0:
        message.ClearField(field.name)
        return
    value: Any = getattr(message, field.name)
    if field.message_type is not None and _is_map(field):
        entry = field.message_type.fields_by_name
        value[_scalar(data, entry["key"], words)] = _scalar(data, entry["value"], words)
    elif field.message_type is not None and field.is_repeated:
        again = data.draw(st.sampled_from([*value]), label="again") if value else None
        for _ in range(data.draw(st.sampled_from([1, 2, 70]), label="times")):
            value.add() if again is None else value.add().CopyFrom(again)
    elif field.message_type is not None:
        value.SetInParent()
    elif field.is_repeated:
        value.append(_scalar(data, field, words))
    else:
        setattr(message, field.name, _scalar(data, field, words))


def _scalar(data: st.DataObject, field: FieldDescriptor, words: Sequence[str]) -> Any:
    if field.type == FieldDescriptor.TYPE_STRING:
        return data.draw(st.sampled_from(words) if data.draw(st.booleans()) else st.sampled_from(TEXTS))
    if field.type == FieldDescriptor.TYPE_BYTES:
        return data.draw(st.sampled_from(DATA))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return data.draw(st.booleans())
    return data.draw(st.sampled_from(NUMBERS if field.type in _INTEGERS else LONG_NUMBERS))


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry
