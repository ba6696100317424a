"""The seats that the user holds, with their tokens, in a file, so that games can be continued.

Tokens are secret: only the owner can read the file, and tokens never appear on a command line.
"""

from __future__ import annotations

import errno
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boardkeeper.terminal.errors import CommandError

if TYPE_CHECKING:
    from boardkeeper.terminal.locations import Location

HOME_ADVICE = "Set BOARDKEEPER_HOME to a folder that you can write to."
NO_HOME = "this user has no home folder"


@dataclass(frozen=True)
class SavedSeat:
    """A seat in a game. ``server`` is empty if the game is stored in the file ``database``.

    ``entropy`` is the entropy for the dice that was sent when joining, in hexadecimal.
    """

    game: str
    seat: int
    token: str
    server: str
    database: str
    entropy: str = ""


def data_folder() -> Path | None:
    """Return the folder for the user's games and seats: ``BOARDKEEPER_HOME``, or the platform's data folder.

    ``None`` if the user has no home folder: ``HOME`` is unset or empty, and the system does not know the user.
    """
    own = os.environ.get("BOARDKEEPER_HOME")
    if own:
        return Path(own)
    base = os.environ.get("XDG_DATA_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    try:
        return (Path(base) if base else _home() / ".local" / "share") / "boardkeeper"
    except RuntimeError:
        return None


def _home() -> Path:
    """Return the user's home folder. Raises ``RuntimeError`` if the user has none."""
    if os.name == "nt" or os.environ.get("HOME"):
        return Path.home()
    import pwd  # not on Windows

    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError as error:
        raise RuntimeError("the system does not know the user") from error


class SeatFile:
    """The file of seats in a folder. Without a file, the user holds no seats.

    ``problem`` is the reason why the last read failed or was incomplete; empty if it succeeded.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / "seats.jsonl"
        self.problem = ""

    def all(self) -> list[SavedSeat]:
        """Return all seats in the order in which they were saved."""
        return self._read()

    def seats(self, game: str) -> list[SavedSeat]:
        """Return the seats in a game. The id may be shortened as long as it stays unambiguous."""
        begin = game.lower().rstrip("….")
        found = [saved for saved in self._read() if saved.game.startswith(begin) and begin]
        if len({saved.game for saved in found}) > 1:
            raise CommandError(f"several game ids start with {game!r}: type more characters of the id")
        return found

    def last(self) -> SavedSeat | None:
        """Return the seat that was saved last."""
        seats = self._read()
        return seats[-1] if seats else None

    def check_writable(self) -> None:
        """Raise :class:`CommandError` if no seat can be saved; called before joining a game."""
        path = self._prepared()
        try:
            if path.exists():
                os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
            elif not os.access(path.parent, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise self._unwritable(error) from error

    def add(self, saved: SavedSeat) -> None:
        """Save a seat. Raises :class:`CommandError`."""
        path = self._prepared()
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as seat_file:
                seat_file.write(json.dumps(asdict(saved)) + "\n")
        except OSError as error:
            raise self._unwritable(error) from error

    def _prepared(self) -> Path:
        """Create the folder of the file if it does not exist, and return the path of the file."""
        if self._path is None:
            raise CommandError(f"cannot save your seat: {NO_HOME}. {HOME_ADVICE}")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise self._unwritable(error) from error
        return self._path

    def _unwritable(self, error: OSError) -> CommandError:
        return CommandError(f"cannot save your seat in {self._path}: {error.strerror}. {HOME_ADVICE}")

    def _read(self) -> list[SavedSeat]:
        self.problem = ""
        if self._path is None:
            return []
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            self.problem = f"cannot read your seats from {self._path}: {error.strerror}"
            return []
        seats = []
        for number, line in enumerate(lines, 1):
            try:
                seats += [SavedSeat(**json.loads(line))] if line.strip() else []
            except (ValueError, TypeError):
                self.problem = f"cannot read your seats from {self._path}: line {number} is damaged"
        return seats


def saved_seats_of(seat_file: SeatFile, game: str, location: Location | None) -> list[SavedSeat]:
    """Return the saved seats of a game, ordered by number. With a ``location``, only those that can be played there."""
    found = {
        saved.seat: saved for saved in seat_file.seats(game) if location is None or location.may_receive_token(saved)
    }
    return [found[seat] for seat in sorted(found)]


def saved_seat(seat_file: SeatFile, game: str, location: Location | None, seat: int) -> SavedSeat:
    """Return the saved seat with a number, or the only one if ``seat`` is 0. Raises :class:`CommandError`."""
    saved = saved_seats_of(seat_file, game, location)
    chosen = [one for one in saved if seat in (0, one.seat)]
    if len(chosen) == 1:
        return chosen[0]
    if not saved:
        check_readable(seat_file)
        raise CommandError(f"you hold no seat in game {game}. Join an open seat with: boardkeeper play {game} --join")
    seats = " and ".join(str(one.seat) for one in saved)
    if not chosen:
        raise CommandError(f"you do not hold seat {seat} in game {game}, only {seats}.")
    raise CommandError(f"you hold the seats {seats} in game {game}: choose one with --seat N.")


def check_readable(seat_file: SeatFile) -> None:
    """Raise :class:`CommandError` if the file of seats could not be read completely."""
    if seat_file.problem:
        raise CommandError(f"{seat_file.problem}. {HOME_ADVICE}")


def continue_command(saved: SavedSeat) -> str:
    """Return the command that continues a game. The file of seats contains its location."""
    return f"boardkeeper play {saved.game}" + (f" --server {saved.server}" if saved.server else "")


def join_command(game: str, location: Location) -> str:
    """Return the command with which another player joins in an open seat."""
    return f"boardkeeper play {game}{location.option} --join"
