"""The list of all commands of a title, an optional extension: programs that learn number the commands by it.

The engine derives an action space from the list (:mod:`boardkeeper.engine.action_space`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

from boardkeeper.titlekit.title import Setup, Title

C = TypeVar("C", bound=Struct)


@runtime_checkable
class EnumerableTitle(Protocol):
    """A title that can list all its commands before a game."""

    def command_space(self, setup: Setup) -> Sequence[Struct] | None:
        """Return every command that can be legal in a game with this setup, also in one that starts from a position.

        List them from the data of the title, not by playing: a rare command must not be missing. A command that is
        never legal does no harm, but makes the list longer. The list has each command once. Its order is fixed, because
        trained programs depend on it: append new commands at the end.

        ``setup`` has all options and readings. ``None``: the title cannot list the commands.
        """


def command_space(title: Title, setup: Setup) -> Sequence[Struct] | None:
    """Return every command of a game with this setup; ``None`` if the title cannot list them."""
    return title.command_space(setup) if isinstance(title, EnumerableTitle) else None


def each_of(kind: type[C], *values: Iterable[Any]) -> Iterator[C]:
    """Yield a command for each combination of the values of its fields."""
    return (kind(*combination) for combination in product(*values))
