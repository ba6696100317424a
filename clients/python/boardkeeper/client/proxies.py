"""HTTP proxies: gRPC reads them from variables of the environment, and its errors do not say so."""

from __future__ import annotations

import os
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network

from boardkeeper.client.addresses import Address

PROXY_VARIABLES = ("grpc_proxy", "https_proxy", "http_proxy")
"""The variables that gRPC reads; it takes the first that is set, whether or not the connection is encrypted."""

_EXCEPTION_VARIABLES = ("no_grpc_proxy", "no_proxy")
_WITHOUT_PROXY = (("grpc.enable_http_proxy", 0),)


def proxy_options(address: Address) -> Sequence[tuple[str, int]]:
    """Return the channel options for an address: a proxy cannot reach a service on the loopback of this machine."""
    return _WITHOUT_PROXY if is_loopback(address) else ()


def proxy_variable(address: Address) -> str:
    """Return the variable by which gRPC calls an address through a proxy; empty if it connects directly."""
    name = _first_set(PROXY_VARIABLES)
    if address.endpoint is None or is_loopback(address) or not os.environ.get(name, "").lower().startswith("http://"):
        return ""
    host = address.endpoint[0]
    exceptions = os.environ.get(_first_set(_EXCEPTION_VARIABLES), "").split(",")
    return "" if any(_is_exception(host, entry.strip()) for entry in exceptions) else name


def proxy_hint(address: Address) -> str:
    """Return what to check in the environment if an address does not answer; empty if no proxy is involved."""
    name = proxy_variable(address)
    if not name or address.endpoint is None:
        return ""
    return f"the variable {name} sends this call through a proxy; to call directly, set no_proxy={address.endpoint[0]}"


def is_loopback(address: Address) -> bool:
    """Return whether an address is always this machine: localhost, a loopback address, or 0.0.0.0 and ::."""
    if address.endpoint is None:
        return False
    host = address.endpoint[0].lower().removesuffix(".")
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


def _is_exception(host: str, entry: str) -> bool:
    """Return whether an entry of ``no_proxy`` covers a host, by gRPC's rules: a suffix of the name, or a network."""
    if not entry:
        return False
    try:
        return ip_address(host) in ip_network(entry, strict=False)
    except ValueError:
        return host.lower().endswith(entry.lower())
