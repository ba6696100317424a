"""What the tests need to know of a title beyond the title itself.

:class:`boardkeeper.testkit.toy.TitleTests` needs only the title. The tests of a full title need an :class:`Adapter`
with the title's decisions, a bot that finishes games, and invariants; its functions get the title's own play.
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
"""Chooses a legal command that makes progress: random, the play, the seat, and its legal commands."""

Holds = Callable[[Any, Setup], None]
"""Raises ``AssertionError`` if an invariant is broken between two commands: the play, and its setup."""

Ended = Callable[[Any, Setup, Sequence[Event]], None]
"""The same for a game that is over, with all its events."""


def any_command(random: Random, play: Any, seat: int, legal: Sequence[Struct]) -> Struct:  # noqa: ARG001
    """Choose any legal command."""
    return random.choice(legal)


def _no_invariant(play: Any, setup: Setup) -> None:
    """Check nothing."""


def _no_end(play: Any, setup: Setup, events: Sequence[Event]) -> None:
    """Check nothing."""


def _never(play: Any, setup: Setup) -> Hashable:  # noqa: ARG001
    return None


def _nothing(event: GameEvent) -> Iterable[str]:  # noqa: ARG001
    return ()


@dataclass(frozen=True)
class Adapter:
    """A title, and what the tests cannot derive from it. Every field but ``title`` has a default for small titles."""

    title: Title
    decisions: tuple[str, ...] = ()
    """Every decision that can be open; empty if the tests need not know them."""
    eager: Eager = any_command
    """Uniformly random games seldom reach the situations where a rule applies; eager ones do."""
    holds: Holds = _no_invariant
    """What no sequence of commands may break."""
    ended: Ended = _no_end
    """What every finished game has in common: the number of rounds, scores, ends."""
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """The values that each field of a command or event can have, to make sentences and to change listed commands.

    By the name of the field, or by ``Struct.field`` where it means something else. Numbers need values only where not
    every number makes sense, booleans never.
    """
    most_legal: int = 200
    """No seat ever has more legal commands."""
    most_commands: int = 20_000
    """No game has more commands; one that has may have no end."""
    idle: tuple[Struct, ...] = ()
    """What a seat does that wants to do nothing; the first that is legal."""
    alike: Callable[[Struct], Hashable] = type
    """Groups commands of which it is enough to change a few."""
    simultaneous: Callable[[Any, Setup], Hashable] = _never
    """Returns a name for the current step while seats decide at the same time, in any order; else ``None``."""
    examples: tuple[Struct, ...] = ()
    """Structs whose sentences the fields one by one do not cover: parts that are empty, or empty together."""
    offers: tuple[type[Struct], ...] = ()
    """Commands as they are offered, where the command alone would not say what it does."""
    seats: tuple[str, ...] = ("leader", "last", "winner", "winners", "start_seat")
    """Fields that hold numbers of seats."""
    yes_or_no: tuple[str, ...] = ()
    """How the ids of markers end that are 1 or 0."""
    sealed: tuple[str, ...] = ()
    """Zones whose contents never change after the setup."""
    open_draws: tuple[str, ...] = ()
    """The editions in which all viewers see at once whatever chance draws."""
    shows: Callable[[GameEvent], Iterable[str]] = _nothing
    """What an event shows that the rules treat specially, as short words, for golden games."""
    to_show: frozenset[str] = frozenset()
    """All such words: golden games show them together, besides every command, event, option, reading and edition."""
    never_shown: Mapping[str, str] = field(default_factory=dict)
    """What no golden game has to show, with the reason."""
    not_catalogued: Mapping[str, str] = field(default_factory=dict)
    """Components on a table that no catalogue has, with the reason; of copies the part before the last point."""
    hardly_played: Mapping[str, str] = field(default_factory=dict)
    """Commands and events that random games need not reach, with the reason."""
    folder: Path | None = None
    """The folder of the title's tests, with its ``refusals.toml``."""

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
        """The folder of the golden games of a title outside of this repository."""
        return self._tests / "golden"

    @property
    def perft(self) -> Path:
        """The folder of the perft files of a title outside of this repository, with a folder for each edition."""
        return self._tests / "perft"

    @property
    def _tests(self) -> Path:
        if self.folder is None:
            raise ValueError("set Adapter.folder to the folder of the title's tests: Path(__file__).parent")
        return self.folder

    @property
    def players(self) -> tuple[int, ...]:
        """Every number of players, as :func:`boardkeeper.testkit.setups.player_counts` counts them."""
        return player_counts(self.title.meta)

    def values_of(self, struct: type[Struct], name: str) -> Sequence[Any]:
        """Return the values that a field can have; empty if none are known."""
        return self.values.get(f"{struct.__name__}.{name}", self.values.get(name, ()))

    @property
    def decides_together(self) -> bool:
        """Whether seats ever decide at the same time."""
        return self.simultaneous is not _never
