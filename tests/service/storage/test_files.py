"""The files of a database: links resolve to one file with one lock, and only the owner can read them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.service.cache.test_game_registry import open_service
from tests.service.log_capture import capture_logs
from tests.service.storage.test_databases import open_file, open_in_process
from tests.service.tiny_title import load_title

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.admin import check_database, erase_name, remove_game
from boardkeeper.service.storage.archive.transfer import ArchiveFilter, archive
from boardkeeper.service.storage.backups import back_up, verify_backup
from boardkeeper.service.storage.database_move import move_database
from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.service.storage.sqlite.file_check import check_file
from boardkeeper.service.storage.sqlite.lock import FileLock
from boardkeeper.terminal.main import main

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and permissions differ on Windows")

_OTHER_USER = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed database in a separate folder."""
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "games.db"
    open_file(path).close()
    return path


def by_link(path: Path) -> Path:
    link = path.parent.parent / "link.db"
    link.symlink_to(path)
    return link


def by_link_to_a_link(path: Path) -> Path:
    link = path.parent / "second.db"
    link.symlink_to(os.path.relpath(by_link(path), path.parent))
    return link


def by_folder(path: Path) -> Path:
    link = path.parent.parent / "elsewhere"
    link.symlink_to(path.parent)
    return link / path.name


def by_parent_folder(path: Path) -> Path:
    return path.parent / ".." / path.parent.name / path.name


def by_relative_path(path: Path) -> Path:
    return Path(os.path.relpath(path))


ALIASES = [by_link, by_link_to_a_link, by_folder, by_parent_folder, by_relative_path]


# --- links ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alias", ALIASES)
def test_all_paths_to_a_file_share_one_lock(path: Path, alias: Callable[[Path], Path]) -> None:
    other = alias(path)
    for first, second in ((path, other), (other, path)):
        lock = FileLock(first)
        assert lock.database == path
        with pytest.raises(StartupError, match="is in use by process"):
            FileLock(second)
        lock.release()


@pytest.mark.parametrize("target_exists", [True, False])
def test_a_lock_that_is_a_link_is_neither_followed_nor_written(path: Path, tmp_path: Path, target_exists: bool) -> None:
    target = tmp_path / "target"
    if target_exists:
        target.write_text("not yours")
    lock = path.with_name("games.db.lock")
    lock.unlink()
    lock.symlink_to(target)
    with pytest.raises(StartupError, match=r"games\.db\.lock is a symbolic link"):
        FileLock(path)
    assert (target.read_text() if target.exists() else "") == ("not yours" if target_exists else "")
    assert target.exists() == target_exists
    lock.unlink()
    FileLock(path).release()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_a_lock_that_is_not_a_regular_file_is_rejected(path: Path) -> None:
    lock = path.with_name("games.db.lock")
    lock.unlink()
    os.mkfifo(lock)
    with pytest.raises(StartupError, match=r"games\.db\.lock is not a regular file"):
        FileLock(path)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("alias", [by_link, by_folder])
def test_a_file_in_use_is_detected_through_a_link(path: Path, alias: Callable[[Path], Path]) -> None:
    with open_in_process(alias(path)) as process, pytest.raises(StartupError, match=f"is in use by process {process}"):
        open_file(path)
    assert sorted(file.name for file in path.parent.parent.iterdir() if file.is_file() and not file.is_symlink()) == []


@pytest.mark.sqlite_only
@pytest.mark.parametrize("alias", ALIASES)
async def test_games_are_the_same_through_every_path(path: Path, alias: Callable[[Path], Path]) -> None:
    async with open_service(alias(path)) as service:
        game, key = await service.game(), service.application.database.key.id
    async with open_service(path) as service:
        assert service.application.database.key.id == key
        assert (await service.registry.get(game)).game.version == 5


@pytest.mark.sqlite_only
def test_a_new_file_is_created_at_the_target_of_a_link(tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    (tmp_path / "data").mkdir()
    link.symlink_to(tmp_path / "data" / "games.db")
    open_file(link).close()
    assert sorted(file.name for file in (tmp_path / "data").iterdir()) == ["games.db", "games.db.key", "games.db.lock"]
    assert list(tmp_path.glob("link.db*")) == [link]


@pytest.mark.sqlite_only
def test_a_key_next_to_a_link_is_reported(path: Path) -> None:
    """Release 0.1.0 created the key there. A new key next to the file would sign records differently."""
    link = by_link(path)
    path.with_name("games.db.key").rename(link.with_name("link.db.key"))
    with pytest.raises(StartupError, match=r"the key is .*link\.db\.key: move it to .*games\.db\.key"):
        open_file(link)
    assert not path.with_name("games.db.key").exists()


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("suffix", "link"),
    [("", os.link), *((suffix, link) for suffix in ("-wal", "-shm") for link in (os.link, os.symlink))],
)
def test_a_file_with_a_second_name_is_rejected(path: Path, suffix: str, link: Callable[[Path, Path], None]) -> None:
    """For example after `cp -al`. The data in the write-ahead log of one name is missing under the other name."""
    file = path.with_name(path.name + suffix)
    if suffix:
        shutil.copy(path, path.with_name("a copy"))
        link(path.with_name("a copy"), file)
    else:
        link(file, path.with_name("second.db"))
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    names = [path, path.with_name("second.db")] if not suffix else [path]
    for name in names:
        with pytest.raises(StartupError, match=r"names \(hard links\)" if link is os.link else "not a regular file"):
            open_file(name)
        with pytest.raises(StartupError):
            list(check_file(name))
        with pytest.raises(StartupError):
            rebuild(name, load_title)
        with pytest.raises(StartupError):
            erase_name(str(name), "Ada")
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


@pytest.mark.sqlite_only
def test_a_file_mounted_without_its_folder_is_rejected(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spaced = path.with_name("my games.db")
    path.rename(spaced)
    mounts = path.with_name("mounts")
    mounts.write_text(
        "22 1 0:21 / / rw - ext4 /dev/sda1 rw\n"
        f"36 35 98:0 /x {str(spaced).replace(' ', chr(92) + '040')} rw,noatime master:1 - ext3 /dev/root rw\n"
    )
    monkeypatch.setattr("boardkeeper.service.storage.sqlite.database_files._MOUNTS", mounts)
    with pytest.raises(StartupError, match="mount the folder"):
        open_file(spaced)
    open_file(path).close()


@pytest.mark.sqlite_only
@pytest.mark.parametrize("name", ["games\0.db", "x" * 300])
def test_an_invalid_file_name_is_rejected(tmp_path: Path, name: str) -> None:
    with pytest.raises(StartupError):
        open_file(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sqlite_only
def test_circular_links_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "a.db").symlink_to(tmp_path / "b.db")
    (tmp_path / "b.db").symlink_to(tmp_path / "a.db")
    with pytest.raises(StartupError):
        open_file(tmp_path / "a.db")


# --- permissions ---------------------------------------------------------------------------------------------


@pytest.fixture(params=[0o022, 0o000])
def umasks(request: pytest.FixtureRequest) -> Iterator[None]:
    """The default umask, and one that hides nothing."""
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


@pytest.mark.sqlite_only
@pytest.mark.usefixtures("umasks")
async def test_all_files_are_private(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        await service.game()
        found = modes(tmp_path)
    assert sorted(found) == ["games.db", "games.db-shm", "games.db-wal", "games.db.key", "games.db.lock"]
    assert set(found.values()) == {0o600}
    assert set(modes(tmp_path).values()) == {0o600}


@pytest.mark.sqlite_only
@pytest.mark.usefixtures("umasks")
def test_a_new_file_is_private_before_its_first_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes_found: list[int] = []
    connect = sqlite3.connect

    def record_mode(*arguments: object, **more: object) -> sqlite3.Connection:
        modes_found.append(stat.S_IMODE((tmp_path / "games.db").stat().st_mode))
        return connect(*arguments, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", record_mode)
    open_file(tmp_path / "games.db").close()
    assert set(modes_found) == {0o600}


@pytest.mark.sqlite_only
def test_a_file_that_others_can_read_is_made_private(path: Path) -> None:
    path.chmod(0o664)
    with capture_logs() as log:
        open_file(path).close()
        open_file(path).close()
    assert modes(path.parent)["games.db"] == 0o600
    assert [(line["event"], line["file"], line["mode"]) for line in log] == [("made private", str(path), "664")]


@pytest.mark.sqlite_only
def test_files_left_by_a_killed_process_are_made_private(path: Path) -> None:
    with open_in_process(path):
        pass
    wal = path.with_name("games.db-wal")
    for file in (path, wal):
        file.chmod(0o644)
    application = open_file(path)
    assert modes(path.parent)["games.db-wal"] == 0o600
    application.close()


@pytest.mark.sqlite_only
def test_a_file_that_cannot_be_made_private_is_served_with_a_warning(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: Path, _mode: int) -> None:
        raise PermissionError(1, "Operation not permitted", str(file))

    path.chmod(0o664)
    monkeypatch.setattr(Path, "chmod", fail)
    with capture_logs() as log:
        open_file(path).close()
    (line,) = log
    assert (line["event"], line["log_level"]) == ("others can read dice secrets", "warning")


@pytest.mark.parametrize("openings", [1, 3])
def test_a_file_that_a_server_opens_during_a_backup_is_copied_again(path: Path, tmp_path: Path, openings: int) -> None:
    backup = tmp_path / "one.backup"
    remaining = openings

    def open_file(_done: int, _total: int) -> None:
        nonlocal remaining
        if remaining:
            remaining -= 1
            os.utime(path, ns=(remaining, remaining))

    if openings == 1:
        assert back_up(str(path), backup, progress=open_file).path == backup
        assert list(verify_backup(backup)) == []
    else:
        with pytest.raises(StartupError, match=r"a server opened .* during the backup: try again"):
            back_up(str(path), backup, progress=open_file)
        assert not backup.exists()
    assert remaining == 0


@pytest.mark.parametrize("kind", ["text", "made.json", "database"])
def test_commands_do_not_change_files_of_other_programs(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither its contents nor its mode change, and no new file is created next to it."""
    folder = tmp_path / "other"
    folder.mkdir()
    path = folder / kind
    if kind == "database":
        with closing(sqlite3.connect(path)) as file:
            file.execute("CREATE TABLE other (value)")
    else:
        path.write_text("{}" if kind == "made.json" else "Dear reader\n" * 100)
    path.chmod(0o644)
    before = path.read_bytes()
    for command in (
        ["rebuild", "--db", str(path)],
        ["remove", "4f1c4f1c", "--db", str(path)],
        ["archive", str(tmp_path), "--older-than", "1", "--db", str(path)],
        ["backup", str(tmp_path / "one.backup"), "--db", str(path)],
        ["move", "--from", str(path), "--to", str(tmp_path / "new.db")],
    ):
        assert main(command) in (1, 5)
        printed = " ".join(capsys.readouterr().err.split())
        assert "is not a Boardkeeper database" in printed or "is a database of another program" in printed, command
        assert [file.name for file in folder.iterdir()] == [kind]
        assert path.read_bytes() == before
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert [file.name for file in tmp_path.iterdir()] == ["other"]


def test_a_missing_permission_is_reported_with_the_file_and_the_solution(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    open_file(path).close()
    private_folder = tmp_path / "private"
    private_folder.mkdir()
    calls: list[Callable[[], object]] = [
        lambda: list(check_database(str(path))),
        lambda: rebuild(path, load_title),
        lambda: remove_game(str(path), "4f1c", 1),
        lambda: archive(path, Path("/"), ArchiveFilter()),
        lambda: move_database(path, tmp_path / "new.db"),
        lambda: back_up(str(path), private_folder / "one.backup"),
    ]
    for file in (path, path.with_name("games.db.key"), private_folder):
        file.chmod(0)
    with without_permissions():
        for call in calls:
            with pytest.raises(StartupError, match=r"games\.db.*: Permission denied\. This needs the user who owns"):
                call()
        with pytest.raises(StartupError, match=r"cannot read the archive folder .*: Permission denied\."):
            archive(path, private_folder / "archive", ArchiveFilter())


@contextmanager
def without_permissions() -> Iterator[None]:
    """Use a user without permissions for the files, if the tests run as root."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(_OTHER_USER)
    try:
        yield
    finally:
        os.seteuid(user)
