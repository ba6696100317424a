"""The catalogue entry, tables and sentences of Orléans, from the TOML files of this package."""

from __future__ import annotations

from functools import partial

from boardkeeper.titlekit import title_files
from boardkeeper.titlekit.meta import read_meta
from boardkeeper.titlekit.sentences import TitleWords
from boardkeeper.titles.orleans.supplies import supplies

META = read_meta(__package__, supplies)

tables_of = partial(title_files.tables_of, __package__)
"""Return the tables of an edition, read-only; raises ``ValueError`` for an unknown edition."""

WORDS = TitleWords(__package__)
words, rules, sentence, explain = WORDS.words, WORDS.rules, WORDS.sentence, WORDS.explain
