"""The general supply. It is unlimited, unless the game limits it to the contents of the box."""

from __future__ import annotations

from collections import Counter

from tests.oracle.chance import Chance
from tests.oracle.paladins import facts
from tests.oracle.paladins.sheet import Sheet, Side

TAKEN = "taken by the opponent"
"""The rules do not say which workers the opponent takes and places. Like draws, they come from the events."""
PUT = "put by the opponent"
PLENTY = 1000


def left(sheet: Sheet, thing: str) -> int:
    """Return the number of workers of a kind, silver or provisions that are left."""
    if sheet.choices["supply_limits"] == "unlimited":
        return PLENTY
    if thing == "silver":
        out = sheet.tax + sum(side.silver for side in sheet.sides)
    elif thing == "provision":
        out = sum(side.provisions for side in sheet.sides)
    else:
        out = sum(side.workers[thing] for side in sheet.sides) + list(sheet.favours.values()).count(thing)
        out += sum(spaces.count(thing) for side in sheet.sides for spaces in side.areas.values())
    return max(0, facts.IN_THE_BOX[thing] - out)


def take(sheet: Sheet, side: Side, thing: str, amount: int = 1) -> int:
    """Give a person as much as is left. Return the amount."""
    amount = min(amount, left(sheet, thing))
    if thing == "silver":
        side.silver += amount
    elif thing == "provision":
        side.provisions += amount
    else:
        side.workers[thing] += amount
    return amount


def take_worker(sheet: Sheet, side: Side, chance: Chance, worker: str = "") -> bool:
    """Give the opponent a worker, by default any except a criminal. Return whether one was left."""
    kinds = (worker,) if worker else facts.WORKERS[:-1]
    available = +Counter({kind: left(sheet, kind) for kind in kinds})
    if available:
        side.workers[chance.draw(TAKEN, available)] += 1
    return bool(available)


def put_worker(side: Side, chance: Chance) -> str:
    """Let the opponent place one of its workers, of any colour."""
    worker = chance.draw(PUT, side.workers)
    side.workers[worker] -= 1
    return worker
