"""What Paladins says, and its rules: what rejections cite, tests are named after and the catalogue lists."""

from __future__ import annotations

from boardkeeper.titlekit.sentences import TitleWords

WORDS = TitleWords(__package__)
words, rules, sentence, explain = WORDS.words, WORDS.rules, WORDS.sentence, WORDS.explain
