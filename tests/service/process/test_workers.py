"""Several workers on one port, and their supervisor."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.waiting import until, wait_until

from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.errors import SettingError, StartupError
from boardkeeper.service.process import supervisor as supervisor_module
from boardkeeper.service.process.parent_process import READY, WorkerLink, notify_manager
from boardkeeper.service.process.supervisor import Supervisor
from boardkeeper.terminal.main import main

ANY = (Endpoint.parse("127.0.0.1:0"),)

WORKER = """
import asyncio, os, signal, sys
from pathlib import Path
from boardkeeper.service.process.parent_process import WorkerLink

async def main(folder, number, address, link):
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    link.watch(stop)
    (folder / f"new-{number}").write_text(address)
    (folder / f"new-{number}").rename(folder / f"{number}.{os.getpid()}")
    link.report_ready()
    (folder / f"ready-{number}").touch()
    await stop.wait()
    (folder / f"{number}.{os.getpid()}").unlink()

folder = Path(sys.argv[1])
if (folder / "broken").exists():
    sys.exit(7)
asyncio.run(main(folder, sys.argv[2], sys.argv[3], WorkerLink.parse(sys.argv[4])))
"""
"""A worker without a server. While it runs, a file has its number and its process."""

SUPERVISOR = """
import asyncio, sys
from tests.service.process.test_workers import ANY, worker_in
from boardkeeper.service.process.supervisor import Supervisor
from pathlib import Path

sys.exit(asyncio.run(Supervisor(2, worker_in(Path(sys.argv[1])), ANY).run()))
"""


def worker_in(folder: Path) -> Callable[[int, Sequence[str], WorkerLink], Sequence[str]]:
    return lambda number, addresses, link: [
        sys.executable, "-c", WORKER, str(folder), str(number), *addresses, str(link),
    ]  # fmt: skip


def alive(folder: Path) -> dict[int, int]:
    """Return the processes of the running workers by their numbers."""
    return {int(number): int(process) for number, process in (it.name.split(".") for it in files(folder))}


def ready(folder: Path) -> set[int]:
    """Return the workers that have reported to their supervisor that they are ready."""
    return {int(it.name.removeprefix("ready-")) for it in folder.glob("ready-*")}


def files(folder: Path) -> list[Path]:
    return list(folder.glob("[0-9]*.*"))


async def stop(supervisor: Supervisor, running: asyncio.Task[int]) -> int:
    supervisor._stop()
    return await running


async def test_all_workers_have_the_same_address(tmp_path: Path) -> None:
    supervisor = Supervisor(3, worker_in(tmp_path), ANY)
    running = asyncio.create_task(supervisor.run())
    await until(lambda: sorted(alive(tmp_path)) == [1, 2, 3])
    addresses = {file.read_text() for file in files(tmp_path)}
    assert len(addresses) == 1
    host, _, port = addresses.pop().partition(":")
    assert host == "127.0.0.1"
    assert int(port) > 0
    assert await stop(supervisor, running) == 0
    assert alive(tmp_path) == {}


async def test_a_worker_that_dies_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor_module, "_MIN_WAIT", 0.0)
    supervisor = Supervisor(2, worker_in(tmp_path), ANY)
    running = asyncio.create_task(supervisor.run())
    await until(lambda: sorted(alive(tmp_path)) == [1, 2])
    before = alive(tmp_path)
    os.kill(before[2], signal.SIGKILL)
    (tmp_path / f"2.{before[2]}").unlink()
    await until(lambda: sorted(alive(tmp_path)) == [1, 2])
    after = alive(tmp_path)
    assert after[1] == before[1]
    assert after[2] != before[2]
    assert await stop(supervisor, running) == 0


async def test_if_the_first_worker_cannot_start_no_other_is_started(tmp_path: Path) -> None:
    (tmp_path / "broken").touch()
    supervisor = Supervisor(3, worker_in(tmp_path), ANY)
    assert await supervisor.run() == 7
    assert len(supervisor._processes) == 1


async def test_a_supervisor_that_stops_during_a_restart_delay_starts_no_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor_module, "_MIN_WAIT", 3600.0)
    monkeypatch.setattr(supervisor_module, "_MAX_WAIT", 3600.0)
    supervisor = Supervisor(1, worker_in(tmp_path), ANY)
    running = asyncio.create_task(supervisor.run())
    await until(lambda: ready(tmp_path) == {1})
    (process,) = alive(tmp_path).values()
    os.kill(process, signal.SIGKILL)
    await supervisor._processes[1].wait()
    assert await stop(supervisor, running) == 0
    assert supervisor._processes[1].pid == process


def test_workers_end_when_their_supervisor_is_killed(tmp_path: Path) -> None:
    """A killed supervisor cannot notify its workers."""
    supervisor = subprocess.Popen([sys.executable, "-c", SUPERVISOR, str(tmp_path)], cwd=Path(__file__).parents[3])
    try:
        wait_until(lambda: ready(tmp_path) == {1, 2} or supervisor.poll() is not None)
        assert supervisor.poll() is None
    finally:
        supervisor.kill()
        supervisor.wait()
    wait_until(lambda: not alive(tmp_path))


def test_a_signal_ends_all_workers(tmp_path: Path) -> None:
    supervisor = subprocess.Popen([sys.executable, "-c", SUPERVISOR, str(tmp_path)], cwd=Path(__file__).parents[3])
    try:
        wait_until(lambda: sorted(alive(tmp_path)) == [1, 2] or supervisor.poll() is not None)
        assert supervisor.poll() is None
        supervisor.send_signal(signal.SIGTERM)
        assert supervisor.wait(60) == 0
    finally:
        supervisor.kill()
        supervisor.wait()
    assert alive(tmp_path) == {}


async def test_a_second_signal_ends_workers_that_do_not_end(tmp_path: Path) -> None:
    """Here they are suspended. A disk or database that does not respond has the same effect."""
    supervisor = Supervisor(2, worker_in(tmp_path), ANY)
    running = asyncio.create_task(supervisor.run())
    await until(lambda: sorted(alive(tmp_path)) == [1, 2])
    for process in alive(tmp_path).values():
        os.kill(process, signal.SIGSTOP)
    supervisor._stop()
    assert await stop(supervisor, running) == 0
    assert {worker.returncode for worker in supervisor._processes.values()} == {-signal.SIGKILL}


async def test_the_service_manager_is_notified_when_all_workers_serve_and_when_they_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "manager"))
        manager.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "manager"))
        loop = asyncio.get_running_loop()
        supervisor = Supervisor(2, worker_in(tmp_path), ANY)
        running = asyncio.create_task(supervisor.run())
        assert await loop.sock_recv(manager, 100) == b"READY=1"
        assert sorted(alive(tmp_path)) == [1, 2]
        assert await stop(supervisor, running) == 0
        assert await loop.sock_recv(manager, 100) == b"STOPPING=1"


def test_without_a_service_manager_nothing_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for where in ("", "vsock:2:1", str(tmp_path / "none")):
        monkeypatch.setenv("NOTIFY_SOCKET", where)
        notify_manager(READY)


async def test_a_port_of_another_process_is_not_shared(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(StartupError, match=f"cannot listen on 127.0.0.1:{port}: the port is in use"):
            await Supervisor(2, worker_in(tmp_path), (Endpoint.parse(f"127.0.0.1:{port}"),)).run()


async def test_workers_cannot_share_a_unix_socket(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="cannot share"):
        await Supervisor(2, worker_in(tmp_path), (Endpoint.parse(f"unix:{tmp_path}/socket"),)).run()


def test_workers_cannot_share_a_sqlite_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--db", str(tmp_path / "games.db"), "--workers", "2"]) == 1
    assert "PostgreSQL" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
