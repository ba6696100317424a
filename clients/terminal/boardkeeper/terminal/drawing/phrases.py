"""Phrases for the values of components: the value ``recruit: knight`` of the catalogue is shown as "recruit Knight".

The package of a title can contain a file ``terminal.toml`` with phrases in all languages of the client. Values without
a phrase are then not shown. Without this file, all values are shown with their keys. The entry ``family`` of the file
names a package with another ``terminal.toml``, whose phrases several titles share.
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
PHRASE_TABLES = ("facts", "words", "now", "next")
"""The tables of the file that contain texts in each language."""
REFERENCE_TABLES = ("rows", "spaces", "details", "times", "compared", "adds")
"""The tables of the file that contain ids of components, zones and kinds."""
_TITLE = re.compile(r"[a-z][a-z0-9_]*")
_INTERNAL = re.compile(r"(.*_)?(provenance|in_box|each_seat|also_called|origin|seat|colou?r|x|y|name|kind|type|count)")
_FIELD = re.compile(r"\{(\w+)\}")
_PER = "_per_"
_NONE: Mapping[str, Any] = {}

Name = Callable[[str], str]


@dataclass(frozen=True)
class Phrases:
    """The phrases of a title in one language.

    ``facts`` contains a phrase for each key, in the order in which they are shown. Keys of ``facts`` are:

    * ``key``: for all values of the key; ``{}`` is the value.
    * ``key.value``: for one value. ``key.n``: for any number. ``kind.key``: for one kind of component.
    * ``pay_*``: for all keys with this prefix; ``{}`` is the phrase of the rest of the key.
    * ``*_per_*``: for keys such as ``coins_per_village``; the first ``{}`` is the phrase of ``coins``, the second the
      name of ``village``.

    A phrase with two ``{}`` is repeated for each pair: a key and a value of an object, or an entry of a list. A phrase
    with ``{other}`` contains the value of the key ``other``, and is not shown without this value. ``1 coin|{} coins``
    is the singular and the plural; for a value that is not a number it becomes ``coins: {}``. In the file, a phrase is
    a list with a text for each language, or the id of a singular and plural in ``[numbers]`` of the title's ``words``.

    ``words`` contains names for ids in these phrases, and for ids that are not components.

    ``now`` and ``next`` contain phrases that are shown beside a seat's position on a track. ``now`` is for the value at
    the position: an entry of a list (the first is for space 1), or of an object with spaces as keys. ``next`` is for
    the next space with a value, from an object or a list of spaces; its second ``{}`` is that value.

    The other tables contain ids:

    * ``rows``: by kind of zone, the component whose lists contain a value for each position.
    * ``spaces``: by track or kind of marker, the component of a space; ``{}`` is the space.
    * ``details``: by key, the component that the value refers to; ``{}`` is the value.
    * ``times``: by place, a zone of a seat. It contains a component for each use; with ``-`` before its name, a
      component for each use that is left until the ``limit``.
    * ``compared``: by kind of zone, the key of a place. The drawing compares how many times each seat used it.
    * ``adds``: by kind of zone, the kind of marker to whose value its components add.
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
        """Return the values of a component of this kind as a phrase. With ``at``, use the entry of each list there."""
        if self.facts:
            keys = sorted((key for key in values if self._rank(key) is not None), key=self._order)
        else:
            keys = sorted(key for key in values if not _INTERNAL.fullmatch(key))
        chosen = {key: _entry(values[key], at) if at else values[key] for key in keys}
        return _joined(self.describe_value(key, value, name, kind, values) for key, value in chosen.items())

    def describe_value(
        self, key: str, value: Any, name: Name, kind: str = "", others: Mapping[str, Any] = _NONE
    ) -> str:
        """Return one value as a phrase; empty for 0, false and ``None``. ``others`` are all values of the component."""
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
        """Combine the phrases of the parts of a key, or return the readable key with the value."""
        amount, _, unit = key.partition(_PER)
        prefix, _, rest = key.partition("_")
        if unit and (phrase := self.facts.get(f"*{_PER}*")):
            return phrase.format(self.describe_value(amount, value, name), _named(unit, name))
        if phrase := self.facts.get(f"{prefix}_*"):
            return phrase.format(self.describe_value(rest, value, name))
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
            return self.describe_value(key, value, name, others=others)
        between = " " if is_number(value) and not key.isdecimal() else ": "
        return f"{_named(key, name)}{between}{self._value(value, name)}"

    def _rank(self, key: str) -> int | None:
        """Return the position of a key in the order in which phrases are shown; ``None`` if it has no phrase."""
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
    """Return the phrases of a title; empty if its package is not installed or has no ``terminal.toml``.

    The id may come from a server with titles that are not installed here.
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

    tables = {part: {**family.get(part, {}), **own.get(part, {})} for part in (*PHRASE_TABLES, *REFERENCE_TABLES)}
    phrases = {part: {key: text(texts) for key, texts in tables.pop(part).items()} for part in PHRASE_TABLES}
    return Phrases(**phrases, **tables)


def _load(module: str, file: str) -> dict[str, Any]:
    """Load a TOML file of a package without importing any of its code; empty if the file does not exist."""
    top, *rest = module.split(".")
    spec = find_spec(top) if top else None  # find_spec of a submodule would import its parent package
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    paths = (Path(folder, *rest, file) for folder in folders)
    return next((tomllib.loads(it.read_text("utf-8")) for it in paths if it.is_file()), {})


def _entry(value: Any, at: int) -> Any:
    return value[at - 1] if isinstance(value, list) and 0 < at <= len(value) else None


def _joined(phrases: Iterable[str]) -> str:
    """Join non-empty phrases with commas, but without a comma after a colon."""
    return ", ".join(filter(None, phrases)).replace(":, ", ": ")


def _count(phrase: str, value: Any, text: str) -> str:
    """Return a phrase ``one|many`` for a number. For another value, return the noun of ``many`` and its text."""
    one, many = phrase.split("|")
    if not is_number(value):
        return f"{many.replace('{} ', '')} {text}"
    return one if str(value) == "1" else many.format(text)


def is_number(value: Any) -> bool:
    """Return whether a value is a number or the text of a number."""
    return value.isdecimal() if isinstance(value, str) else isinstance(value, int | float) and value is not True


def _named(id: str, name: Name) -> str:
    return "/".join(part if part.isdecimal() else name(part) for part in id.split("|"))
