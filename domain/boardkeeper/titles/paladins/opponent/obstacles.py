"""Reasons why the opponent cannot carry out an action. Source: paladins.opponent.turn.possible."""

from __future__ import annotations

from boardkeeper.table.zones import free_spaces
from boardkeeper.titles.paladins.material import LEFT_OF_OPPONENT, Opponent, Paladins
from boardkeeper.titles.paladins.opponent import targets


def find_obstacle(t: Paladins, opponent: Opponent, action: str) -> str:
    """Return why the opponent, with at least one worker, cannot carry out an action; empty if it can.

    Costs do not matter to it.
    """
    if action == "favour":
        return "" if targets.find_favour(t, opponent) else "no_target"
    area = opponent.areas[action]
    if not area.is_open():
        return "occupied"
    if opponent.workers.total() < len(free_spaces(area.spaces)):
        return "workers"
    if action in LEFT_OF_OPPONENT:
        return "no_target" if action == "recruit" and not targets.find_townsfolk(t, opponent) else ""
    return _find_right_obstacle(t, opponent, action)


def _find_right_obstacle(t: Paladins, opponent: Opponent, action: str) -> str:
    done = opponent.times(action)
    if action != "attack" and done == t.data.pieces:
        return "no_piece"
    attribute = t.data.actions[action].needs
    match action:
        case "commission" | "garrison":
            free = t.first_free_space()
            has_target, needs = free is not None, t.data.flags[attribute][free.region - 1] if free else 0
        case "fortify":
            has_target, needs = bool(t.walls.items), t.data.actions["fortify"].thresholds[done]
        case "absolve":
            has_target, needs = True, t.data.jar_numbers[done]
        case _:
            if targets.find_outsider(t, opponent, attribute):
                return ""
            return "attribute" if any(place.items for place in t.outsiders) else "no_target"
    if not has_target:
        return "no_target"
    return "" if opponent.attributes[attribute].value >= needs else "attribute"
