"""The titles that a server serves: those that the operator allows and that can be loaded."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from boardkeeper.titlekit.title import Title, TitleMeta
from boardkeeper.titles.registry import allow_listed, load_meta, load_title, source_of
from boardkeeper.wire.messages import prepare

_log = structlog.get_logger("boardkeeper.titles")


class ServedTitles:
    """The titles of one server."""

    def __init__(self, listed: str) -> None:
        """Load the titles of the setting ``titles``. A title that cannot be loaded is logged and left out."""
        ids, errors = allow_listed(listed)
        for error in errors:
            _log.error("title left out", title=error.id, reason=error.reason)
        self._ids = tuple(filter(_has_messages, ids))
        for id in self._ids:
            if source := source_of(id):
                _log.info("title loaded", title=id, package=source.package, version=source.version)
        if not self._ids:
            _log.error("no titles are served", titles=listed)

    def load(self, id: str) -> Title:
        """Return a title. Raises ``KeyError`` if it is not served."""
        if id not in self._ids:
            raise KeyError(id)
        return load_title(id)

    def metas(self) -> Sequence[TitleMeta]:
        """Return the catalogue entries of all titles."""
        return tuple(map(load_meta, self._ids))


def _has_messages(id: str) -> bool:
    """Return whether a title has messages. Those of a title of another package are derived from its structs."""
    if source_of(id) is None:
        return True
    try:
        prepare([id])
    except Exception as error:  # noqa: BLE001  # code of another package may fail in any way
        _log.error("title left out", title=id, reason=f"has no messages: {type(error).__name__}: {error}")
        return False
    return True
