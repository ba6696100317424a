"""Rules as a catalogue: ids, our own sentence in each language, and where each edition's rulebook says it.

A title keeps its rules in a ``rules.toml``, one table a rule, whose dotted name is the rule's id. ``en`` and ``de`` say
the rule; ``at`` names an entry of the ``[at]`` table with the place in each edition's rulebook; ``ruling`` marks what
the rulebooks leave open and we settled (``true``, or a list of the editions that leave it open); ``when`` the option or
reading under which the rule applies.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from boardkeeper.titlekit.title import Rule

LANGUAGES = ("en", "de")
"""The languages in which everything can be said; the first is the default."""

RULING = " (left open there; our ruling)"
"""Follows the reference of a rule on which the rulebook is silent."""


def language_or_default(language: str) -> str:
    """The language itself if everything can be said in it, else the default; ``de-AT`` counts as ``de``."""
    primary = language.split("-", maxsplit=1)[0].lower()
    return primary if primary in LANGUAGES else LANGUAGES[0]


def read_rules(package: str) -> tuple[Rule, ...]:
    """The rules in ``rules.toml`` of a package, in the order of the file."""
    from boardkeeper.titlekit.title_files import read_toml  # noqa: PLC0415  # nothing is read by who only imports the rules

    tables = read_toml(package, "rules.toml")
    places: dict[str, dict[str, str]] = tables.pop("at", {})
    return tuple(
        Rule(id, {language: entry[language] for language in LANGUAGES}, _references(entry, places))
        for id, entry in _entries("", tables)
    )


def _entries(prefix: str, tables: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, entry in tables.items():
        if LANGUAGES[0] in entry:
            yield prefix + name, entry
        else:
            yield from _entries(f"{prefix}{name}.", entry)


def _references(entry: dict[str, Any], places: dict[str, dict[str, str]]) -> dict[str, str]:
    ruling = entry.get("ruling", False)
    references = places[entry["at"]] if "at" in entry else {}
    open_in = ruling if isinstance(ruling, list) else list(references) if ruling else []
    return {edition: place + (RULING if edition in open_in else "") for edition, place in references.items()}


@lru_cache(maxsize=1)
def table_rules() -> dict[str, Rule]:
    """The rules that hold at every table, by id."""
    return {rule.id: rule for rule in read_rules("boardkeeper.table")}
