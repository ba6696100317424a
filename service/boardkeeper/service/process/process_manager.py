"""The manager that started this process, such as systemd: it may want to know when the service can be used."""

from __future__ import annotations

import os
import socket
from contextlib import suppress

READY = "READY=1"
STOPPING = "STOPPING=1"


def notify_manager(state: str) -> None:
    """Tell it, if it has said where (``NOTIFY_SOCKET``, as with ``Type=notify``); without one, do nothing."""
    where = os.environ.get("NOTIFY_SOCKET", "")
    if where[:1] not in {"/", "@"} or not hasattr(socket, "AF_UNIX"):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.connect("\0" + where[1:] if where.startswith("@") else where)
        told.sendall(state.encode())
