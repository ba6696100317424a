"""What people may write behind a flag: each function reads one kind of value, or says what is wrong with it."""

from __future__ import annotations

import argparse
import re

from boardkeeper.client.addresses import Address
from boardkeeper.game.time_control import GAME, LONGEST, MOVE
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.errors import StartupError

LONGEST_ENTROPY = 64
SHORTEST_KEY = 16
_MOST = (1 << 31) - 1
_LAST_VERSION = (1 << 63) - 1
"""As far as numbers go on the wire."""


def address(text: str) -> str:
    """Where a service is, in one form however it was written."""
    try:
        return str(Address.parse(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def endpoint(text: str) -> str:
    """Where a service is to listen."""
    try:
        Endpoint.parse(text)
    except StartupError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def tcp_endpoint(text: str) -> Endpoint:
    """A host and a port to listen on."""
    found = Endpoint.parse(endpoint(text))
    if found.path is not None:
        raise argparse.ArgumentTypeError(f"cannot listen on {text!r}: write HOST:PORT, for example 127.0.0.1:50099")
    return found


def choice(text: str) -> str:
    """An option or reading with its choice."""
    id, separator, choice = text.partition("=")
    if not id or not separator or not choice:
        raise argparse.ArgumentTypeError(f"{text!r} must have the form ID=CHOICE, for example planning=sealed")
    return text


def positive(text: str) -> int:
    """A number from 1 on."""
    if not text.isascii() or not text.isdigit() or not text.strip("0"):
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number of at least 1")
    return _bounded(text, _MOST)


_SIDES = (100, 8_000)


def side(text: str) -> int:
    """How wide or high a picture is, in pixels."""
    least, most = _SIDES
    value = positive(text)
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"{text} must be {least} to {most} pixels")
    return value


def seat_or_none(text: str) -> int:
    """The number of a seat; 0 for none."""
    return 0 if text == "0" else positive(text)


def seconds_shown(text: str) -> float:
    """How long a frame of a film is shown, in seconds."""
    if re.fullmatch(r"\d{1,2}(\.\d{1,3})?", text, re.ASCII) and 0.02 <= float(text) <= 60:
        return float(text)
    raise argparse.ArgumentTypeError(f"{text[:24]!r} must be 0.02 to 60 seconds")


_UNITS = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}
_TIME = re.compile(r"(\d{1,7})([smhd]?)(?:/move|(?:\+(\d{1,5})([smhd]?))?)")


def time_control(text: str) -> tuple[str, int, int]:
    """What time people have: the kind of control, seconds, and seconds that are added after each turn."""
    found = _TIME.fullmatch(text)
    if found is None or not text.isascii():
        raise argparse.ArgumentTypeError(
            f"{text[:24]!r} must be a time limit, for example 90s/move, 3d/move, 20m or 20m+10s"
        )
    seconds, increment = int(found[1]) * _UNITS[found[2]], int(found[3] or 0) * _UNITS[found[4] or ""]
    if not 1 <= seconds <= LONGEST or increment > LONGEST:
        raise argparse.ArgumentTypeError(f"{text[:24]!r} must be 1 second to 366 days")
    return (MOVE if text.endswith("/move") else GAME), seconds, increment


def _bounded(text: str, most: int) -> int:
    """A number that a request can carry."""
    digits = text.lstrip("0") or "0"
    if len(digits) > len(str(most)) or int(digits) > most:
        raise argparse.ArgumentTypeError(f"{text[:24]}{'…' * (len(text) > 24)} is too large: the maximum is {most}")
    return int(digits)


def entropy(text: str) -> bytes:
    """Bytes in hexadecimal."""
    try:
        entropy = bytes.fromhex(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} must be hexadecimal, for example 00ff31") from error
    if len(entropy) > LONGEST_ENTROPY:
        raise argparse.ArgumentTypeError(f"{len(entropy)} bytes are too many: the maximum is {LONGEST_ENTROPY}")
    return entropy


def key(text: str) -> str:
    """How the id of a key begins: with so many digits that nobody makes keys until one begins so too."""
    key = text.rstrip("….").lower()
    if not re.fullmatch(f"[0-9a-f]{{{SHORTEST_KEY},64}}", key):
        raise argparse.ArgumentTypeError(
            f"{text!r} must be the id of a key, or at least its first {SHORTEST_KEY} characters"
        )
    return key


def count(text: str) -> int:
    """A number from 0 on."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} must be a number of seats, 0 or more")
    return _bounded(text, _MOST)


def version_number(text: str) -> int:
    """A version of a game: its number of events, which is never 0."""
    if not text.isascii() or not text.isdigit() or not text.strip("0"):
        raise argparse.ArgumentTypeError(f"{text!r} must be a version: 1 for the first event, and so on")
    return _bounded(text, _LAST_VERSION)


def version_before(text: str) -> int:
    """A version to begin after: 0 is the beginning."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(
            f"{text!r} must be a version: 0 for the beginning, 1 for the first event, and so on"
        )
    return _bounded(text, _LAST_VERSION)


def bots(text: str) -> tuple[str, ...]:
    """Kinds of bots, with commas between them; which there are, the title says."""
    kinds = tuple(kind.strip() for kind in text.split(","))
    if not all(kinds):
        raise argparse.ArgumentTypeError(
            f"{text!r} must be kinds of bots separated by commas, for example sensible,random"
        )
    return kinds


def words(text: str) -> tuple[str, ...]:
    """Some words, with commas between them."""
    found = tuple(word.strip() for word in text.split(","))
    if not all(found):
        raise argparse.ArgumentTypeError(f"{text!r} must be words separated by commas")
    return found


def days(text: str) -> float:
    """A number of days, which may be 0."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text):
        raise argparse.ArgumentTypeError(f"{text!r} must be a number of days")
    return float(text)


def hours(text: str) -> float:
    """A number of hours, which may be 0."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text):
        raise argparse.ArgumentTypeError(f"{text!r} must be a number of hours")
    return float(text)
