"""Orléans in the catalogue: its editions, and everything that can be chosen when a game is created.

Readable without the rules. Editions and what they select stand in ``editions/*.toml``, the choices in ``choices.toml``.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from boardkeeper.table.title import BotMeta, ChoiceMeta, EditionMeta, OptionMeta, Text, TitleMeta
from boardkeeper.titles.orleans.supplies import seat_colors, supplies
from boardkeeper.titles.orleans.tables import tables_of

_FOLDER = files(__package__)


def _read(*path: str) -> dict[str, Any]:
    return tomllib.loads(_FOLDER.joinpath(*path).read_text("utf-8"))


def _text(table: dict[str, Any]) -> Text:
    return {"en": table["en"], "de": table["de"]}


def _edition(id: str) -> EditionMeta:
    tables = tables_of(id)
    edition = tables["edition"]
    players = edition["players"]
    return EditionMeta(
        id=id,
        text=_text(edition),
        players=(min(players), max(players)),
        rulebook=edition["rulebook"],
        readings=tables.get("readings", {}),
        seat_colors=tuple(seat_colors(tables)),
        supplies=tuple(supplies(tables)),
    )


def _choices(tables: dict[str, Any]) -> tuple[OptionMeta, ...]:
    return tuple(
        OptionMeta(
            id=id,
            text=_text(table),
            choices=tuple(ChoiceMeta(choice, _text(text)) for choice, text in table["choices"].items()),
            default=next(iter(table["choices"])),
            rule=table["rule"],
            unsaid=table.get("unsaid", ""),
        )
        for id, table in tables.items()
    )


_CHOICES = _read("choices.toml")

META = TitleMeta(
    id="orleans",
    text={"en": "Orléans", "de": "Orléans"},
    designer="Reiner Stockhausen",
    publisher="dlp games",
    maturity="playable",
    editions=(_edition("dlp-2014"), _edition("dlp-8th"), _edition("capstone-2021")),
    default_edition="capstone-2021",
    options=_choices(_CHOICES["options"]),
    readings=_choices(_CHOICES["readings"]),
    sources=tables_of("capstone-2021")["sources"],
    bots=(
        BotMeta("sensible", {"en": "What promises most points", "de": "Was am meisten Punkte verspricht"}),
        BotMeta("random", {"en": "Any legal command", "de": "Irgendein erlaubter Befehl"}),
    ),
    rules_versions=("1", "2"),
)
"""The catalogue entry.

``playable`` means that every rule is in force; which component facts are reconstructed, their provenance says.
"""
