"""Webhooks are sent only to public addresses, also if the addresses of a name change."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.certificates import Authority
from tests.service.receivers import run_receiver

from boardkeeper.service.webhooks.addresses import AddressError, check_url, is_public
from boardkeeper.service.webhooks.sender import NotSentError, Sender

pytestmark = pytest.mark.socket


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1",
        "192.0.2.1", "198.18.0.1", "203.0.113.7", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
        "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::a00:1",
        "2002:7f00:1::", "2002:a00:1::1", "2001:0:7f00:1::", "nonsense", "",
    ],
)  # fmt: skip
def test_private_addresses(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https:///x", "https://a@example.org/",
        "https://example.org:0/", "https://example.org:99999/", "https://example.org/#x", "https://example.org/ x",
        "https://exämple.org/", "https://10.0.0.1/", "https://[fe80::1]/", "https://[::ffff:127.0.0.1]/",
        "https://example.org/" + "x" * 2000, "//example.org", "",
    ],
)  # fmt: skip
def test_invalid_urls_are_rejected(url: str) -> None:
    with pytest.raises(AddressError):
        check_url(url, insecure=False)


def test_accepted_urls() -> None:
    for url in ("https://example.org", "https://example.org:8443/hook?x=1", "https://[2606:4700::1111]/"):
        check_url(url, insecure=False)
    check_url("http://127.0.0.1:8080/", insecure=True)


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], []])
async def test_nothing_is_sent_if_one_address_of_a_name_is_private(addresses: list[str]) -> None:
    async with run_receiver() as receiver:
        sender = Sender(lookup=lambda _host, _port: addresses, trusted=ssl.create_default_context())
        with pytest.raises(NotSentError):
            await sender.send(f"https://hooks.example:{receiver.port}/", [], b"{}")
        await sender.close()
        assert not receiver.received


async def test_a_name_is_looked_up_once_per_connection_and_the_checked_address_is_used(tmp_path: Path) -> None:
    """TLS and the host header still use the name. The second result of the lookup is never used."""
    authority = Authority(tmp_path, "ours")
    certificate, key = authority.sign("hooks.example")
    ours = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ours.load_cert_chain(certificate, key)
    trusted = ssl.create_default_context(cafile=authority.file)
    lookups: list[tuple[str, int]] = []

    def lookup(host: str, port: int) -> Sequence[str]:
        lookups.append((host, port))
        return ["127.0.0.1"] if len(lookups) == 1 else ["127.0.0.2"]

    async with run_receiver(ours) as receiver:
        sender = Sender(insecure=True, lookup=lookup, trusted=trusted)
        for _ in range(2):
            answer = await sender.send(f"https://hooks.example:{receiver.port}/x", [], b"{}")
            assert answer.status == 200
        assert lookups == [("hooks.example", receiver.port)], "the second message used the same connection"
        assert {message.headers["host"] for message in receiver.received} == {f"hooks.example:{receiver.port}"}
        with pytest.raises(NotSentError):
            await sender.send(f"https://other.example:{receiver.port}/x", [], b"{}")
        await sender.close()


async def test_an_endpoint_that_does_not_answer_times_out() -> None:
    async with run_receiver() as receiver:

        async def never() -> str:
            await asyncio.Event().wait()
            return ""

        receiver.answer = lambda _: never()
        sender = Sender(insecure=True, trusted=ssl.create_default_context(), seconds=0.2)
        with pytest.raises(NotSentError, match="no answer within"):
            await sender.send(receiver.url, [], b"{}")
        await sender.close()


async def test_an_endless_response_times_out() -> None:
    async with run_receiver() as receiver:
        receiver.answer = lambda _: "200 OK\r\nx-more: " + "x" * 10 + "\r\ncontent-length: 100000000\r\nx: y"
        sender = Sender(insecure=True, trusted=ssl.create_default_context(), seconds=0.5)
        with pytest.raises(NotSentError):
            await sender.send(receiver.url, [], b"{}")
        await sender.close()
