"""Loops over many cases in one test."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def check_each(cases: Iterable[T], check: Callable[[T], None]) -> None:
    """Call a check for each case, and report all failures at once."""
    failures = []
    for case in cases:
        try:
            check(case)
        except AssertionError as failure:
            failures.append(f"{case}: {failure}")
    assert not failures, "\n".join(failures)
