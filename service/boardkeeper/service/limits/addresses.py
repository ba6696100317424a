"""The address of a client: that of the peer, or the one that a trusted proxy reports.

IPv6 addresses are grouped by /64, the smallest network that a subscriber gets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import unquote

from boardkeeper.service.errors import SettingError

FORWARDED = "x-forwarded-for"
"""The metadata in which proxies report their clients; the nearest proxy adds the last value."""

SOCKET = "unix"
"""The address of clients on a Unix socket, also in the setting ``trusted_proxies``."""

_UNKNOWN = "unknown"
_V6_PREFIX = 64
_MAX_HOPS = 16

Network = IPv4Network | IPv6Network


class Peers:
    """Finds the addresses of clients."""

    def __init__(self, trusted: str) -> None:
        """``trusted`` is a comma-separated list of networks of trusted proxies. Raises :class:`SettingError`."""
        names = trusted.replace(",", " ").split()
        self._trusts_socket = SOCKET in names
        self._networks = [_network(name) for name in names if name != SOCKET]
        self.trusts_any = bool(names)
        self._cached_peer = lru_cache(maxsize=4096)(self._parse_peer)

    def address(self, peer: str, forwarded: Sequence[str]) -> str:
        """Return a client's address, from gRPC's name of the peer and the ``x-forwarded-for`` values."""
        address, is_trusted = self._cached_peer(peer)
        if not (is_trusted and forwarded):
            return address
        hops = ",".join(forwarded).split(",")
        # Begin with the nearest hop: a trusted hop reports the one before it.
        for hop in reversed(hops[-_MAX_HOPS:]):
            address, is_trusted = self._parse_host(_without_port(hop.strip()))
            if not is_trusted:
                break
        return address

    def untrusted_address(self, peer: str) -> str | None:
        """Return the address of a peer, or ``None`` for a trusted proxy."""
        address, is_trusted = self._cached_peer(peer)
        return None if is_trusted else address

    def _parse_peer(self, peer: str) -> tuple[str, bool]:
        kind, _, rest = peer.partition(":")
        if kind == SOCKET:
            return SOCKET, self._trusts_socket
        return self._parse_host(_without_port(unquote(rest)))

    def _parse_host(self, host: str) -> tuple[str, bool]:
        try:
            address = ip_address(host.partition("%")[0])
        except ValueError:
            return _UNKNOWN, False
        if isinstance(address, IPv6Address):
            if address.ipv4_mapped is not None:
                address = address.ipv4_mapped
            else:
                network = IPv6Network((int(address) >> 64 << 64, _V6_PREFIX))
                return str(network), self._is_trusted(address)
        return str(address), self._is_trusted(address)

    def _is_trusted(self, address: object) -> bool:
        return any(address in network for network in self._networks)


def _network(name: str) -> Network:
    try:
        return ip_network(name, strict=False)
    except ValueError:
        raise SettingError(
            f"trusted_proxies: {name!r} is not an address or network:"
            " write for example 10.0.0.1, 10.0.0.0/8, fd00::/8 or unix"
        ) from None


def _without_port(text: str) -> str:
    """Return the host without port and brackets."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    host, separator, _ = text.rpartition(":")
    return host if separator and ":" not in host else text
