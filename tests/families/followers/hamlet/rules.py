"""The rules of Hamlet: a tithe, the family's phases and a storm in each of three rounds; and the family's hooks."""

# ruff: noqa: ARG002  # hooks get the table and the seat, also if they do not need them

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from tests.families.followers.hamlet.data import (
    HONOUR,
    PIG,
    Comforted,
    Data,
    Ended,
    Grind,
    Ground,
    PigSold,
    Place,
    SellPig,
    Struck,
    TableLaid,
    Welcomed,
)

from boardkeeper.families.followers import debts, places
from boardkeeper.families.followers.commands import UsePlace
from boardkeeper.families.followers.data import FARMER, MONK, OWN, TECHNOLOGY
from boardkeeper.families.followers.events import PhaseBegun
from boardkeeper.families.followers.phases import actions, followers, planning, sacristy, screens
from boardkeeper.families.followers.phases.verbs import action, bathhouse, deeds
from boardkeeper.families.followers.table import (
    CommandLister,
    FollowersSeat,
    FollowersTable,
    Hooks,
    Phase,
    SentFollower,
    plan_visibility,
)
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.binding import Material
from boardkeeper.titlekit.turn_flow import OVER

ROUNDS = 3
MOST = 4
"""The largest number of players."""
COSTS = {"tithe": 1, "storm": 3}


class Seat(FollowersSeat[Place]):
    """The zones and markers of one seat."""

    __slots__ = ("honour", "pigs")

    def __init__(self, t: Hamlet, m: Material, number: int) -> None:
        super().__init__(m, t.data, number)
        self.tiles = t.tiles
        self.market = m.pile("market", visibility=plan_visibility(t.data, number))
        self.place_tiles = m.pile("place_tiles")
        self.pigs = m.pile("pigs")
        self.honour = m.number("honour")
        self.debt = m.number("debt")
        self.farmer_only = m.number("farmer_only_technology")


class Hamlet(FollowersTable[Seat]):
    """One table of Hamlet."""

    __slots__ = ("box", "cursor")

    data: Data

    def __init__(self, m: Material, data: Data, players: int) -> None:
        super().__init__(m, data, HOOKS)
        contents = {FARMER: 16, "knight": 10, MONK: 10, OWN + FARMER: MOST, TECHNOLOGY: 2 * MOST, PIG: 2 * MOST}
        self.box = m.pile("box", contents=contents, one_each=data.tiles)
        self.cursor = m.number("cursor")
        self.tiles = places.BoundPlaces(data.tiles, data.places, m.part("place."))
        self.seats = tuple(Seat(self, m.seat(number), number) for number in range(1, players + 1))


def set_up(t: Hamlet) -> None:
    """Give each seat followers, coins, pigs and technology, and deal the place tiles in turn."""
    for seat in t.seats:
        t.move(OWN + FARMER, t.box, seat.market)
        for follower, count in ((FARMER, 3), ("knight", 2), (MONK, 2)):
            t.move(follower, t.box, seat.bag, count)
        t.move(PIG, t.box, seat.pigs, 2)
        t.move(TECHNOLOGY, t.box, seat.technology, 2)
        t.set(seat.farmer_only, 1)
        t.set(seat.coins, 2)
    for at, tile in enumerate(t.data.tiles):
        seat = t.seats[at % len(t.seats)]
        t.move(tile, t.box, seat.place_tiles)
        screens.hide_place(t, seat, tile)
    t.set(t.start, 1)
    t.set(t.event, "storm")
    t.emit(None, TableLaid())
    t.enter("tithe")
    t.advance()


# --- tithe and storm -------------------------------------------------------------------------------------------------


def begin_tithe(t: Hamlet) -> None:
    """Begin a round with the tithe."""
    t.set(t.round, t.round.value + 1)
    for seat in t.seats:
        t.set(seat.passed, 0)
    _begin(t, "tithe")


def begin_storm(t: Hamlet) -> None:
    """Begin the storm, with which a round ends."""
    _begin(t, "event")


def _begin(t: Hamlet, phase: str) -> None:
    t.set(t.phase, phase)
    t.set(t.cursor, 0)
    t.emit(None, PhaseBegun(phase))


def proceed_tithe(t: Hamlet) -> None:
    """Let the next seat pay the tithe, or begin to draw followers."""
    if not _strike_next(t):
        t.enter("followers")


def proceed_storm(t: Hamlet) -> None:
    """Apply the storm to the next seat, or begin the next round."""
    if _strike_next(t):
        return
    if t.round.value < ROUNDS:
        t.enter("tithe")
    else:
        t.set(t.phase, OVER)
        t.emit(None, Ended())


def _strike_next(t: Hamlet) -> bool:
    order = t.clockwise()
    if t.cursor.value == len(order):
        return False
    seat = order[t.cursor.value]
    t.set(t.cursor, t.cursor.value + 1)
    sacristy.apply_unless_shielded(t, seat)
    return True


def pay_tithe(t: Hamlet, seat: Seat) -> None:
    """Let a seat pay the tithe."""
    _pay(t, seat, "tithe")


def suffer_storm(t: Hamlet, seat: Seat) -> None:
    """Let a seat pay for the storm."""
    _pay(t, seat, "storm")


def _pay(t: Hamlet, seat: Seat, by: str) -> None:
    paid, missing = debts.pay(t, seat, COSTS[by])
    t.emit(seat, Struck(by, paid, missing))
    debts.begin(t, seat, missing)


def comfort(t: Hamlet, seat: Seat) -> None:
    """Give a coin to a seat that has sold pigs for its debt."""
    t.give_coins(seat, 1)
    t.emit(seat, Comforted())


def sell_pig(t: Hamlet, seat: Seat, command: SellPig) -> Rejection | None:
    """Replace a missing coin by a pig."""
    t.move(PIG, seat.pigs, t.removed)
    debts.replace(t, seat, PigSold)
    return None


def legal_debt(t: Hamlet, seat: Seat) -> Sequence[Struct]:
    """Return the legal commands of a seat in debt."""
    return [SellPig()] if seat.pigs.items else []


# --- actions of places -----------------------------------------------------------------------------------------------


def use_place(t: Hamlet, seat: Seat, command: UsePlace) -> Rejection | None:
    """Visit the bath."""
    place = action.find_usable_place(t, seat, command.place, "bathhouse")
    return place if isinstance(place, Rejection) else bathhouse.use(t, seat, place)


def grind(t: Hamlet, seat: Seat, command: Grind) -> Rejection | None:
    """Use a mill: a coin for each sack of flour."""
    place = action.find_usable_place(t, seat, command.place, "mill")
    if isinstance(place, Rejection):
        return place
    action.return_followers(t, seat, place)
    t.give_coins(seat, place.place.flour)
    t.emit(seat, Ground(place.id, place.place.flour))
    action.end(t, seat)
    return None


def legal_grind(t: Hamlet, seat: Seat, place: places.BoundPlace[Place]) -> Sequence[Struct]:
    """Return the command of a mill, which is always possible."""
    return [Grind(place.id)]


# --- hooks -----------------------------------------------------------------------------------------------------------


class HamletHooks:
    """See :class:`boardkeeper.families.followers.table.Hooks`."""

    title = "hamlet"
    phases: Mapping[str, Phase] = {
        "tithe": Phase(begin_tithe, proceed_tithe, apply_event=pay_tithe, event_name="tithe"),
        "followers": Phase(followers.begin, followers.proceed),
        "planning": Phase(planning.begin, planning.proceed),
        "actions": Phase(actions.begin, actions.proceed),
        "event": Phase(begin_storm, proceed_storm, apply_event=suffer_storm, resume=comfort),
    }
    verbs: Mapping[str, CommandLister] = {"mill": legal_grind, "deeds": deeds.legal, "bathhouse": bathhouse.legal}

    def draw_limit(self, t: Hamlet, seat: Seat) -> int:
        """Return the limit of draws: one more for each pig."""
        return t.data.start_draw + seat.pigs.total()

    def reward(self, t: Hamlet, seat: Seat, sent: SentFollower) -> bool:
        """Give coins or honour, and another coin for completing the deed."""
        deed = t.data.deeds[sent.deed]
        coins, honour = (0, deed.honour) if sent.reward == HONOUR else (deed.coins, 0)
        completed = deeds.is_complete(t, deed)
        t.give_coins(seat, coins + completed)
        t.set(seat.honour, seat.honour.value + honour)
        t.emit(seat, Welcomed(deed.id, sent.follower, coins, honour, completed))
        return False

    def can_surrender(self, t: Hamlet, seat: Seat) -> bool:
        """Whether the seat has pigs."""
        return bool(seat.pigs.items)


HOOKS: Hooks = HamletHooks()
