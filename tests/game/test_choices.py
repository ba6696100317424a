"""What a game is played with when nobody said: the default today, and what held when the game was created."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.service.rival_title import RIVAL_TITLE
from tests.service.tiny_title import TINY

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.titlekit.title import ChoiceMeta, OptionMeta, Setup

CHOICES = (ChoiceMeta("red", {}), ChoiceMeta("blue", {}))
YOUNGER = OptionMeta("coral", {}, CHOICES, default="red", legacy_choice="blue")
"""Something that came to be chosen later, and whose default is not what was usual before."""
META = replace(TINY.meta, options=(*TINY.meta.options, YOUNGER), readings=(replace(YOUNGER, id="tide"),))
EDITION = TINY.meta.default_edition


def test_a_new_game_takes_the_default() -> None:
    setup = complete(META, Setup(EDITION, 2))
    assert (setup.options["coral"], setup.readings["tide"]) == ("red", "red")


def test_a_game_on_record_keeps_what_held_before_there_was_a_choice() -> None:
    setup = META.with_legacy_choices(Setup(EDITION, 2, {"pearls": "few"}))
    assert setup == Setup(EDITION, 2, {"pearls": "few", "coral": "blue"}, {"tide": "blue"})
    assert complete(META, setup) == setup


def test_what_is_written_down_holds() -> None:
    said = Setup(EDITION, 2, {"pearls": "few", "coral": "red"}, {"tide": "red"})
    assert META.with_legacy_choices(said) == said


def test_what_there_has_always_been_is_not_filled_in() -> None:
    assert "pearls" not in META.with_legacy_choices(Setup(EDITION, 2)).options


# --- choices that go with some numbers of players ------------------------------------------------------------------

SMALL = OptionMeta("reef", {}, (ChoiceMeta("flat", {}, (2, 3)), ChoiceMeta("deep", {}, (3, 4))), default="flat")
REEFS = replace(TINY.meta, options=(SMALL,), readings=(replace(SMALL, id="tide"),))


@pytest.mark.parametrize("field", ["options", "readings"])
def test_a_choice_that_does_not_go_with_so_many_players_is_refused(field: str) -> None:
    id = "reef" if field == "options" else "tide"
    with pytest.raises(
        ChoiceError, match=r"^`\w+\.\w+` can be 'flat' only with 2 or 3 players, not with 4$"
    ) as refused:
        complete(REEFS, Setup(EDITION, 4, **{field: {id: "flat"}}))
    assert refused.value.field == f"{field}.{id}"


def test_a_default_that_does_not_go_with_so_many_players_gives_way() -> None:
    for players, expected in ((2, "flat"), (3, "flat"), (4, "deep")):
        setup = complete(REEFS, Setup(EDITION, players))
        assert (setup.options["reef"], setup.readings["tide"]) == (expected, expected)


def test_what_an_edition_selects_gives_way_as_well() -> None:
    (edition,) = REEFS.editions
    meta = replace(REEFS, editions=(replace(edition, readings={"tide": "deep"}),))
    assert [complete(meta, Setup(EDITION, players)).readings["tide"] for players in (2, 3)] == ["flat", "deep"]


# --- choices that there are in some editions only ------------------------------------------------------------------

(FIRST,) = TINY.meta.editions
SHORE = OptionMeta("shore", {}, CHOICES, default="red", editions=("island", "bay"))
OCEAN = replace(YOUNGER, id="ocean", editions=("island",))
ISLANDS = replace(
    TINY.meta,
    editions=(FIRST, replace(FIRST, id="island"), replace(FIRST, id="bay", readings={"shore": "blue"})),
    options=(*TINY.meta.options, replace(SHORE, id="sand")),
    readings=(SHORE, OCEAN),
)


def test_what_is_chosen_in_some_editions_only_is_part_of_their_games_and_of_no_others() -> None:
    assert complete(ISLANDS, Setup("first", 2)) == Setup("first", 2, {"pearls": "many"})
    island = Setup("island", 2, {"pearls": "many", "sand": "red"}, {"shore": "red", "ocean": "red"})
    assert complete(ISLANDS, Setup("island", 2)) == island
    assert complete(ISLANDS, Setup("bay", 2)).readings == {"shore": "blue"}
    assert complete(ISLANDS, Setup("bay", 2, {"sand": "blue"}, {"shore": "red"})).options["sand"] == "blue"


@pytest.mark.parametrize(("field", "id"), [("options", "sand"), ("readings", "shore")])
@pytest.mark.parametrize("choice", ["red", "blue", "no such"])
def test_what_there_is_to_choose_in_other_editions_is_refused(field: str, id: str, choice: str) -> None:
    says = f"^`{field}.{id}` exists only in the editions island and bay, not in first$"
    with pytest.raises(ChoiceError, match=says) as refused:
        complete(ISLANDS, Setup("", 2, **{field: {id: choice}}))
    assert refused.value.field == f"{field}.{id}"


@pytest.mark.parametrize(
    ("chosen", "field", "says"),
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
def test_what_is_chosen_as_the_wrong_kind_is_told_where_it_is(chosen: Setup, field: str, says: str) -> None:
    with pytest.raises(ChoiceError, match=f"^`{field}` {says}$") as refused:
        complete(ISLANDS, chosen)
    assert refused.value.field == field


def test_a_game_on_record_is_not_given_what_its_edition_does_not_ask_for() -> None:
    assert ISLANDS.with_legacy_choices(Setup("first", 2)).readings == {}
    assert ISLANDS.with_legacy_choices(Setup("island", 2)).readings == {"ocean": "blue"}


# --- one player ----------------------------------------------------------------------------------------------------


def test_one_player_plays_against_the_rules() -> None:
    meta = RIVAL_TITLE.meta
    assert complete(meta, Setup("", 1)) == Setup("first", 2, {"pearls": "many", "rival": "keen"})
    chosen = complete(meta, Setup("", 1, {"rival": "meek", "pearls": "few"}))
    assert chosen == Setup("first", 2, {"pearls": "few", "rival": "meek"})


def test_two_players_choose_for_themselves() -> None:
    assert complete(RIVAL_TITLE.meta, Setup("", 2)).options["rival"] == "off"


def test_a_title_that_is_not_for_one_refuses_one_player() -> None:
    with pytest.raises(ChoiceError, match="must be 2 to 4 in the edition 'first', not 1"):
        complete(TINY.meta, Setup("", 1))
