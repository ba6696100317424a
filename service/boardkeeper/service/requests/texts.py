"""Texts for people in each language of the server."""

from __future__ import annotations

from functools import lru_cache
from typing import Self

from boardkeeper.titlekit.rules_catalogue import LANGUAGES


class Sentence(str):
    """A text in English with its German translation: see :func:`in_language`."""

    __slots__ = ("german",)

    german: str

    def __new__(cls, english: str, german: str) -> Self:
        sentence = super().__new__(cls, english)
        sentence.german = german
        return sentence


def in_language(text: object, language: str) -> str:
    """Return a text in a language, or in English if it has no translation."""
    return text.german if language == "de" and isinstance(text, Sentence) else str(text)


@lru_cache(maxsize=64)
def preferred_language(header: str) -> str:
    """Return the server's language with the highest weight in an ``accept-language`` header; without one, English."""
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate(header[:200].split(",")):
        name, _, parameters = part.strip().partition(";")
        primary = name.partition("-")[0].lower()
        try:
            weight = float(parameters.strip().removeprefix("q=")) if parameters else 1.0
        except ValueError:
            weight = 0.0
        if primary in LANGUAGES and weight > 0:
            wanted.append((-weight, place, primary))
    return min(wanted)[2] if wanted else LANGUAGES[0]
