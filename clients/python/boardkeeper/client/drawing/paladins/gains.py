"""What is given and taken, in a few words: ``2 Silver, 1 Scout, pray``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from boardkeeper.client.drawing.look import Look

WORKERS = ("labourer", "scout", "merchant", "fighter", "cleric", "criminal")
ATTRIBUTES = ("faith", "strength", "influence")
REWARDS = (
    "silver", "provision", "tax", "discard_suspicion", "destroy_debt", "pay_debt", "take_debt",
    "pray", "free_recruit", "free_develop",
)  # fmt: skip
NOTHING = "–"
OR = "_or_"
"""Stands between the options in the id of a reward that lets choose: ``pay_debt_or_2_silver``."""

_REWARD = re.compile(rf"(?:(\d+)_)?({'|'.join((*REWARDS, *WORKERS, *ATTRIBUTES))})(?:_|$)")

_STYLES = {
    "labourer": "white",
    "scout": "green",
    "merchant": "blue",
    "fighter": "red",
    "cleric": "bright_black",
    "criminal": "magenta",
}


def gains(ids: Iterable[str], look: Look, *, nothing: str = NOTHING) -> str:
    """What is given, each with how often, in the order in which it is printed."""
    return ", ".join(gain(id, count, look) for id, count in Counter(ids).items()) or nothing


def gain(id: str, count: int, look: Look) -> str:
    """One thing that is given so often: ``2 Scouts``, ``discard 1 suspicion``."""
    if OR in id:
        return either(choice(id), look)
    said = look.words.get(f"gain.{id}.{count}") or look.words.get(f"gain.{id}")
    if said is not None:
        return said.format(count)
    return f"{count} {look.name(id) if count == 1 else look.many(id)}"


def dues(counts: Mapping[str, int], look: Look) -> str:
    """What is due, each with how often."""
    return ", ".join(gain(id, counts[id], look) for id in look.sorted(counts) if counts[id])


def choice(id: str) -> list[list[str]]:
    """The options of a reward that lets choose, from its id."""
    return [
        [reward for count, reward in _REWARD.findall(option) for _ in range(int(count or 1))] for option in id.split(OR)
    ]


def either(options: Sequence[Sequence[str]], look: Look) -> str:
    """What one of the options gives: ``pay 1 debt or 2 Silver``."""
    return f" {look.word('or')} ".join(gains(option, look) for option in options)


def price(silver: int, provisions: int, look: Look, *, nothing: str = NOTHING) -> str:
    """What something costs: ``1 Silver, 2 Provisions``."""
    counts = {"silver": silver, "provision": provisions}
    return ", ".join(gain(id, count, look) for id, count in counts.items() if count) or nothing


def worker_style(id: str) -> str:
    """The colour of a worker; of none if it is no worker."""
    return _STYLES.get(id, "")
