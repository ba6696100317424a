"""Whether the opponent can carry an action out, or what keeps it from that. Source: paladins.opponent.turn.possible."""

from __future__ import annotations

from boardkeeper.table.zones import free_spaces
from boardkeeper.titles.paladins.material import LEFT_OF_OPPONENT, Opponent, Paladins
from boardkeeper.titles.paladins.opponent import targets


def obstacle(t: Paladins, opponent: Opponent, action: str) -> str:
    """What keeps the opponent, which has a worker at least, from an action; empty if nothing does.

    It ignores all costs.
    """
    if action == "favour":
        return "" if targets.favour(t, opponent) else "no_target"
    area = opponent.areas[action]
    if not area.is_open():
        return "occupied"
    if opponent.workers.total() < len(free_spaces(area.spaces)):
        return "workers"
    if action in LEFT_OF_OPPONENT:
        return "no_target" if action == "recruit" and not targets.townsfolk(t, opponent) else ""
    return _of_right_side(t, opponent, action)


def _of_right_side(t: Paladins, opponent: Opponent, action: str) -> str:
    done = opponent.times(action)
    if action != "attack" and done == t.data.pieces:
        return "no_piece"
    attribute = t.data.actions[action].needs
    match action:
        case "commission" | "garrison":
            free = t.first_free()
            has_target, needs = free is not None, t.data.flags[attribute][free.region - 1] if free else 0
        case "fortify":
            has_target, needs = bool(t.walls.items), t.data.actions["fortify"].thresholds[done]
        case "absolve":
            has_target, needs = True, t.data.jar_numbers[done]
        case _:
            if targets.outsider(t, opponent, attribute):
                return ""
            return "attribute" if any(place.items for place in t.outsiders) else "no_target"
    if not has_target:
        return "no_target"
    return "" if opponent.attributes[attribute].value >= needs else "attribute"
