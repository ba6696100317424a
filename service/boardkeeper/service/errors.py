"""Failures that are meant for people: what stops a service from starting."""

from __future__ import annotations

from pathlib import Path


class StartupError(Exception):
    """The service cannot start; the message tells the person at the terminal why, in one sentence."""


class SettingError(StartupError):
    """A setting cannot be used; the message names it, where it was given, and what would be right."""


class FileInUseError(StartupError):
    """Another process has the database file.

    ``process`` is its id and ``address`` where it serves the file; each is empty as long as that is not known.
    """

    def __init__(self, database: Path, process: str, address: str) -> None:
        self.process = process
        self.address = address
        where = f" at {address}" if address else ""
        super().__init__(
            f"{database} is already served by process {process or 'unknown'}{where}: stop it or use another file (--db)"
        )
