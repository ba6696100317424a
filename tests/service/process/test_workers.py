"""Several workers at one port, and the process that looks after them."""

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
from boardkeeper.service.process import supervisor as keeping
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
    (folder / f"told-{number}").touch()
    await stop.wait()
    (folder / f"{number}.{os.getpid()}").unlink()

folder = Path(sys.argv[1])
if (folder / "broken").exists():
    sys.exit(7)
asyncio.run(main(folder, sys.argv[2], sys.argv[3], WorkerLink.parse(sys.argv[4])))
"""
"""A worker that serves nothing; while it lives there is a file with its number and its process."""

KEEPER = """
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
    """The workers that are there: their processes by their numbers."""
    return {int(number): int(process) for number, process in (it.name.split(".") for it in files(folder))}


def ready(folder: Path) -> set[int]:
    """The workers that have told their keeper that they serve: they are there a moment before."""
    return {int(it.name.removeprefix("told-")) for it in folder.glob("told-*")}


def files(folder: Path) -> list[Path]:
    return list(folder.glob("[0-9]*.*"))


async def ended(keeper: Supervisor, running: asyncio.Task[int]) -> int:
    keeper._stop()
    return await running


async def test_each_worker_is_given_the_same_address(tmp_path: Path) -> None:
    keeper = Supervisor(3, worker_in(tmp_path), ANY)
    running = asyncio.create_task(keeper.run())
    await until(lambda: sorted(alive(tmp_path)) == [1, 2, 3])
    addresses = {file.read_text() for file in files(tmp_path)}
    assert len(addresses) == 1
    host, _, port = addresses.pop().partition(":")
    assert host == "127.0.0.1"
    assert int(port) > 0
    assert await ended(keeper, running) == 0
    assert alive(tmp_path) == {}


async def test_a_worker_that_dies_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "_SHORTEST_WAIT", 0.0)
    keeper = Supervisor(2, worker_in(tmp_path), ANY)
    running = asyncio.create_task(keeper.run())
    await until(lambda: sorted(alive(tmp_path)) == [1, 2])
    before = alive(tmp_path)
    os.kill(before[2], signal.SIGKILL)
    (tmp_path / f"2.{before[2]}").unlink()
    await until(lambda: sorted(alive(tmp_path)) == [1, 2])
    after = alive(tmp_path)
    assert after[1] == before[1]
    assert after[2] != before[2]
    assert await ended(keeper, running) == 0


async def test_where_the_first_cannot_start_no_other_is_tried(tmp_path: Path) -> None:
    (tmp_path / "broken").touch()
    keeper = Supervisor(3, worker_in(tmp_path), ANY)
    assert await keeper.run() == 7
    assert len(keeper._processes) == 1


async def test_who_is_stopped_while_it_waits_to_start_one_again_starts_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_SHORTEST_WAIT", 3600.0)
    monkeypatch.setattr(keeping, "_LONGEST_WAIT", 3600.0)
    keeper = Supervisor(1, worker_in(tmp_path), ANY)
    running = asyncio.create_task(keeper.run())
    await until(lambda: ready(tmp_path) == {1})
    (process,) = alive(tmp_path).values()
    os.kill(process, signal.SIGKILL)
    await keeper._processes[1].wait()
    assert await ended(keeper, running) == 0
    assert keeper._processes[1].pid == process


def test_workers_end_with_who_looks_after_them(tmp_path: Path) -> None:
    """Killed, it can tell nobody."""
    keeper = subprocess.Popen([sys.executable, "-c", KEEPER, str(tmp_path)], cwd=Path(__file__).parents[3])
    try:
        wait_until(lambda: ready(tmp_path) == {1, 2} or keeper.poll() is not None)
        assert keeper.poll() is None
    finally:
        keeper.kill()
        keeper.wait()
    wait_until(lambda: not alive(tmp_path))


def test_a_signal_ends_them_all(tmp_path: Path) -> None:
    keeper = subprocess.Popen([sys.executable, "-c", KEEPER, str(tmp_path)], cwd=Path(__file__).parents[3])
    try:
        wait_until(lambda: sorted(alive(tmp_path)) == [1, 2] or keeper.poll() is not None)
        assert keeper.poll() is None
        keeper.send_signal(signal.SIGTERM)
        assert keeper.wait(60) == 0
    finally:
        keeper.kill()
        keeper.wait()
    assert alive(tmp_path) == {}


async def test_a_second_signal_ends_workers_that_do_not_end(tmp_path: Path) -> None:
    """They stand still here; a disk or a database that says nothing does the same to them."""
    keeper = Supervisor(2, worker_in(tmp_path), ANY)
    running = asyncio.create_task(keeper.run())
    await until(lambda: sorted(alive(tmp_path)) == [1, 2])
    for process in alive(tmp_path).values():
        os.kill(process, signal.SIGSTOP)
    keeper._stop()
    assert await ended(keeper, running) == 0
    assert {worker.returncode for worker in keeper._processes.values()} == {-signal.SIGKILL}


async def test_the_manager_is_told_when_all_of_them_serve_and_when_they_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "manager"))
        manager.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "manager"))
        loop = asyncio.get_running_loop()
        keeper = Supervisor(2, worker_in(tmp_path), ANY)
        running = asyncio.create_task(keeper.run())
        assert await loop.sock_recv(manager, 100) == b"READY=1"
        assert sorted(alive(tmp_path)) == [1, 2]
        assert await ended(keeper, running) == 0
        assert await loop.sock_recv(manager, 100) == b"STOPPING=1"


def test_where_there_is_no_manager_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for where in ("", "vsock:2:1", str(tmp_path / "none")):
        monkeypatch.setenv("NOTIFY_SOCKET", where)
        notify_manager(READY)


async def test_a_port_that_somebody_has_is_not_shared_with_him(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(StartupError, match=f"cannot listen on 127.0.0.1:{port}: the port is in use"):
            await Supervisor(2, worker_in(tmp_path), (Endpoint.parse(f"127.0.0.1:{port}"),)).run()


async def test_a_socket_of_the_file_system_is_for_one(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="cannot share"):
        await Supervisor(2, worker_in(tmp_path), (Endpoint.parse(f"unix:{tmp_path}/socket"),)).run()


def test_a_file_is_for_one_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--db", str(tmp_path / "games.db"), "--workers", "2"]) == 1
    told = capsys.readouterr().err
    assert "PostgreSQL" in told
    assert list(tmp_path.iterdir()) == []
