"""The limits of one call: the client that it counts for, and its rejection."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from grpc.aio import ServicerContext

from boardkeeper.service.auth.caller import Caller
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.limits.clients import ClientLimiter
from boardkeeper.service.limits.limits import FAILURES
from boardkeeper.service.limits.rpc_rates import Kind
from boardkeeper.service.requests.errors import ApiError, LimitError


class CallLimits:
    """The limits of one call. ``client`` is set while the call is admitted.

    ``waited`` is the time in seconds that the call has waited because the client asked for it: see :meth:`waiting`.
    """

    client: ClientLimiter | None = None
    waited = 0.0

    def __init__(
        self, caller: Caller, context: ServicerContext[Any, Any], forwarded: tuple[str, ...], admission: Admission
    ) -> None:
        """``forwarded`` are the values of the header in which proxies send the client's address."""
        self._caller = caller
        self._context = context
        self._forwarded = forwarded
        self._admission = admission

    def enter(self, kind: Kind) -> ClientLimiter:
        """Count the call until :meth:`leave`, and return its client. Raises ``LimitError``."""
        caller, admission = self._caller, self._admission
        client = self.charged_client()
        try:
            admission.enter(client, kind, shows_token=bool(caller.token) and caller.key is None)
        except LimitError:
            if not caller.is_operator:
                raise
            client = admission.operator
            admission.enter(client, kind, shows_token=False)
        self.client = client
        return client

    def leave(self, kind: Kind) -> None:
        """Count the call as ended, if it was admitted."""
        if self.client is not None:
            self._admission.leave(self.client, kind)

    def charged_client(self) -> ClientLimiter:
        """Return the client that the call counts for: the key, or else the address."""
        key = self._caller.key
        return self._address() if key is None else self._admission.key_limiter(key.key_id, key.limits)

    def _address(self) -> ClientLimiter:
        return self._admission.address_limiter(self._context.peer(), self._forwarded)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count a unary call as a stream while it waits for a change of a game. Raises ``LimitError``."""
        client = self.client
        if client is None:
            raise TypeError("the call was not admitted")
        self._admission.begin_waiting(client)
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.waited += time.perf_counter() - begun
            self._admission.end_waiting(client)

    def check_failures(self, token: str) -> None:
        """Raise ``LimitError`` before a stream checks a token, if the client has presented too many wrong ones."""
        caller = self._caller
        if token and caller.key is None and self.client is not None and not caller.is_operator:
            self.client.check(FAILURES, self._admission.now())

    def error_to_send(self, error: ApiError) -> ApiError:
        """Return the error to send: ``LimitError`` if the client has presented too many wrong keys or tokens."""
        caller = self._caller
        if error.reason in ("OPERATOR_ONLY", "PLATFORM_ONLY", "KEY_MISSING") and caller.token:
            error.is_guess = not caller.is_operator  # the caller may be guessing the operator token
        return error if caller.key is not None else self._admission.count_failure(error, self._address)
