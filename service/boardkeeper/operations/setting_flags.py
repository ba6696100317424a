"""The flags of ``serve`` and ``config``: one for each setting of a service, made from what is known of it."""

from __future__ import annotations

import argparse
import re
from argparse import Namespace
from typing import Any

from boardkeeper.service.config.descriptions import GROUPS, About, text_of
from boardkeeper.service.config.settings import SETTINGS
from boardkeeper.terminal import argument_types

_SHAPES = {int: "N", str: "TEXT"}
"""What stands for the value of a setting that has no shape of its own; a ``float`` has one, for it has a unit."""

_LINK = re.compile(r" \(\[[^]]*\]\([^)]*\)\)")
_LINKED = re.compile(r"\[([^]]*)\]\([^)]*\)")
_TYPES = {"listen": argument_types.endpoint}
"""Where a mistake is told at once, with an example."""


class _Joined(argparse.Action):
    """A flag that may come several times, each time with one more."""

    def __call__(self, _parser: object, namespace: Namespace, values: Any, _option: str | None = None) -> None:
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, values if before is None else f"{before} {values}")


def add_setting_flags(command: argparse.ArgumentParser) -> None:
    """Let a command take every setting, and the file with the others."""
    command.add_argument("--config", metavar="FILE", help="TOML file with settings; flags override it")
    groups = {name: command.add_argument_group(name) for name in GROUPS}
    for about in SETTINGS.values():
        group = groups[about.group]
        group.add_argument(about.flag, dest=about.argument, default=None, help=_help(about), **_form(about))
        if about.meaning.off:
            without = about.flag.replace("--", "--no-", 1)
            form: dict[str, Any] = {
                "action": "store_const",
                "const": about.meaning.off,
                "help": f"same as {about.flag} {about.meaning.off}",
            }
            group.add_argument(without, dest=about.argument, **form)


def given_settings(arguments: Namespace) -> dict[str, object]:
    """The settings that were given as flags; those that were not are ``None``."""
    return {name: getattr(arguments, name) for name in ("config", *(about.argument for about in SETTINGS.values()))}


def given_flags(arguments: Namespace) -> list[str]:
    """The settings that were given as flags, as flags again."""
    flags = ["--config", arguments.config] if arguments.config is not None else []
    for about in SETTINGS.values():
        value = getattr(arguments, about.argument)
        if isinstance(value, bool):
            flags.append(about.flag if value else about.flag.replace("--", "--no-", 1))
        elif value is not None:
            flags += [about.flag, str(value)]
    return flags


def _form(about: About) -> dict[str, Any]:
    if about.choices:
        return {"choices": about.choices}
    if about.kind is bool:
        return {"action": argparse.BooleanOptionalAction}
    if about.meaning.secret:
        return {"metavar": "FILE"}
    if about.meaning.several:
        return {"action": _Joined, "metavar": about.meaning.shape}
    kind = _TYPES.get(about.name, about.kind)
    return {"type": kind, "metavar": about.meaning.shape or _SHAPES[about.kind]}


def _help(about: About) -> str:
    meaning = _LINKED.sub(r"\1", _LINK.sub("", about.meaning.text)).replace("`", "")
    if about.meaning.secret:
        return f"file that contains the {meaning}"
    return meaning if about.default == "" else f"{meaning} (default: {text_of(about.default)})"
