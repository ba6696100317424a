"""Allowed addresses of webhooks: only public ones, so that webhooks cannot reach the server's own network.

Names are resolved when a connection is made. All addresses of the name are checked and the connection uses a checked
one, so a change of the name in between (DNS rebinding) has no effect.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

MAX_URL_LENGTH = 2000

_TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
"""Networks whose last 32 bits are an IPv4 address that a gateway forwards to (NAT64)."""
_LAST_32 = 0xFFFF_FFFF


class AddressError(ValueError):
    """A URL is not allowed. The platform sees the message."""


def is_public(address: str) -> bool:
    """Return whether an IP address, and any IPv4 address embedded in it, is public."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return all(map(_is_public, _embedded(found)))


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and not address.is_unspecified
        and not (isinstance(address, IPv6Address) and address.is_site_local)
    )


def _embedded(address: IPv4Address | IPv6Address) -> list[IPv4Address | IPv6Address]:
    """Return the address itself, or the addresses embedded in it."""
    if isinstance(address, IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if any(address in network for network in _TRANSLATED) or int(address) >> 32 == 0:
        return [IPv4Address(int(address) & _LAST_32)]
    if address.sixtofour is not None:
        return [address.sixtofour]
    if address.teredo is not None:
        return [address, *address.teredo]
    return [address]


def check_url(url: str, *, insecure: bool) -> None:
    """Raise :class:`AddressError` for a URL that is not allowed. ``insecure`` allows ``http://`` and any address."""
    if len(url) > MAX_URL_LENGTH or not url.isascii() or not url.isprintable() or " " in url:
        raise AddressError(f"must be a URL of at most {MAX_URL_LENGTH} printable ASCII characters")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise AddressError("must be a URL, as https://example.com/hook") from error
    if parts.scheme not in (("https", "http") if insecure else ("https",)):
        raise AddressError("must begin with https://")
    if not parts.hostname or port == 0:
        raise AddressError("must have a host")
    if parts.username is not None or parts.password is not None:
        raise AddressError("must not contain a user name or a password")
    if parts.fragment:
        raise AddressError("must not have a fragment")
    if not insecure:
        _check_literal(parts.hostname)


def _check_literal(host: str) -> None:
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return  # names are resolved and checked for each connection
    if not is_public(host):
        raise AddressError("must not be a private address")
