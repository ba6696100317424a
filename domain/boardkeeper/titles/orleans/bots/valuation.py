"""Estimated values of components and actions for a seat, in points at the end of the game.

A value is the sum of the points that a component scores itself and those that it can gain in the remaining rounds. It
uses only information that the seat sees.
"""

from __future__ import annotations

from functools import cached_property

from boardkeeper.families.followers.bots import SeatValuation
from boardkeeper.families.followers.data import CITIZEN, MONK
from boardkeeper.titles.orleans.data import Data, Deed, Place
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.phases.verbs import recruit
from boardkeeper.titles.orleans.phases.verbs.deeds import coins_and_development

FOLLOWER = 1.4
"""Average value of a follower on the market."""

DEVELOPMENT_A_ROUND = 1.2
"""Expected steps of a seat on the development track per round."""

HOLDINGS_A_ROUND = 0.6
"""Expected trading stations and citizens that a seat gains per round."""

TECHNOLOGY_A_ROUND = 0.8
"""Value of a technology tile per round."""

MISSING_FOOD = 4.0
"""Value of food that a future Harvest requires; without it, the seat pays five coins."""

TILE_USES_A_ROUND = 0.6
"""Expected uses of a place tile per round."""

NEAR_SITE = 0.3
"""Value of a merchant on a building site, as a share of the value of a trading station."""


class Valuation(SeatValuation[Orleans, Seat]):
    """Values for one seat in the current state."""

    data: Data

    FOLLOWER = FOLLOWER
    SCARCITY = (1.0, 0.8, 0.55, 0.35, 0.2, 0.12)

    def __init__(self, t: Orleans, me: Seat) -> None:
        super().__init__(t, me)
        self._development: dict[int, float] = {}
        self._ways: dict[str, float] = {}
        self._deeds: dict[str, float] = {}
        self._uses: dict[tuple[str, bool, bool], float] = {}

    @staticmethod
    def rounds_left(t: Orleans) -> int:
        return t.data.rounds - t.round.value

    @classmethod
    def snapshot(cls, t: Orleans, me: Seat) -> list[object]:
        return [
            t.data,
            *(t.round.value, t.phase.value, t.event.value, t.strength.value),
            *(me.coins.value, me.development.value, me.best_development.value, me.merchant.value),
            *[track.value for track in me.track.values()],
            *[seat.track["farmers"].value for seat in t.seats],
            *(me.goods.items, me.citizens.items, me.stations.items, me.place_tiles.items),
            *(t.supply.items, t.goods_market.items, t.technology.items),
            *[pile.items for pile in t.ways.values()],
            *[pile.items for pile in t.towns.values()],
            *[pile.items for pile in t.deeds.values()],
            *[pile.items for pile in t.place_tiles.values()],
            *[pile.items for pile in t.hour_glass.values()],
            *[pile.items for pile in t.track_citizens.values()],
            *[pile.items for pile in t.development_citizens.values()],
        ]

    @cached_property
    def final_status(self) -> float:
        """The expected development status at the end."""
        development = self.me.development.value + DEVELOPMENT_A_ROUND * self.left
        return self._smooth_status(min(self.data.last_development, development))

    @cached_property
    def stations(self) -> int:
        """The number of the seat's trading stations on the map."""
        return self.me.built_stations()

    @cached_property
    def holdings(self) -> float:
        """The expected number of trading stations and citizens at the end."""
        return self.stations + self.me.citizens.total() + HOLDINGS_A_ROUND * self.left

    # --- points --------------------------------------------------------------------------------------------

    def _smooth_status(self, development: float) -> float:
        """Return the status at a position, interpolated between the steps of the track."""
        status_at = self.data.status_at
        status = status_at[int(development)]
        here = status_at.index(status)
        ahead = here + status_at.count(status)
        return status + ((development - here) / (ahead - here) if ahead < len(status_at) else 0.0)

    def development(self, points: int) -> float:
        """Return the value of development points: status for all holdings, coins, citizens and income."""
        worth = self._development.get(points)
        if worth is None:
            worth = self._development[points] = self._value_development(points)
        return worth

    def _value_development(self, points: int) -> float:
        data, before = self.data, self.me.development.value
        after = min(before + points, data.last_development)
        if after <= before:
            return 0.0
        near = 1.0 / (1.0 + self.left)
        smooth = self._smooth_status(after) - self._smooth_status(before)
        status = near * (data.status_at[after] - data.status_at[before]) + (1.0 - near) * smooth
        worth: float = status * (self.holdings + self.remaining["income"])
        worth += sum(coins for space, coins in data.development_coins.items() if before < space <= after)
        for space, pile in self.t.development_citizens.items():
            if pile.items and before < space <= after:
                worth += self.final_status
            elif pile.items and after < space:
                worth += 0.1 * self.final_status * (after - before) / (space - before)
        return worth

    @cached_property
    def remaining(self) -> dict[str, int]:
        """The sum of the numbers on the remaining tiles of each event, with this round's tile until it applies."""
        t = self.t
        totals = dict.fromkeys(("income", "trading_day", "harvest"), 0)
        event = t.event.value
        if event in totals and t.phase.value != "event":
            totals[event] = self.strength(event, t.strength.value)
        for pile in t.hour_glass.values():
            for tile, count in pile.items.items():
                kind, _, letter = tile.partition(".")
                if kind in totals:
                    totals[kind] += count * self.strength(kind, letter)
        return totals

    def strength(self, event: str, letter: str) -> int:
        """Return the number on the tile of an event, or 0 if it has none."""
        return self.data.strengths.get(letter, {}).get(event, 0)

    @cached_property
    def station(self) -> float:
        """The value of a built trading station."""
        return self.final_status + self.remaining["trading_day"]

    @cached_property
    def goods(self) -> dict[str, float]:
        """The value of each good: its points, or its value as food while a Harvest may need it."""
        food, have = self.data.food, self.me.goods.items
        is_short = sum(have.get(good, 0) for good in food) < self.remaining["harvest"]
        return {
            good: max(float(points), MISSING_FOOD) if is_short and good in food else float(points)
            for good, points in self.data.good_points.items()
        }

    # --- followers and recruiting ---------------------------------------------------------------------------------

    def lost_follower(self, who: str) -> float:
        """Return the value that the seat loses when a follower leaves it permanently."""
        return self.loss + (0.1 * self.left if who == MONK else 0.0)

    def recruit(self, who: str, place_tile: str = "") -> float:
        """Return the value of recruiting a character now: the follower and the reward of its track."""
        worth = self.draw_value(self.followers) + (0.06 * self.left if who == MONK else 0.0)
        track = self.data.track_of.get(who, "")
        if not track:
            return worth
        position = self.me.track[track].value
        match track:
            case "farmers":
                worth += self.goods[self.data.farmers_goods[position]] + self._census()
            case "boatmen":
                worth += self.data.boatmen_coins[position]
            case "craftsmen":
                worth += self.technology()
            case "traders":
                tiles = [place_tile] if place_tile else recruit.place_tiles(self.t, self.me)
                worth += max(map(self.tile, tiles), default=0.0)
            case "knights":
                before, after = self.data.knights_draw[position : position + 2]
                worth += (after - before) * FOLLOWER * self.left * (1.0 - 0.7 * self.scarcity(self.followers + 1))
            case _:
                worth += self.development(self.data.scholars_development[position])
        if self.data.track_citizens.get(track) == position + 1 and self.t.track_citizens[track].items:
            worth += self.final_status
        return worth

    def _census(self) -> float:
        farmers = self.me.track["farmers"].value
        others = [seat.track["farmers"].value for seat in self.t.seats if seat is not self.me]
        worth = 0.3 * self.left if farmers <= max(others) <= farmers + 1 else 0.0
        return worth + (0.3 * self.left if len(others) > 1 and farmers <= min(others) else 0.0)

    def _can_recruit(self, who: str) -> bool:
        if recruit.find_rejection(self.t, self.me, who):
            return False
        return who != recruit.TRADER or bool(recruit.place_tiles(self.t, self.me))

    def technology(self) -> float:
        """Return the value of a technology tile, which saves a follower in most rounds."""
        return TECHNOLOGY_A_ROUND * self.left

    # --- place tiles --------------------------------------------------------------------------------------------

    def tile(self, id: str) -> float:
        """Return the value of owning a place tile for the rest of the game."""
        place = self.data.places[id]
        if place.stands_for:
            return 0.35 * self.left
        if place.cancels_event:
            return 0.3 * self.left
        if place.market_extension:
            return 0.2 * self.left
        spare = self._gains(place) - FOLLOWER * len(place.spaces)
        return max(0.0, spare) * TILE_USES_A_ROUND * self.left

    def _gains(self, place: Place) -> float:
        """Return the value of using a place that gives coins, development, a good or technology."""
        me = self.me
        worth = float(place.coins + place.coins_per_status * me.status())
        worth += place.coins_per_station * self.stations
        worth += self.development(place.development) if place.development else 0.0
        worth += self.goods[place.good] if place.good in self.t.goods_market.items else 0.0
        worth += self.technology() if place.technology and self.t.technology.items else 0.0
        if place.development_for_coins:
            prices = range(1, min(place.development_for_coins, me.coins.value) + 1)
            worth += max((self.development(coins) - coins for coins in prices), default=0.0)
        return worth + (1.6 if place.bathhouse else 0.0)

    # --- deeds --------------------------------------------------------------------------------------------------

    def deed(self, id: str, who: str, reward: str = "") -> float:
        """Return the value of sending a follower to a deed, less its value in the bag."""
        deed, present = self.data.deeds[id], self.t.deeds[id].items
        if deed.spaces.get(who, 0) <= present.get(who, 0):  # also for marked followers, which no deed takes
            return 0.0
        worth = max(self._reward(deed, it) for it in ([reward] if reward else deed.rewards))
        if CITIZEN in present:
            free = sum(deed.spaces.values()) + 1 - sum(present.values())
            worth += self.final_status if free == 1 else 0.25 * self.final_status / free
        return worth - self.lost_follower(who)

    def _reward(self, deed: Deed, reward: str) -> float:
        coins, points = coins_and_development(deed, reward)
        return self.development(points) if points else float(coins)

    def best_deed(self, who: str) -> float:
        """Return the value of the best deed for a follower of that character."""
        best = self._deeds.get(who)
        if best is None:
            best = self._deeds[who] = max((self.deed(id, who) for id in self.data.deeds), default=0.0)
        return best

    # --- the merchant ----------------------------------------------------------------------------------------------

    def is_site(self, town: str = "") -> bool:
        """Return whether the seat could build a trading station in a town; empty: the town of its merchant."""
        town = town or self.me.merchant.value
        built = self.t.towns[town].items
        is_free = not built or (town == self.data.shared_station_town and self.me.station not in built)
        return is_free and bool(self.me.stations.items)

    def travel(self, town: str, good: str, *, will_build: bool) -> float:
        """Return the value of travelling to a town and taking a good. ``will_build``: the seat builds in the town."""
        worth, soon = self.goods[good] if good else 0.0, min(1.0, self.left / 3)
        here, there = self.is_site(), self.is_site(town)
        if there and not here:
            worth += self.station if will_build else NEAR_SITE * self.station * soon
        elif here and not there:
            worth -= NEAR_SITE * self.station * soon
        return worth + self._value_of_ways(town) * soon

    def _value_of_ways(self, town: str) -> float:
        """Return the value of the best next step from a town."""
        worth = self._ways.get(town)
        if worth is None:
            worth, points, ways = 0.0, self.data.good_points, self.t.ways
            for kind in self.data.routes.values():
                for route in kind[town]:
                    best = 0
                    for good in ways[route.way].items:
                        best = max(best, points[good])
                    worth = max(worth, 0.2 * best + (0.6 if self.is_site(route.town) else 0.0))
            self._ways[town] = worth
        return worth

    def _best_journey(self, kind: str, *, will_build: bool) -> float:
        """Return the value of the best step along a way of a kind: ``road`` or ``water``."""
        best, points = 0.0, self.data.good_points
        for route in self.data.routes[kind][self.me.merchant.value]:
            good = max(self.t.ways[route.way].items, key=points.__getitem__, default="")
            best = max(best, self.travel(route.town, good, will_build=will_build))
        return best

    # --- places -------------------------------------------------------------------------------------------------------

    def use(self, id: str, *, will_build: bool = False, may_build: bool = False) -> float:
        """Return the value of the best use of a place in this round.

        ``will_build``: the seat uses the Guildhall after this journey. ``may_build``: it can travel before it uses this
        Guildhall.
        """
        worth = self._uses.get((id, will_build, may_build))
        if worth is None:
            worth = self._value_use(id, will_build, may_build)
            self._uses[id, will_build, may_build] = worth
        return worth

    def _value_use(self, id: str, will_build: bool, may_build: bool) -> float:
        place = self.data.places[id]
        if place.recruit:
            return max((self.recruit(who) for who in place.recruit if self._can_recruit(who)), default=0.0)
        if place.travel:
            return self._best_journey(place.travel, will_build=will_build)
        if place.build_station:
            return self.station if may_build or self.is_site() else 0.0
        if place.send_to_deeds or place.market_extension:
            return 0.0
        if place.cancels_event:
            return 2.5 if self.left else 1.0
        return self._gains(place)

    def is_exhausted(self, id: str) -> bool:
        """Return whether a place has no effect for the rest of the game, so that followers on it are wasted."""
        place, data = self.data.places[id], self.data
        tracks = [data.track_of.get(who, "") for who in place.recruit]
        if tracks and all(tracks):
            return all(self.me.track[track].value >= data.track_length[track] for track in tracks)
        if place.build_station:
            return not self.me.stations.items
        if place.development and not (place.coins or place.good):
            return self.me.development.value >= data.last_development
        return False
