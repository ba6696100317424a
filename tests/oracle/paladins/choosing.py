"""The choices of a seat for each decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from tests.oracle.paladins import facts
from tests.oracle.paladins.sheet import WORKSHOP, Sheet, Side

from boardkeeper.titles.paladins import commands as c

OPTIONAL = ("discard_suspicion", "destroy_debt", "pay_debt", "pray", "pray_action", "free_recruit", "free_develop")
"""Rewards that a seat can decline."""
DEBTS = ("destroy_debt", "pay_debt")
"""Optional rewards that a reading can make mandatory."""
ONE_OR_TWO = ("recruit", "hunt", "trade")
"""Actions for one or two workers."""

CHOICES: dict[str, tuple[facts.Gains, ...]] = {
    "discard_suspicion_or_2_silver": (("discard_suspicion",), ("silver", "silver")),
    "pay_debt_or_2_silver": (("pay_debt",), ("silver", "silver")),
    "faith_or_strength_or_influence": (("faith",), ("strength",), ("influence",)),
    "pay_debt_or_2_discard_suspicion": (("pay_debt",), ("discard_suspicion", "discard_suspicion")),
    "free_develop_or_fighter_cleric": (("free_develop",), ("fighter", "cleric")),
}
"""The alternatives of rewards with a choice."""


def options(sheet: Sheet, seat: int) -> set[Struct]:
    """Return all legal commands of a seat."""
    side = sheet.side(seat)
    if side.choice == "first_townsfolk":
        return {c.HireTownsfolk(card) for card in sheet.townsfolk if card}
    if side.choice == "paladin":
        return {c.ChoosePaladin(one, top) for one in side.hand for top in side.hand if one != top}
    if side.choice == "tavern":
        return {c.TakeTavernCard(card) for card in sheet.tavern}
    if side.choice == "act":
        return _actions(sheet, side)
    if side.choice == "keep":
        keep: set[Struct] = {c.KeepWorkers()} if side.workers.total() <= 3 else set()
        return keep | {c.ReturnWorker(worker) for worker in +side.workers}
    if side.choice == "workers":
        return {c.PlaceWorker(worker) for worker in fitting_workers(sheet, side)}
    if side.choice == "reward":
        return {command for kind in +side.due for command in _for_reward(sheet, side, kind)}
    if side.choice == "inquisition":
        return {c.UseTownsfolk(card) for card in side.inquiry}
    return targets(sheet, side, side.choice, sheet.count)


# --- workers --------------------------------------------------------------------------------------------------------


def spaces_to_fill(side: Side, action: str, workers: int) -> list[int]:
    """Return the spaces (from 0) on which this number of workers is placed: coloured ones first."""
    slots = facts.AREAS[action]
    if action in ONE_OR_TWO and workers == 1:
        return [0]
    free = [at for at in range(len(slots)) if side.areas[action][at] != WORKSHOP]
    return sorted(free, key=lambda at: (slots[at] == "any", at))


def required_worker(sheet: Sheet, at: int) -> str:
    """Return the worker that a space of the current action requires."""
    if sheet.action.startswith("favour_"):
        return sheet.favour(sheet.action).worker
    return facts.AREAS[sheet.action][at]


def fitting_workers(sheet: Sheet, side: Side) -> list[str]:
    """Return the workers that are allowed on the next space, if the other spaces can be filled too."""
    slots = [required_worker(sheet, at) for at in sheet.to_fill]
    return [
        worker
        for worker in +side.workers
        if _suits(worker, slots[0]) and _enough(side.workers - Counter([worker]), slots[1:])
    ]


def _suits(worker: str, slot: str) -> bool:
    return slot in ("any", worker) or worker == "criminal"


def _enough(workers: Counter[str], slots: Sequence[str]) -> bool:
    coloured = Counter(slot for slot in slots if slot != "any")
    jokers = coloured.pop("criminal", 0) + (coloured - workers).total()
    return workers.total() >= len(slots) and workers["criminal"] >= jokers


# --- actions --------------------------------------------------------------------------------------------------------


def _actions(sheet: Sheet, side: Side) -> set[Struct]:
    found: set[Struct] = {c.Pass()}
    for action, slots in facts.AREAS.items():
        if side.occupied(action):
            continue
        for workers in (1, 2) if action in ONE_OR_TWO else (0,):
            filled = spaces_to_fill(side, action, workers)
            if _enough(side.workers, [slots[at] for at in filled]) and _possible(sheet, side, action, workers):
                found.add(c.BeginAction(action, len(filled)))
    for card, worker in sheet.favours.items():
        favour = sheet.favour(card)
        affordable = side.silver >= favour.silver and side.provisions >= favour.provisions
        if not worker and affordable and _enough(side.workers, [favour.worker]):
            found.add(c.UseFavour(card))
    return found


def price(sheet: Sheet, side: Side, action: str) -> tuple[int, int]:
    """Return the silver and provisions that an action costs now, without the costs of its target."""
    silver = provisions = 0
    if action in ("commission", "garrison", "fortify"):
        provisions = facts.PROVISIONS[min(side.times(action), 6)]
    elif action == "absolve":
        silver = facts.ABSOLVE_SILVER[min(side.times(action), 6)]
    elif action == "convert":
        silver = facts.CONVERT_SILVER[min(side.times(action), 6)]
    elif action == "develop":
        silver = 4
    elif action == "pray":
        silver = 2
    paladin = facts.PALADINS[side.paladin]
    if paladin.action == action:
        silver, provisions = max(0, silver - paladin.silver_off), max(0, provisions - paladin.provisions_off)
    return silver, provisions


def _possible(sheet: Sheet, side: Side, action: str, workers: int) -> bool:
    silver, provisions = price(sheet, side, action)
    if side.silver < silver or side.provisions < provisions:
        return False
    if action in ("hunt", "trade", "pray", "conspire"):
        return True
    if action == "fortify":
        built = len(side.walls)
        return built < 7 and sheet.walls.total() > 0 and side.level("influence") >= facts.WALL_NUMBERS[built]
    return bool(targets(sheet, side, action, workers))


def targets(sheet: Sheet, side: Side, action: str, workers: int) -> set[Struct]:
    """Return the targets of an action."""
    if action == "develop":
        return _workshop_places(side)
    if action == "recruit":
        discard = workers == 1
        kind = c.DiscardTownsfolk if discard else c.HireTownsfolk
        return {
            kind(card, pay) for at, card in enumerate(sheet.townsfolk) for pay in _payments(sheet, side, at, discard)
        }
    if action == "commission" and side.monks:
        return {c.PlaceMonk(space) for space in reachable(sheet, side.level("faith"), facts.FAITH)}
    if action == "garrison" and side.outposts:
        return {c.PlaceOutpost(space) for space in reachable(sheet, side.level("strength"), sheet.strength_flags())}
    if action == "absolve" and side.jars and side.level("influence") >= sheet.jar_numbers()[7 - side.jars]:
        return {c.PlaceJar(space) for space in facts.JAR_SPACES if side.jar_spaces[space] < sheet.jar_room(space)}
    if action == "attack":
        costs = {card: top_up(sheet, side, at) for at, card in enumerate(sheet.outsiders) if card}
        return {c.AttackOutsider(card) for card, cost in costs.items() if side.silver >= cost}
    if action == "convert" and len(side.converted) < 7:
        faith = side.level("faith")
        return {c.ConvertOutsider(card) for at, card in enumerate(sheet.outsiders) if card and faith >= facts.FAITH[at]}
    return set()


def reachable(sheet: Sheet, level: int, flags: Sequence[int]) -> list[str]:
    """Return the free spaces of regions with a sufficient flag, from left to right."""
    return [
        space
        for space, (seat, _) in sheet.spaces.items()
        if not seat and level >= flags[facts.SPACES[space].region - 1]
    ]


def top_up(sheet: Sheet, side: Side, at: int) -> int:
    """Return the silver that replaces missing strength."""
    level, flags = side.level("strength"), sheet.strength_flags()
    if sheet.choices["attack_top_up"] == "by_cards_skipped":
        return sum(1 for index in range(at + 1) if sheet.outsiders[index] and flags[index] > level)
    return (max(0, flags[at] - level) + 1) // 2


def silver_of(side: Side, at: int) -> int:
    """Return the price of a card in the townsfolk row for a seat."""
    paladin = facts.PALADINS[side.paladin]
    off = paladin.silver_off if paladin.action == "recruit" else 0
    return max(0, facts.ROW_SILVER[at] - off)


def _payments(sheet: Sheet, side: Side, at: int, discard: bool) -> list[str]:
    if not sheet.townsfolk[at]:
        return []
    allowed = not discard or sheet.choices["debt_for_discard"] == "allowed"
    debt = ["debt"] if facts.ROW_DEBT[at] and sheet.debts and allowed else []
    return (["silver"] if side.silver >= silver_of(side, at) else []) + debt


def _workshop_places(side: Side) -> set[Struct]:
    if side.developed == 8:
        return set()
    return {
        c.PlaceWorkshop(action, at + 1) for action in facts.RIGHT for at in (0, 1) if side.areas[action][at] != WORKSHOP
    }


# --- rewards --------------------------------------------------------------------------------------------------------


def is_void(sheet: Sheet, side: Side, kind: str) -> bool:
    """Return whether a reward has no effect."""
    if kind == "discard_suspicion":
        return not side.suspicion
    if kind in ("pay_debt", "destroy_debt"):
        return not side.unpaid
    if kind in ("pray", "pray_action"):
        return not clearable(sheet, side, kind)
    if kind == "free_recruit":
        return not any(sheet.townsfolk)
    if kind == "free_develop":
        return not _workshop_places(side)
    return kind == "take_debt" and not sheet.debts


def keepers(sheet: Sheet, side: Side) -> list[str]:
    """Return the cards for which a seat can keep suspicion; "any reason" if the reading requires no card."""
    if sheet.choices["suspicion_kept_for"] == "any_reason":
        return ["any reason"]
    cards = [*side.townsfolk, *side.converted]
    if sheet.choices["suspicion_kept_for"] == "open_cards":
        cards += sheet.townsfolk
        cards += sheet.outsiders if len(side.converted) < 7 else []
    return [card for card in cards if card.startswith(("peddler", "thief"))]


def clearable(sheet: Sheet, side: Side, kind: str) -> list[str]:
    """Return the areas that praying can clear."""
    any_area = kind == "pray" or sheet.choices["pray_action_target"] == "any_area"
    return [action for action in facts.AREAS if side.occupied(action) and (any_area or action != "pray")]


def _for_reward(sheet: Sheet, side: Side, kind: str) -> list[Struct]:
    if kind in CHOICES:
        numbers = range(1, len(CHOICES[kind]) + 1)
        full = [at for at in numbers if not all(is_void(sheet, side, gain) for gain in CHOICES[kind][at - 1])]
        rejects_void = sheet.choices["void_choice"] == "refused"
        return [c.ChooseReward(kind, at) for at in (full if full and rejects_void else numbers)]
    found: list[Struct]
    if kind in ("pray", "pray_action"):
        found = [c.ClearArea(action) for action in clearable(sheet, side, kind)]
    elif kind == "free_recruit":
        found = [c.HireTownsfolk(card) for card in sheet.townsfolk if card]
        if sheet.choices["free_recruit"] == "hire_or_discard":
            found += [c.DiscardTownsfolk(card) for card in sheet.townsfolk if card]
    elif kind == "free_develop":
        found = list(_workshop_places(side))
    else:
        found = [] if is_void(sheet, side, kind) else [c.TakeReward(kind)]
    is_forced = kind in DEBTS and sheet.choices["debts_kept"] == "forbidden" and not is_void(sheet, side, kind)
    return [*found, c.ForgoReward(kind)] if kind in OPTIONAL and not is_forced else found
