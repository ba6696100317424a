"""All commands of a game (see :class:`boardkeeper.titlekit.command_space.EnumerableTitle`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.families.followers.command_space import (
    SpacesOfAllPlaces,
    family_commands,
    surrender_technology,
    use_places,
)
from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.titlekit.command_space import each_of
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.data import WOOD, Data
from boardkeeper.titles.stories.phases.verbs import USE
from boardkeeper.titles.stories.phases.verbs.produce import AREAS


def command_space(data: Data, players: int) -> Sequence[Struct]:
    """Return every command of a game with this data and number of players."""
    return list(_Commands(data, players).all())


class _Commands:
    """The commands of a game. An empty place or town in a command stands for an event, a fame tile or the supply."""

    def __init__(self, data: Data, players: int) -> None:
        self.data = data
        self.players = players
        self.every = SpacesOfAllPlaces(data)
        spaces = data.cells(players)
        self.areas = [id for id in spaces if id not in data.towns]
        self.towns = [id for id in spaces if id in data.towns]
        self.origins = self.towns if data.from_towns else [""]
        """Where settlers come from when a seat expands."""
        self.effects = [event.effect for event in data.events.values()]
        self.event_words = {word for effect in self.effects for word in effect}
        self.tile_words = {word for effect in data.fame_tiles.values() for word in effect}

    def all(self) -> Iterator[Struct]:
        data, every = self.data, self.every
        modifiers = [effect.get("draw_modifier", 0) for effect in self.effects]
        limit = max(era.draw for era in data.eras.values()) + max(0, *modifiers, 0)
        yield from family_commands(every, limit, draws_one="draw_follower_place_now" in self.tile_words)
        used = every.with_verb(*USE)
        yield from use_places(it for it in used if data.places[it.id].produce in ("", AREAS))
        yield from self._territory()
        yield from self._building()
        yield from self._places()
        yield from self._trade()
        yield from self._fame()
        yield from self._events()
        yield from self._secrets()
        yield from self._losses()

    # --- actions of places -----------------------------------------------------------------------------------

    def _territory(self) -> Iterator[Struct]:
        for place in self.data.places.values():
            if not place.territory:
                continue
            if not place.conquest_strength:
                yield from each_of(c.Expand, (place.id,), self.areas, self.origins)
                yield from each_of(c.EnterTown, (place.id,), self.towns)
            yield from each_of(c.Conquer, (place.id,), self.areas, self.origins)
        if "free_expansion" in self.event_words and not self.data.from_towns:
            yield from each_of(c.Expand, ("",), self.areas)

    def _building(self) -> Iterator[Struct]:
        builders = [place.id for place in self.data.places.values() if place.build]
        tile = [""] if "build_church_for_wood" in self.tile_words else []
        yield from each_of(c.Build, (*builders, *tile), self.areas)
        categories = {category for era in self.data.eras.values() for category in era.categories}
        cards = [card for card in self.data.place_cards if self.data.places[card].category in categories]
        takers = [place.id for place in self.data.places.values() if place.take_place_card]
        tile = [""] if "take_place_card" in self.tile_words else []
        yield from each_of(c.TakePlaceCard, (*takers, *tile), cards)

    def _places(self) -> Iterator[Struct]:
        for place in self.data.places.values():
            yield from (c.RecruitFollower(place.id, gain.recruit) for gain in place.choose)
            if place.produce and place.produce != AREAS:
                yield from each_of(c.ProduceGoods, (place.id,), self.data.landscape_goods)
            yield from each_of(c.ConvertCoins, (place.id,), range(1, place.convert_coins + 1))
            yield from each_of(c.ExchangeGoods, (place.id,), range(1, place.exchange_most + 1))

    def _trade(self) -> Iterator[Struct]:
        has_market = any(place.trades for place in self.data.places.values())
        if has_market or "sell_up_to" in self.event_words:
            yield from each_of(c.SellGood, self.data.good_values)
            yield c.FinishTrading()
        if has_market:
            yield from each_of(c.BuyGood, self.data.good_values)

    # --- fame, events and secrets ----------------------------------------------------------------------------

    def _fame(self) -> Iterator[Struct]:
        yield c.DeclineBonus()
        if not self.data.fame_tiles:
            yield from each_of(c.UnlockPlace, self.data.base_places)
            yield from (c.AdvanceEra(), c.TakeCitizen())
            return
        yield c.TakeBonus()
        if "goods_or_coins_worth" in self.tile_words:
            yield c.TakeCoins()
        if "era" in self.tile_words:
            yield from each_of(c.LookAtNation, range(1, self.players + 1))
        if "remove_any_fortress" in self.tile_words:
            yield from each_of(c.RazeFortress, self.areas)

    def _events(self) -> Iterator[Struct]:
        """Yield the answers to events and round bonuses."""
        data = self.data
        words = {word for tile in data.bonus_tiles.values() for word in tile.effect}
        if data.manor_goods or "goods_or_coins_worth" in self.tile_words or "good_of_one_controlled_area" in words:
            yield from each_of(c.TakeGood, data.good_values)
        given = {*data.food, *(effect["may_pay"] for effect in self.effects if "may_pay" in effect)}
        if "pay_wood" in self.event_words:
            given.add(WOOD)
        every_good = "lose_goods" in self.event_words
        yield from (c.GiveGood(good) for good in data.good_values if every_good or good in given)
        if any("pay_coins" in effect and "else_lose" in effect for effect in self.effects):
            yield c.PayCoins()
        newcomers = [it for effect in self.effects for it in effect.get("gain_follower", ())]
        yield from each_of(c.TakeFollower, dict.fromkeys(newcomers))

    def _secrets(self) -> Iterator[Struct]:
        if self.data.nations:
            yield from each_of(c.KeepMessage, self.data.messages)
            yield from (c.DeclareMission(), c.KeepSilent())

    def _losses(self) -> Iterator[Struct]:
        """Yield torture, what events take instead of payment, and settlers that a seat cannot feed."""
        data = self.data
        lost = {effect["else_lose"] for effect in self.effects if "else_lose" in effect}
        if not data.tortures:
            yield from each_of(c.ReturnSettler, (*self.areas, *self.towns))
        if data.tortures or TECHNOLOGY in lost:
            yield from surrender_technology(self.every)
        if data.tortures or lost - {TECHNOLOGY}:
            yield from each_of(c.SurrenderSettler, ("", *self.areas) if data.tortures else self.areas)
        if data.tortures:
            yield from each_of(c.SurrenderFortress, ("", *self.areas))
            yield from each_of(c.SurrenderPlaceCard, (*data.base_places, *data.place_cards))
            yield c.SurrenderCitizen()
