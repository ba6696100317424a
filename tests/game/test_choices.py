"""Options and readings that a setup does not contain: new games get the defaults, old games the legacy choices."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.service.rival_title import RIVAL_TITLE
from tests.service.tiny_title import TINY

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.titlekit.title import ChoiceMeta, OptionMeta, Setup

CHOICES = (ChoiceMeta("red", {}), ChoiceMeta("blue", {}))
NEW_OPTION = OptionMeta("coral", {}, CHOICES, default="red", legacy_choice="blue")
"""An option that was added later, with a default that differs from the earlier behaviour."""
META = replace(TINY.meta, options=(*TINY.meta.options, NEW_OPTION), readings=(replace(NEW_OPTION, id="tide"),))
EDITION = TINY.meta.default_edition


def test_a_new_game_has_the_default() -> None:
    setup = complete(META, Setup(EDITION, 2))
    assert (setup.options["coral"], setup.readings["tide"]) == ("red", "red")


def test_an_old_game_has_the_legacy_choice() -> None:
    setup = META.with_legacy_choices(Setup(EDITION, 2, {"pearls": "few"}))
    assert setup == Setup(EDITION, 2, {"pearls": "few", "coral": "blue"}, {"tide": "blue"})
    assert complete(META, setup) == setup


def test_stored_choices_are_unchanged() -> None:
    stored = Setup(EDITION, 2, {"pearls": "few", "coral": "red"}, {"tide": "red"})
    assert META.with_legacy_choices(stored) == stored


def test_options_without_a_legacy_choice_are_not_filled_in() -> None:
    assert "pearls" not in META.with_legacy_choices(Setup(EDITION, 2)).options


# --- choices for some numbers of players ---------------------------------------------------------------------------

SMALL = OptionMeta("reef", {}, (ChoiceMeta("flat", {}, (2, 3)), ChoiceMeta("deep", {}, (3, 4))), default="flat")
REEFS = replace(TINY.meta, options=(SMALL,), readings=(replace(SMALL, id="tide"),))


@pytest.mark.parametrize("field", ["options", "readings"])
def test_a_choice_for_another_number_of_players_is_rejected(field: str) -> None:
    id = "reef" if field == "options" else "tide"
    with pytest.raises(ChoiceError, match=r"^`\w+\.\w+` can be 'flat' only with 2 or 3 players, not with 4$") as raised:
        complete(REEFS, Setup(EDITION, 4, **{field: {id: "flat"}}))
    assert raised.value.field == f"{field}.{id}"


def test_a_default_for_another_number_of_players_is_replaced() -> None:
    for players, expected in ((2, "flat"), (3, "flat"), (4, "deep")):
        setup = complete(REEFS, Setup(EDITION, players))
        assert (setup.options["reef"], setup.readings["tide"]) == (expected, expected)


def test_a_reading_of_an_edition_for_another_number_of_players_is_replaced() -> None:
    (edition,) = REEFS.editions
    meta = replace(REEFS, editions=(replace(edition, readings={"tide": "deep"}),))
    assert [complete(meta, Setup(EDITION, players)).readings["tide"] for players in (2, 3)] == ["flat", "deep"]


# --- choices of some editions --------------------------------------------------------------------------------------

(FIRST,) = TINY.meta.editions
SHORE = OptionMeta("shore", {}, CHOICES, default="red", editions=("island", "bay"))
OCEAN = replace(NEW_OPTION, id="ocean", editions=("island",))
ISLANDS = replace(
    TINY.meta,
    editions=(FIRST, replace(FIRST, id="island"), replace(FIRST, id="bay", readings={"shore": "blue"})),
    options=(*TINY.meta.options, replace(SHORE, id="sand")),
    readings=(SHORE, OCEAN),
)


def test_choices_of_some_editions_are_only_in_their_setups() -> None:
    assert complete(ISLANDS, Setup("first", 2)) == Setup("first", 2, {"pearls": "many"})
    island = Setup("island", 2, {"pearls": "many", "sand": "red"}, {"shore": "red", "ocean": "red"})
    assert complete(ISLANDS, Setup("island", 2)) == island
    assert complete(ISLANDS, Setup("bay", 2)).readings == {"shore": "blue"}
    assert complete(ISLANDS, Setup("bay", 2, {"sand": "blue"}, {"shore": "red"})).options["sand"] == "blue"


@pytest.mark.parametrize(("field", "id"), [("options", "sand"), ("readings", "shore")])
@pytest.mark.parametrize("choice", ["red", "blue", "no such"])
def test_choices_of_other_editions_are_rejected(field: str, id: str, choice: str) -> None:
    message = f"^`{field}.{id}` exists only in the editions island and bay, not in first$"
    with pytest.raises(ChoiceError, match=message) as raised:
        complete(ISLANDS, Setup("", 2, **{field: {id: choice}}))
    assert raised.value.field == f"{field}.{id}"


@pytest.mark.parametrize(
    ("chosen", "field", "message"),
    [
        (Setup("island", 2, {"shore": "red"}), "options.shore", "is a reading, not an option"),
        (
            Setup("", 2, {"shore": "red"}),
            "options.shore",
            "is a reading, not an option, and exists only in the editions island and bay",
        ),
        (Setup("", 2, {}, {"pearls": "few"}), "readings.pearls", "is an option, not a reading"),
        (Setup("", 2, {"shor": "red"}), "options.shor", "does not exist; this edition has: pearls"),
    ],
)
def test_the_error_for_an_option_given_as_a_reading_says_so(chosen: Setup, field: str, message: str) -> None:
    with pytest.raises(ChoiceError, match=f"^`{field}` {message}$") as raised:
        complete(ISLANDS, chosen)
    assert raised.value.field == field


def test_an_old_game_gets_no_legacy_choices_of_other_editions() -> None:
    assert ISLANDS.with_legacy_choices(Setup("first", 2)).readings == {}
    assert ISLANDS.with_legacy_choices(Setup("island", 2)).readings == {"ocean": "blue"}


# --- one player ----------------------------------------------------------------------------------------------------


def test_a_setup_for_one_player_has_an_automaton() -> None:
    meta = RIVAL_TITLE.meta
    assert complete(meta, Setup("", 1)) == Setup("first", 2, {"pearls": "many", "rival": "keen"})
    chosen = complete(meta, Setup("", 1, {"rival": "meek", "pearls": "few"}))
    assert chosen == Setup("first", 2, {"pearls": "few", "rival": "meek"})


def test_a_setup_for_two_players_has_no_automaton_by_default() -> None:
    assert complete(RIVAL_TITLE.meta, Setup("", 2)).options["rival"] == "off"


def test_a_title_without_solo_games_rejects_one_player() -> None:
    with pytest.raises(ChoiceError, match="must be 2 to 4 in the edition 'first', not 1"):
        complete(TINY.meta, Setup("", 1))
