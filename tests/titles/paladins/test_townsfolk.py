"""The permanent effects of hired townsfolk."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.titles.paladins.holdings import TABLES, change, change_by, enrich, holdings, ids_of, place_workers, take_all
from tests.titles.paladins.kit import PaladinsGame, details, named

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e

TARGETS = {
    "absolve": c.PlaceJar("labourer"),
    "attack": c.AttackOutsider("warrior_saracen"),
    "commission": c.PlaceMonk("r3e"),
    "convert": c.ConvertOutsider("warrior_saracen"),
    "develop": c.PlaceWorkshop("attack", 1),
    "garrison": c.PlaceOutpost("r3e"),
}
"""The target of each action in these tests; Fortify needs none."""
TRIGGERS = {
    "abbot": "absolve",
    "acolyte": "commission",
    "architect": "develop",
    "missionary": "convert",
    "gatekeeper": "fortify",
    "defender": "attack",
    "watchman": "garrison",
}
"""The action that triggers each type, from the rulebook."""
PERMANENT = [card for card in ids_of("townsfolk") if TABLES["townsfolk"][card]["type"] in TRIGGERS]


def change_by_action(action: str, *hired: str, seat: int = 1) -> dict[str, int]:
    """Return the changes for seat 1 when a seat carries out an action, with these townsfolk of seat 1."""
    game = enrich(PaladinsGame(2).turn(seat).at(seat, faith=5, strength=5, influence=5), seat).townsfolk(1, *hired)
    game.display("outsiders", "warrior_saracen").next_wall("wall_05")
    place_workers(game, action, seat=seat)
    if action != "fortify":
        before = holdings(game)
        game.do(seat, TARGETS[action])
        take_all(game, seat)
        return change(before, holdings(game))
    return {word: count for word, count in holdings(game).items() if count}


@pytest.mark.parametrize("card", PERMANENT)
def test_paladins_townsfolk_permanent(card: str) -> None:
    """Each adds the reward of its card to the gains of the action."""
    action = TRIGGERS[TABLES["townsfolk"][card]["type"]]
    without, with_card = Counter(change_by_action(action)), Counter(change_by_action(action, card))
    more = {
        word: with_card[word] - without[word] for word in {*with_card, *without} if with_card[word] != without[word]
    }
    assert more == change_by(TABLES["townsfolk"][card]["reward"])


@pytest.mark.parametrize("action", sorted(TRIGGERS.values()))
def test_paladins_townsfolk_permanent__only_for_that_action_and_their_own_seat(action: str) -> None:
    others = [card for card in PERMANENT if TRIGGERS[TABLES["townsfolk"][card]["type"]] != action]
    own = [card for card in PERMANENT if card not in others]
    assert change_by_action(action, *others) == change_by_action(action)
    if action != "fortify":
        assert change_by_action(action, *own, seat=2) == {}


def test_paladins_townsfolk_permanent__each_of_several() -> None:
    more = change_by_action("attack", "defender_1", "defender_2", "defender_3")
    assert more == change_by(["influence", "cleric", "labourer", "provision", "tax"])


COLLECTORS = {"debt_collector_1": "labourer", "debt_collector_2": "fighter", "debt_collector_3": "scout"}


@pytest.mark.parametrize("card", COLLECTORS)
def test_paladins_townsfolk_debt_collector(card: str) -> None:
    """With any way to pay a debt: a space of the main board, a jar, a wall or a favour."""
    for action, target in (
        ("commission", c.PlaceMonk("r4e")),
        ("garrison", c.PlaceOutpost("r4e")),
        ("absolve", c.PlaceJar("pay_debt")),
        ("fortify", c.ChooseReward("pay_debt_or_2_silver", 1)),
    ):
        game = enrich(PaladinsGame(2).turn().at(1, faith=8, strength=8)).townsfolk(1, card).next_wall("wall_07")
        place_workers(game, action)
        assert not game.counts("seat.1.workers")
        game.do(1, target)
        take_all(game)
        assert game.seat(1).paid.total() == 1
        assert game.counts("seat.1.workers") == {COLLECTORS[card]: 1}


def test_paladins_townsfolk_debt_collector__not_for_a_destroyed_debt() -> None:
    game = (
        enrich(PaladinsGame(2).turn().at(1, strength=2))
        .townsfolk(1, *COLLECTORS)
        .display("outsiders", "hunter_saracen")
    )
    place_workers(game, "attack")
    game.do(1, c.AttackOutsider("hunter_saracen"))
    take_all(game)
    assert (game.seat(1).unpaid.total(), game.counts("seat.1.workers")) == (2, {})


def test_paladins_townsfolk_debt_collector__each_of_several() -> None:
    game = enrich(PaladinsGame(2).turn().favours("favour_05")).townsfolk(1, *COLLECTORS).workers(1, fighter=1)
    game.do(1, c.UseFavour("favour_05"), c.ChooseReward("pay_debt_or_2_discard_suspicion", 1))
    take_all(game)
    assert game.counts("seat.1.workers") == {"labourer": 1, "fighter": 1, "scout": 1}


# --- in an inquisition --------------------------------------------------------------------------------------------


def inquire(card: str, suspicion: int, **choices: str) -> dict[str, int]:
    """Return the changes for a seat with this card and suspicion, by an inquisition of another seat."""
    game = PaladinsGame(2, **choices).turn(2).townsfolk(1, card).suspicion(1, *[0] * suspicion)
    game.suspicion(2, *[2] * 5).next_suspicion(1).at(0, tax=1).workers(2, labourer=1).workers(1)
    before = holdings(game)
    events = game.do(2, c.BeginAction("conspire", 1))
    assert named(events, "InquisitionBegun")
    used = details(events, e.TownsfolkUsed)[1]
    more = change(before, holdings(game))
    del more["in the tax supply"]
    assert used.effective is bool(more)
    assert game.counts("seat.1.townsfolk") == {card: 1}
    return more


@pytest.mark.parametrize(
    ("card", "reward"), [("peddler_1", {"labourer": 1}), ("peddler_2", {"provision": 2}), ("peddler_3", {"silver": 2})]
)
def test_paladins_townsfolk_peddler(card: str, reward: dict[str, int]) -> None:
    assert [inquire(card, suspicion) for suspicion in range(5)] == [{}, {}, reward, reward, reward]


@pytest.mark.parametrize(
    ("card", "attribute"), [("squire_1", "strength"), ("squire_2", "influence"), ("squire_3", "faith")]
)
def test_paladins_townsfolk_squire(card: str, attribute: str) -> None:
    assert [inquire(card, suspicion) for suspicion in range(3)] == [{attribute: 1}, {}, {}]


@pytest.mark.parametrize("card", ["conspirator_1", "conspirator_2"])
def test_paladins_townsfolk_conspirator(card: str) -> None:
    assert [inquire(card, suspicion) for suspicion in range(3)] == [{}, {"suspicion": -1}, {"suspicion": -1}]


@pytest.mark.parametrize(("choice", "attribute"), [("three_attributes", "strength"), ("two_of_faith", "faith")])
def test_paladins_townsfolk_squires(choice: str, attribute: str) -> None:
    """Only for the Squire that gives a fighter when it is discarded."""
    assert TABLES["townsfolk"]["squire_1"]["discard"] == ["fighter"]
    assert inquire("squire_1", 0, squires=choice) == {attribute: 1}


# --- the first trigger --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "labourers"), [("from_next_action", 0), ("at_once", 1)])
def test_paladins_townsfolk_first_trigger(reading: str, labourers: int) -> None:
    """Whether an Acolyte recruited by a monk's space counts for the same action; it always counts for the next one."""
    game = PaladinsGame(2, new_townsfolk_trigger=reading).turn().display("townsfolk", "acolyte_1")
    place_workers(game, "commission")
    game.do(1, c.PlaceMonk("r1a"), c.HireTownsfolk("acolyte_1"))
    assert game.counts("seat.1.workers").get("labourer", 0) == labourers

    for space in game.seat(1).areas["commission"].spaces:
        game.empty(space)
    game.turn().at(1, provisions=1)
    place_workers(game, "commission")
    game.do(1, c.PlaceMonk("r1b"))
    assert game.counts("seat.1.workers") == {"labourer": 1}


@pytest.mark.parametrize("reading", ["from_next_action", "at_once"])
def test_paladins_townsfolk_first_trigger__of_another_action(reading: str) -> None:
    game = PaladinsGame(2, new_townsfolk_trigger=reading).turn().display("townsfolk", "abbot_1")
    place_workers(game, "commission")
    game.do(1, c.PlaceMonk("r1a"), c.HireTownsfolk("abbot_1"))
    assert not game.counts("seat.1.workers")


@pytest.mark.parametrize(("reading", "labourers"), [("yes", 1), ("no", 0)])
def test_paladins_townsfolk_free_develop(reading: str, labourers: int) -> None:
    game = PaladinsGame(2, free_develop_triggers_architect=reading).turn().townsfolk(1, "architect_1")
    game.favours("favour_07").at(1, provisions=1).workers(1, merchant=1)
    game.do(1, c.UseFavour("favour_07"), c.ChooseReward("free_develop_or_fighter_cleric", 1))
    game.do(1, c.PlaceWorkshop("absolve", 2))
    assert game.counts("seat.1.workers").get("labourer", 0) == labourers
