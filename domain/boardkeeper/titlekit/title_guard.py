"""Titles of other packages behind a guard: each exception of their code becomes one error that names the title.

The code of another package can raise any exception. Even ``SystemExit`` must not end a server. A guarded title raises
:class:`TitleFailedError` instead, and so does each play that it makes. ``KeyboardInterrupt`` is raised unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from inspect import getattr_static, isroutine
from traceback import format_exception_only
from typing import Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.titlekit.title import Title

T = TypeVar("T")

_BY_CONTRACT: Mapping[str, type[Exception]] = {"layout": ValueError, "drawing": ValueError}
"""Exceptions that the guard does not convert: those for wrong arguments, by function of ``Title``."""


class RulesError(Exception):
    """The base class of the exceptions of ``boardkeeper.engine``; nothing has changed when one is raised."""


class TitleFailedError(RulesError):
    """The code of a title of another package raised an error, which is the ``__cause__``.

    ``build`` is the installed package and version, as in ``lost-gold 1.2``.
    """

    def __init__(self, title: str, build: str, message: str) -> None:
        super().__init__(message)
        self.title = title
        self.build = build


class IncompatibleTitleError(TitleFailedError):
    """A game cannot be read because it was played with another version of its title's package, ``recorded``."""

    def __init__(self, title: str, build: str, recorded: str, problem: str) -> None:
        message = (
            f"the rules of this game of {title!r} are from {recorded}; installed is {build}, which cannot read the game"
            f" ({problem}); install {recorded}"
        )
        super().__init__(title, build, message)
        self.recorded = recorded


class _Guard(Struct, frozen=True):
    """The title and the installed package; ``recorded`` is the package of a game that another version has played."""

    title: str
    build: str
    recorded: str = ""

    def call(self, name: str, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        try:
            return function(*map(_unwrapped, arguments), **named)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if isinstance(error, _BY_CONTRACT.get(name, ())):
                raise
            raise self._failed(name, error) from error

    def _failed(self, name: str, error: BaseException) -> TitleFailedError:
        raised = format_exception_only(error)[-1].strip()
        if self.recorded:
            return IncompatibleTitleError(self.title, self.build, self.recorded, raised)
        return TitleFailedError(
            self.title, self.build, f"the title {self.title!r} of the package {self.build} failed in {name}(): {raised}"
        )


class _Guarded:
    """A title, or a play of it, whose methods are called under a guard."""

    __slots__ = ("_guard", "_inner")

    def __init__(self, inner: Any, guard: _Guard) -> None:
        self._inner = inner
        self._guard = guard

    def __getattr__(self, name: str) -> Any:
        if name in _Guarded.__slots__ or name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self._inner, name)
        return _method(name).__get__(self) if isroutine(value) else value


@cache
def _method(name: str) -> Callable[..., Any]:
    def method(self: _Guarded, *arguments: Any, **named: Any) -> Any:
        result = self._guard.call(name, getattr(self._inner, name), *arguments, **named)
        return _wrapped(result, self._guard) if name == "play" else result

    return method


@cache
def _guarded_type(kind: type) -> type[_Guarded]:
    """Return the type of a guarded object. It has the methods of its kind, because protocols look for them there."""
    names = [name for name in dir(kind) if not name.startswith("_") and isroutine(getattr_static(kind, name))]
    return type(f"Guarded{kind.__name__}", (_Guarded,), {name: _method(name) for name in names} | {"__slots__": ()})


def _wrapped(inner: Any, guard: _Guard) -> Any:
    kind: Any = type(inner)
    return _guarded_type(kind)(inner, guard)


def _unwrapped(argument: Any) -> Any:
    """Return the object behind a guard: the code of a title gets its own plays."""
    return argument._inner if isinstance(argument, _Guarded) else argument


def guarded(title: Title, build: str) -> Title:
    """Return a title of another package behind a guard; ``build`` is its package and version."""
    return cast(Title, _wrapped(_unwrapped(title), _Guard(title.meta.id, build)))


def is_guarded(title: Title) -> bool:
    """Return whether the title comes from another package."""
    return isinstance(title, _Guarded)


def fault(title: Title, message: str) -> Exception:
    """Return the error for rules that do something impossible; ``message`` is the predicate of a sentence."""
    if isinstance(title, _Guarded):
        guard: _Guard = title._guard
        return TitleFailedError(guard.title, guard.build, f"the rules of {guard.title!r} ({guard.build}) {message}")
    return RuntimeError(f"the rules of {title.meta.id!r} {message}")


def is_of_other_build(title: Title) -> bool:
    """Return whether the title is for a game that another version of its package has played (:func:`for_game`)."""
    return isinstance(title, _Guarded) and bool(title._guard.recorded)


def expect_readable(title: Title, recorded: str, problem: str) -> None:
    """Raise :class:`IncompatibleTitleError` if a game that cannot be read was played with another version."""
    title = for_game(title, recorded)
    if isinstance(title, _Guarded) and title._guard.recorded:
        guard: _Guard = title._guard
        raise IncompatibleTitleError(guard.title, guard.build, recorded, problem)


def for_game(title: Title, recorded: str) -> Title:
    """Return a title for a game that ``recorded``, a package and version, has played; empty: unknown.

    If another version is installed, its failures raise :class:`IncompatibleTitleError`.
    """
    if not isinstance(title, _Guarded):
        return title
    guard = replace(title._guard, recorded="" if recorded == title._guard.build else recorded)
    return title if guard == title._guard else cast(Title, _wrapped(title._inner, guard))
