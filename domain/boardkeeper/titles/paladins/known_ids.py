"""The ids that the commands of a game of Paladins may name."""

from __future__ import annotations

from functools import lru_cache

from boardkeeper.table.known_ids import KnownIds
from boardkeeper.titles.paladins.data import ACTIONS, WORKERS, Data


@lru_cache(maxsize=64)
def known_ids(data: Data) -> KnownIds:
    """What each field of a command may name; a reward is one of those that can be due."""
    return KnownIds(
        {
            "action": ACTIONS,
            "worker": WORKERS,
            "paladin": data.paladins,
            "top": data.paladins,
            "tavern": data.tavern,
            "favour": data.favours,
            "townsfolk": data.townsfolk,
            "outsider": data.outsiders,
            "space": (*(space.id for space, _ in data.all_spaces), *data.jar_kinds),
            "payment": ("silver", "debt"),
            "reward": data.dues,
        },
        said_otherwise=("NO_SUCH_ACTION",),
    )
