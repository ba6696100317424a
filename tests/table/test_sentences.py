"""Templates of sentences."""

from __future__ import annotations

import pytest

from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.sentences import Words, explain, parse
from boardkeeper.titlekit.title import Rule

TABLES = {
    "names": {
        "followers": {
            "monk": {"name": "Monk", "a": "a monk", "no": "no monk", "many": "monks"},
            "knight": {"a": "a knight"},
        },
        "towns": {"le_mans": {"name": "Le Mans"}},
    },
    "lookups": {"space": {"knight": "the knight space"}},
    "numbers": {
        "coins": {"none": "no coins", "one": "1 coin", "many": "{} coins"},
        "points": {"one": "1", "many": "{}"},
    },
    "fallbacks": {"no": "no “{}”"},
    "joints": {"and": "and", "nothing": "nothing", "seat": "Seat {}"},
    "events": {
        "Drawn": "{seat} draws {followers|a}",
        "Moved": "{seat} goes to {town|name}[ and takes {good|a}][{!good} with empty hands]",
        "Gained": "{seat}[ gains <{coins|coins};{?citizen}a citizen;{followers|a}>].",
        "Coins": "{coins|coins}",
        "Lacks": "You have {follower|no}",
        "Note": "first; second",
        "Led": "[{leader|seat} leads][{!leader}nobody leads]",
        "Won": "{winners|seat}",
        "Opened": "opened: {cards|card_of}",
    },
    "parts": {"card_of": "{value|a} for {key|seat}"},
    "rejections": {
        "TAKEN": "{space|space} is taken",
        "TAKEN t.deed": "the deed is full",
        "LEFT": "empty: {missing|space}",
        "ASKED": "{seat|seat} has asked",
    },
}


@pytest.fixture
def words() -> Words:
    return Words(TABLES)


def render(words: Words, id: str, **values: object) -> str | None:
    return words.render("events", id, {"seat": "Anna", **values})


def test_a_form_has_a_fallback_for_unknown_ids(words: Words) -> None:
    assert render(words, "Lacks", follower="monk") == "You have no monk"
    assert render(words, "Lacks", follower="{grey}_wizard") == "You have no “{grey} wizard”"


def test_a_list_counts_equal_components(words: Words) -> None:
    assert render(words, "Drawn", followers=("monk", "knight", "monk")) == "Anna draws 2 monks and a knight"
    assert render(words, "Drawn", followers={"monk": 1}) == "Anna draws a monk"
    assert render(words, "Drawn", followers=()) == "Anna draws nothing"


def test_a_list_with_an_entry_for_each_seat_names_each(words: Words) -> None:
    assert render(words, "Opened", cards=("monk", "knight", "monk")) == (
        "opened: a monk for Seat 1, a knight for Seat 2 and a monk for Seat 3"
    )
    assert (
        render(words, "Opened", cards={3: "knight", 1: "monk"}) == "opened: a knight for Seat 3 and a monk for Seat 1"
    )
    assert render(words, "Opened", cards=()) == "opened: nothing"


def test_an_optional_part_appears_only_with_its_fields(words: Words) -> None:
    assert render(words, "Moved", town="le_mans", good="monk") == "Anna goes to Le Mans and takes a monk"
    assert render(words, "Moved", town="le_mans", good="") == "Anna goes to Le Mans with empty hands"


@pytest.mark.parametrize(
    ("coins", "citizen", "followers", "sentence"),
    [
        (2, True, ("monk",), "Anna gains 2 coins, a citizen and a monk."),
        (0, True, (), "Anna gains a citizen."),
        (0, False, (), "Anna."),
    ],
)
def test_a_joined_part_contains_only_fields_with_a_value(
    words: Words, coins: int, citizen: bool, followers: tuple[str, ...], sentence: str
) -> None:
    assert render(words, "Gained", coins=coins, citizen=citizen, followers=followers) == sentence


@pytest.mark.parametrize(("coins", "sentence"), [(0, "no coins"), (1, "1 coin"), (7, "7 coins")])
def test_a_number_has_its_unit(words: Words, coins: int, sentence: str) -> None:
    assert render(words, "Coins", coins=coins) == sentence
    assert render(words, "Coins", coins=str(coins)) == sentence


def test_a_semicolon_outside_a_list_is_a_semicolon(words: Words) -> None:
    assert render(words, "Note") == "first; second"


def test_seats_are_called_by_their_names(words: Words) -> None:
    names = ("Anna", "Ben", "")
    assert words.render("events", "Led", {"leader": 2}, names) == "Ben leads"
    assert words.render("events", "Led", {"leader": 0}, names) == "nobody leads"
    assert words.render("events", "Led", {"leader": 3}, names) == "Seat 3 leads", "seat 3 has no name"
    assert words.render("events", "Led", {"leader": 2}) == "Seat 2 leads", "without names"
    assert words.render("events", "Won", {"winners": (1, 2)}, names) == "Anna and Ben"
    assert (words.seat(0, names), words.seat(1, names)) == ("", "Anna")
    assert explain(words, {}, "en", Rejection("ASKED", "t.other", {"seat": "2"}), names) == "Ben has asked."


def test_an_unknown_id_is_rendered_readably(words: Words) -> None:
    assert words.name("no_such_thing") == "no such thing"
    assert render(words, "NoSuchEvent") is None


@pytest.mark.parametrize("template", ["[open", "close]", "<a;b", "a>", "[<a]>"])
def test_brackets_have_to_match(template: str) -> None:
    with pytest.raises(ValueError, match=r"unmatched|unclosed"):
        parse(template)


def test_a_component_with_two_names_is_an_error() -> None:
    names = {"one": {"monk": {"a": "a monk"}}, "two": {"monk": {"a": "a friar"}}}
    with pytest.raises(ValueError, match="monk"):
        Words({**TABLES, "names": names})


def test_a_rejection_is_explained_with_its_reason_and_the_rule(words: Words) -> None:
    rules = {"t.free": Rule("t.free", {"en": "One tile a space."}, {})}
    rejection = Rejection("TAKEN", "t.free", {"space": "knight"})
    assert explain(words, rules, "en", rejection) == "The knight space is taken. One tile a space."
    assert explain(words, rules, "en", Rejection("TAKEN", "t.deed", {})) == "The deed is full."
    assert explain(words, rules, "en", Rejection("TAKEN", "t.free", {})) == "One tile a space.", "a value is missing"
    assert explain(words, rules, "en", Rejection("TAKEN", "t.free", {"space": ""})) == "One tile a space."
    assert explain(words, rules, "en", Rejection("OTHER", "t.free", {})) == "One tile a space."
    assert explain(words, rules, "en", Rejection("OTHER", "t.other", {})) == "OTHER"


def test_a_rejection_can_contain_several_ids(words: Words) -> None:
    rejection = Rejection("LEFT", "t.other", {"missing": "knight farmer"})
    assert explain(words, {}, "en", rejection) == "Empty: the knight space and farmer."
