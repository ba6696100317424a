"""Which seats this person holds: the tokens of games at a terminal, so that a game can be taken up again.

A token is a secret. The book is a file that only its owner can read; tokens never appear on a command line.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from boardkeeper.client.cli.output import CommandError


@dataclass(frozen=True)
class HeldSeat:
    """A seat of a game at some service; ``server`` is empty for a game kept in a file of one's own.

    ``entropy`` is what was sent for the dice when the seat was taken, in hexadecimal.
    """

    game: str
    seat: int
    token: str
    server: str
    database: str
    entropy: str = ""


def data_folder() -> Path:
    """Where own games and the book are kept: ``BOARDKEEPER_HOME`` or the platform's place for data."""
    own = os.environ.get("BOARDKEEPER_HOME")
    if own:
        return Path(own)
    base = os.environ.get("XDG_DATA_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    return (Path(base) if base else Path.home() / ".local" / "share") / "boardkeeper"


class SeatBook:
    """The book in a folder; it is written anew, and at once, for each seat."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "seats.jsonl"

    def all(self) -> list[HeldSeat]:
        """Every seat, the one written down last at the end."""
        return self._read()

    def seats(self, game: str) -> list[HeldSeat]:
        """The seats held in a game, whose id may be cut short if that is enough to tell it from others."""
        begin = game.lower().rstrip("….")
        found = [held for held in self._read() if held.game.startswith(begin) and begin]
        if len({held.game for held in found}) > 1:
            raise CommandError(f"several games begin with {game!r}: give more of the id")
        return found

    def last(self) -> HeldSeat | None:
        """The seat written down last."""
        seats = self._read()
        return seats[-1] if seats else None

    def add(self, held: HeldSeat) -> None:
        """Write down a seat."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as book:
                book.write(json.dumps(asdict(held)) + "\n")
        except OSError as error:
            raise CommandError(
                f"cannot write down your seat in {self._path}: {error.strerror}. "
                "Set BOARDKEEPER_HOME to a folder that you may write to."
            ) from error

    def _read(self) -> list[HeldSeat]:
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise CommandError(f"cannot read your seats from {self._path}: {error.strerror}") from error
        return [HeldSeat(**json.loads(line)) for line in lines if line.strip()]
