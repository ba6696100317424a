"""Read entries of TOML tables as structs. The types and constraints of the fields say which values are allowed.

An entry is one card, tile or place of a table, such as ``[places.farm]``. Declare its struct with
``forbid_unknown_fields=True``, so that misspelt keys are found; check fields that depend on each other in the
struct's ``__post_init__``, by raising ``ValueError``. Names and provenance, which all entries have, need no fields:
see :class:`Naming`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from boardkeeper.table.decoding import convert

T = TypeVar("T")

NonBlank = Annotated[str, Meta(pattern=r"\S")]
"""A text with at least one visible character."""

Count = Annotated[int, Meta(ge=1)]
"""A number from 1 up. The default of an optional field may still be 0, which then means "missing"."""

_ONE_OF = re.compile(r"expected `str` matching regex '\^\(([^()]*)\)\$'")
_LOCATION = re.compile(r" - at (?:`key` in )?`\$(.*)`$")


class Naming(Struct, frozen=True, kw_only=True):
    """The names of an entry for the catalogue, and the provenance of its facts."""

    en: NonBlank
    de: NonBlank
    provenance: NonBlank
    also_called: list[str] = []
    en_provenance: NonBlank = ""
    de_provenance: NonBlank = ""


def one_of(*words: str) -> Meta:
    """Return the constraint that a text is one of some words, for use in ``Annotated``."""
    return Meta(pattern=f"^({'|'.join(map(re.escape, words))})$")


def facts(entry: Mapping[str, Any], kind: object = None) -> dict[str, Any]:
    """Return an entry without its names and provenance, unless ``kind`` is a struct with fields for them."""
    naming = set(Naming.__struct_fields__) - set(getattr(kind, "__struct_fields__", ()))
    return {key: value for key, value in entry.items() if key not in naming}


def read_entry(path: str, entry: Any, kind: type[T], **fields: object) -> T:
    """Convert an entry's facts and further ``fields`` to a struct (or another type).

    ``path`` names the entry in errors. Raises ``ValueError`` with the path of the wrong field and the expected value.
    """
    return _read(path, {**facts(entry, kind), **fields} if isinstance(entry, dict) else entry, kind)


def read_names(path: str, entry: Any) -> Naming:
    """Return the names and provenance of an entry; raises ``ValueError`` like :func:`read_entry`."""
    return _read(path, entry, Naming)


def _read(path: str, value: object, kind: type[T]) -> T:
    try:
        return convert(value, kind)
    except msgspec.ValidationError as error:
        where, message = _LOCATION.search(str(error)), _LOCATION.sub("", str(error))
        message = _ONE_OF.sub(
            lambda found: f"must be one of {found[1].replace('|', ', ')}", message[:1].lower() + message[1:]
        )
        raise ValueError(f"{path}{where[1] if where else ''}: {message}") from None


def read_entries(path: str, table: Mapping[str, Any], kind: type[T]) -> dict[str, T]:
    """Read all entries of a table by id; a struct with a field ``id`` gets it. Raises ``ValueError``."""
    has_id = "id" in getattr(kind, "__struct_fields__", ())
    return {
        id: read_entry(f"{path}.{id}", entry, kind, **({"id": id} if has_id else {})) for id, entry in table.items()
    }


def check_partners(words: Collection[str], partners: Mapping[str, Collection[str]]) -> None:
    """Raise ``ValueError`` for a word that needs a partner and has none.

    ``partners`` has the possible partners of each word that needs one.
    """
    for word in words:
        if word in partners and not set(partners[word]) & set(words):
            raise ValueError(f"`{word}` needs `{'` or `'.join(partners[word])}` beside it")
