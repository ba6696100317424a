"""What Orléans Stories says, and its rules: what rejections cite, tests are named after and the catalogue lists."""

from __future__ import annotations

from boardkeeper.titlekit.data_sets import Table, entries_of
from boardkeeper.titlekit.sentences import TitleWords, Words
from boardkeeper.titles.stories.data_sets import DATA_SETS, NAMED

_FORMS = ("the", "at", "of", "with", "many")
"""The forms of names that templates use of things in data sets."""

_SPACE = "c1r1"
"""A space of the map that the words name: others are called alike, by column and row."""


class StoriesWords(TitleWords):
    """The words of the files, and the names of what only a data set has (in brackets, if a sentence bends names)."""

    def words(self, language: str) -> Words:
        """The words of a language that the title speaks; raises ``FileNotFoundError`` for any other."""
        known = language in self._words
        words = super().words(language)
        if not known:
            for data_set in map(DATA_SETS.read, DATA_SETS.names):
                add_names(words, language, data_set)
        return words


def add_names(words: Words, language: str, data_set: Table) -> None:
    """Let sentences name what is in a data set and not in the words."""
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
