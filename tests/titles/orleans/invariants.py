"""Invariants of all tables of Orléans."""

from __future__ import annotations

from collections import Counter

from tests.families.followers.invariants import check_followers

from boardkeeper.families.followers.data import CITIZEN, OWN, TECHNOLOGY, is_marked
from boardkeeper.titles.orleans.data import STATION
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.play import OrleansPlay


def check_components(play: OrleansPlay, players: int) -> None:
    """Check the rulebook's numbers of components for a number of players. Source: orleans.setup.*."""
    t = play.t
    in_play = Counter(play.table.components())
    in_play.subtract(t.box.items)
    neutral = {
        2: (12, 6, 6, 6, 8, 8, 8),
        3: (14, 8, 8, 8, 11, 11, 11),
        4: (16, 10, 10, 10, 14, 14, 14),
        5: (18, 12, 12, 12, 17, 17, 17),
    }[players]
    characters = ("farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk")
    for character, count in zip(characters, neutral, strict=True):
        assert in_play[character] == count, character
    for character in characters[:4]:
        assert in_play[OWN + character] == players, character
    followers = [*characters, *(OWN + character for character in characters[:4])]
    assert sum(in_play[follower] for follower in followers) == sum(neutral) + 4 * players
    goods = ("grain", "cheese", "wine", "wool", "brocade")
    assert sum(in_play[good] for good in goods) == {2: 78, 3: 84}.get(players, 90)
    total = play.table.components()
    assert [total[good] for good in goods] == [24, 21, 18, 15, 12]
    assert in_play[TECHNOLOGY] == {5: 20}.get(players, 16)
    assert in_play[CITIZEN] == 14
    assert all(in_play[f"{STATION}.{seat}"] == 10 for seat in range(1, players + 1))
    assert all(in_play[tile] == 1 for tile in t.data.place_tiles)
    assert len(t.data.place_tiles) == 20
    hour_glass = [tile for pile in (*t.hour_glass.values(), t.turned, t.turned_now) for tile in pile.items.items()]
    assert sum(count for _, count in hour_glass) == 18
    assert t.turned.total() + t.turned_now.total() == t.round.value


def check_invariants(play: OrleansPlay) -> None:
    """Check the invariants that hold for all readings."""
    t = play.t
    check_followers(t)
    for seat in t.seats:
        _check_seat(t, seat)
    for town, pile in t.towns.items():
        stations = pile.counts()
        assert all(count == 1 for count in stations.values()), f"two stations of one seat in {town}"
        assert len(stations) <= 1 or town == "orleans", f"{len(stations)} stations in {town}"
    for way in t.data.ways:
        assert t.ways[way.id].total() <= len(way.spaces), f"too many goods on {way.id}"
    for deed in t.data.deeds.values():
        contents = t.deeds[deed.id].counts()
        complete = all(contents.get(character, 0) == count for character, count in deed.spaces.items())
        assert contents.pop(CITIZEN, 0) == (not complete), f"the citizen of {deed.id}"
        assert set(contents) <= set(deed.spaces), deed.id
    assert sum(1 for seat in t.seats if seat.station in t.towns["orleans"].items) == len(t.towns["orleans"].items)
    assert t.goods_pile.total() == 0


def _check_seat(t: Orleans, seat: Seat) -> None:
    name = f"seat {seat.number}"
    spaces = seat.estate().spaces.values()
    own = Counter[str]()
    for pile in (seat.bag, seat.market, seat.drawn, *(space.pile for space in spaces)):
        own.update({follower: count for follower, count in pile.items.items() if is_marked(follower)})
    four = {OWN + character: 1 for character in ("farmer", "boatman", "craftsman", "trader")}
    assert dict(own) == four, f"the own followers of {name}: {own}"
    assert 0 <= seat.development.value <= 30, name
    for track, marker in seat.track.items():
        assert 0 <= marker.value <= t.data.track_length[track], f"{track} of {name}"
    assert seat.merchant.value in t.towns
    assert seat.place_tiles.total() <= seat.track["traders"].value, f"place tiles of {name}"
