"""The random draws of a game. An oracle decides when to draw, and gets the results from the events of the title."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable


class DrawMismatchError(AssertionError):
    """The oracle draws or does something that is not in the title's events."""


class Chance:
    """The drawn components of a game, in order, by zone."""

    def __init__(self, draws: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        self._left: dict[str, deque[str]] = {}
        for zone, drawn in draws:
            self._left.setdefault(zone, deque()).extend(drawn)

    def draw(self, zone: str, contents: Counter[str]) -> str:
        """Return the next component drawn from a zone. It must be in ``contents``, which stays unchanged."""
        left = self._left.get(zone)
        if not left:
            raise DrawMismatchError(f"the oracle draws from {zone}, the title did not")
        drawn = left.popleft()
        if contents[drawn] <= 0:
            raise DrawMismatchError(f"{drawn} was drawn from {zone}, which contains {dict(contents)}")
        return drawn

    def left(self) -> dict[str, list[str]]:
        """Return draws of the title that the oracle did not make."""
        return {zone: list(drawn) for zone, drawn in self._left.items() if drawn}
