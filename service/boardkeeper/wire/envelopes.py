"""Envelopes: messages whose oneof says whose the content is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic

from boardkeeper.wire.convert import AnyMessage, construct
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.plans import NOT_SET, Plan


class Envelope(Generic[AnyMessage]):
    """A message with one oneof, and how what goes into each of its fields is converted."""

    __slots__ = ("_message", "_oneof", "_plans")

    def __init__(self, message: type[AnyMessage], plans: Mapping[str, Plan]) -> None:
        self._message = message
        self._plans = plans
        (oneof,) = message.DESCRIPTOR.oneofs
        self._oneof: str = oneof.name
        differing = {field.name for field in oneof.fields} ^ set(plans)
        if differing:
            raise TypeError(f"{message.DESCRIPTOR.full_name} differs in {', '.join(sorted(differing))}")

    def fields(self, name: str, value: object) -> dict[str, Any]:
        """The envelope's constructor arguments with the value in the field of that name."""
        try:
            plan = self._plans[name]
        except KeyError:
            raise ConversionError(self._oneof, f"there is no {name!r}") from None
        try:
            return {name: plan.encode(value)}
        except ConversionError as error:
            raise error.within(name) from None

    def to_message(self, name: str, value: object) -> AnyMessage:
        """The envelope with the value in the field of that name; raises :class:`ConversionError`."""
        return construct(self._message, self.fields(name, value))

    def from_message(self, message: AnyMessage) -> tuple[str, Any]:
        """The name of the field that is set and what is in it; raises :class:`ConversionError` if none is."""
        name = message.WhichOneof(self._oneof)
        if name is None:
            raise ConversionError(self._oneof, NOT_SET)
        try:
            return name, self._plans[name].decode(getattr(message, name))
        except ConversionError as error:
            raise error.within(name) from None
