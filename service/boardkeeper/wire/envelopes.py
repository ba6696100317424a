"""Envelopes: messages whose oneof says whose the content is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic

from boardkeeper.wire.convert import AnyMessage, construct
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.plans import NOT_SET, Plan

_one_at_a_time = threading.RLock()


class Envelope(Generic[AnyMessage]):
    """A message with one oneof, and how what goes into each of its fields is converted.

    The plan of a field is made when something first goes through it: ``plan`` gives it by the field's name, or raises
    :class:`ConversionError` if what the field is for is not installed here. One thread at a time makes plans.
    """

    __slots__ = ("_make_plan", "_members", "_message", "_oneof", "_plans")

    def __init__(self, message: type[AnyMessage], plan: Callable[[str], Plan]) -> None:
        self._message = message
        self._make_plan = plan
        (oneof,) = message.DESCRIPTOR.oneofs
        self._oneof: str = oneof.name
        self._members = frozenset(field.name for field in oneof.fields)
        self._plans: dict[str, Plan] = {}

    @property
    def planned(self) -> frozenset[str]:
        """The fields whose plans have been made."""
        return frozenset(self._plans)

    def plan(self, name: str) -> Plan:
        """How the content of the field of that name is converted.

        Raises:
            ConversionError: there is no such field, or what it is for is not installed here.
            TypeError: the structs and the messages do not fit.
        """
        plan = self._plans.get(name)
        if plan is None:
            if name not in self._members:
                raise ConversionError(self._oneof, f"cannot be {name!r}, which does not exist")
            with _one_at_a_time:
                plan = self._plans.get(name)  # another thread may have been first
                if plan is None:
                    plan = self._plans[name] = self._make_plan(name)
        return plan

    def fields(self, name: str, value: object) -> dict[str, Any]:
        """The envelope's constructor arguments with the value in the field of that name."""
        plan = self.plan(name)
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
        plan = self.plan(name)
        try:
            return name, plan.decode(getattr(message, name))
        except ConversionError as error:
            raise error.within(name) from None
