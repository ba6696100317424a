"""The automaton: its schemes, its targets and its gains."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from tests.oracle.chance import Chance
from tests.oracle.paladins import court, facts, stock
from tests.oracle.paladins.marker import lowest, mine, move_marker, raise_attribute
from tests.oracle.paladins.sheet import WORKSHOP, Sheet, Side

LEFT = ("recruit", "pray", "trade", "conspire", "rest")


# --- gains ------------------------------------------------------------------------------------------------------------


def give(sheet: Sheet, side: Side, gain: str, chance: Chance) -> list[str]:
    """Give one gain to the opponent. Return the gains that follow from it."""
    if gain in facts.ATTRIBUTES:
        raise_attribute(sheet, side, gain)
    elif gain in facts.WORKERS:
        came = stock.take_worker(sheet, side, chance, gain)
        return ["suspicion"] if gain == "criminal" and came else []
    elif gain in ("silver", "provision"):
        move_marker(sheet, side, 1)
    elif gain in ("tax", "tax_2"):
        court.tax(sheet, side, 2 if gain == "tax_2" else 1)
    elif gain == "discard_suspicion":
        if side.suspicion:
            court.discard(sheet, side)
        else:
            court.remove(sheet)
    elif gain == "destroy_debt":
        if side.unpaid:
            side.unpaid -= 1
            sheet.debts += 1
        else:
            court.remove(sheet)
    elif gain == "pay_debt":
        if side.unpaid:
            side.unpaid -= 1
            side.paid += 1
    elif gain == "take_debt":
        if sheet.debts:
            sheet.debts -= 1
            side.unpaid += 1
    elif gain == "absolution":
        return ["pay_debt" if side.unpaid else "discard_suspicion"]
    elif gain == "free_recruit":
        return _send_townsfolk_away(sheet)
    elif gain == "pray":
        _pray(sheet, side, chance)
    return []


def group_taxes(gains: facts.Gains) -> list[str]:
    """Combine two taxes of one source."""
    found: list[str] = []
    for gain in gains:
        if gain == "tax" and found and found[-1] == "tax":
            found[-1] = "tax_2"
        else:
            found.append(gain)
    return found


def _send_townsfolk_away(sheet: Sheet) -> list[str]:
    places = [(mine(sheet).marker - 1 + step) % 5 for step in range(5)]
    for at in places:
        card = sheet.townsfolk[at]
        if card:
            sheet.townsfolk[at] = ""
            sheet.townsfolk_discard.append(card)
            return group_taxes(sheet.townsman(card).discard)
    return []


def _pray(sheet: Sheet, side: Side, chance: Chance) -> None:
    if any(side.occupied(action) for action in facts.RIGHT):
        for action in facts.RIGHT:
            side.areas[action] = [who if who == WORKSHOP else "" for who in side.areas[action]]
    else:
        stock.take_worker(sheet, side, chance)
    mine(sheet).deck.update(mine(sheet).discard)
    mine(sheet).discard.clear()


# --- turns --------------------------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """The result of a scheme: the action, the impossible actions before it, and the gains."""

    scheme: str
    action: str
    tried: list[str]
    gains: list[str]


def turn(sheet: Sheet, side: Side, chance: Chance) -> Turn:
    """Turn a scheme and carry out its action."""
    own = mine(sheet)
    if not own.deck.total():
        if sheet.choices["ai_empty_scheme_deck"] == "rest":
            return Turn("", "rest", [], _rest(side))
        own.deck, own.discard = own.discard, Counter()
    scheme = chance.draw("schemes.deck", own.deck)
    own.deck[scheme] -= 1
    own.discard[scheme] += 1
    own.scheme = scheme
    wish = scheme.removeprefix("scheme_")
    wishes = _orders(sheet, side) if wish == "order" else [wish]
    order = [*wishes, *(action for action in LEFT if action not in wishes)]
    action = next(action for action in order if _possible(sheet, side, action))
    return Turn(wish, action, order[: order.index(action)], _do(sheet, side, action, chance))


def has_obstacle(sheet: Sheet, side: Side, action: str, obstacle: str) -> bool:
    """Return whether an obstacle really prevents an action of the opponent."""
    hands = side.workers.total()
    if obstacle == "already_fulfilled":
        return side.times(action) >= 5
    if obstacle == "workers":
        return hands < (3 - side.workshops(action) if action in facts.RIGHT else 1)
    if obstacle == "occupied":
        return action != "favour" and side.occupied(action)
    if obstacle == "no_piece":
        return side.times(action) >= 7 or (action == "fortify" and not sheet.walls.total())
    if obstacle == "attribute":
        return action in facts.RIGHT and not _possible(sheet, _rested(side), action)
    if action == "favour":
        return all(sheet.favours.values())
    rows = {"recruit": sheet.townsfolk, "attack": sheet.outsiders, "convert": sheet.outsiders}
    return action in rows and not any(rows[action])


def _rested(side: Side) -> Side:
    """Return the opponent with enough workers and free areas, so that only its attributes can prevent an action."""
    areas = {action: [""] * len(spaces) for action, spaces in side.areas.items()}
    return replace(side, workers=Counter({"worker": 9}), areas=areas)


def _orders(sheet: Sheet, side: Side) -> list[str]:
    revealed = list(reversed(sheet.orders))
    if all(side.times(order) >= 5 for order in revealed):
        return revealed[:1] if sheet.choices["ai_orders_all_fulfilled_blocked"] == "fallback" else revealed
    left = [order for order in revealed if side.times(order) < 5]
    more = revealed if sheet.choices["ai_orders_rest_blocked"] == "fulfilled_too" else []
    return left + [order for order in more if order not in left]


def _possible(sheet: Sheet, side: Side, action: str) -> bool:
    hands = side.workers.total()
    if action == "rest":
        return True
    if action == "favour":
        return hands >= 1 and not all(sheet.favours.values())
    if side.occupied(action):
        return False
    if action in ("recruit", "pray", "trade", "conspire"):
        return hands >= 1 and (action != "recruit" or any(sheet.townsfolk))
    if hands < 3 - side.workshops(action):
        return False
    if action in ("commission", "garrison"):
        left = side.monks if action == "commission" else side.outposts
        return left > 0 and bool(_space(sheet, side, action))
    if action == "fortify":
        built = len(side.walls)
        return built < 7 and sheet.walls.total() > 0 and side.attributes["influence"] >= facts.WALL_NUMBERS[built]
    if action == "absolve":
        return side.jars > 0 and side.attributes["influence"] >= sheet.jar_numbers()[7 - side.jars]
    if action == "convert" and len(side.converted) == 7:
        return False
    return bool(_victim(sheet, side, action))


def _victim(sheet: Sheet, side: Side, action: str) -> str:
    attack = action == "attack"
    level = side.attributes["strength" if attack else "faith"]
    flags = sheet.strength_flags() if attack else facts.FAITH
    for step in range(6):
        at = (mine(sheet).marker - 1 + step) % 6
        if sheet.outsiders[at] and level >= flags[at]:
            return sheet.outsiders[at]
    return ""


def _space(sheet: Sheet, side: Side, action: str) -> str:
    attribute, flags = ("faith", facts.FAITH) if action == "commission" else ("strength", sheet.strength_flags())
    level = side.attributes[attribute]
    free = [
        space
        for space, (seat, _) in sheet.spaces.items()
        if not seat and level >= flags[facts.SPACES[space].region - 1]
    ]
    ranked = sorted(
        (rank, at, space) for at, space in enumerate(free) if (rank := _rank(sheet, side, space)) is not None
    )
    return ranked[0][2] if ranked else ""


def _rank(sheet: Sheet, side: Side, space: str) -> int | None:
    gains = facts.SPACES[space].gains
    if gains == ("free_recruit",):
        return 0
    if gains == ("pay_debt",):
        return 1 if side.unpaid else 7
    if gains == ("pray",):
        return 2
    if all(gain in facts.WORKERS for gain in gains):
        return 3 if len(gains) == 2 else 4
    return 5 if gains == ("silver", "silver") else 6


def _rest(side: Side) -> list[str]:
    steps = 1 + side.workers.total()
    side.workers.clear()
    return ["silver"] * steps


def _do(sheet: Sheet, side: Side, action: str, chance: Chance) -> list[str]:
    if action == "rest":
        return _rest(side)
    if action == "favour":
        return _favour(sheet, side, chance)
    side.areas[action] = [who or stock.put_worker(side, chance) for who in side.areas[action]]
    if action == "recruit":
        return ["free_recruit"]
    if action == "pray":
        return ["pray"]
    if action == "trade":
        return ["silver"]
    if action == "conspire":
        for _ in range(2):
            stock.take_worker(sheet, side, chance)
        return ["suspicion"]
    if action in ("commission", "garrison"):
        return _piece(sheet, side, action)
    if action == "fortify":
        return _wall(sheet, side, chance)
    if action == "absolve":
        side.jars -= 1
        return ["faith", "discard_suspicion", "absolution"]
    return _outsider(sheet, side, action)


def _piece(sheet: Sheet, side: Side, action: str) -> list[str]:
    space = _space(sheet, side, action)
    if action == "commission":
        side.monks -= 1
        sheet.spaces[space] = (side.seat, "monk")
        return ["influence", *group_taxes(facts.SPACES[space].gains)]
    side.outposts -= 1
    sheet.spaces[space] = (side.seat, "outpost")
    return ["faith", *group_taxes(facts.SPACES[space].gains)]


def _wall(sheet: Sheet, side: Side, chance: Chance) -> list[str]:
    card = chance.draw("walls", sheet.walls)
    sheet.walls[card] -= 1
    side.walls.append(card)
    wall = facts.WALLS[card]
    if not wall.choice:
        return group_taxes(wall.gains)
    void = wall.choice[0] == ("pay_debt",) and not side.unpaid
    right = void and sheet.choices["ai_left_option_void"] == "right_option"
    return [*wall.gains, *wall.choice[1 if right else 0]]


def _outsider(sheet: Sheet, side: Side, action: str) -> list[str]:
    card = _victim(sheet, side, action)
    sheet.outsiders[sheet.outsiders.index(card)] = ""
    if action == "attack":
        side.attacked.append(card)
        return group_taxes(sheet.outsider(card).attack)
    side.converted.append(card)
    return ["strength"] * sheet.outsider(card).strength


def _favour(sheet: Sheet, side: Side, chance: Chance) -> list[str]:
    order = list(sheet.favours)
    places = [(mine(sheet).marker - 1 + step) % 5 for step in range(5)]
    card = next(order[at] for at in places if at < len(order) and not sheet.favours[order[at]])
    sheet.favours[card] = stock.put_worker(side, chance)
    favour = sheet.favour(card)
    if card == "favour_04":
        return [lowest(sheet, side)]
    if card == "favour_05":
        return ["pay_debt"] if side.unpaid else ["discard_suspicion"] * 2
    if card == "favour_07":
        return list(favour.choice[1])
    return group_taxes(favour.gains)
