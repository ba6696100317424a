"""Services of which the small title has a rival: see :mod:`tests.service.rival_title`."""

from __future__ import annotations

import pytest
from tests.game.records import load_title as load_other
from tests.service.rival_title import RIVAL_TITLE
from tests.service.twin_services import patch_messages_for_test_titles

from boardkeeper.service.process import server
from boardkeeper.titlekit.title import Title, TitleMeta


def load_title(id: str) -> Title:
    """What the registry does, with the rival's title under the small one's id."""
    return RIVAL_TITLE if id == "tiny" else load_other(id)


def load_meta(id: str) -> TitleMeta:
    """A title's catalogue entry."""
    return load_title(id).meta


class RivalTitles:
    """The titles of such a service."""

    load = staticmethod(load_title)

    def __init__(self, _listed: str) -> None:
        pass

    def metas(self) -> tuple[TitleMeta, ...]:
        return (RIVAL_TITLE.meta,)


def install_rival_title(patch: pytest.MonkeyPatch) -> None:
    """Every service of this process has that title, and lists it alone."""
    patch_messages_for_test_titles(patch)
    patch.setattr(server, "ServedTitles", RivalTitles)
    patch.setattr(server, "warm_up", lambda *_: None)  # it has no messages to make ready
