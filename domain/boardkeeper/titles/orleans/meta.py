"""Orléans in the catalogue: its editions, and everything that can be chosen when a game is created.

Readable without the rules. Editions and what they select stand in ``editions/*.toml``, the choices in ``choices.toml``.
"""

from __future__ import annotations

from functools import partial

from boardkeeper.table.choices_file import edition_meta, read_choices
from boardkeeper.table.title import BotMeta, TitleMeta
from boardkeeper.titles.orleans.supplies import supplies
from boardkeeper.titles.orleans.tables import tables_of

_edition = partial(edition_meta, __package__, supplies=supplies)
_CHOICES = read_choices(__package__)

META = TitleMeta(
    id="orleans",
    text={"en": "Orléans", "de": "Orléans"},
    designer="Reiner Stockhausen",
    publisher="dlp games",
    maturity="playable",
    maturity_text={
        "en": "All rules are implemented. Boards and tiles are as printed; a few facts are reconstructed and marked.",
        "de": "Alle Regeln gelten. Tableaus und Plättchen sind wie gedruckt, bis auf wenige rekonstruierte Angaben.",
    },
    editions=(_edition("dlp-2014"), _edition("dlp-8th"), _edition("capstone-2021")),
    default_edition="capstone-2021",
    options=_CHOICES.options,
    readings=_CHOICES.readings,
    sources=tables_of("capstone-2021")["sources"],
    bots=(
        BotMeta(
            "sensible",
            {"en": "Strong bot: plays for the most points", "de": "Starker Bot: spielt auf die meisten Punkte"},
        ),
        BotMeta(
            "random", {"en": "Random bot: plays any legal move", "de": "Zufallsbot: spielt beliebige erlaubte Züge"}
        ),
    ),
    rules_versions=("1", "2", "3"),
)
"""The catalogue entry.

Which component facts are reconstructed, their provenance says.
"""
