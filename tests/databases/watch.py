"""A PostgreSQL for tests, for as long as whoever started this program lives; run as a program of its own.

    python watch.py [--standby-of FOLDER] FOLDER [SETTING=VALUE ...]

Makes a cluster in the folder, or a standby of the server in another one, starts a server on a socket in it, says
``ready`` and waits until its input ends, as it does however the other process ends; then the folder is removed. A line
``stop``, ``shut_down``, ``kill``, ``start``, ``freeze`` or ``thaw`` of input does that to the server, and is answered
with ``done``; ``look`` is answered with ``runs`` or ``ended``.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import embedded_postgresql
from embedded_postgresql import CLUSTER, USER, CannotStartError

_PROGRAMS = embedded_postgresql.programs()


class Server:
    """One cluster and its server."""

    def __init__(self, folder: Path, settings: list[str], primary: Path | None) -> None:
        self._folder = folder
        self._data = folder / "data"
        self._settings = settings
        self._primary = primary
        self._process: subprocess.Popen[bytes] | None = None
        self._user = embedded_postgresql.unprivileged_user()
        embedded_postgresql.give(folder, self._user)

    def make(self) -> None:
        """Make the cluster."""
        command: list[str | Path] = ["-D", self._data, "--no-sync"]
        if self._primary is None:
            command = [_PROGRAMS / "initdb", *command, *CLUSTER]
        else:
            primary = ("-U", USER, "-h", self._primary)
            command = [_PROGRAMS / "pg_basebackup", *command, *primary, "-R", "--checkpoint=fast"]
        subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/", **self._user)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        command = embedded_postgresql.server_command(self._data, self._folder)
        for setting in self._settings:
            command += ["-c", setting]
        path = self._folder / "log"
        with path.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **self._user)
        try:
            embedded_postgresql.wait_until_ready(self._process, self._folder, path)
        except CannotStartError as error:
            raise RuntimeError(path.read_text()) from error

    def stop(self) -> None:
        """End the server at once, as if the power had gone."""
        if self._process is not None:
            self.thaw()
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()

    def look(self) -> str:
        """Return whether the server runs."""
        return "runs" if self._process is not None and self._process.poll() is None else "ended"

    def shut_down(self) -> None:
        """Shut the server down: transactions are rolled back and connections closed."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()

    def kill(self) -> None:
        """Kill the server's first process, and wait until the others have noticed it and ended."""
        assert self._process is not None
        children = list(self._children())
        self._process.kill()
        self._process.wait()
        while any(Path(f"/proc/{child}").exists() for child in children):
            time.sleep(0.01)

    def freeze(self) -> None:
        """Have all of it stand still, the server first, which then makes no more processes."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        self._tell(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        assert self._process is not None
        if self._process.poll() is None:
            self._tell(signal.SIGCONT)
            self._process.send_signal(signal.SIGCONT)

    def _tell(self, what: signal.Signals) -> None:
        """Each of the server's processes."""
        for child in self._children():
            with contextlib.suppress(OSError):
                os.kill(child, what)

    def _children(self) -> Iterator[int]:
        """The ids of the processes that the server's first process has started."""
        assert self._process is not None
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if int(stat.read_text().rpartition(")")[2].split()[1]) == self._process.pid:
                    yield int(stat.parent.name)


def main(folder: Path, settings: list[str], primary: Path | None) -> None:
    """Until the input ends."""
    server = Server(folder, settings, primary)
    try:
        server.make()
        server.start()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        for line in sys.stdin:
            said = getattr(server, line.strip())()
            sys.stdout.write(f"{said or 'done'}\n")
            sys.stdout.flush()
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("--standby-of", type=Path)
    words.add_argument("folder", type=Path)
    words.add_argument("settings", nargs="*")
    given = words.parse_args()
    main(given.folder, given.settings, given.standby_of)
