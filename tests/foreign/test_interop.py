"""gRPC's own interoperability client, in Go, against a test service behind our guard."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import pytest
from tests.foreign.interop import serving
from tests.foreign.programs import FOLDER, program_of

from boardkeeper.service.transport import framing, grpcio_server

pytestmark = [pytest.mark.socket, pytest.mark.timeout(600)]  # includes the build

CASES = (
    "empty_unary",
    "large_unary",
    "client_streaming",
    "server_streaming",
    "ping_pong",
    "empty_stream",
    "timeout_on_sleeping_server",
    "cancel_after_begin",
    "cancel_after_first_response",
    "status_code_and_message",
    "special_status_message",
    "custom_metadata",
    "unimplemented_method",
    "unimplemented_service",
    "pick_first_unary",
)
"""The cases of the client, without those about Google's credentials and load reports."""


async def test_the_client_accepts_the_server(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (grpcio_server, framing):  # the client sends messages of 272 kB
        monkeypatch.setattr(module, "MAX_REQUEST_BYTES", 1_000_000)
    await asyncio.to_thread(program_of("go").build)
    async with serving(kind, tmp_path) as address:
        host, _, port = address.rpartition(":")
        failed = {}
        for case in CASES:
            client = await asyncio.create_subprocess_exec(
                FOLDER / "go" / "build" / "client", f"--server_host={host}", f"--server_port={port}",
                f"--test_case={case}", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            output, _ = await client.communicate()
            if client.returncode != 0:
                failed[case] = output.decode()
    assert not failed
