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

from boardkeeper.service.requests.refusals import InvalidRequestError
from boardkeeper.service.requests.sentences import Sentence
from boardkeeper.wire.proto_json import read_usual_json

_MOST_PARTS = 8_000
"""The most values that a request may have in JSON: one takes a thousand times as long to read as its binary byte."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_OBJECT = Sentence("must be an object", "muss ein Objekt sein")
_ARRAY = Sentence("must be an array", "muss ein Array sein")
_NOT_NULL = Sentence("must not be null", "darf nicht null sein")
_UNREADABLE = Sentence("has a value of the wrong type", "hat einen Wert vom falschen Typ")
_NO_BODY = Sentence("The body is empty: send at least {}.", "Der Inhalt ist leer: Mindestens {} muss kommen.")
_NO_UTF8 = Sentence("The body must be UTF-8.", "Der Inhalt muss UTF-8 sein.")
_NO_OBJECT = Sentence("The body must be a JSON object.", "Der Inhalt muss ein JSON-Objekt sein.")
_NO_REQUEST = Sentence(
    "The body is not valid JSON for this request.", "Der Inhalt ist kein gültiges JSON für diese Anfrage."
)
_TOO_MUCH = Sentence(
    f"The JSON has more than {_MOST_PARTS} values: send the request as binary protobuf.",
    f"Das JSON hat mehr als {_MOST_PARTS} Werte: bitte als binäres Protobuf senden.",
)


def read_request(kind: type[Message], text: bytes) -> Message:
    """Return a request from its JSON. Raises ``InvalidRequestError`` with the path of the field that is wrong."""
    if not text.strip():
        _refuse("", _NO_BODY)
    if text.count(b",") + text.count(b"{") + text.count(b"[") > _MOST_PARTS:
        _refuse("", _TOO_MUCH)
    try:
        value = json.loads(text.decode(), object_pairs_hook=_object)
        if not isinstance(value, dict):
            _refuse("", _NO_OBJECT)
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
        _refuse("", _NO_UTF8)
    except json.JSONDecodeError as error:
        place = error.lineno, error.colno
        _refuse("", Sentence(
            "The body is not valid JSON: see line {}, column {}.".format(*place),
            "Der Inhalt ist kein gültiges JSON: siehe Zeile {}, Spalte {}.".format(*place),
        ))  # fmt: skip
    except Exception:  # noqa: BLE001  # the libraries raise many kinds for odd values and deep nesting
        _refuse("", _NO_REQUEST)


def _refuse(path: str, problem: Sentence) -> NoReturn:
    raise InvalidRequestError({path: problem}) from None


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object from its pairs. Raises ``InvalidRequestError`` if a key occurs twice."""
    found: dict[str, Any] = {}
    for key, value in members:
        if key in found:
            _refuse("", Sentence(
                f"The JSON has the key {key!r} twice in one object.",
                f"Das JSON hat den Schlüssel {key!r} zweimal in einem Objekt.",
            ))  # fmt: skip
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
            _refuse(self.path, _requirement(field, self.value))


def _parts(value: Any, message: Descriptor, path: str) -> Iterator[_Part]:
    """Check the shape of a message and everything within; yield its values from the first to the last."""
    if not isinstance(value, dict):
        _refuse(path, _OBJECT)
    fields = _fields(message)
    names: dict[str, str] = {}
    of_oneofs: dict[str, str] = {}
    for name, item in value.items():
        field = fields.get(name)
        if field is None:
            _refuse(
                _join(path, name),
                Sentence(f"is not a field of {message.name}", f"ist kein Feld von {message.name}"),
            )
        within = _join(path, field.name)
        before = names.setdefault(field.name, name)
        if before != name:
            _refuse(within, Sentence(
                f"is sent twice, as {before!r} and as {name!r}", f"kommt zweimal, als {before!r} und als {name!r}"
            ))  # fmt: skip
        if item is None:
            continue
        if field.containing_oneof is not None:
            other = of_oneofs.setdefault(field.containing_oneof.name, name)
            if other != name:
                _refuse(within, Sentence(
                    f"cannot be sent together with {other!r}", f"darf nicht zusammen mit {other!r} kommen"
                ))  # fmt: skip
        yield from _items(item, field, within)


def _items(value: Any, field: FieldDescriptor, path: str) -> Iterator[_Part]:
    """The values of a field."""
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        if not isinstance(value, dict):
            _refuse(path, _OBJECT)
        of_values = field.message_type.fields_by_name["value"]
        for key, item in value.items():
            yield from _item(item, of_values, f"{path}.{key}")
    elif field.is_repeated:
        if not isinstance(value, list):
            _refuse(path, _ARRAY)
        for at, item in enumerate(value):
            yield from _item(item, field, f"{path}[{at}]")
    else:
        yield from _item(value, field, path)


def _item(value: Any, field: FieldDescriptor, path: str) -> Iterator[_Part]:
    if value is None:
        _refuse(path, _NOT_NULL)
    message = field.message_type
    if message is not None and message.file.package != "google.protobuf":
        yield from _parts(value, message, path)
        return
    part = _Part(path, field, value)
    if field.type == FieldDescriptor.TYPE_BYTES and not (isinstance(value, str) and _BASE64.fullmatch(value)):
        _refuse(path, _requirement(field, value))
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
_WANTED = {
    FieldDescriptor.CPPTYPE_BOOL: Sentence("must be true or false", "muss true oder false sein"),
    FieldDescriptor.CPPTYPE_STRING: Sentence("must be a string", "muss ein Text sein"),
}
_WANTED_MESSAGES = {
    "google.protobuf.Duration": Sentence(
        'must be a number of seconds followed by "s", such as "25s"',
        'muss eine Zahl von Sekunden mit dem Zusatz "s" sein, zum Beispiel "25s"',
    ),
    "google.protobuf.Timestamp": Sentence(
        'must be a time with a time zone, such as "2026-11-27T10:00:00Z"',
        'muss eine Zeit mit Zeitzone sein, zum Beispiel "2026-11-27T10:00:00Z"',
    ),
}


_TYPE = re.compile(r"type\.googleapis\.com/(boardkeeper\.(\w{1,40})\.v1\.\w{1,40})")


def _requirement_of_any(value: Any) -> Sentence:
    """Return what an ``Any`` has to be: the message of a title of another package."""
    type_url = value.get("@type") if isinstance(value, dict) else None
    found = _TYPE.fullmatch(type_url) if isinstance(type_url, str) else None
    if found is None:
        return Sentence(
            'must be an object with an "@type" such as "type.googleapis.com/boardkeeper.lost_gold.v1.Command"',
            'muss ein Objekt mit einem "@type" wie "type.googleapis.com/boardkeeper.lost_gold.v1.Command" sein',
        )
    name, title = found.groups()
    try:
        Default().FindMessageTypeByName(name)
    except KeyError:
        return Sentence(
            f"is of the title {title!r}, which this server does not serve",
            f"gehört zum Titel {title!r}, den dieser Server nicht anbietet",
        )
    return Sentence(f"must be the JSON of a message {name}", f"muss das JSON einer Nachricht {name} sein")


def _requirement(field: FieldDescriptor, value: Any) -> Sentence:
    """Return what the value of a field has to be, after this value was rejected."""
    if field.message_type is not None and field.message_type.full_name == "google.protobuf.Any":
        return _requirement_of_any(value)
    if field.message_type is not None:
        return _WANTED_MESSAGES.get(field.message_type.full_name, _UNREADABLE)
    if field.enum_type is not None:
        names = [it.name for it in field.enum_type.values]
        return Sentence(f"must be one of: {', '.join(names)}", f"muss eines von diesen sein: {', '.join(names)}")
    if field.type == FieldDescriptor.TYPE_BYTES:
        return Sentence("must be a string in base64", "muss ein Text in Base64 sein")
    if field.type == FieldDescriptor.TYPE_STRING and isinstance(value, str):
        return Sentence("must be valid Unicode", "muss gültiges Unicode sein")
    if field.cpp_type in _RANGES:
        least, most = _RANGES[field.cpp_type]
        return Sentence(
            f"must be a whole number from {least} to {most}", f"muss eine ganze Zahl von {least} bis {most} sein"
        )
    return _WANTED.get(field.cpp_type, _UNREADABLE)
