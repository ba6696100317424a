"""An address that stays while services behind it come and go.

A service that is started again on the port that it had may find it taken: the system gives a port that is free for a
moment to anybody. So clients of a service that restarts speak to a relay, and each service takes the port it is given.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial


class Relay:
    """Listens at ``address`` and passes every connection on to ``target``; while there is none, it hangs up.

    While ``swallows``, it does not pass on what the service sends.
    """

    def __init__(self) -> None:
        self.target = ""
        self.swallows = False
        self.swallowed = 0
        """The number of bytes that were not passed on."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, name="relay", daemon=True).start()

    def close(self) -> None:
        """Hang up and listen no more."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.cut()

    def cut(self) -> None:
        """Hang up on everybody who is connected, as a network does."""
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
                threading.Thread(target=_pass_on, args=(client, service, service.sendall), daemon=True),
                threading.Thread(target=_pass_on, args=(service, client, partial(self._answer, client)), daemon=True),
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


def _pass_on(source: socket.socket, target: socket.socket, send: Callable[[bytes], None]) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            send(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def relay() -> Iterator[Relay]:
    """A relay until the end of the block."""
    it = Relay()
    try:
        yield it
    finally:
        it.close()
