"""What Paladins says: a sentence for every command, offer, event and refusal, in every language."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import fields

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.rules_catalogue import LANGUAGES, table_rules
from boardkeeper.table.sentences import Part
from boardkeeper.table.table import Table
from boardkeeper.table.title import Setup
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins import offers as o
from boardkeeper.titles.paladins.catalogue import components
from boardkeeper.titles.paladins.data import data_for
from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.play import PaladinsPlay
from boardkeeper.titles.paladins.sentences import explain, rules, sentence, words
from boardkeeper.titles.paladins.title import TITLE

NAMES = ("Anna", "Ben", "Clara", "David")
GIVEN = {"commands": c.COMMANDS, "offers": o.OFFERS, "events": e.EVENTS}


GAMES = [
    (3, "off", {}),
    (4, "off", {"free_recruit": "hire_or_discard", "void_choice": "refused", "supply_limits": "as_in_the_box"}),
    (2, "off", {"pray_action_target": "any_area", "workers_gained_after_pass": "cut_to_three"}),
    (2, "easy", {"ai_left_option_void": "no_effect", "ai_empty_scheme_deck": "rest"}),
    (2, "hard", {}),
]
"""Seats, opponent and readings of the games that are read."""


def begun(players: int, opponent: str, seed: str, readings: dict[str, str] | None = None) -> PaladinsPlay:
    """A game that waits for its first decision."""
    setup = complete(META, Setup("", players, {"opponent": opponent}, readings or {}))
    play = TITLE.play(Table(TITLE.layout(setup)), Dice(seed.encode()), setup)
    play.set_up()
    return play


def moments(play: PaladinsPlay, chance: random.Random) -> Iterator[tuple[int, list[Struct]]]:
    """Every decision of a game with its legal commands; chance takes one of them, and seldom passes."""
    while not play.is_over():
        seat = play.table.deciding()[0]
        legal = list(play.legal(seat))
        yield seat, legal
        acting = [command for command in legal if not isinstance(command, c.Pass)]
        command = chance.choice(acting if acting and chance.random() < 0.9 else legal)
        assert play.decide(seat, command) is None


def check(text: str, *, ends: str) -> None:
    """A sentence has no holes, no raw ids and no stray blanks."""
    assert text, "nothing is said"
    assert not re.search(r"[{}\[\]<>|_]", text), text
    assert "  " not in text, text
    assert not re.search(r" [.,;:]|[,;:]\.|\(\)", text), text
    assert text[0].isupper(), text
    assert text.endswith(ends), text
    assert not text.endswith(".."), text


# --- completeness ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", GIVEN)
def test_every_struct_has_a_template_with_existing_fields(language: str, group: str) -> None:
    templates = words(language).templates[group]
    structs = {struct.__name__: struct for struct in GIVEN[group]}
    assert set(templates) == set(structs)
    for name, template in templates.items():
        known = {field.name for field in fields(structs[name])} | {"seat"}
        assert {field.name for field in template.fields()} <= known, name


def test_languages_know_the_same_forms_of_the_same_things() -> None:
    english, german = words("en"), words("de")
    for form in set(english.forms) & set(german.forms):
        assert set(english.forms[form]) == set(german.forms[form]), form
    for group in english.templates:
        assert set(english.templates[group]) == set(german.templates[group]), group


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_those_of_the_components(language: str) -> None:
    names = words(language).forms["name"]
    for it in components(META.default_edition):
        assert names[it.id] == it.text[language]


def _forms(template: Part) -> set[str]:
    return {field.form for field in template.fields() if field.form and not field.test}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_that_a_template_uses_is_known(language: str) -> None:
    said = words(language)
    for templates in said.templates.values():
        for name, template in templates.items():
            for form in _forms(template) - {"seat"}:
                assert form in said.forms or form in said.numbers or form in said.templates["parts"], f"{name}: {form}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_and_spaces_of_a_kind_are_told_apart(language: str) -> None:
    data = data_for(complete(META, Setup("", 4)))
    the = words(language).forms["the"]
    for ids in (data.townsfolk, data.outsiders, data.favours, data.tavern, [space.id for space, _ in data.all_spaces]):
        texts = [the[id] for id in ids]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_can_be_due_has_its_words(language: str) -> None:
    forms = words(language).forms
    for due in data_for(complete(META, Setup("", 4))).dues:
        assert due in forms["due"]
        assert due in forms["a"]


# --- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "opponent", "readings"), GAMES)
def test_a_whole_game_reads_well(players: int, opponent: str, readings: dict[str, str]) -> None:
    """Every event, and at each decision every legal command, each said differently from the others."""
    play = begun(players, opponent, f"words {players}", readings)
    for seat, legal in moments(play, random.Random(players)):
        for language in LANGUAGES:
            texts = [sentence(language, NAMES, seat, play.offered(seat, command)) for command in legal]
            assert len(set(texts)) == len(texts), texts
            for text in (*texts, *(sentence(language, NAMES, seat, command) for command in legal)):
                check(text, ends="")
    for event in play.recorder.take():
        for language in LANGUAGES:
            check(sentence(language, NAMES, event.seat, event.detail), ends=".")


def test_nobody_is_told_which_paladin_was_laid() -> None:
    assert sentence("en", NAMES, 1, e.PaladinLaid()) == "Anna has chosen a paladin."
    assert sentence("de", NAMES, 1, e.PaladinLaid()) == "Anna hat einen Paladin gewählt."


# --- sentences as people say them -----------------------------------------------------------------------------------

SAID: list[tuple[Struct, str, str]] = [
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
        "Hire the second Squire for 2 silver: 1 influence with each inquisition if you have no suspicion card",
        "Wirb den zweiten Knappen für 2 Silber an: 1 Einfluss bei jeder Inquisition ohne Verdachtskarten",
    ),
    (
        o.DiscardOffer("abbot_1", 0, True, False, ("cleric", "labourer")),
        "Discard the Abbot (labourer) for an unpaid debt: a cleric and a labourer",
        "Wirf den Abt (Tagelöhner) für einen offenen Schuldschein ab: einen Geistlichen und einen Tagelöhner",
    ),
    (
        o.ConvertOffer("assassin_byzantine", ("strength", "strength"), "saracen"),
        "Convert the Byzantine Assassin: 2 strength, and at the end 1 point for each Saracen attacked",
        "Konvertiere den byzantinischen Attentäter: 2 Stärke und am Ende 1 Punkt je angegriffenen Sarazenen",
    ),
    (
        o.WorkerOffer("criminal", "scout"),
        "Place a criminal in place of a scout",
        "Setze einen Verbrecher ein statt: Späher",
    ),
    (
        c.TakeTavernCard("tavern_01"),
        "Take the tavern card (2 labourers, scout, cleric)",
        "Nimm die Tavernenkarte (2 Tagelöhner, Späher, Geistlicher)",
    ),
    (
        e.Gained(("influence", "labourer", "labourer"), "mercenary_viking", ("influence",)),
        "Anna receives 1 influence and 2 labourers from the Viking Mercenary; lost: 1 influence.",
        "Anna erhält 1 Einfluss und 2 Tagelöhner durch den wikingischen Söldner; verfallen: 1 Einfluss.",
    ),
    (
        e.TownsfolkHired("debt_collector_2", "debt", 0),
        "Anna hires the Debt Collector (fighter) for an unpaid debt.",
        "Anna wirbt den Schuldeneintreiber (Kämpfer) für einen offenen Schuldschein an.",
    ),
    (
        e.SuspicionTaken("suspicion_2", 1, 1, False),
        "Anna takes a suspicion card; it takes 1 silver from the tax supply and 1 silver from the general supply.",
        (
            "Anna nimmt eine Verdachtskarte; "
            "sie nimmt 1 Silber aus dem Steuervorrat und 1 Silber aus dem allgemeinen Vorrat."
        ),
    ),
    (
        e.SuspicionTaken("suspicion_0", 0, 0, False),
        "Anna takes a suspicion card; it takes no silver.",
        "Anna nimmt eine Verdachtskarte; sie nimmt kein Silber.",
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
            "Anna turns a scheme: King's Order; not possible: Commission (fulfilled already) and Attack (out of reach)"
            "; Anna carries out Convert for the King's Order of Convert."
        ),
        (
            "Anna deckt eine Plankarte auf: Auftrag des Königs; nicht möglich: Entsenden (schon erfüllt) und Angreifen "
            "(außer Reichweite); Anna führt Konvertieren aus für den Auftrag Konvertieren."
        ),
    ),
    (
        e.SchemeTurned("", "rest", (), "", False),
        "Anna has no scheme left; Anna carries out Rest.",
        "Anna hat keine Plankarte mehr; Anna führt Ruhen aus.",
    ),
    (
        e.TargetChosen("abbot_2", "marker", 4, (e.Attempt("4", "not_there"),)),
        (
            "Anna chooses the Abbot (provision), the first that is possible from its resource marker on field 4; "
            "passed over: place 4 (nothing there)."
        ),
        (
            "Anna wählt den Abt (Proviant), das erste Mögliche ab dem Ressourcenmarker auf Feld 4; "
            "übergangen: Platz 4 (nichts da)."
        ),
    ),
    (
        e.TargetChosen("silver+silver", "right_option", 0),
        "Anna chooses 2 silver, the right option, as the left one is of no use to it.",
        "Anna wählt 2 Silber, die rechte Möglichkeit, weil die linke nichts nützt.",
    ),
    (
        e.Absolved("pray", 1, 0),
        "Anna absolves with jar 1 of 7 and puts it on the space for jars (praying).",
        "Anna spricht mit Krug 1 von 7 los und legt ihn auf das Krugfeld (Beten).",
    ),
    (
        e.Absolved("pray", 2, 1),
        "Anna absolves with jar 2 of 7, puts it on the space for jars (praying) and pays 1 silver.",
        "Anna spricht mit Krug 2 von 7 los, legt ihn auf das Krugfeld (Beten) und zahlt 1 Silber.",
    ),
    (
        e.SeatScored(
            {"fortify": 4}, 2, 1, 0, 0, 0, 0, 0, 0, 1, -3, 0, 0, {"thief_viking": 1, "champion_saracen": 2}, 8, 2
        ),
        (
            "Anna scores 8 points and is number 2: King's Orders (4 for Fortify), 1 for faith, 2 for monks, 1 for paid "
            "debts, -3 for unpaid debts and outsiders (1 for the Viking Thief and 2 for the Saracen Champion)."
        ),
        (
            "Anna erreicht 8 Punkte und Rang 2: Aufträge des Königs (4 für Befestigen), 1 für Glauben, 2 für Mönche, "
            "1 für beglichene Schuldscheine, -3 für offene Schuldscheine und Fremde (1 für den wikingischen Dieb und "
            "2 für den sarazenischen Champion)."
        ),
    ),
]


@pytest.mark.parametrize(("detail", "english", "german"), SAID, ids=lambda value: type(value).__name__)
def test_sentences_sound_like_people(detail: Struct, english: str, german: str) -> None:
    assert sentence("en", NAMES, 1, detail) == english
    assert sentence("de", NAMES, 1, detail) == german


# --- rejections ------------------------------------------------------------------------------------------------------


def rejections(repository: Path) -> set[tuple[str, str]]:
    """Code and rule (empty where it is computed) of every rejection in the rules of Paladins."""
    found: set[tuple[str, str]] = set()
    for path in (repository / "domain/boardkeeper/titles/paladins").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Rejection":
                code, rule = node.args[:2]
                assert isinstance(code, ast.Constant), ast.unparse(node)
                found.add((str(code.value), str(rule.value) if isinstance(rule, ast.Constant) else ""))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rejection_code_has_its_words_and_no_words_are_orphans(repository: Path, language: str) -> None:
    templates = set(words(language).templates["rejections"])
    found = rejections(repository)
    assert {code for code, _ in found} == {template.split()[0] for template in templates}
    cited = {rule for _, rule in found}
    for template in templates:
        code, _, rule = template.partition(" ")
        assert not rule or rule in rules(), template
        assert not rule or rule in cited or (code, "") in found, template


def tries(chance: random.Random) -> Struct:
    """A command that chance makes up of ids that there are."""
    data = data_for(complete(META, Setup("", 4)))
    made: list[Struct] = [
        c.ChoosePaladin(*chance.choices(sorted(data.paladins), k=2)),
        c.TakeTavernCard(chance.choice(sorted(data.tavern))),
        c.BeginAction(chance.choice(sorted(data.actions)), chance.randint(0, 4)),
        c.UseFavour(chance.choice(sorted(data.favours))),
        c.PlaceWorker(chance.choice(sorted(data.place))),
        c.ReturnWorker(chance.choice(sorted(data.place))),
        c.HireTownsfolk(chance.choice(sorted(data.townsfolk)), chance.choice(("", "silver", "debt"))),
        c.DiscardTownsfolk(chance.choice(sorted(data.townsfolk)), chance.choice(("", "silver", "debt"))),
        c.PlaceWorkshop(chance.choice(sorted(data.actions)), chance.randint(1, 3)),
        c.ClearArea(chance.choice(sorted(data.actions))),
        c.PlaceMonk(chance.choice(data.all_spaces)[0].id),
        c.PlaceOutpost(chance.choice(data.all_spaces)[0].id),
        c.PlaceJar(chance.choice(sorted(data.jar_kinds))),
        c.AttackOutsider(chance.choice(sorted(data.outsiders))),
        c.ConvertOutsider(chance.choice(sorted(data.outsiders))),
        c.TakeReward(chance.choice(data.dues)),
        c.ChooseReward(chance.choice(data.dues), chance.randint(1, 4)),
        c.ForgoReward(chance.choice(data.dues)),
        c.UseTownsfolk(chance.choice(sorted(data.townsfolk))),
        c.KeepWorkers(),
    ]
    return chance.choice(made)


def test_every_refusal_in_a_game_is_explained() -> None:
    """Commands that chance makes up, at every decision of some games; each refusal is a sentence."""
    chance = random.Random(7)
    explained: set[str] = set()
    for game in range(2):
        play = begun(2, "off", f"refusals {game}")
        for seat, _ in moments(play, chance):
            play.recorder.take()
            for _ in range(25):
                rejection = play.decide(seat, tries(chance))
                play.recorder.rollback()
                if rejection and rejection.rule not in table_rules():
                    explained.add(f"{rejection.code} {rejection.rule}")
                    for language in LANGUAGES:
                        text = explain(language, NAMES, rejection)
                        rule = rules()[rejection.rule].text[language]
                        assert text.endswith(rule), text
                        assert len(text) > len(rule), f"{rejection} has no words"
                        check(text, ends=".")
    assert len(explained) > 25, sorted(explained)


def test_a_refusal_says_what_failed() -> None:
    values = {"attribute": "faith", "needs": "4", "has": "3"}
    rejection = Rejection("ATTRIBUTE_TOO_LOW", "paladins.commission.flag", values)
    assert explain("en", NAMES, rejection).startswith("You have 3 faith and need 4. A monk goes ")
    assert explain("de", NAMES, rejection).startswith("Du hast 3 Glauben und brauchst 4. Ein Mönch geht ")
