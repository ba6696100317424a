"""Which effects and visibilities there are: said in many places, each read from its source, all alike."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from boardkeeper.game import record_bounds
from boardkeeper.table import effects
from boardkeeper.table.effects import Effect
from boardkeeper.table.layout import MAX_SEATS
from boardkeeper.table.visibility import is_visibility
from boardkeeper.v1 import effect_pb2
from build_web import node

EFFECTS = {kind.__struct_config__.tag: len(kind.__struct_fields__) for kind in get_args(Effect)}
"""The number of elements after each tag."""

VISIBILITIES = ["public", "seat.N", "seats.A.B…", "count", "secret.N", "nobody", "as:M"]


def text(repository: Path, name: str) -> str:
    return (repository / name).read_text("utf-8")


# --- effects ---------------------------------------------------------------------------------------------------


def of_record(repository: Path) -> dict[str, int]:
    """The table of section 2.3."""
    rows = re.findall(r"^\| `\[\"(\w)\", (.*)\]` \|", text(repository, "docs/record.md"), re.MULTILINE)
    return {tag: _elements(rest) for tag, rest in rows}


def _elements(listed: str) -> int:
    return len(re.sub(r"\[.*?\]", "list", listed).split(", "))


def of_schema(repository: Path) -> dict[str, int]:
    found = json.loads(text(repository, "docs/record.schema.json"))["$defs"]["effect"]["oneOf"]
    assert all(it["minItems"] == it["maxItems"] == len(it["prefixItems"]) for it in found)
    return {it["prefixItems"][0]["const"]: len(it["prefixItems"]) - 1 for it in found}


def of_bounds(_: Path) -> dict[str, int]:
    return {str(kind.__struct_config__.tag): len(kind.__struct_fields__) for kind in record_bounds.EFFECTS}


def of_verifier(repository: Path) -> dict[str, int]:
    """The pattern of the verifier in TypeScript, and the tags that its draws and moves look for."""
    source = re.search(
        r"const EFFECT = pattern\((.*?)\);", text(repository, "clients/typescript/src/verifier/bounds.ts"), re.DOTALL
    )
    assert source is not None
    parts = re.findall(r'[(|]"(\w)",((?:\$\{\w+\},?)+)', re.sub(r"`\s*\+ `", "", source[1]))
    return {tag: rest.count("${") for tag, rest in parts}


def of_proto(_: Path) -> dict[str, int]:
    """Fields of the messages are elements. The classes of effects have the tags of their names."""
    tags = {kind.__name__.lower(): kind.__struct_config__.tag for kind in get_args(Effect)}
    found = effect_pb2.Effect.DESCRIPTOR.oneofs_by_name["effect"].fields
    messages = {field.name: field.message_type for field in found}
    return {tags.get(name, name): len(it.fields) if it is not None else 0 for name, it in messages.items()}


def of_stored_events(repository: Path) -> dict[str, int]:
    """``docs/events.md`` names the tags alone."""
    sentence = re.search(r"Effects are arrays with a tag (.*?):", text(repository, "docs/events.md"), re.DOTALL)
    assert sentence is not None
    return {tag: EFFECTS.get(tag, 0) for tag in re.findall(r"`(\w)`", sentence[1])}


@pytest.mark.parametrize(
    "source", [of_record, of_schema, of_bounds, of_verifier, of_proto, of_stored_events], ids=lambda it: it.__name__
)
def test_every_place_has_the_same_effects(repository: Path, source: Callable[[Path], dict[str, int]]) -> None:
    assert source(repository) == EFFECTS


def test_effects_of_the_domain_are_all_of_one_union() -> None:
    own = {it for it in vars(effects).values() if isinstance(it, type) and issubclass(it, msgspec.Struct)}
    assert own - {msgspec.Struct, effects.Event} == set(get_args(Effect))


# --- visibilities: where they are listed -----------------------------------------------------------------------


def listed_in_record(repository: Path) -> list[str]:
    page = text(repository, "docs/record.md")
    table = page[page.index("| visibility | meaning |") : page.index("In `game.Undone`, a subject")]
    return re.findall(r"^\| `(.*?)` \|", table, re.MULTILINE)


def listed_in_proto(repository: Path) -> list[str]:
    source = text(repository, "proto/boardkeeper/v1/effect.proto")
    return re.findall(r'^  // - "(.*?)":', source, re.MULTILINE)


def listed_in_events(repository: Path) -> list[str]:
    sentence = re.search(r"Visibilities are (.*?) \(", text(repository, "docs/events.md"), re.DOTALL)
    assert sentence is not None
    return re.findall(r"`(.*?)`", sentence[1])


def listed_in_domain(repository: Path) -> list[str]:
    source = (repository / "domain/boardkeeper/table/visibility.py").read_text(encoding="utf-8")
    return re.findall(r"^\* ``(.*?)``", source, re.MULTILINE)


@pytest.mark.parametrize(
    "source", [listed_in_record, listed_in_proto, listed_in_events, listed_in_domain], ids=lambda it: it.__name__
)
def test_every_page_lists_the_same_visibilities(repository: Path, source: Callable[[Path], list[str]]) -> None:
    listed = source(repository)
    assert sorted(listed) == sorted(VISIBILITIES)
    for word in listed:
        assert is_visibility(_example(word), ("M",), 16), word


def _example(word: str) -> str:
    return word.replace("A.B…", "2.10").replace("N", "2")


# --- visibilities: accepted patterns ---------------------------------------------------------------------------


def accepted_by_schema(repository: Path) -> str:
    found: str = json.loads(text(repository, "docs/record.schema.json"))["$defs"]["visibility"]["pattern"]
    return found


def accepted_by_bounds(_: Path) -> str:
    (meta,) = record_bounds.Visibility.__metadata__  # type: ignore[attr-defined]
    assert isinstance(meta.pattern, str)
    return meta.pattern


def accepted_by_verifier(repository: Path) -> str:
    """The template literals of the verifier in TypeScript, put together."""
    source = text(repository, "clients/typescript/src/verifier/bounds.ts")
    seats = "".join(rf"(\.{seat})?" for seat in range(1, 17))
    known: dict[str, str] = {"WORD": r"[ !#-[\]-~]", "SEAT": "([1-9]|1[0-6])"}
    assert f"const WORD = '{known['WORD'].replace(chr(92), chr(92) * 2)}';" in source
    assert f'"{known["SEAT"]}"' in source
    numbered = 'Array.from({ length: 16 }, (_, at) => `(\\\\.${at + 1})?`).join("")'
    for name in ("SEATS", "VISIBILITY"):
        literal = re.search(rf"const {name} = `(.*)`;", source)
        assert literal is not None
        unfolded = literal[1].replace(f"${{{numbered}}}", seats).replace("\\\\", "\\")
        known[name] = re.sub(r"\$\{(\w+)\}", lambda found: known[found[1]], unfolded)
    return "^" + known["VISIBILITY"].strip('"') + "$"


def words() -> set[str]:
    numbers = ["0", "1", "2", "02", "9", "10", "15", "16", "17", "", "x", "²"]
    some = {f"{kind}.{number}" for kind, number in product(["seat", "secret", "seats", "count", "as"], numbers)}
    some |= {f"seats.{one}.{other}" for one, other in product(numbers, numbers)}
    some |= {f"seats.{one}.{two}.{three}" for one, two, three in product(numbers[1:10], repeat=3)}
    some |= {"seats." + ".".join(map(str, range(first, 17))) for first in range(1, 17)}
    some |= {f"seat.{one}.{other}" for one, other in product(numbers, numbers)}
    return some | {"", "public", "Public", "count", "nobody", "everybody", "seat", "seats", "as:", "as:M", "public.1"}


@pytest.mark.parametrize(
    "source", [accepted_by_schema, accepted_by_bounds, accepted_by_verifier], ids=lambda it: it.__name__
)
def test_every_pattern_accepts_the_same_visibilities(repository: Path, source: Callable[[Path], str]) -> None:
    pattern = source(repository)
    accepted = {word for word in words() if re.search(pattern.removesuffix("$") + r"(?!\n)$", word)}
    assert accepted == {word for word in words() if is_visibility(word, ("M",), MAX_SEATS)}
    assert {_example(word) for word in VISIBILITIES} <= accepted


def test_the_verifier_accepts_the_same_visibilities_in_node(repository: Path, dist: Path) -> None:
    """Checks that this module combines the patterns like the verifier does."""
    source = f"""
        import {{ readFileSync }} from "node:fs";
        import {{ isBounded }} from "{(dist / "bounds.js").as_uri()}";
        const line = (word) => ({{ seat: 0, command_id: "", time: 0, given: null, event: {{ topic: "t.T", detail: {{}},
          effects: [["v", "card", "public", word]] }} }});
        const words = JSON.parse(readFileSync(0, "utf8"));
        console.log(JSON.stringify(words.filter((word) => isBounded(line(word), 2))));
    """
    candidates: Any = json.dumps(sorted(words()))
    command = [str(node()), "--input-type=module", "--eval", source]
    done = subprocess.run(
        command, input=candidates, capture_output=True, text=True, timeout=60, check=True, encoding="utf-8"
    )
    assert set(json.loads(done.stdout)) == {it for it in words() if is_visibility(it, ("M",), MAX_SEATS)}
