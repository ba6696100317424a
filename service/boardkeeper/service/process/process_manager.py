"""Notifications to the process manager, for example systemd, about the state of the server."""

from __future__ import annotations

import os
import socket
from contextlib import suppress

READY = "READY=1"
STOPPING = "STOPPING=1"


def notify_manager(state: str) -> None:
    """Send a state to the socket in ``NOTIFY_SOCKET`` (systemd's ``Type=notify``), if there is one."""
    path = os.environ.get("NOTIFY_SOCKET", "")
    if path[:1] not in {"/", "@"} or not hasattr(socket, "AF_UNIX"):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
        connection.connect("\0" + path[1:] if path.startswith("@") else path)
        connection.sendall(state.encode())
