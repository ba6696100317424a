"""A fixed address in front of servers that restart.

A server that restarts on its old port may find it in use, because the system can give a free port to any process. So
clients of a server that restarts connect to a relay, and each server uses the port that the system gives it.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial


class Relay:
    """Listens on ``address`` and forwards every connection to ``target``, or closes it if there is no target.

    While ``swallows`` is true, it drops the bytes that the server sends.
    """

    def __init__(self) -> None:
        self.target = ""
        self.swallows = False
        self.swallowed = 0
        """The number of bytes that were dropped."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, name="relay", daemon=True).start()

    def close(self) -> None:
        """Close all connections and stop listening."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.cut()

    def cut(self) -> None:
        """Close all connections, as a network failure does."""
        with self._lock:
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            host, _, port = self.target.rpartition(":")
            try:
                service = socket.create_connection((host, int(port or 0)))
            except OSError:
                client.close()
                continue
            with self._lock:
                self._open |= {client, service}
            ends = [
                threading.Thread(target=_forward, args=(client, service, service.sendall), daemon=True),
                threading.Thread(target=_forward, args=(service, client, partial(self._answer, client)), daemon=True),
            ]
            for end in ends:
                end.start()
            threading.Thread(target=self._forget, args=(ends, client, service), daemon=True).start()

    def _answer(self, client: socket.socket, data: bytes) -> None:
        if self.swallows:
            self.swallowed += len(data)
        else:
            client.sendall(data)

    def _forget(self, ends: list[threading.Thread], *sockets: socket.socket) -> None:
        for end in ends:
            end.join()
        with self._lock:
            self._open.difference_update(sockets)
        for it in sockets:
            it.close()


def _forward(source: socket.socket, target: socket.socket, send: Callable[[bytes], None]) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            send(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def relay() -> Iterator[Relay]:
    """Run a relay."""
    it = Relay()
    try:
        yield it
    finally:
        it.close()
