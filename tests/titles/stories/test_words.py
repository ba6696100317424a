"""Names and sentences of Orléans Stories."""

from __future__ import annotations

import pytest
from msgspec import Struct
from msgspec.structs import asdict

from boardkeeper.families.followers.events import Placement
from boardkeeper.table.rejections import Rejection
from boardkeeper.testkit.sentence_checks import NAMES
from boardkeeper.titlekit.rules_catalogue import LANGUAGES, RULING
from boardkeeper.titlekit.sentences import Part, TitleWords, Words
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.catalogue import components
from boardkeeper.titles.stories.meta import META, add_names, explain, rules, sentence, words
from boardkeeper.titles.stories.offers import DeedOffer
from boardkeeper.titles.stories.tables import tables_of

TABLES = tables_of("settlers")
NATIONS = tables_of("england-vs-france")
OTHER_PLACES = tables_of("settlers", "reconstructed-2")["places"]

PLACES = tuple({**TABLES["places"], **OTHER_PLACES, **TABLES["base_places"], **TABLES["place_cards"]})
SPACES = (
    *("farmer", "farmer_2", "fisherman", "fisherman_2", "craftsman", "trader", "knight"),
    *("scholar", "scholar_2", "monk", "any", "any_2"),
)

NAMED = ("characters", "goods", "landscapes", "places", "base_places", "place_cards", "deeds", "events")
"""The tables whose entries have names in sentences."""


# --- forms ---------------------------------------------------------------------------------------------------


def test_languages_have_the_same_forms() -> None:
    english, german = words("en"), words("de")
    for form in set(english.forms) & set(german.forms):
        assert set(english.forms[form]) == set(german.forms[form]), form
    assert set(german.forms) - set(english.forms) == {"dative", "with"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_those_of_the_tables(language: str) -> None:
    names = words(language).forms["name"]
    for group in NAMED:
        for id, table in TABLES[group].items():
            assert names[id] == table[language], id
    for id, table in OTHER_PLACES.items():
        assert names[id] == table[language], id
    for group in ("bonus_tiles", "missions", "messages", "nations"):
        for id, table in NATIONS[group].items():
            assert names[id] == table[language], id
    for id in ("technology", "citizen"):
        assert names[id] == TABLES["pieces"][id][language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_has_the_forms_that_templates_use(language: str) -> None:
    forms = words(language).forms
    for group, needed in (("characters", ("a", "no", "many")), ("goods", ("a", "no", "many")), ("deeds", ("the",))):
        for id in TABLES[group]:
            assert all(id in forms[form] for form in needed), id
    for place in PLACES:
        assert all(place in forms[form] for form in ("the", "at", "of")), place
        assert language == "en" or place in forms["with"], place
    for event in TABLES["events"]:
        assert event in forms["the"]
        assert language == "en" or event in forms["with"]
    assert set(SPACES) == set(forms["space"])
    assert language == "en" or set(SPACES) == set(forms["dative"])


def required_characters() -> set[str]:
    """Return the requirements of the spaces of all places."""
    places = {**TABLES["places"], **OTHER_PLACES, **TABLES["base_places"], **TABLES["place_cards"]}
    return {requires for place in places.values() for requires in place["spaces"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_requirement_of_a_space_has_a_form(language: str) -> None:
    required = required_characters()
    assert "farmer|knight" in required
    assert required - {"any"} <= set(words(language).forms["a"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_spaces_of_the_map_have_the_names_of_the_catalogue(language: str) -> None:
    names = words(language).forms["name"]
    spaces = {it.id: it.text[language] for it in components(META.default_edition) if it.kind == "space"}
    assert len(set(spaces.values())) == 29
    assert {id: names[id] for id in spaces} == spaces


def _forms(template: Part) -> set[str]:
    return {field.form for field in template.fields() if field.form and not field.test}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_a_template_exists(language: str) -> None:
    found = words(language)
    for templates in found.templates.values():
        for name, template in templates.items():
            for form in _forms(template) - {"seat"}:
                assert form in found.forms or form in found.numbers or form in found.templates["parts"], (
                    f"{name}: {form}"
                )


# --- names of data sets --------------------------------------------------------------------------------------


def other_words(language: str) -> Words:
    """Return the words of a title with a data set that has an additional place, event, landscape and space."""
    found = TitleWords("boardkeeper.titles.stories").words(language)
    data_set = {
        "places": {"mill": {"en": "Old Mill", "de": "Alte Mühle"}, "farm": {"en": "Farm", "de": "Bauernhof"}},
        "landscapes": {"moor": {"en": "Moor", "de": "Moor"}},
        "map": {"spaces": {"c1r1": {}, "c9r12": {}}},
        "editions": {"settlers": {"map": {}, "events": {"drought": {"en": "Drought", "de": "Dürre"}}}},
    }
    add_names(found, language, data_set)
    return found


@pytest.mark.parametrize(
    ("command", "english", "german"),
    [
        (c.UsePlace("mill"), "Use Old Mill", "Nutze Alte Mühle"),
        (c.UsePlace("farm"), "Use the Farm", "Nutze den Bauernhof"),
        (
            c.WithdrawFollower("mill", "monk"),
            "Put back the follower from the monk space (Old Mill)",
            "Nimm den Gefolgsmann vom Mönchsfeld (Alte Mühle) wieder weg",
        ),
        (c.TakePlaceCard("mill", "pub"), "Take the Pub (Old Mill)", "Nimm (Alte Mühle) das Wirtshaus"),
        (
            c.Expand("mill", "c9r12"),
            "Expand to space 9/12 with Old Mill",
            "Expandiere mit (Alte Mühle) auf Feld 9/12",
        ),
        (
            c.ProduceGoods("mill", "moor"),
            "Harvest all your Moor with Old Mill",
            "Ernte mit (Alte Mühle) auf allen Gebieten dieser Art: Moor",
        ),
    ],
)
def test_sentences_use_names_of_data_sets(command: Struct, english: str, german: str) -> None:
    name, values = type(command).__name__, asdict(command)
    assert other_words("en").render("commands", name, values) == english
    assert other_words("de").render("commands", name, values) == german


def test_sentences_use_event_names_of_data_sets() -> None:
    values = {"round": 3, "event": "drought", "start_seat": 1}
    assert other_words("en").render("events", "RoundBegun", values) == "Round 3: event Drought, start player Seat 1."
    assert other_words("de").render("events", "RoundBegun", values) == "Runde 3: Ereignis „Dürre“; Platz 1 beginnt."


# --- sentences -----------------------------------------------------------------------------------------------

SENTENCES: list[tuple[Struct, str, str]] = [
    (
        e.TableLaid(3, {"c1r1": "field"}, 2),
        "The game is set up for 3 players; Ben is the start player.",
        "Das Spiel ist für 3 Personen aufgebaut; Ben beginnt.",
    ),
    (
        e.RoundBegun(5, 1, "B7"),
        "Round 5: event Hard Winter, start player Anna.",
        "Runde 5: Ereignis „Harter Winter“; Anna beginnt.",
    ),
    (e.RoundBegun(5, 1), "Round 5: start player Anna.", "Runde 5: Anna beginnt."),
    (
        c.PlaceFollower("knight", "territory", "farmer"),
        "Place a knight on the farmer space of the Territory",
        "Setze einen Ritter auf das Farmerfeld des Territoriums",
    ),
    (
        e.PlansRevealed((Placement("monk", "farm", "craftsman"),)),
        "Anna reveals their plan: a monk on the craftsman space of the Farm.",
        "Anna deckt die Planung auf: einen Mönch auf das Handwerkerfeld des Bauernhofs.",
    ),
    (
        c.Expand("territory", "c4r2"),
        "Expand to space 4/2 with the Territory",
        "Expandiere mit dem Territorium auf Feld 4/2",
    ),
    (c.Expand("", "c4r2"), "Expand to space 4/2", "Expandiere auf Feld 4/2"),
    (
        e.AreaConquered("territory", "c7r4", 3, 2),
        "Anna conquers space 7/4 from Clara with the Territory (2 knights).",
        "Anna erobert Feld 7/4 von Clara mit dem Territorium (Ritter: 2).",
    ),
    (
        c.Expand("territory", "c4r2", "c2r3"),
        "Expand to space 4/2 with the Territory from the town on space 2/3",
        "Expandiere mit dem Territorium auf Feld 4/2 aus der Stadt auf Feld 2/3",
    ),
    (
        c.EnterTown("territory", "c2r3"),
        "Put a settler into the town on space 2/3 with the Territory",
        "Setze mit dem Territorium einen Siedler in die Stadt auf Feld 2/3",
    ),
    (
        e.AreaConquered("territory", "c7r4", 3, 1, "c6r2"),
        "Anna conquers space 7/4 from Clara with the Territory (1 knight, from the town on space 6/2).",
        "Anna erobert Feld 7/4 von Clara mit dem Territorium (Ritter: 1; aus der Stadt auf Feld 6/2).",
    ),
    (
        c.LookAtNation(2),
        "Look at the nation card of Ben",
        "Sieh dir die Nationenkarte von Ben an",
    ),
    (e.NationSeen(2), "Anna looks at the nation card of Ben.", "Anna sieht sich die Nationenkarte von Ben an."),
    (e.NationSeen(0), "Anna looks at a nation card.", "Anna sieht sich eine Nationenkarte an."),
    (
        e.NationShown(2, "france"),
        "Anna sees that Ben plays for France.",
        "Anna sieht, dass Ben für Frankreich spielt.",
    ),
    (
        e.CardsDealt("england", ("s1", "s9")),
        "Anna plays for England and chooses one of these secret messages: Most Churches and Most Brocade.",
        "Anna spielt für England; Botschaften zur Wahl: Meiste Kirchen und Meister Brokat.",
    ),
    (
        e.SecretsDealt({"england": "m2", "france": "m3"}),
        "The missions are “Vineyards” for England and “Lakes” for France; each player chooses a secret message.",
        (
            "Die Missionen liegen offen, „Weinberge“ für England und „Seen“ "
            "für Frankreich; alle wählen eine geheime Botschaft."
        ),
    ),
    (
        e.NationsRevealed(("england", "france", "france", "england")),
        "All nation cards are revealed: Anna (England), Ben (France), Clara (France) and Dora (England).",
        (
            "Alle Nationenkarten werden aufgedeckt: Anna (England), Ben (Frankreich), "
            "Clara (Frankreich) und Dora (England)."
        ),
    ),
    (
        e.MessagesRevealed(("s1", "s4", "s9", "s12")),
        (
            "All secret messages are revealed: Anna (“Most Churches”), Ben (“Most Coins”), Clara (“Most Brocade”) "
            "and Dora (“Most Knights”)."
        ),
        (
            "Alle geheimen Botschaften werden aufgedeckt: Anna („Meiste Kirchen“), Ben („Meiste Münzen“), "
            "Clara („Meister Brokat“) und Dora („Meiste Ritter“)."
        ),
    ),
    (
        e.TileUsed("7", coins=3),
        "Anna receives 3 coins from fame tile 7.",
        "Anna erhält 3 Münzen vom Ruhmesplättchen 7.",
    ),
    (
        e.TileUsed("manor_farm", goods={"wine": 1}),
        "Anna receives 1 wine from a manor farm.",
        "Anna erhält 1 Wein von einem Gutshof.",
    ),
    (
        e.BathhouseVisited("4", ("monk",)),
        "Anna draws a monk for fame tile 4.",
        "Anna zieht für das Ruhmesplättchen 4 einen Mönch.",
    ),
    (
        e.TradingBegun("market", 2),
        "Anna starts trading at the Market, at most 2 times.",
        "Anna beginnt auf dem Markt zu handeln, höchstens 2 Mal.",
    ),
    (
        e.BonusDeclined("19"),
        "Anna declines fame tile 19.",
        "Anna verzichtet auf das Ruhmesplättchen 19.",
    ),
    (
        e.MissionJudged("france", "m2", fulfilled=False),
        "France has not fulfilled the mission “Vineyards”.",
        "Frankreich hat die Mission „Weinberge“ nicht erfüllt.",
    ),
    (
        e.NationScored("england", 50, 20, 0, 6, 2, 1, 9, 14, 115, 1),
        (
            "England scores 115 points: 50 for its mission, 20 for secret messages, 0 for the most areas (6 areas), "
            "and the rest for 2 villages, 1 church, 9 coins and goods worth 14; rank 1."
        ),
        (
            "England erreicht 115 Punkte: 50 für die Mission, 20 für Botschaften und 0 für die meisten Gebiete, "
            "dazu 2 Dörfer, 1 Kirche, 9 Münzen und Waren im Wert von 14, bei 6 Gebieten; Rang 1."
        ),
    ),
    (
        c.Build("church_building", "c1r1"),
        "Build on space 1/1 with the Church Building",
        "Baue mit dem Kirchbau auf Feld 1/1",
    ),
    (
        e.Built("church_building", "c1r1", "church", 2, 1),
        "Anna builds a church on space 1/1 for 2 wood and receives 1 fame.",
        "Anna baut eine Kirche auf Feld 1/1 für 2 Holz und erhält 1 Ruhmespunkt.",
    ),
    (
        e.PlaceCardTaken("construction_yard", "customs_house"),
        "Anna takes the Customs House in the Construction Yard.",
        "Anna nimmt auf dem Bauhof das Zollhaus.",
    ),
    (
        e.PlaceUsed("crafts_and_trade", "trader", coins=2),
        "Anna uses Crafts and Trade and receives a trader and 2 coins.",
        "Anna nutzt Handwerk und Handel und erhält einen Händler und 2 Münzen.",
    ),
    (
        e.PlaceUsed("landed_estate", goods={"grain": 2, "fish": 1}),
        "Anna uses the Landed Estate and receives 2 grain and 1 fish.",
        "Anna nutzt die Länderei und erhält 2 Getreide und 1 Fisch.",
    ),
    (
        e.GoodsExchanged("bakery", "grain", "bread", 3),
        "Anna exchanges 3 grain for 3 bread in the Bakery.",
        "Anna tauscht in der Bäckerei 3 Getreide gegen 3 Brot.",
    ),
    (
        DeedOffer("town_hall", "any", "farmer", "food_depot", 1, 0, completes=True),
        "Send a farmer from the open space of the Town Hall to the Food Depot for 1 coin and complete it",
        (
            "Entsende einen Farmer vom offenen Feld des Rathauses zum Nahrungsspeicher für 1 Münze "
            "und schließe das Werk ab"
        ),
    ),
    (
        e.FollowerSentToDeed("town_hall", "scholar", "alchemy", 0, 2, True, 1),
        "Anna sends a scholar to Alchemy and receives 2 fame and 1 citizen; it is complete.",
        (
            "Anna entsendet einen Gelehrten zur Alchemie und erhält 2 Ruhmespunkte und 1 Bürger; "
            "das Werk ist abgeschlossen."
        ),
    ),
    (
        e.FameGained(8, 1),
        "Anna advances to space 8 of the fame track and reaches 1 fame tile.",
        "Anna rückt auf Feld 8 der Ruhmesleiste vor und erreicht 1 Ruhmesplättchen.",
    ),
    (
        e.EraEntered(5, peace=True),
        "Anna advances to era V and is at peace from now on.",
        "Anna kommt in Epoche V und hat von nun an Frieden.",
    ),
    (
        e.BonusDeclined("fame_bonus"),
        "Anna declines the fame bonus.",
        "Anna verzichtet auf den Ruhmesbonus.",
    ),
    (
        e.RoundBonusCarriedOut(2, food=2),
        "Anna carries out the round bonus of era II, which requires 2 food.",
        "Anna führt Epoche II aus; gefordert: 2 Nahrungsmittel.",
    ),
    (
        e.RoundBonusCarriedOut(1, fame=3),
        "Anna carries out the round bonus of era I and receives 3 fame.",
        "Anna führt Epoche I aus und erhält 3 Ruhmespunkte.",
    ),
    (
        e.SacristyUsed("D1"),
        "Anna returns the monk from the Sacristy to the bag and avoids the Great Hunger.",
        "Anna legt den Mönch der Sakristei in den Beutel zurück und entgeht dem Großen Hunger.",
    ),
    (
        e.EventSuffered("round_bonus"),
        "Anna keeps the monk in the Sacristy and suffers the malus of the era.",
        "Anna lässt die Sakristei aktiviert und erleidet den Malus der Epoche.",
    ),
    (
        e.EventCarriedOut("C5", fame=3),
        "Tournament: Anna receives 3 fame.",
        "Turnier: Anna erhält 3 Ruhmespunkte.",
    ),
    (
        e.GoodsMissing(1),
        "Anna is short of 1 good.",
        "Anna fehlt 1 Ware vom Geforderten.",
    ),
    (e.FollowersLost(()), "Anna loses no followers.", "Anna verliert niemanden."),
    (
        e.SettlerSurrendered("c1r2", 2),
        "Anna gives up the settler on space 1/2; 2 items are still missing.",
        "Anna gibt den Siedler auf Feld 1/2 ab; 2 Stück fehlen noch.",
    ),
    (
        e.FortressSurrendered("", 0),
        "Anna gives up a fortress from the supply.",
        "Anna gibt eine Festung aus dem Vorrat ab.",
    ),
    (
        e.SeatScored(7, {"grain": 2, "brocade": 1}, 7, 5, 15, 2, 3, 6, 1, 12, 47, 1),
        (
            "Anna scores 47 points: 7 for coins, 7 for goods (2 grain and 1 brocade), 15 for 5 areas, "
            "6 for 2 villages times 3 citizens and 12 for 1 church; rank 1."
        ),
        (
            "Anna erreicht 47 Punkte: 7 für Münzen, 7 für Waren (2 Getreide und 1 Brokat), 15 für 5 Gebiete, "
            "6 für 2 Dörfer mal 3 Bürger und 12 für 1 Kirche; Rang 1."
        ),
    ),
]


@pytest.mark.parametrize(("detail", "english", "german"), SENTENCES, ids=lambda value: type(value).__name__)
def test_sentences(detail: Struct, english: str, german: str) -> None:
    assert sentence("en", NAMES, 1, detail) == english
    assert sentence("de", NAMES, 1, detail) == german


# --- rejections ----------------------------------------------------------------------------------------------


def test_rejection_names_both_characters_of_a_space() -> None:
    values = {"place": "territory", "space": "farmer", "requires": "farmer|knight", "follower": "scholar"}
    rejection = Rejection("WRONG_CHARACTER", "stories.planning.matching_space", values)
    assert explain("en", NAMES, rejection).startswith(
        "The farmer space of the Territory requires a farmer or a knight, not a scholar. "
    )
    assert explain("de", NAMES, rejection).startswith(
        "Das Farmerfeld des Territoriums verlangt einen Farmer oder einen Ritter und nimmt keinen Gelehrten auf. "
    )


def test_rejection_of_a_conquest_without_knights_gives_the_number_needed() -> None:
    values = {"area": "c2r1", "knights": "0", "needed": "2"}
    rejection = Rejection("TOO_FEW_KNIGHTS", "stories.conquest.knights", values)
    assert explain("en", NAMES, rejection).startswith("You have no knight for space 2/1 but need 2 knights. ")
    assert explain("de", NAMES, rejection).startswith("Du hast keinen Ritter für Feld 2/1 und brauchst 2 Ritter. ")


def test_rejection_quotes_unknown_values_unchanged() -> None:
    rejection = Rejection("UNKNOWN_AREA", "stories.map.spaces", {"area": "{seat} [x"})
    assert explain("en", NAMES, rejection).startswith("{seat} [x is not an area of this game. ")


# --- rules ---------------------------------------------------------------------------------------------------


def test_references_distinguish_rulebook_orleans_and_our_rulings() -> None:
    gate, technology = rules()["stories.eras.gate"], rules()["stories.technology.never_monk"]
    assert gate.references == {"settlers": "Spielverlauf: Folgende spezielle Regeln"}
    assert "as in Orléans" in technology.references["settlers"]
    assert not technology.references["settlers"].endswith(RULING)
    assert rules()["stories.building.wood"].references["settlers"].endswith(RULING)


def test_rules_of_events_hunger_and_torture_are_only_in_settlers() -> None:
    for id, rule in rules().items():
        if id.startswith(("stories.events.", "stories.hunger.", "stories.torture.")):
            assert set(rule.references) == {"settlers"}, id
