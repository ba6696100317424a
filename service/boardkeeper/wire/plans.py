"""Plans: the conversion functions for a type, computed once for each type.

A struct and its message have the same field names, so a plan only contains the fields that need a conversion.
``encode`` converts a value to an argument of a message's constructor (a struct to a dictionary), so that a whole board
needs only one call of protobuf's C code; ``decode`` converts the value of a message's field back.

=====================  ============================================================
in the domain          on the wire
=====================  ============================================================
``int``                ``int32`` or ``int64``
``str``, ``bool``      ``string``, ``bool``
``dict[str, int]``     ``map<string, int32>``; values may be any of the three above
``tuple[T, ...]``      ``repeated``
a struct               the message of its name; absent is an error
a struct or ``None``   the message of its name; absent is ``None``
a union                a message with one oneof: structs by their names, scalars by type
=====================  ============================================================

A field whose default is not the zero of its type is ``optional`` on the wire, and absent means that default.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, TypeAlias, Union, cast, get_args, get_origin

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from msgspec import NODEFAULT, UNSET, Struct, UnsetType
from msgspec.structs import FieldInfo, asdict, fields

from boardkeeper.wire.errors import ConversionError

Convert: TypeAlias = Callable[[Any], Any]

Omitted: TypeAlias = Mapping[type[Struct], Mapping[str, object]]
"""Fields that are not in messages, by struct, each with its value after decoding."""

NOT_SET = "must be set to a value that this server knows"

_SCALARS: dict[object, frozenset[int]] = {
    int: frozenset({FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_INT64}),
    str: frozenset({FieldDescriptor.TYPE_STRING}),
    bool: frozenset({FieldDescriptor.TYPE_BOOL}),
}


def unchanged(value: Any) -> Any:
    """Return the value: it needs no conversion. Plans of structs do not call this function."""
    return value


@dataclass(frozen=True, slots=True)
class Plan:
    """The conversion of the values of one type."""

    encode: Convert = unchanged
    decode: Convert = unchanged


def descriptor_of(message: type[Message]) -> Descriptor:
    """Return the descriptor of a message type."""
    return cast(Descriptor, message.DESCRIPTOR)


def field_name(struct: type[Struct]) -> str:
    """Return the name of a struct's field in a oneof: ``place_follower`` for ``PlaceFollower``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", struct.__name__).lower()


def bare_type(annotation: Any) -> Any:
    """Return a type without its metadata: ``int`` for ``Annotated[int, …]``."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


# --- structs -------------------------------------------------------------------------------------------------


def plan_struct(struct: type[Struct], message: Descriptor, omitted: Omitted | None = None) -> Plan:
    """Return the plan of a struct and its message; raises ``TypeError`` if they do not match."""
    omitted = omitted or {}
    infos = fields(struct)
    left_out = omitted.get(struct, {})
    sent = [info for info in infos if info.name not in left_out]
    if struct.__name__ != message.name:
        raise TypeError(f"{struct.__name__} is not {message.full_name}")
    differing = {info.name for info in sent} ^ set(message.fields_by_name)
    if differing:
        names = ", ".join(sorted(differing))
        raise TypeError(
            f"{struct.__name__} and {message.full_name} differ in {names}; is the code of `make proto` old?"
        )
    plans = {info.name: _plan_field(info, message.fields_by_name[info.name], omitted) for info in sent}
    inserted = [(at, left_out[info.name]) for at, info in enumerate(infos) if info.name in left_out]
    return Plan(_struct_encoder(struct, plans, left_out), _struct_decoder(struct, sent, message, plans, inserted))


def _plan_field(info: FieldInfo, field: FieldDescriptor, omitted: Omitted) -> Plan:
    try:
        has_default = info.default is not NODEFAULT and bool(info.default)
        if has_default != _is_optional(field):
            raise TypeError("optional is for fields whose default is not the zero of their type")
        struct = _optional_struct(info.type)
        if struct is None:
            return _plan_value(bare_type(info.type), field, omitted)
        plan = _plan_value(struct, field, omitted)
        return Plan(_unless_absent(plan.encode, None), _unless_absent(plan.decode, _absent_value(info)))
    except TypeError as error:
        raise TypeError(f"{info.name} cannot be converted to {field.full_name}: {error}") from error


def _optional_struct(annotation: Any) -> Any:
    """Return the struct of a field that can also be ``None`` or unset; ``None`` for every other field."""
    absent = (NoneType, UnsetType)
    annotation = bare_type(annotation)
    if get_origin(annotation) not in (UnionType, Union) or not any(it in absent for it in get_args(annotation)):
        return None
    kinds = [bare_type(it) for it in get_args(annotation) if it not in absent]
    return kinds[0] if len(kinds) == 1 and isinstance(kinds[0], type) and issubclass(kinds[0], Struct) else None


def _unless_absent(convert: Convert, absent: Any) -> Convert:
    return lambda value: absent if value is None or value is UNSET else convert(value)


def _absent_value(info: FieldInfo) -> Any:
    """Return the value of a field whose optional struct is absent."""
    return UNSET if UnsetType in get_args(bare_type(info.type)) else None


def _struct_encoder(struct: type[Struct], plans: Mapping[str, Plan], left_out: Iterable[str]) -> Convert:
    converted = [(name, plan.encode) for name, plan in plans.items() if plan.encode is not unchanged]
    dropped = tuple(left_out)

    def encode(value: Struct) -> dict[str, Any]:
        if type(value) is not struct:
            raise ConversionError("", f"must be a {struct.__name__}, not a {type(value).__name__}")
        values = asdict(value)
        for name in dropped:
            del values[name]
        for name, convert in converted:
            try:
                values[name] = convert(values[name])
            except ConversionError as error:
                raise error.within(name) from None
        return values

    return encode


def _struct_decoder(
    struct: type[Struct],
    sent: Sequence[FieldInfo],
    message: Descriptor,
    plans: Mapping[str, Plan],
    inserted: Sequence[tuple[int, object]],
) -> Convert:
    descriptors = message.fields_by_name
    read = _reader([info.name for info in sent])
    build = _builder(struct)
    single = [(at, info) for at, info in enumerate(sent) if _is_single_message(descriptors[info.name])]
    required = [info.name for _, info in single if _optional_struct(info.type) is None]
    absent = [(at, info.name) for at, info in single if _optional_struct(info.type) is not None]
    optional = [(at, info.name, info.default) for at, info in enumerate(sent) if _is_optional(descriptors[info.name])]
    converted = [
        (at, name, plan.decode) for at, (name, plan) in enumerate(plans.items()) if plan.decode is not unchanged
    ]

    def decode(message: Any) -> Struct:
        for name in required:
            if not message.HasField(name):
                raise ConversionError(name, "is missing")
        values = read(message)
        for at, name, default in optional:
            if not message.HasField(name):
                values[at] = default
        for at, name in absent:
            if not message.HasField(name):
                values[at] = None
        for at, name, convert in converted:
            try:
                values[at] = convert(values[at])
            except ConversionError as error:
                raise error.within(name) from None
        for at, value in inserted:
            values.insert(at, value)
        return build(*values)

    return decode


def _builder(struct: type[Struct]) -> Callable[..., Struct]:
    """Return a function that makes the struct from the values of all fields in order, including keyword-only fields."""
    names = [info.name for info in fields(struct)]
    if len(struct.__match_args__) == len(names):
        return struct
    return lambda *values: struct(**dict(zip(names, values, strict=True)))


def _reader(names: Sequence[str]) -> Callable[[Any], list[Any]]:
    """Return a function that reads all attributes at once, which is faster than one by one."""
    if len(names) > 1:
        several = attrgetter(*names)
        return lambda message: list(several(message))
    return lambda message: [getattr(message, name) for name in names]


# --- unions --------------------------------------------------------------------------------------------------


def plan_union(alternatives: Iterable[object], message: Descriptor, omitted: Omitted | None = None) -> Plan:
    """Return the plan of a union and the oneof of a message; raises ``TypeError`` if they do not match."""
    if len(message.oneofs) != 1 or len(message.oneofs[0].fields) != len(message.fields):
        raise TypeError(f"{message.full_name} has more than one oneof")
    oneof = message.oneofs[0]
    by_type: dict[object, tuple[str, Convert]] = {}
    by_name: dict[str, Convert] = {}
    for alternative in map(bare_type, alternatives):
        field = _field_for(alternative, oneof.fields)
        plan = _plan_single(alternative, field, omitted or {})
        by_type[alternative] = field.name, plan.encode
        by_name[field.name] = plan.decode
    unknown = {field.name for field in oneof.fields} - set(by_name)
    if unknown:
        raise TypeError(f"{message.full_name} has fields without a type: {', '.join(sorted(unknown))}")
    return Plan(_union_encoder(by_type, message.full_name), _union_decoder(oneof.name, by_name))


def _field_for(alternative: object, offered: Iterable[FieldDescriptor]) -> FieldDescriptor:
    for field in offered:
        if isinstance(alternative, type) and issubclass(alternative, Struct):
            if field.name == field_name(alternative):
                return field
        elif field.type in _SCALARS[alternative]:
            return field
    raise TypeError(f"there is no field for {alternative}")


def _union_encoder(by_type: Mapping[object, tuple[str, Convert]], full_name: str) -> Convert:
    def encode(value: object) -> dict[str, Any]:
        found = by_type.get(type(value))
        if found is None:
            raise ConversionError("", f"cannot be a {type(value).__name__}, as {full_name} has no such value")
        name, convert = found
        try:
            return {name: convert(value)}
        except ConversionError as error:
            raise error.within(name) from None

    return encode


def _union_decoder(oneof: str, by_name: Mapping[str, Convert]) -> Convert:
    def decode(message: Any) -> Any:
        name = message.WhichOneof(oneof)
        if name is None:
            raise ConversionError(oneof, NOT_SET)
        try:
            return by_name[name](getattr(message, name))
        except ConversionError as error:
            raise error.within(name) from None

    return decode


# --- values --------------------------------------------------------------------------------------------------


def _plan_value(annotation: Any, field: FieldDescriptor, omitted: Omitted) -> Plan:
    origin = get_origin(annotation)
    if origin is dict:
        return _plan_map(annotation, field)
    if origin is tuple:
        item, *rest = get_args(annotation)
        if rest != [...] or not field.is_repeated or _is_map(field):
            raise TypeError(f"{annotation} is not a repeated field")
        return _plan_items(_plan_single(bare_type(item), field, omitted))
    if field.is_repeated:
        raise TypeError(f"{annotation} is not repeated")
    return _plan_single(annotation, field, omitted)


def _plan_single(annotation: Any, field: FieldDescriptor, omitted: Omitted) -> Plan:
    """Return the plan for one value of a field."""
    if annotation == str | UnsetType:  # an unset string of an older event is sent as an empty one
        _plan_single(str, field, omitted)
        return Plan(encode=lambda text: text or "", decode=lambda text: text or UNSET)
    if annotation in _SCALARS:
        if field.type not in _SCALARS[annotation]:
            raise TypeError(f"the field is no {annotation.__name__}")
        return Plan()
    if field.message_type is None:
        raise TypeError("the field is no message")
    if get_origin(annotation) in (UnionType, Union):
        return plan_union(get_args(annotation), field.message_type, omitted)
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return plan_struct(annotation, field.message_type, omitted)
    raise TypeError(f"no conversion for {annotation}")


def _plan_map(annotation: Any, field: FieldDescriptor) -> Plan:
    key, value = map(bare_type, get_args(annotation))
    if not _is_map(field) or field.message_type is None:
        raise TypeError("the field is no map")
    entry = field.message_type.fields_by_name
    if key is not str or entry["key"].type not in _SCALARS[str] or entry["value"].type not in _SCALARS.get(value, ()):
        raise TypeError(f"the map does not match {annotation}")
    return Plan(decode=dict)


def _plan_items(item: Plan) -> Plan:
    return Plan(
        encode=unchanged if item.encode is unchanged else _each(item.encode, list),
        decode=tuple if item.decode is unchanged else _each(item.decode, tuple),
    )


def _each(convert: Convert, collect: Callable[[list[Any]], Any]) -> Convert:
    def convert_all(items: Iterable[Any]) -> Any:
        done: list[Any] = []
        try:
            for item in items:
                done.append(convert(item))  # noqa: PERF401  # len(done) is the index of an item that fails
        except ConversionError as error:
            raise error.within(f"[{len(done)}]") from None
        return collect(done)

    return convert_all


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _is_single_message(field: FieldDescriptor) -> bool:
    return field.message_type is not None and not field.is_repeated


def _is_optional(field: FieldDescriptor) -> bool:
    return field.has_presence and field.message_type is None
