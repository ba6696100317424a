"""What a game is played with when nobody said: the default today, and what held when the game was created."""

from __future__ import annotations

from msgspec.structs import replace
from tests.service.tiny_title import TINY

from boardkeeper.game.choices import complete
from boardkeeper.table.title import ChoiceMeta, OptionMeta, Setup

CHOICES = (ChoiceMeta("red", {}), ChoiceMeta("blue", {}))
YOUNGER = OptionMeta("coral", {}, CHOICES, default="red", unsaid="blue")
"""Something that came to be chosen later, and whose default is not what was usual before."""
META = replace(TINY.meta, options=(*TINY.meta.options, YOUNGER), readings=(replace(YOUNGER, id="tide"),))
EDITION = TINY.meta.default_edition


def test_a_new_game_takes_the_default() -> None:
    setup = complete(META, Setup(EDITION, 2))
    assert (setup.options["coral"], setup.readings["tide"]) == ("red", "red")


def test_a_game_on_record_keeps_what_held_before_there_was_a_choice() -> None:
    setup = META.understood(Setup(EDITION, 2, {"pearls": "few"}))
    assert setup == Setup(EDITION, 2, {"pearls": "few", "coral": "blue"}, {"tide": "blue"})
    assert complete(META, setup) == setup


def test_what_is_written_down_holds() -> None:
    said = Setup(EDITION, 2, {"pearls": "few", "coral": "red"}, {"tide": "red"})
    assert META.understood(said) == said


def test_what_there_has_always_been_is_not_filled_in() -> None:
    assert "pearls" not in META.understood(Setup(EDITION, 2)).options
