"""Load for gRPC servers from prepare requests: as many calls as possible, or calls at random times.

A call takes ``way``, 0 for a command and 1 for the command that undoes it, and a function that it calls when the server
has answered.
"""

from __future__ import annotations

import heapq
import random
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from bench.http2 import CallFailedError, Channel, Connection, Headers, Loop, Stream, grpc_message
from google.protobuf.message import Message

Call = Callable[[int, Callable[[], None]], None]
Request = Callable[[], bytes]
"""Returns the bytes of the next request, each time with another command id."""

PLACEHOLDER = "command-0000000000"
"""The command id in messages for :func:`prepare`."""

_TIMEOUT = 30.0


def prepare(message: Message, numbers: Iterator[int] | None = None) -> Request:
    """Return a function that encodes a message, each time with the next command id."""
    head, _, tail = grpc_message(message.SerializeToString()).partition(PLACEHOLDER.encode())
    numbers = count() if numbers is None else numbers
    return lambda: b"%scommand-%010d%s" % (head, next(numbers), tail)


class UnaryCall:
    """Calls one rpc, with one request for each way. It has at most one call at a time."""

    def __init__(self, channel: Channel, headers: Headers, requests: Sequence[Request]) -> None:
        self._channel = channel
        self._headers = headers
        self._requests = requests
        self._stream = Stream(self._on_message, self._on_end)
        self._encoded: tuple[Connection, int] | None = None
        self._block = b""
        self._done: Callable[[], None] = lambda: None
        self.answer: bytes | None = None

    def __call__(self, way: int, done: Callable[[], None]) -> None:
        """Call; ``done`` is called when the server has ended the call."""
        connection = self._channel.connection()
        encoded = connection, connection.headers.added
        if self._encoded != encoded:  # another connection, or the positions in its table have moved
            self._encoded = encoded
            self._block = connection.headers.encode(self._headers)
        self.answer, self._done = None, done
        connection.open(self._block, self._requests[way](), self._stream)

    def _on_message(self, message: bytes) -> None:
        self.answer = message

    def _on_end(self) -> None:
        if self.answer is None:
            raise CallFailedError(f"a call of {dict(self._headers)[':path']} ended with an error")
        self._done()


class StreamedCall:
    """Sends each request on one open stream; each message of the server answers one request."""

    def __init__(self, channel: Channel, headers: Headers, requests: Sequence[Request], first_byte: int) -> None:
        """``first_byte`` is the first byte of an answer without an error."""
        self._channel = channel
        self._headers = headers
        self._requests = requests
        self._first_byte = first_byte
        self._opened: tuple[Connection, int] | None = None
        self._done: Callable[[], None] = lambda: None

    def __call__(self, way: int, done: Callable[[], None]) -> None:
        """Send; ``done`` is called when the answer has arrived."""
        self._done = done
        if self._opened is not None:
            connection, number = self._opened
            connection.send(number, self._requests[way]())
            return
        connection = self._channel.connection()
        block = connection.headers.encode(self._headers)
        stream = Stream(self._on_message, self._on_end)
        self._opened = connection, connection.open(block, self._requests[way](), stream, is_last=False)

    def _on_message(self, message: bytes) -> None:
        if message[0] != self._first_byte:
            raise CallFailedError(f"the stream answered with an error: {message!r}")
        self._done()

    def _on_end(self) -> None:
        raise CallFailedError("the stream ended")


def saturate(loop: Loop, calls: Sequence[Call], seconds: float) -> int:
    """Call again as soon as a call is answered; return the number of calls. Each way 0 is followed by way 1."""
    done, running = 0, len(calls)
    until = time.perf_counter() + seconds

    def begin(call: Call) -> None:
        def there() -> None:
            call(1, back)

        def back() -> None:
            nonlocal done, running
            done += 2
            if time.perf_counter() < until:
                call(0, there)
            else:
                running -= 1

        call(0, there)

    for call in calls:
        begin(call)
    loop.run_until(lambda: not running, seconds + _TIMEOUT)
    return done


def pace(loop: Loop, calls: Sequence[Call], rate: float, seconds: float) -> list[float]:
    """Call at random times, at this rate; return the seconds from when each call was due until it was answered."""
    chance = random.Random(1)
    each = max(1, round(rate * seconds / len(calls) / 2)) * 2  # the same number for each way
    took: list[float] = []
    begun = time.perf_counter()
    waiting: list[tuple[float, int, int]] = []  # when the call is due, its caller, and its number

    def schedule(due: float, caller: int, number: int) -> None:
        if number < each:
            heapq.heappush(waiting, (due + chance.expovariate(rate / len(calls)), caller, number))

    def begin(due: float, caller: int, number: int) -> None:
        def done() -> None:
            took.append(time.perf_counter() - due)
            schedule(due, caller, number + 1)

        calls[caller](number % 2, done)

    for caller in range(len(calls)):
        schedule(begun, caller, 0)
    while len(took) < each * len(calls):
        now = time.perf_counter()
        if now - begun > seconds * 3 + _TIMEOUT:
            raise TimeoutError("the server does not keep up with the load")
        while waiting and waiting[0][0] <= now:
            begin(*heapq.heappop(waiting))
        loop.run_once(max(0.0, waiting[0][0] - now) if waiting else 0.2)
    return took
