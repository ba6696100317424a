"""Action spaces: a fixed number for each command of a game, for programs that learn."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from boardkeeper.engine.errors import MisuseError
from boardkeeper.engine.setups import setup_of
from boardkeeper.engine.type_variables import CommandT_co
from boardkeeper.titlekit.command_space import command_space
from boardkeeper.titlekit.title import Setup

Buffer = TypeVar("Buffer")

_encode = msgspec.json.Encoder().encode


class HasLegalCommands(Protocol):
    """A game or a search state."""

    def legal(self, seat: int, /) -> Sequence[Struct]:
        """Return the legal commands of a seat."""


class CommandField(Struct, frozen=True):
    """A field of a kind of command: its name, and all values that it has in the action space."""

    name: str
    values: tuple[Any, ...]


class CommandKind(Struct, frozen=True):
    """A kind of command: its name and its fields."""

    name: str
    fields: tuple[CommandField, ...]


class ActionSpace(Generic[CommandT_co]):
    """All commands of a game with one setup, each with a number from 0 to ``n_actions`` - 1, its *id*.

    Every command that can become legal is in it. Ids are the same in all games, processes and versions of the program
    while :attr:`version` is the same. A new version of a title appends commands if possible: then the first ids still
    have the same :meth:`version_of`.
    """

    def __init__(self, title: str, setup: Setup, commands: Sequence[CommandT_co]) -> None:
        self.title = title
        """The id of the title."""
        self.setup = setup
        """The edition, number of seats, options and readings."""
        self.commands = tuple(commands)
        """The commands in the order of their ids."""
        self.n_actions = len(self.commands)
        """The number of commands."""
        self._ids: dict[Struct, int] = {command: id for id, command in enumerate(self.commands)}
        self._zeros = bytes(self.n_actions)
        self.version = self.version_of(self.n_actions)
        """A digest of all commands in their order. Store it together with anything that depends on ids."""

    def __len__(self) -> int:
        return self.n_actions

    def __repr__(self) -> str:
        return f"<{self.n_actions} actions of {self.title} for {self.setup.players}, version {self.version}>"

    def version_of(self, n_actions: int) -> str:
        """Return the digest of the first ``n_actions`` commands.

        If an older space had this number of commands and this version, its ids are still valid.
        """
        lines = (_encode([type(it).__name__, it]) for it in self.commands[:n_actions])
        return hashlib.sha256(b"\n".join(lines)).hexdigest()[:16]

    def index(self, command: Struct) -> int:
        """Return the id of a command; raises :class:`MisuseError` if no game with this setup has it."""
        try:
            return self._ids[command]
        except (KeyError, TypeError):
            raise self._unknown(command) from None

    def command(self, id: int) -> CommandT_co:
        """Return the command with this id."""
        if not 0 <= id < self.n_actions:
            raise MisuseError(f"an action must be 0 to {self.n_actions - 1}, not {id!r}")
        return self.commands[id]

    def legal(self, state: HasLegalCommands, seat: int) -> list[int]:
        """Return the ids of the legal commands of a seat, in the order of ``state.legal(seat)``."""
        ids, commands = self._ids, state.legal(seat)
        try:
            return [ids[command] for command in commands]
        except KeyError:
            raise self._of_other_setup(commands) from None

    def mask(self, state: HasLegalCommands, seat: int, out: Buffer) -> Buffer:
        """Write 1 at the id of each legal command of a seat into a buffer, and 0 elsewhere; return the buffer.

        ``out`` has ``n_actions`` bytes: a ``bytearray``, or a numpy array of ``uint8``, ``int8`` or ``bool``.

        >>> from boardkeeper import engine
        >>> game, space = engine.create("paladins", 2, seed=1), engine.action_space("paladins", 2)
        >>> mask = space.mask(game, 2, bytearray(space.n_actions))
        >>> next(space.command(id) for id, is_legal in enumerate(mask) if is_legal) in game.legal(2)
        True
        """
        buffer: Any = out
        try:
            view = memoryview(buffer).cast("B")
            view[:] = self._zeros
        except (TypeError, ValueError):
            raise self._wrong_buffer(out) from None
        ids, commands = self._ids, state.legal(seat)
        try:
            for command in commands:
                view[ids[command]] = 1
        except KeyError:
            raise self._of_other_setup(commands) from None
        return out

    @cached_property
    def kinds(self) -> tuple[CommandKind, ...]:
        """The kinds of commands with the values of their fields, for models that choose them one after the other.

        Not every combination of values is a command. Like ids, the numbers of kinds and values only grow.
        """
        values: dict[type[Struct], list[dict[Any, None]]] = {}
        for command in self.commands:
            fields = type(command).__struct_fields__
            of_kind = values.setdefault(type(command), [{} for _ in fields])
            for known, field in zip(of_kind, fields, strict=True):
                known[getattr(command, field)] = None
        return tuple(
            CommandKind(
                kind.__name__,
                tuple(CommandField(*it) for it in zip(kind.__struct_fields__, map(tuple, known), strict=True)),
            )
            for kind, known in values.items()
        )

    def factored(self, id: int) -> tuple[int, ...]:
        """Return a command as numbers: the index of its kind in :attr:`kinds`, then that of the value of each field."""
        command = self.command(id)
        at, places = self._places[type(command).__name__]
        values = (getattr(command, field) for field in command.__struct_fields__)
        return (at, *(known[value] for known, value in zip(places, values, strict=True)))

    @cached_property
    def _places(self) -> dict[str, tuple[int, list[dict[Any, int]]]]:
        """For each kind, its index, and for each field the index of each value."""
        return {
            kind.name: (at, [{value: place for place, value in enumerate(field.values)} for field in kind.fields])
            for at, kind in enumerate(self.kinds)
        }

    def _wrong_buffer(self, out: object) -> MisuseError:
        return MisuseError(
            f"out must be a contiguous writable buffer of {self.n_actions} bytes, for example a bytearray, not"
            f" a {type(out).__name__} of another size or kind"
        )

    def _of_other_setup(self, commands: Sequence[Struct]) -> MisuseError:
        return self._unknown(next(command for command in commands if command not in self._ids))

    def _unknown(self, command: Struct) -> MisuseError:
        return MisuseError(f"{command!r} is no command of {self.title} with this setup: {self.setup}")


def action_space(
    title: str,
    players: int,
    edition: str = "",
    options: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> ActionSpace:
    """Return the action space of all games with this setup. ``players`` is 1 for a solo game.

    Raises :class:`MisuseError` if the title is from another package and cannot list its commands.

    >>> space = action_space("paladins", 2)
    >>> space.n_actions, space.command(160)
    (553, BeginAction(action='hunt', workers=2))
    """
    found: Any
    found, setup = setup_of(title, players, edition, options, readings)
    return _space(found, setup.edition, setup.players, tuple(setup.options.items()), tuple(setup.readings.items()))


Items = tuple[tuple[str, str], ...]


@lru_cache(maxsize=64)
def _space(title: Any, edition: str, players: int, options: Items, readings: Items) -> ActionSpace:
    setup = Setup(edition, players, dict(options), dict(readings))
    commands = command_space(title, setup)
    if commands is None:
        raise MisuseError(
            f"the title {title.meta.id!r} does not list its commands: it must implement command_space() of"
            " boardkeeper.titlekit.command_space.EnumerableTitle; a SimpleTitle needs values= for each Move with fields"
        )
    space = ActionSpace(title.meta.id, setup, commands)
    if len(space._ids) != space.n_actions:
        twice = next(command for command in commands if commands.count(command) > 1)
        raise MisuseError(f"the title {title.meta.id!r} lists {twice!r} twice in command_space()")
    return space
