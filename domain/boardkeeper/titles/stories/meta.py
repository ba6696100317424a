"""The catalogue entry of Orléans Stories with the default data set, and its sentences, from the TOML files.

Names in sentences come from the word files and from all data sets.
"""

from __future__ import annotations

from boardkeeper.titlekit.data_sets import Table, entries_of
from boardkeeper.titlekit.meta import read_meta
from boardkeeper.titlekit.sentences import TitleWords, Words
from boardkeeper.titles.stories.supplies import supplies
from boardkeeper.titles.stories.tables import DATA_SETS, NAMED, tables_of

META = read_meta(__package__, supplies, tables=tables_of, choices={"data_set": DATA_SETS.choices()})

_FORMS = ("the", "at", "of", "with", "many")
"""Forms of names in data sets that templates use."""

_SPACE = "c1r1"
"""A space of the map in the word files: the names of other spaces are derived from its name."""


class StoriesWords(TitleWords):
    """The word files, and the names of components that only a data set has."""

    def words(self, language: str) -> Words:
        """Return the words of a language; raises ``FileNotFoundError`` for an unknown language."""
        known = language in self._words
        words = super().words(language)
        if not known:
            for data_set in map(DATA_SETS.read, DATA_SETS.names):
                add_names(words, language, data_set)
        return words


def add_names(words: Words, language: str, data_set: Table) -> None:
    """Add the names of a data set that the word files do not have."""
    names = words.forms["name"]
    for _, id, table in entries_of(data_set, NAMED):
        if id not in names:
            names[id] = table[language]
            for form in (form for form in _FORMS if form in words.forms):
                words.forms[form][id] = words.fallback(form).format(table[language])
    for id in data_set["map"]["spaces"]:
        if id not in names:
            place = "/".join(id.removeprefix("c").split("r"))
            for form in ("name", "on"):
                words.forms[form][id] = words.forms[form][_SPACE].replace("1/1", place)


WORDS = StoriesWords(__package__)
words, rules, sentence, explain = WORDS.words, WORDS.rules, WORDS.sentence, WORDS.explain
