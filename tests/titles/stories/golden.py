"""Features that the golden games of Orléans Stories must show together, in addition to the registered ones."""

from __future__ import annotations

from collections.abc import Iterator

from boardkeeper.game.events import GameEvent
from boardkeeper.table.effects import Ask
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.data import data_for
from boardkeeper.titles.stories.meta import META
from boardkeeper.titles.stories.play import StoriesPlay


def shows(event: GameEvent) -> Iterator[str]:
    """Return the decisions, places, cards, deeds, tiles, events, eras, missions and torture that an event shows."""
    detail = event.detail
    yield from (f"decision:{effect.after}" for effect in event.effects if isinstance(effect, Ask) and effect.after)
    match detail:
        case e.PlaceUsed() | e.TradingBegun() | e.CoinsConverted() | e.GoodsExchanged() | e.BathhouseVisited():
            yield f"used:{detail.place}"
        case e.AreaEntered() | e.AreaConquered() | e.TownEntered():
            yield f"used:{detail.place}"
        case e.Built():
            yield f"used:{detail.place}"
            yield f"built:{detail.building}"
        case e.PlaceCardTaken():
            yield f"used:{detail.place}"
            yield f"card:{detail.card}"
        case e.SacristyUsed():
            yield "used:sacristy"
        case e.FollowerSentToDeed():
            yield f"used:{detail.place}"
            yield f"deed:{detail.deed}:{detail.follower}"
            if detail.completed:
                yield "deed:completed"
        case e.PlaceUnlocked():
            yield f"unlocked:{detail.place}"
        case e.EraEntered():
            yield f"era:{detail.era}"
        case e.RoundBegun():
            yield f"event:{detail.event}"
        case e.TileUsed():
            yield f"tile:{detail.source}"
        case e.BonusTilesShifted():
            yield f"bonus:{detail.tile}"
        case e.MessageKept():
            yield f"message:{detail.message}"
        case e.MissionJudged():
            yield f"mission:{detail.mission}"
            yield f"fulfilled:{detail.fulfilled}"
        case e.SettlerSurrendered():
            yield "torture:settler_of_map" if detail.area else "torture:settler_of_supply"
        case e.FortressSurrendered():
            yield "torture:fortress_of_map" if detail.area else "torture:fortress_of_supply"
        case e.TechnologySurrendered():
            yield "torture:technology_placed" if detail.place else "torture:technology_held"
        case _:
            pass


def to_show() -> frozenset[str]:
    """Return all features that :func:`shows` can return."""
    wanted = {f"torture:{it}_{where}" for it in ("settler", "fortress") for where in ("of_map", "of_supply")}
    wanted |= {"torture:technology_placed", "torture:technology_held"}
    wanted |= {f"decision:{decision}" for decision in StoriesPlay.dispatcher.legal_functions}
    wanted |= {"fulfilled:True", "fulfilled:False", "deed:completed"}
    for edition in META.editions:
        data = data_for(Setup(edition.id, edition.players[1]))
        wanted |= {f"used:{place.id}" for place in data.places.values() if place.spaces}
        wanted |= {f"card:{card}" for card in data.place_cards} | {f"built:{it}" for it in data.building}
        wanted |= {f"deed:{deed.id}:{follower}" for deed in data.deeds.values() for follower in deed.spaces}
        wanted |= {f"event:{event}" for event in data.events} | {f"era:{era}" for era in data.eras if era > 1}
        wanted |= {f"bonus:{tile}" for tile in data.bonus_tiles}
        wanted |= {f"message:{it}" for it in data.messages} | {f"mission:{it}" for it in data.missions}
    return frozenset(wanted)


NEVER_SHOWN = {
    "command:SufferEvent": "seats that can use a Sacristy rarely decline; see test_sacristy.py",
    "event:stories.EventSuffered": "seats that can use a Sacristy rarely decline; see test_sacristy.py",
    "event:stories.DebtCarried": "a seat rarely has nothing left to surrender; see test_torture.py",
    "torture:technology_held": "technology is placed at once if possible; see test_torture.py",
}
"""Features that no golden game shows, with the reason."""
