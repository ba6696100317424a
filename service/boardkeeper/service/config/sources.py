"""Where settings come from: flags, then variables ``BOARDKEEPER_…``, then a file, then defaults.

Nothing is ignored silently. An unknown name is rejected with the nearest known one, a wrong value with its place and
the reason. Messages never contain the value of a secret.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import msgspec

from boardkeeper.service.config.descriptions import PREFIX, About
from boardkeeper.service.config.secret_files import check_private, read_secret
from boardkeeper.service.errors import SettingError
from boardkeeper.table.decoding import convert

CONFIG_VARIABLE = f"{PREFIX}CONFIG"
"""Names the file where no flag does."""

CLIENTS_VARIABLES = frozenset(
    PREFIX + name for name in ("CA_FILE", "CLIENT_CERT", "CLIENT_KEY", "HOME", "KEY", "LANGUAGE", "SERVER")
)
"""What the command line reads for itself; a person may have set them where a service is started."""

BUILD_VARIABLES = frozenset({"BOARDKEEPER_COMPILE", "BOARDKEEPER_COMPILE_LEVEL", "BOARDKEEPER_TEST_POSTGRES"})
"""What the build (`hatch_build.py`) and the tests read; where something was built or tested they may still be set."""

_KUBERNETES = re.compile(
    rf"{PREFIX}(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)"
)
"""What Kubernetes sets in every container beside a Service called "boardkeeper": nobody has mistyped anything there."""

_MOST = (1 << 31) - 1
_LARGEST_FILE = 1 << 20


@dataclass(frozen=True)
class Found:
    """The value of a setting and where it was found: ``where`` is the flag, variable or key of a file, as it stands."""

    value: Any = field(repr=False)
    source: Literal["flag", "environment", "file", "default"]
    where: str = ""


def gather(
    settings: Mapping[str, About], arguments: Mapping[str, object], environment: Mapping[str, str]
) -> dict[str, Found]:
    """Every setting as it is to be; see :meth:`Config.read`. Raises :class:`SettingError`."""
    _refuse_unknown_variables(settings, environment)
    given = arguments.get("config") or environment.get(CONFIG_VARIABLE)
    file = Path(str(given)) if given else None
    keys = {} if file is None else _read_file(file, settings)
    found = {}
    for about in settings.values():
        found[about.name] = (
            _found(about, "flag", arguments, {about.name: about.flag, about.file_key: about.flag})
            or _found(
                about,
                "environment",
                {
                    about.name: environment.get(about.variable) or None,
                    about.file_key: environment.get(about.file_variable) or None,
                },
                {about.name: about.variable, about.file_key: about.file_variable},
            )
            or _found(about, "file", keys, {key: f"{key} in {file}" for key in (about.name, about.file_key)})
            or Found(about.default, "default")
        )
    return found


def _found(
    about: About,
    source: Literal["flag", "environment", "file"],
    values: Mapping[str, object],
    names: Mapping[str, str],
) -> Found | None:
    """What one source says of a setting; ``names`` are those of the setting and of its file there."""
    value, where = values.get(about.name), names[about.name]
    if about.meaning.secret and (path := values.get(about.file_key)) is not None:
        if value is not None:
            raise SettingError(f"{where} and {names[about.file_key]} are both set: set only one of them")
        where = names[about.file_key]
        if not isinstance(path, str):
            raise SettingError(f"{where} must be the path of a file")
        value = read_secret(Path(path), where)
    if value is None:
        return None
    return Found(_fitting(about, value, where, strict=source == "file"), source, where)


def _fitting(about: About, given: object, where: str, *, strict: bool) -> Any:
    meaning = about.meaning
    try:
        value = convert(given, about.kind, strict=strict)
    except msgspec.ValidationError as error:
        wrong = "" if meaning.secret else f", not {given!r}"
        raise SettingError(f"{where} {_plain(str(error), about)}{wrong}") from error
    if isinstance(value, int | float) and not isinstance(value, bool):
        _check_number(value, where, positive=meaning.positive)
    if meaning.shortest and value and len(value) < meaning.shortest:
        raise SettingError(f"{where}: the {_words(about.name)} must have at least {meaning.shortest} characters")
    return value


def _check_number(number: float, where: str, *, positive: bool) -> None:
    if not isfinite(number):
        raise SettingError(f"{where} must be a number")
    if isinstance(number, int) and number > _MOST:
        raise SettingError(f"{where} is too large: the maximum is {_MOST}")
    if number < 0:
        raise SettingError(f"{where} must not be negative")
    if not number and positive:
        raise SettingError(f"{where} must be greater than 0")


def _plain(message: str, about: About) -> str:
    """Why a value does not fit, in words that are not those of a library."""
    if about.choices:
        return f"must be one of: {', '.join(about.choices)}"
    kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "text in quotes"}
    return f"must be {kinds[about.kind]}" if about.kind in kinds else f"is wrong ({message})"


def _words(name: str) -> str:
    return name.replace("_", " ")


# --- the file ------------------------------------------------------------------------------------------------


def _read_file(path: Path, settings: Mapping[str, About]) -> Mapping[str, object]:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
        if len(data) > _LARGEST_FILE:
            raise SettingError(f"{path} is larger than {_LARGEST_FILE >> 20} MiB and cannot be a settings file")
        keys = tomllib.loads(data.decode("utf-8-sig"))  # editors may add a byte order mark
    except OSError as error:
        raise SettingError(f"cannot read the settings file {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # no path, no text, or no TOML
        raise SettingError(f"{path} is not a valid TOML file: {error}") from error
    for key in keys:
        if key not in _keys(settings):
            raise SettingError(f"{path}: unknown setting {key!r}{_nearest(key, settings)}")
    if any(about.meaning.secret and about.name in keys for about in settings.values()):
        check_private(path, "the secrets in")
    return keys


# --- the environment -----------------------------------------------------------------------------------------


def _refuse_unknown_variables(settings: Mapping[str, About], environment: Mapping[str, str]) -> None:
    known = {PREFIX + key.upper() for key in _keys(settings)} | {CONFIG_VARIABLE} | CLIENTS_VARIABLES | BUILD_VARIABLES
    for name, value in environment.items():
        if name.startswith(PREFIX) and value and name not in known and not _KUBERNETES.fullmatch(name):
            others = [each.removeprefix(PREFIX) for each in CLIENTS_VARIABLES | {CONFIG_VARIABLE}]
            nearest = _nearest(name.removeprefix(PREFIX), settings, others, prefix=PREFIX)
            raise SettingError(f"unknown environment variable {name}{nearest}")


# --- names ---------------------------------------------------------------------------------------------------


def _keys(settings: Mapping[str, About]) -> list[str]:
    """All names of settings, and those by which secrets are given as files."""
    secrets = [about.file_key for about in settings.values() if about.meaning.secret]
    return [*settings, *secrets]


def _nearest(name: str, settings: Mapping[str, About], others: Iterable[str] = (), prefix: str = "") -> str:
    """What may have been meant, to be added to a sentence; flags that are called otherwise are known too."""
    known = {key: key for key in (*_keys(settings), *(each.lower() for each in others))}
    known |= {_as_key(about.meaning.flag): key for key, about in settings.items() if about.meaning.flag}
    near = get_close_matches(_as_key(name), known, 1)
    if not near:
        return "; 'boardkeeper config' lists all settings"
    meant = known[near[0]]
    return f"; did you mean {prefix + meant.upper() if prefix else meant}?"


def _as_key(name: str) -> str:
    return name.lower().lstrip("-").replace("-", "_")
