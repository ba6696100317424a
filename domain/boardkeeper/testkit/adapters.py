"""Adapters: facts about a title that its tests need and cannot derive.

:class:`boardkeeper.testkit.toy.TitleTests` needs only the title. The tests of a full title need an :class:`Adapter`
with its decisions, a policy that finishes games, and invariants. The functions of an adapter get the title's own play.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from boardkeeper.game.events import GameEvent
from boardkeeper.table.effects import Event
from boardkeeper.testkit.setups import player_counts
from boardkeeper.titlekit.title import Setup, Title

Eager = Callable[[Random, Any, int, Sequence[Struct]], Struct]
"""Chooses a legal command that makes progress. Takes a random generator, the play, the seat and its legal commands."""

Holds = Callable[[Any, Setup], None]
"""Raises ``AssertionError`` if an invariant is broken between two commands. Takes the play and its setup."""

Ended = Callable[[Any, Setup, Sequence[Event]], None]
"""Raises ``AssertionError`` if an invariant of finished games is broken. Takes the play, its setup and all events."""


def any_command(random: Random, play: Any, seat: int, legal: Sequence[Struct]) -> Struct:  # noqa: ARG001
    """Choose any legal command."""
    return random.choice(legal)


def _check_nothing(*_: object) -> None:
    pass


def _never(play: Any, setup: Setup) -> Hashable:  # noqa: ARG001
    return None


def _nothing(event: GameEvent) -> Iterable[str]:  # noqa: ARG001
    return ()


@dataclass(frozen=True)
class Adapter:
    """A title with the facts that its tests need. All fields except ``title`` have defaults for small titles."""

    title: Title
    decisions: tuple[str, ...] = ()
    """The names of all decisions; empty: tests do not check them."""
    eager: Eager = any_command
    """The policy of half of the random games. Uniformly random games rarely reach the situations where rules apply."""
    holds: Holds = _check_nothing
    """Checks invariants during a game."""
    ended: Ended = _check_nothing
    """Checks finished games, for example the number of rounds and the scores."""
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Possible values of fields of commands and events, to test sentences and to make illegal commands.

    The keys are names of fields, or ``Struct.field`` if the same name has different meanings. Numbers need values only
    if not every number makes sense, and booleans need none.
    """
    most_legal: int = 200
    """The maximum number of legal commands of a seat."""
    most_commands: int = 20_000
    """The maximum number of commands of a game. A longer game is reported as endless."""
    idle: tuple[Struct, ...] = ()
    """Commands of an idle seat in tests: the first legal one is chosen."""
    alike: Callable[[Struct], Hashable] = type
    """Returns the group of a command. Tests change only a few commands of each group."""
    simultaneous: Callable[[Any, Setup], Hashable] = _never
    """Returns a name for the current step while seats decide at the same time, in any order; else ``None``."""
    examples: tuple[Struct, ...] = ()
    """Further structs whose sentences are tested, for combinations of values."""
    offers: tuple[type[Struct], ...] = ()
    """The structs that ``Play.offer`` returns."""
    seats: tuple[str, ...] = ("leader", "last", "winner", "winners", "start_seat")
    """Names of fields that are seat numbers."""
    yes_or_no: tuple[str, ...] = ()
    """Endings of the ids of markers that can only be 0 or 1."""
    sealed: tuple[str, ...] = ()
    """Ids of zones whose contents never change after the setup."""
    open_draws: tuple[str, ...] = ()
    """Ids of editions in which all random draws are public."""
    shows: Callable[[GameEvent], Iterable[str]] = _nothing
    """Returns the special features of an event as short words, for golden games."""
    to_show: frozenset[str] = frozenset()
    """All these words. The golden games together have each of them, and each command, event, edition and choice."""
    never_shown: Mapping[str, str] = field(default_factory=dict)
    """Features that golden games need not have, with the reason."""
    not_catalogued: Mapping[str, str] = field(default_factory=dict)
    """Components on the table that the catalogue lacks, with the reason. For copies, the id before its last point."""
    hardly_played: Mapping[str, str] = field(default_factory=dict)
    """Commands and events that random games need not have, with the reason."""
    folder: Path | None = None
    """The folder of the title's tests, which has its ``rejections.toml``."""

    @property
    def id(self) -> str:
        """The title's id."""
        return self.title.meta.id

    @property
    def package(self) -> str:
        """The package of the title's modules."""
        return type(self.title).__module__.rpartition(".")[0]

    @property
    def golden(self) -> Path:
        """The folder of the golden games of a title outside this repository."""
        return self._tests / "golden"

    @property
    def perft(self) -> Path:
        """The folder of the perft files of a title outside this repository; it has a folder for each edition."""
        return self._tests / "perft"

    @property
    def _tests(self) -> Path:
        if self.folder is None:
            raise ValueError("set Adapter.folder to the folder of the title's tests: Path(__file__).parent")
        return self.folder

    @property
    def players(self) -> tuple[int, ...]:
        """All numbers of players (:func:`boardkeeper.testkit.setups.player_counts`)."""
        return player_counts(self.title.meta)

    def values_of(self, struct: type[Struct], name: str) -> Sequence[Any]:
        """Return the possible values of a field; empty if the adapter has none."""
        return self.values.get(f"{struct.__name__}.{name}", self.values.get(name, ()))

    @property
    def decides_together(self) -> bool:
        """Whether seats can decide at the same time."""
        return self.simultaneous is not _never
