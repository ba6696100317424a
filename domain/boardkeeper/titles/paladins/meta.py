"""Paladins of the West Kingdom in the catalogue: its edition, and everything that can be chosen when a game is created.

Readable without the rules. What the edition is stands in ``editions/*.toml``, the choices in ``choices.toml``.
"""

from __future__ import annotations

from functools import partial

from boardkeeper.table.choices_file import edition_meta, read_choices
from boardkeeper.table.title import BotMeta, TitleMeta
from boardkeeper.titles.paladins.supplies import supplies
from boardkeeper.titles.paladins.tables import tables_of

_edition = partial(edition_meta, __package__, supplies=supplies)
_CHOICES = read_choices(__package__)

META = TitleMeta(
    id="paladins",
    text={"en": "Paladins of the West Kingdom", "de": "Paladine des Westfrankenreichs"},
    designer="Shem Phillips & S J Macdonald",
    publisher="Garphill Games / Schwerkraft-Verlag",
    maturity="playable",
    maturity_text={
        "en": "Every rule is in force; cards are as public data have them, with options where these leave doubts.",
        "de": "Alle Regeln gelten; Karten sind, wie öffentliche Daten sie haben, mit Optionen, wo Zweifel bleiben.",
    },
    editions=(_edition("schwerkraft-2019"),),
    default_edition="schwerkraft-2019",
    options=_CHOICES.options,
    readings=_CHOICES.readings,
    sources=tables_of("schwerkraft-2019")["sources"],
    alone={"opponent": "standard"},
    bots=(
        BotMeta("sensible", {"en": "What promises most points", "de": "Was am meisten Punkte verspricht"}),
        BotMeta("random", {"en": "Any legal command", "de": "Irgendein erlaubter Befehl"}),
    ),
    rules_versions=("2", "3"),
)
"""The catalogue entry.

Which component facts are reconstructed, their provenance says. The box names no colours of seats: their boards and
paladins differ in pictures only.
"""
