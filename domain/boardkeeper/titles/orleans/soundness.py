"""Checks of a table that another program wrote: whether the rules of Orléans can continue from it.

The table need not be reachable in a game. But every component must be in a zone where it can be, every marker must have
a possible value, and the open decisions must match the state of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from boardkeeper.families.followers import soundness as family
from boardkeeper.families.followers.data import CITIZEN, OWN, TECHNOLOGY
from boardkeeper.families.followers.phases import followers, planning, technology
from boardkeeper.families.followers.phases.verbs import deeds
from boardkeeper.table.layout import MAX_NUMBER, TableLayout
from boardkeeper.table.zones import free_spaces
from boardkeeper.titlekit import soundness
from boardkeeper.titlekit.soundness import Check, DecisionCheck, DecisionChecks, Found, Limits, ZoneLimits, at, must
from boardkeeper.titlekit.title import PositionProblem
from boardkeeper.titles.orleans import setup
from boardkeeper.titles.orleans.data import CHARACTERS, GOODS
from boardkeeper.titles.orleans.material import BoundPlace, Orleans, Seat, tile
from boardkeeper.titles.orleans.phases import census, events

_BASIS = "phase|round|start_seat|acting_seat|cursor|event|strength|action_place|seat.*.farmers"
"""The markers that determine which seats have to decide."""


def problems(t: Orleans, layout: TableLayout) -> list[PositionProblem]:
    """Return everything on the table that contradicts the rules."""
    limited = limits(t)
    checks: list[Check] = [
        ("phase|round", family.check_visibility(t, layout)),
        *(_check_box(t), ("round|event|strength", _check_hour_glass(t)), _check_deeds(t), _check_citizens(t)),
        *(("phase|round", check) for check in (_check_places(t), _check_phase(t))),
        *(check(t, seat) for check in (_check_own_followers, _check_debts, _check_technology) for seat in t.seats),
        *(("phase|round", _check_draws(t, seat)) for seat in t.seats),
    ]
    decision_checks = DecisionChecks(
        _DECISION_CHECKS, ("followers", "planning", *(["event"] if _all_at_once(t) else [])), _BASIS
    )
    return soundness.problems(t, limited.ranges, limited.words, limited.contents, checks, decision_checks)


def limits(t: Orleans) -> Limits:
    """Return what the markers and zones can have."""
    data = t.data
    ranges = {
        "round": (1, data.rounds),
        **family.number_ranges(t),
        "*.placed": (-data.rounds, data.rounds),
        "seat.*.development|seat.*.best_development": (0, data.last_development),
        **{f"seat.*.{track}": (0, length) for track, length in data.track_length.items()},
        "seat.*": (0, MAX_NUMBER),
    }
    words = {
        "event": {event for names in data.piles.values() for event in names},
        "strength": data.piles,
        "action_place": {"", *data.places},
        "seat.*.merchant": data.towns,
        "seat.*.screen": ("",),
    }
    return Limits(ranges, words, _zone_limits(t), _TYPICAL, left_out="*.placed")


_TYPICAL = {"seat.*.coins": 60, "seat.*.farmer_only_technology": 1}


# --- components ------------------------------------------------------------------------------------------------


def _zone_limits(t: Orleans) -> dict[str, ZoneLimits]:
    """Return the components that each zone may hold."""
    data, players = t.data, len(t.seats)
    stations = [seat.station for seat in t.seats]
    tiles = [tile(event, pile) for pile, names in data.piles.items() for event in names]
    return {
        "removed": ZoneLimits((*CHARACTERS, *GOODS, *data.place_tiles, TECHNOLOGY, *stations)),
        "supply": ZoneLimits(CHARACTERS),
        "goods": ZoneLimits(()),
        **{
            f"way.{way.id}": ZoneLimits(
                GOODS, total=sum(it not in data.supplies[players].empty_way_marks for it in way.spaces)
            )
            for way in data.ways
        },
        "most_stations|track.*": ZoneLimits((CITIZEN,), total=1),
        **{f"deed.{id}": ZoneLimits((*deed.spaces, CITIZEN)) for id, deed in data.deeds.items()},
        **{
            f"place_tiles.{id}": ZoneLimits([it for it in data.place_tiles if data.places[it].category == id])
            for id in "12"
        },
        **{f"hour_glass.{pile}": ZoneLimits([it for it in tiles if it.endswith(f".{pile}")]) for pile in data.piles},
        "hour_glass.*": ZoneLimits(tiles),
        f"town.{data.shared_station_town}": ZoneLimits(stations, each=1),
        "town.*": ZoneLimits(stations, total=1),
        "seat.*.citizens": ZoneLimits((CITIZEN,)),
        **{f"seat.{seat.number}.stations": ZoneLimits((seat.station,)) for seat in t.seats},
        "seat.*.place_tiles": ZoneLimits(data.place_tiles),
        "seat.*.bag|seat.*.market|seat.*.drawn": ZoneLimits(data.followers),
        **family.zone_limits(t, GOODS),
    }


def _check_box(t: Orleans) -> Found:
    """Check the components in the box. Of the goods, only the number is known: random ones were removed."""
    players = len(t.seats)
    unused, there = setup.unused(t.data, players), t.box.items
    for component in sorted({*unused, *there} - {*GOODS}):
        must_be, is_now = unused.get(component, 0), there.get(component, 0)
        yield from must(
            t.box, f"have {must_be} {component} with {players} players, not {is_now}", is_so=must_be == is_now
        )
    removed, goods = t.data.supplies[players].goods_removed, sum(there.get(good, 0) for good in GOODS)
    yield from must(t.box, f"have {removed} goods with {players} players, not {goods}", is_so=removed == goods)


def _check_hour_glass(t: Orleans) -> Found:
    past, now = t.round.value - 1, tile(t.event.value, t.strength.value)
    turned = t.turned.total()
    yield from must(t.turned, f"have {past} tiles, one for each past round, not {turned}", is_so=turned == past)
    yield from must(t.turned_now, f"have the tile {now}", is_so=t.turned_now.items == {now: 1})
    for pile in [*t.hour_glass][: [*t.hour_glass].index(t.strength.value)]:
        yield from must(
            t.hour_glass[pile],
            f"be empty: it is turned before part {t.strength.value}",
            is_so=not t.hour_glass[pile].items,
        )


def _check_deeds(t: Orleans) -> Found:
    for id, pile in t.deeds.items():
        spaces = t.data.deeds[id].spaces
        for component, count in pile.items.items():
            most = spaces.get(component, int(component == CITIZEN))
            yield from must(pile, f"have at most {most} {component}, not {count}", is_so=count <= most)
        is_complete = all(pile.items.get(follower, 0) >= count for follower, count in spaces.items())
        yield from must(
            pile, "have its citizen exactly until it is complete", is_so=is_complete != (CITIZEN in pile.items)
        )


def _check_citizens(t: Orleans) -> Found:
    furthest = max(seat.furthest_development() for seat in t.seats)
    homes = [(pile, furthest >= space) for space, pile in t.development_citizens.items()]
    for track, pile in t.track_citizens.items():
        homes.append((pile, any(seat.track[track].value >= t.data.track_citizens[track] for seat in t.seats)))
    for pile, is_reached in homes:
        yield from must(pile, "be empty: a seat has reached that space", is_so=not (is_reached and pile.items))
    yield from must(t.citizen_of_stations, "have its citizen until the end", is_so=bool(t.citizen_of_stations.items))


def _check_places(t: Orleans) -> Found:
    """Check that no place has two technology tiles, that place tiles without an owner are empty, and placements."""
    owners = {tile: seat for seat in t.seats for tile in seat.place_tiles.items}
    for place in family.all_places(t):
        tiles = sum(TECHNOLOGY in space.pile.items for space in place.spaces)
        yield from must(
            at(place.spaces[0].pile) if tiles else "", "have the only technology tile of its place", is_so=tiles < 2
        )
        for space in place.spaces if place.id in t.data.place_tiles and place.id not in owners else ():
            yield from must(space.pile, "be empty: no seat has the place tile", is_so=not space.pile.items)
    for seat in t.seats:
        fits = seat.estate().index.fits
        for space in seat.estate().spaces.values() if t.phase.value == "planning" else ():
            placed = abs(space.placed.value) == t.round.value and space.pile.items
            can_be = fits.get(space.occupant(), 0) & space.bit
            yield from must(
                space.placed, "not be this round: the seat cannot place that there", is_so=not placed or bool(can_be)
            )


def _check_own_followers(t: Orleans, seat: Seat) -> Found:
    """Check that the seat has its four marked followers, which never leave it."""
    piles = (seat.bag, seat.market, seat.drawn, *(space.pile for space in seat.estate().spaces.values()))
    there = sum((Counter(pile.items) for pile in piles), Counter[str]())
    for follower in t.data.start_followers:
        own = OWN + follower
        yield from must(f"seats[{seat.number}]", f"have one {own}, not {there[own]}", is_so=there[own] == 1)


# --- open decisions --------------------------------------------------------------------------------------------


def _all_at_once(t: Orleans) -> bool:
    return t.phase.value == "event" and t.data.readings.event_order == "simultaneous"


def _check_phase(t: Orleans) -> Found:
    """Check that the markers match the phase."""
    phase = t.phase.value
    yield from must(t.acting, f"be 0 in the phase {phase}", is_so=phase == "actions" or not t.acting.value)
    half_done = {"deed", "bathhouse"} & {*t.table.decisions}
    message = "be empty unless a seat sends to deeds or visits the Bathhouse"
    yield from must(t.action_place, message, is_so=bool(half_done) or not t.action_place.value)
    for seat in t.seats:
        passed = int(phase == "event")
        message = "be 1 during the event" if passed else "be 0 before the actions"
        yield from must(seat.passed, message, is_so=phase == "actions" or seat.passed.value == passed)
        if phase == "planning" and not planning.is_in_turn(t):
            message = "be 0 exactly while the seat plans"
            yield from must(seat.planned, message, is_so=bool(seat.planned.value) != t.decides(seat))
    if _all_at_once(t):
        message = f"be {len(t.seats)}: the event hits all seats at the same time"
        yield from must(t.cursor, message, is_so=t.cursor.value == len(t.seats))


def _check_debts(t: Orleans, seat: Seat) -> Found:
    decision, data = t.table.decisions[seat.number], t.data
    message = "be above 0 exactly while the decision is 'torture'"
    yield from must(seat.debt, message, is_so=(decision == "torture") == (seat.debt.value > 0))
    message = "be 0 while the seat has a debt: coins are paid first"
    yield from must(seat.coins, message, is_so=not (seat.debt.value and seat.coins.value))
    is_so = decision in ("harvest", "torture") or not seat.food_due.value
    yield from must(seat.food_due, "be 0 unless the harvest hits the seat", is_so=is_so)
    message = "be 0 if the seat has coins, or if this game does not carry debts over"
    is_so = not seat.arrears.value or (data.readings.torture_nothing_left == "carried" and not seat.coins.value)
    yield from must(seat.arrears, message, is_so=is_so)


def _check_draws(t: Orleans, seat: Seat) -> Found:
    """Check the numbers of draws, and that the market had room for the followers placed in this phase."""
    decision = t.table.decisions[seat.number]
    message = "be empty unless the seat visits the Bathhouse"
    yield from must(seat.drawn, message, is_so=decision in ("keep", "bathhouse") or not seat.drawn.items)
    limit = t.data.draw_limit(seat.track["knights"].value)
    given_up = seat.given_up.value
    yield from must(seat.given_up, "not exceed the draws of the knights track", is_so=given_up <= limit)
    if seat.draws_made is not None:
        message = "not exceed the draws of the knights track less those given up"
        yield from must(seat.draws_made, message, is_so=given_up > limit or followers.unused_draws(t, seat) >= 0)
        message = "be 0 until the seat has drawn"
        yield from must(seat.draws_made, message, is_so=decision != "draw" or not seat.draws_made.value)
    room, size = followers.storage_room(seat), t.data.market_size
    if decision in ("draw", "take_back", "keep", "store"):
        size += room
    now = [
        it
        for it in seat.estate().spaces.values()
        if t.phase.value == "planning" and abs(it.placed.value) == t.round.value
    ]
    tower = sum(it.placed.value < 0 for it in now if it.pile.items)
    back = seat.market.total() + sum(it.placed.value > 0 for it in now if it.pile.items)
    message = f"have at most {size} followers, including those placed in this phase"
    yield from must(seat.market, message, is_so=back <= size)
    message = "not have more followers from the Gunpowder Tower than it has room for"
    yield from must(f"seats[{seat.number}]", message, is_so=tower <= room)


def _check_technology(t: Orleans, seat: Seat) -> Found:
    placed = sum(TECHNOLOGY in space.pile.items for space in seat.estate().spaces.values())
    message = f"be at least {placed}, the number of tiles on the seat's spaces"
    yield from must(seat.technology_placed, message, is_so=seat.technology_placed.value >= placed)
    bound = t.data.readings.first_technology == "from_first_craftsmen_space"
    message = "be 0, or 1 while the seat has not placed the tile of the first craftsmen space"
    is_so = seat.farmer_only.value <= (min(1, seat.technology.total()) if bound else 0)
    yield from must(seat.farmer_only, message, is_so=is_so)


def _find_turn_problem(t: Orleans, seat: Seat) -> str:
    """Return why it is not the seat's turn, or an empty text."""
    match t.phase.value:
        case "census" if seat is not census.last(t):
            return "must be empty: only the last seat on the farmers track pays at the census"
        case "planning" if planning.is_in_turn(t) and seat not in planning.unfinished_seats(t)[:1]:
            return "must be empty: seats plan in turn from the start player, and one has not finished"
        case "actions" if seat.number != t.acting.value:
            return f"must be empty: it is the turn of seat {t.acting.value}"
        case "actions" if bool(seat.passed.value) != (t.table.decisions[seat.number] == "technology"):
            return "must be 'technology' exactly if the seat has passed"
        case "event" if not _all_at_once(t) and t.cursor.value != t.clockwise().index(seat) + 1:
            return f"must be empty: the event hits the seat {t.cursor.value} places after the start player"
    return ""


def _find_keep_problem(t: Orleans, seat: Seat) -> str:
    most = max(place.extra_draw for place in seat.estate().index.places)
    if not 1 <= seat.drawn.total() <= most:
        return f"needs 1 to {most} drawn followers"
    return "" if followers.market_room(t, seat) > 0 else "needs room on the market for the follower that the seat keeps"


def _place_of_action(t: Orleans, seat: Seat, verb: str) -> BoundPlace | None:
    place = seat.estate().places.get(t.action_place.value)
    return place if place is not None and place.verb == verb else None


def _find_deed_problem(t: Orleans, seat: Seat) -> str:
    place = _place_of_action(t, seat, "deeds")
    if place is None:
        return "needs the place from which the seat sends to deeds as the marker `action_place`"
    if not free_spaces(place.spaces):
        return "needs a free space on the place: one of its followers has gone to a deed"
    return "" if len(deeds.legal_deed(t, seat)) > 1 else "needs a deed that accepts the second follower"


def _find_bathhouse_problem(t: Orleans, seat: Seat) -> str:
    place = _place_of_action(t, seat, "bathhouse")
    if place is None:
        return "needs the Bathhouse that the seat visits as the marker `action_place`"
    if not 1 <= seat.drawn.total() <= place.place.bathhouse:
        return f"needs 1 to {place.place.bathhouse} drawn followers"
    waits = t.data.readings.bathhouse_activator == "after_draw"
    if any(bool(space.pile.items) != waits for space in place.spaces):
        return "needs the follower that activated the Bathhouse on it" if waits else "needs an empty Bathhouse"
    return ""


def _find_sacristy_problem(t: Orleans, seat: Seat) -> str:
    if not seat.active_shields() or t.data.readings.sacristy_use != "choice":
        return "needs a Sacristy that the seat can use"
    if t.phase.value == "census":
        scope = t.data.readings.sacristy_scope
        return "" if scope == "census_too" else "is not possible: the Sacristy does not protect against the census"
    negative = t.event.value in t.data.negative_events
    return "" if negative else f"is not possible: the Sacristy does not protect against {t.event.value}"


def _find_harvest_problem(t: Orleans, seat: Seat) -> str:
    if t.event.value != "harvest":
        return f"is not possible: the event is {t.event.value}"
    most = events.strength(t)
    return "" if 1 <= seat.food_due.value <= most else f"needs 1 to {most} food items due"


def _find_torture_problem(t: Orleans, seat: Seat) -> str:
    event = t.event.value if t.phase.value == "event" else "census"
    if event not in ("census", "harvest", "taxes"):
        return f"is not possible: {event} causes no debt"
    food = events.strength(t) - 1 if event == "harvest" else 0
    if seat.food_due.value > food:
        return f"is not possible with more than {food} food items due"
    most = {"census": 1, "harvest": t.data.coins_per_food}.get(event, MAX_NUMBER)
    return "" if seat.debt.value <= most else f"is not possible with a debt of more than {most}"


def _in_phases(phases: str, fits: Callable[[Orleans, Seat], str | bool] = lambda _t, _seat: True) -> DecisionCheck:
    return DecisionCheck(tuple(phases.split()), lambda t, seat: _find_turn_problem(t, seat) or fits(t, seat))


_DECISION_CHECKS: dict[str, DecisionCheck] = {
    "draw": _in_phases("followers"),
    "take_back": _in_phases(
        "followers", lambda t, s: t.data.takes_back_after_drawing and bool(followers.legal_take_backs(t, s))
    ),
    "keep": _in_phases("followers", _find_keep_problem),
    "store": _in_phases("followers", lambda _, seat: bool(seat.market.items) and followers.storage_room(seat) > 0),
    "plan": _in_phases("planning"),
    "act": _in_phases("actions"),
    "deed": _in_phases("actions", _find_deed_problem),
    "bathhouse": _in_phases("actions", _find_bathhouse_problem),
    "technology": _in_phases("actions", lambda t, seat: bool(technology.placements(t, seat))),
    "sacristy": _in_phases("census event", _find_sacristy_problem),
    "harvest": _in_phases("event", _find_harvest_problem),
    "torture": _in_phases("census event", _find_torture_problem),
}
"""The phases in which each decision can be open, and its conditions."""
