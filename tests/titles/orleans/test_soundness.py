"""Checks of positions: each contradiction to the rules is reported, and possible tables are accepted."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.titles.orleans.reached import Base, Condition, reached, setup_of

from boardkeeper.families.followers.phases.followers import storage_room
from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import layout_of
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import PUBLIC
from boardkeeper.table.zones import Pile
from boardkeeper.titlekit.positions import problems
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans import soundness
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.title import TITLE

Change = Callable[[Orleans], object]


def find_problems(base: Base, *changes: Change, setup: Setup | None = None) -> list[tuple[str, str]]:
    """Return the problems of the table of a game after changes."""
    game = reached(base)
    table = Table(layout_of(game.table))
    t = TITLE.play(table, Dice(b""), game.setup).t
    for change in changes:
        change(t)
    return [(problem.field, problem.message) for problem in problems(TITLE, setup or game.setup, layout_of(table))]


# --- tables and changes ------------------------------------------------------------------------------------------


def is_late(t: Orleans) -> bool:
    """Whether it is round 9 or later and all seats have followers in the bag and goods."""
    return t.round.value >= 9 and all(seat.bag.items and seat.goods.items for seat in t.seats)


def with_tower(room: int) -> Condition:
    return lambda t: "gunpowder_tower" in t.seats[0].place_tiles.items and storage_room(t.seats[0]) == room


FIRST = (("taking_back_time", "before_drawing"), ("torture_from_coin_space", "closed"))
"""With these readings, games reach situations early that are rare with others."""

PLAN = Base("planning", "plan")
LATE = Base("planning", "plan", is_late)
SEALED = Base("planning", "plan", is_late, 3, (("planning", "sealed"),))
IN_TURN = Base("planning", "plan", lambda t: t.round.value == 1, 3, (("planning", "in_turn"),))
TOWER = Base("planning", "plan", with_tower(1))
FROM_CRAFTSMEN = Base("planning", "plan", players=3, choices=(("first_technology", "from_first_craftsmen_space"),))
CARRIED = Base("planning", "plan", players=3, choices=(("torture_nothing_left", "carried"),))
WITH_TECHNOLOGY = Base(
    "planning",
    "plan",
    lambda t: any("technology" in space.pile.items for space in t.seats[0].estate().spaces.values()),
)
WITH_STATION = Base(
    "planning", "plan", lambda t: any(t.seats[0].station in it.items for id, it in t.towns.items() if id != "orleans")
)
PLACED = Base("planning", "plan", lambda t: any(space.placed.value > 0 and space.pile.items and
                                                abs(space.placed.value) == t.round.value
                                                for space in t.seats[0].estate().spaces.values()))  # fmt: skip
ACT = Base("actions", "act", is_late)
DEED = Base("actions", "deed")
BATHHOUSE = Base("actions", "bathhouse")
BEFORE_DRAW = Base("actions", "bathhouse", players=3, choices=(("bathhouse_activator", "before_draw"),))
TECHNOLOGY = Base("actions", "technology")
DRAW = Base("followers", "draw", is_late)
DRAW_FIRST = Base("followers", "draw", is_late, 3, FIRST)
STORE = Base("followers", "store")
KEEP = Base("followers", "keep", players=3, choices=(("bathhouse", "passive"), *FIRST))
TAKE_BACK = Base("followers", "take_back", is_late)
CENSUS = Base("census", "torture")
CENSUS_SACRISTY = Base("census", "sacristy", players=3, choices=(("sacristy_scope", "census_too"), *FIRST))
HARVEST = Base("event", "harvest")
TORTURE = Base("event", "torture", lambda t: t.event.value == "harvest")
TAXED = Base("event", "torture", lambda t: t.event.value == "taxes")
SACRISTY = Base("event", "sacristy")
TOGETHER = Base("event", "harvest", players=3, choices=(("event_order", "simultaneous"),))


def marker(id: str, value: int | str) -> Change:
    """Set a marker; ``?`` in its id is the seat that decides."""

    def change(t: Orleans) -> None:
        seat = str(next(iter(t.table.deciding()), 1))
        t.table.markers[id.replace("?", seat)].value = value

    return change


def move(component: str, source: str, target: str, count: int = 1) -> Change:
    """Move components between zones; ``?`` in an id is the seat that decides."""

    def change(t: Orleans) -> None:
        seat = str(next(iter(t.table.deciding()), 1))
        t.table.zones[source.replace("?", seat)].take(component, count)
        t.table.zones[target.replace("?", seat)].put(component, count)

    return change


def add(component: str, zone: str, count: int = 1) -> Change:
    return lambda t: t.table.zones[zone].put(component, count)


def decide(decision: str, seat: int = 0) -> Change:
    """Open a decision of a seat, by default of the one that decides."""

    def change(t: Orleans) -> None:
        t.table.decisions[seat or t.table.deciding()[0]] = decision

    return change


def both(*changes: Change) -> Change:
    return lambda t: [change(t) for change in changes]


def decider(t: Orleans) -> Seat:
    return t.seats[t.table.deciding()[0] - 1]


def empty(pile: Pile, target: Pile) -> None:
    for component, count in pile.counts().items():
        pile.take(component, count)
        target.put(component, count)


def fill(pile: Pile, t: Orleans) -> None:
    """Put a follower from the supply on a space if it is free."""
    if not pile.items:
        follower = max(t.supply.items, key=lambda it: t.supply.items[it])
        t.supply.take(follower, 1)
        pile.put(follower, 1)


def on_market(count: int) -> Change:
    """Add followers to the market of seat 1 until it has this number, including those placed in this phase."""

    def change(t: Orleans) -> None:
        seat = t.seats[0]
        now = [it for it in seat.estate().spaces.values() if it.pile.items and it.placed.value == t.round.value]
        for _ in range(count - len(now) - seat.market.total()):
            follower = max(("farmer", "monk", "knight"), key=lambda it: t.supply.items.get(it, 0))
            move(follower, "supply", "seat.1.market")(t)

    return change


def event(name: str) -> Change:
    """Swap the tile of the round for another tile of its part."""

    def change(t: Orleans) -> None:
        part = t.strength.value
        mine, other = f"{t.event.value}.{part}", f"{name}.{part}"
        source = next(pile for pile in (t.turned, t.hour_glass[part]) if other in pile.items)
        source.take(other, 1)
        t.turned_now.take(mine, 1)
        source.put(mine, 1)
        t.turned_now.put(other, 1)
        t.event.value = name

    return change


def two_technology(t: Orleans) -> None:
    spaces = t.seats[0].estate().places["ship"].spaces
    for space in spaces[:2]:
        empty(space.pile, t.supply)
        t.technology.take("technology", 1)
        space.pile.put("technology", 1)


def exchange_marked_followers(t: Orleans) -> None:
    """Exchange marked followers of different characters between two seats."""
    for seat, gives, other in ((t.seats[0], "own_trader", t.seats[1]), (t.seats[1], "own_farmer", t.seats[0])):
        piles = (seat.bag, seat.market, *(space.pile for space in seat.estate().spaces.values()))
        next(pile for pile in piles if gives in pile.items).take(gives, 1)
        other.bag.put(gives, 1)


def second_station(t: Orleans) -> None:
    town = next(it for id, it in t.towns.items() if id != "orleans" and t.seats[0].station in it.items)
    move("station.2", "seat.2.stations", town.id)(t)


def no_deed(t: Orleans) -> None:
    """Move the second follower back to the bag."""
    for space in decider(t).estate().places[t.action_place.value].spaces:
        empty(space.pile, decider(t).bag)


def technology_now(t: Orleans) -> None:
    empty(t.table.pile("seat.1.ship.farmer"), t.supply)
    add("technology", "seat.1.ship.farmer")(t)
    marker("seat.1.ship.farmer.placed", t.round.value)(t)


def from_tower(t: Orleans) -> None:
    for space in t.seats[0].estate().spaces.values():
        if space.pile.items:
            space.placed.value = -t.round.value


def fill_place(t: Orleans) -> None:
    for space in decider(t).estate().places[t.action_place.value].spaces:
        fill(space.pile, t)


CASES: tuple[tuple[str, str, Base, Change], ...] = (
    # the table
    ("markers[round]", "must be 1 to 18, not 19", PLAN, marker("round", 19)),
    ("markers[round]", "must be 1 to 18, not 0", PLAN, marker("round", 0)),
    ("markers[phase]", "cannot be 'hour_glass'", PLAN, marker("phase", "hour_glass")),
    ("markers[start_seat]", "must be 1 to 3, not 4", PLAN, marker("start_seat", 4)),
    ("markers[cursor]", "must be 0 to 3, not -1", PLAN, marker("cursor", -1)),
    ("markers[event]", "cannot be 'feast'", PLAN, marker("event", "feast")),
    ("markers[strength]", "cannot be 'Z'", PLAN, marker("strength", "Z")),
    ("markers[action_place]", "cannot be 'nowhere'", PLAN, marker("action_place", "nowhere")),
    ("zones[hour_glass.current]", "must have the tile harvest.START", PLAN, marker("event", "harvest")),
    ("zones[hour_glass.past]", "must have 0 tiles, one for each past round, not 1", PLAN,
     move("plague.A", "hour_glass.A", "hour_glass.past")),
    ("zones[hour_glass.START]", "must be empty: it is turned before part", LATE,
     move("pilgrimage.START", "hour_glass.past", "hour_glass.START")),
    ("zones[hour_glass.B]", "cannot have plague.A", PLAN, move("plague.A", "hour_glass.A", "hour_glass.B")),
    ("zones[box]", "must have 6 monk with 3 players, not 5", PLAN, move("monk", "box", "supply")),
    ("zones[box]", "must have 6 goods with 3 players, not 7", PLAN, move("wool", "goods_market", "box")),
    ("zones[goods]", "cannot have wool", PLAN, move("wool", "goods_market", "goods")),
    ("zones[supply]", "cannot have wool", PLAN, add("wool", "supply")),
    ("zones[goods_market]", "cannot have monk", PLAN, add("monk", "goods_market")),
    ("zones[removed]", "cannot have own_farmer", PLAN, add("own_farmer", "removed")),
    ("zones[place_tiles.1]", "cannot have school", PLAN, add("school", "place_tiles.1")),
    ("zones[way.le_mans_chartres_road]", "must have at most 1 components, not 2", PLAN,
     add("wool", "way.le_mans_chartres_road", 1)),
    ("zones[town.tours]", "must have at most 1 components, not 2", PLAN, add("station.1", "town.tours", 2)),
    ("zones[town.orleans]", "must have at most 1 station.1, not 2", PLAN, add("station.1", "town.orleans", 2)),
    ("zones[town.tours]", "cannot have citizen", PLAN, add("citizen", "town.tours")),
    ("zones[deed.astronomy]", "must have at most 1 trader, not 2", LATE, add("trader", "deed.astronomy", 2)),
    ("zones[deed.astronomy]", "must have at most 0 monk, not 1", LATE, add("monk", "deed.astronomy")),
    ("zones[deed.astronomy]", "must have its citizen exactly until it is complete", PLAN,
     move("citizen", "deed.astronomy", "seat.1.citizens")),
    ("zones[deed.astronomy]", "must have its citizen exactly until it is complete", PLAN,
     both(add("scholar", "deed.astronomy", 2), add("trader", "deed.astronomy"))),
    ("zones[track.development.3]", "must be empty: a seat has reached that space", PLAN, marker("seat.1.development",
     3)),
    ("zones[track.knights]", "must be empty: a seat has reached that space", PLAN, marker("seat.1.knights", 4)),
    ("zones[most_stations]", "must have its citizen until the end", PLAN,
     move("citizen", "most_stations", "seat.1.citizens")),
    ("zones[seat.2.bag]", "cannot have the visibility 'public'", PLAN,
     lambda t: setattr(t.seats[1].bag, "visibility", PUBLIC)),
    ("markers[seat.2.screen]", "cannot have the visibility 'public'", SEALED,
     lambda t: setattr(t.seats[1].screen, "visibility", PUBLIC)),
    # seats
    ("markers[seat.2.merchant]", "cannot be 'paris'", PLAN, marker("seat.2.merchant", "paris")),
    ("markers[seat.2.knights]", "must be 0 to 5, not 6", PLAN, marker("seat.2.knights", 6)),
    ("markers[seat.2.development]", "must be 0 to 30, not 31", PLAN, marker("seat.2.development", 31)),
    ("markers[seat.2.best_development]", "must be 0 to 30, not -1", PLAN, marker("seat.2.best_development", -1)),
    ("markers[seat.2.coins]", "must be 0 to 999999999, not -1", PLAN, marker("seat.2.coins", -1)),
    ("markers[seat.2.passed]", "must be 0 to 1, not 2", PLAN, marker("seat.2.passed", 2)),
    ("markers[seat.2.screen]", "cannot be 'up'", PLAN, marker("seat.2.screen", "up")),
    ("zones[seat.1.ship.farmer]", "must have the only technology tile of its place", LATE, two_technology),
    ("zones[seat.1.ship.farmer]", "cannot have brocade", LATE, add("brocade", "seat.1.ship.farmer")),
    ("zones[seat.1.town_hall.any]", "cannot have own_farmer", LATE, add("own_farmer", "seat.1.town_hall.any")),
    ("zones[seat.1.town_hall.any]", "cannot have technology", LATE, add("technology", "seat.1.town_hall.any")),
    ("zones[seat.1.ship.farmer]", "must have at most 1 components", LATE, add("farmer", "seat.1.ship.farmer", 2)),
    ("zones[place.brewery.monk]", "must be empty: no seat has the place tile", PLAN, add("monk",
     "place.brewery.monk")),
    ("markers[seat.1.ship.farmer.placed]", "must be -18 to 18, not 19", PLAN, marker("seat.1.ship.farmer.placed", 19)),
    ("markers[seat.1.ship.farmer.placed]", "must not be this round: the seat cannot place that there", LATE,
     technology_now),
    ("zones[seat.1.market]", "cannot have wool", PLAN, add("wool", "seat.1.market")),
    ("zones[seat.1.stations]", "cannot have station.2", PLAN, move("station.2", "seat.2.stations", "seat.1.stations")),
    ("seats[1]", "must have one own_trader, not 0", LATE, exchange_marked_followers),
    ("zones[" , "must have at most 1 components, not 2", WITH_STATION, second_station),
    ("markers[seat.1.debt]", "must be above 0 exactly while the decision is 'torture'", PLAN, marker("seat.1.debt", 1)),
    ("markers[seat.?.coins]", "must be 0 while the seat has a debt: coins are paid first", TORTURE,
     marker("seat.?.coins", 1)),
    ("markers[seat.1.food_due]", "must be 0 unless the harvest hits the seat", PLAN, marker("seat.1.food_due", 1)),
    ("markers[seat.1.arrears]", "must be 0 if the seat has coins, or if this game does not carry debts over", PLAN,
     marker("seat.1.arrears", 1)),
    ("markers[seat.1.arrears]", "must be 0 if the seat has coins, or if this game does not carry debts over", CARRIED,
     both(marker("seat.1.coins", 1), marker("seat.1.arrears", 1))),
    ("zones[seat.1.drawn]", "must be empty unless the seat visits the Bathhouse", LATE, add("farmer",
     "seat.1.drawn")),
    ("markers[seat.1.given_up_draws]", "must not exceed the draws of the knights track", PLAN,
     marker("seat.1.given_up_draws", 9)),
    ("markers[seat.1.draws_made]", "must not exceed the draws of the knights track less those given up", PLAN,
     marker("seat.1.draws_made", 9)),
    ("markers[seat.?.draws_made]", "must be 0 until the seat has drawn", DRAW, marker("seat.?.draws_made", 1)),
    ("zones[seat.1.market]", "must have at most 8 followers, including those placed in this phase", PLAN, on_market(9)),
    ("zones[seat.1.market]", "must have at most 8 followers, including those placed in this phase", PLACED,
     on_market(9)),
    ("seats[1]", "must not have more followers from the Gunpowder Tower than it has room for", PLACED,
     from_tower),
    ("markers[seat.1.technology_placed]", "the number of tiles on the seat's spaces", WITH_TECHNOLOGY,
     marker("seat.1.technology_placed", 0)),
    ("markers[seat.1.farmer_only_technology]",
     "must be 0, or 1 while the seat has not placed the tile of the first craftsmen space", PLAN,
     marker("seat.1.farmer_only_technology", 1)),
    # the seats with decisions
    ("decisions", "must have a decision of at least one seat", PLAN,
     lambda t: [t.table.decisions.__setitem__(seat, "") for seat in (1, 2, 3)]),
    ("decisions[?]", "cannot be 'act' in the phase planning", PLAN, decide("act")),
    ("decisions", "must have a decision of one seat only in the phase actions", ACT,
     lambda t: [decide("act", seat)(t) for seat in (1, 2, 3)]),
    ("markers[acting_seat]", "must be 0 in the phase planning", PLAN, marker("acting_seat", 1)),
    ("markers[action_place]", "must be empty unless a seat sends to deeds or visits the Bathhouse", ACT,
     marker("action_place", "town_hall")),
    ("markers[seat.1.passed]", "must be 0 before the actions", PLAN, marker("seat.1.passed", 1)),
    ("markers[seat.1.passed]", "must be 1 during the event", HARVEST, marker("seat.1.passed", 0)),
    ("markers[seat.?.planned]", "must be 0 exactly while the seat plans", PLAN, marker("seat.?.planned", 1)),
    ("decisions[?]", "must be empty: seats plan in turn from the start player, and one has not finished", IN_TURN,
     lambda t: [decide("plan", seat)(t) for seat in (1, 2)]),
    ("decisions[?]", "must be empty: it is the turn of seat", ACT,
     lambda t: setattr(t.acting, "value", t.acting.value % 3 + 1)),
    ("decisions[?]", "must be 'technology' exactly if the seat has passed", ACT, marker("seat.?.passed", 1)),
    ("decisions[?]", "must be empty: only the last seat on the farmers track pays at the census", CENSUS,
     both(*(marker(f"seat.{seat}.farmers", 3) for seat in (1, 2, 3)))),
    ("decisions[?]", "must be empty: the event hits the seat 0 places after the start player", HARVEST,
     marker("cursor", 0)),
    ("markers[cursor]", "must be 3: the event hits all seats at the same time", TOGETHER, marker("cursor", 1)),
    # single decisions
    ("decisions[?]", "cannot be 'take_back' now", DRAW_FIRST, decide("take_back")),
    ("decisions[?]", "cannot be 'take_back' now", TAKE_BACK,
     lambda t: setattr(decider(t).draws_made, "value", t.data.draw_limit(decider(t).track["knights"].value))),
    ("decisions[?]", "needs 1 to 2 drawn followers", KEEP, lambda t: empty(decider(t).drawn, decider(t).bag)),
    ("decisions[?]", "needs room on the market for the follower that the seat keeps", KEEP,
     lambda t: move("farmer", "supply", "seat.?.market", 8 - decider(t).market.total())(t)),
    ("decisions[?]", "cannot be 'store' now", DRAW, decide("store")),
    ("decisions[?]", "needs the place from which the seat sends to deeds as the marker `action_place`", DEED,
     marker("action_place", "ship")),
    ("decisions[?]", "needs a free space on the place: one of its followers has gone to a deed", DEED,
     fill_place),
    ("decisions[?]", "needs a deed that accepts the second follower", DEED, no_deed),
    ("decisions[?]", "needs the Bathhouse that the seat visits as the marker `action_place`", BATHHOUSE,
     marker("action_place", "town_hall")),
    ("decisions[?]", "needs 1 to 2 drawn followers", BATHHOUSE, move("farmer", "supply", "seat.?.drawn", 2)),
    ("decisions[?]", "needs the follower that activated the Bathhouse on it", BATHHOUSE,
     lambda t: empty(decider(t).estate().places["bathhouse"].spaces[0].pile, decider(t).bag)),
    ("decisions[?]", "needs an empty Bathhouse", BEFORE_DRAW,
     lambda t: fill(decider(t).estate().places["bathhouse"].spaces[0].pile, t)),
    ("decisions[?]", "cannot be 'technology' now", TECHNOLOGY,
     lambda t: empty(decider(t).technology, t.technology)),
    ("decisions[?]", "needs a Sacristy that the seat can use", HARVEST,
     both(decide("sacristy"), marker("seat.?.food_due", 0))),
    ("decisions[?]", "is not possible: the Sacristy does not protect against income", SACRISTY, event("income")),
    ("decisions[?]", "is not possible: the event is income", HARVEST, event("income")),
    ("decisions[?]", "needs 1 to", HARVEST, marker("seat.?.food_due", 4)),
    ("decisions[?]", "is not possible: plague causes no debt", TORTURE, event("plague")),
    ("decisions[?]", "is not possible with more than 0 food items due", TAXED, marker("seat.?.food_due", 1)),
    ("decisions[?]", "is not possible with a debt of more than 1", CENSUS, marker("seat.?.debt", 2)),
    ("decisions[?]", "is not possible with a debt of more than 5", TORTURE, marker("seat.?.debt", 6)),
)  # fmt: skip
"""At least one case for each problem: the field (``?`` is the seat that decides), the message, a table and a change."""


def _matches(case: tuple[str, str, Base, Change], problem: tuple[str, str]) -> bool:
    field = re.escape(case[0]).replace(r"\?", r"\d")
    return re.match(field, problem[0]) is not None and case[1] in problem[1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[1]}")
def test_a_problem_names_its_field(case: tuple[str, str, Base, Change]) -> None:
    _, _, base, change = case
    assert not find_problems(base)
    found = find_problems(base, change)
    assert any(_matches(case, problem) for problem in found), found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[1]}")
def test_no_problem_hides_another(case: tuple[str, str, Base, Change]) -> None:
    """A surplus component, a wrong component in a zone, and an unknown town are also reported."""
    _, _, base, change = case
    found = find_problems(base, change)
    other = next(seat for seat in (3, 2, 1) if not any(f"seat.{seat}.merchant" in field for field, _ in found))
    town = marker(f"seat.{other}.merchant", "x")
    more = find_problems(base, change, add("wool", "supply"), add("technology", "technology"), town)
    fields = {field for field, _ in more}
    assert {"zones[supply]", "components[technology]", f"markers[seat.{other}.merchant]"} <= fields
    expected = {
        it for it in found if not it[0].startswith(("components", "zones[supply]")) and "legal command" not in it[1]
    }
    assert expected <= set(more)


POSSIBLE: tuple[tuple[str, Base, Change], ...] = (
    ("a full market while planning", PLAN, on_market(8)),
    ("a full market including those placed", PLACED, on_market(8)),
    ("arrears if debts are carried over", CARRIED, both(marker("seat.1.coins", 0), marker("seat.1.arrears", 1))),
    ("a debt of a whole food item", TORTURE, marker("seat.?.debt", 5)),
    ("the most draws of a record", LATE, lambda t: setattr(t.supply, "counter", 999_999_999)),
    ("the most coins of a record", LATE, marker("seat.1.coins", 999_999_999)),
    ("followers for the tower on the market", Base("followers", "draw", with_tower(2)), on_market(10)),
)


@pytest.mark.parametrize(("base", "change"), [it[1:] for it in POSSIBLE], ids=[it[0] for it in POSSIBLE])
def test_a_possible_table_has_no_problem(base: Base, change: Change) -> None:
    assert not find_problems(base, change)


def test_the_sacristy_does_not_protect_against_the_census_under_another_reading() -> None:
    found = find_problems(CENSUS_SACRISTY, setup=setup_of(3, FIRST))
    assert "is not possible: the Sacristy does not protect against the census" in [message for _, message in found]


def test_the_first_technology_may_have_to_replace_a_farmer() -> None:
    in_hand = move("technology", "technology", "seat.1.technology", 2)
    assert not find_problems(FROM_CRAFTSMEN, in_hand, marker("seat.1.farmer_only_technology", 1))
    assert find_problems(FROM_CRAFTSMEN, in_hand, marker("seat.1.farmer_only_technology", 2))


# --- completeness of the cases -----------------------------------------------------------------------------------


def _templates(path: Path) -> list[str]:
    """Return the messages in the source as patterns."""
    tree = ast.parse(path.read_text("utf-8"))
    messages: list[ast.expr] = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="must"), args=[_, message, *_]):
                messages.append(message)
            case ast.Assign(targets=[ast.Name(id="message")], value=message) | ast.Return(value=ast.expr() as message):
                messages.append(message)
    return [pattern for message in messages for pattern in _patterns(message) if pattern]


def _patterns(message: ast.expr) -> list[str]:
    if isinstance(message, ast.Constant) and isinstance(message.value, str):
        return [re.escape(message.value)]
    if isinstance(message, ast.JoinedStr):
        return ["".join(re.escape(str(x.value)) if isinstance(x, ast.Constant) else ".*" for x in message.values)]
    if isinstance(message, ast.IfExp):
        return [*_patterns(message.body), *_patterns(message.orelse)]
    return []


def test_every_problem_has_a_case() -> None:
    templates = _templates(Path(soundness.__file__))
    assert len(templates) > 45
    messages = {message for _, _, base, change in CASES for _, message in find_problems(base, change)}
    messages |= {message for _, message in find_problems(CENSUS_SACRISTY, setup=setup_of(3, FIRST))}
    missing = [it for it in templates if not any(re.search(it, message) for message in messages)]
    assert not missing
