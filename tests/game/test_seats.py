"""What seats are called that have no name of their own."""

from __future__ import annotations

import pytest
from tests.service.rival_title import RIVAL_TITLE
from tests.service.tiny_title import TINY

from boardkeeper.game.seats import AUTOMA, PERSON, seat_names
from boardkeeper.titlekit.title import Title

KINDS = (PERSON, "bot.random", AUTOMA)


@pytest.mark.parametrize(
    ("language", "title", "called"),
    [
        ("en", RIVAL_TITLE, ("Seat 1", "Bot 2", "Rival")),
        ("de", RIVAL_TITLE, ("Platz 1", "Bot 2", "Rivale")),
        ("fr", RIVAL_TITLE, ("Seat 1", "Bot 2", "Rival")),
        ("en", TINY, ("Seat 1", "Bot 2", "Bot 3")),
        ("de", None, ("Platz 1", "Bot 2", "Bot 3")),
    ],
)
def test_a_seat_of_the_rules_is_called_as_its_title_says(
    language: str, title: Title | None, called: tuple[str, ...]
) -> None:
    assert seat_names(language, title, KINDS, ("", "", "")) == called


def test_several_seats_of_the_rules_are_told_apart() -> None:
    assert seat_names("en", RIVAL_TITLE, (PERSON, AUTOMA, AUTOMA), ("Ada", "", "")) == ("Ada", "Rival 2", "Rival 3")


def test_whoever_has_a_name_is_called_by_it() -> None:
    assert seat_names("en", RIVAL_TITLE, KINDS, ("Ada", "Ben", "Clara")) == ("Ada", "Ben", "Clara")
