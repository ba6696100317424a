"""The flags of ``serve`` and ``config``: one for each setting of a server."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import click

from boardkeeper.service.config.descriptions import SettingInfo, format_value
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.config.settings import SETTINGS
from boardkeeper.service.errors import StartupError
from boardkeeper.terminal import command_line as cli

_METAVARS = {int: "N", str: "TEXT"}
"""Metavars of settings that have no unit."""

_REFERENCE = re.compile(r" \(\[[^]]*\]\([^)]*\)\)")
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


def endpoint(text: str) -> str:
    """Check an address to listen on. Raises ``ValueError``."""
    try:
        Endpoint.parse(text)
    except StartupError as error:
        raise ValueError(str(error)) from error
    return text


def setting_flags(function: Callable[..., int]) -> Callable[..., int]:
    """Add a flag for each setting, and ``--config``."""
    flags = [cli.file_flag("--config", help="TOML file with settings; flags override it")]
    for about in SETTINGS.values():
        flags.append(_setting_flag(about))
        if about.meaning.off:
            flags.append(
                cli.switch(
                    _negative(about),
                    about.argument,
                    flag_value=about.meaning.off,
                    default=None,
                    help=f"same as {about.flag} {about.meaning.off}",
                    group=about.group,
                )
            )
    return cli.combine(*flags)(function)


def settings_from_flags(arguments: cli.Arguments) -> dict[str, object]:
    """Return the settings of all flags; ``None`` for flags that were not passed."""
    return {name: getattr(arguments, name) for name in ("config", *(about.argument for about in SETTINGS.values()))}


def passed_flags(arguments: cli.Arguments) -> list[str]:
    """Return the flags that were passed, as arguments for another process."""
    flags = ["--config", arguments.config] if arguments.config is not None else []
    for about in SETTINGS.values():
        value = getattr(arguments, about.argument)
        if isinstance(value, bool):
            flags.append(about.flag if value else _negative(about))
        elif value is not None:
            flags += [about.flag, str(value)]
    return flags


def _negative(about: SettingInfo) -> str:
    return about.flag.replace("--", "--no-", 1)


def _setting_flag(about: SettingInfo) -> cli.Decorator:
    settings: dict[str, Any] = {"default": None, "help": _help(about), "group": about.group}
    if about.choices:
        return cli.flag(about.flag, about.argument, choices=about.choices, **settings)
    if about.kind is bool:
        return cli.switch(f"{about.flag}/{_negative(about)}", about.argument, **settings)
    if about.meaning.secret:
        return cli.file_flag(about.flag, about.argument, **settings)
    metavar = about.meaning.shape or _METAVARS[about.kind]
    if about.meaning.several:
        return cli.flag(about.flag, about.argument, multiple=True, callback=_join, metavar=metavar, **settings)
    if metavar in ("FILE", "FOLDER") or about.name == "database":
        return cli.file_flag(about.flag, about.argument, metavar=metavar, **settings)
    kind = endpoint if about.name == "listen" else about.kind
    return cli.flag(about.flag, about.argument, type=kind, metavar=metavar, **settings)


def _join(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
    return " ".join(values) if values else None


def _help(about: SettingInfo) -> str:
    meaning = _LINK.sub(r"\1", _REFERENCE.sub("", about.meaning.text)).replace("`", "")
    if about.meaning.secret:
        return f"file that contains the {meaning}"
    return meaning if about.default == "" else f"{meaning} (default: {format_value(about.default)})"
