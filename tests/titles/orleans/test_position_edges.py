"""How far a position may go: what is just possible is accepted, and one step further is a problem, told in full."""

from __future__ import annotations

import pytest
from tests.titles.orleans.boards import Sheet, reached
from tests.titles.orleans.test_position_problems import (
    ACT,
    FIRST_READINGS,
    HARVEST,
    KEEP,
    LATE,
    PLAN,
    TORTURE,
    Make,
    Spoil,
    base,
    decider,
    first_space,
    of,
    problems,
)

from boardkeeper.families.followers.phases.followers import storage_room
from boardkeeper.titles.orleans.material import Orleans


def food_due(decision: str, count: int) -> Spoil:
    """Let the seat that is struck owe so many food items."""
    return of(decision, lambda sheet, seat: sheet.set(f"seats.{seat}.food_due", count))


def at_the_end(sheet: Sheet) -> None:
    """Let seat 2 stand on the last space of the development track, with every citizen on the way."""
    homes = sheet.get("citizens_on_tracks")
    left = [home for home in homes if not home.startswith("development.")]
    sheet.set("citizens_on_tracks", left).add("seats.2.citizens", len(homes) - len(left))
    sheet.set("seats.2.development", 30).set("seats.2.best_development", 30).set("seats.2.status", 6)


def space_too_many(sheet: Sheet) -> None:
    """Let a place without spaces have one."""
    space = sheet.get("seats.1.places.ship.spaces.farmer")
    sheet.get("seats.1.places.school.spaces").append(space)


TOWER = base(
    "planning",
    "plan",
    lambda t: any(not space.placed.value and space.pile.items for space in t.seats[0].estate().storage),
)
SCHOOL = base("planning", "plan", lambda t: "school" in t.seats[0].place_tiles.items)
CARRIED = base("planning", "plan", torture_nothing_left="carried")


def with_room(phase: str, decision: str, room: int, **choices: str) -> Make:
    """Seat 1 has that decision open, and so many spaces of its Gunpowder Tower are free."""

    def wanted(t: Orleans) -> bool:
        return t.table.decisions[1] == decision and storage_room(t.seats[0]) == room

    return base(phase, decision, wanted, **choices)


TOWER_DRAW = with_room("followers", "draw", 2)
TOWER_STORE = with_room("followers", "store", 2)
TOWER_PLAN = with_room("planning", "plan", 1)


PLACED = base("planning", "plan", lambda t: any(s.placed.value > 0 for s in t.seats[0].estate().spaces.values()))
FROM_CRAFTSMEN = base("planning", "plan", first_technology="from_first_craftsmen_space")


def in_hand(farmer_only: int) -> Spoil:
    """Let seat 1 have two technology tiles in hand, so many of which have to replace a farmer."""
    return lambda sheet: (
        sheet.add("technology", -2)
        .add("seats.1.technology", 2)
        .set("seats.1.farmer_only_technology", sheet.get("seats.1.farmer_only_technology") + farmer_only)
    )


def left_tower(sheet: Sheet) -> Sheet:
    """Let a monk have come from the Gunpowder Tower in this phase."""
    path = first_space(sheet, 1, lambda space: not space["occupant"])
    sheet.add("supply.monk", -1).set(f"{path}.occupant", "monk")
    return sheet.set(f"{path}.placed_now", True).set(f"{path}.from_tower", True)


def on_market(count: int, seat: int = 1) -> Spoil:
    """Let so many followers lie on the market of a seat, those placed now from there among them."""

    def change(sheet: Sheet) -> None:
        placed = sum(space["placed_now"] and not space["from_tower"] for _, space in sheet.spaces(seat))
        for _ in range(count - placed - sum(sheet.get(f"seats.{seat}.market").values())):
            who = max(("farmer", "monk", "knight"), key=lambda character: sheet.get("supply").get(character, 0))
            sheet.move(who, "supply", f"seats.{seat}.market")

    return change


ARREARS = "must be 0 if the seat has coins, or if this game does not carry debts over"
FARMER_ONLY = "must be 0, or 1 while the seat has not placed the tile of the first craftsmen space"
FULL = "followers, including those placed in this phase"
SHIP = "seats.1.places.ship.spaces.farmer"
LARGEST = 999_999_999

POSSIBLE: tuple[tuple[str, Make, Spoil], ...] = (
    ("all the food of the harvest is due", HARVEST, food_due("harvest", 1)),
    ("tortured for the first of two food items", TORTURE, food_due("torture", 1)),
    ("a follower on the Gunpowder Tower", TOWER, lambda s: s),
    ("arrears where debts are carried", CARRIED, lambda s: s.set("seats.1.coins", 0).set("seats.1.arrears", 1)),
    ("what goes to the tower still on the market: drawing", TOWER_DRAW, on_market(10)),
    ("what goes to the tower still on the market: storing", TOWER_STORE, on_market(10)),
    ("a full market while planning", TOWER_PLAN, on_market(8)),
    ("a full market but for who was placed", PLACED, on_market(8)),
    ("a full market beside who left the tower", TOWER_PLAN, lambda s: on_market(8)(left_tower(s))),
    ("the tile that has to replace a farmer", FROM_CRAFTSMEN, in_hand(1)),
    ("as many coins as a record takes", PLAN, lambda s: s.set("seats.2.coins", LARGEST)),
    ("as many draws as a record takes", LATE, lambda s: s.set("draws.supply", LARGEST)),
    ("none of what there is not in the box", PLAN, lambda s: s.set("box.gold", 0)),
    ("nothing drawn from a bag", LATE, lambda s: s.set("draws", {"seat.1.bag": 0})),
    ("the last space of the development track", PLAN, at_the_end),
    ("a debt of a whole food item", TORTURE, of("torture", lambda s, seat: s.set(f"seats.{seat}.debt", 5))),
)
"""What is just possible: what it is, a good position, and what a test does to it."""

BEYOND: tuple[tuple[str, str, Make, Spoil], ...] = (
    (
        "phase",
        "must be one of: census, followers, planning, actions, event (not 'over')",
        PLAN,
        lambda s: s.set("phase", "over"),
    ),
    (
        "hour_glass.remaining",
        "cannot have harvest.no.START: this game does not use that space",
        LATE,
        lambda s: s.set("hour_glass.remaining", {**s.get("hour_glass.remaining"), "harvest.no.START": 1}),
    ),
    ("seats[2].coins", f"must be 0 to {LARGEST}", PLAN, lambda s: s.set("seats.2.coins", -1)),
    ("seats[2].coins", f"must be 0 to {LARGEST}", PLAN, lambda s: s.set("seats.2.coins", LARGEST + 1)),
    (
        "seats[1].places[ship].spaces[farmer]",
        "cannot have placed_now with 'nothing'",
        LATE,
        lambda s: s.set(f"{SHIP}.occupant", "").set(f"{SHIP}.placed_now", True),
    ),
    (
        "seats[1].places[ship].spaces[farmer]",
        "cannot have placed_now with 'technology'",
        LATE,
        lambda s: s.set(f"{SHIP}.occupant", "technology").set(f"{SHIP}.placed_now", True),
    ),
    (
        "seats[1].places[gunpowder_tower].spaces[any]",
        "cannot have the occupant 'wool'",
        TOWER,
        lambda s: s.set("seats.1.places.gunpowder_tower.spaces.any.occupant", "wool"),
    ),
    (
        "deeds[astronomy]",
        "cannot have 1 monk: it has 0 spaces for them",
        LATE,
        lambda s: s.set("deeds.astronomy.followers.monk", 1),
    ),
    (
        "deeds[astronomy]",
        "must have its citizen, because it is not complete",
        PLAN,
        lambda s: s.set("deeds.astronomy.followers", {"scholar": 2}).set("deeds.astronomy.citizen", False),
    ),
    (
        "components.monk",
        "must be 17 in total, not 1000000005",
        PLAN,
        lambda s: s.set("supply.monk", LARGEST),
    ),
    ("supply", f"must have 0 to {LARGEST} monk, not 1000000000", PLAN, lambda s: s.set("supply.monk", LARGEST + 1)),
    ("technology", f"must have 0 to {LARGEST} technology, not -1", PLAN, lambda s: s.set("technology", -1)),
    (
        "seats[2].technology",
        f"must have 0 to {LARGEST} technology, not -1",
        PLAN,
        lambda s: s.set("seats.2.technology", -1),
    ),
    ("seats[2].citizens", f"must have 0 to {LARGEST} citizen, not -1", PLAN, lambda s: s.set("seats.2.citizens", -1)),
    (
        "seats[2].stations_in_supply",
        f"must have 0 to {LARGEST} station.2, not -1",
        PLAN,
        lambda s: s.set("seats.2.stations_in_supply", -1),
    ),
    (
        "deeds[astronomy].followers",
        f"must have 0 to {LARGEST} scholar, not -1",
        PLAN,
        lambda s: s.set("deeds.astronomy.followers", {"scholar": -1}),
    ),
    (
        "seats[?].decision",
        "must be one of: act, deed, bathhouse, technology in the phase actions (not 'plan')",
        ACT,
        of("act", lambda s, seat: s.set(f"seats.{seat}.decision", "plan")),
    ),
    ("seats[1].passed", "must be false before the actions", PLAN, lambda s: s.set("seats.1.passed", True)),
    ("seats[1].arrears", ARREARS, PLAN, lambda s: s.set("seats.1.coins", 0).set("seats.1.arrears", 1)),
    ("seats[1].arrears", ARREARS, CARRIED, lambda s: s.set("seats.1.coins", 1).set("seats.1.arrears", 1)),
    ("seats[1].market", f"must have at most 10 {FULL}", TOWER_DRAW, on_market(11)),
    ("seats[1].market", f"must have at most 10 {FULL}", TOWER_STORE, on_market(11)),
    ("seats[1].market", f"must have at most 8 {FULL}", TOWER_PLAN, on_market(9)),
    ("seats[1].market", f"must have at most 8 {FULL}", PLACED, on_market(9)),
    ("seats[1].market", f"must have at most 8 {FULL}", TOWER_PLAN, lambda s: on_market(9)(left_tower(s))),
    (
        "seats[1].farmer_only_technology",
        FARMER_ONLY,
        FROM_CRAFTSMEN,
        in_hand(2),
    ),
    ("seats[1].farmer_only_technology", FARMER_ONLY, PLAN, in_hand(1)),
    ("place_tiles_1", "cannot have monk", PLAN, lambda s: s.get("place_tiles_1").append("monk")),
    ("seats[1].bag", "cannot have wool", LATE, lambda s: s.move("wool", "goods_market", "seats.1.bag")),
    (
        "seats[?].drawn",
        "cannot have wool",
        KEEP,
        of("keep", lambda s, seat: s.move("wool", "goods_market", f"seats.{seat}.drawn")),
    ),
    ("seats[1].places[school]", "must have the spaces none", SCHOOL, space_too_many),
    ("event_seats", "must be 1 while the event hits seat 2", HARVEST, lambda s: s.set("event_seats", 0)),
    ("event_seats", "must be 1 while the event hits seat 2", HARVEST, lambda s: s.set("event_seats", 2)),
    ("seats[1].passed", "must be true during the event", HARVEST, lambda s: s.set("seats.1.passed", False)),
    ("seats[?].food_due", "must be 1 to 1", HARVEST, food_due("harvest", 0)),
    ("seats[?].food_due", "must be 1 to 1", HARVEST, food_due("harvest", 2)),
    ("seats[?].food_due", "must not exceed the food that the harvest still takes", TORTURE, food_due("torture", 2)),
)
"""One step too far: the field, the whole message, a good position, and what a test does to it.

What is put where it cannot lie may also be one too many, which is told besides.
"""


def is_total(field: str, message: str) -> bool:
    """Whether a problem only says that something is missing or too many."""
    return field.startswith("components.") or message.startswith("must have exactly these tracks: one own_")


@pytest.mark.parametrize(("make", "change"), [case[1:] for case in POSSIBLE], ids=[case[0] for case in POSSIBLE])
def test_what_is_just_possible_is_no_problem(make: Make, change: Spoil) -> None:
    setup, board = make()
    sheet = Sheet(board)
    change(sheet)
    assert problems(setup, sheet.board()) == ()


@pytest.mark.parametrize(("field", "message", "make", "change"), BEYOND)
def test_one_step_further_is_the_only_problem(field: str, message: str, make: Make, change: Spoil) -> None:
    setup, board = make()
    sheet = Sheet(board)
    change(sheet)
    if "?" in field:
        decision = next(seat.decision for seat in board.seats if seat.decision)
        field = field.replace("?", str(decider(board, decision)))
    found = [(problem.field, problem.message) for problem in problems(setup, sheet.board())]
    assert [entry for entry in found if entry == (field, message) or not is_total(*entry)] == [(field, message)]


def test_a_way_that_there_is_not_hides_no_problem_of_the_next() -> None:
    setup, board = PLAN()
    sheet = Sheet(board)
    ways = sheet.values["ways"]
    ways[0]["way"], ways[1]["goods"] = "rhine", {"wool": 9}
    found = {problem.field: problem.message for problem in problems(setup, sheet.board())}
    assert found["ways[rhine]"] == "is not a way of this edition"
    assert "goods with 3 players" in found[f"ways[{ways[1]['way']}]"]


def test_a_component_that_there_is_not_is_too_many() -> None:
    setup, board = PLAN()
    found = problems(setup, Sheet(board).set("box.gold", 1).board())
    assert [(problem.field, problem.message) for problem in found] == [
        ("components.gold", "must be 0 in total, not 1"),
        ("box", "must have 0 gold with 3 players, not 1"),
    ]


def test_a_component_that_is_missing_altogether_is_missed() -> None:
    setup, board = PLAN()
    tile = board.place_tiles_1[0]
    sheet = Sheet(board)
    sheet.get("place_tiles_1").remove(tile)
    found = problems(setup, sheet.board())
    assert [(problem.field, problem.message) for problem in found] == [
        (f"components.{tile}", "must be 1 in total, not 0")
    ]


def test_the_marked_followers_of_who_does_not_play_stay_in_the_box() -> None:
    """Four play, so one of each kind is left over; nobody has two, wherever they lie."""
    setup, board = reached("planning", "plan", players=4)
    sheet = Sheet(board)
    where = "bag" if sheet.get("seats.4.market").get("own_farmer") else "market"
    sheet.move("own_farmer", "box", f"seats.4.{where}").get("box").pop("own_farmer")
    found = problems(setup, sheet.board())
    assert [(problem.field, problem.message) for problem in found] == [
        ("box", "must have 1 own_farmer with 4 players, not 0"),
        ("seats[4]", "must have one own_farmer, not 2"),
    ]


def test_what_lies_in_a_place_that_there_is_not_has_no_place() -> None:
    setup, board = PLAN()
    sheet = Sheet(board).set(f"{SHIP}.occupant", "farmer").set("seats.1.places.ship.place", "raft")
    assert [(problem.field, problem.message) for problem in problems(setup, sheet.board())] == [
        ("seats[1].places", "must be the places of the player board, then the place tiles by id"),
        ("seats[1].places[raft].spaces[farmer]", "cannot have farmer: this game does not use that space"),
        ("components.farmer", "must be 18 in total, not 19"),
    ]


def test_who_keeps_a_follower_has_room_for_it_on_the_tower() -> None:
    """With an empty Gunpowder Tower ten find room, the one to keep among them, whom the Bathhouse has drawn."""

    def wanted(t: Orleans) -> bool:
        return any(t.table.decisions[seat.number] == "keep" and storage_room(seat) == 2 for seat in t.seats)

    setup, board = reached("followers", "keep", wanted, 4, bathhouse="passive", **FIRST_READINGS)
    seat = decider(board, "keep")
    sheet = Sheet(board)
    on_market(9, seat)(sheet)
    assert problems(setup, sheet.board()) == ()
    on_market(10, seat)(sheet)
    (problem,) = problems(setup, sheet.board())
    assert (problem.field, problem.message) == (
        f"seats[{seat}].market",
        "must have room for the follower that the seat keeps",
    )


def test_two_seats_do_not_act_at_a_time() -> None:
    setup, board = ACT()
    acting = decider(board, "act")
    other = acting % 3 + 1
    sheet = Sheet(board).set(f"seats.{other}.decision", "act").set("deciding", sorted([acting, other]))
    found = [(problem.field, problem.message) for problem in problems(setup, sheet.board())]
    assert ("seats.decision", "must be set for one seat only in the phase actions") in found
    assert (f"seats[{other}].decision", f"must be empty: it is the turn of seat {acting}") in found


def test_a_tile_of_a_part_that_there_is_not_is_no_tile() -> None:
    setup, board = PLAN()
    found = problems(setup, Sheet(board).set("hour_glass.strength", "Z").board())
    assert [(problem.field, problem.message) for problem in found] == [
        ("hour_glass", "has a tile that does not exist: pilgrimage.Z"),
        ("hour_glass", "cannot have pilgrimage.Z"),
        ("components.pilgrimage.START", "must be 1 in total, not 0"),
    ]
