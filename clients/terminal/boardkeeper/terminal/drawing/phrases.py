"""The values of components as phrases: ``recruit: knight`` of the catalogue is "recruit Knight".

A title's package can have a file ``terminal.toml`` with phrases in the languages of the client. Values without a phrase
are not shown then. Without the file, all values are shown, by their keys. ``family`` in the file names a package whose
file ``terminal.toml`` has phrases that several titles share.
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

from boardkeeper.terminal.drawing.captions import LANGUAGES

FILE = "terminal.toml"
SPOKEN = ("facts", "words", "now", "next")
"""The tables of the file that have texts in each language."""
LINKS = ("rows", "spaces", "details", "times", "compared", "adds")
"""The tables that name components, zones and kinds."""
_TITLE = re.compile(r"[a-z][a-z0-9_]*")
_INTERNAL = re.compile(r"(.*_)?(provenance|in_box|each_seat|also_called|origin|seat|colou?r|x|y|name|kind|type|count)")
_FIELD = re.compile(r"\{(\w+)\}")
_PER = "_per_"
_NONE: Mapping[str, Any] = {}

Name = Callable[[str], str]


@dataclass(frozen=True)
class Phrases:
    """The phrases of a title in one language.

    ``facts`` has a phrase for each key, in the order in which they are shown: ``{}`` is the value. ``key.value`` is for
    one value, ``key.n`` for any number, ``kind.key`` for one kind of component. ``pay_*`` is for all keys with this
    prefix: ``{}`` is the phrase of the rest of the key. ``*_per_*`` is for ``coins_per_village``: the first ``{}`` is
    the phrase of ``coins``, the second the name of ``village``. A phrase with two ``{}`` is about pairs: the keys and
    values of an object, or the entries of a list. ``{other}`` is the value of another key; without it the phrase is not
    shown. ``1 coin|{} coins`` has the singular and the plural; of a value that is no number it is ``coins: {}``. In the
    file, one text instead of a text per language is the id of such a pair in ``[numbers]`` of the title's ``words``.
    ``words`` names ids in these phrases, and ids that are no components.

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
        if self.facts:
            keys = sorted((key for key in values if self._rank(key) is not None), key=self._order)
        else:
            keys = sorted(key for key in values if not _INTERNAL.fullmatch(key))
        chosen = {key: _entry(values[key], at) if at else values[key] for key in keys}
        return _joined(self.say(key, value, name, kind, values) for key, value in chosen.items())

    def say(self, key: str, value: Any, name: Name, kind: str = "", others: Mapping[str, Any] = _NONE) -> str:
        """Return one value as a phrase; empty if it is nothing or no. ``others`` are the values beside it."""
        if not value or (isinstance(value, list) and not any(value)):
            return ""
        if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], list | dict):
            value = value[0]
        keys = (f"{key}.{value}", f"{kind}.{key}", f"{key}.n" if is_number(value) else key, key)
        phrase = next((self.facts[it] for it in keys if it in self.facts), None)
        if phrase is None:
            return self._compose(key, value, name)
        if "|" in phrase:
            return _count(phrase, value, self._value(value, name))
        if phrase.count("{}") > 1:
            pairs = value.items() if isinstance(value, dict) else value
            return ", ".join(phrase.format(*(self._value(it, name) for it in pair)) for pair in pairs)
        fields = {it: self._value(others.get(it), name) for it in _FIELD.findall(phrase)}
        return phrase.format(self._value(value, name), **fields) if all(map(others.get, fields)) else ""

    def _compose(self, key: str, value: Any, name: Name) -> str:
        """Return the phrase of a key from those of its parts, or the readable key and the value."""
        amount, _, unit = key.partition(_PER)
        prefix, _, rest = key.partition("_")
        if unit and (phrase := self.facts.get(f"*{_PER}*")):
            return phrase.format(self.say(amount, value, name), _named(unit, name))
        if phrase := self.facts.get(f"{prefix}_*"):
            return phrase.format(self.say(rest, value, name))
        readable = key.replace("_", " ")
        return readable if value is True else f"{readable}: {self._value(value, name)}"

    def _value(self, value: Any, name: Name) -> str:
        match value:
            case bool():
                return "✓" if value else "–"
            case str():
                return _named(value, name)
            case dict():
                keys = sorted(value, key=self._order)
                return _joined(self._pair(key, value[key], name, value) for key in keys)
            case list() if any(isinstance(it, dict | list) for it in value):
                return " / ".join(self._value(it, name) for it in value)
            case list() if all(map(is_number, value)):
                return ", ".join(map(str, value))
            case list():
                counts = Counter(self._value(it, name) for it in value)
                return ", ".join(text if count == 1 else f"{count}× {text}" for text, count in counts.items())
        return str(value)

    def _pair(self, key: str, value: Any, name: Name, others: Mapping[str, Any]) -> str:
        if self._rank(key) is not None:
            return self.say(key, value, name, others=others)
        between = " " if is_number(value) and not key.isdecimal() else ": "
        return f"{_named(key, name)}{between}{self._value(value, name)}"

    def _rank(self, key: str) -> int | None:
        """Return the place of a key in the order in which phrases are shown; ``None`` if it has no phrase."""
        for pattern in (key, f"*{_PER}*" if _PER in key else "", f"{key.partition('_')[0]}_*"):
            if pattern in self._ranks:
                return self._ranks[pattern]
        return None

    def _order(self, key: str) -> int:
        rank = self._rank(key)
        return len(self._ranks) if rank is None else rank

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
    if not _TITLE.fullmatch(title):
        return Phrases()
    named = entry_points(group="boardkeeper.titles", name=title)
    module = next((it.module for it in named), f"boardkeeper.titles.{title}")
    own = _load(module, FILE)
    family = _load(own.get("family", ""), FILE)
    at = LANGUAGES.index(language) if language in LANGUAGES else 0
    numbers = _load(module, f"words/{LANGUAGES[at]}.toml").get("numbers", {})

    def text(texts: str | list[str]) -> str:
        return texts[at] if isinstance(texts, list) else f"{numbers[texts]['one']}|{numbers[texts]['many']}"

    tables = {part: {**family.get(part, {}), **own.get(part, {})} for part in (*SPOKEN, *LINKS)}
    spoken = {part: {key: text(texts) for key, texts in tables.pop(part).items()} for part in SPOKEN}
    return Phrases(**spoken, **tables)


def _load(module: str, file: str) -> dict[str, Any]:
    """Load a TOML file of a package without importing any of its code; empty if the file does not exist."""
    top, *rest = module.split(".")
    spec = find_spec(top) if top else None  # for a module below the top, this would import its parent
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    paths = (Path(folder, *rest, file) for folder in folders)
    return next((tomllib.loads(it.read_text("utf-8")) for it in paths if it.is_file()), {})


def _entry(value: Any, at: int) -> Any:
    return value[at - 1] if isinstance(value, list) and 0 < at <= len(value) else None


def _joined(phrases: Iterable[str]) -> str:
    """Join phrases that are not empty by commas, but after a colon."""
    return ", ".join(filter(None, phrases)).replace(":, ", ": ")


def _count(phrase: str, value: Any, text: str) -> str:
    """Return a phrase ``one|many`` for a number, or the noun of ``many`` and the text of another value."""
    one, many = phrase.split("|")
    if not is_number(value):
        return f"{many.replace('{} ', '')} {text}"
    return one if str(value) == "1" else many.format(text)


def is_number(value: Any) -> bool:
    """Whether a value is a number, also as the text of one."""
    return value.isdecimal() if isinstance(value, str) else isinstance(value, int | float) and value is not True


def _named(id: str, name: Name) -> str:
    return "/".join(part if part.isdecimal() else name(part) for part in id.split("|"))
