"""Checks of commands, and exceptions for the rejections of the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from boardkeeper.engine import arguments
from boardkeeper.engine.errors import MisuseError, Rejected, did_you_mean
from boardkeeper.game.sentences import explain
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.rules_catalogue import kernel_rules
from boardkeeper.titlekit.title import Setup, Title


def copy_command(title: Title, seat: int, command: Struct) -> Struct:
    """Return a checked copy of a command, which the caller cannot change. Raises :class:`MisuseError`."""
    name = type(command).__name__
    kind = title.commands.get(name)
    if kind is None or type(command) is not kind:
        if isinstance(command, (list, tuple)):
            raise MisuseError(f"seat {seat} needs a single command here, not a list")
        raise MisuseError(f"{command!r} is not a command of {title.meta.id}{did_you_mean(name, title.commands)}")
    return arguments.check_struct(name, command, kind)


def rejected(title: Title, setup: Setup, rejection: Rejection, names: Callable[[str], Sequence[str]]) -> Rejected:
    """Return the exception for a rejection. ``names`` returns the names of all seats in a language."""

    def say(language: str) -> str:
        return explain(language, title, names(arguments.check_language(language)), rejection)

    rule = kernel_rules().get(rejection.rule) or next((it for it in title.rules() if it.id == rejection.rule), None)
    return Rejected(rejection, rule.references.get(setup.edition, "") if rule is not None else "", say)
