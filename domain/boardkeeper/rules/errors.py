"""What goes wrong, said at once: a command that the rules forbid, or a program that asks for what there is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from boardkeeper.game import choices
from boardkeeper.table import title
from boardkeeper.table.rejections import Rejection


class RulesError(Exception):
    """Whatever this package raises of its own; nothing has changed then."""


class MisuseError(RulesError):
    """A mistake of the program: the message says what to do instead."""


class UnknownNameError(RulesError, ValueError):
    """There is no such title, edition, command or the like; ``suggestion`` is what was probably meant, or empty."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)
        self.suggestion = suggestion(name, self.known)
        super().__init__(f"there is no {what} {name!r}{did_you_mean(name, self.known)}")


class ChoiceError(RulesError, choices.ChoiceError):
    """A choice that there is not to make: ``field`` says where, the message what there is."""


class PositionError(RulesError, title.PositionError):
    """A board that no game of its title can begin from: ``problems`` lists everything that is wrong with it."""


class BadSaveError(RulesError, ValueError):
    """Bytes that are no save of a game, or not a whole one."""


class BadRecordError(RulesError, ValueError):
    """A record that no game can be made of: it does not hold, or tells too little."""


class Refused(RulesError):  # noqa: N818  # as the SDK has Rejected: a ruling of the game, not a fault
    """The rules forbid a command; nothing has changed.

    ``code`` is stable (``NOT_DECIDING``), ``rule`` the id of the rule, ``reference`` where the edition's rulebook has
    it (may be empty), and ``values`` what failed; of a batch ``values["index"]`` counts from 0 which command it was. As
    a string it is the sentence in English.
    """

    def __init__(self, rejection: Rejection, reference: str, say: Callable[[str], str]) -> None:
        self.code = rejection.code
        self.rule = rejection.rule
        self.reference = reference
        self.values: Mapping[str, str] = MappingProxyType(dict(rejection.values))
        self._say = say
        super().__init__(rejection.code)

    def sentence(self, language: str = "en") -> str:
        """Why, in plain words: what failed, and the rule; raises :class:`UnknownNameError` for other languages."""
        return self._say(language)

    def __str__(self) -> str:
        where = f" ({self.reference})" if self.reference else ""
        return f"{self.sentence()}{where} [{self.code}]"


def suggestion(name: str, known: Iterable[str]) -> str:
    """What somebody probably meant who wrote that, or an empty string."""
    from difflib import get_close_matches  # noqa: PLC0415  # for mistakes alone

    names = {each.casefold(): each for each in known}
    close = get_close_matches(str(name).casefold(), names, 1)
    return names[close[0]] if close else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The rest of a message about a name that there is not."""
    names = tuple(known)
    close = suggestion(name, names)
    if close:
        return f"; did you mean {close!r}?"
    return f"; there is {', '.join(map(repr, names))}" if names else "; there is none"
