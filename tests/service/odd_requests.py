"""Odd requests: valid requests with a few changes, and bytes that are not a request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from boardkeeper.wire.plans import descriptor_of

NUMBERS = (0, 1, 2, 3, 4, 5, 16, 17, 64, 255, 10**9, -1, 2**31 - 1, -(2**31))
LONG_NUMBERS = (*NUMBERS, 2**53, 2**63 - 1, -(2**63))
TEXTS = ("", " ", "?", "x", "\0", "a\nb", "ß" * 33, "x" * 65, "x" * 5000, "\u202e", "../..", "0", "-1", "%s{}")
DATA = (b"", b"\0", b"\xff" * 64, b"x" * 65)
UNKNOWN_FIELD = b"\xf8\x07\x01"

Item = TypeVar("Item")
_INTEGERS = {FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_ENUM}
_MOST_SLOTS = 400


class ChoiceSequence:
    """Choices from a fixed sequence of numbers.

    So choices never depend on the state of the games. After the end of the sequence, every choice is the first.
    """

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = iter(numbers)

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound - 1``."""
        return next(self._numbers, 0) % bound

    def one_of(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[self.below(len(items))]


def mutate_request(tape: ChoiceSequence, request: Message, words: Sequence[str]) -> bytes:
    """Return a serialized copy of a request with up to three changes, sometimes with corrupt bytes.

    ``words`` are texts that are valid in some field.
    """
    changed = type(request)()
    changed.CopyFrom(request)
    for _ in range(tape.one_of((0, 1, 0, 1, 2, 3))):
        slots = _slots(changed)
        if slots:
            _change(tape, *tape.one_of(slots), words)
    return corrupt(tape, changed.SerializeToString())


def corrupt(tape: ChoiceSequence, sent: bytes) -> bytes:
    """Return the bytes, most of the time unchanged."""
    match tape.below(40):
        case 37:
            return sent + UNKNOWN_FIELD
        case 38:
            return sent[: tape.below(len(sent) + 1)]
        case 39 if sent:
            at = tape.below(len(sent))
            return sent[:at] + bytes((tape.below(256),)) + sent[at + 1 :]
    return sent


def words_in(message: Message) -> Iterator[str]:
    """Return every string in a message."""
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
    """Return every field of a message and of its nested messages, set or not, outer messages first."""
    found: list[tuple[Message, FieldDescriptor]] = []
    inside = [message]
    while inside and len(found) < _MOST_SLOTS:
        outer = inside.pop(0)
        found += ((outer, field) for field in descriptor_of(type(outer)).fields)
        for field, value in outer.ListFields():
            if field.message_type is not None and not _is_map(field):
                inside += value if field.is_repeated else (value,)
    return found


def _change(tape: ChoiceSequence, message: Message, field: FieldDescriptor, words: Sequence[str]) -> None:
    if tape.below(5) == 4:
        message.ClearField(field.name)
        return
    value: Any = getattr(message, field.name)
    if field.message_type is not None and _is_map(field):
        entry = field.message_type.fields_by_name
        value[_scalar(tape, entry["key"], words)] = _scalar(tape, entry["value"], words)
    elif field.message_type is not None and field.is_repeated:
        again = tape.one_of(value) if value else None
        for _ in range(tape.one_of((1, 2, 70))):
            value.add() if again is None else value.add().CopyFrom(again)
    elif field.message_type is not None:
        value.SetInParent()
    elif field.is_repeated:
        value.append(_scalar(tape, field, words))
    else:
        setattr(message, field.name, _scalar(tape, field, words))


def _scalar(tape: ChoiceSequence, field: FieldDescriptor, words: Sequence[str]) -> Any:
    if field.type == FieldDescriptor.TYPE_STRING:
        return tape.one_of(tape.one_of((words, TEXTS)))
    if field.type == FieldDescriptor.TYPE_BYTES:
        return tape.one_of(DATA)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return bool(tape.below(2))
    return tape.one_of(NUMBERS if field.type in _INTEGERS else LONG_NUMBERS)


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry
