"""Checks of a table that another program wrote: whether the rules of Paladins can continue from it.

The rules derive prices from the number of remaining pieces and abilities from the zones of cards. So every component
must be in a zone where it can be, and the open decisions must match the state of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit import soundness
from boardkeeper.titlekit.soundness import (
    Check,
    DecisionCheck,
    DecisionChecks,
    Found,
    Limits,
    ZoneLimits,
    must,
    visibilities,
)
from boardkeeper.titlekit.title import PositionProblem
from boardkeeper.titles.paladins.data import (
    ACTIONS,
    ANY,
    ATTRIBUTES,
    CRIMINAL,
    DEBT,
    JAR,
    LAST_LEVEL,
    RIGHT,
    WORKERS,
    WORKSHOP,
)
from boardkeeper.titles.paladins.material import Area, Opponent, Paladins, Seat, Side
from boardkeeper.titles.paladins.phases.dawn import HAND
from boardkeeper.titles.paladins.phases.fillings import find_filling
from boardkeeper.titles.paladins.phases.verbs import VERBS, favour
from boardkeeper.titles.paladins.phases.workers import open_spaces, placeable_workers

_MAX_GOODS = 999
"""More silver or provisions than a seat can gain in seven rounds."""
_MAX_DUE = 24
"""More pending rewards of one kind than the game can have: the number of suspicion cards."""
_LAST_SPACE = 2
"""Index of the space of a right-side action that takes no workshop."""


def problems(t: Paladins, layout: TableLayout) -> list[PositionProblem]:
    """Return everything on the table that contradicts the rules."""
    others: list[Check] = [
        visibilities(t.table, layout, {}),
        *(_pieces(t, side) for side in t.seats),
        *(("round", _rows(t)), ("round|phase|acting_seat", _phase(t))),
    ]
    limited = limits(t)
    now = {"tax": (0 if t.inquisition.value or t.data.limited else 1, t.tax_full)}
    empty = {} if t.inquisition.value else {"seat.*.inquiry": ZoneLimits(())}
    asking = DecisionChecks(_DECISIONS, together=("paladins",), basis="phase|acting_seat|inquisition|action")
    ranges, contents = {**limited.ranges, **now}, {**empty, **limited.contents}
    return soundness.problems(t, ranges, limited.words, contents, others, asking)


def limits(t: Paladins) -> Limits:
    """Return what the markers and zones can have."""
    words = {
        "action": {"", *ACTIONS, *t.data.favours, *(("rest", "favour") if t.opponent else ())},
        "inquisition": ("", "tax", "suspicion"),
        "scheme": {"", *(f"scheme_{id}" for id in t.data.schemes)},
    }
    return Limits(_ranges(t), words, dict(_contents(t)), _TYPICAL, revealed="")


_TYPICAL = {"due.*|seat.*.due.*": 4, "seat.*.silver|seat.*.provisions": 20}


def _ranges(t: Paladins) -> dict[str, tuple[int, int]]:
    moves = len(ATTRIBUTES) * (LAST_LEVEL + 1)
    return {
        "round": (0, t.data.rounds),
        "start_seat": (1, len(t.people)),
        "acting_seat": (0, len(t.seats)),
        "action_workers": (0, max(len(action.slots) for action in t.data.actions.values())),
        "tax": (0, t.tax_full),
        # The opponent never has these: its action Pray clears everything immediately, and it never develops.
        **(
            {f"seat.{t.opponent.number}.due.{kind}": (0, 0) for kind in ("pray_action", "free_develop")}
            if t.opponent
            else {}
        ),
        "due.*|seat.*.due.*": (0, _MAX_DUE),
        "seat.*.passed": (0, 1),
        "seat.*.moved.*": (1, moves),
        "seat.*.moves": (len(ATTRIBUTES), moves),
        "|".join(f"seat.*.{attribute}" for attribute in ATTRIBUTES): (0, LAST_LEVEL),
        "seat.*.silver|seat.*.provisions": (0, _MAX_GOODS),
        "seat.*.field": (1, t.data.fields),
    }


def _contents(t: Paladins) -> Iterator[tuple[str, ZoneLimits]]:
    data = t.data
    orders, schemes = [f"order_{id}" for id in data.orders], [f"scheme_{id}" for id in data.schemes]
    yield "supply", ZoneLimits(WORKERS)
    yield "debts", ZoneLimits((DEBT,))
    yield "walls", ZoneLimits(data.walls)
    yield "starters", ZoneLimits([f"starter.{seat.number}" for seat in t.people])
    yield "orders.box", ZoneLimits(orders)
    yield "favours.box", ZoneLimits(data.favours)
    yield "tavern|tavern.deck|tavern.discard", ZoneLimits(data.tavern)
    yield "townsfolk.deck|townsfolk.discard", ZoneLimits(data.townsfolk)
    yield "outsiders.deck|outsiders.discard", ZoneLimits(data.outsiders)
    yield "suspicion.deck|suspicion.discard", ZoneLimits(data.suspicion)
    yield "schemes.*", ZoneLimits(schemes)
    pieces = [it for side in t.seats for it in (side.monk, side.outpost)]
    for places, components in (
        *((t.townsfolk, data.townsfolk), (t.outsiders, data.outsiders), (t.orders, orders)),
        *((t.favours, data.favours), (t.favour_workers, WORKERS), ([pile for _, pile in t.spaces], pieces)),
    ):
        yield "|".join(pile.id for pile in places), ZoneLimits(components, total=1)
    inquirers = [id for id, card in data.townsfolk.items() if card.trigger == "inquisition"]
    for side in t.seats:
        own = f"seat.{side.number}"
        yield side.workers.id, ZoneLimits(WORKERS)
        yield side.workshops.id, ZoneLimits((WORKSHOP,), total=len(data.workshop_row))
        yield side.monks.id, ZoneLimits((side.monk,))
        yield side.outposts.id, ZoneLimits((side.outpost,))
        yield f"{side.jars.id}|{own}.turned_jars", ZoneLimits((JAR,), total=data.pieces)
        yield side.walls.id, ZoneLimits(data.walls, total=data.pieces)
        yield side.attacked.id, ZoneLimits(data.outsiders)
        yield side.converted.id, ZoneLimits(data.outsiders, total=data.pieces)
        yield side.suspicion.id, ZoneLimits(data.suspicion)
        yield f"{side.unpaid.id}|{side.paid.id}", ZoneLimits((DEBT,))
        for area in side.areas.values():
            for at, space in enumerate(area.spaces):
                required = area.action.slots[at]
                workers = WORKERS if required == ANY or isinstance(side, Opponent) else (required, CRIMINAL)
                yield (
                    space.id,
                    ZoneLimits((*workers, *((WORKSHOP,) if area.id in RIGHT and at < _LAST_SPACE else ())), total=1),
                )
        if isinstance(side, Seat):
            yield side.townsfolk.id, ZoneLimits(data.townsfolk)
            yield side.inquiry.id, ZoneLimits(inquirers)
            yield f"{side.deck.id}|{side.retired.id}", ZoneLimits(data.paladins)
            yield (
                "|".join(it.id for it in (side.again, *side.under, side.chosen, side.paladin)),
                ZoneLimits(data.paladins, total=1),
            )
            yield side.hand.id, ZoneLimits(data.paladins, total=HAND)
            yield from (
                (f"{own}.jar.{kind.id}", ZoneLimits((JAR,), total=kind.spaces)) for kind in data.jar_kinds.values()
            )


# --- checks across zones ----------------------------------------------------------------------------------------------


def _pieces(t: Paladins, side: Side) -> Found:
    """Check the number of workshops, jars and paladins in all zones of a seat."""
    field = f"seats[{side.number}]"
    workshops, all_workshops = side.workshops.total() + side.count_workshops_on_board(), len(t.data.workshop_row)
    yield from must(field, f"have {all_workshops} workshops, not {workshops}", is_so=workshops == all_workshops)
    placed = sum(it.total() for it in side.jar_spaces.values()) if isinstance(side, Seat) else side.times("absolve")
    jars = side.jars.total() + placed  # the opponent turns its jars over
    yield from must(field, f"have {t.data.pieces} jars, not {jars}", is_so=jars == t.data.pieces)
    if isinstance(side, Seat):
        own = (side.deck, side.again, *side.under, side.hand, side.chosen, side.paladin, side.retired)
        paladins = sum((Counter(pile.items) for pile in own), Counter[str]())
        yield from must(field, "have each of the paladins once", is_so=paladins == dict.fromkeys(t.data.paladins, 1))


def _rows(t: Paladins) -> Found:
    """Check which orders and favours the rounds have revealed."""
    for row, rounds in ((t.orders, t.data.order_rounds), (t.favours, t.data.favour_rounds)):
        for place, round in zip(row, rounds, strict=False):
            message = f"be revealed from round {round} on, and not before; it is round {t.round.value}"
            yield from must(place, message, is_so=bool(place.items) == (round <= t.round.value))
    hidden = len(t.favours) - sum(round <= t.round.value for round in t.data.favour_rounds)
    if t.opponent:
        message = "have a scheme for each favour that is not revealed"
        yield from must(t.favour_schemes, message, is_so=t.favour_schemes.total() == hidden)


def _phase(t: Paladins) -> Found:
    """Check that phase, round and acting seat match."""
    phase, acting = t.phase.value, t.acting.value
    if (phase == "founding") != (t.round.value == 0):
        yield PositionProblem("markers[round]", f"cannot be {t.round.value} in the phase {phase}")
    is_person = 1 <= acting <= len(t.people)
    if acting != 0 if phase == "paladins" else not (is_person or (phase == "actions" and acting)):
        yield PositionProblem("markers[acting_seat]", f"cannot be {acting} in the phase {phase}")


# --- open decisions ---------------------------------------------------------------------------------------------------


def _find_paladin_problem(t: Paladins, seat: Seat) -> str:
    fewest, on_hand = len(t.people) + 1, seat.hand.total()
    if t.tavern.total() < fewest:
        return f"needs {fewest} tavern cards, not {t.tavern.total()}"
    return "" if on_hand == HAND else f"needs {HAND} paladins in the seat's hand, not {on_hand}"


def _find_tavern_problem(t: Paladins, seat: Seat) -> str:
    order = [side.number for side in t.clockwise() if isinstance(side, Seat)]
    fewest = len(order) - order.index(seat.number)
    return "" if t.tavern.total() > fewest else "needs more tavern cards than seats that still take one"


def _find_start_problem(t: Paladins, seat: Seat) -> str:
    """Return why the seat cannot carry out the action in progress, or an empty string."""
    id, workers = t.action.value, t.action_workers.value
    if id in t.data.favours:
        rejection = favour.find_rejection(t, seat, id)
    elif id in VERBS:
        area = seat.areas[id]
        if find_filling(area.action, _workshops(area), workers) is None:
            return f"is not possible: {id} cannot use {workers} worker{'s' * (workers != 1)}"
        rejection = VERBS[id].find_rejection(t, seat, workers)
    else:
        return f"needs an action that the seat has started, not {id!r}"
    return f"is not possible: the seat cannot carry out {id}: {rejection.code}" if rejection else ""


def _workshops(area: Area) -> int:
    """Return the bit mask of the spaces with a workshop, also if workers are on the action."""
    return sum(1 << at for at, space in enumerate(area.spaces) if WORKSHOP in space.items)


def _find_workers_problem(t: Paladins, seat: Seat) -> str:
    """Return why the seat cannot choose a worker to place, or an empty string."""
    wrong = _find_start_problem(t, seat)
    if wrong:
        return wrong
    remaining, _ = open_spaces(t, seat)
    if not remaining:
        return f"is not possible: every space of {t.action.value} is filled"
    own_workers = seat.workers.items
    required = Counter(colour for _, colour in remaining if colour != ANY)
    criminals = sum(max(0, count - own_workers.get(id, 0)) for id, count in required.items())
    if own_workers.get(CRIMINAL, 0) < criminals or seat.workers.total() < len(remaining):
        return f"is not possible: the seat has too few workers for {t.action.value}"
    return (
        ""
        if len(placeable_workers(own_workers, remaining)) > 1
        else "is not possible: the seat has only one kind of worker to place"
    )


def _find_target_problem(t: Paladins, seat: Seat) -> str:
    if t.action.value != t.table.decisions[seat.number]:
        return f"must be that of the action in progress, {t.action.value!r}"
    return _find_start_problem(t, seat)


def _require(is_so: Callable[[Paladins, Seat], object], message: str) -> Callable[[Paladins, Seat], str]:
    return lambda t, seat: "" if is_so(t, seat) else message


def _decision(phases: str, check: Callable[[Paladins, Seat], str] = lambda _t, _seat: "") -> DecisionCheck:
    """Return the check of a decision outside an inquisition; ``check`` returns a problem or an empty string."""

    def find_problem(t: Paladins, seat: Seat) -> str:
        if t.inquisition.value:
            return "must be 'inquisition' exactly during an inquisition"
        if t.phase.value != "paladins" and seat.number != t.acting.value:
            return "must be empty: it is not this seat's turn"
        return check(t, seat)

    return DecisionCheck(tuple(phases.split()), find_problem)


def _find_inquisition_problem(t: Paladins, seat: Seat) -> str:
    if not t.inquisition.value:
        return "must be 'inquisition' exactly during an inquisition"
    return "" if seat.inquiry.items else "needs townsfolk of the seat in the inquisition"


_DECISIONS: dict[str, DecisionCheck] = {
    "first_townsfolk": _decision("founding"),
    "paladin": _decision("paladins", _find_paladin_problem),
    "tavern": _decision("tavern", _find_tavern_problem),
    "act": _decision("actions", _require(
        lambda _, seat: not seat.passed.value, "is not possible after the seat has passed")),
    "keep": _decision("actions", _require(
        lambda _, seat: seat.passed.value, "is possible only after the seat has passed")),
    "workers": _decision("actions", _find_workers_problem),
    **dict.fromkeys(("develop", "recruit", "commission", "garrison", "absolve", "attack", "convert"),
                    _decision("actions", _find_target_problem)),
    "reward": _decision("actions", _require(
        lambda _, seat: not seat.due["suspicion"], "is not possible while the seat has suspicion to take")),
    "inquisition": DecisionCheck(("tavern", "actions"), _find_inquisition_problem),
}  # fmt: skip
"""The phases in which each decision can be open, and its condition."""
