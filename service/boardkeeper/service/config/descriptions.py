"""Descriptions of settings: their meanings, flags and values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import Struct

from boardkeeper.table.decoding import convert
from boardkeeper.titlekit.title_files import read_toml

PREFIX = "BOARDKEEPER_"
FILE = "_file"
"""The suffix of the setting that names the file with a secret."""

HIDDEN = "(hidden)"

_PASSWORD = re.compile(r"(?<=://)([^/@?\s:]*):[^/?\s]*@|(?<=password=)(?:'[^']*'|[^&\s]*)")


class Meaning(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The entry of a setting in ``settings.toml``; the comment at the head of that file explains the fields."""

    text: str
    flag: str = ""
    shape: str = ""
    positive: bool = False
    secret: bool = False
    shortest: int = 0
    off: str = ""
    several: bool = False


@dataclass(frozen=True)
class SettingInfo:
    """A setting. ``name`` is its key in a file, ``group`` its heading in the help."""

    name: str
    kind: Any
    default: Any
    group: str
    meaning: Meaning

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return PREFIX + self.name.upper()

    @property
    def flag(self) -> str:
        """The flag that sets it; for a secret, the flag that names its file."""
        if self.meaning.secret:
            return f"--{self.file_key.replace('_', '-')}"
        return self.meaning.flag or f"--{self.name.replace('_', '-')}"

    @property
    def file_key(self) -> str:
        """The key that names the file of a secret."""
        return self.name + FILE

    @property
    def file_variable(self) -> str:
        """The variable that names the file of a secret."""
        return PREFIX + self.file_key.upper()

    @property
    def argument(self) -> str:
        """The name of the command's argument."""
        return self.file_key if self.meaning.secret else self.name

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed values, or none if any value of the type is allowed."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    def redact(self, value: Any) -> Any:
        """Return a value without secrets: a hidden text for a secret, a URL without its password."""
        if self.meaning.secret:
            return HIDDEN if value else ""
        if isinstance(value, str):
            return _PASSWORD.sub(lambda match: HIDDEN if match[1] is None else f"{match[1]}:{HIDDEN}@", value)
        return value


_SECTIONS = convert(read_toml(__package__, "settings.toml"), dict[str, dict[str, Meaning]])
GROUPS = tuple(_SECTIONS)
"""The headings under which help lists settings, in their order."""


def read_settings(kind: type[Struct]) -> Mapping[str, SettingInfo]:
    """Return all settings by name, in the order of the fields."""
    described = {name: (group, it) for group, section in _SECTIONS.items() for name, it in section.items()}
    return {
        it.name: SettingInfo(it.name, it.type, it.default, *described[it.name]) for it in msgspec.structs.fields(kind)
    }


def format_value(value: Any) -> str:
    """Return the text of a value for pages and help."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value) or "none"
