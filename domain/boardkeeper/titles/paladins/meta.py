"""The catalogue entry of Paladins of the West Kingdom: its edition, options and readings.

Readable without the rules. The edition is in ``editions/*.toml``, the choices are in ``choices.toml``.
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
        "en": "All rules are implemented. Card facts come from public data; options cover the doubtful ones.",
        "de": "Alle Regeln gelten. Die Karten folgen öffentlichen Daten; wo Zweifel bleiben, gibt es Optionen.",
    },
    editions=(_edition("schwerkraft-2019"),),
    default_edition="schwerkraft-2019",
    options=_CHOICES.options,
    readings=_CHOICES.readings,
    sources=tables_of("schwerkraft-2019")["sources"],
    alone={"opponent": "standard"},
    bots=(
        BotMeta(
            "sensible",
            {"en": "Strong bot: plays for the most points", "de": "Starker Bot: spielt auf die meisten Punkte"},
        ),
        BotMeta(
            "random", {"en": "Random bot: plays any legal move", "de": "Zufallsbot: spielt irgendeinen erlaubten Zug"}
        ),
    ),
    rules_versions=("2", "3"),
)
"""The catalogue entry.

The provenance of each component says which facts are reconstructed. Seats have no colours: the player boards and
paladins differ only in their pictures.
"""
