"""When what could not be delivered is tried again, as the Standard Webhooks specification proposes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime

_SECOND, _MINUTE, _HOUR = 1_000, 60_000, 3_600_000
DELAYS = (
    5 * _SECOND,
    5 * _MINUTE,
    30 * _MINUTE,
    2 * _HOUR,
    5 * _HOUR,
    10 * _HOUR,
    14 * _HOUR,
    20 * _HOUR,
    24 * _HOUR,
)
"""Milliseconds after each try that failed; there is one try more than there are delays."""

LONGEST_WAIT = 24 * _HOUR
"""For longer no endpoint is heeded that says when to come again."""

_JITTER = 0.2


def delay(tries: int, chance: Callable[[], float], asked: int = 0) -> int | None:
    """Milliseconds to wait after so many tries; ``None``: there is no other. ``chance`` gives numbers in [0, 1).

    ``asked`` is how long the endpoint asked to wait.
    """
    if tries > len(DELAYS):
        return None
    planned = DELAYS[tries - 1] * (1 - _JITTER + 2 * _JITTER * chance())
    return max(round(planned), min(asked, LONGEST_WAIT))


def asked_wait(header: str, now: int) -> int:
    """How many milliseconds a ``Retry-After`` header asks to wait: seconds, or a date. 0 for what is neither."""
    text = header.strip()
    if text.isascii() and text.isdecimal():
        return min(int(text[:9]) * _SECOND, LONGEST_WAIT)
    try:
        moment: datetime = parsedate_to_datetime(text)
        return max(round(moment.timestamp() * 1000) - now, 0)
    except (TypeError, ValueError, OverflowError):
        return 0
