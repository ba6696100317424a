"""Limit of the connections of one address.

Trusted proxies and clients on a Unix socket have no limit: a proxy serves many clients, whose calls have limits.
"""

from __future__ import annotations

from boardkeeper.service.limits.addresses import SOCKET, Peers


class ConnectionsPerAddress:
    """Counts the connections of each address. ``most`` is the limit, or ``None``."""

    def __init__(self, peers: Peers, most: int | None) -> None:
        self._peers = peers
        self._most = most
        self._open: dict[str, int] = {}

    def address(self, peer: str) -> str | None:
        """Return the address that a connection is counted for, or ``None``. ``peer`` is gRPC's name of the peer."""
        if self._most is None:
            return None
        address = self._peers.untrusted_address(peer)
        return None if address == SOCKET else address

    def enter(self, address: str | None) -> bool:
        """Count a new connection; return false if the address has too many."""
        if address is None or self._most is None:
            return True
        number = self._open.get(address, 0)
        if number >= self._most:
            return False
        self._open[address] = number + 1
        return True

    def leave(self, address: str | None) -> None:
        """Count the end of a connection."""
        if address is None:
            return
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]
