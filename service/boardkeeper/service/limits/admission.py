"""Admission: decides whether a call exceeds a limit of its client, and counts the calls that are running.

Each process counts separately. A connection stays with one process, so a client with connections to several processes
can use the limits of each of them.
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
    ADDRESS_LIMITS,
    BYTES_IN,
    BYTES_OUT,
    CAPS,
    FAILURES,
    KEY_LIMITS,
    OPENINGS,
    QUOTAS,
    RATES,
    UNLIMITED,
    InvalidLimitError,
    Limits,
    parse_limits,
)
from boardkeeper.service.limits.rpc_rates import Kind
from boardkeeper.service.requests.errors import ApiError, LimitError
from boardkeeper.service.tasks import Waiters

_MAX_ADDRESSES = 10_000
_MAX_KEYS = 10_000
_MAX_DELAYED = 3_000


class Admission:
    """The limits of one process. ``clock`` returns seconds, like ``time.monotonic``."""

    def __init__(
        self, config: Config, *, requires_keys: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Raises ``SettingError`` if a setting is invalid.

        With ``limits=auto``, the default limits apply if keys are required or a proxy is trusted. Limits that the
        settings ``key_limits`` and ``address_limits`` name always apply.
        """
        self._clock = clock
        self._peers = Peers(config.trusted_proxies)
        applies = config.limits == "on" or (config.limits == "auto" and (requires_keys or self._peers.trusts_any))
        self.connections_per_address = ConnectionsPerAddress(
            self._peers, config.connections_of_an_address if applies else None
        )
        self._key_limits = _parse(KEY_LIMITS if applies else UNLIMITED, config.key_limits, "key_limits")
        self._address_limits = _parse(ADDRESS_LIMITS if applies else UNLIMITED, config.address_limits, "address_limits")
        self._parsed_limits: dict[str, Limits] = {}
        self.most_streams = config.streams
        self.open_streams = 0
        self.first_messages = 0
        """The number of rejected calls whose first message the server still waits for."""
        self._delayed = Waiters()
        self._most_delayed = _MAX_DELAYED
        self.reached = {(limit, by): 0 for limit in (*RATES, *CAPS) for by in (BY_KEY, BY_ADDRESS)}
        self.reached |= {(quota, "platform"): 0 for quota in QUOTAS}
        self.reached |= {(CAPS[1], BY_ALL): 0, (CAPS[2], BY_GAME): 0}
        self.operator = ClientLimiter("operator", "", UNLIMITED)
        self.addresses = ClientLimiters(BY_ADDRESS, _MAX_ADDRESSES, self.count_reached)
        self.keys = ClientLimiters(BY_KEY, _MAX_KEYS, self.count_reached)

    def count_reached(self, limit: str, by: str) -> None:
        """Count that a limit was reached; ``by`` is what it applies to, such as a key or an address."""
        self.reached[limit, by] = self.reached.get((limit, by), 0) + 1

    def key_limiter(self, key_id: str, text: str = "") -> ClientLimiter:
        """Return the limiter of a key. ``text`` contains the limits stored with the key, or is empty."""
        return self.keys.get(key_id, self._parse_own(text) if text else self._key_limits, self._clock())

    def _parse_own(self, text: str) -> Limits:
        limits = self._parsed_limits.get(text)
        if limits is None:
            try:
                limits = parse_limits(text, self._key_limits)
            except InvalidLimitError:  # a later release stored it
                limits = self._key_limits
            if len(self._parsed_limits) >= _MAX_KEYS:
                self._parsed_limits.clear()
            self._parsed_limits[text] = limits
        return limits

    def address_limiter(self, peer: str, forwarded: Sequence[str]) -> ClientLimiter:
        """Return the limiter of a client's address. The arguments are those of :meth:`Peers.address`."""
        return self.addresses.get(self._peers.address(peer, forwarded), self._address_limits, self._clock())

    def enter(self, client: ClientLimiter, kind: Kind, *, shows_token: bool) -> None:
        """Count a call as running until :meth:`leave`. Raises ``LimitError`` if the client reached a limit.

        After too many wrong tokens, all calls with a token are rejected.
        """
        if client.has_rates:
            now = self._clock()
            if shows_token:
                client.check(FAILURES, now)
            if kind.is_stream:
                client.check(OPENINGS, now)
        limits = client.limits
        if kind.is_stream:
            self._check_streams(client)
        elif limits.calls is not None and client.calls >= limits.calls:
            client.reject_open(CAPS[0], limits.calls)
        if client.has_rates:
            _take(client, kind, now)
        if kind.is_stream:
            client.streams += 1
            self.open_streams += 1
        else:
            client.calls += 1

    def leave(self, client: ClientLimiter, kind: Kind) -> None:
        """Stop counting a call that :meth:`enter` counted."""
        if kind.is_stream:
            client.streams -= 1
            self.open_streams -= 1
        else:
            client.calls -= 1

    def begin_waiting(self, client: ClientLimiter) -> None:
        """Count a waiting unary call as a stream until :meth:`end_waiting`, or raise ``LimitError``."""
        self._check_streams(client)
        client.calls -= 1
        client.streams += 1
        self.open_streams += 1

    def end_waiting(self, client: ClientLimiter) -> None:
        """Count a unary call that has stopped waiting as a call again."""
        client.calls += 1
        client.streams -= 1
        self.open_streams -= 1

    def _check_streams(self, client: ClientLimiter) -> None:
        """Raise ``LimitError`` if the client, or all clients together, have too many streams."""
        most = client.limits.streams
        if most is not None and client.streams >= most:
            client.reject_open(CAPS[1], most)
        if self.open_streams >= self.most_streams:
            self.count_reached(CAPS[1], BY_ALL)
            raise LimitError(CAPS[1], BY_ALL, "", str(self.most_streams), 1.0)

    def count_failure(self, error: ApiError, address: Callable[[], ClientLimiter]) -> ApiError:
        """Count an error that shows a wrong key or token, and return the error to send.

        It is a ``LimitError`` after too many of them, otherwise ``error``. ``address`` returns the client's limiter.
        """
        if not error.is_guess:
            return error
        client, now = address(), self._clock()
        try:
            client.take(FAILURES, now)
        except LimitError as limit_error:
            return limit_error
        return error

    async def delay_rejection(self, error: LimitError, client: ClientLimiter) -> None:
        """Delay the answer to a rejected call; the delay grows with the number of the client's rejected calls.

        This slows down clients that ignore ``retry_seconds``, because a delayed call still counts as running. If too
        many calls are delayed, the answer is sent at once.
        """
        if len(self._delayed) >= self._most_delayed:
            return
        wait = client.penalize(self._clock())
        await self._delayed.wait(wait)
        error.retry_seconds = max(0.0, error.retry_seconds - wait)

    def release(self) -> None:
        """Answer all delayed calls at once, and delay no more calls, because the server shuts down."""
        self._most_delayed = 0
        self._delayed.wake()

    def now(self) -> float:
        """Return the current time of the clock in seconds."""
        return self._clock()


def _take(client: ClientLimiter, kind: Kind, now: float) -> None:
    """Charge a call to the rates of its kind. Raises ``LimitError``, and charges nothing, if one is used up."""
    if kind.rate is not None:
        client.check(BYTES_IN, now)
        client.check(BYTES_OUT, now)
        client.take(kind.rate, now)
    if kind.is_stream:
        client.charge(OPENINGS, 1, now)


def _parse(defaults: Limits, text: str, setting: str) -> Limits:
    try:
        return parse_limits(text, defaults)
    except InvalidLimitError as error:
        raise SettingError(f"{setting}: {error}") from error
