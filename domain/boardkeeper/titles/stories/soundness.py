"""What the rules of Orléans Stories contradict on a table that somebody else wrote.

They look up seats by the pieces that lie on the map, eras and events by markers, and what a decision is about by the
event or the place under way; so everything has to lie where it can, and what is asked has to fit what is going on.
Whoever plays by the rules never sees any of this.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from boardkeeper.families.followers.data import MONK, TECHNOLOGY
from boardkeeper.table.title import PositionProblem
from boardkeeper.table.visibility import PUBLIC, behind, secret
from boardkeeper.table.zones import Number
from boardkeeper.titles.stories import setup
from boardkeeper.titles.stories.data import CHARACTERS, CHURCH, GOODS, MANOR, START_VILLAGE
from boardkeeper.titles.stories.material import BoundPlace, Seat, Stories
from boardkeeper.titles.stories.phases import bonuses, declaring, tiles

_MOST = 9_999
"""More than is ever counted of anything."""

Allowed = tuple[Collection[str], int]
"""What may lie in a zone, and how many of each (0: as many as there are)."""

Fits = Callable[[Stories, Seat], bool]
"""Whether a seat can be asked something, as far as what is asked needs to be there."""


def problems(t: Stories) -> list[PositionProblem]:
    """Everything on the table that the rules contradict; what is wrong with markers and zones hides the rest."""
    return [*_markers(t), *_zones(t)] or [*_screens(t), *_decks(t), *_asked(t)]


# --- markers -------------------------------------------------------------------------------------------------


def _markers(t: Stories) -> Iterator[PositionProblem]:
    ranges, words = dict(_ranges(t)), dict(_words(t))
    for id, marker in t.table.markers.items():
        value = marker.value
        if id in ranges and not ranges[id][0] <= int(value) <= ranges[id][1]:
            yield PositionProblem(f"markers[{id}]", f"must be {ranges[id][0]} to {ranges[id][1]}, not {value}")
        if id in words and value not in words[id]:
            yield PositionProblem(f"markers[{id}]", f"cannot be {value!r}")


def _ranges(t: Stories) -> Iterator[tuple[str, tuple[int, int]]]:
    rounds, seats = t.data.rounds or _MOST, len(t.seats)
    yield "round", (0 if t.data.nations else 1, rounds)
    yield "start_seat", (1, seats)
    for id in ("acting_seat", "cursor"):
        yield id, (0, seats)
    for area in (*t.areas.values(), *t.towns.values()):
        yield area.village.id, (0, 1)
    for completed in t.completed.values():
        yield completed.id, (0, _MOST)
    for id, marker in t.table.markers.items():
        if isinstance(marker, Number) and (id.endswith(".placed") or id.startswith("seat.")):
            yield id, (0, rounds if id.endswith(".placed") else _MOST)
    for seat in t.seats:
        yield seat.era_reached.id, (min(t.data.eras), max(t.data.eras))
        passed = sum(1 for space in t.data.fame_bonuses if space <= seat.fame.value)
        yield seat.fame_due.id, (0, passed)
        for flag in (seat.carried_out, seat.peace, seat.passed, seat.planned, seat.bonus_due):
            yield flag.id, (0, 1)
        if t.data.nations:
            yield seat.declares.id, (0, int(t.phase.value == declaring.PHASE))
    for fulfilled in t.fulfilled.values() if t.data.nations else ():
        yield fulfilled.id, (0, 0)  # it is looked at once, when the game ends


def _words(t: Stories) -> Iterator[tuple[str, Collection[str]]]:
    yield "phase", {phase for phases, _ in _ASKED.values() for phase in phases}
    yield "event", {"", *t.data.events}
    yield "action_place", {"", *t.data.places}
    if t.data.nations:
        yield t.lost.id, {""}
    for seat in t.seats:
        yield seat.screen.id, {""}


# --- zones ---------------------------------------------------------------------------------------------------


def _zones(t: Stories) -> Iterator[PositionProblem]:
    allowed = {**dict(_common(t)), **dict(_map(t))}
    for seat in t.seats:
        allowed |= dict(_of_seat(t, seat))
    for place in _places(t):
        takes = t.data.takes_technology(place.place)
        for space in place.spaces:
            tile = (TECHNOLOGY,) if takes and space.requires != MONK else ()
            allowed[space.pile.id] = (*CHARACTERS, *tile), 0
            if space.pile.total() > 1:
                yield PositionProblem(f"zones[{space.pile.id}]", "must have at most one component")
    for zone in t.table.zones.values():
        may, most = allowed.get(zone.id, (zone.counts(), 0))
        for component, count in sorted(zone.counts().items()):
            if component not in may:
                yield PositionProblem(f"zones[{zone.id}]", f"cannot have {component}")
            elif most and count > most:
                yield PositionProblem(f"zones[{zone.id}]", f"must have at most {most} {component}, not {count}")


def _places(t: Stories) -> Iterator[BoundPlace]:
    for seat in t.seats:
        yield from seat.estate().places.values()
        yield from seat.tiles.all()


def _common(t: Stories) -> Iterator[tuple[str, Allowed]]:
    data = t.data
    yield t.supply.id, (CHARACTERS, 0)
    yield t.goods_market.id, (GOODS, 0)
    yield t.technology.id, ((TECHNOLOGY,), 0)
    yield t.churches.id, ((CHURCH,), 0)
    for category, pile in t.cards.items():
        yield pile.id, ([card for card in data.place_cards if data.places[card].category == category], 1)
    for letter, pile in t.events.items():
        yield pile.id, ([card for card, event in data.events.items() if event.letter == letter], 1)
    for pile in (t.turned_now, t.turned):
        yield pile.id, (data.events, 1)
    for id, deed in data.deeds.items():
        yield t.deeds[id].id, (deed.spaces, 0)
    if data.bonus_tiles:
        for pile in (*t.bonus.values(), t.bonus_stack, t.aside):
            yield pile.id, (data.bonus_tiles, 1)
    if data.nations:
        yield t.nations.id, (data.nations, 0)
        yield t.missions.id, (data.missions, 1)
        yield t.messages.id, (data.messages, 1)
        for pile in t.mission.values():
            yield pile.id, ((*data.missions, *GOODS), 0)


def _map(t: Stories) -> Iterator[tuple[str, Allowed]]:
    settlers = [seat.settler for seat in t.seats]
    for area in t.areas.values():
        pieces = (*settlers, *(seat.fortress for seat in t.seats), CHURCH)
        yield area.pile.id, ({*t.data.landscape_tiles, START_VILLAGE, MANOR, *pieces}, 1)
    for id, town in t.towns.items():
        yield town.pile.id, ((t.data.towns[id], *settlers), 0)


def _of_seat(t: Stories, seat: Seat) -> Iterator[tuple[str, Allowed]]:
    for pile in (seat.bag, seat.market, seat.drawn):
        yield pile.id, (CHARACTERS, 0)
    yield seat.goods.id, (GOODS, 0)
    yield seat.technology.id, ((TECHNOLOGY,), 0)
    yield seat.place_tiles.id, ((*t.data.place_cards, *t.data.base_places), 1)
    yield seat.base_places.id, (t.data.base_places, 1)
    for pile in (seat.settlers, seat.on_tracks):
        yield pile.id, ((seat.settler,), 0)
    yield seat.fortresses.id, ((seat.fortress,), 0)
    if t.data.nations:
        yield seat.nation.id, (t.data.nations, 1)
        for pile in (seat.dealt, seat.message, seat.returned):
            yield pile.id, (t.data.messages, 1)


# --- what belongs together -----------------------------------------------------------------------------------


def _screens(t: Stories) -> Iterator[PositionProblem]:
    """Screens are up while everybody plans behind them, and at no other time; nothing else is ever hidden."""
    laid = {zone.id: zone.visibility for zone in setup.declared(t.data, len(t.seats)).layout.zones}
    sealed = t.data.options.planning == "sealed"
    up = sealed and t.phase.value == "planning"
    for seat in t.seats:
        if seat.screen.visibility != (secret(seat.number) if up else PUBLIC):
            yield PositionProblem(f"markers[{seat.screen.id}]", "must hide plans exactly while all seats plan")
        own = behind(seat.screen.id) if sealed else PUBLIC
        for space in seat.estate().spaces.values():
            if space.pile.visibility not in (PUBLIC, own) or space.placed.visibility != space.pile.visibility:
                yield PositionProblem(
                    f"zones[{space.pile.id}]", f"cannot have the visibility {space.pile.visibility!r}"
                )
        for pile in (seat.bag, seat.market, seat.goods, seat.place_tiles, seat.settlers, seat.fortresses):
            if pile.visibility != laid[pile.id]:
                yield PositionProblem(f"zones[{pile.id}]", f"cannot have the visibility {pile.visibility!r}")


def _decks(t: Stories) -> Iterator[PositionProblem]:
    """There are cards and tiles to turn for all rounds to come, and fortresses and tiles that exclude each other."""
    for at, letter in enumerate(t.data.event_letters):
        last = (at + 1) * t.data.events_each
        needed = min(t.data.events_each, max(0, last - t.round.value))
        if t.events[letter].total() < needed:
            yield PositionProblem(f"zones[{t.events[letter].id}]", f"must have at least {needed} cards")
    for area in t.areas.values():
        tiles = sum(area.pile.items.get(tile, 0) for tile in (*t.data.landscape_tiles, START_VILLAGE, MANOR))
        fortresses = sum(area.pile.items.get(seat.fortress, 0) for seat in t.seats)
        if max(tiles, fortresses) > 1:
            yield PositionProblem(f"zones[{area.pile.id}]", "must have at most one tile and one fortress")
    if t.data.bonus_tiles and (not t.bonus_stack.items or any(pile.total() != 1 for pile in t.bonus.values())):
        yield PositionProblem(
            f"zones[{t.bonus_stack.id}]", "must have a tile for the next era, and each era must have one tile"
        )
    if t.data.nations:
        yield from _secrets(t)


def _secrets(t: Stories) -> Iterator[PositionProblem]:
    """Each seat has a nation, each nation a mission, who has chosen a message has one, and what is noted is true."""
    for nation, pile in t.mission.items():
        if sum(pile.items.get(mission, 0) for mission in t.data.missions) != 1:
            yield PositionProblem(f"zones[{pile.id}]", f"must have the mission of {nation}")
    for seat in t.seats:
        chooses = t.table.decisions[seat.number] == "message"
        dealt, kept = (t.data.messages_dealt, 0) if chooses else (0, 1)
        if (seat.nation.total(), seat.dealt.total(), seat.message.total()) != (1, dealt, kept):
            yield PositionProblem(
                f"seats[{seat.number}]", "must have one nation, and one message or the dealt messages to choose from"
            )
    for seat in t.seats if t.data.chosen.look_is_public == "no" else ():
        others = {f"{other.number}:{nation}" for other in t.seats if other is not seat for nation in other.nation.items}
        if not others.issuperset(seat.noted.value.split()):
            yield PositionProblem(
                f"markers[{seat.noted.id}]", "must name other seats with their true nations, as 2:england"
            )


# --- what is asked -------------------------------------------------------------------------------------------


def _asked(t: Stories) -> Iterator[PositionProblem]:
    deciding = t.table.deciding()
    for number in deciding:
        decision = t.table.decisions[number]
        phases, fits = _ASKED.get(decision, ((), _always))
        if t.phase.value not in phases or not fits(t, t.seats[number - 1]):
            yield PositionProblem(f"decisions[{number}]", f"cannot be {decision!r} now")
    if len(deciding) > 1 and t.phase.value not in ("secrets", "followers", "planning"):
        yield PositionProblem("decisions", "must have a decision of one seat only in this phase")
    under_way = any(t.table.decisions[number] in _UNDER_WAY for number in deciding)
    if t.action_place.value and not under_way and not _is_interrupted(t):
        yield PositionProblem("markers[action_place]", "must be empty: no action is in progress")


def _is_interrupted(t: Stories) -> bool:
    """Whether fame tiles that are due to the acting seat interrupt its action."""
    acting = next((seat for seat in t.seats if seat.number == t.acting.value), None)
    return acting is not None and bonuses.interrupt(t, acting) and _at(t, acting, "deeds")


def _always(t: Stories, seat: Seat) -> bool:
    return True


def _acts(t: Stories, seat: Seat) -> bool:
    return t.acting.value == seat.number and not seat.passed.value


def _event(t: Stories, word: str) -> bool:
    """Whether the event of the round has such a word."""
    return word in t.card()


def _at(t: Stories, seat: Seat, verb: str) -> bool:
    """Whether the action of such a place of the seat is under way."""
    place = seat.estate().places.get(t.action_place.value)
    return _acts(t, seat) and place is not None and place.verb == verb


def _owes(t: Stories, seat: Seat) -> bool:
    return seat.owed.value > 0


def _due_tile(t: Stories, seat: Seat) -> int:
    """The space of the tile of the fame track that is due to the seat; 0 for none."""
    return tiles.next_tile(t, seat) if seat.fame_due.value else 0


def _tile(t: Stories, seat: Seat, word: str) -> bool:
    """Whether a tile of the fame track with such a word is due to the seat."""
    return word in t.data.fame_tiles.get(_due_tile(t, seat), {})


_GAINING = ("actions", "event", "round_bonus")
"""The phases in which fame is gained."""

_UNDER_WAY = ("trade", "deed", "bathhouse", "choose_good")
"""What is asked within the action of a place."""

_ASKED: dict[str, tuple[tuple[str, ...], Fits]] = {
    "draw": (("followers",), _always),
    "take_back": (("followers",), _always),
    "plan": (("planning",), lambda _, seat: not seat.planned.value),
    "act": (("actions",), _acts),
    "trade": (("actions",), lambda t, seat: seat.trades.value > 0 and _at(t, seat, "market")),
    "deed": (("actions",), lambda t, seat: _at(t, seat, "deeds")),
    "bathhouse": (("actions",), lambda t, seat: _at(t, seat, "bathhouse")),
    "technology": (("actions",), lambda _, seat: bool(seat.passed.value)),
    "choose_good": (
        ("actions", "round_bonus"),
        lambda t, seat: _owes(t, seat) and (t.phase.value != "actions" or _at(t, seat, "produce")),
    ),
    "fame_bonus": (_GAINING, lambda t, seat: bool(seat.fame_due.value) and not t.data.fame_tiles),
    "offer": (
        _GAINING,
        lambda t, seat: _due_tile(t, seat) in t.data.offered_tiles and tiles.is_there(t, seat),
    ),
    "look": (_GAINING, lambda t, seat: _tile(t, seat, "era")),
    "card": (_GAINING, lambda t, seat: _tile(t, seat, "take_place_card")),
    "drawn": (_GAINING, lambda t, seat: _tile(t, seat, "draw_follower_place_now") and seat.drawn.total() == 1),
    "worth": (_GAINING, lambda t, seat: _tile(t, seat, "goods_or_coins_worth")),
    "raze": (_GAINING, lambda t, seat: _tile(t, seat, "remove_any_fortress")),
    "church": (_GAINING, lambda t, seat: _tile(t, seat, "build_church_for_wood")),
    "sacristy": (("event", "round_bonus"), lambda _, seat: bool(seat.shields())),
    "give": (("event", "round_bonus"), _owes),
    "unfed": (("round_bonus",), _owes),
    "torture": (("event", "round_bonus"), lambda _, seat: seat.debt.value > 0),
    "pay": (("event",), lambda t, _: _event(t, "else_lose")),
    "invest": (("event",), lambda t, _: _event(t, "may_pay")),
    "newcomer": (("event",), lambda t, _: _event(t, "gain_follower")),
    "fair": (("event",), lambda t, seat: seat.trades.value > 0 and _event(t, "sell_up_to")),
    "trek": (("event",), lambda t, _: _event(t, "free_expansion")),
    "message": (("secrets",), _always),
    "declare": (("declaring",), lambda t, _: bool(t.data.nations)),
}
"""In which phases each decision is open, and what has to be there."""
