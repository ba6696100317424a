"""The sources of settings: flags, then variables ``BOARDKEEPER_…``, then a file, then defaults.

No mistake is ignored. The error for an unknown name suggests the nearest known one; the error for a wrong value names
its source and the reason. Messages never contain the value of a secret.
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

from boardkeeper.service.config.descriptions import PREFIX, SettingInfo
from boardkeeper.service.config.secret_files import check_private, read_secret
from boardkeeper.service.errors import SettingError
from boardkeeper.table.decoding import convert

CONFIG_VARIABLE = f"{PREFIX}CONFIG"
"""The variable that names the settings file, unless a flag does."""

CLIENTS_VARIABLES = frozenset(
    PREFIX + name for name in ("CA_FILE", "CLIENT_CERT", "CLIENT_KEY", "HOME", "KEY", "LANGUAGE", "SERVER")
)
"""Variables of client commands, which can be set in the environment of a server too."""

BUILD_VARIABLES = frozenset({"BOARDKEEPER_COMPILE", "BOARDKEEPER_COMPILE_LEVEL", "BOARDKEEPER_TEST_POSTGRES"})
"""Variables of the build (`hatch_build.py`) and the tests, which can be set in the environment of a server too."""

_KUBERNETES = re.compile(
    rf"{PREFIX}(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)"
)
"""Variables that Kubernetes sets in every container if there is a Service called "boardkeeper"."""

_MAX_NUMBER = (1 << 31) - 1
_MAX_FILE_BYTES = 1 << 20


@dataclass(frozen=True)
class SettingValue:
    """The value of a setting and its source; ``where`` is the name of the flag, variable or key."""

    value: Any = field(repr=False)
    source: Literal["flag", "environment", "file", "default"]
    where: str = ""


def resolve_settings(
    settings: Mapping[str, SettingInfo], arguments: Mapping[str, object], environment: Mapping[str, str]
) -> dict[str, SettingValue]:
    """Return every setting with its source; see :meth:`Config.resolve`. Raises :class:`SettingError`."""
    _reject_unknown_variables(settings, environment)
    path = arguments.get("config") or environment.get(CONFIG_VARIABLE)
    file = Path(str(path)) if path else None
    keys = {} if file is None else _read_file(file, settings)
    found = {}
    for info in settings.values():
        found[info.name] = (
            _read_source(info, "flag", arguments, {info.name: info.flag, info.file_key: info.flag})
            or _read_source(
                info,
                "environment",
                {
                    info.name: environment.get(info.variable) or None,
                    info.file_key: environment.get(info.file_variable) or None,
                },
                {info.name: info.variable, info.file_key: info.file_variable},
            )
            or _read_source(info, "file", keys, {key: f"{key} in {file}" for key in (info.name, info.file_key)})
            or SettingValue(info.default, "default")
        )
    return found


def _read_source(
    info: SettingInfo,
    source: Literal["flag", "environment", "file"],
    values: Mapping[str, object],
    names: Mapping[str, str],
) -> SettingValue | None:
    """Return the value in one source, if any; ``names`` are the names of the setting and of its file there, by key."""
    value, where = values.get(info.name), names[info.name]
    if info.meaning.secret and (path := values.get(info.file_key)) is not None:
        if value is not None:
            raise SettingError(f"{where} and {names[info.file_key]} are both set: set only one of them")
        where = names[info.file_key]
        if not isinstance(path, str):
            raise SettingError(f"{where} must be the path of a file")
        value = read_secret(Path(path), where)
    if value is None:
        return None
    return SettingValue(_parse_value(info, value, where, strict=source == "file"), source, where)


def _parse_value(info: SettingInfo, raw: object, where: str, *, strict: bool) -> Any:
    meaning = info.meaning
    try:
        value = convert(raw, info.kind, strict=strict)
    except msgspec.ValidationError as error:
        wrong = "" if meaning.secret else f", not {raw!r}"
        raise SettingError(f"{where} {_explain(str(error), info)}{wrong}") from error
    if isinstance(value, int | float) and not isinstance(value, bool):
        _check_number(value, where, positive=meaning.positive)
    if meaning.shortest and value and len(value) < meaning.shortest:
        raise SettingError(
            f"{where}: the {info.name.replace('_', ' ')} must have at least {meaning.shortest} characters"
        )
    return value


def _check_number(number: float, where: str, *, positive: bool) -> None:
    if not isfinite(number):
        raise SettingError(f"{where} must be a number")
    if isinstance(number, int) and number > _MAX_NUMBER:
        raise SettingError(f"{where} is too large: the maximum is {_MAX_NUMBER}")
    if number < 0:
        raise SettingError(f"{where} must not be negative")
    if not number and positive:
        raise SettingError(f"{where} must be greater than 0")


def _explain(message: str, info: SettingInfo) -> str:
    """Return why a value is invalid, without the terms of the library."""
    if info.choices:
        return f"must be one of: {', '.join(info.choices)}"
    kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "text in quotes"}
    return f"must be {kinds[info.kind]}" if info.kind in kinds else f"is wrong ({message})"


# --- the file ------------------------------------------------------------------------------------------------


def _read_file(path: Path, settings: Mapping[str, SettingInfo]) -> Mapping[str, object]:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_FILE_BYTES + 1)
        if len(data) > _MAX_FILE_BYTES:
            raise SettingError(f"{path} is larger than {_MAX_FILE_BYTES >> 20} MiB and cannot be a settings file")
        keys = tomllib.loads(data.decode("utf-8-sig"))  # editors may add a byte order mark
    except OSError as error:
        raise SettingError(f"cannot read the settings file {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # not a path, not text, or not TOML
        raise SettingError(f"{path} is not a valid TOML file: {error}") from error
    for key in keys:
        if key not in _keys(settings):
            raise SettingError(f"{path}: unknown setting {key!r}{_nearest(key, settings)}")
    if any(info.meaning.secret and info.name in keys for info in settings.values()):
        check_private(path, "the secrets in")
    return keys


# --- the environment -----------------------------------------------------------------------------------------


def _reject_unknown_variables(settings: Mapping[str, SettingInfo], environment: Mapping[str, str]) -> None:
    known = {PREFIX + key.upper() for key in _keys(settings)} | {CONFIG_VARIABLE} | CLIENTS_VARIABLES | BUILD_VARIABLES
    for name, value in environment.items():
        if name.startswith(PREFIX) and value and name not in known and not _KUBERNETES.fullmatch(name):
            others = [it.removeprefix(PREFIX) for it in CLIENTS_VARIABLES | {CONFIG_VARIABLE}]
            nearest = _nearest(name.removeprefix(PREFIX), settings, others, prefix=PREFIX)
            raise SettingError(f"unknown environment variable {name}{nearest}")


# --- names ---------------------------------------------------------------------------------------------------


def _keys(settings: Mapping[str, SettingInfo]) -> list[str]:
    """Return the names of all settings, and those that name files with secrets."""
    secrets = [info.file_key for info in settings.values() if info.meaning.secret]
    return [*settings, *secrets]


def _nearest(name: str, settings: Mapping[str, SettingInfo], others: Iterable[str] = (), prefix: str = "") -> str:
    """Return a suggestion for an unknown name, to be added to the error message."""
    known = {key: key for key in (*_keys(settings), *(it.lower() for it in others))}
    known |= {_as_key(info.meaning.flag): key for key, info in settings.items() if info.meaning.flag}
    near = get_close_matches(_as_key(name), known, 1)
    if not near:
        return "; 'boardkeeper config' lists all settings"
    meant = known[near[0]]
    return f"; did you mean {prefix + meant.upper() if prefix else meant}?"


def _as_key(name: str) -> str:
    return name.lower().lstrip("-").replace("-", "_")
