"""Fast dice for searches. They cannot be verified, and they are not secret."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

from boardkeeper.table.dice import Dice

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


class OutcomeError(ValueError):
    """The prescribed numbers do not fit the draws of a command."""


def scramble(value: int) -> int:
    """Return a 64-bit hash of a 64-bit number: the output function of SplitMix64 (Steele, Lea, Flood 2014)."""
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & _MASK
    return value ^ (value >> 31)


class SearchDice(Dice):
    """Random numbers from a seed. Each number is new: there is no stream that can be read again.

    ``numbers`` has the numbers since :meth:`begin`. A caller can prescribe them instead.
    """

    __slots__ = ("_at", "_prescribed", "numbers", "state")

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK
        self.numbers: list[int] = []
        self._prescribed: Sequence[int] | None = None
        self._at = 0

    def begin(self, prescribed: Sequence[int] | None = None) -> None:
        """Forget the numbers so far. The next ones are those in ``prescribed``, if it is not ``None``."""
        self.numbers = []
        self._prescribed = prescribed
        self._at = 0

    def finish(self) -> None:
        """End the prescription. Raises :class:`OutcomeError` if some of its numbers were not used."""
        prescribed, self._prescribed = self._prescribed, None
        if prescribed is not None and self._at != len(prescribed):
            raise OutcomeError(f"the outcome has {len(prescribed)} numbers, but the command drew {self._at}")

    def number(self, stream: str, counter: int, bound: int) -> int:  # noqa: ARG002  # counters are for verifiable dice
        """Return the next number in ``range(bound)``. Raises :class:`OutcomeError` if the prescribed one is not in it.

        The bias is below ``bound`` / 2⁶⁴.
        """
        if bound <= 0:
            raise ZeroDivisionError("there is nothing to draw")
        if self._prescribed is None:
            self.state = state = self.state + _STEP & _MASK
            drawn = scramble(state) * bound >> 64
        else:
            drawn = self._next_prescribed(stream, bound)
        self.numbers.append(drawn)
        return drawn

    def _next_prescribed(self, stream: str, bound: int) -> int:
        assert self._prescribed is not None
        if self._at == len(self._prescribed):
            raise OutcomeError(f"the outcome has {self._at} numbers, but the command draws more, from {stream}")
        drawn = self._prescribed[self._at]
        if type(drawn) is not int or not 0 <= drawn < bound:
            raise OutcomeError(f"number {self._at} of the outcome must be 0 to {bound - 1}, not {drawn!r}")
        self._at += 1
        return drawn


class KeyedDice(Dice):
    """Random numbers from a key, a stream and the number of draws from the stream.

    Two games with the same key get the same numbers from each zone, even if they draw from the zones in another order.
    """

    __slots__ = ("_counts", "_key")

    def __init__(self, key: int = 0) -> None:
        self.restart(key)

    def restart(self, key: int) -> None:
        """Begin again with another key."""
        self._key = key & _MASK
        self._counts: dict[str, int] = {}

    def number(self, stream: str, counter: int, bound: int) -> int:  # noqa: ARG002  # see SearchDice
        """Return the next number of a stream in ``range(bound)``."""
        if bound <= 0:
            raise ZeroDivisionError("there is nothing to draw")
        counts = self._counts
        state = counts.get(stream)
        if state is None:
            state = self._key ^ _hash(stream)
        counts[stream] = state = state + _STEP & _MASK
        return scramble(state) * bound >> 64


@lru_cache(1 << 12)
def _hash(stream: str) -> int:
    return int.from_bytes(blake2b(stream.encode(), digest_size=8).digest(), "big")
