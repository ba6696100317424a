"""Servers with the rival title instead of the small title: see :mod:`tests.service.rival_title`."""

from __future__ import annotations

import pytest
from tests.game.records import load_title as load_other
from tests.service.rival_title import RIVAL_TITLE
from tests.service.twin_services import patch_messages_for_test_titles

from boardkeeper.service.process import server
from boardkeeper.titlekit.title import Title, TitleMeta


def load_title(id: str) -> Title:
    """Load a title like the registry, with the rival title under the id of the small one."""
    return RIVAL_TITLE if id == "tiny" else load_other(id)


def load_meta(id: str) -> TitleMeta:
    """Return the metadata of a title."""
    return load_title(id).meta


class RivalTitles:
    """The served titles of such a server."""

    load = staticmethod(load_title)

    def __init__(self, _listed: str) -> None:
        pass

    def metas(self) -> tuple[TitleMeta, ...]:
        return (RIVAL_TITLE.meta,)


def install_rival_title(patch: pytest.MonkeyPatch) -> None:
    """Let every server of this process have the rival title and list no other."""
    patch_messages_for_test_titles(patch)
    patch.setattr(server, "ServedTitles", RivalTitles)
    patch.setattr(server, "warm_up", lambda *_: None)  # the title has no messages
