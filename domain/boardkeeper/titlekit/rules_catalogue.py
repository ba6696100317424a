"""Read the rules of a title from its ``rules.toml``.

The file has a table for each rule; its dotted name is the id. ``en`` and ``de`` are the rule in one sentence. ``at``
names an entry of the table ``[at]``, which has the place in the rulebook of each edition. ``ruling`` marks a rule that
the rulebooks leave open (``true``, or a list of editions), and ``when`` the option or reading that it applies to.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from boardkeeper.titlekit.title import Rule

LANGUAGES = ("en", "de")
"""The languages of all texts; the first is the default."""

RULING = " (left open there; our ruling)"
"""Suffix of the reference of a rule that the rulebook leaves open."""


def language_or_default(language: str) -> str:
    """Return the supported language of a language code, or the default; ``de-AT`` gives ``de``."""
    primary = language.split("-", maxsplit=1)[0].lower()
    return primary if primary in LANGUAGES else LANGUAGES[0]


def read_rules(package: str) -> tuple[Rule, ...]:
    """Return the rules in the ``rules.toml`` of a package, in the order of the file."""
    from boardkeeper.titlekit.title_files import read_toml  # noqa: PLC0415  # imports this module

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
def kernel_rules() -> dict[str, Rule]:
    """Return the rules that hold in every title, by id."""
    return {rule.id: rule for rule in read_rules("boardkeeper.table")}
