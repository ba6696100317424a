"""The setup of the table."""

from __future__ import annotations

from boardkeeper.families.followers.data import CITIZEN, OWN, TECHNOLOGY
from boardkeeper.titles.orleans.data import STATION, Data
from boardkeeper.titles.orleans.events import TableLaid
from boardkeeper.titles.orleans.material import Orleans, tile


def unused(data: Data, players: int) -> dict[str, int]:
    """Return the components that stay in the box, except the goods that are removed at random."""
    supply, largest = data.supplies[players], data.supplies[max(data.supplies)]
    left = {follower: count - supply.followers[follower] for follower, count in largest.followers.items()}
    left[TECHNOLOGY] = largest.technology - supply.technology
    left |= {OWN + follower: max(data.supplies) - players for follower in data.start_followers}
    left |= {f"{STATION}.{seat}": data.stations for seat in range(players + 1, max(data.supplies) + 1)}
    return {component: count for component, count in left.items() if count}


def set_up(t: Orleans) -> None:
    """Set up the table and advance to the first decision. Source: orleans.setup.*."""
    data = t.data
    supply = data.supplies[len(t.seats)]
    for follower, count in supply.followers.items():
        t.move(follower, t.box, t.supply, count)
    t.move(TECHNOLOGY, t.box, t.technology, supply.technology)
    for id in data.place_tiles:
        t.move(id, t.box, t.place_tiles[data.places[id].category])
    for pile, events in data.piles.items():
        for event in events:
            t.move(tile(event, pile), t.box, t.hour_glass[pile])
    for home in (*t.deeds.values(), *t.development_citizens.values(), *t.track_citizens.values()):
        t.move(CITIZEN, t.box, home)
    t.move(CITIZEN, t.box, t.citizen_of_stations)
    on_map = _lay_goods(t)
    for seat in t.seats:
        for follower in data.start_followers:
            t.move(OWN + follower, t.box, seat.market)
        t.move(seat.station, t.box, seat.stations, data.stations)
        t.set(seat.coins, data.start_coins)
    t.set(t.start, 1)
    removed = {good: t.box.items[good] for good in data.good_tiles if good in t.box.items}
    t.emit(None, TableLaid(len(t.seats), on_map, removed))
    t.enter("hour_glass")
    t.advance()


def _lay_goods(t: Orleans) -> int:
    """Remove random goods, put random goods on the map and the rest on the market; return the number on the map."""
    supply = t.data.supplies[len(t.seats)]
    for good, count in t.data.good_tiles.items():
        t.move(good, t.box, t.goods_pile, count)
    if supply.goods_removed:
        t.recorder.draw(t.goods_pile, t.box, supply.goods_removed)
    spaces = [way.id for way in t.data.ways for mark in way.spaces if mark not in supply.empty_way_marks]
    for good, way in zip(t.recorder.pick(t.goods_pile, len(spaces)), spaces, strict=True):
        t.move(good, t.goods_pile, t.ways[way])
    for good, count in t.goods_pile.counts().items():
        t.move(good, t.goods_pile, t.goods_market, count)
    return len(spaces)
