"""Limits of clients. A client is an API key, or an address for calls without a key.

A rate is stored as one number, the time at which the client's whole budget is available again (generic cell rate
algorithm), so no timer is needed and the waiting time is exact. The PyPI package ``limits`` does not fit: it takes 3 to
6 µs per rate, has no limits of open calls and no debts, and its memory grows with each forged address.
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
"""The kinds of subjects that a limit can apply to."""

_EVICTION_TRIES = 8
_SHARED_LIMITERS = 64
_PENALTY_SECONDS = 0.25
_FREE_REJECTIONS = 20
_MAX_PENALTY = 5.0
_OPEN_SECONDS = 1.0
"""The suggested retry time if too many calls are open; their end is not known."""


class ClientLimiter:
    """The limits of one client: the state of each rate, and the numbers of open calls, streams and watchers."""

    __slots__ = (
        "by",
        "calls",
        "due",
        "has_rates",
        "limits",
        "name",
        "on_reached",
        "penalized_until",
        "streams",
        "watchers",
    )

    def __init__(
        self,
        by: str,
        name: str,
        limits: Limits,
        on_reached: Callable[[str, str], None] = lambda _limit, _by: None,
    ) -> None:
        """``on_reached`` is called with each limit that is reached, and the kind of its subject."""
        self.by = by
        self.name = name
        self.set_limits(limits)
        self.on_reached = on_reached
        self.due = [0.0] * len(RATES)
        self.calls = 0
        self.streams = 0
        self.watchers = 0
        self.penalized_until = 0.0

    def set_limits(self, limits: Limits) -> None:
        """Set the limits."""
        self.limits = limits
        self.has_rates = any(rate is not None for rate in limits.rates)

    def take(self, rate: int, now: float) -> None:
        """Use one unit of a rate, or raise ``LimitError``."""
        budget = self.limits.rates[rate]
        if budget is None:
            return
        due = self.due[rate]
        due = max(now, due) + budget.seconds
        wait = due - now - budget.at_once * budget.seconds
        if wait > 1e-9:
            self.reject(rate, wait)
        self.due[rate] = due

    def charge(self, rate: int, amount: int, now: float) -> None:
        """Debit ``amount`` units, even below zero; later calls wait until the debt is paid off."""
        budget = self.limits.rates[rate]
        if budget is not None:
            due = self.due[rate]
            self.due[rate] = max(now, due) + amount * budget.seconds

    def wait(self, rate: int, now: float) -> float:
        """Return the seconds until a unit is available; 0 if it is now."""
        budget = self.limits.rates[rate]
        if budget is None:
            return 0.0
        return max(0.0, self.due[rate] - now - (budget.at_once - 1) * budget.seconds)

    def check(self, rate: int, now: float) -> None:
        """Raise ``LimitError`` if no unit is available; use none."""
        wait = self.wait(rate, now)
        if wait > 1e-9:
            self.reject(rate, wait)

    def penalize(self, now: float) -> float:
        """Count a rejected call; return the seconds by which to delay its answer, more after many rejected calls."""
        self.penalized_until = min(max(self.penalized_until, now) + _PENALTY_SECONDS, now + 2 * _MAX_PENALTY)
        return min(
            max(self.penalized_until - now - _FREE_REJECTIONS * _PENALTY_SECONDS, _PENALTY_SECONDS), _MAX_PENALTY
        )

    def reject(self, rate: int, wait: float) -> None:
        """Raise ``LimitError`` for a rate."""
        budget = self.limits.rates[rate]
        assert budget is not None
        self.on_reached(RATES[rate], self.by)
        raise LimitError(RATES[rate], self.by, self.name, budget.text, wait)

    def reject_open(self, cap: str, most: int) -> None:
        """Raise ``LimitError`` for a cap of open calls, streams or watchers."""
        self.on_reached(cap, self.by)
        raise LimitError(cap, self.by, self.name, str(most), _OPEN_SECONDS)

    def watch(self) -> None:
        """Count a watcher, or raise ``LimitError``."""
        most = self.limits.watchers
        if most is not None and self.watchers >= most:
            self.reject_open(CAPS[2], most)
        self.watchers += 1

    def is_idle(self, now: float) -> bool:
        """Return whether the limiter is in its initial state, so that it can be evicted."""
        return (
            not (self.calls or self.streams or self.watchers)
            and self.penalized_until <= now
            and all(due <= now for due in self.due)
        )


class ClientLimiters:
    """The limiters of one kind by name, at most ``most``.

    Only idle limiters are evicted, so a client cannot reset its limits by forging many others. When no limiter can be
    evicted, new clients are hashed onto a few shared limiters.
    """

    def __init__(self, by: str, most: int, on_reached: Callable[[str, str], None]) -> None:
        self.most = most
        self._by = by
        self._on_reached = on_reached
        self._found: OrderedDict[str, ClientLimiter] = OrderedDict()
        self._shared: dict[int, ClientLimiter] = {}

    def __len__(self) -> int:
        return len(self._found) + len(self._shared)

    def get(self, name: str, limits: Limits, now: float) -> ClientLimiter:
        """Return the limiter of a client, with these limits."""
        client = self._found.get(name)
        if client is not None:
            self._found.move_to_end(name)
            if client.limits is not limits:
                client.set_limits(limits)
            return client
        if len(self._found) >= self.most and not self._make_room(now):
            return self._shared_limiter(name, limits)
        client = self._found[name] = ClientLimiter(self._by, name, limits, self._on_reached)
        return client

    def _make_room(self, now: float) -> bool:
        for name, client in list(islice(self._found.items(), _EVICTION_TRIES)):
            if client.is_idle(now):
                del self._found[name]
                return True
            self._found.move_to_end(name)
        return False

    def _shared_limiter(self, name: str, limits: Limits) -> ClientLimiter:
        # hash() has a random key in each process, so clients cannot choose with whom they share a limiter.
        place = hash(name) % _SHARED_LIMITERS
        client = self._shared.get(place)
        if client is None:
            client = self._shared[place] = ClientLimiter(self._by, "", limits, self._on_reached)
        return client


CURRENT_CLIENT: ContextVar[ClientLimiter | None] = ContextVar("boardkeeper_caller", default=None)
"""The client of the current call; ``None`` outside calls."""


# --- long work ----------------------------------------------------------------------------------------------

MAX_WAIT = 2.0
"""Seconds. Work of a client whose debt takes longer to pay off is rejected."""


async def wait_for_work_budget() -> None:
    """Wait until the client has paid off its debt of long work. Raises ``LimitError`` if that takes too long."""
    client = CURRENT_CLIENT.get()
    if client is None:
        return
    wait = client.wait(WORK, time.monotonic())
    if wait > MAX_WAIT:
        client.reject(WORK, wait)
    if wait:
        client.on_reached(RATES[WORK], client.by)
    while wait:
        await asyncio.sleep(wait)
        wait = client.wait(WORK, time.monotonic())


def charge_work(client: ClientLimiter | None, begun: float) -> None:
    """Debit long work that began at ``begun`` (``time.monotonic``) and ends now."""
    if client is not None:
        now = time.monotonic()
        client.charge(WORK, round((now - begun) * 1000), now)
