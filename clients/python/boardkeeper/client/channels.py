"""gRPC channels for threads (:class:`Channel`) and for asyncio (:class:`AsyncChannel`), with the same methods.

These two classes are written by hand. The rest of the blocking client is generated from the asyncio client
(``tools/generate_blocking_client.py``), and this module contains the parts of both that differ.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

import grpc
import grpc.aio

from boardkeeper.client.connection import CHANNEL_OPTIONS
from boardkeeper.client.errors import Closed
from boardkeeper.client.proxies import proxy_options
from boardkeeper.client.tls import Endpoint

Stubs = TypeVar("Stubs")
_T = TypeVar("_T")

FAILURES = (grpc.RpcError, ValueError)
"""Errors of blocking calls. grpcio raises ``ValueError`` for a call on a closed channel."""

ASYNC_FAILURES = (grpc.RpcError, grpc.aio.UsageError, asyncio.CancelledError)
"""Errors of asyncio calls. A closed channel cancels running calls, and rejects new calls with ``UsageError``."""


class Channel(Generic[Stubs]):
    """A channel for blocking calls, and its stubs. Threads may share it."""

    def __init__(self, endpoint: Endpoint, create_stubs: Callable[[grpc.Channel], Stubs]) -> None:
        self._closed = threading.Event()
        target, options = endpoint.address.target, [*CHANNEL_OPTIONS, *proxy_options(endpoint.address)]
        if endpoint.credentials is None:
            self._channel = grpc.insecure_channel(target, options=options)
        else:
            self._channel = grpc.secure_channel(target, endpoint.credentials, options=options)
        self.stubs = create_stubs(self._channel)

    def close(self) -> None:
        """Close the channel. Running calls fail."""
        self._closed.set()
        self._channel.close()

    def was_closed_by_user(self, error: BaseException) -> bool:  # noqa: ARG002
        """Return whether a call failed because the client was closed."""
        return self._closed.is_set()

    def sleep(self, seconds: float) -> None:
        """Sleep before a retry. Raises :class:`Closed` as soon as the channel is closed."""
        if self._closed.wait(seconds):
            raise Closed

    def run(self, function: Callable[[], _T]) -> _T:
        """Call a blocking function."""
        return function()


class AsyncChannel(Generic[Stubs]):
    """A channel for asyncio, and its stubs. The first call opens it, and binds it to the event loop of that call."""

    def __init__(self, endpoint: Endpoint, create_stubs: Callable[[grpc.aio.Channel], Stubs]) -> None:
        self._endpoint = endpoint
        self._create_stubs = create_stubs
        self._closed = asyncio.Event()
        self._opened: tuple[asyncio.AbstractEventLoop, grpc.aio.Channel, Stubs] | None = None

    @property
    def stubs(self) -> Stubs:
        """The stubs. Raises :class:`Closed`, and ``RuntimeError`` on another event loop than that of the first call."""
        if self._closed.is_set():
            raise Closed
        if self._opened is None:
            self._opened = self._open()
        self._check_loop()
        return self._opened[2]

    def _open(self) -> tuple[asyncio.AbstractEventLoop, grpc.aio.Channel, Stubs]:
        target, credentials = self._endpoint.address.target, self._endpoint.credentials
        options = [*CHANNEL_OPTIONS, *proxy_options(self._endpoint.address)]
        if credentials is None:
            channel = grpc.aio.insecure_channel(target, options=options)
        else:
            channel = grpc.aio.secure_channel(target, credentials, options=options)
        return asyncio.get_running_loop(), channel, self._create_stubs(channel)

    def _check_loop(self) -> None:
        if self._opened is not None and self._opened[0] is not asyncio.get_running_loop():
            raise RuntimeError(
                "this AsyncClient was first used on another event loop, to which its connection belongs:"
                " make a client for each loop (every asyncio.run has its own), or use boardkeeper.client.Client"
            )

    async def close(self) -> None:
        """Close the channel. Running calls fail."""
        self._check_loop()
        self._closed.set()
        if self._opened is not None:
            await self._opened[1].close()

    def was_closed_by_user(self, error: BaseException) -> bool:
        """Return whether a call failed because the client was closed, and not because its task was cancelled."""
        task = asyncio.current_task()
        is_cancelled = isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling()
        return self._closed.is_set() and not is_cancelled

    async def sleep(self, seconds: float) -> None:
        """Sleep before a retry. Raises :class:`Closed` as soon as the channel is closed."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closed.wait(), seconds)
            raise Closed

    async def run(self, function: Callable[[], _T]) -> _T:
        """Call a blocking function in a thread."""
        return await asyncio.to_thread(function)
