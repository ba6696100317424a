"""Texts for people in each language of the server."""

from __future__ import annotations

from typing import Self


class Sentence(str):
    """A text in English that also exists in German: see :func:`in_language`."""

    __slots__ = ("german",)

    german: str

    def __new__(cls, english: str, german: str) -> Self:
        made = super().__new__(cls, english)
        made.german = german
        return made


def in_language(text: object, language: str) -> str:
    """Return a text in a language, or in English if it exists in no other."""
    return text.german if language == "de" and isinstance(text, Sentence) else str(text)
