"""Every field of a record has bounds, and the reader and the published schema agree on them."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from msgspec import Struct, inspect
from tests.game.records import ORLEANS, finished_game, game_with_undos

from boardkeeper.game import record as lines
from boardkeeper.game import record_bounds
from boardkeeper.game.events import GAME_EVENTS
from boardkeeper.game.record import VERSIONS, canonical
from boardkeeper.game.record_reading import MalformedError, parse_header, parse_line, parse_seal
from boardkeeper.game.time_control import TimeControl
from boardkeeper.table import decoding, effects, layout
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.testkit.games import record
from boardkeeper.titlekit.title import Setup

MIRRORED: tuple[type[Struct], ...] = (
    *(lines.Header, lines.EventForm, lines.Commands, lines.EventLine, lines.Seal),
    *GAME_EVENTS,
    *(layout.ZoneSpec, layout.MarkerSpec, layout.TableLayout, Setup, TimeControl),
    *(effects.Move, effects.Set, effects.Ask, effects.Draw, effects.Shuffle, effects.Reveal),
)
TITLE_FIELDS = {"EventForm.detail", "Commands.commands[][1]"}
"""Fields that the rules of the title bound."""


# --- no field without bounds -----------------------------------------------------------------------------------


def unbounded(kind: inspect.Type, where: str) -> Iterator[str]:
    """Yield the places in a type where texts, numbers or lists have no limit."""
    match kind:
        case inspect.StrType(max_length=None, pattern=None):
            yield f"{where}: a text"
        case inspect.IntType(ge=ge, le=le) if ge is None or le is None:
            yield f"{where}: a number"
        case inspect.UnionType(types=types):
            for each in types:
                yield from unbounded(each, where)
        case inspect.DictType() if not isinstance(kind.value_type, inspect.AnyType):
            if kind.max_length is None:
                yield f"{where}: a mapping"
            yield from unbounded(kind.key_type, f"{where}{{}}")
            yield from unbounded(kind.value_type, f"{where}{{}}")
        case inspect.VarTupleType():
            if kind.max_length is None and where != "EventForm.effects":  # limited by the length of a line
                yield f"{where}: a list"
            yield from unbounded(kind.item_type, f"{where}[]")
        case inspect.TupleType():
            for at, each in enumerate(kind.item_types):
                yield from unbounded(each, f"{where}[{at}]")
        case inspect.AnyType() | inspect.FloatType() | inspect.BytesType() | inspect.ListType() | inspect.DictType():
            if where not in TITLE_FIELDS:
                yield f"{where}: anything"
        case inspect.StructType(cls=cls) if cls not in SEEN:
            SEEN.add(cls)
            for field in kind.fields:
                yield from unbounded(field.type, f"{cls.__name__}.{field.name}")


SEEN: set[type] = set()


def test_every_field_has_bounds() -> None:
    SEEN.clear()
    kinds = [*record_bounds.LINES.values(), *record_bounds.DETAILS.values()]
    assert [it for kind in kinds for it in unbounded(inspect.type_info(kind), "")] == []
    assert {kind.__name__ for kind in SEEN} == {kind.__name__ for kind in MIRRORED}


def test_bounds_must_have_the_fields_of_their_struct() -> None:
    with pytest.raises(TypeError, match="Reveal"):
        decoding.bound(effects.Reveal, subject=record_bounds.Id, before=record_bounds.Visibility)


# --- the published schema --------------------------------------------------------------------------------------

LIMITS = ("minimum", "maximum", "minItems", "maxItems", "maxProperties", "required")
EXACT = {"$.record": {"const": "boardkeeper-record"}, "$.format": {"enum": [1, 2]}}
"""Fields for which the schema lists the values, and which the reader checks after the bounds."""

OPTIONAL = {"forked_game", "forked_version"}
"""The published schema does not require these fields of ``GameCreated``, which the reader requires."""


def compare(bounds: Any, schema: Any, where: str, components: Any, definitions: Any) -> Iterator[str]:
    """Yield the places where the JSON Schema of a bounded struct and the published one accept different values."""
    if "$ref" in bounds:
        bounds = components[bounds["$ref"].rpartition("/")[2]]
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    if where in EXACT:
        if schema != EXACT[where]:
            yield where
        return
    if "enum" in schema:
        schema = {"type": "string", "pattern": f"^({'|'.join(schema['enum'])})$"}
    if isinstance(schema.get("type"), list):
        schema = {"oneOf": [{"type": each} for each in schema["type"]]}
    one, other = (it.get("anyOf") or it.get("oneOf") for it in (bounds, schema))
    if one or other:
        kinds = [
            {kind_of(it, refs): it for it in each or ()} for each, refs in ((one, components), (other, definitions))
        ]
        if kinds[0].keys() != kinds[1].keys():
            yield f"{where}: {sorted(kinds[0])} and {sorted(kinds[1])}"
            return
        for kind, each in kinds[0].items():
            yield from compare(each, kinds[1][kind], f"{where}<{kind}>", components, definitions)
        return
    if "prefixItems" in bounds:  # msgspec ignores more items, but the canonical form does not allow them
        bounds = {**bounds, "maxItems": len(bounds["prefixItems"])}
    for limit in LIMITS:
        found, published = bounds.get(limit), schema.get(limit)
        if limit == "required":
            found, published = sorted(set(found or ()) - OPTIONAL), sorted(set(published or ()) - OPTIONAL)
        if found != published and not (limit == "minItems" and not found and not published):
            yield f"{where}: {limit} {found} and {published}"
    if pattern_of(bounds) != pattern_of(schema):
        yield f"{where}: pattern {pattern_of(bounds)} and {pattern_of(schema)}"
    if bounds.get("enum", [None])[0] != schema.get("const"):
        yield f"{where}: the tag"
    for name, field in bounds.get("properties", {}).items():
        yield from compare(field, schema["properties"][name], f"{where}.{name}", components, definitions)
    if bounds.get("properties", {}).keys() != schema.get("properties", {}).keys():
        yield f"{where}: other fields"
    for at, (mine, published) in enumerate(
        zip(bounds.get("prefixItems", ()), schema.get("prefixItems", ()), strict=True)
    ):
        yield from compare(mine, published, f"{where}[{at}]", components, definitions)
    for name in ("items", "additionalProperties", "propertyNames"):
        mine, published = bounds.get(name), schema.get(name)
        if isinstance(mine, dict) and mine:
            yield from compare(mine, published, f"{where}/{name}", components, definitions)


def kind_of(schema: Any, references: Any) -> str:
    """Return the JSON type of an alternative, or the tag of an effect."""
    if "$ref" in schema:
        schema = references[schema["$ref"].rpartition("/")[2]]
    if "prefixItems" in schema:
        tag = schema["prefixItems"][0]
        return str(tag.get("const") or tag["enum"][0])
    return str(schema["type"])


def pattern_of(schema: Any) -> str:
    """Return a pattern without an outer group, with the end anchor of JSON Schema."""
    pattern = schema.get("pattern", "").replace(r"\Z", "$")
    return re.sub(r"^\^\((.*)\)\$$", r"^\1$", pattern) if is_grouped(pattern) else pattern


def is_grouped(pattern: str) -> bool:
    """Return whether one group spans the whole pattern."""
    depth = 0
    for at, character in enumerate(pattern[1:-1], 1):
        depth += (character == "(") - (character == ")")
        if depth == 0 and at < len(pattern) - 2:
            return False
    return pattern.startswith("^(")


def test_the_schema_has_the_bounds_of_every_field(repository: Path) -> None:
    published = json.loads((repository / "docs/record.schema.json").read_text("utf-8"))
    definitions = published["$defs"]
    topics = {
        topic: case["then"]["properties"]["detail"]
        for case in definitions["form"]["allOf"]
        for condition in [case["if"]["properties"]["topic"]]
        for topic in condition.get("enum") or [condition["const"]]
    }
    pairs = [
        (kind, definitions[{"EventLine": "event"}.get(line.__name__, line.__name__.lower())])
        for line, kind in record_bounds.LINES.items()
    ]
    pairs += [(kind, topics[topic]) for topic, kind in record_bounds.DETAILS.items()]
    for kind, schema in pairs:
        (root,), components = msgspec.json.schema_components([kind])
        assert list(compare(root, schema, "$", components, definitions)) == [], kind.__name__


# --- hostile values --------------------------------------------------------------------------------------------

TEXTS = ("x" * 3000, "\x1b[2J", "a\nb", "\u202eevil", "\x9b31m", "a\x00", "\ud7ffé")
ODD: tuple[Any, ...] = ([], {"a": 1}, [[[[]]]])
NUMBERS = (-1, -(2**53) + 1, 2**31, 2**53 - 1)

Place = tuple[str | int, ...]


def leaves(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield the path and value of every text and number."""
    if isinstance(value, dict):
        for name, it in value.items():
            yield from leaves(it, (*place, name))
    elif isinstance(value, list):
        for at, it in enumerate(value):
            yield from leaves(it, (*place, at))
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield place, value


def is_title_field(line: Any, place: Place) -> bool:
    """Return whether the rules of the title bound a value."""
    topic = line.get("event", {}).get("topic", "")
    return (place[:2] == ("event", "detail") and not topic.startswith("game.")) or (
        place[:2] == ("given", "commands") and len(place) > 4
    )


def field_of(line: Any, place: Place) -> object:
    """Return the field of a value, independent of its line and index. Each field is tried once."""
    event = line.get("event", {})
    kind = event["effects"][place[2]][0] if place[:2] == ("event", "effects") else event.get("topic", sorted(line))
    own = place[:2] in (("event", "effects"), ("event", "detail")) or not event
    positions = place[3:] if place[:2] == ("event", "effects") else ()  # of an effect each element is a field
    return str(kind) if own else "", tuple("" if isinstance(it, int) else it for it in place), positions


def replace_value(line: Any, place: Place, value: Any) -> Any:
    other = copy.deepcopy(line)
    at = other
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = value
    return other


def examples() -> list[Any]:
    """Return a line for each topic and set of effects, with one effect of each kind, and headers and seals."""
    found: dict[str, Any] = {}
    for events in (finished_game(1, ORLEANS), game_with_undos(3)):
        for raw in record(events):
            line = json.loads(raw)
            topic = line["event"]["topic"] if "event" in line else f"line of {len(line)}"
            if "event" in line:
                kinds = {effect[0]: effect for effect in line["event"]["effects"]}
                line["event"]["effects"] = list(kinds.values())
                detail = line["event"]["detail"]
                if topic == "game.GameCreated":
                    detail["layout"]["zones"] = [zone for zone in detail["layout"]["zones"] if zone[2] or zone[5]][:3]
                    detail["layout"]["markers"] = detail["layout"]["markers"][:2]
                    detail["setup"]["readings"] = dict(list(detail["setup"]["readings"].items())[:2])
            found.setdefault(f"{topic} {''.join(sorted(kinds)) if 'event' in line else ''}", line)
    return list(found.values())


def read_error(line: Any) -> str:
    """Return the error of the reader for a line, or an empty string."""
    raw = canonical(line) + b"\n"
    try:
        if "event" in line:
            first = line["event"]["topic"] == "game.GameCreated"
            parse_line(raw, OPERATOR, 0 if first else len(line["parts"]) - 2, VERSIONS[-1])
        elif "record" in line:
            parse_header(raw)
        else:
            parse_seal(raw)
    except MalformedError as error:
        return str(error)
    return ""


def hostile_values(old: object) -> Iterator[tuple[Any, bool]]:
    """Yield hostile values, and whether they are invalid in every field that can have the old value."""
    yield from ((text, isinstance(old, str)) for text in TEXTS)
    yield from ((number, isinstance(old, int) and abs(number) > 2**33) for number in NUMBERS)
    yield from ((odd, False) for odd in ODD)


def test_the_reader_and_the_schema_reject_hostile_values(repository: Path) -> None:
    schema = Draft202012Validator(json.loads((repository / "docs/record.schema.json").read_text("utf-8")))
    tried = 0
    seen: set[object] = set()
    for line in examples():
        assert read_error(line) == "", line
        assert schema.is_valid(line)
        for place, old in leaves(line):
            field = field_of(line, place)
            if is_title_field(line, place) or field in seen:
                continue
            seen.add(field)
            for at, (value, is_invalid) in enumerate(hostile_values(old)):
                other = replace_value(line, place, value)
                error = read_error(other)
                assert error or not is_invalid, (place, value)
                tried += is_invalid
                if (at + len(seen)) % 4 == 0:  # the schema is slow: check a quarter of the combinations
                    assert bool(error) != schema.is_valid(other) or is_about_several_fields(error), (
                        place,
                        value,
                        error,
                    )
    assert tried > 500


def is_about_several_fields(error: str) -> bool:
    """Return whether an error is about a combination of fields, which the schema cannot express."""
    texts = ("an id twice", "numbers of seats", "a fork of no game", "a seat", "has no topic", "unknown visibility")
    return any(text in error for text in texts)
