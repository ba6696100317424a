"""Servers in separate processes, and their use of CPU and memory."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import grpc

_TICKS = os.sysconf("SC_CLK_TCK")

ECHO = """
import asyncio, sys
import grpc, uvloop

async def main():
    async def echo(request, context):
        return ANSWER
    ANSWER = b"x" * int(sys.argv[1])
    handler = grpc.unary_unary_rpc_method_handler(echo)
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", {"Echo": handler}),))
    server.add_insecure_port(sys.argv[2])
    await server.start()
    await server.wait_for_termination()

uvloop.run(main())
"""
"""A bare ``grpc.aio`` server: it answers every request with the same bytes."""


def free_address() -> str:
    """Return an address on which no server listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def echo_command(answer_bytes: int) -> list[str]:
    """Return the command of an echo, without its address."""
    return [sys.executable, "-c", ECHO, str(answer_bytes)]


def service_command(*flags: str, checkout: Path | None = None, address_flag: str = "--listen") -> list[str]:
    """Return the command of the service of this checkout or of another one, without its address."""
    programs = Path(sys.executable).parent if checkout is None else checkout / ".venv" / "bin"
    return [str(programs / "boardkeeper"), "serve", *flags, address_flag]


def cpu_seconds(process: int | str) -> float:
    """Return the CPU time of a process, user and system."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def machine_seconds() -> float:
    """Return the CPU time of all processes of the machine and of its host."""
    user, nice, system, _idle, _iowait, *interrupts = (
        Path("/proc/stat").read_text("ascii").split("\n", 1)[0].split()[1:]
    )
    return sum(map(int, (user, nice, system, *interrupts[:3]))) / _TICKS


class Server:
    """A process that answers gRPC at :attr:`address`; its log goes to a file in its folder."""

    def __init__(
        self, command: Sequence[str], folder: str | Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self.address = free_address()
        environment = {**os.environ, "BOARDKEEPER_LOG": "json", **(environment or {})}
        with (Path(folder) / "log").open("ab") as log:
            self.process = subprocess.Popen([*command, self.address], cwd=folder, env=environment, stderr=log)
        try:
            with grpc.insecure_channel(self.address) as channel:
                grpc.channel_ready_future(channel).result(timeout=30)
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        return self.process.pid

    def cpu_seconds(self) -> float:
        return cpu_seconds(self.pid)

    def kilobytes(self, field: str = "VmRSS") -> int:
        """Return the resident memory of the process; ``VmHWM`` is its peak since :meth:`reset_peak`."""
        status = Path(f"/proc/{self.pid}/status").read_text("ascii")
        return int(status.partition(f"{field}:")[2].split()[0])

    def reset_peak(self) -> None:
        """Reset the peak of the memory."""
        Path(f"/proc/{self.pid}/clear_refs").write_text("5", "ascii")

    def close(self) -> None:
        """Stop the process; kill it if it does not end in time."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
