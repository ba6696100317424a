"""The holdings of a seat, named as in ``components.toml``: tests compare them before and after a card takes effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tests.titles.paladins.kit import PaladinsGame

from boardkeeper.table.effects import Event
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.data import ATTRIBUTES, WORKERS
from boardkeeper.titles.paladins.meta import META, tables_of

TABLES = tables_of(META.default_edition)
"""All boards and cards of the file."""

NOT_HELD = ("pray", "free_recruit", "free_develop")
"""Rewards that change the table but not the holdings."""


def ids_of(group: str) -> list[str]:
    """Return the ids of a group of components."""
    return [id for id, table in TABLES[group].items() if isinstance(table, dict)]


def holdings(game: PaladinsGame, seat: int = 1) -> Counter[str]:
    """Return everything that a reward can change, and the tax supply."""
    own = game.seat(seat)
    has = Counter({worker: own.workers.items.get(worker, 0) for worker in WORKERS})
    has |= {attribute: own.attributes[attribute].value for attribute in ATTRIBUTES}
    has |= {"silver": own.silver.value, "provision": own.provisions.value, "in the tax supply": game.t.tax.value}
    return Counter(has | {"suspicion": own.suspicion.total(), "unpaid": own.unpaid.total(), "paid": own.paid.total()})


def change(before: Counter[str], after: Counter[str]) -> dict[str, int]:
    """Return the differences of holdings."""
    return {word: after[word] - before[word] for word in {*before, *after} if after[word] != before[word]}


def change_by(words: Iterable[str]) -> dict[str, int]:
    """Return the change by a printed reward, for a seat with suspicion and debts and suspicion cards without tax."""
    more: Counter[str] = Counter()
    for word in words:
        match word:
            case "tax":
                more["silver"] += 1
                more["in the tax supply"] -= 1
            case "criminal":
                more["criminal"] += 1
                more["suspicion"] += 1
            case "discard_suspicion":
                more["suspicion"] -= 1
            case "destroy_debt":
                more["unpaid"] -= 1
            case "pay_debt":
                more["unpaid"] -= 1
                more["paid"] += 1
            case "take_debt":
                more["unpaid"] += 1
            case _ if word not in NOT_HELD:
                more[word] += 1
    return {word: count for word, count in more.items() if count}


def enrich(game: PaladinsGame, seat: int = 1) -> PaladinsGame:
    """Give a seat suspicion, debts, silver and provisions, so that every reward has an effect; take its workers."""
    game.suspicion(seat, 0, 0, 0).debts(seat, unpaid=3).at(seat, silver=5, provisions=5).next_suspicion(0)
    return game.workers(seat)


def create_ready_game(players: int = 2, **choices: str) -> PaladinsGame:
    """Create a game in which seat 1 lacks at most workers and spaces for any action."""
    game = PaladinsGame(players, **choices).turn().at(1, silver=9, provisions=9, faith=5, strength=5, influence=5)
    return game.display("townsfolk", "", "", "", "", "defender_1").display("outsiders", "mercenary_viking")


def take_all(game: PaladinsGame, seat: int = 1) -> list[Event]:
    """Take all due rewards, always the first possible one, and return all events."""
    events: list[Event] = []
    while game.decision(seat) == "reward":
        events += game.do(seat, next(it for it in game.legal(seat) if not isinstance(it, c.ForgoReward)))
    return events


def place_workers(game: PaladinsGame, action: str, count: int = 0, seat: int = 1) -> list[Event]:
    """Give a seat exactly the workers that the free spaces of an action need, and begin the action.

    ``count`` applies to the actions that take one or two workers.
    """
    fewest = count if action in ("recruit", "hunt", "trade") else 0
    slots = [
        slot
        for slot, space in zip(TABLES["actions"][action]["slots"], game.seat(seat).areas[action].spaces, strict=True)
        if not space.items
    ][: fewest or None]
    workers: Counter[str] = Counter("labourer" if slot == "any" else slot for slot in slots)
    game.workers(seat, **workers)
    return game.do(seat, c.BeginAction(action, len(slots)))
