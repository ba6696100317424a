"""The folder of a film: the parameters of the film, and the frames that are already drawn.

The file ``film.part`` has JSON lines: first the parameters of the film, then a line with a digest for each saved frame.
A frame is complete if its file matches the digest. Partly written frames are drawn again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from boardkeeper.terminal import record_files
from boardkeeper.terminal.errors import CommandError

PROGRESS_FILE = "film.part"


class FilmFolder:
    """The folder of a film that may be unfinished."""

    def __init__(self, folder: Path, parameters: Mapping[str, Any], digests: Mapping[str, str]) -> None:
        self._folder = folder
        self.parameters = parameters
        """The parameters on which the frames depend; empty for a new film."""
        self._digests = dict(digests)

    @classmethod
    def open(cls, name: str) -> Self:
        """Open or create a folder. Raises :class:`CommandError` if it contains anything but a film."""
        folder = Path(name)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            others = {path.name for path in folder.iterdir()} - {PROGRESS_FILE}
            parameters, *saved = _lines(folder / PROGRESS_FILE) or [{}]
        except OSError as error:
            raise CommandError(f"cannot use the folder {name}: {error.strerror}.") from error
        if others and not parameters:
            raise CommandError(f"{name} is not empty: choose a new or empty folder.")
        return cls(folder, parameters, {str(line.get("file")): str(line.get("sha256")) for line in saved})

    def begin(self, parameters: Mapping[str, Any], *, private: bool) -> None:
        """Save the parameters of a new film, or compare them with the unfinished film. Raises :class:`CommandError`."""
        if not self.parameters:
            record_files.save(_line(parameters), str(self._folder / PROGRESS_FILE), private=private)
            self.parameters = parameters
            return
        different = [name for name in parameters if parameters[name] != self.parameters.get(name)]
        if different:
            raise CommandError(
                f"{self._folder} contains another unfinished film (different: {', '.join(different)}). To continue it,"
                " use the same game and flags; otherwise choose another folder."
            )

    def has(self, name: str) -> bool:
        """Return whether a frame is saved completely."""
        try:
            return name in self._digests and _digest((self._folder / name).read_bytes()) == self._digests[name]
        except OSError:
            return False

    def save(self, name: str, content: bytes, *, private: bool) -> None:
        """Save a frame and its digest. Raises :class:`CommandError`."""
        record_files.save(content, str(self._folder / name), private=private)
        self._digests[name] = _digest(content)
        try:
            with (self._folder / PROGRESS_FILE).open("ab") as stream:
                # The line before may be incomplete.
                stream.write(b"\n" + _line({"file": name, "sha256": self._digests[name]}))
        except OSError as error:
            raise CommandError(f"cannot write {self._folder / PROGRESS_FILE}: {error.strerror}.") from error

    def remove_progress(self) -> None:
        """Remove the file with the parameters, and temporary files of killed processes."""
        for left in (self._folder / PROGRESS_FILE, *self._folder.glob("f*.*.*.part")):
            left.unlink(missing_ok=True)


def _lines(path: Path) -> list[dict[str, Any]]:
    """Return all complete lines of ``film.part``. Empty if the first line, which has the parameters, is incomplete."""
    if not path.is_file():
        return []
    found: list[dict[str, Any]] = []
    for line in path.read_bytes().splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            if line and not found:
                return []
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
