"""Loads titles before the server accepts calls.

Otherwise titles are imported and their tables read at their first use. This takes tenths of a second, and would
block the event loop just when all clients reconnect after a restart.
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


def warm_up(application: GameApplication, metas: Iterable[TitleMeta], load_title: TitleLookup) -> None:
    """Load the titles, the decoders of their events, and their messages.

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
