"""What Orléans Stories says, and its rules: what rejections cite, tests are named after and the catalogue lists."""

from __future__ import annotations

from boardkeeper.table.sentences import TitleWords

WORDS = TitleWords(__package__)

words = WORDS.words
rules = WORDS.rules
sentence = WORDS.sentence
explain = WORDS.explain
