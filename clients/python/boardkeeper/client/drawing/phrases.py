"""The facts of components as phrases: ``recruit: knight`` of the catalogue is "recruit Knight".

A title's package can have a file ``terminal.toml`` with phrases in the languages of the client. Facts without a phrase
are not shown then. Without the file, all facts are shown, by their keys.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from boardkeeper.client.drawing.words import LANGUAGES

FILE = "terminal.toml"
_NOTHING = frozenset({"", "0", "no"})
_TITLE = re.compile(r"[a-z][a-z0-9_]*")
_INTERNAL = re.compile(r"(.*_)?(provenance|in_box|each_seat|also_called|origin|seat|colou?r|x|y|name|kind|type|count)")
_ITEMS, _OPTIONS, _OF = ", ", "; ", ": "

Name = Callable[[str], str]


@dataclass(frozen=True)
class Phrases:
    """The phrases of a title in one language.

    ``facts`` has a phrase for each key, in the order in which they are shown: ``{}`` is the value. ``key.value`` is for
    one value, ``kind.key`` for one kind of component. ``words`` names ids in these phrases, and ids that are no
    components. ``rows`` names, for a kind of zone, the component whose lists give a value by position.
    """

    facts: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)

    def describe(self, facts: Mapping[str, str], name: Name, *, kind: str = "", at: int = 0) -> str:
        """Return facts of a kind of component as a phrase; with ``at``, what each list has at this position."""
        keys: Sequence[str] = [key for key in dict.fromkeys(it.partition(".")[0] for it in self.facts) if key in facts]
        if not self.facts:
            keys = [key for key in sorted(facts) if not _INTERNAL.fullmatch(key)]
        values = {key: _entry(facts[key], at) if at else facts[key] for key in keys}
        return ", ".join(filter(None, (self.say(key, value, name, kind) for key, value in values.items())))

    def say(self, key: str, value: str, name: Name, kind: str = "") -> str:
        """Return one fact as a phrase; empty if the value is nothing or no."""
        if value in _NOTHING:
            return ""
        keys = (f"{key}.{value}", f"{kind}.{key}", key)
        phrase = next((self.facts[it] for it in keys if it in self.facts), None)
        if phrase is None:
            readable = key.replace("_", " ")
            return readable if value == "yes" else f"{readable}: {self._value(value, name)}"
        if phrase.count("{}") > 1:
            first, _, rest = value.partition(_OF)
            return phrase.format(self._value(first, name), self._value(rest, name))
        return phrase.format(self._value(value, name))

    def _value(self, value: str, name: Name) -> str:
        if _OPTIONS in value:
            return " / ".join(self._value(option, name) for option in value.split(_OPTIONS))
        plain: list[str] = []
        pairs: list[list[str]] = []
        for item in value.split(_ITEMS):
            key, colon, rest = item.partition(_OF)
            if colon:
                pairs.append([key, rest])
            elif pairs:
                pairs[-1][1] += _ITEMS + item
            else:
                plain.append(item)
        said = ""
        for at, (key, rest) in enumerate(pairs):
            # Where the first key comes again, another choice begins.
            separator = "" if not at else " / " if key == pairs[0][0] else ", "
            said += separator + self._pair(key, rest, name)
        return ", ".join(filter(None, (_listed(plain, name), said)))

    def _pair(self, key: str, value: str, name: Name) -> str:
        if key in self.facts or f"{key}.{value}" in self.facts:
            return self.say(key, value, name)
        between = " " if value.lstrip("-").isdecimal() and not key.isdecimal() else ": "
        return f"{_named(key, name)}{between}{self._value(value, name)}"


@cache
def phrases_of(title: str, language: str) -> Phrases:
    """Return the phrases of a title; none if its package is not installed or has no file.

    The id may come from a server that has other titles than this installation.
    """
    file = _file(title)
    text = file.read_text("utf-8") if file is not None else ""
    loaded: dict[str, Any] = tomllib.loads(text)
    at = LANGUAGES.index(language) if language in LANGUAGES else 0
    spoken = {part: {key: texts[at] for key, texts in loaded.get(part, {}).items()} for part in ("facts", "words")}
    return Phrases(**spoken, rows=loaded.get("rows", {}))


def _file(title: str) -> Path | None:
    """Find the file of a title without importing any of its code."""
    if not _TITLE.fullmatch(title):
        return None
    named = entry_points(group="boardkeeper.titles", name=title)
    top, *rest = next((it.module for it in named), f"boardkeeper.titles.{title}").split(".")
    spec = find_spec(top)  # of what is below it, this would import its parent
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    return next((it for it in (Path(folder, *rest, FILE) for folder in folders) if it.is_file()), None)


def _entry(value: str, at: int) -> str:
    entries = value.split(_OPTIONS if _OPTIONS in value else _ITEMS)
    return entries[at - 1] if 0 < at <= len(entries) else ""


def _listed(items: Sequence[str], name: Name) -> str:
    if all(map(str.isdecimal, items)):
        return ", ".join(items)
    return ", ".join(
        _named(item, name) if count == 1 else f"{count}× {_named(item, name)}" for item, count in Counter(items).items()
    )


def _named(id: str, name: Name) -> str:
    return "/".join(part if part.isdecimal() else name(part) for part in id.split("|"))
