"""Server processes that can be killed, and disks that can be full."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.relay import Relay
from tests.waiting import SECONDS

_KIB = 1024


class ServerProcess:
    """``boardkeeper serve`` on one database. Clients reach it through ``relay``, whose address never changes."""

    def __init__(self, name: str, database: str, log: Path, *arguments: str) -> None:
        self.name = name
        self.relay = Relay()
        self._log = log
        self._command = [
            *(sys.executable, "-m", "boardkeeper", "serve", "--db", database, "--listen", "127.0.0.1:0"),
            *("--log-format", "json", "--grace-seconds", "1", *arguments),
        ]
        self._process: subprocess.Popen[str] | None = None
        self._reading: threading.Thread | None = None

    def use_database(self, database: str) -> None:
        """Reach the database at another address from the next start."""
        self._command[self._command.index("--db") + 1] = database

    def start(self) -> None:
        """Start the process and wait until it serves."""
        self.begin().wait(SECONDS)
        assert self.relay.target, f"{self.name} does not start:\n{self._log.read_text()[-2_000:]}"

    def begin(self) -> threading.Event:
        """Start the process; return an event that is set when it serves or has ended."""
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        begun = threading.Event()
        self._reading = threading.Thread(target=self._read, args=(self._process, begun), daemon=True)
        self._reading.start()
        return begun

    def kill(self) -> None:
        """Kill the process. Its clients lose their connections."""
        assert self._process is not None
        self._process.kill()
        self._end()

    def terminate(self) -> None:
        """Shut the process down."""
        assert self._process is not None
        self._process.terminate()
        self._end()

    def close(self) -> None:
        """End the process if it runs."""
        if self._process is not None:
            self.kill()
        self.relay.close()

    def _end(self) -> None:
        assert self._process is not None
        assert self._reading is not None
        self._process.wait(SECONDS)
        self._reading.join(SECONDS)
        self.relay.target = ""
        self.relay.cut()
        self._process = None

    def _read(self, process: subprocess.Popen[str], begun: threading.Event) -> None:
        assert process.stdout is not None
        with self._log.open("a") as log, process.stdout:
            for line in process.stdout:
                log.write(line)
                log.flush()
                if line.startswith('{"address"') and (line_values := json.loads(line))["event"] == "listening":
                    self.relay.target = line_values["address"]
                    begun.set()
        begun.set()


class SmallDisk:
    """A file system in memory that can be filled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Use all space that is left."""
        with self._ballast.open("ab", buffering=0) as file:
            for size in (64 * _KIB, 4 * _KIB, _KIB, 1):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError:
                    continue

    def free(self) -> None:
        """Free the space again."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def small_disk(mebibytes: int) -> Iterator[SmallDisk | None]:
    """Mount a disk of this size; ``None`` if this user cannot mount one."""
    folder = Path(tempfile.mkdtemp(prefix="bkdisk-", dir="/tmp"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=755", "tmpfs", str(folder)]
    is_mounted = os.geteuid() == 0 and subprocess.run(mount, check=False, capture_output=True).returncode == 0
    try:
        yield SmallDisk(folder) if is_mounted else None
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


def run(*arguments: str, accept: Sequence[int] = (0,)) -> str:
    """Run a command of ``boardkeeper`` and return its output; its exit status must be one of these."""
    command = [sys.executable, "-m", "boardkeeper", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode in accept, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout
