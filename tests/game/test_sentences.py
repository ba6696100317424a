"""The sentences and explanations that all titles share."""

from __future__ import annotations

import pytest

from boardkeeper.game.choices import complete
from boardkeeper.game.events import GAME_EVENTS, GameCreated, GameEnded, GameStarted, SeatJoined, Undone
from boardkeeper.game.sentences import explain, sentence, words
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.drawing import drawing_of
from boardkeeper.titlekit.rules_catalogue import LANGUAGES, kernel_rules, language_or_default, read_rules
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.events import Passed
from boardkeeper.titles.registry import load_title

ORLEANS = load_title("orleans")
NAMES = ("Anna", "Ben", "Clara")
CREATED = GameCreated(
    title="orleans",
    setup=Setup("capstone-2021", 3),
    seats=("person",) * 3,
    rules_version="1",
    dice="",
    commitment="",
    server_build="",
    layout=TableLayout(3, (), ()),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_of_a_game_has_a_sentence(language: str) -> None:
    assert set(words(language).templates["events"]) == {event.__name__ for event in GAME_EVENTS}


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "A game of Orléans with 3 seats was created."),
        ("de", "Ein Spiel Orléans mit 3 Plätzen wird angelegt."),
        ("de-AT", "Ein Spiel Orléans mit 3 Plätzen wird angelegt."),
        ("fr", "A game of Orléans with 3 seats was created."),
    ],
)
def test_sentences_are_in_the_requested_language_or_english(language: str, expected: str) -> None:
    assert sentence(language, ORLEANS, NAMES, 0, CREATED) == expected


def test_the_sentence_of_joining_does_not_depend_on_entropy() -> None:
    assert sentence("en", ORLEANS, NAMES, 1, SeatJoined("")) == "Anna joined."
    assert sentence("en", ORLEANS, NAMES, 1, SeatJoined("00ff")) == "Anna joined."


def test_the_end_names_the_winners() -> None:
    one = sentence("en", ORLEANS, NAMES, 0, GameEnded("", (2, 1, 3)))
    assert one == "The game is over: Ben wins. The dice seed is revealed; the game can now be verified."
    two = sentence("de", ORLEANS, NAMES, 0, GameEnded("", (1, 3, 1)))
    assert (
        two == "Das Spiel ist aus: Anna und Clara gewinnen gemeinsam."
        " Das Geheimnis der Würfel ist offengelegt; das Spiel lässt sich jetzt prüfen."
    )


def test_an_undo_names_the_seat_and_the_events() -> None:
    assert sentence("en", ORLEANS, NAMES, 2, Undone(3, 5)) == "Ben undoes events 3 to 5."
    assert sentence("de", ORLEANS, NAMES, 2, Undone(3, 5)) == "Ben nimmt die Ereignisse 3 bis 5 zurück."
    assert sentence("en", ORLEANS, NAMES, 2, Undone(3, 3)) == "Ben undoes event 3."
    assert sentence("de", ORLEANS, NAMES, 2, Undone(3, 3)) == "Ben nimmt Ereignis 3 zurück."
    rejection = Rejection("UNDO_OPEN", "table.one_undo_at_a_time", {"seat": "3"})
    assert explain("en", ORLEANS, NAMES, rejection).startswith("Clara has asked for an undo")
    assert explain("de", ORLEANS, NAMES, rejection).startswith("Clara hat um eine Rücknahme gebeten")
    assert explain("de", ORLEANS, ("Anna", "Ben", ""), rejection).startswith("Platz 3 hat"), "a removed name"


def test_events_of_the_title_have_sentences_of_the_title() -> None:
    assert sentence("en", ORLEANS, NAMES, 1, Passed()) == "Anna passes."
    assert sentence("en", ORLEANS, NAMES, 0, GameStarted()) == "All seats are taken; the game starts."


VALUES = {
    "seat": "1",
    "version": "7",
    "most": "100",
    "field": "place",
    "id": "nowhere",
    "known": "castle, ship",
    "marker": "plan",
    "deciding": "2 3",
}


def test_rejections_of_all_titles_have_explanations() -> None:
    rules = kernel_rules()
    assert set(rules) == {
        "table.not_deciding",
        "table.wrong_decision",
        "table.known_ids",
        "table.all_seats_taken",
        "table.game_over",
        "table.seat_of_person",
        "table.seat_of_bot",
        "table.resigned_for_good",
        "table.time_control",
        "table.undo_own_command",
        "table.one_undo_at_a_time",
        "table.undo_in_moderation",
        "table.undo_within_reach",
        "table.undo_vote",
        "table.undo_consent",
        "table.shuffles_stay",
        "table.batches_end_with_news",
        "table.forks_deal_anew",
        "table.forks_deal_zones",
    }
    codes = {"GAME_OVER": "game_over", "GAME_NOT_STARTED": "all_seats_taken"}
    codes |= {"NOT_DECIDING": "not_deciding", "OTHERS_DECIDE": "not_deciding", "WRONG_DECISION": "wrong_decision"}
    codes |= {"UNDO_OPEN": "one_undo_at_a_time", "NOTHING_TO_UNDO": "undo_own_command", "NO_SUCH_UNDO": "undo_vote"}
    codes |= {"NOT_ASKED": "undo_vote", "NOT_PAST_SHUFFLE": "shuffles_stay", "PLANS_HIDDEN": "forks_deal_anew"}
    codes |= {"NOT_PAST_NEWS": "batches_end_with_news", "UNDO_TOO_FAR": "undo_within_reach"}
    codes |= {"TOO_MANY_UNDOS": "undo_in_moderation", "ASKED_TOO_OFTEN": "undo_in_moderation"}
    codes |= {"CONSENT_IMPOSSIBLE": "undo_consent"}
    codes |= {"UNKNOWN_ID": "known_ids", "MARKERS_HIDDEN": "forks_deal_zones"}
    codes |= {"SEAT_OF_NO_PERSON": "seat_of_person", "SEAT_PLAYED_BY_BOT": "seat_of_bot"}
    codes |= {"SEAT_NOT_HANDED_OVER": "seat_of_bot", "SEAT_RESIGNED": "resigned_for_good"}
    codes |= {"NOT_EXPIRED": "time_control", "TIME_EXPIRED": "time_control"}
    for language in LANGUAGES:
        assert set(words(language).templates["rejections"]) == set(codes)
        for code, rule in codes.items():
            text = explain(language, ORLEANS, NAMES, Rejection(code, f"table.{rule}", VALUES))
            assert text.endswith(f". {rules[f'table.{rule}'].text[language]}"), text


@pytest.mark.parametrize("title", ["orleans", "paladins", "stories"])
def test_a_wrong_decision_names_the_open_one(title: str) -> None:
    rules, loaded = kernel_rules(), load_title(title)
    setup = complete(loaded.meta, Setup("", 2))
    for entry in drawing_of(loaded, setup).decisions:
        rejection = Rejection("WRONG_DECISION", "table.wrong_decision", {"decision": entry.id, "command": "Pass"})
        for language, expected in (
            ("en", f"first you have to decide: “{entry.text['en']}”."),
            ("de", f"entscheiden: „{entry.text['de']}“."),
        ):
            text = explain(language, loaded, NAMES, rejection)
            assert expected in text
            assert text.endswith(rules["table.wrong_decision"].text[language])
    unnamed = Rejection("WRONG_DECISION", "table.wrong_decision", {"decision": "nap", "command": "Pass"})
    assert explain("en", loaded, NAMES, unnamed).startswith("You cannot do that now. ")


def test_rejections_of_the_title_have_explanations_of_the_title() -> None:
    rejection = Rejection("PASS_FIRST", "orleans.technology.after_passing")
    assert explain("en", ORLEANS, NAMES, rejection).startswith("You must pass first. ")


@pytest.mark.parametrize(("requested", "expected"), [("de", "de"), ("DE-ch", "de"), ("", "en"), ("zh-Hans", "en")])
def test_unknown_languages_fall_back_to_english(requested: str, expected: str) -> None:
    assert language_or_default(requested) == expected


def test_rules_are_read_in_the_order_of_the_file() -> None:
    assert next(rule.id for rule in read_rules("boardkeeper.table")) == "table.not_deciding"
