"""The general supply: what is left in it for people, and which workers the opponent has taken from it.

Unless the game limits it to what was in the box, there is always enough.
"""

from __future__ import annotations

from collections import Counter

from tests.oracle.chance import Chance
from tests.oracle.paladins import facts
from tests.oracle.paladins.sheet import Sheet, Side

TAKEN = "taken by the opponent"
"""Of which colours, the rules leave open; the title's log says, as it does of draws."""
PUT = "put by the opponent"
PLENTY = 1000


def left(sheet: Sheet, thing: str) -> int:
    """How much of one kind of worker, of silver or of provisions the general supply can still give."""
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
    """A person receives as much as there is; returns how much that was."""
    amount = min(amount, left(sheet, thing))
    if thing == "silver":
        side.silver += amount
    elif thing == "provision":
        side.provisions += amount
    else:
        side.workers[thing] += amount
    return amount


def take_worker(sheet: Sheet, side: Side, chance: Chance, worker: str = "") -> bool:
    """The opponent receives that worker, or any but a criminal, which would bring suspicion; tells whether it did."""
    kinds = (worker,) if worker else facts.WORKERS[:-1]
    there = +Counter({kind: left(sheet, kind) for kind in kinds})
    if there:
        side.workers[chance.draw(TAKEN, there)] += 1
    return bool(there)


def put_worker(side: Side, chance: Chance) -> str:
    """The opponent gives up one of its workers for a space, whatever its colour."""
    worker = chance.draw(PUT, side.workers)
    side.workers[worker] -= 1
    return worker
