"""Base of test classes that run for each title."""

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
    """Runs each test method with the argument ``adapter`` once for each of ``adapters``.

    Test methods may also have the argument ``language``, and one of these: ``players`` (each number of players),
    ``edition`` (the id of each edition), ``golden`` or ``perft`` (the path of each file), ``struct`` (each command and
    event).
    """

    adapters: ClassVar[Sequence[Adapter]]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Parametrise a test method by its arguments."""
        names = metafunc.fixturenames
        if "adapter" not in names:
            return
        if "language" in names:
            metafunc.parametrize("language", LANGUAGES)
        arguments = [
            "adapter",
            *(name for name in ("players", "edition", "golden", "perft", "struct") if name in names),
        ]
        metafunc.parametrize(
            arguments, [pytest.param(*each, id="-".join(map(_id, each))) for each in self._cases(arguments)]
        )

    def _cases(self, arguments: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for adapter in self.adapters:
            if "players" in arguments:
                yield from ((adapter, players) for players in adapter.players)
            elif "edition" in arguments:
                yield from ((adapter, edition.id) for edition in adapter.title.meta.editions)
            elif "golden" in arguments:
                yield from ((adapter, path) for path in golden.files(adapter.golden))
            elif "perft" in arguments:
                yield from ((adapter, path) for path in perft.files(adapter.perft))
            elif "struct" in arguments:
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
