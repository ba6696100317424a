"""Derive the messages of a title from its structs.

The package is ``boardkeeper.<id>.v1``, in three files. ``commands.proto`` has the message ``Command`` with a oneof of
all commands, ``events.proto`` the message ``EventDetail`` with a oneof of all events, ``board.proto`` the message
``Board``. Each struct is a message of the same name; :mod:`boardkeeper.wire.plans` lists how types correspond. A union
within a struct ``S`` is a message with one oneof, named ``S`` and the field.

Fields are numbered in the order of their declaration, except where a fixed schema has numbers already. Then a field
keeps its number, a new field gets the next free number, and the number and name of a removed field are reserved.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import Default, DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec import NODEFAULT, Struct, UnsetType
from msgspec.structs import FieldInfo, fields

from boardkeeper.titlekit.title import Title
from boardkeeper.wire.plans import bare_type, field_name

COMMAND, EVENT_DETAIL, BOARD = "Command", "EventDetail", "Board"
"""The messages that the envelopes contain; each of the three files has one."""

FIXED = "wire.binpb"
"""The file in a title's package that fixes the numbers of its fields: a serialized ``FileDescriptorSet``."""

_SCALARS: Mapping[object, FieldDescriptorProto.Type.ValueType] = {
    int: FieldDescriptorProto.TYPE_INT32,
    str: FieldDescriptorProto.TYPE_STRING,
    bool: FieldDescriptorProto.TYPE_BOOL,
}
_LAST = 1 << 29
"""More than any field number."""

_IN_UNION: Mapping[object, str] = {int: "number", str: "word", bool: "flag"}


class SchemaError(TypeError):
    """A struct that cannot be a message, or that contradicts the fixed schema."""


def package_of(id: str) -> str:
    """Return the proto package of a title."""
    return f"boardkeeper.{id}.v1"


def packages(title: Title) -> list[str]:
    """Return the Python packages that contain the title's structs; empty for a title that is a single module."""
    structs = [*title.commands.values(), *title.events.values(), *([title.board_type] if title.board_type else [])]
    names = (struct.__module__ for struct in structs)
    found = (name if hasattr(sys.modules.get(name), "__path__") else name.rpartition(".")[0] for name in names)
    return list(filter(None, dict.fromkeys(found)))


def fixed_schema(title: Title) -> FileDescriptorSet | None:
    """Return the schema in the file ``wire.binpb`` beside the title's structs, or ``None`` if there is none."""
    for package in packages(title):
        file = files(package) / FIXED
        if file.is_file():
            fixed = FileDescriptorSet.FromString(file.read_bytes())
            if any(each.package == package_of(title.meta.id) for each in fixed.file):
                return fixed
    return None


def schema_of(title: Title, fixed: FileDescriptorSet | None = None) -> FileDescriptorSet:
    """Return the files of a title: commands, events, board, each after the files that it imports.

    ``fixed`` is an earlier schema of the title, whose numbers remain. Raises :class:`SchemaError`.
    """
    schema = _Schema(package_of(title.meta.id), fixed or FileDescriptorSet())
    schema.add_file("commands")
    schema.add_union(COMMAND, "command", title.commands.values())
    schema.add_file("events")
    schema.add_union(EVENT_DETAIL, "detail", title.events.values())
    schema.add_file("board")
    schema.add_board(title.board_type)
    return schema.files


def messages_of(schema: FileDescriptorSet, pool: DescriptorPool | None = None) -> dict[str, type[Message]]:
    """Return the message classes of a schema by name, made in a descriptor pool (the default one if ``None``).

    Raises ``TypeError`` if the pool has other files of these names.
    """
    pool = pool or Default()
    made = {}
    for file in schema.file:
        pool.Add(file)
        for message in file.message_type:
            made[message.name] = GetMessageClass(pool.FindMessageTypeByName(f"{file.package}.{message.name}"))
    return made


class _Schema:
    """The files of one title while they are built."""

    def __init__(self, package: str, fixed: FileDescriptorSet) -> None:
        self.files = FileDescriptorSet()
        self._package = package
        self._fixed = {it.name: it for file in fixed.file if file.package == package for it in file.message_type}
        self._homes: dict[str, tuple[object, str]] = {}

    def add_file(self, name: str) -> None:
        path = f"{self._package.replace('.', '/')}/{name}.proto"
        self.files.file.add(name=path, package=self._package, syntax="proto3")

    @property
    def _file(self) -> FileDescriptorProto:
        return self.files.file[-1]

    def add_board(self, struct: type[Struct] | None) -> None:
        """Add the message ``Board``. It has no fields if the title has no typed board."""
        if struct is None:
            self._add_message(BOARD, None)
        elif struct.__name__ == BOARD:
            self._add_struct(struct)
        else:
            raise SchemaError(f"the struct of a board must be named {BOARD}, not {struct.__name__}")

    def add_union(self, name: str, oneof: str, alternatives: Iterable[Any]) -> str:
        """Add a message with one oneof and the messages of the structs in it. Return its full name."""
        names = {kind: field_name(kind) if _is_struct(kind) else _IN_UNION[kind] for kind in alternatives}
        if not names:
            raise SchemaError(f"{name} needs at least one struct")
        message = self._add_message(name, names)
        if message is not None:
            message.oneof_decl.add(name=oneof)
            numbers = {field.name: field.number for field in self._fixed_message(name).field}
            # Messages are in the order of the numbers, so that a new one is added at the end.
            for kind in sorted(names, key=lambda kind: numbers.get(names[kind], _LAST)):
                self._set_single(message.field.add(name=names[kind], oneof_index=0), kind, message)
            self._number(message)
        return self._full_name(name)

    def _add_struct(self, struct: type[Struct]) -> str:
        message = self._add_message(struct.__name__, struct)
        if message is not None:
            for info in fields(struct):
                try:
                    self._set_field(message.field.add(name=info.name), info, message)
                except SchemaError as error:
                    raise SchemaError(f"{struct.__qualname__}.{info.name}: {error}") from None
            self._number(message)
            for field in message.field:  # after numbering, because oneofs follow the order of the fields
                if field.proto3_optional:
                    field.oneof_index = len(message.oneof_decl)
                    message.oneof_decl.add(name=f"_{field.name}")
        return self._full_name(struct.__name__)

    def _add_message(self, name: str, kind: object) -> DescriptorProto | None:
        """Add an empty message and return it. If the message exists, import its file if needed and return ``None``."""
        if name not in self._homes:
            self._homes[name] = kind, self._file.name
            return self._file.message_type.add(name=name)
        other, home = self._homes[name]
        if other != kind:
            raise SchemaError(f"{self._full_name(name)[1:]} cannot be two messages; rename a struct")
        if home != self._file.name and home not in self._file.dependency:
            self._file.dependency.append(home)
        return None

    def _full_name(self, name: str) -> str:
        return f".{self._package}.{name}"

    # --- fields --------------------------------------------------------------------------------------------------

    def _set_field(self, field: FieldDescriptorProto, info: FieldInfo, message: DescriptorProto) -> None:
        annotation = bare_type(info.type)
        origin, arguments = get_origin(annotation), get_args(annotation)
        has_default = info.default is not NODEFAULT and bool(info.default)
        if origin is dict:
            self._set_map(field, annotation, message)
        elif origin is tuple and arguments[1:] == (...,):
            self._set_single(field, bare_type(arguments[0]), message)
            field.label = FieldDescriptorProto.LABEL_REPEATED
        else:
            self._set_single(field, annotation, message)
            field.proto3_optional = has_default and field.type != FieldDescriptorProto.TYPE_MESSAGE
        if has_default and not field.proto3_optional:
            raise SchemaError("only a number, a text or a bool can have a default other than zero or empty")
        if not field.proto3_optional:
            field.ClearField("proto3_optional")

    def _set_single(self, field: FieldDescriptorProto, annotation: Any, message: DescriptorProto) -> None:
        """Set the type of a field that has one value, or of each value of a repeated field."""
        field.label = FieldDescriptorProto.LABEL_OPTIONAL
        field.json_name = _json_name(field.name)
        alternatives = _alternatives(annotation)
        if len(alternatives) == 1 and alternatives[0] in _SCALARS:
            field.type = _SCALARS[alternatives[0]]
            return
        field.type = FieldDescriptorProto.TYPE_MESSAGE
        if len(alternatives) == 1 and _is_struct(alternatives[0]):
            field.type_name = self._add_struct(alternatives[0])
        elif len(alternatives) > 1 and all(_is_struct(it) or it in _SCALARS for it in alternatives):
            field.type_name = self.add_union(f"{message.name}{_camel(field.name)}", "value", alternatives)
        else:
            raise SchemaError(
                f"a message has no field for {annotation}. Use int, str, bool, a struct, a union of these, "
                f"tuple[T, ...] or dict[str, T] with T int, str or bool"
            )

    def _set_map(self, field: FieldDescriptorProto, annotation: Any, message: DescriptorProto) -> None:
        key, value = map(bare_type, get_args(annotation))
        if key is not str or value not in _SCALARS:
            raise SchemaError(f"a map has keys of str and values of int, str or bool, unlike {annotation}")
        entry = message.nested_type.add(name=f"{_camel(field.name)}Entry")
        entry.options.map_entry = True
        for number, (name, kind) in enumerate({"key": key, "value": value}.items(), 1):
            self._set_single(entry.field.add(name=name, number=number), kind, entry)
        field.label = FieldDescriptorProto.LABEL_REPEATED
        field.type = FieldDescriptorProto.TYPE_MESSAGE
        field.type_name = f"{self._full_name(message.name)}.{entry.name}"
        field.json_name = _json_name(field.name)

    # --- numbers -------------------------------------------------------------------------------------------------

    def _fixed_message(self, name: str) -> DescriptorProto:
        return self._fixed.get(name) or DescriptorProto()

    def _number(self, message: DescriptorProto) -> None:
        """Number the fields of a message and sort them; reserve the numbers and names of removed fields."""
        fixed = self._fixed_message(message.name)
        known = {field.name: field for field in fixed.field}
        message.reserved_range.extend(fixed.reserved_range)
        message.reserved_name.extend(fixed.reserved_name)
        present = {field.name for field in message.field}
        for field in fixed.field:
            if field.name not in present:
                message.reserved_range.add(start=field.number, end=field.number + 1)
                message.reserved_name.append(field.name)
        used = [field.number for field in fixed.field] + [it.end - 1 for it in fixed.reserved_range]
        free = max(used, default=0) + 1
        for field in message.field:
            if field.name in message.reserved_name:
                raise SchemaError(f"{message.name}.{field.name} was removed earlier; choose another name")
            if field.name in known:
                field.number = known[field.name].number
                if _shape(field) != _shape(known[field.name]):
                    raise SchemaError(f"{message.name}.{field.name} has another type than before; choose another name")
            else:
                field.number = free
                free += 1
        message.field.sort(key=lambda field: field.number)
        order = [field.type_name.rpartition(".")[2] for field in message.field]
        message.nested_type.sort(key=lambda entry: order.index(entry.name))


def _alternatives(annotation: Any) -> Sequence[Any]:
    """Return the types of a value. Leave out ``None`` and unset if the field can be absent on the wire."""
    if get_origin(annotation) not in (UnionType, Union):
        return (annotation,)
    kinds = [bare_type(it) for it in get_args(annotation)]
    present = [it for it in kinds if it not in (NoneType, UnsetType)]
    may_be_absent = len(present) == 1 and (_is_struct(present[0]) or (present[0] is str and NoneType not in kinds))
    return present if may_be_absent else kinds


def _is_struct(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Struct)


def _shape(field: FieldDescriptorProto) -> tuple[object, ...]:
    return field.type, field.type_name, field.label, field.proto3_optional


def _camel(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def _json_name(name: str) -> str:
    """Return the JSON name of a field. It must be in the schema, because not all readers of schemas derive it."""
    camel = _camel(name)
    return camel[:1].lower() + camel[1:]
