"""Goods in little room: as few letters of each as tell it from the others."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.client.drawing.look import Look

_LEAST = 2


def amounts(goods: Mapping[str, int], look: Look, nothing: str = "–") -> str:
    """Goods and how many: ``2 Gr 1 Bre``."""
    return " ".join(f"{goods[id]} {brief(id, look)}" for id in look.sorted(goods) if goods[id]) or nothing


def brief(good: str, look: Look) -> str:
    """The beginning of a good's name that no other good has."""
    name = look.name(good)
    others = [look.name(id) for id, facts in look.facts.items() if "food" in facts and id != good]
    lengths = range(_LEAST, len(name))
    return next((name[:at] for at in lengths if not any(other.startswith(name[:at]) for other in others)), name)
