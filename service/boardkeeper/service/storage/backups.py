"""Backups of a database and what is made of them again, of whichever kind it is; while it is served, or not.

The key is not in a backup unless that is asked for: who has both can sign records in the name of the service and read
what it derives from the key, and a backup travels more than a key has to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from boardkeeper.service.errors import AlteredError, StartupError, reason
from boardkeeper.service.storage.backup_file import (
    KEY_PART,
    POSTGRES,
    SQLITE,
    BackupReader,
    BackupWriter,
    Manifest,
    private_folder,
    publish_file,
)
from boardkeeper.service.storage.database_urls import check_exists, is_postgres, key_path, require_driver, sqlite_path
from boardkeeper.service.storage.private_files import sync_folder, write_private
from boardkeeper.service.storage.reports import CheckedGame
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.service.storage.sqlite import backup as files
from boardkeeper.service.storage.sqlite.database_files import resolve_path, with_suffix
from boardkeeper.service.storage.sqlite.file_check import check_file

Progress = Callable[[int, int], None]
"""Told now and then how much is done, of how much: rows, or pages of a file."""

ENDING = ".backup"

_EVENTS = ("events", "stored_events")


class BackupInfo(NamedTuple):
    """A backup that was made or restored: where it is, and what is in it."""

    path: Path
    manifest: Manifest

    @property
    def games(self) -> int:
        """How many games."""
        return self.manifest.rows("games")

    @property
    def events(self) -> int:
        """How many events."""
        return sum(self.manifest.rows(name) for name in _EVENTS)


# --- making one ---------------------------------------------------------------------------------------------


def back_up(
    database: str,
    target: Path,
    key_file: Path | None = None,
    progress: Progress = lambda _done, _of: None,
    *,
    with_key: bool = False,
) -> BackupInfo:
    """Make a backup at ``target``, which gets a name of its own if it is a folder.

    ``key_file`` is where the key of a PostgreSQL is. Raises :class:`StartupError`; then nothing was made.
    """
    now = time.time_ns() // 1_000_000
    key = _database_key(database, key_file)
    in_backup = _key_file(database, key_file) if with_key else None
    try:
        if target.is_dir():
            target = target / time.strftime(f"boardkeeper-%Y%m%dT%H%M%SZ{ENDING}", time.gmtime(now / 1000))
        if target.exists():
            raise StartupError(f"{target} exists already: choose another name")
        with private_folder(target) as folder:
            made = folder / target.name
            with closing(BackupWriter(made)) as writer:
                manifest = _fill(database, writer, folder, key, now, progress, in_backup)
                writer.seal(manifest, key)
            publish_file(made, target)
        _store_backup_time(database, now)
    except FileExistsError as error:
        raise StartupError(f"{target} exists already: choose another name") from error
    except OSError as error:
        raise StartupError(f"cannot write {target}: {reason(error)}") from error
    return BackupInfo(target, manifest)


def _fill(
    database: str,
    writer: BackupWriter,
    folder: Path,
    key: ServiceKey,
    now: int,
    progress: Progress,
    key_file: Path | None,
) -> Manifest:
    counters: dict[str, int] = {}
    if is_postgres(database):
        from boardkeeper.service.storage.postgres import backup as tables_of  # noqa: PLC0415

        schema, tables, counters = tables_of.copy_out(database, writer, progress)
    else:
        copy = folder / "copy.db"
        schema, tables = files.copy_file(sqlite_path(database), copy, progress)
        writer.add_file(files.PART, copy)
    if key_file is not None:
        writer.add_file(KEY_PART, key_file)
    return Manifest(
        kind=POSTGRES if is_postgres(database) else SQLITE,
        service=_service_version(),
        time=now,
        schema=schema,
        key=key.public_key.hex(),
        tables=tables,
        counters=counters,
        parts=writer.parts,
    )


def _database_key(database: str, key_file: Path | None) -> ServiceKey:
    """The key that a database belongs to, which is not made here; raises :class:`StartupError`."""
    file = _key_file(database, key_file)
    if not is_postgres(database):
        check_exists(database)
        return ServiceKey.existing(file)
    require_driver()
    from boardkeeper.service.storage.postgres import backup as tables_of  # noqa: PLC0415

    key = ServiceKey.existing(file)
    belongs = tables_of.read_key_id(database)
    if key.id != belongs:
        raise StartupError(f"the database needs the key {belongs}, but {file} contains the key {key.id}")
    return key


def _key_file(database: str, key_file: Path | None) -> Path:
    file = key_path(database, key_file)
    if file is None:
        raise StartupError("a PostgreSQL database needs the server's key file: name it with --key-file")
    return file


def _service_version() -> str:
    try:
        return version("boardkeeper")
    except PackageNotFoundError:
        return "unknown"


def _store_backup_time(database: str, time: int) -> None:
    """Have the service know when its last backup was made, as far as that can be written down."""
    if not is_postgres(database):
        files.store_backup_time(resolve_path(sqlite_path(database)), time)
        return
    from boardkeeper.service.storage.postgres import backup as tables_of  # noqa: PLC0415

    tables_of.store_backup_time(database, time)


# --- looking into one ---------------------------------------------------------------------------------------


def describe_backup(path: Path, key_file: Path | None = None) -> BackupInfo:
    """What a backup says of itself; raises :class:`AlteredError` if its signature does not hold.

    With a ``key_file`` also if it was not made under that key. Raises :class:`StartupError` for a file that is no
    backup or cannot be read.
    """
    with closing(BackupReader(path)) as bundle:
        if key_file is not None:
            _check_signer(bundle, ServiceKey.existing(key_file))
        return BackupInfo(path, bundle.manifest)


def verify_backup(path: Path) -> Iterator[CheckedGame]:
    """Check that every byte of a backup is as it was, and the chains of all its games.

    Raises :class:`AlteredError` for a damaged backup, :class:`StartupError` if it cannot be read.
    Restores nothing; a backup of a file is unpacked beside it meanwhile.
    """
    with closing(BackupReader(path)) as bundle:
        if bundle.manifest.kind == POSTGRES:
            require_driver()
            from boardkeeper.service.storage.postgres import backup as tables_of  # noqa: PLC0415

            yield from tables_of.check_games(bundle)
        else:
            with private_folder(path) as folder:
                bundle.extract(files.PART, folder / files.PART)
                try:
                    yield from (game for game in check_file(folder / files.PART) if isinstance(game, CheckedGame))
                except StartupError as error:
                    raise AlteredError(f"the database in the backup {path} is damaged: {error}") from error
        bundle.key()


def _check_signer(bundle: BackupReader, key: ServiceKey) -> None:
    if key.id != bundle.manifest.key_id:
        raise AlteredError(
            f"the backup {bundle.path} is signed with the key {bundle.manifest.key_id}, not with {key.id}"
        )


# --- bringing it back ---------------------------------------------------------------------------------------


def restore(
    path: Path, database: str, key_file: Path | None = None, progress: Progress = lambda _done, _of: None
) -> BackupInfo:
    """Make a database of a backup, where there is none yet, all or nothing; raises :class:`StartupError`.

    ``key_file`` is where the service's key is, and stays; for a file it may also be elsewhere than beside it, and is
    copied there. A key that is in the backup goes there unless one is there.
    """
    with closing(BackupReader(path)) as bundle:
        kind = bundle.manifest.kind
        if (kind == POSTGRES) != is_postgres(database):
            raise StartupError(_wrong_kind_message(path, kind))
        if kind == POSTGRES:
            _restore_tables(bundle, database, key_file, progress)
        else:
            _restore_file(bundle, sqlite_path(database), key_file, progress)
        return BackupInfo(path, bundle.manifest)


def _wrong_kind_message(path: Path, kind: str) -> str:
    there, here = ("a PostgreSQL", "a file") if kind == POSTGRES else ("a file", "a PostgreSQL")
    return (
        f"{path} is a backup of {there}, not of {here}: restore it to one, then 'boardkeeper move' takes all games over"
    )


def _restore_tables(bundle: BackupReader, database: str, key_file: Path | None, progress: Progress) -> None:
    require_driver()
    from boardkeeper.service.storage.postgres import backup as tables_of  # noqa: PLC0415

    file = _key_file(database, key_file)
    tables_of.check_empty_database(database)
    with _key_in_place(bundle, file, file) as key:
        tables_of.copy_in(database, bundle, key, progress)


def _restore_file(bundle: BackupReader, database: Path, key_file: Path | None, progress: Progress) -> None:
    target = resolve_path(database)
    files.check_absent(target)
    try:
        files.check_schema(bundle.manifest.schema)
    except StartupError as error:
        raise StartupError(f"the backup {bundle.path} {error}") from error
    own = with_suffix(target, ".key")
    with private_folder(target) as folder, _key_in_place(bundle, key_file if key_file is not None else own, own):
        made = folder / target.name
        try:
            bundle.extract(files.PART, made)
        except OSError as error:
            raise StartupError(f"cannot create {target}: {reason(error)}") from error
        progress(1, 1)
        files.publish_database(made, target)


@contextmanager
def _key_in_place(bundle: BackupReader, source: Path, target: Path) -> Iterator[ServiceKey]:
    """The key under which a backup is restored, in its place before the database is.

    One that was put there goes again if nothing comes of it.
    """
    if target.exists():
        source = target
    if source.exists():
        _check_signer(bundle, ServiceKey.load_or_create(source))
    if target.exists():
        yield ServiceKey.load_or_create(target)
        return
    data = source.read_bytes() if source.exists() else bundle.key()
    if data is None:
        raise StartupError(
            f"the backup {bundle.path} does not contain the key {bundle.manifest.key_id}, which its games need: first"
            f" copy the server's key file to {target}"
        )
    try:
        write_private(target, data)
        key = ServiceKey.load_or_create(target)
        _check_signer(bundle, key)
        sync_folder(target.absolute().parent)
        yield key
    except BaseException as error:
        target.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise StartupError(f"cannot write the key file {target}: {reason(error)}") from error
        raise
