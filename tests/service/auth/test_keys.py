"""API keys: their format, their creation and end, and their cache in a running server."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Self

import pytest
from tests.service.api_errors import api_error
from tests.service.keys import NOW, create_key_in, store_changes
from tests.service.sqlite_internals import downgrade_schema

from boardkeeper.service.auth import key_secrets
from boardkeeper.service.auth.key_cache import FRESH_SECONDS, MAX_AGE_SECONDS, KeyCache
from boardkeeper.service.auth.key_management import (
    InvalidKeyRequestError,
    create_key,
    find_key,
    is_valid,
    key_state,
    revoke_key,
    rotate_key,
)
from boardkeeper.service.auth.seat_tokens import derive_token, new_token
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.titles.registry import load_title

HOUR = 3_600_000
FORMAT = re.compile("bk_[0-9a-f]{12}_[0-9A-Za-z]{49}")  # as documented for secret scanners


def test_keys_have_the_documented_format() -> None:
    id = key_secrets.new_key_id()
    secrets = {key_secrets.new_key(id) for _ in range(50)}
    assert len(secrets) == 50
    for secret in secrets:
        assert FORMAT.fullmatch(secret)
        assert key_secrets.looks_like_key(secret)
        assert key_secrets.key_id_of(secret) == id
        for at in (3, 20, 64):
            other = "0" if secret[at] != "0" else "1"
            assert key_secrets.key_id_of(secret[:at] + other + secret[at + 1 :]) == ""
    assert len(key_secrets.new_key(id, bytes)) == key_secrets.LENGTH
    assert len(key_secrets.new_key(id, lambda count: b"\xff" * count)) == key_secrets.LENGTH


def test_seat_tokens_do_not_look_like_keys() -> None:
    for token in (new_token(), derive_token(b"salt", "request", 1)):
        assert not key_secrets.looks_like_key("bk_" + token[3:])


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("name", {"name": ""}),
        ("name", {"name": "  "}),
        ("name", {"name": "a\nb"}),
        ("name", {"name": "a" * 65}),
        ("platform", {"name": "My Lobby"}),
        ("platform", {"platform": "-"}),
        ("platform", {"platform": "*"}),
        ("scopes", {"scopes": []}),
        ("scopes", {"scopes": ["create", "fly"]}),
        ("expire_time", {"expire_time": NOW}),
        ("expire_time", {"expire_time": 1 << 62}),
        ("certificate", {"certificate": "a name"}),
    ],
)
def test_invalid_fields_of_keys_are_rejected(field: str, wrong: dict[str, object]) -> None:
    fields: dict[str, object] = {"name": "lobby", "scopes": ["create"]} | wrong
    with pytest.raises(InvalidKeyRequestError) as caught:
        create_key(fields.pop("name"), fields.pop("scopes"), NOW, **fields)  # type: ignore[arg-type]
    assert caught.value.field == field


def test_a_key_ends_once() -> None:
    created = create_key("lobby", ["watch", "create"], NOW, expire_time=NOW + HOUR)
    assert created.row.scopes == ("create", "watch")
    assert created.secret not in repr(created)
    assert (is_valid(created.row, NOW + HOUR - 1), is_valid(created.row, NOW + HOUR)) == (True, False)
    assert key_state(created.row, NOW + HOUR) == "expired"
    revoked = revoke_key([created.row], created.row.key_id, NOW)
    assert revoked.row is created.row
    assert len(revoked.changes) == 1
    with pytest.raises(InvalidKeyRequestError):
        rotate_key([created.row], created.row.key_id, NOW + HOUR, 0)
    with pytest.raises(InvalidKeyRequestError):
        revoke_key([created.row], "000000000000", NOW)


def test_errors_do_not_repeat_a_whole_key() -> None:
    created, other = create_key("lobby", ["create"], NOW), create_key("other", ["create"], NOW)
    assert find_key([other.row, created.row], created.secret) is created.row
    with pytest.raises(InvalidKeyRequestError) as caught:
        find_key([other.row], created.secret)
    assert created.secret[16:] not in str(caught.value)


def test_a_certificate_has_no_secret_and_is_not_rotated() -> None:
    created = create_key("lobby", ["create"], NOW, certificate="lobby.example.org")
    assert (created.secret, created.row.secret_hash) == ("", None)
    with pytest.raises(InvalidKeyRequestError):
        rotate_key([created.row], created.row.key_id, NOW, HOUR)


# --- stored keys --------------------------------------------------------------------------------------------


@pytest.mark.databases
def test_keys_are_stored_rotated_and_revoked(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    first, second, third = [create_key_in(path, name) for name in ("first", "second", "third")]
    fresh = rotate_key([first.row], first.row.key_id, NOW, HOUR)
    again = rotate_key([first.row], first.row.key_id, NOW, 5 * HOUR)  # which does not extend its time
    changes = revoke_key([second.row], second.row.key_id, NOW + 1).changes
    store_changes(
        path, [*fresh.changes, *again.changes, *changes, *revoke_key([second.row], second.row.key_id, NOW + 2).changes]
    )
    application = GameApplication.open(path, load_title)
    rows = {row.key_id: row for row in application.database.access.all_keys()}
    application.close()
    assert list(rows) == [it.row.key_id for it in (first, second, third, fresh, again)]
    assert rows[third.row.key_id] == third.row
    assert rows[first.row.key_id].expire_time == NOW + HOUR
    assert rows[second.row.key_id].revoke_time == NOW + 1
    assert rows[fresh.row.key_id].secret_hash == key_secrets.hash_key(fresh.secret)


@pytest.mark.databases
def test_a_certificate_belongs_to_one_key(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    created = create_key_in(path, "lobby", certificate="lobby.example.org")
    with pytest.raises(Exception, match=r"access_keys.*certificate"):
        create_key_in(path, "other", certificate="lobby.example.org")
    store_changes(path, revoke_key([created.row], created.row.key_id, NOW).changes)
    create_key_in(path, "other", certificate="lobby.example.org")


@pytest.mark.sqlite_only
def test_a_file_of_an_earlier_release_gets_the_tables_of_keys(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    open_database(path).close()
    indices = ("platform", "platform_and_title", "platform_and_status", "platform_and_time")
    script = "".join(f"DROP INDEX games_by_{index};" for index in indices)
    script += "".join(f"DROP TABLE {table};" for table in ("access_keys", "game_access"))
    downgrade_schema(path, script + "ALTER TABLE games DROP COLUMN platform;")
    created = create_key_in(path, "lobby")
    database = open_database(path)
    assert database.access.all_keys() == [created.row]
    database.close()


def test_pages_of_a_platform_use_an_index(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    open_database(path).close()
    connection = sqlite3.connect(path)
    for more, index in (
        ("", "games_by_platform"),
        (" AND status='open'", "games_by_platform_and_status"),
        (" AND title='x'", "games_by_platform_and_title"),
    ):
        where = f"number<9{more} AND platform='p' AND platform<>''"
        plan = connection.execute(
            f"EXPLAIN QUERY PLAN SELECT * FROM games WHERE {where} ORDER BY number DESC"
        ).fetchall()
        assert f"INDEX {index} (" in str(plan)
        assert "TEMP B-TREE" not in str(plan)
    connection.close()


# --- the cache of a running server --------------------------------------------------------------------------


class ClockedKeys:
    """The key cache of a database file, with a clock that a test moves."""

    def __init__(self, path: Path) -> None:
        self.application = GameApplication.open(path, load_title)
        self.seconds = 100.0
        self.now = NOW
        self.cache = KeyCache(self.application, now=lambda: self.now, clock=lambda: self.seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.application.close()

    def store(self, *changes: object) -> None:
        self.application.writer.store(changes)  # type: ignore[arg-type]


@pytest.mark.databases
async def test_a_revoked_key_is_rejected_after_seconds(tmp_path: Path) -> None:
    created = create_key_in(tmp_path / "games.db", "lobby")
    with ClockedKeys(tmp_path / "games.db") as keys:
        row = await keys.cache.find_by_secret(created.secret)
        keys.store(*revoke_key([row], row.key_id, NOW).changes)
        assert await keys.cache.find_by_secret(created.secret) == row  # the cached row is still used
        keys.seconds += MAX_AGE_SECONDS + 0.1
        for _ in range(2):
            with api_error("KEY_ENDED"):
                await keys.cache.find_by_secret(created.secret)
            with api_error("KEY_ENDED"):
                await keys.cache.check_valid(row)


async def test_keys_are_read_again_in_the_background(tmp_path: Path) -> None:
    created = create_key_in(tmp_path / "games.db", "lobby")
    with ClockedKeys(tmp_path / "games.db") as keys:
        row = await keys.cache.find_by_secret(created.secret)
        keys.store(*revoke_key([row], row.key_id, NOW).changes)
        keys.seconds += FRESH_SECONDS + 0.1
        await keys.cache.find_by_secret(created.secret)  # does not wait for the read
        await keys.cache.refresh()
        with api_error("KEY_ENDED"):
            await keys.cache.find_by_secret(created.secret)


async def test_a_new_key_is_found_after_seconds(tmp_path: Path) -> None:
    created = create_key("lobby", ["create"], NOW, expire_time=NOW + HOUR)
    with ClockedKeys(tmp_path / "games.db") as keys:
        with api_error("KEY_WRONG"):
            await keys.cache.find_by_secret(created.secret)
        keys.store(*created.changes)
        keys.seconds += MAX_AGE_SECONDS + 0.1
        assert await keys.cache.find_by_secret(created.secret) == created.row
        keys.now = NOW + HOUR
        with api_error("KEY_ENDED"):
            await keys.cache.find_by_secret(created.secret)


@pytest.mark.databases
async def test_the_last_use_of_a_key_is_stored_to_the_hour(tmp_path: Path) -> None:
    created = create_key_in(tmp_path / "games.db", "lobby")
    with ClockedKeys(tmp_path / "games.db") as keys:
        for later in (0, 61_000, HOUR):
            keys.now = NOW + later
            await keys.cache.find_by_secret(created.secret)
            await keys.cache.refresh()
            (row,) = keys.application.database.access.all_keys()
            assert row.use_time == (NOW + later) // HOUR * HOUR


async def test_no_secret_key_stays_in_memory(tmp_path: Path) -> None:
    created = create_key_in(tmp_path / "games.db", "lobby")
    with ClockedKeys(tmp_path / "games.db") as keys:
        await keys.cache.find_by_secret(created.secret)
        assert created.row.key_id in repr(vars(keys.cache))
        assert created.secret[16:] not in repr(vars(keys.cache))
