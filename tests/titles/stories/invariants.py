"""Invariants of every table of Orléans Stories."""

from __future__ import annotations

from tests.families.followers.invariants import check_followers

from boardkeeper.titles.stories.cards import CATEGORIES
from boardkeeper.titles.stories.data import CHURCH, FORTRESS, MANOR, SETTLER, START_VILLAGE
from boardkeeper.titles.stories.material import Area, Seat, Stories
from boardkeeper.titles.stories.play import StoriesPlay

OWING = ("give", "unfed", "worth", "choose_good")
"""The decisions in which a seat still owes or receives a number of things."""


def check_components(play: StoriesPlay, players: int) -> None:
    """Check the rulebook's numbers of components for this number of players, in all zones together."""
    t = play.t
    parts = play.table.components()
    for component, count in t.data.supplies[players].items():
        assert parts[component] - t.box.items.get(component, 0) == count, component
    assert all(parts[card] == 1 for card in t.data.place_cards)
    assert len(t.data.place_cards) == 24
    assert sum(t.data.landscape_tiles.values()) == 25
    for seat in t.seats:
        assert parts[seat.settler] == 12
        assert parts[seat.fortress] == 5
    if t.events:
        turned = t.turned.total() + t.turned_now.total()
        assert turned == t.round.value


def check_invariants(play: StoriesPlay) -> None:
    """Check what must hold after every sequence of commands, with any readings."""
    t = play.t
    check_followers(t)
    for area in t.areas.values():
        _check_area(t, area)
    for town in t.towns.values():
        _check_town(t, town)
    for seat in t.seats:
        _check_seat(t, seat)
    for category in CATEGORIES:
        assert all(t.data.places[card].category == category for card in t.cards[category].items), category
    for deed in t.data.deeds.values():
        assert set(t.deeds[deed.id].items) <= set(deed.spaces), deed.id


def _check_area(t: Stories, area: Area) -> None:
    tiles = [tile for tile in area.pile.items if tile in (*t.data.landscape_tiles, MANOR, START_VILLAGE)]
    assert len(tiles) == 1, f"{area.id} has the tiles {tiles}"
    assert area.pile.items[tiles[0]] == 1, area.id
    assert area.village.value in (0, 1)
    assert not (area.village.value and START_VILLAGE in area.pile.items), f"two villages on {area.id}"
    assert not (area.village.value and MANOR in area.pile.items), f"a village on the manor farm {area.id}"
    assert area.pile.items.get(CHURCH, 0) <= 1, f"two churches on {area.id}"
    assert not area.has_church() or area.is_village(), f"a church without a village on {area.id}"
    pieces = {piece: count for piece, count in area.pile.items.items() if piece.startswith((SETTLER, FORTRESS))}
    assert all(count == 1 for count in pieces.values()), f"{area.id} has {pieces}"
    assert sum(1 for piece in pieces if piece.startswith(FORTRESS)) <= 1, f"two fortresses on {area.id}"
    settled = list(area.settled_by())
    owner = area.fortified_by()
    if owner and settled and t.data.chosen.peace_fortress == "blocks_all":
        assert settled == [owner], f"{settled} on {area.id} with the fortress of {owner}"
    at_peace = [number for number in settled if t.seats[number - 1].peace.value]
    assert len(settled) <= 1 or at_peace, f"{settled} share {area.id} without peace"


def _check_town(t: Stories, town: Area) -> None:
    tiles = [piece for piece in town.pile.items if not piece.startswith(f"{SETTLER}.")]
    assert tiles == [t.data.towns[town.id]], f"{tiles} on the town {town.id}"
    assert not town.village.value, town.id


def _check_seat(t: Stories, seat: Seat) -> None:
    name = f"seat {seat.number}"
    decision = t.table.decisions[seat.number]
    assert seat.era_reached.value in t.data.eras
    assert seat.peace.value == any(t.data.eras[n].peace for n in range(1, seat.era_reached.value + 1))
    markers = (seat.citizens, seat.fame, seat.fame_due, seat.owed, seat.trades, seat.arrears)
    assert all(marker.value >= 0 for marker in markers), name
    assert t.data.chosen.fame_beyond_end != "stop" or seat.fame.value <= t.data.fame_length, name
    assert (seat.owed.value > 0) == (decision in OWING), f"owed by {name}"
    assert (seat.trades.value > 0) == (decision in ("trade", "fair")), f"trades of {name}"
    assert decision != "fame_bonus" or seat.fame_due.value > 0, f"bonus of {name}"
    assert set(seat.base_places.items).isdisjoint(seat.place_tiles.items), name
