"""What hired townsfolk bring for the rest of the game."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.titles.paladins.holdings import TABLES, cards, change, holdings, place_workers, rich, taken, worth
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
"""What each action is done to here; Fortify needs no target."""
WHEN = {
    "abbot": "absolve",
    "acolyte": "commission",
    "architect": "develop",
    "missionary": "convert",
    "gatekeeper": "fortify",
    "defender": "attack",
    "watchman": "garrison",
}
"""As the rulebook lists them."""
PERMANENT = [card for card in cards("townsfolk") if TABLES["townsfolk"][card]["type"] in WHEN]


def carried_out(action: str, *hired: str, seat: int = 1) -> dict[str, int]:
    """What changes for seat 1 when a seat carries out an action, with these townsfolk in seat 1's following."""
    game = rich(PaladinsGame(2).turn(seat).at(seat, faith=5, strength=5, influence=5), seat).hired(1, *hired)
    game.display("outsiders", "warrior_saracen").next_wall("wall_05")
    place_workers(game, action, seat=seat)
    if action != "fortify":
        before = holdings(game)
        game.do(seat, TARGETS[action])
        taken(game, seat)
        return change(before, holdings(game))
    return {word: count for word, count in holdings(game).items() if count}


@pytest.mark.parametrize("card", PERMANENT)
def test_paladins_townsfolk_permanent(card: str) -> None:
    """Each brings what its card shows, on top of what the action brings anyway."""
    action = WHEN[TABLES["townsfolk"][card]["type"]]
    without, with_it = Counter(carried_out(action)), Counter(carried_out(action, card))
    more = {word: with_it[word] - without[word] for word in {*with_it, *without} if with_it[word] != without[word]}
    assert more == worth(TABLES["townsfolk"][card]["reward"])


@pytest.mark.parametrize("action", sorted(WHEN.values()))
def test_paladins_townsfolk_permanent__for_that_action_and_for_their_own_seat(action: str) -> None:
    others = [card for card in PERMANENT if WHEN[TABLES["townsfolk"][card]["type"]] != action]
    mine = [card for card in PERMANENT if card not in others]
    assert carried_out(action, *others) == carried_out(action)
    if action != "fortify":
        assert carried_out(action, *mine, seat=2) == {}


def test_paladins_townsfolk_permanent__each_of_several() -> None:
    more = carried_out("attack", "defender_1", "defender_2", "defender_3")
    assert more == worth(["influence", "cleric", "labourer", "provision", "tax"])


COLLECTORS = {"debt_collector_1": "labourer", "debt_collector_2": "fighter", "debt_collector_3": "scout"}


@pytest.mark.parametrize("card", COLLECTORS)
def test_paladins_townsfolk_debt_collector(card: str) -> None:
    """Whatever pays the debt: a space of the main board, a jar, a wall or a favour."""
    for action, target in (
        ("commission", c.PlaceMonk("r4e")),
        ("garrison", c.PlaceOutpost("r4e")),
        ("absolve", c.PlaceJar("pay_debt")),
        ("fortify", c.ChooseReward("pay_debt_or_2_silver", 1)),
    ):
        game = rich(PaladinsGame(2).turn().at(1, faith=8, strength=8)).hired(1, card).next_wall("wall_07")
        place_workers(game, action)
        assert not game.counts("seat.1.workers")
        game.do(1, target)
        taken(game)
        assert game.seat(1).paid.total() == 1
        assert game.counts("seat.1.workers") == {COLLECTORS[card]: 1}


def test_paladins_townsfolk_debt_collector__not_when_a_debt_is_destroyed() -> None:
    game = rich(PaladinsGame(2).turn().at(1, strength=2)).hired(1, *COLLECTORS).display("outsiders", "hunter_saracen")
    place_workers(game, "attack")
    game.do(1, c.AttackOutsider("hunter_saracen"))
    taken(game)
    assert (game.seat(1).unpaid.total(), game.counts("seat.1.workers")) == (2, {})


def test_paladins_townsfolk_debt_collector__each_of_several() -> None:
    game = rich(PaladinsGame(2).turn().favours("favour_05")).hired(1, *COLLECTORS).workers(1, fighter=1)
    game.do(1, c.UseFavour("favour_05"), c.ChooseReward("pay_debt_or_2_discard_suspicion", 1))
    taken(game)
    assert game.counts("seat.1.workers") == {"labourer": 1, "fighter": 1, "scout": 1}


# --- in an inquisition --------------------------------------------------------------------------------------------


def inquired(card: str, suspicion: int, **choices: str) -> dict[str, int]:
    """What an inquisition that another seat calls brings a seat with that card and so many suspicion cards."""
    game = PaladinsGame(2, **choices).turn(2).hired(1, card).suspicion(1, *[0] * suspicion)
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
    ("card", "reward"),
    [("peddler_1", {"labourer": 1}), ("peddler_2", {"provision": 2}), ("peddler_3", {"silver": 2})],
)
def test_paladins_townsfolk_peddler(card: str, reward: dict[str, int]) -> None:
    assert [inquired(card, suspicion) for suspicion in range(5)] == [{}, {}, reward, reward, reward]


@pytest.mark.parametrize(
    ("card", "attribute"), [("squire_1", "strength"), ("squire_2", "influence"), ("squire_3", "faith")]
)
def test_paladins_townsfolk_squire(card: str, attribute: str) -> None:
    assert [inquired(card, suspicion) for suspicion in range(3)] == [{attribute: 1}, {}, {}]


@pytest.mark.parametrize("card", ["conspirator_1", "conspirator_2"])
def test_paladins_townsfolk_conspirator(card: str) -> None:
    assert [inquired(card, suspicion) for suspicion in range(3)] == [{}, {"suspicion": -1}, {"suspicion": -1}]


@pytest.mark.parametrize(("choice", "attribute"), [("three_attributes", "strength"), ("two_of_faith", "faith")])
def test_paladins_townsfolk_squires(choice: str, attribute: str) -> None:
    """Of the one that gives a fighter when it is discarded."""
    assert TABLES["townsfolk"]["squire_1"]["discard"] == ["fighter"]
    assert inquired("squire_1", 0, squires=choice) == {attribute: 1}


# --- when they begin ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "labourers"), [("from_next_action", 0), ("at_once", 1)])
def test_paladins_townsfolk_first_trigger(reading: str, labourers: int) -> None:
    """An Acolyte whom the monk's space recruits rewards sending monks; the next time in any case."""
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
def test_paladins_townsfolk_first_trigger__of_another_action_waits_for_it(reading: str) -> None:
    game = PaladinsGame(2, new_townsfolk_trigger=reading).turn().display("townsfolk", "abbot_1")
    place_workers(game, "commission")
    game.do(1, c.PlaceMonk("r1a"), c.HireTownsfolk("abbot_1"))
    assert not game.counts("seat.1.workers")


@pytest.mark.parametrize(("reading", "labourers"), [("yes", 1), ("no", 0)])
def test_paladins_townsfolk_free_develop(reading: str, labourers: int) -> None:
    game = PaladinsGame(2, free_develop_triggers_architect=reading).turn().hired(1, "architect_1")
    game.favours("favour_07").at(1, provisions=1).workers(1, merchant=1)
    game.do(1, c.UseFavour("favour_07"), c.ChooseReward("free_develop_or_fighter_cleric", 1))
    game.do(1, c.PlaceWorkshop("absolve", 2))
    assert game.counts("seat.1.workers").get("labourer", 0) == labourers
