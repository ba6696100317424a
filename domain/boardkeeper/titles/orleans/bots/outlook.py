"""What things are worth to a seat, in points expected at the end of the game.

All of it are estimates from the board alone: the points a thing scores by itself, and what it is likely to bring in the
rounds that are left.
"""

from __future__ import annotations

from functools import cache

from boardkeeper.families.followers.board import PlaceView
from boardkeeper.families.followers.data import MONK, TECHNOLOGY, character, is_marked
from boardkeeper.table.title import Setup
from boardkeeper.titles.orleans.board import Board, DeedView, SeatView
from boardkeeper.titles.orleans.data import GOODS, TRACKS, Data, Place, data_for
from boardkeeper.titles.orleans.meta import META

TRACK_OF = dict(zip(("farmer", "boatman", "craftsman", "trader", "knight", "scholar"), TRACKS, strict=True))

FOLLOWER = 1.4
"""What a follower at hand brings on average."""

DEVELOPMENT_A_ROUND = 1.2
"""How far a seat usually advances on the development track in a round."""

HOLDINGS_A_ROUND = 0.6
"""How many trading stations and citizens a seat usually gains in a round."""

TECHNOLOGY_A_ROUND = 0.8
"""What a technology tile brings in a round."""

MISSING_FOOD = 4.0
"""What food is worth that a harvest to come will ask for; else it costs five coins."""

TILE_USES_A_ROUND = 0.6
"""How often a place tile is used in a round."""

NEAR_SITE = 0.3
"""How much of a trading station it is worth to stand where one can be built."""

SCARCITY = (1.0, 0.8, 0.55, 0.35, 0.2, 0.12)
"""How much of its draw another follower is worth: 0, 1, 2 … more followers than the seat draws in a round."""


@cache
def printed(hour_glass: str = "graded") -> Data:
    """What boards and tiles say. Editions differ in supplies, which the board shows, and not in this."""
    edition = META.edition(META.default_edition)
    return data_for(Setup(edition.id, edition.players[1], {"hour_glass": hour_glass}))


class Outlook:
    """One seat's view of what is worth what, now."""

    def __init__(self, board: Board, seat: int) -> None:
        self.board = board
        self.data = printed()
        self.me: SeatView = board.seats[seat - 1]
        self.places: dict[str, PlaceView] = {place.place: place for place in self.me.places}
        self.left = self.data.rounds - board.round
        """Rounds that follow this one."""
        development = min(self.data.last_development, self.me.development + DEVELOPMENT_A_ROUND * self.left)
        self.final_status = self._smooth_status(development)
        self.holdings = len(self.me.stations) + self.me.citizens + HOLDINGS_A_ROUND * self.left
        placed = (space.occupant for place in self.me.places for space in place.spaces)
        at_work = sum(1 for occupant in placed if occupant and occupant != TECHNOLOGY)
        self.followers = self.me.bag_count + sum(self.me.market.values()) + at_work
        self.stationed = {town for other in board.seats for town in other.stations}

    # --- points --------------------------------------------------------------------------------------------

    def _smooth_status(self, development: float) -> float:
        """The status at a position, with fractions on the way to the next."""
        status_at = self.data.status_at
        position = int(development)
        status = status_at[position]
        starts = [space for space in range(len(status_at)) if not space or status_at[space] != status_at[space - 1]]
        here = max(space for space in starts if space <= position)
        ahead = [space for space in starts if space > position]
        return status + ((development - here) / (ahead[0] - here) if ahead else 0.0)

    def development(self, points: int) -> float:
        """Development points: status for all holdings, coins and citizens on the way, income."""
        before = self.me.development
        after = min(before + points, self.data.last_development)
        if after <= before:
            return 0.0
        steps = self.data.status_at[after] - self.data.status_at[before]
        smooth = self._smooth_status(after) - self._smooth_status(before)
        near = 1.0 / (1.0 + self.left)
        status = near * steps + (1.0 - near) * smooth
        worth: float = status * (self.holdings + self._coming("income"))
        worth += sum(coins for space, coins in self.data.development_coins.items() if before < space <= after)
        for space in self.data.development_citizens:
            if f"development.{space}" in self.board.citizens_on_tracks:
                if before < space <= after:
                    worth += self.citizen()
                elif after < space:
                    worth += 0.1 * self.citizen() * (after - before) / (space - before)
        return worth

    def _coming(self, event: str) -> int:
        """The sum of the strengths at which an event is still to come, this round's included."""
        shown = self.board.hour_glass
        total = self.strength(event, shown.strength) if shown.event == event and self.board.phase != "event" else 0
        for tile, count in shown.remaining.items():
            kind, _, pile = tile.partition(".")
            if kind == event:
                total += count * self.strength(event, pile)
        return total

    def strength(self, event: str, pile: str) -> int:
        """The number on the tile of an event, also of one without a letter."""
        data = self.data if pile in self.data.strengths else printed("ungraded")
        return data.strengths.get(pile, {}).get(event, 0)

    def citizen(self) -> float:
        """A citizen."""
        return self.final_status

    def station(self) -> float:
        """A built trading station."""
        return self.final_status + self._coming("trading_day")

    def good(self, good: str) -> float:
        """A good: its points, and its use as food for as long as a harvest may come."""
        worth = float(self.data.good_points[good])
        if good in self.data.food:
            food = sum(self.me.goods.get(kind, 0) for kind in self.data.food)
            due = self._coming("harvest")
            if food < due:
                worth = max(worth, MISSING_FOOD)
        return worth

    # --- followers and what recruiting brings -----------------------------------------------------------------

    def follower(self, kind: str) -> float:
        """Another follower of a kind in the bag, for the rest of the game."""
        worth = self.left * FOLLOWER * self._scarcity(self.followers)
        return worth + (0.06 * self.left if character(kind) == MONK else 0.0)

    def _scarcity(self, followers: int) -> float:
        """How much of a draw depends on there being one more than that many followers."""
        spare = followers - self.me.draw_limit
        return SCARCITY[min(max(spare, 0), len(SCARCITY) - 1)]

    def recruit(self, who: str, place_tile: str = "") -> float:
        """Recruiting a character now."""
        worth = self.follower(who)
        track = TRACK_OF.get(who, "")
        position = self.me.tracks.get(track, 0)
        if track == "farmers":
            worth += self.good(self.data.farmers_goods[position]) + self._census()
        elif track == "boatmen":
            worth += self.data.boatmen_coins[position]
        elif track == "craftsmen":
            worth += self.technology()
        elif track == "traders":
            tiles = [place_tile] if place_tile else self.tiles_on_offer()
            worth += max((self.tile(tile) for tile in tiles), default=0.0)
        elif track == "knights":
            before, after = self.data.knights_draw[position : position + 2]
            worth += (after - before) * FOLLOWER * self.left * (1.0 - 0.7 * self._scarcity(self.followers + 1))
        elif track == "scholars":
            worth += self.development(self.data.scholars_development[position])
        if track in self.board.citizens_on_tracks and self.data.track_citizens[track] == position + 1:
            worth += self.citizen()
        return worth

    def _census(self) -> float:
        farmers = self.me.tracks["farmers"]
        others = [seat.tracks["farmers"] for seat in self.board.seats if seat.seat != self.me.seat]
        worth = 0.0
        if farmers <= max(others) <= farmers + 1:
            worth += 0.3 * self.left
        if len(others) > 1 and farmers <= min(others):
            worth += 0.3 * self.left
        return worth

    def can_recruit(self, who: str) -> bool:
        """Whether that character can be recruited this round as far as supply, track and event go."""
        if who == MONK and self.board.hour_glass.event == "pilgrimage":
            return False
        if not self.board.supply.get(who):
            return False
        track = TRACK_OF.get(who)
        if track is None:
            return True
        position = self.me.tracks[track]
        if position >= self.data.track_length[track]:
            return False
        if track == "farmers":
            return bool(self.board.goods_market.get(self.data.farmers_goods[position]))
        if track == "craftsmen":
            return self.board.technology > 0
        return track != "traders" or bool(self.tiles_on_offer())

    def technology(self) -> float:
        """A technology tile: it saves a follower nearly every round."""
        return TECHNOLOGY_A_ROUND * self.left

    # --- place tiles --------------------------------------------------------------------------------------------

    def tiles_on_offer(self) -> list[str]:
        """The place tiles that the next trader may bring."""
        position = self.me.tracks["traders"]
        if position >= len(self.data.traders_tiles):
            return []
        categories = self.data.traders_tiles[position]
        tiles = list(self.board.place_tiles_1) if "1" in categories else []
        return tiles + (list(self.board.place_tiles_2) if "2" in categories else [])

    def tile(self, id: str) -> float:
        """Owning a place tile for the rest of the game."""
        place = self.data.places[id]
        if place.stands_for:
            return 0.35 * self.left
        if place.cancels_event:
            return 0.3 * self.left
        if place.market_extension:
            return 0.2 * self.left
        spare = self.gains(place) - FOLLOWER * len(place.spaces)
        return max(0.0, spare) * TILE_USES_A_ROUND * self.left

    def gains(self, place: Place) -> float:
        """What one use of a place brings that gives coins, development, a good or technology."""
        worth = float(place.coins + place.coins_per_status * self.me.status)
        worth += place.coins_per_station * len(self.me.stations)
        worth += self.development(place.development) if place.development else 0.0
        if place.good:
            worth += self.good(place.good) if self.board.goods_market.get(place.good) else 0.0
        if place.technology and self.board.technology:
            worth += self.technology()
        if place.development_for_coins:
            worth += self.best_price(place)[1]
        if place.bathhouse:
            worth += 1.6
        return worth

    def best_price(self, place: Place) -> tuple[int, float]:
        """How many coins to turn into development at the Pharmacy, and what that is worth."""
        most = min(place.development_for_coins, self.me.coins)
        prices = [(coins, self.development(coins) - coins) for coins in range(1, most + 1)]
        return max(prices, key=lambda price: price[1], default=(0, 0.0))

    # --- deeds --------------------------------------------------------------------------------------------------

    def deed(self, deed: DeedView, who: str, reward: str = "") -> float:
        """Sending a follower of that character to a deed, less what it would do in the bag."""
        if is_marked(who) or not deed.free.get(who):
            return 0.0
        printed_deed = self.data.deeds[deed.deed]
        coins = float(printed_deed.coins)
        if printed_deed.development and reward != "coins":
            coins = max(coins if not reward else 0.0, self.development(printed_deed.development))
        worth = coins
        free = sum(deed.free.values())
        if deed.citizen:
            worth += self.citizen() if free == 1 else 0.25 * self.citizen() / free
        return worth - self.missed(who)

    def missed(self, who: str) -> float:
        """What a follower that leaves for good would have done."""
        worth = self.left * FOLLOWER * self._scarcity(self.followers - 1)
        return worth + (0.1 * self.left if character(who) == MONK else 0.0)

    def best_deed(self, who: str) -> float:
        """The best deed for a follower of that character."""
        return max((self.deed(deed, who) for deed in self.board.deeds), default=0.0)

    # --- the merchant ----------------------------------------------------------------------------------------------

    def buildable(self, town: str) -> bool:
        """Whether the seat could build a trading station there."""
        if not self.me.stations_in_supply:
            return False
        if town == self.data.shared_station_town:
            return town not in self.me.stations
        return town not in self.stationed

    def travel(self, town: str, good: str, *, will_build: bool) -> float:
        """Travelling to a town and taking a good; ``will_build`` if a Guildhall is ready or planned."""
        worth = self.good(good) if good else 0.0
        here, there = self.buildable(self.me.merchant), self.buildable(town)
        if there and not here:
            worth += self.station() if will_build else NEAR_SITE * self.station() * min(1.0, self.left / 3)
        elif here and not there:
            worth -= NEAR_SITE * self.station() * min(1.0, self.left / 3)
        return worth + self._neighborhood(town) * min(1.0, self.left / 3)

    def _neighborhood(self, town: str) -> float:
        """What the ways out of a town promise."""
        worth = 0.0
        for way in self.board.ways:
            if town in way.towns:
                best = max((self.data.good_points[good] for good in way.goods), default=0)
                other = way.towns[0] if way.towns[1] == town else way.towns[1]
                worth = max(worth, 0.2 * best + (0.6 if self.buildable(other) else 0.0))
        return worth

    def best_journey(self, kind: str, *, will_build: bool) -> float:
        """The best step along a road or waterway."""
        best = 0.0
        for route in self.data.routes[kind][self.me.merchant]:
            goods = next(way.goods for way in self.board.ways if way.way == route.way)
            good = max(goods, key=lambda good: self.data.good_points[good], default="")
            best = max(best, self.travel(route.town, good, will_build=will_build))
        return best

    # --- places -------------------------------------------------------------------------------------------------------

    def use(self, id: str, *, will_build: bool = False, may_build: bool = False) -> float:
        """Carrying out the action of a place this round at its best.

        ``will_build``: a Guildhall follows the journey; ``may_build``: a journey precedes the Guildhall.
        """
        place = self.data.places[id]
        if place.recruit:
            return max((self.recruit(who) for who in place.recruit if self.can_recruit(who)), default=0.0)
        if place.travel:
            return self.best_journey(place.travel, will_build=will_build)
        if place.build_station:
            return self.station() if may_build or self.buildable(self.me.merchant) else 0.0
        if place.send_to_deeds or place.market_extension:
            return 0.0
        if place.cancels_event:
            return 2.5 if self.left else 1.0
        return self.gains(place)

    def is_dead(self, id: str) -> bool:
        """Whether a place can no longer bring anything in this game, so that followers on it are wasted."""
        place = self.data.places[id]
        if place.recruit and all(who in TRACK_OF for who in place.recruit):
            tracks = [TRACK_OF[who] for who in place.recruit]
            return all(self.me.tracks[track] >= self.data.track_length[track] for track in tracks)
        if place.build_station:
            return not self.me.stations_in_supply
        if place.development and not (place.coins or place.good):
            return self.me.development >= self.data.last_development
        return False


__all__ = ["FOLLOWER", "GOODS", "Outlook", "printed"]
