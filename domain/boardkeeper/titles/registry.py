"""The titles that can be played. Nothing of a title is imported before somebody asks for it.

Several threads may be the first to ask, so one at a time imports: with two in different modules of one package, Python
may hand out a module of which only half is there.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType

from boardkeeper.table.title import Title, TitleMeta

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "orleans": "boardkeeper.titles.orleans",
        "paladins": "boardkeeper.titles.paladins",
        "stories": "boardkeeper.titles.stories",
    }
)
"""The package of each title, by the title's id."""

_one_at_a_time = threading.RLock()


@cache
def load_title(id: str) -> Title:
    """The rules and words of a title; raises ``KeyError`` for an unknown id."""
    package = TITLES[id]
    with _one_at_a_time:
        title: Title = import_module(f"{package}.title").TITLE
    return title


@cache
def load_meta(id: str) -> TitleMeta:
    """The catalogue entry of a title, without its rules; raises ``KeyError`` for an unknown id."""
    package = TITLES[id]
    with _one_at_a_time:
        meta: TitleMeta = import_module(f"{package}.meta").META
    return meta


def load_module(package: str, id: str) -> ModuleType:
    """The module of a title in a package that has one for each, named by the titles' ids.

    Raises ``KeyError`` for an unknown id, ``ModuleNotFoundError`` if the package has no module for it.
    """
    if id not in TITLES:
        raise KeyError(id)
    with _one_at_a_time:
        return import_module(f"{package}.{id}")


def list_metas() -> tuple[TitleMeta, ...]:
    """The catalogue entries of all titles, in the order of :data:`TITLES`."""
    return tuple(load_meta(id) for id in TITLES)
