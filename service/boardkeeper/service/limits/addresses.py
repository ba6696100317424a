"""From where a call comes: the peer's address, or what a proxy that is trusted says of it.

IPv6 counts by /64, which is the least that one subscriber has: whoever has one has all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import unquote

from boardkeeper.service.errors import SettingError

FORWARDED = "x-forwarded-for"
"""The metadata in which proxies say for whom they ask; the last one is what the nearest proxy says."""

SOCKET = "unix"
"""What callers on a Unix socket are called, in the setting ``trusted_proxies`` too."""

_UNKNOWN = "unknown"
_V6_PREFIX = 64
_MOST_HOPS = 16

Network = IPv4Network | IPv6Network


class Peers:
    """Tells addresses of callers; ``trusted`` are proxies, as networks, of which what they say is believed."""

    def __init__(self, trusted: str) -> None:
        """``trusted`` is a list with commas; raises :class:`SettingError`."""
        names = trusted.replace(",", " ").split()
        self._trusts_socket = SOCKET in names
        self._networks = [_network(name) for name in names if name != SOCKET]
        self.trusts_any = bool(names)
        self._peer = lru_cache(maxsize=4096)(self._look_at)

    def address(self, peer: str, forwarded: Sequence[str]) -> str:
        """The address that counts, of gRPC's name for a peer and what the call has as ``x-forwarded-for``."""
        address, is_trusted = self._peer(peer)
        if not (is_trusted and forwarded):
            return address
        hops = ",".join(forwarded).split(",")
        # From the nearest on: each is believed that was told by one who is.
        for hop in reversed(hops[-_MOST_HOPS:]):
            address, is_trusted = self._of_host(_without_port(hop.strip()))
            if not is_trusted:
                break
        return address

    def stranger(self, peer: str) -> str | None:
        """The address of a peer by gRPC's name for it; ``None`` for a proxy that is trusted."""
        address, is_trusted = self._peer(peer)
        return None if is_trusted else address

    def _look_at(self, peer: str) -> tuple[str, bool]:
        kind, _, rest = peer.partition(":")
        if kind == SOCKET:
            return SOCKET, self._trusts_socket
        return self._of_host(_without_port(unquote(rest)))

    def _of_host(self, host: str) -> tuple[str, bool]:
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
    """The host of what may have a port behind it, and brackets around it."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    host, separator, _ = text.rpartition(":")
    return host if separator and ":" not in host else text
