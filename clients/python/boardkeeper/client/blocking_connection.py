# Generated from aio_connection.py by tools/generate_blocking_client.py. Edit that file and run `make proto`.

"""A connection of the blocking client to one server, which retries calls and reopens streams."""

from __future__ import annotations

from collections.abc import Generator, Callable, Iterable, Iterator
from typing import TypeVar

import grpc
from google.protobuf.message import Message

from boardkeeper.client.channels import FAILURES, Channel
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


class Stubs:
    """The stubs of all gRPC services, and their channel for other stubs."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.channel = channel
        self.access = access_pb2_grpc.AccessStub(channel)
        self.catalog = catalog_pb2_grpc.CatalogStub(channel)
        self.feed = feed_pb2_grpc.FeedStub(channel)
        self.games = games_pb2_grpc.GamesStub(channel)
        self.history = history_pb2_grpc.HistoryStub(channel)
        self.players = players_pb2_grpc.PlayersStub(channel)
        self.webhooks = webhooks_pb2_grpc.WebhooksStub(channel)


class Connection:
    """A channel to a server. All methods raise a :class:`~boardkeeper.client.errors.BoardkeeperError` if they fail."""

    def __init__(
        self, endpoint: Endpoint, headers: CallHeaders, retry_policy: RetryPolicy, monitor: ConnectionMonitor
    ) -> None:
        self._endpoint = endpoint
        self._headers = headers
        self._retry_policy = retry_policy
        self._monitor = monitor
        self._own_writes = OwnWrites()
        self._channel = Channel(endpoint, Stubs)

    @property
    def stubs(self) -> Stubs:
        """The stubs of the gRPC services."""
        return self._channel.stubs

    def close(self) -> None:
        """Close the channel. Running and later calls raise :class:`Closed`."""
        self._channel.close()

    def call(
        self, method: grpc.UnaryUnaryMultiCallable[Request, Response], request: Request, token: str = ""
    ) -> Response:
        """Make a unary call, and retry it while the server does not respond. Reads see this client's own writes."""
        self._own_writes.require_in(request)
        metadata = self._headers.metadata(token, request)
        response = self._retry(
            lambda: method(request, timeout=self._retry_policy.deadline(request), metadata=metadata),
            self._retry_policy.delays(request),
        )
        self._own_writes.record(request, response)
        return response

    def collect(
        self,
        method: grpc.UnaryStreamMultiCallable[Request, Response],
        request: Request,
        join: Callable[[Iterable[Response]], _T],
        token: str = "",
    ) -> _T:
        """Read a finite stream and return its joined messages.

        ``join`` raises :class:`~boardkeeper.client.errors.Unavailable` if messages are missing; then the stream is read
        again from its beginning.
        """
        self._own_writes.require_in(request)
        metadata = self._headers.metadata(token, request)

        def read() -> _T:
            stream = method(request, timeout=self._retry_policy.long_timeout, metadata=metadata)
            return join([message for message in stream])

        return self._retry(read, self._retry_policy.delays())

    def upload(
        self, method: grpc.StreamUnaryMultiCallable[Request, Response], requests: Iterable[Request]
    ) -> Response:
        """Send a stream of requests and return the response, without retries."""
        try:
            return method(
                iter(requests), timeout=self._retry_policy.long_timeout, metadata=self._headers.metadata()
            )
        except FAILURES as error:
            raise self._to_client_error(error) from None

    def read_stream(
        self,
        select_method: Callable[[Stubs], grpc.UnaryStreamMultiCallable[Request, Response]],
        cursor: StreamCursor[Request, Response, Item],
        token: str,
        probe: Callable[[str], bool] | None = None,
    ) -> Generator[Item]:
        """Yield each item of a stream once and in order, and reopen the stream when it breaks.

        Each message restarts the time for retries, because a stream of weeks breaks many times. ``probe`` makes a unary
        call with a token, and returns whether the cursor has no further items: a stream that ended with OK may have
        been ended by a proxy.
        """
        delays = self._retry_policy.delays()
        while True:
            stream = None
            try:
                request = cursor.request()
                stream = select_method(self.stubs)(request, metadata=self._headers.metadata(token, request))
                for response in stream:
                    self._monitor.report_response()
                    delays = self._retry_policy.delays()
                    item = cursor.advance(response)
                    if item is not None:
                        yield item
                    if cursor.is_over:
                        return
                if probe is not None and probe(token):
                    return
                error: BaseException = ended_early()
            except FAILURES as failure:
                error = failure
            finally:
                if stream is not None:
                    stream.cancel()
            self._wait_for_retry(error, delays)
            if probe is not None:
                self._detect_recovery(probe)

    def probe(
        self, method: grpc.UnaryUnaryMultiCallable[Request, Response], request: Request, token: str
    ) -> Response:
        """Make a unary call once, without retries. Raises the errors of gRPC."""
        metadata = self._headers.metadata(token, request)
        return method(request, timeout=self._retry_policy.timeout, metadata=metadata)

    def _retry(self, attempt: Callable[[], _T], delays: Iterator[float]) -> _T:
        while True:
            try:
                response = attempt()
            except (*FAILURES, Unavailable) as error:
                self._wait_for_retry(error, delays)
            else:
                self._monitor.report_response()
                return response

    def _wait_for_retry(self, failure: BaseException, delays: Iterator[float]) -> None:
        """Sleep before the next attempt. Raises the error if a retry cannot help or the time for retries is over."""
        error = self._to_client_error(failure)
        delay = self._retry_policy.next_delay(delays, error)
        if delay is None:
            raise error from None
        if isinstance(error, Unavailable):
            self._monitor.report_loss(error)
        self._channel.sleep(delay)

    def _detect_recovery(self, probe: Callable[[str], bool]) -> None:
        """Report a recovered connection before the first message of a stream, which may be silent for long."""
        if not self._monitor.is_lost:
            return
        try:
            probe("")
        except FAILURES as failure:
            error = self._to_client_error(failure)
            if isinstance(error, Unavailable):
                return
            if not isinstance(error, BoardkeeperError) or isinstance(error, Closed):
                raise error from None
        self._monitor.report_response()

    def _to_client_error(self, error: BaseException) -> BaseException:
        """Return the error to raise for a failed call."""
        if self._channel.was_closed_by_user(error):
            return Closed()
        if not isinstance(error, grpc.RpcError):
            return error
        explained = self._endpoint.explain(from_rpc_error(error))
        if self._endpoint.can_diagnose(explained):
            return self._channel.run(self._endpoint.diagnose) or explained
        return explained
