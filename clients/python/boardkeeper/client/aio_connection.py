"""A connection of the asyncio client to one server, which retries calls and reopens streams."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from typing import TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message

from boardkeeper.client.channels import ASYNC_FAILURES, AsyncChannel
from boardkeeper.client.connection import CallHeaders, ConnectionMonitor, RetryPolicy
from boardkeeper.client.cursors import StreamCursor, ended_early
from boardkeeper.client.errors import BoardkeeperError, Closed, Unavailable, from_rpc_error
from boardkeeper.client.own_writes import OwnWrites
from boardkeeper.client.tls import Endpoint
from boardkeeper.v1 import (
    access_pb2_grpc,
    catalog_pb2_grpc,
    feed_pb2_grpc,
    games_pb2_grpc,
    history_pb2_grpc,
    players_pb2_grpc,
    webhooks_pb2_grpc,
)

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)
Item = TypeVar("Item")
_T = TypeVar("_T")


class AsyncStubs:
    """The stubs of all gRPC services, and the channel, with which callers can create other stubs."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.channel = channel
        self.access = access_pb2_grpc.AccessStub(channel)
        self.catalog = catalog_pb2_grpc.CatalogStub(channel)
        self.feed = feed_pb2_grpc.FeedStub(channel)
        self.games = games_pb2_grpc.GamesStub(channel)
        self.history = history_pb2_grpc.HistoryStub(channel)
        self.players = players_pb2_grpc.PlayersStub(channel)
        self.webhooks = webhooks_pb2_grpc.WebhooksStub(channel)


class AsyncConnection:
    """A channel to a server.

    Methods raise a :class:`~boardkeeper.client.errors.BoardkeeperError` if a call fails, except :meth:`probe`.
    """

    def __init__(
        self, endpoint: Endpoint, headers: CallHeaders, retry_policy: RetryPolicy, monitor: ConnectionMonitor
    ) -> None:
        self._endpoint = endpoint
        self._headers = headers
        self._retry_policy = retry_policy
        self._monitor = monitor
        self._own_writes = OwnWrites()
        self._channel = AsyncChannel(endpoint, AsyncStubs)

    @property
    def stubs(self) -> AsyncStubs:
        """The stubs of the gRPC services."""
        return self._channel.stubs

    async def close(self) -> None:
        """Close the channel. Running and later calls raise :class:`Closed`."""
        await self._channel.close()

    async def call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request, token: str = ""
    ) -> Response:
        """Make a unary call. While the server is unavailable or overloaded, retry it within the retry timeout.

        The response to a read includes this client's earlier writes.
        """
        self._own_writes.set_min_version(request)
        metadata = self._headers.metadata(token, request)
        response = await self._retry(
            lambda: method(request, timeout=self._retry_policy.deadline(request), metadata=metadata),
            self._retry_policy.delays(request),
        )
        self._own_writes.record(request, response)
        return response

    async def read_all(
        self,
        method: grpc.aio.UnaryStreamMultiCallable[Request, Response],
        request: Request,
        join: Callable[[Iterable[Response]], _T],
        token: str = "",
    ) -> _T:
        """Read a finite stream and return its joined messages.

        ``join`` raises :class:`~boardkeeper.client.errors.Unavailable` if messages are missing; then the stream is read
        again from its beginning.
        """
        self._own_writes.set_min_version(request)
        metadata = self._headers.metadata(token, request)

        async def read() -> _T:
            stream = method(request, timeout=self._retry_policy.long_timeout, metadata=metadata)
            return join([message async for message in stream])

        return await self._retry(read, self._retry_policy.delays())

    async def upload(
        self, method: grpc.aio.StreamUnaryMultiCallable[Request, Response], requests: Iterable[Request]
    ) -> Response:
        """Send a stream of requests and return the response, without retries."""
        try:
            return await method(
                iter(requests), timeout=self._retry_policy.long_timeout, metadata=self._headers.metadata()
            )
        except ASYNC_FAILURES as error:
            raise await self._to_client_error(error) from None

    async def read_stream(
        self,
        select_method: Callable[[AsyncStubs], grpc.aio.UnaryStreamMultiCallable[Request, Response]],
        cursor: StreamCursor[Request, Response, Item],
        token: str,
        is_at_end: Callable[[str], Awaitable[bool]] | None = None,
    ) -> AsyncGenerator[Item]:
        """Yield each item of a stream once and in order, and reopen the stream when it breaks.

        Each message restarts the retry timeout, because a stream that stays open for weeks breaks many times.
        ``is_at_end`` makes a unary call with the token and returns whether the stream has no further items. It is
        called when the stream ends with OK, because the end may come from a proxy instead of the server.
        """
        delays = self._retry_policy.delays()
        while True:
            stream = None
            try:
                request = cursor.request()
                stream = select_method(self.stubs)(request, metadata=self._headers.metadata(token, request))
                async for response in stream:
                    self._monitor.report_response()
                    delays = self._retry_policy.delays()
                    item = cursor.advance(response)
                    if item is not None:
                        yield item
                    if cursor.is_over:
                        return
                if is_at_end is not None and await is_at_end(token):
                    return
                error: BaseException = ended_early()
            except ASYNC_FAILURES as failure:
                error = failure
            finally:
                if stream is not None:
                    stream.cancel()
            await self._wait_for_retry(error, delays)
            if is_at_end is not None:
                await self._detect_recovery(is_at_end)

    async def probe(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request, token: str
    ) -> Response:
        """Make a unary call once, without retries. Raises the exceptions of gRPC if it fails."""
        metadata = self._headers.metadata(token, request)
        return await method(request, timeout=self._retry_policy.timeout, metadata=metadata)

    async def _retry(self, attempt: Callable[[], Awaitable[_T]], delays: Iterator[float]) -> _T:
        while True:
            try:
                response = await attempt()
            except (*ASYNC_FAILURES, Unavailable) as error:
                await self._wait_for_retry(error, delays)
            else:
                self._monitor.report_response()
                return response

    async def _wait_for_retry(self, failure: BaseException, delays: Iterator[float]) -> None:
        """Sleep before the next attempt. Raises the error if a retry cannot help or the retry timeout has expired."""
        error = await self._to_client_error(failure)
        delay = self._retry_policy.next_delay(delays, error)
        if delay is None:
            raise error from None
        if isinstance(error, Unavailable):
            self._monitor.report_loss(error)
        await self._channel.sleep(delay)

    async def _detect_recovery(self, is_at_end: Callable[[str], Awaitable[bool]]) -> None:
        """Report a recovered connection before the first message of a stream, which may arrive much later."""
        if not self._monitor.is_lost:
            return
        try:
            await is_at_end("")
        except ASYNC_FAILURES as failure:
            error = await self._to_client_error(failure)
            if isinstance(error, Unavailable):
                return
            if not isinstance(error, BoardkeeperError) or isinstance(error, Closed):
                raise error from None
        self._monitor.report_response()

    async def _to_client_error(self, error: BaseException) -> BaseException:
        """Return the error to raise for a failed call."""
        if self._channel.was_closed_by_user(error):
            return Closed()
        if not isinstance(error, grpc.RpcError):
            return error
        explained = self._endpoint.explain(from_rpc_error(error))
        if self._endpoint.can_diagnose(explained):
            return await self._channel.run(self._endpoint.diagnose) or explained
        return explained
