"""What an operator does to a database without a service, of whichever kind it is.

A file must not be served meanwhile, unless it is only checked; a PostgreSQL may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.archive.folder import ArchiveFolder
from boardkeeper.service.storage.findings import CheckedGame, ErasedSeat
from boardkeeper.service.storage.opening import file_of, is_postgres, require_driver
from boardkeeper.service.storage.sqlite import checking, erasure, removal
from boardkeeper.service.storage.sqlite.checking import CheckedFile


def make_tables(name: str, role: str = "") -> str:
    """Make the tables of a PostgreSQL, and grant a role what a service needs; gives its name without passwords.

    Raises ``StartupError``, also for a file, which a service prepares by itself.
    """
    if not is_postgres(name):
        raise StartupError("this command is only for PostgreSQL: name the database with --db postgresql://…")
    require_driver()
    from boardkeeper.service.storage.postgres import operating  # noqa: PLC0415

    return operating.make_tables(name, role)


def erase_name(database: str, name: str) -> list[ErasedSeat]:
    """Erase a name from every seat that has it; raises ``StartupError``."""
    if not is_postgres(database):
        return erasure.erase_name(file_of(database), name)
    require_driver()
    from boardkeeper.service.storage.postgres import operating  # noqa: PLC0415

    return operating.erase_name(database, name)


def erase_seat(database: str, game: str, seat: int) -> list[ErasedSeat]:
    """Erase the name of a seat, of the game with that id or whose id begins so; an empty list if it has none.

    Raises ``StartupError``, and ``LookupError`` if there is not exactly one such game, or no such seat in it.
    """
    if not is_postgres(database):
        return erasure.erase_seat(file_of(database), game, seat)
    require_driver()
    from boardkeeper.service.storage.postgres import operating  # noqa: PLC0415

    return operating.erase_seat(database, game, seat)


def erase_player(database: str, platform: str, player: str, time: int) -> list[ErasedSeat]:
    """Erase a player of a platform (empty: of games of nobody) from all seats, with names, tokens and invitations.

    Raises ``StartupError``.
    """
    if not is_postgres(database):
        return removal.erase_player(file_of(database), platform, player, time)
    require_driver()
    from boardkeeper.service.storage.postgres import operating  # noqa: PLC0415

    return operating.erase_player(database, platform, player, time)


def remove_game(database: str, game: str, time: int) -> UUID:
    """Remove the game of that id, or whose id begins so; raises ``StartupError`` and ``LookupError``."""
    if not is_postgres(database):
        return removal.remove_from_file(file_of(database), game, time)
    require_driver()
    from boardkeeper.service.storage.postgres import operating  # noqa: PLC0415

    return operating.remove_game(database, game, time)


def check(
    database: str, checkpoint: Path | None = None, archive: Path | None = None, key_file: Path | None = None
) -> Iterator[CheckedGame | CheckedFile]:
    """Check every game, and a file also against a checkpoint; raises ``StartupError``.

    Archived games are checked if ``archive`` names their folder. A PostgreSQL database must belong to the key in
    ``key_file``, if one is given.
    """
    folder = ArchiveFolder(archive) if archive is not None else None
    if not is_postgres(database):
        return checking.check_file(file_of(database), checkpoint, folder)
    if checkpoint is not None:
        raise StartupError("only SQLite files have checkpoints: leave --checkpoint out")
    require_driver()
    from boardkeeper.service.storage.postgres import operating  # noqa: PLC0415

    return iter(operating.check_games(database, folder, key_file))
