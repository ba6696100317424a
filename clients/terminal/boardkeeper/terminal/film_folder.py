"""A film that is not finished: which one it is, and which of its frames are there, so that it can go on.

It is written beside the frames, a line of JSON each: the film first, then every frame once it is saved. A frame counts
if its file has the very bytes of its line, so one that was half written when the power failed does not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from boardkeeper.terminal import record_files
from boardkeeper.terminal.output import CommandError

BEGUN = "film.part"


class BegunFilm:
    """What of a film lies in a folder."""

    def __init__(self, folder: Path, film: Mapping[str, Any], digests: Mapping[str, str]) -> None:
        self._folder = folder
        self.film = film
        """What the frames depend on; empty where nothing has begun."""
        self._digests = dict(digests)

    @classmethod
    def at(cls, name: str) -> Self:
        """Of a folder, which is made if it is not there. Raises :class:`CommandError` where something else lies in it.

        Only in an empty folder a film begins, lest frames of two films lie in it.
        """
        folder = Path(name)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            others = {path.name for path in folder.iterdir()} - {BEGUN}
            film, *saved = _lines(folder / BEGUN) or [{}]
        except OSError as error:
            raise CommandError(f"cannot use the folder {name}: {error.strerror}.") from error
        if others and not film:
            raise CommandError(f"{name} is not empty: choose a new or empty folder.")
        return cls(folder, film, {str(line.get("file")): str(line.get("sha256")) for line in saved})

    def begin(self, film: Mapping[str, Any], *, private: bool) -> None:
        """Note which film it is, or see that it is the one that has begun; raises :class:`CommandError`."""
        if not self.film:
            record_files.save(_line(film), str(self._folder / BEGUN), private=private)
            self.film = film
            return
        differs = [name for name in film if film[name] != self.film.get(name)]
        if differs:
            raise CommandError(
                f"{self._folder} contains another unfinished film (different: {', '.join(differs)}). To continue it,"
                " use the same game and flags; otherwise choose another folder."
            )

    def has(self, name: str) -> bool:
        """Whether a frame is there, whole."""
        try:
            return name in self._digests and _digest((self._folder / name).read_bytes()) == self._digests[name]
        except OSError:
            return False

    def save(self, name: str, content: bytes, *, private: bool) -> None:
        """Save a frame, then note it; raises :class:`CommandError`."""
        record_files.save(content, str(self._folder / name), private=private)
        self._digests[name] = _digest(content)
        try:
            with (self._folder / BEGUN).open("ab") as stream:
                # In a line of its own also where the line before was not finished.
                stream.write(b"\n" + _line({"file": name, "sha256": self._digests[name]}))
        except OSError as error:
            raise CommandError(f"cannot write {self._folder / BEGUN}: {error.strerror}.") from error

    def finished(self) -> None:
        """It needs to be known no longer; nor what a process left that was killed while it wrote."""
        for left in (self._folder / BEGUN, *self._folder.glob("f*.*.*.part")):
            left.unlink(missing_ok=True)


def _lines(path: Path) -> list[dict[str, Any]]:
    """All whole lines; none if the first, which names the film, is not one."""
    if not path.is_file():
        return []
    found: list[dict[str, Any]] = []
    for line in path.read_bytes().splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            if line and not found:
                return []
            continue
        if isinstance(told, dict):
            found.append(told)
    return found


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
