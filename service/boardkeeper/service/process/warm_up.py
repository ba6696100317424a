"""Making what every first call would have to wait for, before there are calls.

Titles are imported and their tables read when they are first asked for. That takes tenths of a second, more on a small
machine, and the loop would stand still for it just when after a restart all clients come at once.
"""

from __future__ import annotations

from collections.abc import Iterable

import structlog

from boardkeeper.game.choices import complete
from boardkeeper.service.storage.application import GameApplication, TitleLookup
from boardkeeper.titlekit.title import Setup, TitleMeta
from boardkeeper.titles.registry import source_of
from boardkeeper.wire.messages import prepare

_log = structlog.get_logger("boardkeeper.titles")


def warm(application: GameApplication, metas: Iterable[TitleMeta], load_title: TitleLookup) -> None:
    """Load the titles, make the decoders of their events, and all that goes over the wire.

    A title of another package that fails here is logged, and the server starts: only calls for this title can fail.
    """
    prepare()
    for meta in metas:
        try:
            title = load_title(meta.id)
            application.events_mapper.learn(meta.id)
            for edition in meta.editions:
                title.layout(complete(meta, Setup(edition.id, edition.players[0])))
            prepare([meta.id])
        except Exception:
            if source_of(meta.id) is None:
                raise
            _log.exception("title fails", title=meta.id)
