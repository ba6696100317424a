"""Read the TOML files of a title: the facts of its boards, cards and tiles.

The package of a title has a ``components.toml``, and for each edition an ``editions/<edition>.toml`` that overrides it:
tables are merged key by key, other values are replaced.
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
    """Read a TOML file of a package; raises ``FileNotFoundError``."""
    table: dict[str, Any] = _interned(tomllib.loads(files(package).joinpath(*path).read_text("utf-8")))
    return table


def _interned(value: Any) -> Any:
    """Return a copy with interned strings, which makes look-ups of ids fast."""
    if isinstance(value, str):
        return sys.intern(value)
    if isinstance(value, list):
        return [_interned(each) for each in value]
    if isinstance(value, dict):
        return {sys.intern(key): _interned(each) for key, each in value.items()}
    return value


@lru_cache(maxsize=64)
def tables_of(package: str, edition: str) -> dict[str, Any]:
    """Return the tables of an edition, which callers must not change; raises ``ValueError`` for an unknown edition."""
    if not (files(package) / "editions" / f"{edition}.toml").is_file():
        raise ValueError(f"{package.rpartition('.')[2]} has no edition {edition!r}")
    return merge_tables(read_toml(package, "components.toml"), read_toml(package, "editions", f"{edition}.toml"))


def merge_tables(base: Mapping[str, Any], override: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``base`` with the values of ``override``. Tables are merged key by key."""
    both = dict(base)
    for key, value in override.items():
        are_tables = isinstance(value, dict) and isinstance(base.get(key), dict)
        both[key] = merge_tables(base[key], value) if are_tables else value
    return both


def text_of(table: Mapping[str, Any]) -> Text:
    """Return the text of a table in every language; raises ``KeyError`` if it lacks one."""
    return {language: table[language] for language in LANGUAGES}
