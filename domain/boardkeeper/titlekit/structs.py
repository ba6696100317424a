"""Collect the structs that a module declares or imports."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


def structs_in(names: Mapping[str, object], *besides: type[Struct]) -> tuple[type[Struct], ...]:
    """Return the structs among the names of a module, in their order. ``besides`` are left out."""
    return tuple(
        value
        for value in names.values()
        if isinstance(value, type) and issubclass(value, Struct) and value not in (Struct, *besides)
    )
