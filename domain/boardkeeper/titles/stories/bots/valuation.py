"""Estimated values of components and actions for a seat, in points at the end of the game.

A value is the sum of the points that a component scores itself and those that it can gain in the remaining rounds. It
uses only information that the seat sees.
"""

from __future__ import annotations

from functools import cached_property

from boardkeeper.families.followers.bots import SeatValuation
from boardkeeper.families.followers.commands import PlaceTechnology
from boardkeeper.families.followers.data import MONK
from boardkeeper.families.followers.phases.verbs.deeds import spaces_left
from boardkeeper.titles.stories import control
from boardkeeper.titles.stories.cards import Gain, Place
from boardkeeper.titles.stories.data import CHURCH, FORTRESS, VILLAGE, WOOD, Data
from boardkeeper.titles.stories.material import Area, Seat, Stories

FOLLOWER = 1.2
"""Average value of a follower on the green."""

TECHNOLOGY_A_ROUND = 0.6
"""Value of a technology tile per round."""

CARD_USES_A_ROUND = 0.4
"""Expected uses of a place card per round."""

VILLAGES_A_ROUND = 0.3
CITIZENS_A_ROUND = 0.6
"""Expected villages and citizens that a seat gains per round."""

WOOD_WANTED = 3
"""Number of wood goods that a seat needs for building; they have more value than their points."""

ROUNDS = 14
"""Expected number of rounds of a story without a fixed number."""


_NEEDED = ("scholar", MONK)
"""The followers that churches need."""


class Valuation(SeatValuation[Stories, Seat]):
    """Values for one seat in the current state."""

    data: Data

    FOLLOWER = FOLLOWER
    SCARCITY = (1.0, 0.8, 0.6, 0.4, 0.25, 0.15)

    def __init__(self, t: Stories, me: Seat) -> None:
        super().__init__(t, me)
        self._fame: dict[int, float] = {}
        self._sites: dict[str, float] = {}
        self._deeds: dict[str, float] = {}
        self._gains: dict[tuple[str, bool], float] = {}

    def bind(self, t: Stories, me: Seat) -> None:
        super().bind(t, me)
        self.goods = me.goods.items

    @staticmethod
    def rounds_left(t: Stories) -> int:
        rounds = t.data.rounds
        return rounds - t.round.value if rounds else max(2, ROUNDS - t.round.value)

    @classmethod
    def snapshot(cls, t: Stories, me: Seat) -> list[object]:
        return [
            t.data,
            *(t.round.value, t.event.value, me.coins.value, me.fame.value, me.citizens.value, me.era_reached.value),
            *(me.bag.items, me.goods.items, me.settlers.items, me.fortresses.items, me.place_tiles.items),
            *(t.supply.items, t.goods_market.items, t.technology.items, t.churches.items),
            *[area.pile.items for area in t.areas.values()],
            *[area.village.value for area in t.areas.values()],
            *[town.pile.items for town in t.towns.values()],
            *[pile.items for pile in t.cards.values()],
            *[pile.items for pile in t.deeds.values()],
        ]

    def stock(self) -> object:
        return self.followers, *map(self.count_followers, _NEEDED)

    def count_followers(self, kind: str) -> int:
        """Return the number of the seat's followers of a kind."""
        placed = sum(1 for space in self.occupied if kind in space.pile.items)
        return placed + self.me.bag.items.get(kind, 0) + self.market.get(kind, 0)

    def area_at(self, id: str) -> Area:
        """Return an area or a town."""
        return self.t.areas.get(id) or self.t.towns[id]

    @cached_property
    def own(self) -> list[Area]:
        """The areas on which the seat has a settler."""
        return control.areas_of(self.t, self.me)

    @cached_property
    def towns(self) -> list[Area]:
        """The towns in which the seat has settlers."""
        return control.towns_of(self.t, self.me)

    @cached_property
    def free_areas(self) -> set[str]:
        """The areas without settlers and fortresses."""
        return {
            id
            for id, area in self.t.areas.items()
            if not any(piece.startswith(("settler.", "fortress.")) for piece in area.pile.items)
        }

    @cached_property
    def villages(self) -> int:
        """The number of villages that the seat controls."""
        return control.count_shares(self.t, [area for area in self.own if area.is_village()])

    @cached_property
    def churches(self) -> int:
        """The number of churches that the seat controls."""
        return control.count_shares(self.t, [area for area in self.own if area.has_church()])

    @cached_property
    def landscapes(self) -> list[str]:
        """The visible landscapes of the seat's areas; empty for a village."""
        return [control.landscape_of(self.t, area) for area in self.own]

    # --- points ----------------------------------------------------------------------------------------------

    def citizen(self) -> float:
        """Return the value of a citizen: a point for each village at the end."""
        return self.villages + VILLAGES_A_ROUND * self.left

    def village(self) -> float:
        """Return the value of a village: a point for each citizen, or its points for a nation."""
        if not self.data.rounds:
            return float(self.data.points[VILLAGE])
        return self.me.citizens.value + CITIZENS_A_ROUND * self.left + 0.5

    def area(self) -> float:
        """Return the value of an area: its points, goods and building sites."""
        worth = self.data.points.get("area", 2) + 0.5 * self.left
        return worth + sum(0.25 * self.left for word in self.me.era().bonus if "settler" in word)

    def fame(self, steps: int) -> float:
        """Return the value of steps on the fame track: for the tiles passed, and for the progress to the next one."""
        worth = self._fame.get(steps)
        if worth is None:
            worth = self._fame[steps] = self._value_fame(steps)
        return worth

    def _value_fame(self, steps: int) -> float:
        tiles, here = self.data.fame_bonuses, self.me.fame.value
        if not tiles or here >= tiles[-1]:
            return 0.05 * steps
        passed = sum(1 for tile in tiles if here < tile <= here + steps)
        nearer = min(steps, tiles[-1] - here) * len(tiles) / tiles[-1]
        return max(3.0, self.citizen()) * (0.5 * passed + 0.5 * nearer)

    def good(self, good: str) -> float:
        """Return the value of a good: its points, and more for wood."""
        is_wanted = good == WOOD and self.left and self.goods.get(WOOD, 0) < WOOD_WANTED
        return float(self.data.good_values[good]) + (2.0 if is_wanted else 0.0)

    def follower(self, kind: str) -> float:
        """Return the value of another follower in the bag for the rest of the game."""
        is_short = kind in _NEEDED and self.count_followers(kind) < 2
        return self.draw_value(self.followers) + (min(6.0, self.left) if is_short else 0.0)

    def technology(self) -> float:
        """Return the value of a technology tile, which saves a follower at each use of its place."""
        return TECHNOLOGY_A_ROUND * self.left

    def technology_on(self, command: PlaceTechnology) -> float:
        """Return the value of placing a technology tile, by the value of the place's action."""
        gains = self.gains(self.data.places[command.place], assumed=True)
        return 0.01 + gains / (1 + self.count_empty_spaces(command.place)) if self.left else -1.0

    # --- the map ---------------------------------------------------------------------------------------------

    def removed_fortress(self, area: str) -> float:
        """Return the value of removing a fortress."""
        return -1.0 if self.area_at(area).fortified_by() == self.me.number else 0.5

    def site(self, id: str) -> float:
        """Return the value of a settler on an area: its good, and free areas next to it."""
        worth = self._sites.get(id)
        if worth is None:
            worth = self._sites[id] = self._value_site(self.area_at(id))
        return worth

    def _value_site(self, area: Area) -> float:
        good = self.data.landscape_goods.get(landscape := control.tile_of(self.t, area), "")
        worth = self.area() + (0.1 * self.left * self.data.good_values[good] if good else 0.0)
        if good == WOOD and landscape not in self.landscapes:
            worth += 0.15 * self.left
        worth += self.village() if area.is_village() else 0.0
        worth += self.data.points[CHURCH] if area.has_church() else 0.0
        return worth + 0.1 * sum(1 for beside in area.neighbours if beside in self.free_areas)

    def _building_sites(self, building: str) -> list[Area]:
        """Return the areas where the seat can build, if it has the wood and the piece."""
        if self.goods.get(WOOD, 0) < self.data.building[building]:
            return []
        if building == VILLAGE:
            return [area for area in self.own if control.landscape_of(self.t, area)]
        if building == FORTRESS:
            sites = [
                area
                for area in self.own
                if not area.fortified_by() and not control.other_seats_on(self.t, self.me, area)
            ]
            return sites if self.me.fortresses.items else []
        return [it for it in self.own if it.is_village() and not it.has_church()] if self.t.churches.items else []

    def building(self, building: str, area: Area) -> float:
        """Return the value of a building on an area."""
        steps = sum(place.place.fame_on_build for place in self.places.values())
        fame = self.fame(steps) if steps else 0.0
        if building == VILLAGE:
            lost = self.data.good_values[self.data.landscape_goods[control.landscape_of(self.t, area)]]
            return self.village() + fame - 0.1 * lost
        if building == CHURCH:
            return self.data.points[CHURCH] + fame - 2.0 * len(control.other_seats_on(self.t, self.me, area))
        contested = sum(1 for id in area.neighbours if control.other_seats_on(self.t, self.me, self.area_at(id)))
        return 0.3 * contested + (1.0 if area.has_church() else 0.0) + fame

    # --- cards and places ------------------------------------------------------------------------------------

    def card(self, id: str) -> float:
        """Return the value of owning a place for the rest of the game."""
        place = self.data.places[id]
        if place.build == CHURCH:
            return 3.0 * min(self.left, 8)
        if place.recruit == MONK:
            return 2.9 * min(self.left - 2, 8)
        if not place.spaces:
            return (0.3 if place.stands_for else 0.15) * self.left
        if place.cancels_event:
            return 0.2 * self.left
        spare = self.gains(place, assumed=True) - 0.7 * FOLLOWER * len(place.spaces)
        return max(0.1, spare) * CARD_USES_A_ROUND * self.left

    def gains(self, place: Place, *, assumed: bool = False) -> float:
        """Return the highest value of one use. ``assumed``: as if the seat had the goods that the place exchanges."""
        worth = self._gains.get((place.id, assumed))
        if worth is None:
            worth = self._gains[place.id, assumed] = self._value_gains(place, assumed)
        return worth

    def _value_gains(self, place: Place, assumed: bool) -> float:
        worth = float(place.coins + place.coins_per_village * self.villages)
        worth += self.fame(place.fame) if place.fame else 0.0
        worth += self._taken(place.recruit, place.good)
        worth += max(map(self.choice, place.choose), default=0.0)
        worth += self.technology() * place.technology if self.t.technology.items else 0.0
        worth += self._harvest(place) if place.produce else 0.0
        worth += self._territory(place) if place.territory else 0.0
        if place.build:
            worth += max((self.building(place.build, area) for area in self._building_sites(place.build)), default=0.0)
        if place.convert_coins:
            prices = range(1, min(place.convert_coins, self.me.coins.value) + 1)
            worth += max((self.fame(coins) - coins for coins in prices), default=0.0)
        worth += 1.0 if place.bathhouse or place.cancels_event else 0.0
        if place.exchange_from:
            each = self.good(place.exchange_to) - self.good(place.exchange_from)
            most = place.exchange_most if assumed else self.goods.get(place.exchange_from, 0)
            worth += each * min(place.exchange_most, most)
        if place.take_place_card:
            offered = (self.t.cards[category].items for category in self.me.era().categories)
            worth += max((self.card(card) for cards in offered for card in cards), default=0.0)
        if place.trades and self.villages and self.me.coins.value >= self.data.good_values[WOOD]:
            worth += max(0.0, self.good(WOOD) - self.data.good_values[WOOD])
        return worth

    def _taken(self, recruit: str, good: str) -> float:
        """Return the value of a follower and a good, or 0 if the supply lacks one of them."""
        if (recruit and recruit not in self.t.supply.items) or (good and good not in self.t.goods_market.items):
            return 0.0
        return (self.follower(recruit) if recruit else 0.0) + (self.good(good) if good else 0.0)

    def choice(self, gives: Gain) -> float:
        """Return the value of one choice of a place."""
        return self._taken(gives.recruit, gives.good) + gives.coins

    def _harvest(self, place: Place) -> float:
        """Return the value of the goods of the seat's areas that the place gives."""
        goods = [self.data.landscape_goods[land] for land in self.landscapes if land]
        worths = {it: self.good(it) * goods.count(it) for it in goods if it in self.t.goods_market.items}
        return sum(worths.values()) if place.produce == "areas" else max(worths.values(), default=0.0)

    def _territory(self, place: Place) -> float:
        if not (self.towns or self.me.settlers.items) or place.conquest_strength:
            return 0.0
        beside = {id for area in (*self.own, *self.towns) for id in area.neighbours}
        return max(map(self.site, beside & self.free_areas), default=0.0)

    # --- deeds and eras --------------------------------------------------------------------------------------

    def deed(self, id: str, who: str) -> float:
        """Return the value of sending a follower to a deed, less its value in the bag."""
        deed = self.data.deeds[id]
        if not spaces_left(self.t, deed, who):
            return 0.0
        fame = deed.fame.get(who, 0)
        worth = deed.coins.get(who, 0) + (self.fame(fame) if fame else 0.0)
        if self.data.deed_citizens:
            free = sum(spaces_left(self.t, deed, each) for each in deed.spaces)
            worth += self.citizen() if free == 1 else 0.2 * self.citizen() / free
        return worth - self.loss - (2.0 if who == MONK and self.left else 0.0)

    def best_deed(self, who: str) -> float:
        """Return the value of the best deed for a follower."""
        best = self._deeds.get(who)
        if best is None:
            best = self._deeds[who] = max((self.deed(id, who) for id in self.data.deeds), default=0.0)
        return best

    def next_era(self) -> float:
        """Return the value of the next era: the change of its draw limit and round bonus."""
        era = self.me.era_reached.value
        here, there = (self.data.eras[number].draw for number in (era, era + 1))
        usable = min(there, self.followers) - min(here, self.followers)
        bonus = self._round_bonus(era + 1) - self._round_bonus(era)
        return self.left * (0.5 * FOLLOWER * usable + bonus)

    def _round_bonus(self, number: int) -> float:
        """Return the average value of the bonus of an era per round."""
        era = self.data.eras[number]
        has_malus = era.malus and not (era.malus_until_deed and self.t.completed[era.malus_until_deed].value)
        per = {"fame_per_own_settler_on_map": len(self.own), "fame_per_village": self.villages}
        per["fame_per_church"] = self.churches
        fame = sum(self.fame(steps * per[word]) for word, steps in era.bonus.items() if word in per)
        return (-2.0 if has_malus else 0.0) + fame + float(era.bonus.get("coins_per_village", 0) * self.villages)
