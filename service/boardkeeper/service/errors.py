"""Errors that stop the start of the server or a command, with messages for the operator."""

from __future__ import annotations

from pathlib import Path


class StartupError(Exception):
    """The server cannot start; the message is one sentence for the operator that says why."""


def reason(error: OSError) -> str:
    """Return the reason of an error of the operating system, and what to do if a permission is missing."""
    if isinstance(error, PermissionError):
        return f"{error.strerror}. This needs the user who owns the files, normally the server's user"
    return error.strerror or str(error)


class SettingError(StartupError):
    """A setting cannot be used; the message names the setting, its source, and valid values."""


class AlteredError(StartupError):
    """A signed file is damaged, was changed after it was signed, or was signed with a different key."""


class FileInUseError(StartupError):
    """Another process has the database file.

    ``process`` is the id of this process, and ``address`` the address of its server; both are empty if unknown.
    """

    def __init__(self, database: Path, process: str, address: str) -> None:
        self.process = process
        self.address = address
        where = f" at {address}" if address else ""
        super().__init__(
            f"{database} is in use by process {process or 'unknown'}{where}: stop it, or use another file (--db)"
        )
