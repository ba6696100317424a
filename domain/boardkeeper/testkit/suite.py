"""Test classes that run for each title: a test method with the argument ``adapter`` runs once for each adapter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from boardkeeper.testkit import golden, packed_files, perft
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.sentence_checks import structs
from boardkeeper.titlekit.rules_catalogue import LANGUAGES


class AdapterTests:
    """Base of test classes for titles.

    ``adapters`` are the titles to test. Test methods ask for ``adapter``, and may also ask for ``language`` and one of
    ``players`` (each number of players), ``edition`` (the id of each edition), ``golden`` or ``perft`` (the path of
    each file), and ``struct`` (each command and event).
    """

    adapters: ClassVar[Sequence[Adapter]]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Parametrise a test method by the titles, and by what else its arguments ask for."""
        names = metafunc.fixturenames
        if "adapter" not in names:
            return
        if "language" in names:
            metafunc.parametrize("language", LANGUAGES)
        asked = ["adapter", *(name for name in ("players", "edition", "golden", "perft", "struct") if name in names)]
        metafunc.parametrize(asked, [pytest.param(*each, id="-".join(map(_id, each))) for each in self._cases(asked)])

    def _cases(self, asked: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for adapter in self.adapters:
            if "players" in asked:
                yield from ((adapter, players) for players in adapter.players)
            elif "edition" in asked:
                yield from ((adapter, edition.id) for edition in adapter.title.meta.editions)
            elif "golden" in asked:
                yield from ((adapter, path) for path in golden.files(adapter.golden))
            elif "perft" in asked:
                yield from ((adapter, path) for path in perft.files(adapter.perft))
            elif "struct" in asked:
                yield from ((adapter, struct) for struct in structs(adapter))
            else:
                yield (adapter,)


def _id(value: object) -> str:
    match value:
        case Adapter():
            return value.id
        case Path():
            return packed_files.name_of(value)
        case type():
            return value.__name__
        case _:
            return str(value)
