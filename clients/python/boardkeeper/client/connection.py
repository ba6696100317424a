"""One channel to a service: metadata, deadlines, and calls that are sent again when no answer came."""

from __future__ import annotations

import os
import random
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from boardkeeper.client.errors import BoardkeeperError, Closed, Overloaded, Unavailable, from_rpc_error
from boardkeeper.client.own_writes import OwnWrites
from boardkeeper.client.proxies import proxy_options
from boardkeeper.client.tls import Line

Answer = TypeVar("Answer", bound=Message)
Question = TypeVar("Question", bound=Message)
_T = TypeVar("_T")

FAILURES = (grpc.RpcError, ValueError)
"""What a call raises that did not succeed: ``ValueError`` is how grpcio says that the channel is closed."""

FIRST_WAIT = 0.05
LONGEST_WAIT = 2.0
LONG_CALLS = 6
"""How many times longer than others those calls may take that carry a whole game."""

OPTIONS = [
    # A watcher may hear nothing for long; this notices a peer that has gone without a word.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
]


KEY_VARIABLE = "BOARDKEEPER_KEY"
"""Where a client finds the key of its platform if it is given none."""

GAME_HEADER = "x-game-id"
"""Says which game a call is about: a proxy may bring all of them to the same process."""

_CHANCE = random.Random()  # the numbers of the module are those of the program that we run in
_KEY = re.compile(r"[!-~]{0,256}")
_GAME = re.compile(r"[0-9A-Za-z-]{1,64}")


def own_key(given: str | None) -> str:
    """The key that a client was given, else that of the variable; empty: it has none."""
    return os.environ.get(KEY_VARIABLE, "").strip() if given is None else given


def waiting_seconds(request: Message | None) -> float:
    """Return for how many seconds a request has the service wait for news."""
    wait: Duration | None = getattr(request, "wait", None)
    return 0.0 if wait is None else wait.seconds + wait.nanos / 1e9


@dataclass(frozen=True)
class Manners:
    """How a client speaks.

    ``language`` is that of sentences, ``timeout`` the deadline of one attempt and ``patience`` how long a call is
    sent again while there is no answer, both in seconds. Every call of Boardkeeper may be sent twice: reads change
    nothing, and commands, new games and joining carry an id by which the service knows a repetition. ``key`` is that of
    a platform, if the client has one.
    """

    language: str = "en"
    timeout: float = 10.0
    patience: float = 30.0
    key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Raises ``ValueError`` for what is no key, without saying it: gRPC would repeat it in its error."""
        if not _KEY.fullmatch(self.key):
            raise ValueError("the API key contains characters that are not allowed in a key")

    @property
    def long_timeout(self) -> float:
        """The deadline of an attempt that carries a whole game, in seconds."""
        return LONG_CALLS * self.timeout

    def metadata(self, token: str = "", request: Message | None = None) -> tuple[tuple[str, str], ...]:
        """What goes beside a request: the language, the seat's token if there is one, the platform's key, the game."""
        found: tuple[tuple[str, str], ...] = (("accept-language", self.language),)
        game = getattr(request, "game_id", "")
        if _GAME.fullmatch(game):
            found += ((GAME_HEADER, game),)
        if token or self.key:
            found += (("authorization", f"Bearer {token or self.key}"),)
        return (*found, ("x-boardkeeper-key", self.key)) if token and self.key else found

    def deadline(self, request: Message) -> float:
        """Return the deadline of one attempt in seconds: longer than the request has the service wait."""
        return self.timeout + waiting_seconds(request)

    def waits(self, request: Message | None = None) -> Iterator[float]:
        """How long to wait before each further attempt, in seconds; ends when patience does."""
        end = time.monotonic() + self.patience + waiting_seconds(request)
        wait = FIRST_WAIT
        while time.monotonic() + wait < end:
            yield wait * _CHANCE.uniform(0.5, 1.0)  # many clients must not come back in step
            wait = min(wait * 2, LONGEST_WAIT)

    def until_next(self, waits: Iterator[float], error: BaseException) -> float | None:
        """How long to wait before another attempt, at least as the service asked; ``None`` if patience is shorter."""
        wait, asked = next(waits, None), getattr(error, "retry_after", 0.0)
        return None if wait is None or asked > self.patience else max(wait, asked)


class Contact:
    """Whether the service answers, for somebody who wants to know: told once when it does not, once when it does again.

    May be used from several threads.
    """

    def __init__(self, tell: Callable[[BoardkeeperError | None], None] | None) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._lost = False

    @property
    def is_missed(self) -> bool:
        """Whether somebody waits to hear that the service answers again."""
        return self._lost

    def lost(self, error: BoardkeeperError) -> None:
        """No answer came, and the call is sent again."""
        self._change(lost=True, error=error)

    def answered(self) -> None:
        """There was an answer."""
        self._change(lost=False, error=None)

    def _change(self, *, lost: bool, error: BoardkeeperError | None) -> None:
        if self._tell is None:
            return
        with self._lock:
            changed, self._lost = self._lost is not lost, lost
        if changed:
            self._tell(error)


class Connection:
    """A channel to a service that is used with good manners."""

    def __init__(
        self,
        line: Line,
        manners: Manners,
        contact: Contact | None = None,
    ) -> None:
        self._line = line
        self.manners = manners
        self.contact = contact or Contact(None)
        self._own_writes = OwnWrites()
        self._closed = threading.Event()
        target, credentials = line.address.target, line.credentials
        options = [*OPTIONS, *proxy_options(line.address)]
        if credentials is None:
            self.channel = grpc.insecure_channel(target, options=options)
        else:
            self.channel = grpc.secure_channel(target, credentials, options=options)

    def close(self) -> None:
        """Give the channel back; calls under way, and any later ones, raise :class:`Closed`."""
        self._closed.set()
        self.channel.close()

    def failure(self, error: Exception) -> Exception:
        """What to raise for one of the ``FAILURES``."""
        if self._closed.is_set():
            return Closed()
        if not isinstance(error, grpc.RpcError):
            return error
        made = self._line.explained(from_rpc_error(error))
        return (self._line.asked() or made) if self._line.wants_asking(made) else made

    def pause(self, seconds: float) -> None:
        """Wait before another attempt; raises :class:`Closed` as soon as the connection is closed."""
        if self._closed.wait(seconds):
            raise Closed

    def listen(self, probe: Callable[[], object]) -> None:
        """Find out by a call whether the service answers again, if somebody waits to hear of it."""
        if not self.contact.is_missed:
            return
        try:
            probe()
        except FAILURES as error:
            if isinstance(self.failure(error), Unavailable | Closed):
                return
        self.contact.answered()

    def call(
        self, method: grpc.UnaryUnaryMultiCallable[Question, Answer], request: Question, token: str = ""
    ) -> Answer:
        """Make a unary call and return its answer; raises a :class:`~boardkeeper.client.errors.BoardkeeperError`.

        An attempt that got no answer is repeated, waiting a little longer each time, until patience ends. A read has
        seen this client's own last write, unless it says itself how new it has to be.
        """
        manners = self.manners
        self._own_writes.ask(request)
        answer = self._until_answered(
            lambda: method(request, timeout=manners.deadline(request), metadata=manners.metadata(token, request)),
            manners.waits(request),
        )
        self._own_writes.note(request, answer)
        return answer

    def collect(
        self,
        method: grpc.UnaryStreamMultiCallable[Question, Answer],
        request: Question,
        put_together: Callable[[Iterable[Answer]], _T],
        token: str = "",
    ) -> _T:
        """What is put together of all that a stream which ends by itself has to say.

        An attempt that broke off begins anew, and so does one whose answers ``put_together`` finds not to be all, which
        raises :class:`~boardkeeper.client.errors.Unavailable`.
        """
        manners = self.manners
        self._own_writes.ask(request)
        return self._until_answered(
            lambda: put_together(
                method(request, timeout=manners.long_timeout, metadata=manners.metadata(token, request))
            ),
            manners.waits(),
        )

    def send(self, method: grpc.StreamUnaryMultiCallable[Question, Answer], requests: Iterable[Question]) -> Answer:
        """Stream requests and return the answer to them all; nothing is repeated."""
        try:
            return method(iter(requests), timeout=self.manners.long_timeout, metadata=self.manners.metadata())
        except FAILURES as error:
            raise self.failure(error) from None

    def _until_answered(self, attempt: Callable[[], _T], waits: Iterator[float]) -> _T:
        manners = self.manners
        while True:
            try:
                answer = attempt()
            except (*FAILURES, Unavailable) as error:
                made = self.failure(error)
                if not isinstance(made, Unavailable | Overloaded):
                    raise made from None
                wait = manners.until_next(waits, made)
                if wait is None:
                    raise made from None
                if isinstance(made, Unavailable):
                    self.contact.lost(made)
                self.pause(wait)
            else:
                self.contact.answered()
                return answer
