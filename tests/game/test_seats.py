"""The default names of seats."""

from __future__ import annotations

import pytest
from tests.service.rival_title import RIVAL_TITLE
from tests.service.tiny_title import TINY

from boardkeeper.game.seats import AUTOMA, PERSON, seat_names
from boardkeeper.titlekit.title import Title

KINDS = (PERSON, "bot.random", AUTOMA)


@pytest.mark.parametrize(
    ("language", "title", "names"),
    [
        ("en", RIVAL_TITLE, ("Seat 1", "Bot 2", "Rival")),
        ("de", RIVAL_TITLE, ("Platz 1", "Bot 2", "Rivale")),
        ("fr", RIVAL_TITLE, ("Seat 1", "Bot 2", "Rival")),
        ("en", TINY, ("Seat 1", "Bot 2", "Bot 3")),
        ("de", None, ("Platz 1", "Bot 2", "Bot 3")),
    ],
)
def test_the_title_names_its_automata(language: str, title: Title | None, names: tuple[str, ...]) -> None:
    assert seat_names(language, title, KINDS, ("", "", "")) == names


def test_several_automata_have_numbers() -> None:
    assert seat_names("en", RIVAL_TITLE, (PERSON, AUTOMA, AUTOMA), ("Ada", "", "")) == ("Ada", "Rival 2", "Rival 3")


def test_seats_with_names_have_no_default_names() -> None:
    assert seat_names("en", RIVAL_TITLE, KINDS, ("Ada", "Ben", "Clara")) == ("Ada", "Ben", "Clara")
