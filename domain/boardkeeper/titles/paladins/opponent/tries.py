"""Whether the opponent can carry an action out, or what keeps it from that. Source: paladins.opponent.turn.possible."""

from __future__ import annotations

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
    if opponent.workers.total() < area.missing():
        return "workers"
    if action in LEFT_OF_OPPONENT:
        return "no_target" if action == "recruit" and not targets.townsfolk(t, opponent) else ""
    return _of_right_side(t, opponent, action)


def _of_right_side(t: Paladins, opponent: Opponent, action: str) -> str:
    done = opponent.times(action)
    if action != "attack" and done == t.data.pieces:
        return "no_piece"
    level = {attribute: marker.value for attribute, marker in opponent.attributes.items()}
    match action:
        case "commission":
            return _of_space(t, t.data.faith_flags, level["faith"])
        case "garrison":
            return _of_space(t, t.data.strength_flags, level["strength"])
        case "fortify":
            if not t.walls.items:
                return "no_target"
            return "" if level["influence"] >= t.data.actions["fortify"].thresholds[done] else "attribute"
        case "absolve":
            return "" if level["influence"] >= t.data.jar_numbers[done] else "attribute"
        case _:
            found = targets.outsider(t, opponent, "strength" if action == "attack" else "faith")
            return "" if found else ("attribute" if _anybody(t) else "no_target")


def _of_space(t: Paladins, flags: tuple[int, ...], level: int) -> str:
    free = t.first_free()
    if free is None:
        return "no_target"
    return "" if flags[free.region - 1] <= level else "attribute"


def _anybody(t: Paladins) -> bool:
    return any(place.items for place in t.outsiders)
