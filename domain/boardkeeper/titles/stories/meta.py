"""Orléans Stories in the catalogue: its stories as editions, and everything that can be chosen when a game is created.

Readable without the rules. What a story is stands in ``editions/*.toml``, the choices in ``choices.toml`` and, for the
data set, in ``data_sets/*.toml``.
"""

from __future__ import annotations

from boardkeeper.table.choices_file import edition_meta, read_choices
from boardkeeper.table.title import BotMeta, EditionMeta, TitleMeta
from boardkeeper.titles.stories import data_sets
from boardkeeper.titles.stories.supplies import supplies
from boardkeeper.titles.stories.tables import tables_of

_CHOICES = read_choices(__package__, {"data_set": data_sets.choices()})


def _edition(id: str) -> EditionMeta:
    """A story, with what it lays out as the default data set has it."""
    return edition_meta(__package__, id, lambda _: supplies(tables_of(id)))


META = TitleMeta(
    id="stories",
    text={"en": "Orléans Stories", "de": "Orléans Stories"},
    designer="Reiner Stockhausen",
    publisher="dlp games",
    maturity="reconstructed",
    maturity_text={
        "en": "All rules follow the rulebook. Most cards and costs are reconstructed; the catalogue marks which.",
        "de": "Alle Regeln folgen dem Regelheft. Die meisten Karten und Kosten sind rekonstruiert (siehe Katalog).",
    },
    editions=(_edition("settlers"), _edition("england-vs-france")),
    default_edition="settlers",
    options=_CHOICES.options,
    readings=_CHOICES.readings,
    sources=tables_of("settlers")["sources"],
    bots=(
        BotMeta(
            "sensible",
            {"en": "Strong bot: plays for the most points", "de": "Starker Bot: spielt auf die meisten Punkte"},
        ),
        BotMeta(
            "random", {"en": "Random bot: plays any legal move", "de": "Zufallsbot: spielt beliebige erlaubte Züge"}
        ),
    ),
    rules_versions=("2", "3"),
)
"""The catalogue entry.

What is printed and what is ours, the provenance of each component says, and its fact ``origin`` in one word.
"""
