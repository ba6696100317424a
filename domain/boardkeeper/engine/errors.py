"""Exceptions of the engine: for commands that the rules reject, and for mistakes of the calling program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from boardkeeper.game import choices
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit import title
from boardkeeper.titlekit.title_guard import RulesError as RulesError  # noqa: PLC0414  # callers import it from here


class MisuseError(RulesError):
    """A mistake of the calling program. The message says what to do instead."""


class UnknownNameError(RulesError, ValueError):
    """A title, edition, command or other name does not exist. ``suggestion`` is the closest existing name, or empty."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)
        self.suggestion = suggestion(name, self.known)
        super().__init__(f"unknown {what} {name!r}{did_you_mean(name, self.known)}")


class ChoiceError(RulesError, choices.ChoiceError):
    """An option, reading or choice that the edition does not have. ``field`` names it; the message lists valid ones."""


class PositionError(RulesError, title.PositionError):
    """A table from which no game of the title can start. ``problems`` lists everything that is wrong with it."""


class BadSaveError(RulesError, ValueError):
    """Bytes that are not a complete save of a game."""


class IncompatibleSaveError(BadSaveError):
    """A save of a game that the installed version of its title's package cannot read.

    ``played_with`` is the package and version that began the game, ``installed`` the installed one.
    """

    def __init__(self, title: str, played_with: str, installed: str, message: str) -> None:
        self.title = title
        self.played_with = played_with
        self.installed = installed
        super().__init__(message)


class BadRecordError(RulesError, ValueError):
    """A record that cannot be loaded as a game: it is not valid, or not the whole record of a finished game."""


class Rejected(RulesError):  # noqa: N818  # the same name as in the SDK
    """The rules reject a command; nothing has changed.

    ``code`` is a stable reason (``NOT_DECIDING``), ``rule`` the id of the rule, and ``reference`` its place in the
    edition's rulebook (may be empty). ``values`` has the values that failed; for a batch, ``values["index"]`` is the
    index of the command, from 0. As a string it is the sentence in English.
    """

    def __init__(self, rejection: Rejection, reference: str, say: Callable[[str], str]) -> None:
        self.code = rejection.code
        self.rule = rejection.rule
        self.reference = reference
        self.values: Mapping[str, str] = MappingProxyType(dict(rejection.values))
        self._say = say
        super().__init__(rejection.code)

    def sentence(self, language: str = "en") -> str:
        """Return the reason as a sentence; raises :class:`UnknownNameError` for a language that does not exist."""
        return self._say(language)

    def __str__(self) -> str:
        where = f" ({self.reference})" if self.reference else ""
        return f"{self.sentence()}{where} [{self.code}]"


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the known name that is closest to an unknown one, or an empty string."""
    from difflib import get_close_matches  # noqa: PLC0415  # only needed after a mistake

    names = {each.casefold(): each for each in known}
    close = get_close_matches(str(name).casefold(), names, 1)
    return names[close[0]] if close else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of an error message about an unknown name."""
    names = tuple(known)
    close = suggestion(name, names)
    if close:
        return f"; did you mean {close!r}?"
    return f"; choose one of: {', '.join(map(repr, names))}" if names else "; this title has none"
