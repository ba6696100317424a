"""Streams that go on where they broke."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Protocol, TypeVar

import grpc
from google.protobuf.message import Message

from boardkeeper.client.connection import FAILURES, Connection
from boardkeeper.client.errors import Overloaded, Unavailable

Question = TypeVar("Question", bound=Message)
Answer = TypeVar("Answer", bound=Message)
Item = TypeVar("Item")
_Asked_co = TypeVar("_Asked_co", bound=Message, covariant=True)
_Told_contra = TypeVar("_Told_contra", bound=Message, contravariant=True)
_Taken_co = TypeVar("_Taken_co", covariant=True)


class Reader(Protocol[_Asked_co, _Told_contra, _Taken_co]):
    """Knows how far it has come: what to ask for next, and what of an answer is new."""

    @property
    def is_over(self) -> bool:
        """Whether all that there will ever be has come."""

    def request(self) -> _Asked_co:
        """Ask for what comes next."""

    def take(self, answer: _Told_contra) -> _Taken_co | None:
        """What an answer brings; ``None`` for a heartbeat, or what has been taken already."""


def ended_early() -> Unavailable:
    """What to say of a stream that the service ended before its time."""
    return Unavailable("the service ended the stream")


def resumed(
    connection: Connection,
    method: grpc.UnaryStreamMultiCallable[Question, Answer],
    reader: Reader[Question, Answer, Item],
    token: str,
    look: Callable[[], bool] = lambda: False,
    broken: Callable[[], None] = lambda: None,
) -> Generator[Item]:
    """What a stream brings, each once and in order, until all has come.

    While no service answers, it is asked again until the connection's patience ends; each answer renews the patience,
    for in a game that lasts weeks a stream breaks many times. That a stream has ended well says little, for whatever
    stands between us and the service may end it: ``look`` finds out by a call whether there is nothing more to come.
    ``broken`` is called before it is asked again. Raises a :class:`~boardkeeper.client.errors.BoardkeeperError`.
    """
    waits = connection.manners.waits()
    while True:
        stream = None
        try:
            request = reader.request()
            stream = method(request, metadata=connection.manners.metadata(token, request))
            for answer in stream:
                connection.contact.answered()
                waits = connection.manners.waits()
                item = reader.take(answer)
                if item is not None:
                    yield item
                if reader.is_over:
                    return
            if look():
                return
            error: Exception = ended_early()
        except FAILURES as failure:
            error = connection.failure(failure)
        finally:
            if stream is not None:
                stream.cancel()
        if not isinstance(error, Unavailable | Overloaded):
            raise error from None
        wait = connection.manners.until_next(waits, error)
        if wait is None:
            raise error from None
        if isinstance(error, Unavailable):
            connection.contact.lost(error)
        connection.pause(wait)
        broken()
