"""How sure each fact of a title's tables is: claims joined by "; ", in one form, the surest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_CLAIM = re.compile(
    r"(rulebook|derived\([a-z]+\)|public\(([A-Z0-9]+(?:, [A-Z0-9]+)*)\)"
    r"|reconstructed|knowledge\((?:low|medium|high)\))(: .+)?"
)
_KINDS = ("rulebook", "derived(rulebook)", "public", "derived", "knowledge", "reconstructed")
"""The surest first; ``derived`` from another title's rulebook is less sure than from the own."""


def claims(tables: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Every provenance of the tables, with its path."""
    for key, value in tables.items():
        if isinstance(value, dict):
            yield from claims(value, f"{path}.{key}")
        elif key.endswith("provenance"):
            yield f"{path}.{key}", value


def kinds(provenance: str) -> list[str]:
    """What kinds of claims a provenance has."""
    return [
        "derived(rulebook)" if claim.startswith("derived(rulebook)") else re.split(r"[(:]", claim)[0]
        for claim in provenance.split("; ")
    ]


def sources(provenance: str) -> set[str]:
    """The keys of the public sources that a provenance names."""
    return {key for keys in re.findall(r"public\(([^)]*)\)", provenance) for key in keys.split(", ")}


def assert_well_formed(tables: Mapping[str, Any]) -> None:
    """Every provenance has the form that clients can read, and says of each further claim what it is about."""
    for path, provenance in claims(tables):
        parts = provenance.split("; ")
        for claim in parts:
            assert _CLAIM.fullmatch(claim), (path, claim)
        order = [_KINDS.index(kind) for kind in kinds(provenance)]
        assert order == sorted(order), (path, "the surest comes first")
        assert all(": " in part for part in parts[1:]) or kinds(provenance) == ["rulebook", "public"], (
            path,
            provenance,
        )
