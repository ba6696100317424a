"""Admission: every call asks here before anything is done for it, and says when it is over.

What is counted here is counted by this process: several processes of a service each let so much in. A connection stays
with one of them, so that is what one client has; who spreads over all has so much of each.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from boardkeeper.service.config import Config
from boardkeeper.service.errors import SettingError
from boardkeeper.service.limits.addresses import Peers
from boardkeeper.service.limits.clients import BY_ADDRESS, BY_ALL, BY_GAME, BY_KEY, ClientLimiter, ClientLimiters
from boardkeeper.service.limits.connections_per_address import ConnectionsPerAddress
from boardkeeper.service.limits.limits import (
    BYTES_IN,
    BYTES_OUT,
    CAPS,
    FAILURES,
    OF_A_KEY,
    OF_AN_ADDRESS,
    OPENINGS,
    QUOTAS,
    RATES,
    UNLIMITED,
    InvalidLimitError,
    Limits,
    read_terms,
)
from boardkeeper.service.limits.rpc_rates import Kind
from boardkeeper.service.requests.errors import ApiError, LimitError
from boardkeeper.service.tasks import Waiters

_MOST_ADDRESSES = 10_000
_MOST_KEYS = 10_000
_MOST_HELD = 3_000


class Admission:
    """The limits of one service. ``clock`` gives seconds since any time, for tests."""

    def __init__(
        self, config: Config, *, strangers_come: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Raises :class:`SettingError`. Where ``limits`` is ``auto`` they hold if ``strangers_come``."""
        self._clock = clock
        self._peers = Peers(config.trusted_proxies)
        holds = config.limits == "on" or (config.limits == "auto" and (strangers_come or self._peers.trusts_any))
        self.crowds = ConnectionsPerAddress(self._peers, config.connections_of_an_address if holds else None)
        self._of_a_key = _terms(OF_A_KEY if holds else UNLIMITED, config.key_limits, "key_limits")
        self._of_an_address = _terms(OF_AN_ADDRESS if holds else UNLIMITED, config.address_limits, "address_limits")
        self._of_keys: dict[str, Limits] = {}
        self.most_streams = config.streams
        self.open_streams = 0
        self.first_messages = 0
        """The number of rejected calls that wait for their first message."""
        self._held = Waiters()
        self._most_held = _MOST_HELD
        self.reached = {(limit, by): 0 for limit in (*RATES, *CAPS) for by in (BY_KEY, BY_ADDRESS)}
        self.reached |= {(quota, "platform"): 0 for quota in QUOTAS}
        self.reached |= {(CAPS[1], BY_ALL): 0, (CAPS[2], BY_GAME): 0}
        self.operator = ClientLimiter("operator", "", UNLIMITED)
        self.addresses = ClientLimiters(BY_ADDRESS, _MOST_ADDRESSES, self.note)
        self.keys = ClientLimiters(BY_KEY, _MOST_KEYS, self.note)

    def note(self, limit: str, by: str) -> None:
        """A limit was reached."""
        self.reached[limit, by] = self.reached.get((limit, by), 0) + 1

    def of_key(self, key_id: str, limits: str = "") -> ClientLimiter:
        """The caller who has that key, with figures of its own."""
        return self.keys.of(key_id, self._terms_of(limits) if limits else self._of_a_key, self._clock())

    def _terms_of(self, limits: str) -> Limits:
        terms = self._of_keys.get(limits)
        if terms is None:
            try:
                terms = read_terms(limits, self._of_a_key)
            except InvalidLimitError:  # stored by a release that knows more
                terms = self._of_a_key
            if len(self._of_keys) >= _MOST_KEYS:
                self._of_keys.clear()
            self._of_keys[limits] = terms
        return terms

    def of_address(self, peer: str, forwarded: Sequence[str]) -> ClientLimiter:
        """The caller at an address: gRPC's name for the peer, and the call's ``x-forwarded-for``."""
        return self.addresses.of(self._peers.address(peer, forwarded), self._of_an_address, self._clock())

    def enter(self, caller: ClientLimiter, kind: Kind, *, shows_token: bool) -> None:
        """A call begins; raises ``LimitError``, and otherwise it has to be told by :meth:`leave` that it is over.

        Whoever has shown too many wrong tokens is not told of any other whether it is right.
        """
        if caller.has_rates:
            now = self._clock()
            if shows_token:
                caller.check(FAILURES, now)
            if kind.is_stream:
                caller.check(OPENINGS, now)
        terms = caller.terms
        if kind.is_stream:
            self._check_streams(caller)
        elif terms.calls is not None and caller.calls >= terms.calls:
            caller.refuse_open(CAPS[0], terms.calls)
        if caller.has_rates:
            _take(caller, kind, now)
        if kind.is_stream:
            caller.streams += 1
            self.open_streams += 1
        else:
            caller.calls += 1

    def leave(self, caller: ClientLimiter, kind: Kind) -> None:
        """A call that was let in is over."""
        if kind.is_stream:
            caller.streams -= 1
            self.open_streams -= 1
        else:
            caller.calls -= 1

    def begin_waiting(self, caller: ClientLimiter) -> None:
        """Count a call with one answer as a stream until :meth:`end_waiting`. Raises ``LimitError``."""
        self._check_streams(caller)
        caller.calls -= 1
        caller.streams += 1
        self.open_streams += 1

    def end_waiting(self, caller: ClientLimiter) -> None:
        """Count a call that waited as a call again."""
        caller.calls += 1
        caller.streams -= 1
        self.open_streams -= 1

    def _check_streams(self, caller: ClientLimiter) -> None:
        """Raise ``LimitError`` if the caller, or all callers together, have as many streams as they may."""
        most = caller.terms.streams
        if most is not None and caller.streams >= most:
            caller.refuse_open(CAPS[1], most)
        if self.open_streams >= self.most_streams:
            self.note(CAPS[1], BY_ALL)
            raise LimitError(CAPS[1], BY_ALL, "", str(self.most_streams), 1.0)

    def failed(self, error: ApiError, address: Callable[[], ClientLimiter]) -> ApiError:
        """Return the error to send: ``LimitError`` if the caller has presented too many wrong keys or tokens."""
        if not error.is_guess:
            return error
        caller, now = address(), self._clock()
        try:
            caller.take(FAILURES, now)
        except LimitError as limit_error:
            return limit_error
        return error

    async def hold(self, error: LimitError, caller: ClientLimiter) -> None:
        """Let who was refused wait for his answer, the longer the more often he asks all the same.

        A call that waits costs nothing but its place, and clients have few of them, so it is they who wait. If too many
        wait already the answer goes out at once.
        """
        if len(self._held) >= self._most_held:
            return
        wait = caller.blame(self._clock())
        await self._held.wait(wait)
        error.retry_seconds = max(0.0, error.retry_seconds - wait)

    def release(self) -> None:
        """Answer all who wait to be refused, now and from now on: the service ends."""
        self._most_held = 0
        self._held.wake()

    def now(self) -> float:
        """The time by which rates are counted."""
        return self._clock()


def _take(caller: ClientLimiter, kind: Kind, now: float) -> None:
    """Take what a call of that kind counts for; raises ``LimitError``, and then nothing was taken."""
    if kind.rate is not None:
        caller.check(BYTES_IN, now)
        caller.check(BYTES_OUT, now)
        caller.take(kind.rate, now)
    if kind.is_stream:
        caller.charge(OPENINGS, 1, now)


def _terms(usual: Limits, text: str, setting: str) -> Limits:
    try:
        return read_terms(text, usual)
    except InvalidLimitError as mistake:
        raise SettingError(f"{setting}: {mistake}") from mistake
