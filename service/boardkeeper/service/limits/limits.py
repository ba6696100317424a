"""The limits and their text form: ``reads=50/s:200, streams=100, failures=off``.

A rate is a number per unit of time (``s``, ``min``, ``h``, ``d``), optionally with a colon and the largest burst. The
default burst is that of ten seconds, at least 1. A cap limits what is open at the same time, a quota what is stored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

READS, COMMANDS, CREATIONS, FORKS, IMPORTS, HISTORY, FAILURES, BYTES_IN, BYTES_OUT, WORK, OPENINGS, WEBHOOK_TESTS = (
    range(12)
)
"""The rates, as indexes of :attr:`Limits.rates`."""

RATES = (
    *("reads", "commands", "creations", "forks", "imports", "history", "failures"),
    *("bytes_in", "bytes_out", "work", "openings", "webhook_tests"),
)
CAPS = ("calls", "streams", "watchers")
QUOTAS = ("games_per_day", "import_bytes_per_day", "games")

NAMES = (*RATES, *CAPS, *QUOTAS)
"""All limits of a client; quotas apply to platforms."""

OFF = "off"
_UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_FACTORS = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}
_NUMBER = r"([0-9]{1,12})([kMG]?)"
_RATE = re.compile(rf"{_NUMBER}/(s|min|h|d)(?::{_NUMBER})?")
_CAP = re.compile(_NUMBER)
_SECONDS_AT_ONCE = 10.0


class InvalidLimitError(ValueError):  # a mistake of the operator, not of the program
    """A text does not describe limits; the message says why."""


class Rate(Struct, frozen=True):
    """A burst of ``at_once`` units, and one more every ``seconds``. ``text`` is used in error messages."""

    seconds: float
    at_once: float
    text: str


class Limits(Struct, frozen=True):
    """The limits of one client; ``None``: no limit."""

    rates: tuple[Rate | None, ...] = (None,) * len(RATES)
    calls: int | None = None
    streams: int | None = None
    watchers: int | None = None
    games_per_day: int | None = None
    import_bytes_per_day: int | None = None
    games: int | None = None


UNLIMITED = Limits()


def parse_limits(text: str, defaults: Limits = UNLIMITED) -> Limits:
    """Return the limits in a text; missing ones have the values of ``defaults``. Raises :class:`InvalidLimitError`."""
    return _make_limits(parse_figures(text), defaults)


def parse_figures(text: str) -> dict[str, str]:
    """Return the unparsed values in a text by name. Raises :class:`InvalidLimitError`."""
    figures: dict[str, str] = {}
    for part in text.replace(",", " ").split():
        name, separator, figure = part.partition("=")
        if not separator or name not in NAMES:
            raise InvalidLimitError(f"{part!r} is not a limit; write NAME=FIGURE, with NAME one of: {', '.join(NAMES)}")
        if name in figures:
            raise InvalidLimitError(f"{name} is given twice")
        _check(name, figure)
        figures[name] = figure
    return figures


def _check(name: str, figure: str) -> None:
    if figure == OFF:
        return
    if name in RATES:
        found = _RATE.fullmatch(figure)
        if found is None or not int(found[1]) or (found[4] is not None and not int(found[4])):
            raise InvalidLimitError(f"{figure!r} is not a rate; write {name}=50/s, {name}=50/s:200 or {name}=off")
    elif _CAP.fullmatch(figure) is None:
        raise InvalidLimitError(f"{figure!r} is not a number; write {name}=100 or {name}=off")


def _make_limits(figures: Mapping[str, str], defaults: Limits) -> Limits:
    rates = tuple(
        _parse_rate(figures[name]) if name in figures else before
        for name, before in zip(RATES, defaults.rates, strict=True)
    )
    caps = {
        name: _parse_cap(figures[name]) if name in figures else getattr(defaults, name) for name in (*CAPS, *QUOTAS)
    }
    return Limits(rates, **caps)


def _parse_rate(figure: str) -> Rate | None:
    found = _RATE.fullmatch(figure)
    if found is None:
        return None
    number, factor, unit, at_once, at_once_factor = found.groups()
    seconds = _UNITS[unit] / (int(number) * _FACTORS[factor])
    most = int(at_once) * _FACTORS[at_once_factor] if at_once is not None else max(1.0, _SECONDS_AT_ONCE / seconds)
    return Rate(seconds, float(most), figure.partition(":")[0])


def _parse_cap(figure: str) -> int | None:
    found = _CAP.fullmatch(figure)
    return None if found is None else int(found[1]) * _FACTORS[found[2]]


KEY_LIMITS_TEXT = (
    "reads=500/s:2k commands=500/s:2k creations=10/s:200 forks=5/s:100 imports=1/s:20 history=20/s:200"
    " bytes_in=10M/s:100M bytes_out=20M/s:200M work=1k/s:20k openings=50/s:1k webhook_tests=1/s:20"
    " calls=1k streams=4k watchers=10k games_per_day=10k import_bytes_per_day=2G games=1M"
)
"""For a platform, with many players behind one key."""
KEY_LIMITS = parse_limits(KEY_LIMITS_TEXT)

ADDRESS_LIMITS_TEXT = (
    "reads=50/s:200 commands=20/s:100 creations=1/s:20 forks=30/min:10 imports=6/min:5 history=5/s:50"
    " failures=10/min:20 bytes_in=1M/s:32M bytes_out=1M/s:8M work=250/s:5k openings=2/s:50 webhook_tests=6/min:5"
    " calls=100 streams=100 watchers=500"
)
"""For one client without a key, or a few behind one address."""
ADDRESS_LIMITS = parse_limits(ADDRESS_LIMITS_TEXT)
