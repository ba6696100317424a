"""A program that runs a PostgreSQL server for tests until its parent process ends.

    python watch.py [--standby-of FOLDER] FOLDER [SETTING=VALUE ...]

It creates a cluster in the folder, or a standby of the server in another folder, starts a server on a socket in it,
prints ``ready`` and waits for the end of its input, which also comes if the parent is killed; then it removes the
folder. Each line of input is a command: ``stop``, ``shut_down``, ``kill``, ``start``, ``freeze`` or ``thaw``, answered
with ``done``, or ``status``, answered with ``runs`` or ``ended``.
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
        embedded_postgresql.change_owner(folder, self._user)

    def create(self) -> None:
        """Create the cluster."""
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
        """End the server immediately, as in a power failure."""
        if self._process is not None:
            self.thaw()
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()

    def status(self) -> str:
        """Return whether the server runs."""
        return "runs" if self._process is not None and self._process.poll() is None else "ended"

    def shut_down(self) -> None:
        """Shut the server down: transactions are rolled back and connections closed."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()

    def kill(self) -> None:
        """Kill the server's main process, and wait until the others have noticed it and ended."""
        assert self._process is not None
        children = list(self._children())
        self._process.kill()
        self._process.wait()
        while any(Path(f"/proc/{child}").exists() for child in children):
            time.sleep(0.01)

    def freeze(self) -> None:
        """Suspend all processes; the main process first, so that it starts no more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        self._signal_children(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume all processes."""
        assert self._process is not None
        if self._process.poll() is None:
            self._signal_children(signal.SIGCONT)
            self._process.send_signal(signal.SIGCONT)

    def _signal_children(self, number: signal.Signals) -> None:
        for child in self._children():
            with contextlib.suppress(OSError):
                os.kill(child, number)

    def _children(self) -> Iterator[int]:
        """Yield the ids of the processes that the main process has started."""
        assert self._process is not None
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if int(stat.read_text().rpartition(")")[2].split()[1]) == self._process.pid:
                    yield int(stat.parent.name)


def main(folder: Path, settings: list[str], primary: Path | None) -> None:
    """Run the server until the input ends."""
    server = Server(folder, settings, primary)
    try:
        server.create()
        server.start()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        for line in sys.stdin:
            result = getattr(server, line.strip())()
            sys.stdout.write(f"{result or 'done'}\n")
            sys.stdout.flush()
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--standby-of", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("settings", nargs="*")
    arguments = parser.parse_args()
    main(arguments.folder, arguments.settings, arguments.standby_of)
