"""Checks of arguments. Each returns the checked value or raises :class:`~boardkeeper.engine.MisuseError`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from boardkeeper.engine.errors import MisuseError, UnknownNameError
from boardkeeper.game.record import Signer
from boardkeeper.game.record_bounds import LATEST_TIME
from boardkeeper.game.time_control import KINDS, MAX_SECONDS, MOVE, ON_EXPIRY, TimeControl
from boardkeeper.table.decoding import decode
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titlekit.rules_catalogue import LANGUAGES, language_or_default

BytesLike = bytes | bytearray | memoryview

_T = TypeVar("_T", bound=Struct)
_encode = msgspec.json.Encoder().encode

Clock = Callable[[], int]
"""Returns the time in milliseconds since 1970 UTC."""


def check_seat(number: int, seats: int) -> int:
    """Check the number of a seat in a game with ``seats`` seats."""
    if type(number) is not int or not 1 <= number <= seats:
        raise MisuseError(f"seat must be 1 to {seats} in this game, not {number!r}")
    return number


def check_viewer(number: int, seats: int) -> int:
    """Check a viewer: a seat of a game with ``seats`` seats, ``SPECTATOR`` or ``OPERATOR``."""
    if type(number) is not int or not OPERATOR <= number <= seats:
        raise MisuseError(f"viewer must be a seat of this game, SPECTATOR or OPERATOR, not {number!r}")
    return number


def check_text(what: str, value: str) -> str:
    """Check a string that must be valid Unicode; ``what`` names it in errors."""
    if not isinstance(value, str):
        raise MisuseError(f"{what} must be a str, not {value!r}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise MisuseError(f"{what} must be valid Unicode: {error}") from None
    return value


def check_sequence(what: str, value: object) -> None:
    """Check that a value is a sequence other than a string."""
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        raise MisuseError(f"{what} must be a list or a tuple, not {value!r}")


def check_names(value: Sequence[str]) -> Sequence[str]:
    """Check the names of seats."""
    check_sequence("names", value)
    return [check_text("a name", name) for name in value]


def check_choices(what: str, value: Mapping[str, str] | None) -> Mapping[str, str]:
    """Check a mapping from the ids of options or readings to choices."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise MisuseError(f"{what} must be a dict from ids to choices, not {value!r}")
    return value


def check_clock(value: Clock | None) -> Clock | None:
    """Return a clock that checks each time that ``value`` returns."""
    if value is None:
        return None
    if not callable(value):
        raise MisuseError(f"clock must be a function that returns the time, not {value!r}")

    def checked() -> int:
        time = value()
        if type(time) is not int or not 0 <= time <= LATEST_TIME:
            raise MisuseError(
                f"clock must return whole milliseconds since 1970, as time.time_ns() // 1_000_000 does, not {time!r}"
            )
        return time

    return checked


def check_time_control(value: TimeControl | None, clock: Clock | None) -> TimeControl | None:
    """Check a time control for a game with this clock."""
    if value is None:
        return None
    if not isinstance(value, TimeControl):
        raise MisuseError(f"time_control must be a TimeControl, not {value!r}")
    control = check_struct("time_control", value, TimeControl)
    if clock is None:
        raise MisuseError("time_control needs a clock: without one all times are 0")
    for field, known in (("kind", KINDS), ("on_expiry", ON_EXPIRY)):
        if getattr(control, field) not in known:
            raise UnknownNameError(f"time_control.{field}", getattr(control, field), known)
    if not 1 <= control.seconds <= MAX_SECONDS or not 0 <= control.increment <= MAX_SECONDS:
        raise MisuseError(
            f"time_control.seconds must be 1 to {MAX_SECONDS}, and time_control.increment 0 to {MAX_SECONDS}"
        )
    if control.increment and control.kind == MOVE:
        raise MisuseError("time_control.increment must be 0 unless time_control.kind is 'game'")
    return control


def check_struct(what: str, fields: object, kind: type[_T]) -> _T:
    """Return a new struct of a type from a mapping of fields, or from another struct of the type; checks all types."""
    try:
        return decode(_encode(fields), kind)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise MisuseError(f"{what}: {error}") from None


def check_bytes(what: str, value: BytesLike) -> bytes:
    """Check a bytes-like value and return it as ``bytes``."""
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise MisuseError(f"{what} must be bytes, not {type(value).__name__}")
    return bytes(value)


def check_callable(what: str, value: object) -> None:
    """Check that a value is a function or ``None``."""
    if value is not None and not callable(value):
        raise MisuseError(f"{what} must be a function, not {value!r}")


def check_signer(value: Signer | None) -> Signer | None:
    """Check an object that signs records."""
    if value is None:
        return None
    key = getattr(value, "public_key", None)
    if not isinstance(key, bytes) or len(key) != 32 or not callable(getattr(value, "sign", None)):
        raise MisuseError(f"signer must have public_key (32 bytes) and sign(message), not {value!r}")
    return value


def check_language(value: str) -> str:
    """Return the supported language for a language tag (``de`` for ``de-AT``)."""
    if check_text("a language", value).split("-", maxsplit=1)[0].lower() not in LANGUAGES:
        raise UnknownNameError("language", value, LANGUAGES)
    return language_or_default(value)
