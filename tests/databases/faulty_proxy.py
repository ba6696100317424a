"""A proxy to a PostgreSQL server that can lose the server's answers."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path

_READY = b"Z\x00\x00\x00\x05"
"""The end of an answer of the server, except its last byte."""

_STATEMENT_ANSWERS = (b"1", b"2", b"C", b"D", b"T", b"n", b"s")
"""The first bytes of answers to statements. Other messages, such as notifications, do not end with :data:`_READY`."""


class FaultyProxy:
    """A socket in a folder that forwards to the server; instead of an answer with ``lost_answer`` it disconnects."""

    def __init__(self, folder: Path, target: str) -> None:
        self.folder = folder
        self.lost_answer = b""
        self.losses = 0
        """The number of lost answers."""
        self._target = target
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / ".s.PGSQL.5432"))
        self._listening.listen()
        threading.Thread(target=self._accept, name="faulty-proxy", daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self._target)
            except OSError:  # no server is running
                client.close()
                server.close()
                continue
            for work in (self._forward_requests, self._forward_answers):
                threading.Thread(target=work, args=(client, server), daemon=True).start()

    def _forward_requests(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):  # a client that was killed resets the connection
            while data := client.recv(1 << 16):
                server.sendall(data)
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)

    def _forward_answers(self, client: socket.socket, server: socket.socket) -> None:
        with client, server, suppress(OSError):
            while data := server.recv(1 << 16):
                while self.lost_answer and data[:1] in _STATEMENT_ANSWERS and data[-6:-1] != _READY:
                    if not (more := server.recv(1 << 16)):
                        break
                    data += more
                if self.lost_answer and self.lost_answer in data:
                    self.losses += 1
                    break
                client.sendall(data)
            for end in (client, server):
                end.shutdown(socket.SHUT_RDWR)
