"""The sentences of Orléans, and its rules, which rejections cite and the catalogue lists."""

from __future__ import annotations

from boardkeeper.titlekit.sentences import TitleWords

WORDS = TitleWords(__package__)
words, rules, sentence, explain = WORDS.words, WORDS.rules, WORDS.sentence, WORDS.explain
