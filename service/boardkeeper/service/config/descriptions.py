"""Descriptions of settings: their meaning, their flags, and which values they take."""

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
"""What is added to the name of a secret to name the file that holds it."""

HIDDEN = "(hidden)"

_PASSWORD = re.compile(r"(?<=://)([^/@?\s:]*):[^/?\s]*@|(?<=password=)(?:'[^']*'|[^&\s]*)")


class Meaning(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What ``settings.toml`` says about a setting; its heading explains the fields."""

    text: str
    flag: str = ""
    shape: str = ""
    positive: bool = False
    secret: bool = False
    shortest: int = 0
    off: str = ""
    several: bool = False


@dataclass(frozen=True)
class About:
    """One setting: ``name`` is its key in a file, ``group`` the heading under which help lists it."""

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
        """The flag that sets it; of a secret, that names its file."""
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
        """Its name among the arguments of a command."""
        return self.file_key if self.meaning.secret else self.name

    @property
    def choices(self) -> tuple[str, ...]:
        """The values that there are, if there are only some."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    def shown(self, value: Any) -> Any:
        """A value of it without what is secret: a secret as a whole, in a URL the password."""
        if self.meaning.secret:
            return HIDDEN if value else ""
        if isinstance(value, str):
            return _PASSWORD.sub(lambda match: HIDDEN if match[1] is None else f"{match[1]}:{HIDDEN}@", value)
        return value


_SECTIONS = convert(read_toml(__package__, "settings.toml"), dict[str, dict[str, Meaning]])
GROUPS = tuple(_SECTIONS)
"""The headings under which help lists settings, in their order."""


def settings_of(kind: type[Struct]) -> Mapping[str, About]:
    """Return all settings by name, in the order of the fields."""
    described = {name: (group, it) for group, section in _SECTIONS.items() for name, it in section.items()}
    return {it.name: About(it.name, it.type, it.default, *described[it.name]) for it in msgspec.structs.fields(kind)}


def text_of(value: Any) -> str:
    """Return the text of a value, as pages and help show it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value) or "none"
