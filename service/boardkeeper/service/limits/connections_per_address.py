"""How many connections one address may have, so that nobody takes all that there are.

Proxies that are trusted have as many as they need, for they come for many: whom they come for is limited call by call.
So does what runs on this machine and comes over a socket.
"""

from __future__ import annotations

from boardkeeper.service.limits.addresses import SOCKET, Peers


class ConnectionsPerAddress:
    """Counts the connections of each address. ``most`` is how many it may have, ``None`` where that is not limited."""

    def __init__(self, peers: Peers, most: int | None) -> None:
        self._peers = peers
        self._most = most
        self._open: dict[str, int] = {}

    def address(self, peer: str) -> str | None:
        """The address for which a connection counts, of gRPC's name for the peer; ``None``: for nobody's."""
        if self._most is None:
            return None
        address = self._peers.stranger(peer)
        return None if address == SOCKET else address

    def enter(self, address: str | None) -> bool:
        """Count one more of an address, unless it has as many as it may."""
        if address is None or self._most is None:
            return True
        number = self._open.get(address, 0)
        if number >= self._most:
            return False
        self._open[address] = number + 1
        return True

    def leave(self, address: str | None) -> None:
        """Count one less of an address."""
        if address is None:
            return
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]
