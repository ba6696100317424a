"""What things are worth to a seat, in points expected at the end of the game.

All of it are estimates from the board alone: the points a thing scores by itself, and what it is likely to bring in the
rounds that are left.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from boardkeeper.families.followers.board import PlaceView
from boardkeeper.families.followers.commands import PlaceTechnology
from boardkeeper.families.followers.data import MONK, TECHNOLOGY
from boardkeeper.table.title import Setup
from boardkeeper.titles.stories import data_sets
from boardkeeper.titles.stories.board import AreaView, Board, DeedView, SeatView
from boardkeeper.titles.stories.data import CHURCH, FORTRESS, VILLAGE, WOOD, Data, Gain, Place, data_for
from boardkeeper.titles.stories.meta import META

FOLLOWER = 1.2
"""What a follower at hand brings on average."""

TECHNOLOGY_A_ROUND = 0.6
"""What a technology tile brings in a round."""

CARD_USES_A_ROUND = 0.4
"""How often a place card is used in a round."""

VILLAGES_A_ROUND = 0.3
CITIZENS_A_ROUND = 0.6
"""How many villages and citizens a seat usually gains in a round."""

WOOD_WANTED = 3
"""So much wood is worth more than its points: it is built with."""

SCARCITY = (1.0, 0.8, 0.6, 0.4, 0.25, 0.15)
"""How much of its draw another follower is worth: 0, 1, 2 … more followers than the seat draws in a round."""


ROUNDS = 14
"""How long a story is expected to last that has no number of rounds."""


@cache
def printed() -> tuple[Data, ...]:
    """What boards and cards say, in each story and data set."""
    setups = (
        Setup(edition.id, edition.players[1], {"data_set": each})
        for edition in META.editions
        for each in data_sets.names()
    )
    return tuple(map(data_for, setups))


def printed_for(board: Board, seat: SeatView) -> Data:
    """What boards and cards say on that table: the first that has its nations and the places of the seat."""
    nations = {nation.nation for nation in board.nations}
    places = {place.place for place in seat.places}
    fitting = (data for data in printed() if nations == data.nations.keys() and places <= data.places.keys())
    return next(fitting, printed()[0])


class Outlook:
    """One seat's view of what is worth what, now."""

    def __init__(self, board: Board, seat: int) -> None:
        self.board = board
        self.me: SeatView = board.seats[seat - 1]
        self.places: dict[str, PlaceView] = {place.place: place for place in self.me.places}
        self.data = printed_for(board, self.me)
        self.left = self.data.rounds - board.round if self.data.rounds else max(2, ROUNDS - board.round)
        """Rounds that follow this one."""
        self.areas: dict[str, AreaView] = {area.area: area for area in board.areas}
        self.towns = [area for area in board.areas if seat in area.settlers and area.town]
        self.own = [area for area in board.areas if seat in area.settlers and not area.town]
        self.cells = self.data.cells(len(board.seats))
        placed = (space.occupant for place in self.me.places for space in place.spaces)
        self.at_work = [occupant for occupant in placed if occupant and occupant != TECHNOLOGY]
        self.followers = self.me.bag_count + sum(self.me.market.values()) + len(self.at_work)
        free = (area for area in board.areas if not area.settlers and not area.fortress and not area.town)
        self.free = frozenset(area.area for area in free)

    # --- points --------------------------------------------------------------------------------------------

    def citizen(self) -> float:
        """A citizen: a point for each village at the end."""
        return self.me.villages + VILLAGES_A_ROUND * self.left

    def village(self) -> float:
        """A village: a point for each citizen at the end, or what a nation has of it."""
        if not self.data.rounds:
            return float(self.data.points[VILLAGE])
        return self.me.citizens + CITIZENS_A_ROUND * self.left + 0.5

    def area(self) -> float:
        """An area: its points, its goods, and what can be built there."""
        worth = self.data.points.get("area", 2) + 0.5 * self.left
        return worth + sum(0.25 * self.left for word in self.data.eras[self.me.era].bonus if "settler" in word)

    def church(self) -> float:
        """A church."""
        return float(self.data.points[CHURCH])

    def fame(self, steps: int) -> float:
        """Steps on the fame track: the tiles that they pass, and that the next one comes nearer."""
        tiles, here = self.data.fame_bonuses, self.me.fame
        if not tiles or here >= tiles[-1]:
            return 0.05 * steps
        passed = sum(1 for tile in tiles if here < tile <= here + steps)
        nearer = min(steps, tiles[-1] - here) * len(tiles) / tiles[-1]
        return max(3.0, self.citizen()) * (0.5 * passed + 0.5 * nearer)

    def good(self, good: str) -> float:
        """A good: its points, and for wood what can be built with it."""
        worth = float(self.data.good_values[good])
        if good == WOOD and self.me.goods.get(WOOD, 0) < WOOD_WANTED and self.left:
            worth += 2.0
        return worth

    def follower(self, kind: str) -> float:
        """Another follower of a kind in the bag, for the rest of the game."""
        spare = self.followers - self.me.draw_limit
        worth = self.left * FOLLOWER * SCARCITY[min(max(spare, 0), len(SCARCITY) - 1)]
        if kind in ("scholar", MONK) and self.count(kind) < 2:
            worth += min(6.0, self.left)  # churches need them
        return worth

    def count(self, kind: str) -> int:
        """How many followers of a kind the seat has."""
        return self.me.bag.get(kind, 0) + self.me.market.get(kind, 0) + self.at_work.count(kind)

    def missed(self) -> float:
        """What a follower that leaves for good would have done."""
        spare = self.followers - 1 - self.me.draw_limit
        return self.left * FOLLOWER * SCARCITY[min(max(spare, 0), len(SCARCITY) - 1)]

    def technology(self) -> float:
        """A technology tile: it saves a follower whenever its place is used."""
        return TECHNOLOGY_A_ROUND * self.left

    def mechanized(self, command: PlaceTechnology) -> float:
        """A technology tile on a space: where the action is wanted most, for as long as there are rounds."""
        place = self.data.places[command.place]
        missing = sum(1 for space in self.places[command.place].spaces if not space.occupant)
        return 0.01 + self.gains(place, assumed=True) / (1 + missing) if self.left else -1.0

    # --- the map -------------------------------------------------------------------------------------------

    def enterable(self) -> Iterator[str]:
        """The free areas beside one's own."""
        own = {area.area for area in (*self.own, *self.towns)}
        return (id for id in self.free if not own.isdisjoint(self.cells[id].neighbours))

    def razed(self, area: str) -> float:
        """A fortress less: somebody else's does harm, one's own is missed."""
        return -1.0 if self.areas[area].fortress == self.me.seat else 0.5

    def site(self, area: str) -> float:
        """Having a settler there: richer land, and free land beside it, are better."""
        landscape = self.areas[area].landscape
        good = self.data.landscape_goods.get(landscape, "")
        known = {own.landscape for own in self.own if not own.village}
        worth = self.area() + (0.1 * self.left * self.data.good_values[good] if good else 0.0)
        worth += 0.15 * self.left if good == WOOD and landscape not in known else 0.0
        worth += self.village() if self.areas[area].village else 0.0
        worth += self.church() if self.areas[area].church else 0.0
        return worth + 0.1 * sum(1 for id in self.cells[area].neighbours if id in self.free)

    def buildable(self, building: str) -> list[AreaView]:
        """Where the seat could build it, as far as wood and pieces go."""
        if self.me.goods.get(WOOD, 0) < self.data.building[building]:
            return []
        if building == VILLAGE:
            return [area for area in self.own if not area.village and area.landscape]
        if building == FORTRESS:
            alone = (area for area in self.own if not area.fortress and len(area.settlers) == 1)
            return list(alone) if self.me.fortresses_in_supply else []
        return [area for area in self.own if area.village and not area.church] if self.board.churches else []

    def built(self, building: str, area: AreaView) -> float:
        """Building it there."""
        if building == VILLAGE:
            lost = self.data.good_values[self.data.landscape_goods[area.landscape]]
            return self.village() + self._building_fame() - 0.1 * lost
        if building == CHURCH:
            return self.church() + self._building_fame() - 2.0 * (len(area.settlers) - 1)
        beset = sum(1 for id in self.cells[area.area].neighbours if self._foreign(id))
        return 0.3 * beset + (1.0 if area.church else 0.0) + self._building_fame()

    def _foreign(self, area: str) -> bool:
        return any(seat != self.me.seat for seat in self.areas[area].settlers)

    def _building_fame(self) -> float:
        steps = sum(self.data.places[id].fame_on_build for id in self.places)
        return self.fame(steps) if steps else 0.0

    # --- cards and places ------------------------------------------------------------------------------------

    def card(self, id: str) -> float:
        """Having a place card, or a base place card, open for the rest of the game."""
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
        """What one use brings at its best; ``assumed``: whatever it is exchanged for is there."""
        worth = float(place.coins + place.coins_per_village * self.me.villages)
        worth += self.fame(place.fame) if place.fame else 0.0
        worth += self._taken(place.recruit, place.good)
        worth += max((self.recruited(gives) for gives in place.choose), default=0.0)
        worth += self.technology() * place.technology if self.board.technology else 0.0
        worth += self.harvest(place) if place.produce else 0.0
        worth += self._territory(place) if place.territory else 0.0
        if place.build:
            worth += max((self.built(place.build, area) for area in self.buildable(place.build)), default=0.0)
        worth += self.best_coins(place)[1] if place.convert_coins else 0.0
        worth += 1.0 if place.bathhouse or place.cancels_event else 0.0
        if place.exchange_from:
            each = self.good(place.exchange_to) - self.good(place.exchange_from)
            most = place.exchange_most if assumed else self.me.goods.get(place.exchange_from, 0)
            worth += each * min(place.exchange_most, most)
        if place.take_place_card:
            worth += max((self.card(card) for card in self.open_cards()), default=0.0)
        if place.trades and self.me.villages and self.me.coins >= self.data.good_values[WOOD]:
            worth += max(0.0, self.good(WOOD) - self.data.good_values[WOOD])
        return worth

    def _taken(self, recruit: str, good: str) -> float:
        """A follower and a good, if they have not run out; a place that lacks one of them gives nothing."""
        if (recruit and not self.board.supply.get(recruit)) or (good and not self.board.goods_market.get(good)):
            return 0.0
        return (self.follower(recruit) if recruit else 0.0) + (self.good(good) if good else 0.0)

    def recruited(self, gives: Gain) -> float:
        """What a place gives that leaves the choice between followers."""
        return self._taken(gives.recruit, gives.good) + gives.coins

    def harvest(self, place: Place) -> float:
        """The goods of one's areas."""
        goods = [self.data.landscape_goods[area.landscape] for area in self.own if area.landscape and not area.village]
        worths = {good: self.good(good) * goods.count(good) for good in goods if self.board.goods_market.get(good)}
        return sum(worths.values()) if place.produce == "areas" else max(worths.values(), default=0.0)

    def _territory(self, place: Place) -> float:
        if not (self.towns or self.me.settlers_in_supply) or place.conquest_strength:
            return 0.0
        return max((self.site(area) for area in self.enterable()), default=0.0)

    def best_coins(self, place: Place) -> tuple[int, float]:
        """How many coins to turn into fame, and what that is worth."""
        most = min(place.convert_coins, self.me.coins)
        return max(
            ((coins, self.fame(coins) - coins) for coins in range(1, most + 1)), key=lambda at: at[1], default=(0, 0.0)
        )

    def open_cards(self) -> list[str]:
        """The place cards that the seat's era opens."""
        offered = (each.cards for each in self.board.place_cards if each.category in self.me.categories)
        return [card for cards in offered for card in cards]

    # --- deeds and eras --------------------------------------------------------------------------------------

    def deed(self, deed: DeedView, who: str) -> float:
        """Sending a follower of that character to a deed, less what it would do in the bag."""
        free = sum(deed.free.values())
        if not deed.free.get(who):
            return 0.0
        printed = self.data.deeds[deed.deed]
        fame = printed.fame.get(who, 0)
        worth = printed.coins.get(who, 0) + (self.fame(fame) if fame else 0.0)
        if deed.citizen:
            worth += self.citizen() if free == 1 else 0.2 * self.citizen() / free
        return worth - self.missed() - (2.0 if who == MONK and self.left else 0.0)

    def best_deed(self, who: str) -> float:
        """The best deed for a follower of that character."""
        return max((self.deed(deed, who) for deed in self.board.deeds), default=0.0)

    def next_era(self) -> float:
        """Going on to the next era: more or fewer followers a round, and another bonus."""
        here, there = (self.data.eras[era] for era in (self.me.era, self.me.era + 1))
        usable = min(there.draw, self.followers) - min(here.draw, self.followers)
        bonus = self._round_bonus(self.me.era + 1) - self._round_bonus(self.me.era)
        return self.left * (0.5 * FOLLOWER * usable + bonus)

    def _round_bonus(self, number: int) -> float:
        """What an era brings each round, one with another."""
        era = self.data.eras[number]
        worth = 0.0
        if era.malus and not any(deed.completed for deed in self.board.deeds if deed.deed == era.malus_until_deed):
            worth -= 2.0
        per = {"fame_per_own_settler_on_map": len(self.own), "fame_per_village": self.me.villages}
        per["fame_per_church"] = self.me.churches
        worth += sum(self.fame(steps * per[word]) for word, steps in era.bonus.items() if word in per)
        return worth + float(era.bonus.get("coins_per_village", 0) * self.me.villages)
