"""Making what every first call would have to wait for, before there are calls.

Titles are imported and their tables read when they are first asked for. That takes tenths of a second, more on a small
machine, and the loop would stand still for it just when after a restart all clients come at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from boardkeeper.game.choices import complete
from boardkeeper.service.storage.application import GameApplication, TitleLoader
from boardkeeper.table.title import Setup, TitleMeta
from boardkeeper.wire.messages import prepare


def warm(application: GameApplication, metas: Iterable[TitleMeta], load_title: TitleLoader) -> None:
    """Load the titles, make the decoders of their events, and all that goes over the wire."""
    prepare()
    for meta in metas:
        title = load_title(meta.id)
        application.events_mapper.learn(meta.id)
        for edition in meta.editions:
            title.layout(complete(meta, Setup(edition.id, edition.players[0])))
        prepare([meta.id])
