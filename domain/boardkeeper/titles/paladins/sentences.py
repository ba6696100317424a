"""The sentences and the rules of Paladins."""

from __future__ import annotations

from boardkeeper.titlekit.sentences import TitleWords

WORDS = TitleWords(__package__)
words, rules, sentence, explain = WORDS.words, WORDS.rules, WORDS.sentence, WORDS.explain
