"""Check the provenances in the tables of a title: claims joined by "; ", the most reliable first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_CLAIM = re.compile(
    r"(rulebook|derived\([a-z]+\)|public\(([A-Z0-9]+(?:, [A-Z0-9]+)*)\)"
    r"|reconstructed|knowledge\((?:low|medium|high)\))(: .+)?"
)
_KINDS = ("rulebook", "derived(rulebook)", "public", "derived", "knowledge", "reconstructed")
"""Kinds of claims, the most reliable first. ``derived(rulebook)`` is from the title's own rulebook."""


def claims(tables: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each provenance of the tables with its path."""
    for key, value in tables.items():
        if isinstance(value, dict):
            yield from claims(value, f"{path}.{key}")
        elif key.endswith("provenance"):
            yield f"{path}.{key}", value


def kinds(provenance: str) -> list[str]:
    """Return the kinds of the claims in a provenance."""
    return [
        "derived(rulebook)" if claim.startswith("derived(rulebook)") else re.split(r"[(:]", claim)[0]
        for claim in provenance.split("; ")
    ]


def sources(provenance: str) -> set[str]:
    """Return the keys of the public sources in a provenance."""
    return {key for keys in re.findall(r"public\(([^)]*)\)", provenance) for key in keys.split(", ")}


def assert_well_formed(tables: Mapping[str, Any]) -> None:
    """Check the form of each provenance. All claims but the first must say what they are about."""
    for path, provenance in claims(tables):
        parts = provenance.split("; ")
        for claim in parts:
            assert _CLAIM.fullmatch(claim), (path, claim)
        order = [_KINDS.index(kind) for kind in kinds(provenance)]
        assert order == sorted(order), (path, "the most reliable claim must come first")
        assert all(": " in part for part in parts[1:]) or kinds(provenance) == ["rulebook", "public"], (
            path,
            provenance,
        )
