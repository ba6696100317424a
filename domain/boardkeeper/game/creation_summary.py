"""What a game in memory keeps of its first event.

Not the layout, which its table has by then; and what many games have alike is there once for all.
"""

from __future__ import annotations

from functools import lru_cache
from sys import intern

import msgspec
from msgspec.structs import replace

from boardkeeper.game.events import GameCreated
from boardkeeper.table.decoding import decode
from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit.title import Setup

_MOST = 1024
"""There are more choices than anybody ever plays."""
_encode = msgspec.json.Encoder().encode


def intern_created(created: GameCreated) -> GameCreated:
    """The same without its layout; what other games have too is there once for all."""
    return replace(
        created,
        title=intern(created.title),
        setup=_setup(_encode(created.setup)),
        seats=tuple(map(intern, created.seats)),
        rules_version=intern(created.rules_version),
        dice=intern(created.dice),
        server_build=intern(created.server_build),
        title_build=created.title_build and intern(created.title_build),
        layout=TableLayout(created.layout.seats, (), ()),
    )


@lru_cache(_MOST)
def _setup(encoded: bytes) -> Setup:
    return decode(encoded, Setup)
