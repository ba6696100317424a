"""Callers, and what each has taken: the key of a platform, or an address where a call has no key.

A rate is kept as one number, the time at which all that was taken would be there again (the generic cell rate
algorithm): nothing runs beside the calls, and how long to wait is known to the microsecond. The package ``limits`` was
looked at for it: it takes 3 to 6 µs a rate, knows neither what is open at once nor debts of bytes, and its memory grows
with every address that somebody makes up.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from itertools import islice

from boardkeeper.service.limits.limits import CAPS, RATES, WORK, Limits
from boardkeeper.service.requests.errors import LimitError

BY_KEY, BY_ADDRESS, BY_GAME, BY_ALL = "key", "address", "game", "service"
"""Whom a limit holds for."""

_LOOKED_AT = 8
_SHARED = 64
_BLAME_SECONDS = 0.25
_FORGIVEN = 20
_LONGEST_BLAME = 5.0
_OPEN_SECONDS = 1.0
"""When to come again if too much is open: nobody knows, but by then something may have ended."""


class ClientLimiter:
    """One caller: until when each rate is used up, and what is open now."""

    __slots__ = ("blamed", "by", "calls", "due", "has_rates", "name", "note", "streams", "terms", "watchers")

    def __init__(self, by: str, name: str, terms: Limits, note: Callable[[str, str], None] = lambda _limit, _by: None):
        """``note`` is told of each limit that was reached, and whom it holds for."""
        self.by = by
        self.name = name
        self.hold_to(terms)
        self.note = note
        self.due = [0.0] * len(RATES)
        self.calls = 0
        self.streams = 0
        self.watchers = 0
        self.blamed = 0.0

    def hold_to(self, terms: Limits) -> None:
        """From now on these terms hold; most of those who come from this machine have no rates at all."""
        self.terms = terms
        self.has_rates = any(rate is not None for rate in terms.rates)

    def take(self, rate: int, now: float) -> None:
        """Take one; raises ``LimitError`` if there is none left, and then nothing was taken."""
        terms = self.terms.rates[rate]
        if terms is None:
            return
        due = self.due[rate]
        due = (max(now, due)) + terms.seconds
        wait = due - now - terms.at_once * terms.seconds
        if wait > 1e-9:
            self.refuse(rate, wait)
        self.due[rate] = due

    def charge(self, rate: int, amount: int, now: float) -> None:
        """Take so many that were used already, also such as are not there: who comes next waits for them."""
        terms = self.terms.rates[rate]
        if terms is not None:
            due = self.due[rate]
            self.due[rate] = (max(now, due)) + amount * terms.seconds

    def wait(self, rate: int, now: float) -> float:
        """In how many seconds one can be taken, or debts are paid: 0 if it is so now."""
        terms = self.terms.rates[rate]
        if terms is None:
            return 0.0
        return max(0.0, self.due[rate] - now - (terms.at_once - 1) * terms.seconds)

    def check(self, rate: int, now: float) -> None:
        """Raises ``LimitError`` if none is left; takes none."""
        wait = self.wait(rate, now)
        if wait > 1e-9:
            self.refuse(rate, wait)

    def blame(self, now: float) -> float:
        """For how many seconds a refusal is kept from the caller; more and more if there are many a second."""
        self.blamed = min(max(self.blamed, now) + _BLAME_SECONDS, now + 2 * _LONGEST_BLAME)
        return min(max(self.blamed - now - _FORGIVEN * _BLAME_SECONDS, _BLAME_SECONDS), _LONGEST_BLAME)

    def refuse(self, rate: int, wait: float) -> None:
        """Raises ``LimitError`` for a rate."""
        terms = self.terms.rates[rate]
        assert terms is not None
        self.note(RATES[rate], self.by)
        raise LimitError(RATES[rate], self.by, self.name, terms.text, wait)

    def refuse_open(self, cap: str, most: int) -> None:
        """Raises ``LimitError`` for what is open at once."""
        self.note(cap, self.by)
        raise LimitError(cap, self.by, self.name, str(most), _OPEN_SECONDS)

    def watch(self) -> None:
        """One more game is watched; raises ``LimitError``."""
        most = self.terms.watchers
        if most is not None and self.watchers >= most:
            self.refuse_open(CAPS[2], most)
        self.watchers += 1

    def is_idle(self, now: float) -> bool:
        """Whether nothing is lost if it is forgotten."""
        return (
            not (self.calls or self.streams or self.watchers)
            and self.blamed <= now
            and all(due <= now for due in self.due)
        )


class ClientLimiters:
    """The callers of one kind by name; at most so many are remembered.

    Only who has nothing open and has everything to take again is forgotten. So nobody gets rid of what he has used up
    by making others be remembered. When all places are taken by such as are not to be forgotten, those who come anew
    share a few places by chance, and what they may take.
    """

    def __init__(self, by: str, most: int, note: Callable[[str, str], None]) -> None:
        self.most = most
        self._by = by
        self._note = note
        self._found: OrderedDict[str, ClientLimiter] = OrderedDict()
        self._shared: dict[int, ClientLimiter] = {}

    def __len__(self) -> int:
        return len(self._found) + len(self._shared)

    def of(self, name: str, terms: Limits, now: float) -> ClientLimiter:
        """The caller of that name, for whom these terms hold."""
        caller = self._found.get(name)
        if caller is not None:
            self._found.move_to_end(name)
            if caller.terms is not terms:
                caller.hold_to(terms)
            return caller
        if len(self._found) >= self.most and not self._make_room(now):
            return self._one_for_several(name, terms)
        caller = self._found[name] = ClientLimiter(self._by, name, terms, self._note)
        return caller

    def _make_room(self, now: float) -> bool:
        for name, caller in list(islice(self._found.items(), _LOOKED_AT)):
            if caller.is_idle(now):
                del self._found[name]
                return True
            self._found.move_to_end(name)
        return False

    def _one_for_several(self, name: str, terms: Limits) -> ClientLimiter:
        place = hash(name) % _SHARED  # keyed, another in each process: nobody knows whom he shares with
        caller = self._shared.get(place)
        if caller is None:
            caller = self._shared[place] = ClientLimiter(self._by, "", terms, self._note)
        return caller


CALLER: ContextVar[ClientLimiter | None] = ContextVar("boardkeeper_caller", default=None)
"""Who made the call that is being handled, for what is counted deeper down; ``None`` where nobody did."""


# --- long work ----------------------------------------------------------------------------------------------

LONGEST_WAIT = 2.0
"""A caller whose debt needs a longer wait than this is rejected (seconds)."""


async def afford_work() -> None:
    """Wait until the caller has paid for the long work done for him; raises ``LimitError`` if that is too long."""
    caller = CALLER.get()
    if caller is None:
        return
    wait = caller.wait(WORK, time.monotonic())
    if wait > LONGEST_WAIT:
        caller.refuse(WORK, wait)
    if wait:
        caller.note(RATES[WORK], caller.by)
    while wait:
        await asyncio.sleep(wait)
        wait = caller.wait(WORK, time.monotonic())


def charge_work(caller: ClientLimiter | None, begun: float) -> None:
    """Long work is done that began at that time of the monotonic clock."""
    if caller is not None:
        now = time.monotonic()
        caller.charge(WORK, round((now - begun) * 1000), now)
