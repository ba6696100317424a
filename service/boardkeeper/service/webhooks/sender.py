"""Sends one message: to a checked address, with a timeout, and with a limit of the answer's size."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

import httpcore
from msgspec import Struct

from boardkeeper.service.webhooks.addresses import AddressError, check_url, is_public

SECONDS = 15.0
"""The timeout of an answer, including the resolution of the name."""

_CONNECT_SECONDS = 5.0
_MAX_ANSWER_BYTES = 16 * 1024
_IDLE_SECONDS = 20.0

Lookup = Callable[[str, int], Sequence[str]]
"""Returns the addresses of a host. Blocks. Raises ``OSError``."""

Header = tuple[bytes, bytes]


class Answer(Struct, frozen=True):
    """An endpoint's answer: the HTTP status and the ``Retry-After`` header."""

    status: int
    retry_after: str = ""


class NotSentError(Exception):
    """No answer was received. The platform sees the message."""


class _PrivateAddressError(Exception):
    """The name of an endpoint resolves to a private address."""


class Sender:
    """Sends to one endpoint. It has its own connections and resolver thread, so a slow endpoint delays no other."""

    def __init__(
        self,
        *,
        insecure: bool = False,
        connections: int = 8,
        lookup: Lookup | None = None,
        trusted: ssl.SSLContext,
        seconds: float = SECONDS,
    ) -> None:
        """``insecure`` allows private addresses and ``http://``. ``trusted`` checks the certificates of endpoints.

        Senders share one ``trusted`` context, because its creation takes about 50 ms of CPU.
        """
        self._seconds = seconds
        self._insecure = insecure
        self._names = ThreadPoolExecutor(1, "boardkeeper-webhook-names")
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=trusted,
            max_connections=connections,
            max_keepalive_connections=connections,
            keepalive_expiry=_IDLE_SECONDS,
            network_backend=_CheckingBackend(lookup or resolve, self._names, insecure=insecure),
        )

    async def close(self) -> None:
        """Close the connections and stop the resolver thread."""
        await self._pool.aclose()
        self._names.shutdown(wait=False, cancel_futures=True)

    async def send(self, url: str, headers: Sequence[Header], content: bytes) -> Answer:
        """Post a message; redirects are not followed. Raises :class:`NotSentError`."""
        try:
            check_url(url, insecure=self._insecure)  # the setting may have changed since the URL was stored
        except AddressError as error:
            raise NotSentError(f"the URL {error}") from error
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), self._seconds)
        try:
            async with (
                asyncio.timeout(self._seconds),
                self._pool.stream(
                    "POST", url, headers=list(headers), content=content, extensions={"timeout": timeouts}
                ) as response,
            ):
                size = 0
                async for part in response.aiter_stream():  # read all, so that the connection can be reused
                    size += len(part)
                    if size > _MAX_ANSWER_BYTES:
                        break
                found = {name.lower(): value for name, value in response.headers}
                return Answer(response.status, found.get(b"retry-after", b"").decode("latin-1")[:100])
        except _PrivateAddressError as error:
            raise NotSentError(str(error)) from error
        except TimeoutError as error:
            raise NotSentError(f"no answer within {self._seconds:g} seconds") from error
        except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise NotSentError(_describe(error)) from error
        except (OSError, UnicodeError, ssl.SSLError, httpcore.UnsupportedProtocol) as error:
            raise NotSentError(_describe(error)) from error


def _describe(error: BaseException) -> str:
    text = " ".join(str(error).split())[:200]
    return text if text.isprintable() and text else type(error).__name__


class _CheckingBackend(httpcore.AsyncNetworkBackend):
    """Connects to checked addresses. TLS still verifies the name in the URL."""

    def __init__(self, lookup: Lookup, names: ThreadPoolExecutor, *, insecure: bool) -> None:
        self._inner = httpcore.AnyIOBackend()
        self._lookup = lookup
        self._names = names
        self._insecure = insecure

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # as httpcore calls it
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        found = await asyncio.get_running_loop().run_in_executor(self._names, self._lookup, host, port)
        if not found:
            raise httpcore.ConnectError(f"{host} has no IP address")
        if not self._insecure and not all(map(is_public, found)):
            raise _PrivateAddressError(f"{host} is a private address")
        last: Exception | None = None
        for address in found[:4]:
            try:
                return await self._inner.connect_tcp(
                    address, port, min(timeout or _CONNECT_SECONDS, _CONNECT_SECONDS), local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last = error
        assert last is not None
        raise last

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def resolve(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a host from the system's resolver. Raises ``OSError``."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
