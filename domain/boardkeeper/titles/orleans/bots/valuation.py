"""Estimated values of components and actions for a seat, in points at the end of the game.

A value is the sum of the points that a component scores itself and those that it can gain in the remaining rounds. It
uses only information that the seat sees.
"""

from __future__ import annotations

from boardkeeper.families.followers.bots import SeatValuation
from boardkeeper.families.followers.data import CITIZEN, MONK, character, is_marked
from boardkeeper.families.followers.phases.verbs.deeds import spaces_left
from boardkeeper.titles.orleans.data import Place
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.phases.verbs import recruit, station
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

    FOLLOWER = FOLLOWER
    SCARCITY = (1.0, 0.8, 0.55, 0.35, 0.2, 0.12)

    def __init__(self, t: Orleans, me: Seat) -> None:
        super().__init__(t, me, t.data.rounds - t.round.value)
        self.data = t.data
        development = min(self.data.last_development, me.development.value + DEVELOPMENT_A_ROUND * self.left)
        self.final_status = self._smooth_status(development)
        self.holdings = me.built_stations() + me.citizens.total() + HOLDINGS_A_ROUND * self.left

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
        data, before = self.data, self.me.development.value
        after = min(before + points, data.last_development)
        if after <= before:
            return 0.0
        near = 1.0 / (1.0 + self.left)
        smooth = self._smooth_status(after) - self._smooth_status(before)
        status = near * (data.status_at[after] - data.status_at[before]) + (1.0 - near) * smooth
        worth: float = status * (self.holdings + self._remaining_strength("income"))
        worth += sum(coins for space, coins in data.development_coins.items() if before < space <= after)
        for space, pile in self.t.development_citizens.items():
            if pile.items and before < space <= after:
                worth += self.final_status
            elif pile.items and after < space:
                worth += 0.1 * self.final_status * (after - before) / (space - before)
        return worth

    def _remaining_strength(self, event: str) -> int:
        """Return the sum of the numbers on the remaining tiles of an event, with this round's tile until it applies."""
        t = self.t
        is_now = t.event.value == event and t.phase.value != "event"
        total = self.strength(event, t.strength.value) if is_now else 0
        for pile in t.hour_glass.values():
            for tile, count in pile.items.items():
                kind, _, letter = tile.partition(".")
                total += count * self.strength(event, letter) if kind == event else 0
        return total

    def strength(self, event: str, letter: str) -> int:
        """Return the number on the tile of an event, or 0 if it has none."""
        return self.data.strengths.get(letter, {}).get(event, 0)

    def station(self) -> float:
        """Return the value of a built trading station."""
        return self.final_status + self._remaining_strength("trading_day")

    def good(self, good: str) -> float:
        """Return the value of a good: its points, or its value as food while a Harvest may need it."""
        points, food = float(self.data.good_points[good]), self.data.food
        if good in food and sum(self.me.goods.items.get(kind, 0) for kind in food) < self._remaining_strength(
            "harvest"
        ):
            return max(points, MISSING_FOOD)
        return points

    # --- followers and recruiting ---------------------------------------------------------------------------------

    def lost_follower(self, who: str) -> float:
        """Return the value that the seat loses when a follower leaves it permanently."""
        return self.draw_value(self.followers - 1) + (0.1 * self.left if character(who) == MONK else 0.0)

    def recruit(self, who: str, place_tile: str = "") -> float:
        """Return the value of recruiting a character now: the follower and the reward of its track."""
        worth = self.draw_value(self.followers) + (0.06 * self.left if who == MONK else 0.0)
        track = self.data.track_of.get(who, "")
        if not track:
            return worth
        position = self.me.track[track].value
        match track:
            case "farmers":
                worth += self.good(self.data.farmers_goods[position]) + self._census()
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
        worth += place.coins_per_station * me.built_stations()
        worth += self.development(place.development) if place.development else 0.0
        worth += self.good(place.good) if place.good in self.t.goods_market.items else 0.0
        worth += self.technology() if place.technology and self.t.technology.items else 0.0
        prices = range(1, min(place.development_for_coins, me.coins.value) + 1)
        worth += max((self.development(coins) - coins for coins in prices), default=0.0)
        return worth + (1.6 if place.bathhouse else 0.0)

    # --- deeds --------------------------------------------------------------------------------------------------

    def deed(self, id: str, who: str, reward: str = "") -> float:
        """Return the value of sending a follower to a deed, less its value in the bag."""
        t, deed = self.t, self.data.deeds[id]
        if is_marked(who) or not spaces_left(t, deed, who):
            return 0.0
        rewards = (coins_and_development(deed, it) for it in ([reward] if reward else deed.rewards))
        worth = max(max(float(coins), self.development(points)) for coins, points in rewards)
        if t.deeds[id].items.get(CITIZEN):
            free = sum(spaces_left(t, deed, each) for each in deed.spaces)
            worth += self.final_status if free == 1 else 0.25 * self.final_status / free
        return worth - self.lost_follower(who)

    def best_deed(self, who: str) -> float:
        """Return the value of the best deed for a follower of that character."""
        return max((self.deed(id, who) for id in self.data.deeds), default=0.0)

    # --- the merchant ----------------------------------------------------------------------------------------------

    def is_site(self, town: str = "") -> bool:
        """Return whether the seat could build a trading station in a town; empty: the town of its merchant."""
        return not station.find_rejection(self.t, self.me, town)

    def travel(self, town: str, good: str, *, will_build: bool) -> float:
        """Return the value of travelling to a town and taking a good. ``will_build``: the seat builds in the town."""
        worth, soon = self.good(good) if good else 0.0, min(1.0, self.left / 3)
        here, there = self.is_site(), self.is_site(town)
        if there and not here:
            worth += self.station() if will_build else NEAR_SITE * self.station() * soon
        elif here and not there:
            worth -= NEAR_SITE * self.station() * soon
        return worth + self._value_of_ways(town) * soon

    def _value_of_ways(self, town: str) -> float:
        """Return the value of the best next step from a town."""
        points, worth = self.data.good_points, 0.0
        for route in (*self.data.routes["road"][town], *self.data.routes["water"][town]):
            best = max((points[good] for good in self.t.ways[route.way].items), default=0)
            worth = max(worth, 0.2 * best + (0.6 if self.is_site(route.town) else 0.0))
        return worth

    def _best_journey(self, kind: str, *, will_build: bool) -> float:
        """Return the value of the best step along a way of a kind: ``road`` or ``water``."""
        best = 0.0
        for route in self.data.routes[kind][self.me.merchant.value]:
            good = max(self.t.ways[route.way].items, key=lambda good: self.data.good_points[good], default="")
            best = max(best, self.travel(route.town, good, will_build=will_build))
        return best

    # --- places -------------------------------------------------------------------------------------------------------

    def use(self, id: str, *, will_build: bool = False, may_build: bool = False) -> float:
        """Return the value of the best use of a place in this round.

        ``will_build``: the seat uses the Guildhall after this journey. ``may_build``: it can travel before it uses this
        Guildhall.
        """
        place = self.data.places[id]
        if place.recruit:
            return max((self.recruit(who) for who in place.recruit if self._can_recruit(who)), default=0.0)
        if place.travel:
            return self._best_journey(place.travel, will_build=will_build)
        if place.build_station:
            return self.station() if may_build or self.is_site() else 0.0
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
