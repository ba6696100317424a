"""The times of further tries after a failed delivery, as in the Standard Webhooks specification."""

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
"""Milliseconds to wait after each failed try but the last."""

MAX_WAIT = 24 * _HOUR
"""The maximum wait in milliseconds that an endpoint can request with ``Retry-After``."""

_JITTER = 0.2


def retry_delay(tries: int, random_number: Callable[[], float], requested: int = 0) -> int | None:
    """Return the milliseconds to wait after failed tries, or ``None`` after the last one.

    ``random_number`` returns numbers in [0, 1) for the jitter. ``requested`` is the wait in milliseconds that the
    endpoint has requested.
    """
    if tries > len(DELAYS):
        return None
    planned = DELAYS[tries - 1] * (1 - _JITTER + 2 * _JITTER * random_number())
    return max(round(planned), min(requested, MAX_WAIT))


def parse_retry_after(header: str, now: int) -> int:
    """Return the milliseconds that a ``Retry-After`` header requests (seconds or a date), or 0 if it is invalid."""
    text = header.strip()
    if text.isascii() and text.isdecimal():
        return min(int(text[:9]) * _SECOND, MAX_WAIT)
    try:
        moment: datetime = parsedate_to_datetime(text)
        return max(round(moment.timestamp() * 1000) - now, 0)
    except (TypeError, ValueError, OverflowError):
        return 0
