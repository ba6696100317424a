"""Actions, their targets, and rewards."""

from __future__ import annotations

from msgspec import Struct
from tests.oracle.chance import Chance, DrawMismatchError
from tests.oracle.paladins import choosing, court, facts, stock
from tests.oracle.paladins.sheet import WORKSHOP, Sheet, Side

from boardkeeper.titles.paladins import commands as c


def give(sheet: Sheet, side: Side, gains: facts.Gains) -> None:
    """Give workers, silver, provisions and attributes at once. Other gains become due."""
    if gains.count("tax") == 2:
        gains = (*(gain for gain in gains if gain != "tax"), "tax_2")
    for gain in gains:
        if gain in facts.ATTRIBUTES:
            side.attributes[gain] = min(12, side.attributes[gain] + 1)
        elif gain in ("silver", "provision") or (gain in facts.WORKERS and gain != "criminal"):
            stock.take(sheet, side, gain)
        else:
            side.due[gain] += 1


def trigger(sheet: Sheet, side: Side, action: str) -> None:
    """Give the rewards of the seat's townsfolk and paladin for an action."""
    paladin = facts.PALADINS[side.paladin] if side.paladin else None
    if paladin and paladin.action == action:
        give(sheet, side, paladin.gains)
    for card in side.townsfolk:
        found = sheet.townsman(card)
        if found.trigger == action:
            give(sheet, side, found.reward)


def pay(sheet: Sheet, side: Side, action: str, more: int = 0) -> None:
    """Pay the price of an action, and ``more`` silver for its target."""
    silver, provisions = choosing.price(sheet, side, action)
    side.silver -= silver + more
    side.provisions -= provisions


# --- start -----------------------------------------------------------------------------------------------------------


def begin(sheet: Sheet, side: Side, command: Struct) -> None:
    """Start an action of the seat's board or of a King's Favour."""
    side.choice = ""
    if isinstance(command, c.UseFavour):
        sheet.action, sheet.to_fill, sheet.count = command.favour, [0], 1
    elif isinstance(command, c.BeginAction):
        sheet.action, sheet.count = command.action, command.workers
        sheet.to_fill = choosing.spaces_to_fill(side, command.action, command.workers)


def place(sheet: Sheet, side: Side, worker: str) -> None:
    """Place a worker on the next space."""
    side.choice = ""
    at = sheet.to_fill.pop(0)
    side.workers[worker] -= 1
    if sheet.action.startswith("favour_"):
        sheet.favours[sheet.action] = worker
    else:
        side.areas[sheet.action][at] = worker


def place_workers(sheet: Sheet, side: Side, chance: Chance) -> None:
    """Place workers until there is a choice. Then carry out the action, or ask for its target."""
    while sheet.to_fill:
        workers = choosing.fitting_workers(sheet, side)
        if len(workers) != 1:
            side.choice = "workers"
            return
        place(sheet, side, workers[0])
    _carry_out(sheet, side, sheet.action, chance)


def _carry_out(sheet: Sheet, side: Side, action: str, chance: Chance) -> None:
    if action.startswith("favour_"):
        favour = sheet.favour(action)
        side.silver -= favour.silver
        side.provisions -= favour.provisions
        give(sheet, side, favour.gains)
        if favour.choice:
            side.due[_choice(favour.choice)] += 1
        return
    if action not in ("hunt", "trade", "pray", "conspire", "fortify"):
        side.choice = action
        return
    pay(sheet, side, action)
    if action == "hunt":
        stock.take(sheet, side, "provision", 3 if sheet.count == 2 else 1)
    elif action == "trade":
        stock.take(sheet, side, "silver", 3 if sheet.count == 2 else 1)
    elif action == "pray":
        side.due["pray_action"] += 1
    elif action == "conspire":
        side.due["criminal"] += 1
    else:
        wall = build_wall(sheet, side, chance)
        give(sheet, side, wall.gains)
        if wall.choice:
            side.due[_choice(wall.choice)] += 1
    trigger(sheet, side, action)


def build_wall(sheet: Sheet, side: Side, chance: Chance) -> facts.Wall:
    """Draw and build the topmost wall."""
    card = chance.draw("walls", sheet.walls)
    sheet.walls[card] -= 1
    side.walls.append(card)
    return facts.WALLS[card]


def _choice(options: tuple[facts.Gains, ...]) -> str:
    return next(kind for kind, found in choosing.CHOICES.items() if found == options)


# --- targets ----------------------------------------------------------------------------------------------------------


def target(sheet: Sheet, side: Side, command: Struct) -> None:
    """Carry out an action with the chosen target."""
    action, side.choice = side.choice, ""
    if isinstance(command, c.PlaceWorkshop):
        pay(sheet, side, "develop")
        develop(sheet, side, command)
        trigger(sheet, side, "develop")
    elif isinstance(command, c.HireTownsfolk | c.DiscardTownsfolk):
        _pay_for_townsfolk(sheet, side, command)
        take_townsfolk(sheet, side, command)
    elif isinstance(command, c.PlaceMonk):
        pay(sheet, side, action)
        side.monks -= 1
        sheet.spaces[command.space] = (side.seat, "monk")
        give(sheet, side, ("influence", *facts.SPACES[command.space].gains))
        trigger(sheet, side, action)
    elif isinstance(command, c.PlaceOutpost):
        pay(sheet, side, action)
        side.outposts -= 1
        sheet.spaces[command.space] = (side.seat, "outpost")
        give(sheet, side, ("faith", *facts.SPACES[command.space].gains))
        trigger(sheet, side, action)
    elif isinstance(command, c.PlaceJar):
        pay(sheet, side, action)
        side.jars -= 1
        side.jar_spaces[command.space] += 1
        give(sheet, side, ("faith", "discard_suspicion", *facts.JAR_SPACES[command.space][0]))
        trigger(sheet, side, action)
    elif isinstance(command, c.AttackOutsider):
        at = sheet.outsiders.index(command.outsider)
        pay(sheet, side, action, choosing.top_up(sheet, side, at))
        sheet.outsiders[at] = ""
        side.attacked.append(command.outsider)
        give(sheet, side, sheet.outsider(command.outsider).attack)
        trigger(sheet, side, action)
    elif isinstance(command, c.ConvertOutsider):
        pay(sheet, side, action)
        sheet.outsiders[sheet.outsiders.index(command.outsider)] = ""
        side.converted.append(command.outsider)
        give(sheet, side, ("strength",) * sheet.outsider(command.outsider).strength)
        trigger(sheet, side, action)
    else:
        raise DrawMismatchError(f"{command} is not a target of {action}")


def develop(sheet: Sheet, side: Side, command: c.PlaceWorkshop) -> None:
    """Move the leftmost workshop to a space, and give the worker that is under it."""
    side.areas[command.action][command.slot - 1] = WORKSHOP
    side.developed += 1
    give(sheet, side, (sheet.workshop_row()[side.developed - 1],))


def _pay_for_townsfolk(sheet: Sheet, side: Side, command: c.HireTownsfolk | c.DiscardTownsfolk) -> None:
    if command.payment == "debt":
        sheet.debts -= 1
        side.unpaid += 1
    else:
        side.silver -= choosing.silver_of(side, sheet.townsfolk.index(command.townsfolk))


def take_townsfolk(sheet: Sheet, side: Side, command: c.HireTownsfolk | c.DiscardTownsfolk) -> None:
    """Move a card from the townsfolk row to the seat or to the discard pile."""
    card = command.townsfolk
    sheet.townsfolk[sheet.townsfolk.index(card)] = ""
    found = sheet.townsman(card)
    if isinstance(command, c.DiscardTownsfolk):
        sheet.townsfolk_discard.append(card)
        give(sheet, side, found.discard)
        return
    side.townsfolk.append(card)
    give(sheet, side, found.instant)
    if sheet.choices["new_townsfolk_trigger"] == "at_once" and found.trigger == sheet.action:
        give(sheet, side, found.reward)


# --- rewards ----------------------------------------------------------------------------------------------------------


def reward(sheet: Sheet, side: Side, command: Struct) -> None:
    """Carry out the choice of a seat for one of its rewards."""
    side.choice = ""
    if isinstance(command, c.TakeReward):
        settle(sheet, side, command.reward)
    elif isinstance(command, c.ForgoReward):
        side.due[command.reward] -= 1
    elif isinstance(command, c.ChooseReward):
        side.due[command.reward] -= 1
        give(sheet, side, choosing.CHOICES[command.reward][command.option - 1])
    elif isinstance(command, c.ClearArea):
        side.due["pray" if side.due["pray"] else "pray_action"] -= 1
        side.areas[command.action] = [who if who == WORKSHOP else "" for who in side.areas[command.action]]
    elif isinstance(command, c.HireTownsfolk | c.DiscardTownsfolk):
        side.due["free_recruit"] -= 1
        take_townsfolk(sheet, side, command)
    elif isinstance(command, c.PlaceWorkshop):
        side.due["free_develop"] -= 1
        develop(sheet, side, command)
        if sheet.choices["free_develop_triggers_architect"] == "yes":
            _architects(sheet, side)
    else:
        raise DrawMismatchError(f"{command} is not a choice for a reward")


def _architects(sheet: Sheet, side: Side) -> None:
    for card in side.townsfolk:
        if sheet.townsman(card).trigger == "develop":
            give(sheet, side, sheet.townsman(card).reward)


def settle(sheet: Sheet, side: Side, kind: str) -> None:
    """Settle a reward without a choice."""
    if side.due[kind] <= 0:
        raise DrawMismatchError(f"seat {side.seat} took {kind}, which is not due: {+side.due}")
    side.due[kind] -= 1
    if choosing.is_void(sheet, side, kind):
        return
    if kind in ("tax", "tax_2"):
        court.tax(sheet, side, 2 if kind == "tax_2" else 1)
    elif kind == "criminal":
        side.due["suspicion"] += stock.take(sheet, side, "criminal")
    elif kind == "discard_suspicion":
        court.discard(sheet, side)
    elif kind == "take_debt":
        sheet.debts -= 1
        side.unpaid += 1
    elif kind == "destroy_debt":
        side.unpaid -= 1
        sheet.debts += 1
    elif kind == "pay_debt":
        side.unpaid -= 1
        side.paid += 1
        for card in side.townsfolk:
            if sheet.townsman(card).trigger == "pay_debt":
                give(sheet, side, sheet.townsman(card).reward)
    else:
        raise DrawMismatchError(f"{kind} was settled without a choice")
