"""A parser for requests in JSON: stricter than protobuf's, and its errors name the field.

Each message type has a reader, which turns JSON into the arguments of the message's constructor. This is five times as
fast as ``google.protobuf.json_format``, which reads only rare forms of values here: durations, base64, fractions and
numbers of enumerations. On its own it would accept a field under both of its names and skip characters that are not
base64, and its errors do not name the field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, NoReturn, TypeAlias, cast

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from boardkeeper.service.requests.errors import InvalidRequestError, invalid
from boardkeeper.wire.plans import descriptor_of

_Read: TypeAlias = Callable[[Any], Any]

_MAX_VALUES = 8_000
"""The limit of values in a JSON request: one takes a thousand times as long to read as a byte of the binary form."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_INTEGER = re.compile(r"-?[0-9]{1,20}")
_RANGES: Final[Mapping[int, tuple[int, int]]] = {
    FieldDescriptor.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, (1 << 64) - 1),
}


class _InvalidValueError(ValueError):
    """An invalid value: a problem of ``problems.toml`` with its values, and the path of the field."""

    def __init__(self, problem: str, /, **values: object) -> None:
        super().__init__(problem)
        self.problem = problem
        self.values = values
        self.path = ""

    def within(self, name: str) -> _InvalidValueError:
        """Add the name of the outer field to the path, and return the error."""
        joint = "." if self.path and not self.path.startswith("[") else ""
        self.path = f"{name}{joint}{self.path}"
        return self


def read_request(kind: type[Message], text: bytes) -> Message:
    """Return a request from its JSON. Raises ``InvalidRequestError`` with the path of the invalid field."""
    if not text.strip():
        _reject("empty_body")
    if text.count(b",") + text.count(b"{") + text.count(b"[") > _MAX_VALUES:
        _reject("too_much_json", most=_MAX_VALUES)
    try:
        value = json.loads(text.decode(), object_pairs_hook=_unique_object)
        if not isinstance(value, dict):
            _reject("no_json_object")
        return read_message(kind, value)
    except InvalidRequestError:
        raise
    except UnicodeDecodeError:
        _reject("not_utf8")
    except json.JSONDecodeError as error:
        _reject("no_json", line=error.lineno, column=error.colno)
    except Exception:  # noqa: BLE001  # the libraries raise many types for odd values and deep nesting
        _reject("no_json_of_request")


def read_message(kind: type[Message], value: object) -> Message:
    """Return a message from a JSON value. Raises ``InvalidRequestError``, or ``ValueError`` for odd keys of maps."""
    try:
        return kind(**_message_reader(descriptor_of(kind))(value))
    except _InvalidValueError as error:
        raise invalid(error.path, error.problem, **error.values) from None


def _reject(problem: str, /, **values: object) -> NoReturn:
    raise invalid("", problem, **values) from None


def _unique_object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object from its pairs. Raises ``InvalidRequestError`` if a key occurs twice."""
    found: dict[str, Any] = dict(members)
    if len(found) < len(members):
        keys = [key for key, _ in members]
        _reject("key_twice", key=next(key for key in keys if keys.count(key) > 1))
    return found


@cache
def _message_reader(message: Descriptor) -> Callable[[object], dict[str, Any]]:
    """Return the function that turns JSON into the arguments of a message's constructor."""
    fields = {name: field for field in message.fields for name in (field.name, field.json_name)}
    oneofs = [names for it in message.oneofs if len(names := {field.name for field in it.fields}) > 1]
    readers: dict[str, tuple[str, _Read]] = {}

    def read(value: object) -> dict[str, Any]:
        if type(value) is not dict:
            raise _InvalidValueError("object")
        values: dict[str, Any] = {}
        keys: dict[str, str] = {}
        for key, item in value.items():
            found = readers.get(key)
            if found is None:  # created on first use, because message types can contain themselves
                field = fields.get(key)
                if field is None:
                    raise _InvalidValueError("no_such_field", message=message.name).within(key)
                found = readers[key] = field.name, _field_reader(field)
            name, convert = found
            if name in keys:
                raise _InvalidValueError("field_twice", one=keys[name], other=key).within(name)
            keys[name] = key
            if item is None:
                continue
            try:
                values[name] = convert(item)
            except _InvalidValueError as error:
                raise error.within(name) from None
        for names in oneofs:
            if len(names & values.keys()) > 1:
                first, second = [name for name in values if name in names][:2]
                raise _InvalidValueError("fields_of_oneof", other=keys[first]).within(second)
        return values

    return read


def _field_reader(field: FieldDescriptor) -> _Read:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        entry = field.message_type.fields_by_name
        if entry["key"].type != FieldDescriptor.TYPE_STRING or entry["value"].message_type is not None:
            raise TypeError(f"requests have no maps such as {field.full_name}")
        return _map_reader(_value_reader(entry["value"]))
    read = _value_reader(field)
    return _list_reader(read) if field.is_repeated else read


def _map_reader(read: _Read) -> _Read:
    def read_map(value: object) -> dict[str, Any]:
        if type(value) is not dict:
            raise _InvalidValueError("object")
        return {key: _read_item(read, item, key) for key, item in value.items()}

    return read_map


def _list_reader(read: _Read) -> _Read:
    def read_list(value: object) -> list[Any]:
        if type(value) is not list:
            raise _InvalidValueError("array")
        return [_read_item(read, item, f"[{at}]") for at, item in enumerate(value)]

    return read_list


def _read_item(read: _Read, item: object, name: str) -> Any:
    try:
        if item is None:
            raise _InvalidValueError("null")
        return read(item)
    except _InvalidValueError as error:
        raise error.within(name) from None


def _value_reader(field: FieldDescriptor) -> _Read:
    """Return the function for one value of a field."""
    if field.message_type is not None and field.message_type.file.package != "google.protobuf":
        return _message_reader(field.message_type)
    numbers = {} if field.enum_type is None else {value.name: value.number for value in field.enum_type.values}
    least, most = _RANGES.get(field.cpp_type, (0, 0))
    is_text, is_bool = field.type == FieldDescriptor.TYPE_STRING, field.type == FieldDescriptor.TYPE_BOOL

    def read(value: Any) -> Any:
        kind = type(value)
        if kind is str:
            if is_text:
                if not value.isascii():
                    _check_unicode(value)
                return value
            if value in numbers:
                return numbers[value]
            if most and _INTEGER.fullmatch(value) and least <= int(value) <= most:
                return int(value)
        elif (kind is int and least <= value <= most != 0) or (kind is bool and is_bool):
            return value
        return _read_rare(field, value)

    return read


def _check_unicode(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _InvalidValueError("unicode") from None


def _read_rare(field: FieldDescriptor, value: object) -> Any:
    """Return a value in a rare form, read by ``json_format``."""
    if field.type == FieldDescriptor.TYPE_BYTES and not (isinstance(value, str) and _BASE64.fullmatch(value)):
        raise _InvalidValueError("base64")
    owner = GetMessageClass(cast(Descriptor, field.containing_type))()
    try:
        json_format.ParseDict({field.name: [value] if field.is_repeated else value}, owner)
    except json_format.ParseError:
        raise _problem_of(field, value) from None
    read = getattr(owner, field.name)
    return read[0] if field.is_repeated else read


def _problem_of(field: FieldDescriptor, value: object) -> _InvalidValueError:
    """Return the error for an invalid value: what the field accepts."""
    if field.message_type is not None:
        match field.message_type.full_name:
            case "google.protobuf.Any":
                return _problem_of_any(value)
            case "google.protobuf.Duration":
                return _InvalidValueError("duration")
            case "google.protobuf.Timestamp":
                return _InvalidValueError("timestamp")
        return _InvalidValueError("wrong_type")
    if field.enum_type is not None:
        return _InvalidValueError("one_of", offered=", ".join(it.name for it in field.enum_type.values))
    if field.cpp_type in _RANGES:
        least, most = _RANGES[field.cpp_type]
        return _InvalidValueError("whole_number", least=least, most=most)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _InvalidValueError("base64")
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _InvalidValueError("boolean")
    if field.type == FieldDescriptor.TYPE_STRING:
        return _InvalidValueError("string")
    return _InvalidValueError("wrong_type")


_TYPE = re.compile(r"type\.googleapis\.com/(boardkeeper\.(\w{1,40})\.v1\.\w{1,40})")


def _problem_of_any(value: object) -> _InvalidValueError:
    """Return the error for an invalid ``Any``, which must contain a message of a title of another package."""
    type_url = value.get("@type") if isinstance(value, dict) else None
    found = _TYPE.fullmatch(type_url) if isinstance(type_url, str) else None
    if found is None:
        return _InvalidValueError("any")
    name, title = found.groups()
    try:
        Default().FindMessageTypeByName(name)
    except KeyError:
        return _InvalidValueError("title_not_served", title=title)
    return _InvalidValueError("message", name=name)
