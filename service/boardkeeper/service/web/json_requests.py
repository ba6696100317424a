"""Requests in JSON: read as protobuf does, but strictly and with the field that is wrong in every error.

Requests in the usual form are read by :mod:`boardkeeper.wire.proto_json`. All others, and so all that are wrong, are
read here, five times as slowly: protobuf's parser converts the values. But it accepts a field under both of its names,
it skips characters that are not base64, and its errors are Python's. So the shape of a request is checked first, and if
the parser fails, the value that it rejects is searched for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn, cast

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from boardkeeper.service.requests.errors import InvalidRequestError, invalid
from boardkeeper.wire.proto_json import read_usual_json

_MOST_PARTS = 8_000
"""The most values that a request may have in JSON: one takes a thousand times as long to read as its binary byte."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")


def read_request(kind: type[Message], text: bytes) -> Message:
    """Return a request from its JSON. Raises ``InvalidRequestError`` with the path of the field that is wrong."""
    if not text.strip():
        _reject("", "empty_body")
    if text.count(b",") + text.count(b"{") + text.count(b"[") > _MOST_PARTS:
        _reject("", "too_much_json", most=_MOST_PARTS)
    try:
        value = json.loads(text.decode(), object_pairs_hook=_object)
        if not isinstance(value, dict):
            _reject("", "no_json_object")
        usual = read_usual_json(kind, value)
        if usual is not None:
            return usual
        parts = list(_parts(value, cast(Descriptor, kind.DESCRIPTOR), ""))
        try:
            return json_format.ParseDict(value, kind())
        except json_format.ParseError:
            for part in parts:
                part.check()
            raise
    except InvalidRequestError:
        raise
    except UnicodeDecodeError:
        _reject("", "not_utf8")
    except json.JSONDecodeError as error:
        _reject("", "no_json", line=error.lineno, column=error.colno)
    except Exception:  # noqa: BLE001  # the libraries raise many kinds for odd values and deep nesting
        _reject("", "no_json_of_request")


def _reject(path: str, name: str, /, **values: object) -> NoReturn:
    raise invalid(path, name, **values) from None


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object from its pairs. Raises ``InvalidRequestError`` if a key occurs twice."""
    found: dict[str, Any] = {}
    for key, value in members:
        if key in found:
            _reject("", "key_twice", key=key)
        found[key] = value
    return found


class _Part(NamedTuple):
    """A value of a request that is no message of ours, and its field."""

    path: str
    field: FieldDescriptor
    value: Any

    def check(self) -> None:
        """Raises ``InvalidRequestError`` if the field does not take the value."""
        field = self.field
        owner = GetMessageClass(cast(Descriptor, field.containing_type))
        try:
            json_format.ParseDict(
                {field.name: [self.value] if field.is_repeated else self.value},
                owner(),
            )
        except json_format.ParseError:
            raise _requirement(self.path, field, self.value) from None


def _parts(value: Any, message: Descriptor, path: str) -> Iterator[_Part]:
    """Check the shape of a message and everything within; yield its values from the first to the last."""
    if not isinstance(value, dict):
        _reject(path, "object")
    fields = _fields(message)
    names: dict[str, str] = {}
    of_oneofs: dict[str, str] = {}
    for name, item in value.items():
        field = fields.get(name)
        if field is None:
            _reject(_join(path, name), "no_such_field", message=message.name)
        within = _join(path, field.name)
        before = names.setdefault(field.name, name)
        if before != name:
            _reject(within, "field_twice", one=before, other=name)
        if item is None:
            continue
        if field.containing_oneof is not None:
            other = of_oneofs.setdefault(field.containing_oneof.name, name)
            if other != name:
                _reject(within, "fields_of_oneof", other=other)
        yield from _items(item, field, within)


def _items(value: Any, field: FieldDescriptor, path: str) -> Iterator[_Part]:
    """The values of a field."""
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        if not isinstance(value, dict):
            _reject(path, "object")
        of_values = field.message_type.fields_by_name["value"]
        for key, item in value.items():
            yield from _item(item, of_values, f"{path}.{key}")
    elif field.is_repeated:
        if not isinstance(value, list):
            _reject(path, "array")
        for at, item in enumerate(value):
            yield from _item(item, field, f"{path}[{at}]")
    else:
        yield from _item(value, field, path)


def _item(value: Any, field: FieldDescriptor, path: str) -> Iterator[_Part]:
    if value is None:
        _reject(path, "null")
    message = field.message_type
    if message is not None and message.file.package != "google.protobuf":
        yield from _parts(value, message, path)
        return
    part = _Part(path, field, value)
    if field.type == FieldDescriptor.TYPE_BYTES and not (isinstance(value, str) and _BASE64.fullmatch(value)):
        raise _requirement(path, field, value)
    yield part


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


@lru_cache(maxsize=1024)
def _fields(message: Descriptor) -> Mapping[str, FieldDescriptor]:
    """The fields of a message by both of their names."""
    return {name: field for field in message.fields for name in (field.name, field.json_name)}


_RANGES = {
    FieldDescriptor.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, (1 << 64) - 1),
}


_TYPE = re.compile(r"type\.googleapis\.com/(boardkeeper\.(\w{1,40})\.v1\.\w{1,40})")


def _requirement_of_any(path: str, value: Any) -> InvalidRequestError:
    """Return the error for a wrong ``Any``, which has to be the message of a title of another package."""
    type_url = value.get("@type") if isinstance(value, dict) else None
    found = _TYPE.fullmatch(type_url) if isinstance(type_url, str) else None
    if found is None:
        return invalid(path, "any")
    name, title = found.groups()
    try:
        Default().FindMessageTypeByName(name)
    except KeyError:
        return invalid(path, "title_not_served", title=title)
    return invalid(path, "message", name=name)


def _requirement(path: str, field: FieldDescriptor, value: Any) -> InvalidRequestError:
    """Return the error for a value that a field does not take: what the value has to be."""
    kind = field.message_type.full_name if field.message_type is not None else ""
    if kind == "google.protobuf.Any":
        return _requirement_of_any(path, value)
    if kind == "google.protobuf.Duration":
        return invalid(path, "duration")
    if kind == "google.protobuf.Timestamp":
        return invalid(path, "timestamp")
    if kind:
        return invalid(path, "wrong_type")
    if field.enum_type is not None:
        return invalid(path, "one_of", offered=", ".join(it.name for it in field.enum_type.values))
    if field.type == FieldDescriptor.TYPE_BYTES:
        return invalid(path, "base64")
    if field.type == FieldDescriptor.TYPE_STRING and isinstance(value, str):
        return invalid(path, "unicode")
    if field.cpp_type in _RANGES:
        least, most = _RANGES[field.cpp_type]
        return invalid(path, "whole_number", least=least, most=most)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return invalid(path, "boolean")
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return invalid(path, "string")
    return invalid(path, "wrong_type")
