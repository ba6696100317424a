"""What the service says to people, in each language that it speaks."""

from __future__ import annotations

from typing import Self


class Sentence(str):
    """A text in English that is there in German as well: see :func:`in_language`."""

    __slots__ = ("german",)

    german: str

    def __new__(cls, english: str, german: str) -> Self:
        made = super().__new__(cls, english)
        made.german = german
        return made


def in_language(text: str, language: str) -> str:
    """A text in a language, or in English if it has no other."""
    return text.german if language == "de" and isinstance(text, Sentence) else str(text)
