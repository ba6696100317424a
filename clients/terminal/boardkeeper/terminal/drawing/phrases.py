"""The values of components as phrases: ``recruit: knight`` of the catalogue is "recruit Knight".

A title's package can have a file ``terminal.toml`` with phrases in the languages of the client. Values without a phrase
are not shown then. Without the file, all values are shown, by their keys.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from boardkeeper.terminal.drawing.words import LANGUAGES

FILE = "terminal.toml"
SPOKEN = ("facts", "words", "now", "next")
"""The tables of the file that have texts in each language."""
LINKS = ("rows", "spaces", "details", "times", "compared", "adds")
"""The tables that name components, zones and kinds."""
_TITLE = re.compile(r"[a-z][a-z0-9_]*")
_INTERNAL = re.compile(r"(.*_)?(provenance|in_box|each_seat|also_called|origin|seat|colou?r|x|y|name|kind|type|count)")

Name = Callable[[str], str]


@dataclass(frozen=True)
class Phrases:
    """The phrases of a title in one language.

    ``facts`` has a phrase for each key, in the order in which they are shown: ``{}`` is the value. ``key.value`` is for
    one value, ``key.n`` for any number, ``kind.key`` for one kind of component. A phrase with two ``{}`` is about
    pairs: the keys and values of an object, or the entries of a list. ``words`` names ids in these phrases, and ids
    that are no components.

    ``now`` and ``next`` have phrases for values by space of a track, shown beside a seat's position. ``now`` is about
    the value at the position, from a list (from space 1) or an object by space; ``next`` is about the next space with a
    value, from an object or a list of spaces. Its second ``{}`` is that value.

    The other tables name components, zones and kinds. ``rows``: for a kind of zone, the component whose lists give a
    value by position. ``spaces``: for a track or kind of marker, the component of a space. ``details``: for a key, the
    component that its value stands for. ``times``: for a place, the zone of a seat with a component for each use, or
    after ``-`` one less for each use, down from the ``limit``. ``compared``: for a kind of zone, the key of a place
    whose uses the seats compare. ``adds``: for a kind of zone, the kind of marker to which its components add.
    """

    facts: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    now: Mapping[str, str] = field(default_factory=dict)
    next: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    spaces: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, str] = field(default_factory=dict)
    times: Mapping[str, str] = field(default_factory=dict)
    compared: Mapping[str, str] = field(default_factory=dict)
    adds: Mapping[str, str] = field(default_factory=dict)

    def describe(self, values: Mapping[str, Any], name: Name, *, kind: str = "", at: int = 0) -> str:
        """Return values of a kind of component as a phrase; with ``at``, what each list has at this position."""
        keys: Iterable[str] = self._ranks
        if not self.facts:
            keys = [key for key in sorted(values) if not _INTERNAL.fullmatch(key)]
        chosen = {key: _entry(values[key], at) if at else values[key] for key in keys if key in values}
        return _joined(self.say(key, value, name, kind) for key, value in chosen.items())

    def say(self, key: str, value: Any, name: Name, kind: str = "") -> str:
        """Return one value as a phrase; empty if it is nothing or no."""
        if not value or (isinstance(value, list) and not any(value)):
            return ""
        if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], list | dict):
            value = value[0]
        keys = (f"{key}.{value}", f"{kind}.{key}", f"{key}.n" if is_number(value) else key, key)
        phrase = next((self.facts[it] for it in keys if it in self.facts), None)
        if phrase is None:
            readable = key.replace("_", " ")
            return readable if value is True else f"{readable}: {self._value(value, name)}"
        if phrase.count("{}") > 1:
            pairs = value.items() if isinstance(value, dict) else value
            return ", ".join(phrase.format(*(self._value(it, name) for it in pair)) for pair in pairs)
        return phrase.format(self._value(value, name))

    def _value(self, value: Any, name: Name) -> str:
        match value:
            case bool():
                return "✓" if value else "–"
            case str():
                return _named(value, name)
            case dict():
                pairs = sorted(value.items(), key=lambda pair: self._ranks.get(pair[0], len(self._ranks)))
                return _joined(self._pair(key, of_key, name) for key, of_key in pairs)
            case list() if any(isinstance(it, dict | list) for it in value):
                return " / ".join(self._value(it, name) for it in value)
            case list() if all(map(is_number, value)):
                return ", ".join(map(str, value))
            case list():
                counts = Counter(self._value(it, name) for it in value)
                return ", ".join(text if count == 1 else f"{count}× {text}" for text, count in counts.items())
        return str(value)

    def _pair(self, key: str, value: Any, name: Name) -> str:
        if key in self._ranks:
            return self.say(key, value, name)
        between = " " if is_number(value) and not key.isdecimal() else ": "
        return f"{_named(key, name)}{between}{self._value(value, name)}"

    @cached_property
    def _ranks(self) -> Mapping[str, int]:
        """The keys of phrases in the order in which they are shown."""
        keys = dict.fromkeys(it.partition(".")[0] for it in self.facts)
        return {key: rank for rank, key in enumerate(keys)}


@cache
def phrases_of(title: str, language: str) -> Phrases:
    """Return the phrases of a title; none if its package is not installed or has no file.

    The id may come from a server that has other titles than this installation.
    """
    file = _file(title)
    text = file.read_text("utf-8") if file is not None else ""
    loaded: dict[str, Any] = tomllib.loads(text)
    at = LANGUAGES.index(language) if language in LANGUAGES else 0
    spoken = {part: {key: texts[at] for key, texts in loaded.pop(part, {}).items()} for part in SPOKEN}
    known = {part: loaded[part] for part in LINKS if part in loaded}
    return Phrases(**spoken, **known)


def _file(title: str) -> Path | None:
    """Find the file of a title without importing any of its code."""
    if not _TITLE.fullmatch(title):
        return None
    named = entry_points(group="boardkeeper.titles", name=title)
    top, *rest = next((it.module for it in named), f"boardkeeper.titles.{title}").split(".")
    spec = find_spec(top)  # of what is below it, this would import its parent
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    return next((it for it in (Path(folder, *rest, FILE) for folder in folders) if it.is_file()), None)


def _entry(value: Any, at: int) -> Any:
    return value[at - 1] if isinstance(value, list) and 0 < at <= len(value) else None


def _joined(phrases: Iterable[str]) -> str:
    """Join phrases that are not empty by commas, but after a colon."""
    return ", ".join(filter(None, phrases)).replace(":, ", ": ")


def is_number(value: Any) -> bool:
    """Whether a value is a number, also as the text of one."""
    return value.isdecimal() if isinstance(value, str) else isinstance(value, int | float) and value is not True


def _named(id: str, name: Name) -> str:
    return "/".join(part if part.isdecimal() else name(part) for part in id.split("|"))
