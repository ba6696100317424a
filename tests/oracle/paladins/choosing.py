"""Everything that a seat may choose, by the decision that is open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from tests.oracle.paladins import facts
from tests.oracle.paladins.sheet import WORKSHOP, Sheet, Side

from boardkeeper.titles.paladins import commands as c

OPTIONAL = ("discard_suspicion", "destroy_debt", "pay_debt", "pray", "pray_action", "free_recruit", "free_develop")
"""Rewards that a seat may do without."""
DEBTS = ("destroy_debt", "pay_debt")
"""Those of them for which a reading says when."""
ONE_OR_TWO = ("recruit", "hunt", "trade")
"""Actions for one worker or for two."""

CHOICES: dict[str, tuple[facts.Gains, ...]] = {
    "discard_suspicion_or_2_silver": (("discard_suspicion",), ("silver", "silver")),
    "pay_debt_or_2_silver": (("pay_debt",), ("silver", "silver")),
    "faith_or_strength_or_influence": (("faith",), ("strength",), ("influence",)),
    "pay_debt_or_2_discard_suspicion": (("pay_debt",), ("discard_suspicion", "discard_suspicion")),
    "free_develop_or_fighter_cleric": (("free_develop",), ("fighter", "cleric")),
}
"""What the rewards offer that let choose."""


def options(sheet: Sheet, seat: int) -> set[Struct]:
    """All commands that a seat may give."""
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
        return {c.PlaceWorker(worker) for worker in fitting(sheet, side)}
    if side.choice == "reward":
        return {command for kind in +side.due for command in _for_reward(sheet, side, kind)}
    if side.choice == "inquisition":
        return {c.UseTownsfolk(card) for card in side.inquiry}
    return targets(sheet, side, side.choice, sheet.count)


# --- workers --------------------------------------------------------------------------------------------------------


def spaces_to_fill(side: Side, action: str, workers: int) -> list[int]:
    """The spaces (from 0) on which that many workers are put: coloured ones first."""
    slots = facts.AREAS[action]
    if action in ONE_OR_TWO and workers == 1:
        return [0]
    free = [at for at in range(len(slots)) if side.areas[action][at] != WORKSHOP]
    return sorted(free, key=lambda at: (slots[at] == "any", at))


def wanted(sheet: Sheet, at: int) -> str:
    """The colour that a space of the begun action asks for."""
    if sheet.action.startswith("favour_"):
        return sheet.favour(sheet.action).worker
    return facts.AREAS[sheet.action][at]


def fitting(sheet: Sheet, side: Side) -> list[str]:
    """The workers that may go to the next space, so that the others can be filled as well."""
    slots = [wanted(sheet, at) for at in sheet.to_fill]
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
    """Silver and provisions that an action costs this time, apart from what its target costs."""
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
    """What an action can be about."""
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
    """The free spaces of the regions whose flag is met, from left to right."""
    return [
        space
        for space, (seat, _) in sheet.spaces.items()
        if not seat and level >= flags[facts.SPACES[space].region - 1]
    ]


def top_up(sheet: Sheet, side: Side, at: int) -> int:
    """The silver that stands in for missing strength."""
    level, flags = side.level("strength"), sheet.strength_flags()
    if sheet.choices["attack_top_up"] == "by_cards_skipped":
        return sum(1 for index in range(at + 1) if sheet.outsiders[index] and flags[index] > level)
    return (max(0, flags[at] - level) + 1) // 2


def silver_of(side: Side, at: int) -> int:
    """What a place of the townsfolk row costs a seat."""
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


def void(sheet: Sheet, side: Side, kind: str) -> bool:
    """Whether a reward has nothing to act on."""
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
    """The cards that give a seat a reason to keep suspicion; "any reason" if the reading requires none."""
    if sheet.choices["suspicion_kept_for"] == "any_reason":
        return ["any reason"]
    cards = [*side.townsfolk, *side.converted]
    if sheet.choices["suspicion_kept_for"] == "open_cards":
        cards += sheet.townsfolk
        cards += sheet.outsiders if len(side.converted) < 7 else []
    return [card for card in cards if card.startswith(("peddler", "thief"))]


def clearable(sheet: Sheet, side: Side, kind: str) -> list[str]:
    """The own areas that praying can clear."""
    own = kind == "pray" or sheet.choices["pray_action_target"] == "any_area"
    return [action for action in facts.AREAS if side.occupied(action) and (own or action != "pray")]


def _for_reward(sheet: Sheet, side: Side, kind: str) -> list[Struct]:
    if kind in CHOICES:
        numbers = range(1, len(CHOICES[kind]) + 1)
        full = [at for at in numbers if not all(void(sheet, side, gain) for gain in CHOICES[kind][at - 1])]
        refused = sheet.choices["void_choice"] == "refused"
        return [c.ChooseReward(kind, at) for at in (full if full and refused else numbers)]
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
        found = [] if void(sheet, side, kind) else [c.TakeReward(kind)]
    forced = kind in DEBTS and sheet.choices["debts_kept"] == "forbidden" and not void(sheet, side, kind)
    return [*found, c.ForgoReward(kind)] if kind in OPTIONAL and not forced else found
