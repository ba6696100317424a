"""Creating, describing, verifying and restoring backups of both kinds of databases, also while a server runs.

A backup contains the server's key only on request: a thief who has both can sign records in the server's name and
derive its other secrets.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
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
)
from boardkeeper.service.storage.database_urls import check_exists, is_postgres, key_path, require_driver, sqlite_path
from boardkeeper.service.storage.private_files import private_folder, publish_file, sync_folder, write_private
from boardkeeper.service.storage.reports import CheckedGame, ProgressCallback, ignore_progress
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.service.storage.sqlite import backup as sqlite_backup
from boardkeeper.service.storage.sqlite.database_files import append_suffix, resolve_path
from boardkeeper.service.storage.sqlite.file_check import check_file

ENDING = ".backup"

_EVENTS = ("events", "stored_events")


class BackupInfo(NamedTuple):
    """A backup that was created, described or restored."""

    path: Path
    manifest: Manifest

    @property
    def games(self) -> int:
        """The number of games."""
        return self.manifest.rows("games")

    @property
    def events(self) -> int:
        """The number of events."""
        return sum(self.manifest.rows(name) for name in _EVENTS)


# --- creating -----------------------------------------------------------------------------------------------


def back_up(
    database: str,
    target: Path,
    key_file: Path | None = None,
    progress: ProgressCallback = ignore_progress,
    *,
    with_key: bool = False,
) -> BackupInfo:
    """Create a backup at ``target``. If ``target`` is a folder, the name of the file contains the time.

    ``key_file`` is the server's key file of a PostgreSQL database. Raises :class:`StartupError`; then no file remains.
    """
    now = time.time_ns() // 1_000_000
    key = _database_key(database, key_file)
    included_key = _key_file(database, key_file) if with_key else None
    try:
        if target.is_dir():
            target = target / time.strftime(f"boardkeeper-%Y%m%dT%H%M%SZ{ENDING}", time.gmtime(now / 1000))
        if target.exists():
            raise StartupError(f"{target} exists already: choose another name")
        with private_folder(target) as folder:
            made = folder / target.name
            with closing(BackupWriter(made)) as writer:
                manifest = _fill(database, writer, folder, key, now, progress, included_key)
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
    progress: ProgressCallback,
    key_file: Path | None,
) -> Manifest:
    counters: dict[str, int] = {}
    if is_postgres(database):
        from boardkeeper.service.storage.postgres import backup as postgres_backup  # noqa: PLC0415

        schema, tables, counters = postgres_backup.copy_out(database, writer, progress)
    else:
        copy = folder / "copy.db"
        schema, tables = sqlite_backup.copy_file(sqlite_path(database), copy, progress)
        writer.add_file(sqlite_backup.PART, copy)
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
    """Return the existing key that a database belongs to. Raises :class:`StartupError`."""
    file = _key_file(database, key_file)
    if not is_postgres(database):
        check_exists(database)
        return ServiceKey.existing(file)
    require_driver()
    from boardkeeper.service.storage.postgres import backup as postgres_backup  # noqa: PLC0415

    return postgres_backup.check_key_file(database, file)


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
    if not is_postgres(database):
        sqlite_backup.store_backup_time(resolve_path(sqlite_path(database)), time)
        return
    from boardkeeper.service.storage.postgres import backup as postgres_backup  # noqa: PLC0415

    postgres_backup.store_backup_time(database, time)


# --- describing and verifying -------------------------------------------------------------------------------


def describe_backup(path: Path, key_file: Path | None = None) -> BackupInfo:
    """Read the manifest of a backup and verify its signature. With ``key_file``, also verify who signed it.

    Raises :class:`AlteredError` if the signature is wrong, :class:`StartupError` if the file is not a backup or cannot
    be read.
    """
    with closing(BackupReader(path)) as backup:
        if key_file is not None:
            _check_signer(backup, ServiceKey.existing(key_file))
        return BackupInfo(path, backup.manifest)


def verify_backup(path: Path) -> Iterator[CheckedGame]:
    """Verify every byte of a backup and the hash chains of all games, without restoring it.

    A SQLite backup is extracted to a temporary folder beside it. Raises :class:`AlteredError` if the backup is damaged,
    :class:`StartupError` if it cannot be read.
    """
    with closing(BackupReader(path)) as backup:
        if backup.manifest.kind == POSTGRES:
            require_driver()
            from boardkeeper.service.storage.postgres import backup as postgres_backup  # noqa: PLC0415

            yield from postgres_backup.check_games(backup)
        else:
            with private_folder(path) as folder:
                backup.extract(sqlite_backup.PART, folder / sqlite_backup.PART)
                try:
                    yield from (
                        game for game in check_file(folder / sqlite_backup.PART) if isinstance(game, CheckedGame)
                    )
                except StartupError as error:
                    raise AlteredError(f"the database in the backup {path} is damaged: {error}") from error
        backup.key()


def _check_signer(backup: BackupReader, key: ServiceKey) -> None:
    if key.id != backup.manifest.key_id:
        raise AlteredError(
            f"the backup {backup.path} is signed with the key {backup.manifest.key_id}, not with {key.id}"
        )


# --- restoring ----------------------------------------------------------------------------------------------


def restore(
    path: Path, database: str, key_file: Path | None = None, progress: ProgressCallback = ignore_progress
) -> BackupInfo:
    """Create a database from a backup, completely or not at all.

    ``key_file`` is the path of the server's key; for SQLite the key is copied beside the database. A key in the backup
    is used only if there is no other. Raises :class:`StartupError`, also if the database exists.
    """
    with closing(BackupReader(path)) as backup:
        kind = backup.manifest.kind
        if (kind == POSTGRES) != is_postgres(database):
            raise StartupError(_wrong_kind_message(path, kind))
        if kind == POSTGRES:
            _restore_tables(backup, database, key_file, progress)
        else:
            _restore_file(backup, sqlite_path(database), key_file, progress)
        return BackupInfo(path, backup.manifest)


def _wrong_kind_message(path: Path, kind: str) -> str:
    there, here = ("a PostgreSQL", "a file") if kind == POSTGRES else ("a file", "a PostgreSQL")
    return (
        f"{path} is a backup of {there}, not of {here}: restore it to one, then 'boardkeeper move' takes all games over"
    )


def _restore_tables(backup: BackupReader, database: str, key_file: Path | None, progress: ProgressCallback) -> None:
    require_driver()
    from boardkeeper.service.storage.postgres import backup as postgres_backup  # noqa: PLC0415

    file = _key_file(database, key_file)
    postgres_backup.check_empty_database(database)
    with _install_key(backup, file, file) as key:
        postgres_backup.copy_in(database, backup, key, progress)


def _restore_file(backup: BackupReader, database: Path, key_file: Path | None, progress: ProgressCallback) -> None:
    target = resolve_path(database)
    sqlite_backup.check_absent(target)
    try:
        sqlite_backup.check_schema(backup.manifest.schema)
    except StartupError as error:
        raise StartupError(f"the backup {backup.path} {error}") from error
    own = append_suffix(target, ".key")
    with private_folder(target) as folder, _install_key(backup, key_file if key_file is not None else own, own):
        made = folder / target.name
        try:
            backup.extract(sqlite_backup.PART, made)
        except OSError as error:
            raise StartupError(f"cannot create {target}: {reason(error)}") from error
        progress(1, 1)
        sqlite_backup.publish_database(made, target)


@contextmanager
def _install_key(backup: BackupReader, source: Path, target: Path) -> Iterator[ServiceKey]:
    """Provide the key of the restored database. If this creates the key file, an error in the block deletes it."""
    if target.exists():
        source = target
    if source.exists():
        _check_signer(backup, ServiceKey.load_or_create(source))
    if target.exists():
        yield ServiceKey.load_or_create(target)
        return
    data = source.read_bytes() if source.exists() else backup.key()
    if data is None:
        raise StartupError(
            f"the backup {backup.path} does not contain the key {backup.manifest.key_id}, which its games need: first"
            f" copy the server's key file to {target}"
        )
    try:
        write_private(target, data)
        key = ServiceKey.load_or_create(target)
        _check_signer(backup, key)
        sync_folder(target.absolute().parent)
        yield key
    except BaseException as error:
        target.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise StartupError(f"cannot write the key file {target}: {reason(error)}") from error
        raise
