"""HTTP proxies, which gRPC reads from environment variables without mentioning them in its errors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network

from boardkeeper.client.addresses import Address

PROXY_VARIABLES = ("grpc_proxy", "https_proxy", "http_proxy")
"""The variables that gRPC reads. It uses the first one that is set, for encrypted and unencrypted connections."""

_NO_PROXY_VARIABLES = ("no_grpc_proxy", "no_proxy")
_WITHOUT_PROXY = (("grpc.enable_http_proxy", 0),)


def proxy_options(address: Address) -> Sequence[tuple[str, int]]:
    """Return channel options that disable the proxy for loopback addresses, which a proxy cannot reach."""
    return _WITHOUT_PROXY if is_loopback(address) else ()


def proxy_variable(address: Address) -> str:
    """Return the variable that makes gRPC call an address through a proxy; empty if it connects directly."""
    name = _first_set(PROXY_VARIABLES)
    if (
        address.host_and_port is None
        or is_loopback(address)
        or not os.environ.get(name, "").lower().startswith("http://")
    ):
        return ""
    host = address.host_and_port[0]
    exclusions = os.environ.get(_first_set(_NO_PROXY_VARIABLES), "").split(",")
    return "" if any(_is_excluded(host, entry.strip()) for entry in exclusions) else name


def proxy_hint(address: Address) -> str:
    """Return advice for an address that does not respond; empty if no proxy is involved."""
    name = proxy_variable(address)
    if not name or address.host_and_port is None:
        return ""
    host = address.host_and_port[0]
    return f"the variable {name} sends this call through a proxy; to call directly, set no_proxy={host}"


def is_loopback(address: Address) -> bool:
    """Return whether an address is always this machine: localhost, a loopback address, 0.0.0.0 or ::."""
    if address.host_and_port is None:
        return False
    host = address.host_and_port[0].lower().removesuffix(".")
    if host == "localhost":
        return True
    try:
        ip = ip_address(host)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return ip.is_loopback or ip.is_unspecified


def _first_set(names: Sequence[str]) -> str:
    return next((name for name in names if name in os.environ), "")


def _is_excluded(host: str, entry: str) -> bool:
    """Return whether an entry of ``no_proxy`` matches a host. It is a suffix of a host name, or an IP network."""
    if not entry:
        return False
    try:
        return ip_address(host) in ip_network(entry, strict=False)
    except ValueError:
        return host.lower().endswith(entry.lower())
