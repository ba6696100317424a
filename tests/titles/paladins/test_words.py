"""Texts of Paladins, as people would say them. ``tests/kit/test_words.py`` checks that they are complete."""

from __future__ import annotations

import pytest
from msgspec import Struct
from tests.titles.paladins.adapter import ADAPTER

from boardkeeper.game.choices import complete
from boardkeeper.table.rejections import Rejection
from boardkeeper.testkit.sentence_checks import NAMES, check_sentences
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.sentences import Part
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins import offers as o
from boardkeeper.titles.paladins.catalogue import components
from boardkeeper.titles.paladins.data import data_for
from boardkeeper.titles.paladins.meta import META, explain, sentence, words

GAMES = [
    ({}, {"free_recruit": "hire_or_discard", "void_choice": "refused", "supply_limits": "as_in_the_box"}, 4),
    ({}, {"pray_action_target": "any_area", "workers_gained_after_pass": "cut_to_three"}, 2),
    ({"opponent": "easy"}, {"ai_left_option_void": "no_effect", "ai_empty_scheme_deck": "rest"}, 1),
    ({"opponent": "hard"}, {}, 1),
]
"""Options, readings and numbers of people of games with other than the default choices."""


# --- forms ------------------------------------------------------------------------------------------------


def test_all_languages_have_the_same_forms() -> None:
    english, german = words("en"), words("de")
    for form in set(english.forms) & set(german.forms):
        assert set(english.forms[form]) == set(german.forms[form]), form


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_those_of_the_components(language: str) -> None:
    names = words(language).forms["name"]
    for it in components(META.default_edition):
        assert names[it.id] == it.text[language]


def _forms(template: Part) -> set[str]:
    return {field.form for field in template.fields() if field.form and not field.test}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_in_a_template_exists(language: str) -> None:
    texts = words(language)
    for templates in texts.templates.values():
        for name, template in templates.items():
            for form in _forms(template) - {"seat"}:
                assert form in texts.forms or form in texts.numbers or form in texts.templates["parts"], (
                    f"{name}: {form}"
                )


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_and_spaces_of_a_kind_have_different_names(language: str) -> None:
    data = data_for(complete(META, Setup("", 4)))
    the = words(language).forms["the"]
    for ids in (data.townsfolk, data.outsiders, data.favours, data.tavern, [space.id for space, _ in data.all_spaces]):
        texts = [the[id] for id in ids]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reward_that_can_be_due_has_its_forms(language: str) -> None:
    forms = words(language).forms
    for due in data_for(complete(META, Setup("", 4))).reward_kinds:
        assert due in forms["due"]
        assert due in forms["a"]


# --- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "readings", "people"), GAMES)
def test_a_game_with_other_choices_reads_well(options: dict[str, str], readings: dict[str, str], people: int) -> None:
    seats = ("sensible", "random", "sensible", "random")[: max(people, 2)]
    check_sentences(ADAPTER, seats, options=options, readings=readings)


def test_the_public_event_of_a_choice_does_not_name_the_paladin() -> None:
    assert sentence("en", NAMES, 1, e.PaladinLaid()) == "Anna has chosen a paladin."
    assert sentence("de", NAMES, 1, e.PaladinLaid()) == "Anna hat einen Paladin gewählt."


# --- sentences ------------------------------------------------------------------------------------------------------

SENTENCES: list[tuple[Struct, str, str]] = [
    (
        o.ActionOffer("commission", 2, "", 0, 1, ("influence",)),
        "Commission with 2 workers for 1 provision: 1 influence",
        "Entsenden mit 2 Arbeitern für 1 Proviant: 1 Einfluss",
    ),
    (o.ActionOffer("convert", 3, "", 0, 0, ()), "Convert with 3 workers", "Konvertieren mit 3 Arbeitern"),
    (
        o.ActionOffer("recruit", 1, "1", 0, 0, ()),
        "Recruit with 1 worker to discard townsfolk",
        "Rekrutieren mit 1 Arbeiter, um jemanden abzuwerfen",
    ),
    (
        o.HireOffer("squire_2", 2, False, False, ("influence",), "inquisition", "no_suspicion", ()),
        "Hire the second Squire for 2 silver: 1 influence in each inquisition if you have no suspicion cards",
        "Wirb den zweiten Knappen für 2 Silber an: 1 Einfluss bei jeder Inquisition ohne Verdachtskarten",
    ),
    (
        o.DiscardOffer("abbot_1", 0, True, False, ("cleric", "labourer")),
        "Discard the Abbot (labourer) by taking an unpaid debt: a cleric and a labourer",
        "Wirf den Abt (Tagelöhner) für einen offenen Schuldschein ab: einen Geistlichen und einen Tagelöhner",
    ),
    (
        o.ConvertOffer("assassin_byzantine", ("strength", "strength"), "saracen"),
        "Convert the Byzantine Assassin: 2 strength; at the end of the game, 1 point for each Saracen attacked",
        "Konvertiere den byzantinischen Attentäter: 2 Stärke und am Ende 1 Punkt je angegriffenen Sarazenen",
    ),
    (
        o.WorkerOffer("criminal", "scout"),
        "Place a criminal instead of a scout",
        "Setze einen Verbrecher ein statt: Späher",
    ),
    (
        c.TakeTavernCard("tavern_01"),
        "Take the tavern card (2 labourers, scout, cleric)",
        "Nimm die Tavernenkarte (2 Tagelöhner, Späher, Geistlicher)",
    ),
    (
        e.Gained(("influence", "labourer", "labourer"), "mercenary_viking", ("influence",)),
        "Anna gains 1 influence and 2 labourers from the Viking Mercenary; lost at the limit: 1 influence.",
        "Anna erhält 1 Einfluss und 2 Tagelöhner durch den wikingischen Söldner; verfallen: 1 Einfluss.",
    ),
    (
        e.TownsfolkHired("debt_collector_2", "debt", 0),
        "Anna hires the Debt Collector (fighter) by taking an unpaid debt.",
        "Anna wirbt den Schuldeneintreiber (Kämpfer) für einen offenen Schuldschein an.",
    ),
    (
        e.SuspicionTaken("suspicion_2", 1, 1, False),
        "Anna takes a suspicion card: 1 silver from the tax supply and 1 silver from the general supply.",
        ("Anna nimmt eine Verdachtskarte: 1 Silber aus dem Steuervorrat und 1 Silber aus dem allgemeinen Vorrat."),
    ),
    (
        e.SuspicionTaken("suspicion_0", 0, 0, False),
        "Anna takes a suspicion card: no silver.",
        "Anna nimmt eine Verdachtskarte: kein Silber.",
    ),
    (
        e.SchemeTurned(
            "order",
            "convert",
            (e.Attempt("commission", "already_fulfilled"), e.Attempt("attack", "attribute")),
            "convert",
            False,
        ),
        (
            "Anna reveals a scheme: King's Order; not possible: Commission (already fulfilled) and Attack (attribute "
            "too low); it carries out Convert for the King's Order Convert."
        ),
        (
            "Anna deckt eine Plankarte auf: Auftrag des Königs; nicht möglich: Entsenden (schon erfüllt) und Angreifen "
            "(außer Reichweite); Anna führt Konvertieren aus für den Auftrag Konvertieren."
        ),
    ),
    (
        e.SchemeTurned("", "rest", (), "", False),
        "Anna has no scheme left; it carries out Rest.",
        "Anna hat keine Plankarte mehr; Anna führt Ruhen aus.",
    ),
    (
        e.TargetChosen("abbot_2", "marker", 4, (e.Attempt("4", "not_there"),)),
        (
            "Anna chooses the Abbot (provision): first possible card from the resource marker on space 4; "
            "skipped: place 4 (empty)."
        ),
        (
            "Anna wählt den Abt (Proviant), das erste Mögliche ab dem Ressourcenmarker auf Feld 4; "
            "übergangen: Platz 4 (nichts da)."
        ),
    ),
    (
        e.TargetChosen("silver+silver", "right_option", 0),
        "Anna chooses 2 silver: the right option, because it cannot use the left one.",
        "Anna wählt 2 Silber, die rechte Möglichkeit, weil die linke nichts nützt.",
    ),
    (
        e.Absolved("pray", 1, 0),
        "Anna absolves with jar 1 of 7 and puts it on the jar space (Pray).",
        "Anna spricht mit Krug 1 von 7 los und legt ihn auf das Krugfeld (Beten).",
    ),
    (
        e.Absolved("pray", 2, 1),
        "Anna absolves with jar 2 of 7, puts it on the jar space (Pray) and pays 1 silver.",
        "Anna spricht mit Krug 2 von 7 los, legt ihn auf das Krugfeld (Beten) und zahlt 1 Silber.",
    ),
    (
        e.SeatScored(
            {"fortify": 4}, 2, 1, 0, 0, 0, 0, 0, 0, 1, -3, 0, 0, {"thief_viking": 1, "champion_saracen": 2}, 8, 2
        ),
        (
            "Anna scores 8 points (rank 2): King's Orders (4 for Fortify), 1 for faith, 2 for monks, 1 for paid "
            "debts, -3 for unpaid debts and outsiders (1 for the Viking Thief and 2 for the Saracen Champion)."
        ),
        (
            "Anna erreicht 8 Punkte und Rang 2: Aufträge des Königs (4 für Befestigen), 1 für Glauben, 2 für Mönche, "
            "1 für beglichene Schuldscheine, -3 für offene Schuldscheine und Fremde (1 für den wikingischen Dieb und "
            "2 für den sarazenischen Champion)."
        ),
    ),
]


@pytest.mark.parametrize(("detail", "english", "german"), SENTENCES, ids=lambda value: type(value).__name__)
def test_sentences_are_natural(detail: Struct, english: str, german: str) -> None:
    assert sentence("en", NAMES, 1, detail) == english
    assert sentence("de", NAMES, 1, detail) == german


# --- rejections ------------------------------------------------------------------------------------------------------


def test_a_rejection_is_explained_with_its_reason() -> None:
    values = {"attribute": "faith", "needs": "4", "has": "3"}
    rejection = Rejection("ATTRIBUTE_TOO_LOW", "paladins.commission.flag", values)
    assert explain("en", NAMES, rejection).startswith("You have 3 faith and need 4. A monk needs ")
    assert explain("de", NAMES, rejection).startswith("Du hast 3 Glauben und brauchst 4. Ein Mönch geht ")
