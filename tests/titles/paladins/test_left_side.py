"""Develop, Recruit and Pray."""

from __future__ import annotations

import pytest
from tests.titles.paladins.holdings import TABLES, change, change_by, enrich, holdings, ids_of, place_workers, take_all
from tests.titles.paladins.kit import PaladinsGame, detail, named

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.data import LEFT, RIGHT, WORKERS

SILVER = "silver"
DEBT = "debt"

# --- develop ------------------------------------------------------------------------------------------------------


def start_developing(silver: int = 4, **choices: str) -> PaladinsGame:
    """Create a game in which seat 1 has placed two workers to develop."""
    game = PaladinsGame(2, **choices).turn().at(1, silver=silver)
    place_workers(game, "develop")
    return game


def test_paladins_develop_cost() -> None:
    game = PaladinsGame(2).turn().at(1, silver=3).workers(1, labourer=1, fighter=1)
    rejection = game.reject(1, c.BeginAction("develop", 2), "paladins.develop.cost", "NOT_ENOUGH_SILVER")
    assert rejection.values == {"has": "3", "needs": "4"}

    game.at(1, silver=4)
    game.do(1, c.BeginAction("develop", 2), c.PlaceWorker("fighter"), c.PlaceWorkshop("commission", 1))

    assert game.seat(1).silver.value == 0
    assert [game.counts(f"seat.1.develop.{at}") for at in (1, 2)] == [{"fighter": 1}, {"labourer": 1}]


def test_paladins_develop_cost__of_the_rulebooks_example() -> None:
    """A labourer, a fighter and 4 silver. The workshop uncovers a scout, and Commission then takes two workers."""
    game = PaladinsGame(2).turn().at(1, silver=4, provisions=1).workers(1, labourer=1, fighter=1)
    game.act(1, "develop", 2, c.PlaceWorkshop("commission", 1))

    assert game.counts("seat.1.workers") == {"scout": 1}
    assert game.counts("seat.1.commission.1") == {"workshop": 1}
    game.idle(2)
    game.workers(1, cleric=1, labourer=1)
    assert c.BeginAction("commission", 2) in game.legal(1)


def test_paladins_develop_workshops() -> None:
    """There are eight workshops, for the action and for rewards."""
    game = start_developing()
    game.empty(game.seat(1).workshops)
    for action in ("commission", "fortify", "garrison", "absolve"):
        for space in game.seat(1).areas[action].spaces[:2]:
            game.bring("workshop", space)
    game.turn().empty(game.t.table.pile("seat.1.develop.1")).empty(game.t.table.pile("seat.1.develop.2"))
    assert game.seat(1).count_workshops_on_board() == 8
    game.at(1, silver=9).workers(1, labourer=2)
    game.reject(1, c.BeginAction("develop", 2), "paladins.develop.workshops", "NO_WORKSHOP_LEFT")


def test_paladins_develop_workshops__as_a_reward() -> None:
    game = PaladinsGame(2).turn().favours("favour_07").at(1, provisions=1).workers(1, merchant=1)
    game.empty(game.seat(1).workshops).occupy(1, "hunt", "labourer")
    game.table.markers["due.pray"].value = 1
    game.do(1, c.UseFavour("favour_07"), c.ChooseReward("free_develop_or_fighter_cleric", 1))
    game.reject(1, c.PlaceWorkshop("attack", 1), "paladins.develop.workshops", "NO_WORKSHOP_LEFT")


@pytest.mark.parametrize("action", RIGHT)
def test_paladins_develop_space(action: str) -> None:
    """One of the two left spaces, each for one workshop."""
    game = start_developing().workshop(1, action, 1)

    for slot in (0, 3, 4):
        game.reject(1, c.PlaceWorkshop(action, slot), "paladins.develop.space", "NO_PLACE_FOR_WORKSHOPS")
    game.reject(1, c.PlaceWorkshop(action, 1), "paladins.develop.space", "SPACE_TAKEN")
    game.do(1, c.PlaceWorkshop(action, 2))
    assert game.seat(1).areas[action].workshop_mask() == 0b11
    assert game.seat(1).workshops.total() == 6


@pytest.mark.parametrize("action", LEFT)
def test_paladins_develop_space__is_never_on_the_left_side(action: str) -> None:
    game = start_developing()
    game.reject(1, c.PlaceWorkshop(action, 1), "paladins.develop.space", "NO_PLACE_FOR_WORKSHOPS")
    assert len(game.legal(1)) == 12


@pytest.mark.parametrize("workshops", [(1,), (2,), (1, 2)])
@pytest.mark.parametrize("action", RIGHT)
def test_paladins_develop_saves_a_worker(action: str, workshops: tuple[int, ...]) -> None:
    """The action takes workers only for the free spaces."""
    game = PaladinsGame(2).turn().workshop(1, action, *workshops)
    game.at(1, silver=9, provisions=9, faith=5, strength=5, influence=5).display("outsiders", "mercenary_viking")

    place_workers(game, action)

    assert game.decision(1) != "workers"
    for at, slot in enumerate(TABLES["actions"][action]["slots"], 1):
        occupant = "workshop" if at in workshops else "labourer" if slot == "any" else slot
        assert game.counts(f"seat.1.{action}.{at}") == {occupant: 1}


ROWS = {
    "in_turn": ("scout", "merchant", "fighter", "cleric") * 2,
    "in_pairs": ("scout", "scout", "merchant", "merchant", "fighter", "fighter", "cleric", "cleric"),
    "with_labourers": ("labourer", "scout", "labourer", "merchant", "labourer", "fighter", "labourer", "cleric"),
}


@pytest.mark.parametrize("choice", ROWS)
def test_paladins_develop_workshop_row(choice: str) -> None:
    """Taken from left to right, the workshops uncover the workers of the row."""
    game = PaladinsGame(2, workshop_row=choice).turn()
    uncovered = []
    for number in range(8):
        game.at(1, silver=4)
        place_workers(game, "develop")
        developed = detail(game.do(1, c.PlaceWorkshop(RIGHT[number // 2], number % 2 + 1)), e.Developed)
        assert game.counts("seat.1.workers") == {developed.worker: 1}
        uncovered.append(developed.worker)
        for space in game.seat(1).areas["develop"].spaces:
            game.empty(space)
        game.turn()
    assert tuple(uncovered) == ROWS[choice]


def test_paladins_develop_worker_below() -> None:
    game = start_developing()
    assert not game.counts("seat.1.workers")
    events = game.do(1, c.PlaceWorkshop("convert", 2))
    assert game.counts("seat.1.workers") == {"scout": 1}
    assert detail(events, e.Gained) == e.Gained(("scout",), "develop", ())
    assert game.board(1).seats[0].workshops == ROWS["in_turn"][1:]


def test_paladins_develop_worker_sent_back() -> None:
    """The other workers stay, and the action is still occupied."""
    game = start_developing().occupy(1, "attack", "scout", "labourer", "fighter")
    labourers = game.t.supply.items["labourer"]

    developed = detail(game.do(1, c.PlaceWorkshop("attack", 2)), e.Developed)

    assert developed.sent_back == "labourer"
    assert game.t.supply.items["labourer"] == labourers + 1
    spaces = [game.counts(f"seat.1.attack.{at}") for at in (1, 2, 3)]
    assert spaces == [{"scout": 1}, {"workshop": 1}, {"fighter": 1}]
    game.turn().many_workers()
    game.reject(1, c.BeginAction("attack", 1), "paladins.actions.once", "AREA_OCCUPIED")


# --- recruit ------------------------------------------------------------------------------------------------------

ROW = ("abbot_1", "squire_1", "acolyte_1", "watchman_1", "gatekeeper_1")
"""Five townsfolk that give workers when they are discarded and nothing when they are hired."""
PRICES = (3, 2, 2, 1, 0)


def start_recruiting(workers: int, silver: int = 9, **choices: str) -> PaladinsGame:
    """Create a game in which seat 1 has placed workers to recruit from :data:`ROW`."""
    game = PaladinsGame(2, **choices).turn().display("townsfolk", *ROW).at(1, silver=silver).debts(1)
    place_workers(game, "recruit", workers)
    return game


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("at", range(5))
def test_paladins_recruit_price(workers: int, at: int) -> None:
    game = start_recruiting(workers, PRICES[at])
    command = (c.DiscardTownsfolk, c.HireTownsfolk)[workers - 1](ROW[at], SILVER)

    events = game.do(1, command)

    assert game.seat(1).silver.value == 0
    assert not game.seat(1).unpaid.total()
    kind = (e.TownsfolkDiscarded, e.TownsfolkHired)[workers - 1]
    assert detail(events, kind) == kind(ROW[at], SILVER, PRICES[at])


def test_paladins_recruit_price__is_needed() -> None:
    game = start_recruiting(2, 1)
    for card, needs in zip(ROW[:3], PRICES, strict=False):
        rejection = game.reject(1, c.HireTownsfolk(card, SILVER), "paladins.recruit.price", "NOT_ENOUGH_SILVER")
        assert rejection.values == {"has": "1", "needs": str(needs)}
    game.reject(1, c.HireTownsfolk(ROW[3]), "paladins.recruit.price", "NO_SUCH_PAYMENT")
    game.reject(1, c.HireTownsfolk(ROW[3], "gold"), "table.known_ids", "UNKNOWN_ID")


def test_paladins_recruit_price__of_the_cheapest_is_needed_to_begin() -> None:
    game = PaladinsGame(2).turn().display("townsfolk", "", "", "abbot_1", "squire_1").at(1, silver=0).many_workers()
    rejection = game.reject(1, c.BeginAction("recruit", 1), "paladins.recruit.price", "NOT_ENOUGH_SILVER")
    assert rejection.values == {"has": "0", "needs": "1"}


def test_paladins_recruit_price__of_the_rulebooks_examples() -> None:
    """The Abbot for 2 silver brings a cleric and a labourer; the Gatekeeper for 3 silver or a debt brings 1 silver."""
    game = PaladinsGame(2).turn().display("townsfolk", "gatekeeper_2", "abbot_1").at(1, silver=2)
    place_workers(game, "recruit", 1)
    game.do(1, c.DiscardTownsfolk("abbot_1", SILVER))
    assert (game.seat(1).silver.value, game.counts("seat.1.workers")) == (0, {"cleric": 1, "labourer": 1})

    for payment, silver, debts in ((SILVER, 3 - 3 + 1, 0), (DEBT, 3 + 1, 1)):
        game = PaladinsGame(2).turn().display("townsfolk", "gatekeeper_2").at(1, silver=3, provisions=9)
        place_workers(game, "recruit", 2)
        game.do(1, c.HireTownsfolk("gatekeeper_2", payment))
        assert (game.seat(1).silver.value, game.seat(1).unpaid.total()) == (silver, debts)
        game.turn().next_wall("wall_05")
        place_workers(game, "fortify")
        assert game.seat(1).silver.value == silver + 1, "and 1 silver for each Fortify"


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("reading", ["allowed", "hire_only"])
def test_paladins_recruit_debt_on_the_left(reading: str, workers: int) -> None:
    game = start_recruiting(workers, 0, debt_for_discard=reading)
    kind = (c.DiscardTownsfolk, c.HireTownsfolk)[workers - 1]
    rule = "paladins.recruit.debt_on_the_left"
    places_with_debt = (0, 1) if workers == 2 or reading == "allowed" else ()

    for at, card in enumerate(ROW):
        if at in places_with_debt:
            assert kind(card, DEBT) in game.legal(1)
        else:
            game.reject(1, kind(card, DEBT), rule, "NO_DEBT_HERE")
    if places_with_debt:
        events = game.do(1, kind(ROW[1], DEBT))
        event_type = (e.TownsfolkDiscarded, e.TownsfolkHired)[workers - 1]
        assert detail(events, event_type) == event_type(ROW[1], DEBT, 0)
        assert (game.seat(1).unpaid.total(), game.seat(1).paid.total(), game.seat(1).silver.value) == (1, 0, 0)


@pytest.mark.parametrize(("reading", "possible"), [("allowed", {1, 2}), ("hire_only", {2})])
def test_paladins_recruit_debt_on_the_left__is_enough_to_begin(reading: str, possible: set[int]) -> None:
    game = PaladinsGame(2, debt_for_discard=reading).turn().display("townsfolk", *ROW[:3]).at(1, silver=0)
    game.workers(1, fighter=2)
    assert {it.workers for it in game.legal(1) if isinstance(it, c.BeginAction) and it.action == "recruit"} == possible
    for workers in {1, 2} - possible:
        game.reject(1, c.BeginAction("recruit", workers), "paladins.recruit.price", "NOT_ENOUGH_SILVER")
    game.do(1, c.BeginAction("recruit", 2))


def test_paladins_recruit_debt_on_the_left__while_debts_are_left() -> None:
    game = start_recruiting(2, 3)
    game.empty(game.t.debts)
    game.reject(1, c.HireTownsfolk(ROW[0], DEBT), "paladins.recruit.debt_on_the_left", "NO_DEBT_HERE")


def test_paladins_recruit_debt_on_the_left__is_not_mixed_with_silver() -> None:
    game = start_recruiting(2, 1)
    game.do(1, c.HireTownsfolk(ROW[0], DEBT))
    assert game.seat(1).silver.value == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_paladins_recruit_on_display(workers: int) -> None:
    game = start_recruiting(workers)
    kind = (c.DiscardTownsfolk, c.HireTownsfolk)[workers - 1]
    game.reject(1, kind("abbot_2", SILVER), "paladins.recruit.on_display", "NOT_ON_DISPLAY")
    game.do(1, kind(ROW[2], SILVER))
    assert [place.total() for place in game.t.townsfolk] == [1, 1, 0, 1, 1], "the place stays empty in the round"
    game.turn().display("townsfolk").many_workers()
    game.empty(game.seat(1).areas["recruit"].spaces[0]).empty(game.seat(1).areas["recruit"].spaces[1])
    game.reject(1, c.BeginAction("recruit", workers), "paladins.recruit.on_display", "NOBODY_ON_DISPLAY")


@pytest.mark.parametrize("card", ids_of("townsfolk"))
def test_paladins_recruit_one_discards(card: str) -> None:
    """The seat gets the reward at the top of the card and nothing else."""
    game = enrich(PaladinsGame(2).turn().display("townsfolk", "", "", "", "", card))
    place_workers(game, "recruit", 1)
    before = holdings(game)

    game.do(1, c.DiscardTownsfolk(card, SILVER))
    take_all(game)

    discard = TABLES["townsfolk"][card]["discard"]
    assert change(before, holdings(game)) == change_by(discard)
    assert card in game.t.townsfolk_discard.items
    assert not game.counts("seat.1.townsfolk")
    assert game.seat(1).areas["recruit"].is_open() is ("pray" in discard)


@pytest.mark.parametrize("card", ids_of("townsfolk"))
def test_paladins_recruit_two_hire(card: str) -> None:
    game = enrich(PaladinsGame(2).turn().display("townsfolk", "", "", "", "", card))
    place_workers(game, "recruit", 2)
    before = holdings(game)

    game.do(1, c.HireTownsfolk(card, SILVER))
    take_all(game)

    assert game.counts("seat.1.townsfolk") == {card: 1}
    assert change(before, holdings(game)) == change_by(TABLES["townsfolk"][card]["instant"])
    assert [game.counts(f"seat.1.recruit.{at}") for at in (1, 2)] == [{"labourer": 1}, {"fighter": 1}]
    game.end_round()
    assert game.counts("seat.1.townsfolk") == {card: 1}, "permanently"


def test_paladins_recruit_two_hire__not_one() -> None:
    game = start_recruiting(1)
    command = c.HireTownsfolk(ROW[0], SILVER)
    assert game.reject(1, command, "paladins.recruit.two_hire", "WRONG_NUMBER_OF_WORKERS").values["workers"] == "1"


def test_paladins_recruit_one_discards__not_two() -> None:
    game = start_recruiting(2)
    command = c.DiscardTownsfolk(ROW[0], SILVER)
    assert game.reject(1, command, "paladins.recruit.one_discards", "WRONG_NUMBER_OF_WORKERS").values["workers"] == "2"


def test_paladins_recruit_instant() -> None:
    """Both the action and a free recruit give it; discarding the card does not."""
    for commands in (
        (c.BeginAction("recruit", 2), c.HireTownsfolk("architect_2", SILVER)),
        (c.UseFavour("favour_01"), c.HireTownsfolk("architect_2")),
    ):
        game = PaladinsGame(2).turn().favours("favour_01").display("townsfolk", "", "", "", "", "architect_2")
        game.workers(1, scout=1, fighter=1)
        before = game.seat(1).provisions.value
        game.do(1, *commands)
        assert game.seat(1).provisions.value == before + 1


# --- pray ---------------------------------------------------------------------------------------------------------


def test_paladins_pray_cost() -> None:
    game = PaladinsGame(2).turn().at(1, silver=1).workers(1, cleric=1).occupy(1, "hunt", "labourer")
    rejection = game.reject(1, c.BeginAction("pray", 1), "paladins.pray.cost", "NOT_ENOUGH_SILVER")
    assert rejection.values == {"has": "1", "needs": "2"}
    game.at(1, silver=2)
    game.do(1, c.BeginAction("pray", 1), c.ClearArea("hunt"))
    assert (game.seat(1).silver.value, game.counts("seat.1.pray.1")) == (0, {"cleric": 1})


def test_paladins_pray_clears_one_area() -> None:
    """As in the rulebook's example: a criminal prays for 2 silver and frees Absolve."""
    game = PaladinsGame(2).turn().at(1, silver=5).workers(1, criminal=1).workshop(1, "absolve", 2)
    game.occupy(1, "absolve", "cleric", "", "merchant").occupy(1, "hunt", "scout", "scout")
    clerics, merchants = (game.t.supply.items[worker] for worker in ("cleric", "merchant"))

    game.do(1, c.BeginAction("pray", 1))
    assert game.legal(1) == [c.ClearArea("hunt"), c.ClearArea("absolve"), c.ForgoReward("pray_action")]
    game.reject(1, c.ClearArea("commission"), "paladins.pray.clears_one_area", "NOTHING_TO_CLEAR")
    cleared = detail(game.do(1, c.ClearArea("absolve")), e.AreaCleared)

    assert cleared == e.AreaCleared("absolve", ("cleric", "merchant"))
    assert game.counts("seat.1.absolve.2") == {"workshop": 1}
    assert [game.t.supply.items[worker] for worker in ("cleric", "merchant")] == [clerics + 1, merchants + 1]
    assert game.counts("seat.1.hunt.1") == {"scout": 1}, "one area only"
    assert game.seat(1).silver.value == 3
    game.idle(2)
    game.workers(1, cleric=1, merchant=1)
    assert c.BeginAction("absolve", 2) in game.legal(1), "also in the same round"


def test_paladins_pray_clears_one_area__if_one_has_workers() -> None:
    game = PaladinsGame(2).turn().at(1, silver=2).workers(1, cleric=1)
    events = game.do(1, c.BeginAction("pray", 1))
    assert detail(events, e.RewardLapsed).reward == "pray_action"
    assert game.deciding() == [2]


def test_paladins_pray_clears_one_area__only_of_the_own_board() -> None:
    game = PaladinsGame(2).turn().at(1, silver=2).workers(1, cleric=1).occupy(2, "trade", "labourer")
    assert not named(game.do(1, c.BeginAction("pray", 1)), "AreaCleared")
    assert game.counts("seat.2.trade.1") == {"labourer": 1}


@pytest.mark.parametrize("reading", ["not_pray_area", "any_area"])
def test_paladins_pray_not_its_own_area(reading: str) -> None:
    game = PaladinsGame(2, pray_action_target=reading).turn().at(1, silver=2).workers(1, cleric=1)
    game.occupy(1, "hunt", "labourer")
    game.do(1, c.BeginAction("pray", 1))

    if reading == "any_area":
        game.do(1, c.ClearArea("pray"))
        assert game.seat(1).areas["pray"].is_open()
    else:
        game.reject(1, c.ClearArea("pray"), "paladins.pray.not_its_own_area", "NOT_THE_PRAY_AREA")


def test_paladins_pray_not_its_own_area__but_a_reward_may_clear_it() -> None:
    """The reward costs neither a cleric nor silver."""
    game = PaladinsGame(2).turn().at(1, silver=0).favours("favour_10").workers(1, scout=1).occupy(1, "pray", "cleric")
    game.do(1, c.UseFavour("favour_10"), c.ClearArea("pray"))
    assert game.seat(1).areas["pray"].is_open()


@pytest.mark.parametrize("action", [*LEFT, *RIGHT])
def test_paladins_pray_clears_one_area__of_any_action(action: str) -> None:
    game = PaladinsGame(2).turn().favours("favour_10").workers(1, scout=1)
    spaces = len(TABLES["actions"][action]["slots"])
    game.occupy(1, action, *WORKERS[:spaces])
    cleared = detail(game.do(1, c.UseFavour("favour_10"), c.ClearArea(action)), e.AreaCleared)
    assert cleared.workers == WORKERS[:spaces]
    assert game.seat(1).areas[action].is_open()
