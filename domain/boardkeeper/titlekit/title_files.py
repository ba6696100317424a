"""The tables of an edition as a title's files have them: what boards, cards and tiles say, readable without its rules.

A title's package has a ``components.toml`` and, for each edition, an ``editions/<edition>.toml`` that overrides it:
where both have a table, key by key, else the edition's value stands in for the other.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Text


def read_toml(package: str, *path: str) -> dict[str, Any]:
    """A TOML file of a package; raises ``FileNotFoundError``."""
    table: dict[str, Any] = _shared(tomllib.loads(files(package).joinpath(*path).read_text("utf-8")))
    return table


def _shared(value: Any) -> Any:
    """The same with one string for equal ones: rules look ids up all day long, and then need not compare letters."""
    if isinstance(value, str):
        return sys.intern(value)
    if isinstance(value, list):
        return [_shared(each) for each in value]
    if isinstance(value, dict):
        return {sys.intern(key): _shared(each) for key, each in value.items()}
    return value


@lru_cache(maxsize=64)
def tables_of(package: str, edition: str) -> dict[str, Any]:
    """The raw tables of an edition: the base with its overrides, not to be changed; raises ``ValueError``."""
    if not (files(package) / "editions" / f"{edition}.toml").is_file():
        raise ValueError(f"{package.rpartition('.')[2]} has no edition {edition!r}")
    return merged(read_toml(package, "components.toml"), read_toml(package, "editions", f"{edition}.toml"))


def merged(base: Mapping[str, Any], override: Mapping[str, Any]) -> dict[str, Any]:
    """Tables with others over them: where both have a table, key by key, else the override's value."""
    both = dict(base)
    for key, value in override.items():
        are_tables = isinstance(value, dict) and isinstance(base.get(key), dict)
        both[key] = merged(base[key], value) if are_tables else value
    return both


def text_of(table: Mapping[str, Any]) -> Text:
    """What a table says in every language; raises ``KeyError`` if it lacks one."""
    return {language: table[language] for language in LANGUAGES}
