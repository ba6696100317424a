"""Explain why a server cannot be reached."""

from __future__ import annotations

import socket

from boardkeeper.client.addresses import Address

SECONDS = 1.0
"""How long to wait for a connection."""


def connect(address: Address) -> None:
    """Connect to an address and hang up; raises ``OSError``."""
    if address.host_and_port is None:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(SECONDS)
            probe.connect(address.path)
    else:
        socket.create_connection(address.host_and_port, SECONDS).close()


def unreached(server: str) -> str:
    """Say why a server is not reached: an unknown host, no program that listens, or no answer."""
    address = Address.parse(server)
    try:
        connect(address)
    except socket.gaierror:
        host = address.host_and_port[0] if address.host_and_port else address.path
        return f"the host name {host!r} is unknown"
    except (ConnectionRefusedError, FileNotFoundError):
        return f"no server is running at {server}"
    except TimeoutError:
        return f"no answer from {server}"
    except OSError as error:
        return f"cannot reach {server}: {error.strerror or error}"
    return f"something listens at {server}, but it does not answer like a Boardkeeper server"
