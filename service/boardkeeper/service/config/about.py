"""What is said of one setting beside its name, type and default: its meaning, its flag, and which values fit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import Struct

PREFIX = "BOARDKEEPER_"
FILE = "_file"
"""What is added to the name of a secret to name the file that holds it."""

HIDDEN = "(hidden)"
TITLES, NETWORK, STORAGE, ACCESS, LIMITS, TIMEOUTS, MONITORING = (
    "titles", "network", "storage", "access", "limits", "timeouts", "monitoring",
)  # fmt: skip
"""The headings under which help lists settings, in their order."""
GROUPS = (TITLES, NETWORK, STORAGE, ACCESS, LIMITS, TIMEOUTS, MONITORING)

_PASSWORD = re.compile(r"(?<=://)([^/@?\s:]*):[^/?\s]*@|(?<=password=)(?:'[^']*'|[^&\s]*)")


@dataclass(frozen=True)
class Meaning:
    """Stands in the annotation of a setting: ``name: Annotated[int, Meaning("…", STORAGE)] = 5``.

    ``text`` is the help text, in Markdown; ``group`` is the heading under which help lists the setting.
    ``flag`` is what the command line calls it where that is not the name itself, and ``shape`` what stands for its
    value there. A number that has to be ``positive`` cannot be 0; none can be negative. A ``secret`` has no flag, is
    never shown, has at least ``shortest`` characters, and may be given as a file. ``off`` is the value that a second
    flag stands for, with ``no-`` before the name; of ``several`` the flag may come again for each.
    """

    text: str
    group: str
    flag: str = ""
    shape: str = ""
    positive: bool = False
    secret: bool = False
    shortest: int = 0
    off: str = ""
    several: bool = False


@dataclass(frozen=True)
class About:
    """One setting: ``name`` is its key in a file, ``kind`` its type, ``default`` what it is if nobody says anything."""

    name: str
    kind: Any
    default: Any
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


def settings_of(kind: type[Struct]) -> Mapping[str, About]:
    """All settings by name, in their order."""
    made = {}
    for field in msgspec.structs.fields(kind):
        type_, meaning = get_args(field.type)
        made[field.name] = About(field.name, type_, field.default, meaning)
    return made
