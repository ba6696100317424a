"""Fame tiles with individual effects. Source: stories.fame_tiles.*."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boardkeeper.families.followers.commands import PlaceDrawnFollower
from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.events import (
    BathhouseVisited,
    DrawnFollowerPlaced,
    DrawnFollowersReturned,
    FollowerKept,
)
from boardkeeper.families.followers.phases import screens
from boardkeeper.families.followers.phases.followers import market_room
from boardkeeper.families.followers.phases.planning import find_placement_rejection
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import NOBODY, seats_of, secret, shared_by
from boardkeeper.titlekit.turn_flow import Decisions
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.cards import Effect
from boardkeeper.titles.stories.data import CHURCH, WOOD
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.phases.fame import gain_fame
from boardkeeper.titles.stories.phases.verbs import construction
from boardkeeper.titles.stories.phases.verbs.build import building_fame, find_site_rejection, place_church
from boardkeeper.titles.stories.phases.verbs.territory import find_area_rejection


def next_tile(t: Stories, seat: Seat) -> int:
    """Return the space of the seat's first pending tile: the pending ones are the last that it has passed."""
    passed = [space for space in t.data.fame_bonuses if space <= seat.fame.value]
    return passed[-seat.fame_due.value]


def effect_of(t: Stories, seat: Seat) -> Effect:
    """Return the effect of the seat's first pending tile."""
    return t.data.fame_tiles[next_tile(t, seat)]


def carry_out(t: Stories, seat: Seat) -> None:
    """Apply the effect of the next tile. If the seat may decline it, ask the seat, unless the supply lacks its gain."""
    if next_tile(t, seat) not in t.data.offered_tiles:
        _apply_effect(t, seat)
    elif is_available(t, seat):
        t.ask(seat, "offer")
    else:
        _consume_tile(t, seat)


def _apply_effect(t: Stories, seat: Seat) -> None:
    for word, value in effect_of(t, seat).items():
        EFFECTS[word](t, seat, value)
    if not t.decides(seat):
        _consume_tile(t, seat)


def is_available(t: Stories, seat: Seat) -> bool:
    """Return whether the supply has what the next tile gives. Source: stories.running_out.tiles."""
    return all(AVAILABLE[word](t, seat, value) for word, value in effect_of(t, seat).items())


def accept(t: Stories, seat: Seat, command: c.TakeBonus) -> Rejection | None:
    """Accept the offer of the tile. Source: stories.fame_tiles.optional."""
    t.ask(seat, "")
    _apply_effect(t, seat)
    t.advance()
    return None


def legal_offer(t: Stories, seat: Seat) -> list[c.Command]:
    """Return the commands to accept and to decline."""
    return [c.TakeBonus(), c.DeclineBonus()]


def _consume_tile(t: Stories, seat: Seat) -> None:
    t.set(seat.fame_due, seat.fame_due.value - 1)


def _finish(t: Stories, seat: Seat) -> None:
    t.ask(seat, "")
    _consume_tile(t, seat)
    t.advance()


def _source(t: Stories, seat: Seat) -> str:
    return str(next_tile(t, seat))


def _ask(t: Stories, seat: Seat, decision: str) -> None:
    if len(DECISIONS[decision][0](t, seat)) > 1:
        t.ask(seat, decision)


def decline(t: Stories, seat: Seat, command: c.DeclineBonus) -> Rejection | None:
    """Decline the offer of the tile. Source: stories.fame_tiles.optional."""
    t.set(seat.owed, 0)
    t.emit(seat, e.BonusDeclined(_source(t, seat)))
    _finish(t, seat)
    return None


# --- immediate effects ---------------------------------------------------------------------------------------


def _coins(t: Stories, seat: Seat, coins: int) -> None:
    t.give_coins(seat, coins)
    t.emit(seat, e.TileUsed(_source(t, seat), coins=coins))


def _good(t: Stories, seat: Seat, good: str) -> None:
    t.move(good, t.goods_market, seat.goods)
    t.emit(seat, e.TileUsed(_source(t, seat), goods={good: 1}))


def _technology(t: Stories, seat: Seat, count: int) -> None:
    t.move(TECHNOLOGY, t.technology, seat.technology, count)
    t.emit(seat, e.TileUsed(_source(t, seat), technology=count))


def _recruit(t: Stories, seat: Seat, follower: str) -> None:
    t.move(follower, t.supply, seat.bag)
    t.emit(seat, e.TileUsed(_source(t, seat), follower=follower))


def _end(t: Stories, seat: Seat, value: Any) -> None:
    """Do nothing: :mod:`declarations` checks whether a seat has reached this tile. Source: stories.end.fame."""


# --- next era and nation cards -------------------------------------------------------------------------------


def _era(t: Stories, seat: Seat, era: int) -> None:
    t.set(seat.era_reached, era)
    t.emit(seat, e.EraEntered(era, peace=False))
    _ask(t, seat, "look")


def knows_nation_of(seat: Seat, other: Seat) -> bool:
    """Return whether a seat can see the nation card of another seat."""
    return seat.number in seats_of(other.nation.visibility)


def look(t: Stories, seat: Seat, command: c.LookAtNation) -> Rejection | None:
    """Look at the nation card of another seat. Others see whose card it is. Source: stories.secrets.look.

    If the reading ``look_is_public`` is ``no``, others see only that the seat looks. A changed visibility of the card
    would be public, so a secret marker of the seat stores the nation instead.
    """
    if not 1 <= command.of <= len(t.seats) or command.of == seat.number:
        return Rejection("NO_SUCH_SEAT", "stories.secrets.look", {"number": str(command.of)})
    other = t.seats[command.of - 1]
    public = t.data.chosen.look_is_public == "yes"
    _show_nation(t, seat, other, public=public)
    t.ask(seat, "")
    _consume_tile(t, seat)
    t.emit(seat, e.NationSeen(other.number if public else 0))
    t.advance()
    return None


def _show_nation(t: Stories, seat: Seat, other: Seat, *, public: bool) -> None:
    """Show the nation card to the seat or, if looks are secret, add its nation to the marker ``noted`` of the seat."""
    (nation,) = other.nation.items
    if public and knows_nation_of(seat, other):
        return
    if public:
        t.recorder.show(other.nation, shared_by(*seats_of(other.nation.visibility), seat.number))
    else:
        # Hide the marker while it changes: showing it reveals something, so an undo needs the consent of other seats.
        t.recorder.reveal(seat.noted, NOBODY)
        t.set(seat.noted, f"{seat.noted.value} {other.number}:{nation}".strip())
        t.recorder.show(seat.noted, secret(seat.number))
    t.emit(seat, e.NationShown(other.number, nation))


def legal_look(t: Stories, seat: Seat) -> list[c.Command]:
    """Return a command for each other seat, and to decline."""
    return [*(c.LookAtNation(other.number) for other in t.seats if other is not seat), c.DeclineBonus()]


# --- place card ----------------------------------------------------------------------------------------------


def take_card(t: Stories, seat: Seat, command: c.TakePlaceCard) -> Rejection | None:
    """Take a place card of an open category. Source: stories.fame_tiles.place_card."""
    if command.place:
        return Rejection("WRONG_COMMAND", "stories.fame_tiles.place_card", {"place": command.place})
    rejection = construction.find_rejection(t, seat, command.card)
    if rejection:
        return rejection
    t.move(command.card, t.cards[t.data.places[command.card].category], seat.place_tiles)
    screens.hide_place(t, seat, command.card)
    t.emit(seat, e.PlaceCardTaken("", command.card))
    _finish(t, seat)
    return None


def legal_card(t: Stories, seat: Seat) -> list[c.Command]:
    """Return a command for each place card of an open category, and to decline."""
    cards = (card for card in t.data.place_cards if not construction.find_rejection(t, seat, card))
    return [*(c.TakePlaceCard("", card) for card in cards), c.DeclineBonus()]


# --- follower ------------------------------------------------------------------------------------------------


def _draw_follower(t: Stories, seat: Seat, value: Any) -> None:
    (follower,) = t.recorder.draw(seat.bag, seat.drawn)
    t.emit(seat, BathhouseVisited(_source(t, seat), (follower,)))
    if legal_follower(t, seat):
        t.ask(seat, "drawn")
    else:
        t.move(follower, seat.drawn, seat.bag)
        t.emit(seat, DrawnFollowersReturned((follower,)))


def place_drawn(t: Stories, seat: Seat, command: PlaceDrawnFollower) -> Rejection | None:
    """Place the drawn follower on a matching free space. Source: stories.fame_tiles.follower."""
    values = {"follower": command.follower, "place": command.place, "space": command.space}
    if command.follower not in seat.drawn.items:
        return Rejection("NOT_DRAWN", "stories.fame_tiles.follower", values)
    estate = seat.estate()
    space = estate.spaces.get((command.place, command.space))
    if space is None:
        return Rejection("NOT_YOUR_SPACE", "stories.planning.own_place", values)
    if not space.bit & estate.index.fits[command.follower]:
        return find_placement_rejection(t, seat, command.follower, space)
    if space.pile.items:
        return Rejection("SPACE_TAKEN", "stories.planning.free_space", values | {"occupant": space.occupant()})
    t.move(command.follower, seat.drawn, space.pile)
    t.emit(seat, DrawnFollowerPlaced(command.follower, command.place, command.space))
    _finish(t, seat)
    return None


def keep_drawn(t: Stories, seat: Seat, command: c.KeepFollower) -> Rejection | None:
    """Put the drawn follower on the green. Source: stories.fame_tiles.follower."""
    if command.follower not in seat.drawn.items:
        return Rejection("NOT_DRAWN", "stories.fame_tiles.follower", {"follower": command.follower})
    if market_room(t, seat) <= 0:
        return Rejection("MARKET_FULL", "stories.drawing.market_room", {"follower": command.follower})
    t.move(command.follower, seat.drawn, seat.market)
    t.emit(seat, FollowerKept(command.follower))
    _finish(t, seat)
    return None


def legal_follower(t: Stories, seat: Seat) -> list[c.Command]:
    """Return a command for each matching free space, and for the green if it has room."""
    (follower,) = seat.drawn.items
    estate = seat.estate()
    mask = estate.index.fits[follower] & estate.free()
    fitting = (space for space in estate.spaces.values() if space.bit & mask)
    commands: list[c.Command] = [PlaceDrawnFollower(follower, space.place, space.id) for space in fitting]
    return [*commands, c.KeepFollower(follower)] if market_room(t, seat) > 0 else commands


# --- goods or coins ------------------------------------------------------------------------------------------


def _offer_worth(t: Stories, seat: Seat, worth: int) -> None:
    t.set(seat.owed, worth)
    t.ask(seat, "worth")


def _has_taken_goods(t: Stories, seat: Seat) -> bool:
    worth: int = effect_of(t, seat)["goods_or_coins_worth"]
    return seat.owed.value < worth


def take_good(t: Stories, seat: Seat, command: c.TakeGood) -> Rejection | None:
    """Take a good worth at most the remaining value. Source: stories.fame_tiles.worth."""
    good, left = command.good, seat.owed.value
    value = t.data.good_values.get(good)
    if value is None or value > left:
        return Rejection("WORTH_TOO_MUCH", "stories.fame_tiles.worth", {"good": good, "left": str(left)})
    if good not in t.goods_market.items:
        return Rejection("GOOD_SOLD_OUT", "stories.running_out.tiles", {"good": good})
    t.move(good, t.goods_market, seat.goods)
    t.set(seat.owed, left - value)
    t.emit(seat, e.TileUsed(_source(t, seat), goods={good: 1}))
    if len(legal_worth(t, seat)) == 1:
        t.set(seat.owed, 0)
        _finish(t, seat)
    return None


def take_coins(t: Stories, seat: Seat, command: c.TakeCoins) -> Rejection | None:
    """Take the remaining value in coins; not after goods if the reading ``worth5_mix`` is ``one_kind``.

    Source: stories.fame_tiles.one_kind.
    """
    if t.data.chosen.worth5_mix == "one_kind" and _has_taken_goods(t, seat):
        return Rejection("ONE_KIND", "stories.fame_tiles.one_kind")
    coins = seat.owed.value
    t.set(seat.owed, 0)
    t.give_coins(seat, coins)
    t.emit(seat, e.TileUsed(_source(t, seat), coins=coins))
    _finish(t, seat)
    return None


def legal_worth(t: Stories, seat: Seat) -> list[c.Command]:
    """Return a command for each good within the remaining value, for the rest in coins, and to stop."""
    left, market = seat.owed.value, t.goods_market.items
    commands: list[c.Command] = [
        c.TakeGood(good) for good, value in t.data.good_values.items() if value <= left and good in market
    ]
    if left and not (t.data.chosen.worth5_mix == "one_kind" and _has_taken_goods(t, seat)):
        commands.append(c.TakeCoins())
    return [*commands, c.DeclineBonus()]


# --- fortresses and churches ---------------------------------------------------------------------------------


def raze(t: Stories, seat: Seat, command: c.RazeFortress) -> Rejection | None:
    """Remove a fortress from the game. Source: stories.fame_tiles.fortress."""
    rejection = find_area_rejection(t, command.area)
    if rejection:
        return rejection
    area = t.areas[command.area]
    owner = area.fortified_by()
    if not owner:
        return Rejection("NO_FORTRESS", "stories.fame_tiles.fortress", {"area": command.area})
    t.move(t.seats[owner - 1].fortress, area.pile, t.removed)
    t.emit(seat, e.FortressRazed(area.id, owner))
    _finish(t, seat)
    return None


def legal_raze(t: Stories, seat: Seat) -> list[c.Command]:
    """Return a command for each fortress on the map, and to decline."""
    return [*(c.RazeFortress(area.id) for area in t.areas.values() if area.fortified_by()), c.DeclineBonus()]


def build_church(t: Stories, seat: Seat, command: c.Build) -> Rejection | None:
    """Build a church for the price of the tile. Source: stories.fame_tiles.church."""
    if command.place:
        return Rejection("WRONG_COMMAND", "stories.fame_tiles.church", {"place": command.place})
    rejection = find_area_rejection(t, command.area) or find_site_rejection(t, seat, CHURCH, t.areas[command.area])
    if rejection:
        return rejection
    wood, area = effect_of(t, seat)["build_church_for_wood"], t.areas[command.area]
    t.move(WOOD, seat.goods, t.removed, wood)
    place_church(t, seat, area)
    fame = building_fame(t, seat, CHURCH) if t.data.chosen.tile_church_gives_fame == "yes" else 0
    t.emit(seat, e.Built("", area.id, CHURCH, wood, fame))
    _consume_tile(t, seat)
    t.ask(seat, "")
    gain_fame(t, seat, fame)
    t.advance()
    return None


def legal_church(t: Stories, seat: Seat) -> list[c.Command]:
    """Return a command for each possible church, and to decline."""
    can = seat.goods.items.get(WOOD, 0) >= effect_of(t, seat)["build_church_for_wood"] and t.churches.items
    areas = (area for area in t.areas.values() if can and not find_site_rejection(t, seat, CHURCH, area))
    return [*(c.Build("", area.id) for area in areas), c.DeclineBonus()]


EFFECTS: dict[str, Callable[[Stories, Seat, Any], None]] = {
    "draw_follower_place_now": _draw_follower,
    "coins": _coins,
    "good": _good,
    "technology": _technology,
    "recruit": _recruit,
    "era": _era,
    "take_place_card": lambda t, seat, _: _ask(t, seat, "card"),
    "goods_or_coins_worth": _offer_worth,
    "remove_any_fortress": lambda t, seat, _: _ask(t, seat, "raze"),
    "build_church_for_wood": lambda t, seat, _: _ask(t, seat, "church"),
    "end_game": _end,
}
"""Effects of tiles by word."""

AVAILABLE: dict[str, Callable[[Stories, Seat, Any], bool]] = {
    "draw_follower_place_now": lambda _, seat, __: bool(seat.bag.items),
    "good": lambda t, _, good: good in t.goods_market.items,
    "technology": lambda t, _, count: t.technology.total() >= count,
    "recruit": lambda t, _, follower: follower in t.supply.items,
}
"""Functions that return whether the supply has the component that a tile gives, by word of its effect."""

DECISIONS: Decisions = {
    "offer": (legal_offer, {c.TakeBonus: accept, c.DeclineBonus: decline}),
    "look": (legal_look, {c.LookAtNation: look, c.DeclineBonus: decline}),
    "card": (legal_card, {c.TakePlaceCard: take_card, c.DeclineBonus: decline}),
    "drawn": (legal_follower, {c.PlaceDrawnFollower: place_drawn, c.KeepFollower: keep_drawn}),
    "worth": (legal_worth, {c.TakeGood: take_good, c.TakeCoins: take_coins, c.DeclineBonus: decline}),
    "raze": (legal_raze, {c.RazeFortress: raze, c.DeclineBonus: decline}),
    "church": (legal_church, {c.Build: build_church, c.DeclineBonus: decline}),
}
"""For each decision: the function that lists its commands, and the functions that carry them out."""
