"""Values that games in memory share."""

from __future__ import annotations

from functools import lru_cache
from sys import intern

import msgspec
from msgspec.structs import replace

from boardkeeper.game.events import GameCreated
from boardkeeper.table.decoding import decode
from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit.title import Setup, Title

_encode = msgspec.json.Encoder().encode


def intern_created(created: GameCreated) -> GameCreated:
    """Return the event without its layout, with strings and setup shared between games."""
    return replace(
        created,
        title=intern(created.title),
        setup=_intern_setup(_encode(created.setup)),
        seats=tuple(map(intern, created.seats)),
        rules_version=intern(created.rules_version),
        dice=intern(created.dice),
        server_build=intern(created.server_build),
        title_build=created.title_build and intern(created.title_build),
        layout=TableLayout(created.layout.seats, (), ()),
    )


@lru_cache(maxsize=1024)
def _intern_setup(encoded: bytes) -> Setup:
    return decode(encoded, Setup)


def intern_layout(title: Title, created: GameCreated) -> TableLayout:
    """Return the title's layout if it equals the stored one, so that games share the strings of its ids."""
    if created.position:
        return created.layout
    try:
        layout = title.layout(created.setup)
    except ValueError:
        return created.layout
    return layout if layout == created.layout else created.layout
