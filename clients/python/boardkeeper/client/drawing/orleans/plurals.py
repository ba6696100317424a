"""What several of a component are called, as sentences say it."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.client.drawing.words import LANGUAGES
from boardkeeper.titles.orleans.sentences import words


def plurals(language: str) -> Mapping[str, str]:
    """By component: ``monk`` is "Monks" and "Mönche"; English in a language that has no captions."""
    spoken = language if language in LANGUAGES else LANGUAGES[0]
    return {id: many[:1].upper() + many[1:] for id, many in words(spoken).forms["many"].items()}
