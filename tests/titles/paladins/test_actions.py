"""Actions in turn, their workers and costs, and the actions without a target."""

from __future__ import annotations

import pytest
from tests.titles.paladins.holdings import TABLES, change, create_ready_game, holdings, place_workers, take_all
from tests.titles.paladins.kit import PaladinsGame, all_details, detail

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.data import ACTIONS, RIGHT, WORKERS

TAKES = {
    "develop": ("any", "any"),
    "recruit": ("any", "fighter"),
    "hunt": ("any", "scout"),
    "trade": ("any", "merchant"),
    "pray": ("cleric",),
    "conspire": ("any",),
    "commission": ("scout", "any", "cleric"),
    "fortify": ("merchant", "any", "scout"),
    "garrison": ("merchant", "any", "fighter"),
    "absolve": ("cleric", "any", "merchant"),
    "attack": ("scout", "any", "fighter"),
    "convert": ("fighter", "any", "cleric"),
}
"""The spaces of the player board's actions, from the rulebook."""


# --- in turn ------------------------------------------------------------------------------------------------------


def test_paladins_actions_in_turn() -> None:
    """One action in each turn; seats that have passed are skipped."""
    game = PaladinsGame(3).turn(2)
    for seat in (1, 2, 3):
        game.workers(seat, labourer=3)
    seats = []
    for command in (c.BeginAction("hunt", 1), c.Pass(), *[c.BeginAction("trade", 1)] * 2, c.Pass(), c.Pass()):
        (seat,) = game.deciding()
        seats.append(seat)
        game.do(seat, command)
        while game.decision(seat) == "keep":
            game.idle(seat)
    assert seats == [2, 3, 1, 2, 1, 2]
    assert game.t.round.value == 4, "all have passed"


def test_paladins_actions_in_turn__not_out_of_turn() -> None:
    game = create_ready_game().workers(2, labourer=1)
    game.reject(2, c.BeginAction("hunt", 1), "table.not_deciding", "NOT_DECIDING")
    game.reject(1, c.TakeTavernCard("tavern_01"), "table.wrong_decision", "WRONG_DECISION")


def test_paladins_actions_twelve() -> None:
    assert set(ACTIONS) == set(TAKES)
    game = create_ready_game()
    possible = set()
    for action in ACTIONS:
        needed = {slot if slot != "any" else "labourer" for slot in TAKES[action]}
        game.workers(1, **dict.fromkeys(needed, 3))
        possible |= {command.action for command in game.legal(1) if isinstance(command, c.BeginAction)}
    assert possible == set(TAKES)
    game.reject(1, c.BeginAction("dance", 1), "paladins.actions.twelve", "NO_SUCH_ACTION")


@pytest.mark.parametrize("action", ACTIONS)
def test_paladins_actions_once(action: str) -> None:
    """While any worker is there, even if it was not needed."""
    game = create_ready_game()
    place_workers(game, action, 1)
    while game.decision(1) not in ("", "act"):
        game.do(1, game.legal(1)[0])
    if action == "pray":
        assert not game.seat(1).areas["pray"].is_open()
    game.turn().many_workers()
    for workers in (1, 2, 3):
        game.reject(1, c.BeginAction(action, workers), "paladins.actions.once", "AREA_OCCUPIED")


def test_paladins_actions_once__but_other_actions_are_possible() -> None:
    game = create_ready_game().occupy(1, "hunt", "labourer").workers(1, labourer=1)
    assert c.BeginAction("trade", 1) in game.legal(1)


@pytest.mark.parametrize(
    ("action", "word"),
    [(action, "silver") for action in ("develop", "pray", "absolve", "convert", "recruit", "attack")]
    + [(action, "provision") for action in ("commission", "fortify", "garrison")],
)
def test_paladins_costs_to_the_supply(action: str, word: str) -> None:
    """The tax supply does not change."""
    game = create_ready_game().display("townsfolk", "debt_collector_1").at(1, strength=1).next_wall("wall_05")
    game.bring("warrior_saracen", game.seat(1).converted)
    if action == "garrison":
        game.at(1, strength=2)
    before = holdings(game)

    place_workers(game, action, 2)
    preferred = (c.PlaceWorkshop("attack", 1), c.PlaceMonk("r2c"), c.PlaceOutpost("r1b"), c.PlaceJar("faith"))
    while game.decision(1) not in ("", "act"):
        legal = game.legal(1)
        game.do(1, next((command for command in preferred if command in legal), legal[0]))

    assert holdings(game)[word] < before[word]
    assert game.t.tax.value == game.t.tax_full == 6


# --- workers ------------------------------------------------------------------------------------------------------


def test_paladins_workers_own() -> None:
    game = create_ready_game().workers(1, labourer=1, merchant=1)
    game.do(1, c.BeginAction("hunt", 1))

    for worker in ("scout", "criminal"):
        game.reject(1, c.PlaceWorker(worker), "paladins.workers.own", "NO_SUCH_WORKER")
    game.reject(1, c.PlaceWorker("king"), "table.known_ids", "UNKNOWN_ID")
    game.do(1, c.PlaceWorker("merchant"))
    assert game.counts("seat.1.hunt.1") == {"merchant": 1}
    assert game.counts("seat.1.workers") == {"labourer": 1}


def test_paladins_workers_own__also_when_returning_one() -> None:
    game = create_ready_game().workers(1, labourer=1)
    game.do(1, c.Pass())
    game.reject(1, c.ReturnWorker("scout"), "paladins.workers.own", "NO_SUCH_WORKER")


COLOURED = [(action, at, slot) for action, slots in TAKES.items() for at, slot in enumerate(slots) if slot != "any"]


@pytest.mark.parametrize(("action", "at", "slot"), COLOURED)
def test_paladins_workers_colours(action: str, at: int, slot: str) -> None:
    """Without a worker of that colour the action is not possible; with one, it goes to that space."""
    slots = TAKES[action]
    others = [worker for worker in WORKERS if worker not in (slot, "criminal")]
    game = create_ready_game().workers(1, **dict.fromkeys(others, 3))
    begin = c.BeginAction(action, len(slots))
    game.reject(1, begin, "paladins.workers.colours", "NOT_ENOUGH_WORKERS")

    game = create_ready_game()
    place_workers(game, action, 2)

    assert game.counts(f"seat.1.{action}.{at + 1}") == {slot: 1}


def test_paladins_workers_colours__decide_what_can_be_placed() -> None:
    game = create_ready_game().workers(1, scout=1, criminal=1, labourer=2, cleric=1)
    game.do(1, c.BeginAction("commission", 3))

    assert game.legal(1) == [c.PlaceWorker("scout"), c.PlaceWorker("criminal")]
    game.reject(1, c.PlaceWorker("labourer"), "paladins.workers.colours", "WRONG_COLOUR")
    game.do(1, c.PlaceWorker("criminal"))
    assert game.counts("seat.1.commission.1") == {"criminal": 1}


def test_paladins_workers_colours__decide_what_can_be_placed_beside_a_workshop() -> None:
    game = create_ready_game().workshop(1, "commission", 2).workers(1, scout=1, criminal=1, cleric=1)
    game.do(1, c.BeginAction("commission", 2))

    assert game.legal(1) == [c.PlaceWorker("scout"), c.PlaceWorker("criminal")]
    game.do(1, c.PlaceWorker("criminal"))
    assert [game.counts(f"seat.1.commission.{at}") for at in (1, 3)] == [{"criminal": 1}, {"cleric": 1}]


@pytest.mark.parametrize(("action", "at", "slot"), COLOURED)
def test_paladins_workers_criminals(action: str, at: int, slot: str) -> None:
    """A criminal can replace any colour."""
    slots = TAKES[action]
    others = {other if other != "any" else "labourer": 1 for other in slots if other != slot}
    game = create_ready_game().workers(1, **others, criminal=1)

    game.do(1, c.BeginAction(action, len(slots)))

    assert game.counts(f"seat.1.{action}.{at + 1}") == {"criminal": 1}


@pytest.mark.parametrize("action", ACTIONS)
def test_paladins_workers_criminals__can_replace_all_colours_at_once(action: str) -> None:
    game = create_ready_game().workers(1, criminal=3)
    game.do(1, c.BeginAction(action, len(TAKES[action])))
    assert game.seat(1).workers.items.get("criminal", 0) == 3 - len(TAKES[action]) + (action == "conspire")


def test_paladins_workers_criminals__are_not_used_if_another_colour_needs_them() -> None:
    """The only criminal must replace the cleric, so it cannot replace the scout."""
    game = create_ready_game().workers(1, scout=1, criminal=1, labourer=1)
    events = game.do(1, c.BeginAction("commission", 3))
    placed = {placement.space: placement.worker for placement in all_details(events, e.WorkerPlaced)}
    assert placed == {1: "scout", 2: "labourer", 3: "criminal"}
    assert [game.counts(f"seat.1.commission.{at}") for at in (1, 2, 3)] == [
        {"scout": 1},
        {"labourer": 1},
        {"criminal": 1},
    ]


def test_paladins_workers_criminals__can_be_used_if_enough_are_left() -> None:
    """One of the two must replace the cleric; the other one may replace the scout."""
    game = create_ready_game().workers(1, scout=1, criminal=2, labourer=1)
    game.do(1, c.BeginAction("commission", 3))
    assert game.legal(1) == [c.PlaceWorker("scout"), c.PlaceWorker("criminal")]
    game.do(1, c.PlaceWorker("criminal"), c.PlaceWorker("labourer"))
    assert [game.counts(f"seat.1.commission.{at}") for at in (1, 2, 3)] == [
        {"criminal": 1},
        {"labourer": 1},
        {"criminal": 1},
    ]


@pytest.mark.parametrize("worker", WORKERS)
def test_paladins_workers_any(worker: str) -> None:
    game = create_ready_game().workers(1, **{worker: 1}).next_suspicion(0)
    game.do(1, c.BeginAction("hunt", 1))
    assert game.counts("seat.1.hunt.1") == {worker: 1}


@pytest.mark.parametrize("worker", WORKERS)
def test_paladins_workers_any__beside_the_coloured_ones(worker: str) -> None:
    """The rulebook's example: Fortify needs a merchant, any worker and a scout."""
    needed = {name: 2 if name == worker else 1 for name in {"merchant", "scout", worker}}
    game = create_ready_game().workers(1, **needed).next_wall("wall_05")

    game.act(1, "fortify", 3)

    assert game.counts("seat.1.fortify.2").keys() <= {worker, "merchant", "scout"}
    assert sum(game.counts(f"seat.1.fortify.{at}") != {} for at in (1, 2, 3)) == 3
    assert game.seat(1).walls.total() == 1


@pytest.mark.parametrize("action", ACTIONS)
def test_paladins_workers_all_spaces(action: str) -> None:
    """The number of workers must be the number of free spaces; Recruit, Hunt and Trade take one or two."""
    slots = TAKES[action]
    counts = {1, 2} if action in ("recruit", "hunt", "trade") else {len(slots)}
    game = create_ready_game().many_workers()

    for workers in range(5):
        begin = c.BeginAction(action, workers)
        if workers in counts:
            assert begin in game.legal(1)
        else:
            rejection = game.reject(1, begin, "paladins.workers.all_spaces", "WRONG_NUMBER_OF_WORKERS")
            assert rejection.values["needs"] == " ".join(map(str, sorted(counts)))


@pytest.mark.parametrize("action", ["recruit", "hunt", "trade"])
def test_paladins_workers_all_spaces__in_the_same_turn(action: str) -> None:
    """A seat that has used one worker there cannot add the second one in a later turn."""
    game = create_ready_game()
    place_workers(game, action, 1)
    if action == "recruit":
        game.do(1, c.DiscardTownsfolk("defender_1", "silver"))
    assert game.counts(f"seat.1.{action}.1") == {"labourer": 1}, "the left space"
    game.idle(2)
    game.many_workers()
    game.reject(1, c.BeginAction(action, 1), "paladins.actions.once", "AREA_OCCUPIED")


@pytest.mark.parametrize("action", RIGHT)
def test_paladins_workers_all_spaces__not_with_too_few(action: str) -> None:
    game = create_ready_game().workers(1, criminal=2)
    game.reject(1, c.BeginAction(action, 3), "paladins.workers.colours", "NOT_ENOUGH_WORKERS")


# --- hunt, trade and conspire -------------------------------------------------------------------------------------


def gains_of(action: str, workers: int, **needed: int) -> dict[str, int]:
    """Return the changes for a seat by hunting or trading, except workers."""
    game = create_ready_game().workers(1, **needed)
    before = holdings(game)
    game.do(1, c.BeginAction(action, workers))
    return {word: more for word, more in change(before, holdings(game)).items() if word not in WORKERS}


def test_paladins_hunt_one() -> None:
    assert gains_of("hunt", 1, merchant=1) == {"provision": 1}


def test_paladins_hunt_two() -> None:
    assert gains_of("hunt", 2, merchant=1, scout=1) == {"provision": 3}


def test_paladins_trade_one() -> None:
    assert gains_of("trade", 1, scout=1) == {"silver": 1}


def test_paladins_trade_two() -> None:
    assert gains_of("trade", 2, scout=1, merchant=1) == {"silver": 3}


@pytest.mark.parametrize("worker", WORKERS)
def test_paladins_conspire_criminal(worker: str) -> None:
    """A criminal from the supply, with a suspicion card."""
    game = create_ready_game().workers(1, **{worker: 1}).next_suspicion(1)
    before = holdings(game)

    events = game.do(1, c.BeginAction("conspire", 1))

    more = change(before, holdings(game))
    assert (game.counts("seat.1.workers"), more["suspicion"]) == ({"criminal": 1}, 1)
    assert (more["silver"], more["in the tax supply"]) == (1, -1)
    assert detail(events, e.Conspired) == e.Conspired()
    assert game.decision(2) == "act"


# --- the general supply -------------------------------------------------------------------------------------------


def test_paladins_supply_limits() -> None:
    """By default there is more than the box contains."""
    game = create_ready_game().at(1, silver=60, provisions=50).workers(1, labourer=1, scout=19, merchant=1)
    game.do(1, c.BeginAction("hunt", 2), c.PlaceWorker("labourer"))
    assert game.seat(1).provisions.value == 53
    game.idle(2)
    game.workers(1, scout=19, merchant=1)
    game.act(1, "trade", 2)
    assert game.seat(1).silver.value == 63


@pytest.mark.parametrize(("silver", "received"), [(41, 3), (42, 2), (43, 1), (44, 0)])
def test_paladins_supply_box(silver: int, received: int) -> None:
    """The box has 50 silver, and 6 of them are in the tax supply."""
    game = create_ready_game(supply_limits="as_in_the_box").at(2, silver=0).at(1, silver=silver)
    place_workers(game, "trade", 2)
    assert game.seat(1).silver.value == silver + received


@pytest.mark.parametrize(("provisions", "received"), [(36, 3), (37, 2), (39, 0)])
def test_paladins_supply_box__of_provisions(provisions: int, received: int) -> None:
    """The box has 40 provisions, and another seat has one."""
    game = create_ready_game(supply_limits="as_in_the_box").at(1, provisions=provisions)
    assert game.seat(2).provisions.value == 1
    traded = detail(place_workers(game, "hunt", 2), e.Hunted)
    assert (game.seat(1).provisions.value, traded.received) == (provisions + received, received)


@pytest.mark.parametrize("worker", WORKERS)
def test_paladins_supply_box__of_workers(worker: str) -> None:
    """A worker that the box does not have is lost, and brings no suspicion."""
    box = TABLES["workers"][worker]["in_box"]
    game = create_ready_game(supply_limits="as_in_the_box")
    assert game.t.supply.items[worker] == box == (22 if worker == "labourer" else 18)
    game.workers(2, **{worker: box})
    card = {
        "labourer": "debt_collector_1",
        "scout": "gatekeeper_2",
        "merchant": "watchman_3",
        "fighter": "squire_1",
        "cleric": "acolyte_1",
        "criminal": "squire_3",
    }[worker]
    game.display("townsfolk", "", "", "", "", card).workers(1, **{"scout" if worker != "scout" else "merchant": 1})
    events = game.do(1, c.BeginAction("recruit", 1), c.DiscardTownsfolk(card, "silver"))

    assert not game.counts("seat.1.workers")
    gained = detail([*events, *take_all(game)], e.Gained)
    assert gained.lost == gained.gains == (worker,) * len(gained.gains)
    assert not game.seat(1).suspicion.total()


@pytest.mark.parametrize(("provisions", "lost"), [(38, ()), (39, ("provision",))])
def test_paladins_supply_box__with_an_event_of_the_loss(provisions: int, lost: tuple[str, ...]) -> None:
    """The box has 40 provisions, and another seat has one."""
    game = create_ready_game(supply_limits="as_in_the_box").at(1, provisions=provisions).workers(1, scout=1)
    game.display("townsfolk", "", "", "", "", "peddler_2")

    events = game.do(1, c.BeginAction("recruit", 1), c.DiscardTownsfolk("peddler_2", "silver"))

    assert detail(events, e.Gained) == e.Gained(("labourer", "provision"), "peddler_2", lost)
    assert game.seat(1).provisions.value == 39
