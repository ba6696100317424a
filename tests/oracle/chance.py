"""What chance did in a game, for the oracle to repeat: it decides when to draw, the title's log says what came."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable


class AstrayError(AssertionError):
    """The oracle and the log do not agree on what was drawn from where."""


class Chance:
    """The single draws of a log, in order, by the zone that was drawn from."""

    def __init__(self, draws: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        self._left: dict[str, deque[str]] = {}
        for zone, drawn in draws:
            self._left.setdefault(zone, deque()).extend(drawn)

    def draw(self, zone: str, contents: Counter[str]) -> str:
        """The next thing drawn from a zone; it is not taken out of ``contents``, but must be in there."""
        left = self._left.get(zone)
        if not left:
            raise AstrayError(f"the oracle draws from {zone}, the title did not")
        drawn = left.popleft()
        if contents[drawn] <= 0:
            raise AstrayError(f"{drawn} was drawn from {zone}, which holds {dict(contents)}")
        return drawn

    def left(self) -> dict[str, list[str]]:
        """Draws of the title that the oracle did not ask for."""
        return {zone: list(drawn) for zone, drawn in self._left.items() if drawn}
