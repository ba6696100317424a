"""Checks of a table that another program wrote: whether the rules of Orléans Stories can continue from it.

The rules derive control from the pieces on the map, eras and events from markers, and the subject of a decision from
the event or the place in use. So every component must be in a zone where it can be, and the open decisions must match
the state of the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from boardkeeper.families.followers import soundness as family
from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit import soundness
from boardkeeper.titlekit.soundness import Check, DecisionCheck, DecisionChecks, Found, Limits, ZoneLimits, must
from boardkeeper.titlekit.title import PositionProblem
from boardkeeper.titles.stories.cards import CHARACTERS, GOODS
from boardkeeper.titles.stories.data import CHURCH, MANOR, START_VILLAGE
from boardkeeper.titles.stories.material import START, Seat, Stories
from boardkeeper.titles.stories.phases import bonuses, declarations, tiles

_MAX_NUMBER = 9_999
"""More than any number in a game."""


def problems(t: Stories, layout: TableLayout) -> list[PositionProblem]:
    """Return everything on the table that contradicts the rules."""
    limited = limits(t)
    bonuses_due = {it.fame_due.id: (0, sum(at <= it.fame.value for at in t.data.fame_bonuses)) for it in t.seats}
    now = {"seat.*.declares": (0, int(t.phase.value == declarations.PHASE)), **bonuses_due}
    words = {"lost": ("",), **limited.words}
    others: list[Check] = [
        ("phase|round", family.check_visibility(t, layout, _SHOWN)),
        *(("round", _decks(t)), _map(t), _secrets(t), ("action_place|acting_seat", _action_place(t))),
    ]
    asking = DecisionChecks(
        _DECISIONS, together=("secrets", "followers", "planning"), basis="phase|acting_seat|action_place|event"
    )
    return soundness.problems(t, {**now, **limited.ranges}, words, limited.contents, others, asking)


def limits(t: Stories) -> Limits:
    """Return what the markers and zones can have."""
    words = {
        "event": {"", *t.data.events},
        "action_place": {"", *t.data.places},
        "seat.*.screen": ("",),
    }
    contents = {**dict(_contents(t)), **family.zone_limits(t, GOODS)}
    return Limits(_ranges(t), words, contents, _TYPICAL, left_out="*.placed")


_TYPICAL = {
    "mission.*.fulfilled|deed.*.completed|seat.*.farmer_only_technology": 1, "round": 20, "seat.*.coins": 50,
    "seat.*.fame": 50,
}  # fmt: skip


def _ranges(t: Stories) -> dict[str, tuple[int, int]]:
    rounds, eras = t.data.rounds or _MAX_NUMBER, t.data.eras
    return {
        "round": (0 if t.data.nations else 1, rounds),
        **family.number_ranges(t),
        "area.*.village": (0, 1),
        "mission.*.fulfilled": (0, 0),  # it is set only when the game ends
        "*.placed": (0, rounds),
        "seat.*.era": (min(eras), max(eras)),
        "seat.*.fame_due": (0, len(t.data.fame_bonuses)),
        "|".join(f"seat.*.{flag}" for flag in ("carried_out", "peace", "bonus_due", "declares")): (0, 1),
        "*": (0, _MAX_NUMBER),
    }


def _contents(t: Stories) -> Iterator[tuple[str, ZoneLimits]]:
    data = t.data
    yield "supply|seat.*.bag|seat.*.market|seat.*.drawn", ZoneLimits(CHARACTERS)
    yield "churches", ZoneLimits((CHURCH,))
    yield "landscapes", ZoneLimits(data.landscape_tiles)
    yield "start_tokens", ZoneLimits([f"{START}.{seat}" for seat in range(1, max(data.players) + 1)])
    for category, pile in t.cards.items():
        yield pile.id, ZoneLimits([card for card in data.place_cards if data.places[card].category == category], each=1)
    for letter, pile in t.events.items():
        yield pile.id, ZoneLimits([card for card, event in data.events.items() if event.letter == letter], each=1)
    yield f"{t.turned_now.id}|{t.turned.id}", ZoneLimits(data.events, each=1)
    for id, deed in data.deeds.items():
        yield t.deeds[id].id, ZoneLimits(deed.spaces)
    if data.bonus_tiles:
        yield "bonus.*", ZoneLimits(data.bonus_tiles, each=1)
    if data.nations:
        yield t.nations.id, ZoneLimits(data.nations)
        yield "seat.*.nation", ZoneLimits(data.nations, each=1)
        yield t.missions.id, ZoneLimits(data.missions, each=1)
        yield f"{t.messages.id}|seat.*.dealt|seat.*.message|seat.*.returned", ZoneLimits(data.messages, each=1)
        yield "mission.*", ZoneLimits((*data.missions, *GOODS))
    settlers, fortresses = [seat.settler for seat in t.seats], [seat.fortress for seat in t.seats]
    for id, town in t.towns.items():
        yield town.pile.id, ZoneLimits((data.towns[id], *settlers))
    yield "area.*", ZoneLimits((*data.landscape_tiles, START_VILLAGE, MANOR, *settlers, *fortresses, CHURCH), each=1)
    yield "seat.*.place_tiles", ZoneLimits((*data.place_cards, *data.base_places), each=1)
    yield "seat.*.base_places", ZoneLimits(data.base_places, each=1)
    for seat in t.seats:
        yield f"{seat.settlers.id}|{seat.on_tracks.id}", ZoneLimits((seat.settler,))
        yield seat.fortresses.id, ZoneLimits((seat.fortress,))


# --- checks across zones -------------------------------------------------------------------------------------


_SHOWN = ("nations", "missions", "messages", "nation", "dealt", "message", "returned")
"""The last parts of the ids of zones that the rules reveal during a game."""


def _decks(t: Stories) -> Found:
    """Check that the decks have cards and tiles for all remaining rounds."""
    for number, letter in enumerate(t.data.event_letters, 1):
        needed = min(t.data.events_each, max(0, number * t.data.events_each - t.round.value))
        pile = t.events[letter]
        yield from must(pile, f"have at least {needed} cards", is_so=pile.total() >= needed)
    if t.data.bonus_tiles:
        is_so = bool(t.bonus_stack.items) and all(pile.total() == 1 for pile in t.bonus.values())
        yield from must(t.bonus_stack, "have a tile for the next era, and each era must have one tile", is_so=is_so)


def _map(t: Stories) -> Found:
    """Check that an area has at most one tile and one fortress."""
    for area in t.areas.values():
        pieces = area.pile.items
        tiles = sum(pieces.get(tile, 0) for tile in (*t.data.landscape_tiles, START_VILLAGE, MANOR))
        fortresses = sum(pieces.get(seat.fortress, 0) for seat in t.seats)
        yield from must(area.pile, "have at most one tile and one fortress", is_so=max(tiles, fortresses) < 2)


def _secrets(t: Stories) -> Found:
    """Check the numbers of missions, nation cards and messages, and that secret notes name the true nations."""
    if not t.data.nations:
        return
    for nation, pile in t.mission.items():
        missions = sum(pile.items.get(mission, 0) for mission in t.data.missions)
        yield from must(pile, f"have the mission of {nation}", is_so=missions == 1)
    for seat in t.seats:
        chooses = t.table.decisions[seat.number] == "message"
        dealt, kept = (t.data.messages_dealt, 0) if chooses else (0, 1)
        is_so = (seat.nation.total(), seat.dealt.total(), seat.message.total()) == (1, dealt, kept)
        message = "have one nation, and one message or the dealt messages to choose from"
        yield from must(f"seats[{seat.number}]", message, is_so=is_so)
        if t.data.chosen.look_is_public == "no":
            others = {f"{it.number}:{nation}" for it in t.seats if it is not seat for nation in it.nation.items}
            message = "name other seats with their true nations, as 2:england"
            yield from must(seat.noted, message, is_so=others.issuperset(seat.noted.value.split()))


# --- open decisions ------------------------------------------------------------------------------------------


def _action_place(t: Stories) -> Found:
    is_used = any(t.table.decisions[number] in _IN_PROGRESS for number in t.table.deciding())
    is_so = not t.action_place.value or is_used or _is_interrupted(t)
    yield from must(t.action_place, "be empty: no action is in progress", is_so=is_so)


def _is_interrupted(t: Stories) -> bool:
    """Return whether pending fame tiles interrupt the action of the acting seat."""
    acting = next((seat for seat in t.seats if seat.number == t.acting.value), None)
    return acting is not None and bonuses.interrupts_action(t, acting) and _is_using(t, acting, "deeds")


def _is_acting(t: Stories, seat: Seat) -> bool:
    return t.acting.value == seat.number and not seat.passed.value


def _has_event_word(t: Stories, word: str) -> bool:
    """Return whether the effect of the event has a word."""
    return word in t.event_effect()


def _is_using(t: Stories, seat: Seat, verb: str) -> bool:
    """Return whether the seat is carrying out the action of a place with this verb."""
    place = seat.estate().places.get(t.action_place.value)
    return _is_acting(t, seat) and place is not None and place.verb == verb


def _owes(t: Stories, seat: Seat) -> bool:
    return seat.owed.value > 0


def _pending_tile(t: Stories, seat: Seat) -> int:
    """Return the space of the seat's pending fame tile, or 0."""
    return tiles.next_tile(t, seat) if seat.fame_due.value else 0


def _has_pending_tile(t: Stories, seat: Seat, word: str) -> bool:
    """Return whether the seat's pending fame tile has a word."""
    return word in t.data.fame_tiles.get(_pending_tile(t, seat), {})


_GAINING = ("actions", "event", "round_bonus")
"""Phases in which seats gain fame."""

_IN_PROGRESS = ("trade", "deed", "bathhouse", "choose_good")
"""Decisions within the action of a place."""

_DECISIONS: dict[str, DecisionCheck] = {
    "draw": DecisionCheck(("followers",)),
    "take_back": DecisionCheck(("followers",)),
    "plan": DecisionCheck(("planning",), lambda _, seat: not seat.planned.value),
    "act": DecisionCheck(("actions",), _is_acting),
    "trade": DecisionCheck(("actions",), lambda t, seat: seat.trades.value > 0 and _is_using(t, seat, "market")),
    "deed": DecisionCheck(("actions",), lambda t, seat: _is_using(t, seat, "deeds")),
    "bathhouse": DecisionCheck(("actions",), lambda t, seat: _is_using(t, seat, "bathhouse")),
    "technology": DecisionCheck(("actions",), lambda _, seat: bool(seat.passed.value)),
    "choose_good": DecisionCheck(
        ("actions", "round_bonus"),
        lambda t, seat: _owes(t, seat) and (t.phase.value != "actions" or _is_using(t, seat, "produce")),
    ),
    "fame_bonus": DecisionCheck(_GAINING, lambda t, seat: bool(seat.fame_due.value) and not t.data.fame_tiles),
    "offer": DecisionCheck(
        _GAINING,
        lambda t, seat: _pending_tile(t, seat) in t.data.offered_tiles and tiles.is_available(t, seat),
    ),
    "look": DecisionCheck(_GAINING, lambda t, seat: _has_pending_tile(t, seat, "era")),
    "card": DecisionCheck(_GAINING, lambda t, seat: _has_pending_tile(t, seat, "take_place_card")),
    "drawn": DecisionCheck(
        _GAINING, lambda t, seat: _has_pending_tile(t, seat, "draw_follower_place_now") and seat.drawn.total() == 1
    ),
    "worth": DecisionCheck(_GAINING, lambda t, seat: _has_pending_tile(t, seat, "goods_or_coins_worth")),
    "raze": DecisionCheck(_GAINING, lambda t, seat: _has_pending_tile(t, seat, "remove_any_fortress")),
    "church": DecisionCheck(_GAINING, lambda t, seat: _has_pending_tile(t, seat, "build_church_for_wood")),
    "sacristy": DecisionCheck(("event", "round_bonus"), lambda _, seat: bool(seat.active_shields())),
    "give": DecisionCheck(("event", "round_bonus"), _owes),
    "unfed": DecisionCheck(("round_bonus",), _owes),
    "torture": DecisionCheck(("event", "round_bonus"), lambda _, seat: seat.debt.value > 0),
    "pay": DecisionCheck(("event",), lambda t, _: _has_event_word(t, "else_lose")),
    "invest": DecisionCheck(("event",), lambda t, _: _has_event_word(t, "may_pay")),
    "newcomer": DecisionCheck(("event",), lambda t, _: _has_event_word(t, "gain_follower")),
    "fair": DecisionCheck(("event",), lambda t, seat: seat.trades.value > 0 and _has_event_word(t, "sell_up_to")),
    "trek": DecisionCheck(("event",), lambda t, _: _has_event_word(t, "free_expansion")),
    "message": DecisionCheck(("secrets",)),
    "declare": DecisionCheck(("declaring",), lambda t, _: bool(t.data.nations)),
}
"""The phases in which each decision can be open, and its condition."""
