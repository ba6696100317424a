"""Features that the golden games of Paladins must contain besides commands, events and choices."""

from __future__ import annotations

from collections.abc import Iterator

from boardkeeper.game.events import GameEvent
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.data import ACTIONS, data_for


def features_of_event(event: GameEvent) -> Iterator[str]:
    """Yield the cards, spaces, inquisitions and schemes of an event."""
    detail = event.detail
    match detail:
        case e.PaladinRevealed():
            yield f"paladin:{detail.paladin}"
        case e.TavernCardTaken():
            yield f"tavern:{detail.tavern}"
        case e.ActionBegun():
            yield f"action:{detail.action}:{detail.workers}"
        case e.TownsfolkHired():
            yield f"hired:{detail.townsfolk}"
        case e.TownsfolkDiscarded():
            yield f"discarded:{detail.townsfolk}"
        case e.TownsfolkUsed():
            yield f"used:{detail.townsfolk}"
        case e.MonkSent() | e.OutpostBuilt():
            yield f"space:{detail.space}"
        case e.Absolved():
            yield f"jar:{detail.space}"
        case e.WallBuilt():
            yield f"wall:{detail.wall}"
        case e.OutsiderAttacked():
            yield f"attacked:{detail.outsider}"
        case e.OutsiderConverted():
            yield f"converted:{detail.outsider}"
        case e.InquisitionBegun():
            yield f"inquisition:{detail.reason}"
        case e.SchemeTurned():
            yield f"scheme:{detail.scheme}"
            yield f"opponent:{detail.action}"
        case _:
            pass


def expected_features() -> frozenset[str]:
    """Return all features of these kinds."""
    data = data_for(Setup("schwerkraft-2019", 4))
    wanted = {f"paladin:{id}" for id in data.paladins} | {f"tavern:{id}" for id in data.tavern}
    wanted |= {
        f"action:{id}:{filling.workers}"
        for id in ACTIONS
        for fillings in data.actions[id].fillings.values()
        for filling in fillings
    }
    wanted |= {f"action:{id}:1" for id in data.favours}
    wanted |= {f"hired:{id}" for id in data.townsfolk} | {f"discarded:{id}" for id in data.townsfolk}
    wanted |= {f"used:{id}" for id, card in data.townsfolk.items() if card.trigger == "inquisition"}
    # Random games hardly reach the last region; every space has its own test.
    wanted |= {f"space:{space.id}" for space, _ in data.all_spaces if space.region < len(data.flags["faith"])}
    wanted |= {f"jar:{id}" for id in data.jar_kinds}
    wanted |= {f"wall:{id}" for id in data.walls}
    wanted |= {f"attacked:{id}" for id in data.outsiders} | {f"converted:{id}" for id in data.outsiders}
    wanted |= {"inquisition:tax"}
    wanted |= {f"scheme:{id}" for id in data.schemes}
    wanted |= {f"opponent:{id}" for id in data.schemes if id not in ("order", "favour")}
    wanted |= {f"opponent:{id}" for id in ("favour", "pray", "trade", "conspire", "rest")}
    return frozenset(wanted)


NEVER_SHOWN = {
    "event:paladins.SuspicionLapsed": "an inquisition always frees some of the 24 cards; tested in test_suspicion.py",
}
"""Features that no golden game contains, with the reason."""
