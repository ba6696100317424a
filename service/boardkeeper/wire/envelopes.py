"""Envelopes: messages with one oneof, which has a field for each built-in title.

Built-in titles and game events have their own fields. The content of third-party titles goes into the field
``outside``, an ``Any`` with a message of the title's package: the ``Command`` of the title ``nim`` is a
``boardkeeper.nim.v1.Command``.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any, Generic

from google.protobuf.any_pb2 import Any as AnyContent
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from boardkeeper.wire.convert import AnyMessage, construct, serialize
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.plans import NOT_SET, Plan
from boardkeeper.wire.schema import package_of

OUTSIDE = "outside"
"""The field for the content of third-party titles."""

_TYPE_URLS = "type.googleapis.com/"
_one_at_a_time = threading.RLock()


class Envelope(Generic[AnyMessage]):
    """The conversion of an envelope message, with a plan for the content of each field.

    A plan is made when it is first needed, by one thread at a time. The function ``plan`` makes the plan for a field or
    for the id of a third-party title, whose messages it also adds to the default descriptor pool. It raises
    :class:`ConversionError` if the title is not installed.
    """

    __slots__ = ("_make_plan", "_members", "_message", "_oneof", "_plans", "_type_url")

    def __init__(self, message: type[AnyMessage], plan: Callable[[str], Plan]) -> None:
        self._message = message
        self._make_plan = plan
        (oneof,) = message.DESCRIPTOR.oneofs
        self._oneof: str = oneof.name
        self._members = frozenset(field.name for field in oneof.fields) - {OUTSIDE}
        self._plans: dict[str, Plan] = {}
        self._type_url = re.compile(rf"{re.escape(_TYPE_URLS)}boardkeeper\.(\w+)\.v1\.{message.DESCRIPTOR.name}")

    @property
    def planned(self) -> frozenset[str]:
        """The names of all plans that have been made."""
        return frozenset(self._plans)

    def plan(self, name: str) -> Plan:
        """Return the plan for a field or a third-party title.

        Raises:
            ConversionError: The field does not exist, or the title is not installed.
            TypeError: The structs and the messages do not match.
        """
        plan = self._plans.get(name)
        if plan is None:
            with _one_at_a_time:
                plan = self._plans.get(name)  # another thread may have made it meanwhile
                if plan is None:
                    plan = self._plans[name] = self._make_plan(name)
        return plan

    def fields(self, name: str, value: object) -> dict[str, Any]:
        """Return the constructor arguments of the envelope for a value; ``name`` is the name of its plan."""
        plan = self.plan(name)
        try:
            content = plan.encode(value)
            if name in self._members:
                return {name: content}
            message = construct(self._message_of(name), content)
        except ConversionError as error:
            raise error.within(name) from None
        type_url = f"{_TYPE_URLS}{message.DESCRIPTOR.full_name}"
        return {OUTSIDE: AnyContent(type_url=type_url, value=serialize(message))}

    def _message_of(self, title: str) -> type[Message]:
        """Return the content message of a third-party title whose plan has been made."""
        name = f"{package_of(title)}.{self._message.DESCRIPTOR.name}"
        return GetMessageClass(Default().FindMessageTypeByName(name))

    def to_message(self, name: str, value: object) -> AnyMessage:
        """Return the envelope of a value; raises :class:`ConversionError`."""
        return construct(self._message, self.fields(name, value))

    def from_message(self, message: AnyMessage) -> tuple[str, Any]:
        """Return the name of the plan and the value; raises :class:`ConversionError` if the envelope is empty."""
        name, field, content = self.content(message)
        return name, self.decode(name, field, content)

    def content(self, message: AnyMessage) -> tuple[str, str, Message]:
        """Return the name of the plan, the field that is set, and its message; raises :class:`ConversionError`."""
        field = message.WhichOneof(self._oneof)
        if field is None:
            raise ConversionError(self._oneof, NOT_SET)
        content = getattr(message, field)
        if field != OUTSIDE:
            return field, field, content
        found = self._type_url.fullmatch(content.type_url)
        name = found[1] if found else ""
        if not name or name in self._members:
            expected = f"{_TYPE_URLS}{package_of('<title>')}.{self._message.DESCRIPTOR.name}"
            reason = f"must have the type {expected} of a title of another package, not {content.type_url!r}"
            raise ConversionError(OUTSIDE, reason)
        try:
            self.plan(name)
        except ConversionError as error:
            raise ConversionError(OUTSIDE, error.reason) from None
        try:
            return name, field, self._message_of(name).FromString(content.value)
        except DecodeError:
            raise ConversionError(OUTSIDE, f"has a value that is not a message of type {content.type_url}") from None

    def decode(self, name: str, field: str, content: Message) -> Any:
        """Convert the content of a field; raises :class:`ConversionError`."""
        plan = self.plan(name)
        try:
            return plan.decode(content)
        except ConversionError as error:
            raise error.within(field) from None
