"""Values of flags. Each function checks and converts a text, or raises ``ValueError`` with a message for the user."""

from __future__ import annotations

import re

from boardkeeper.terminal.environment import STANDARD

_MAX_ENTROPY_BYTES = 64
_MIN_KEY_CHARACTERS = 16
_MAX_NUMBER = (1 << 31) - 1
_MAX_VERSION = (1 << 63) - 1
_PICTURE_PIXELS = (100, 8_000)
_UNIT_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}
_TIME = re.compile(r"(\d{1,7})([smhd]?)(?:/move|(?:\+(\d{1,5})([smhd]?))?)")


def address(text: str) -> str:
    """Normalise the address of a server."""
    from boardkeeper.client.addresses import Address

    return str(Address.parse(text))


def path(text: str) -> str:
    """Check the path of a file. ``-`` is not allowed."""
    if text == STANDARD:
        raise ValueError("'-' means standard input or output, which cannot be used here: name a file")
    return text


def choice(text: str) -> str:
    """Check an option or rules interpretation with its choice: ``ID=CHOICE``."""
    id, separator, choice = text.partition("=")
    if not id or not separator or not choice:
        raise ValueError(f"{text!r} must have the form ID=CHOICE, for example planning=sealed")
    return text


def positive(text: str) -> int:
    """Convert a whole number of at least 1."""
    if not _is_number(text) or not text.strip("0"):
        raise ValueError(f"{text!r} must be a whole number of at least 1")
    return _bounded(text, _MAX_NUMBER)


def pixels(text: str) -> int:
    """Convert the width or height of a picture."""
    least, most = _PICTURE_PIXELS
    value = positive(text)
    if not least <= value <= most:
        raise ValueError(f"{text} must be {least} to {most} pixels")
    return value


def seat_or_none(text: str) -> int:
    """Convert the number of a seat; 0 stands for a spectator."""
    return 0 if text == "0" else positive(text)


def frame_seconds(text: str) -> float:
    """Convert the duration of a frame of a film."""
    if re.fullmatch(r"\d{1,2}(\.\d{1,3})?", text, re.ASCII) and 0.02 <= float(text) <= 60:
        return float(text)
    raise ValueError(f"{text[:24]!r} must be 0.02 to 60 seconds")


def time_control(text: str) -> tuple[str, int, int]:
    """Return the kind of a time control, its seconds, and the seconds that are added after each turn."""
    from boardkeeper.game.time_control import GAME, MAX_SECONDS, MOVE

    found = _TIME.fullmatch(text)
    if found is None or not text.isascii():
        raise ValueError(f"{text[:24]!r} must be a time limit, for example 90s/move, 3d/move, 20m or 20m+10s")
    seconds = int(found[1]) * _UNIT_SECONDS[found[2]]
    increment = int(found[3] or 0) * _UNIT_SECONDS[found[4] or ""]
    if not 1 <= seconds <= MAX_SECONDS or increment > MAX_SECONDS:
        raise ValueError(f"{text[:24]!r} must be 1 second to 366 days")
    return (MOVE if text.endswith("/move") else GAME), seconds, increment


def entropy(text: str) -> bytes:
    """Convert hexadecimal digits to bytes."""
    try:
        entropy = bytes.fromhex(text)
    except ValueError as error:
        raise ValueError(f"{text!r} must be hexadecimal, for example 00ff31") from error
    if len(entropy) > _MAX_ENTROPY_BYTES:
        raise ValueError(f"{len(entropy)} bytes are too many: the maximum is {_MAX_ENTROPY_BYTES}")
    return entropy


def key(text: str) -> str:
    """Check the start of a key id. It must be so long that no attacker can generate a key with the same start."""
    key = text.rstrip("….").lower()
    if not re.fullmatch(f"[0-9a-f]{{{_MIN_KEY_CHARACTERS},64}}", key):
        raise ValueError(f"{text!r} must be the id of a key, or at least its first {_MIN_KEY_CHARACTERS} characters")
    return key


def seat_count(text: str) -> int:
    """Convert a number of seats of at least 0."""
    if not _is_number(text):
        raise ValueError(f"{text!r} must be a number of seats, 0 or more")
    return _bounded(text, _MAX_NUMBER)


def version_number(text: str) -> int:
    """Convert a version of a game, at least 1."""
    if not _is_number(text) or not text.strip("0"):
        raise ValueError(f"{text!r} must be a version: 1 for the first event, and so on")
    return _bounded(text, _MAX_VERSION)


def version_before(text: str) -> int:
    """Convert a version to start after; 0 is the beginning."""
    if not _is_number(text):
        raise ValueError(f"{text!r} must be a version: 0 for the beginning, 1 for the first event, and so on")
    return _bounded(text, _MAX_VERSION)


def bots(text: str) -> tuple[str, ...]:
    """Split kinds of bots at the commas. The title defines which kinds exist."""
    return _split(text, "kinds of bots separated by commas, for example sensible,random")


def words(text: str) -> tuple[str, ...]:
    """Split words at the commas."""
    return _split(text, "words separated by commas")


def days(text: str) -> float:
    """Convert a number of days."""
    return _decimal(text, "days")


def hours(text: str) -> float:
    """Convert a number of hours."""
    return _decimal(text, "hours")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _bounded(text: str, most: int) -> int:
    digits = text.lstrip("0") or "0"
    if len(digits) > len(str(most)) or int(digits) > most:
        raise ValueError(f"{text[:24]}{'…' * (len(text) > 24)} is too large: the maximum is {most}")
    return int(digits)


def _split(text: str, what: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    if not all(parts):
        raise ValueError(f"{text!r} must be {what}")
    return parts


def _decimal(text: str, unit: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text):
        raise ValueError(f"{text!r} must be a number of {unit}")
    return float(text)
