"""Records on the command line and in the clients: export, verify without a server, keys, import."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.client.conftest import RunCommand
from tests.service.keys import OPERATOR_TOKEN
from tests.waiting import wait_until

from boardkeeper.client import Client, NewGame, person, records
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.errors import AlreadyExists, BadRequest
from boardkeeper.client.timestamps import to_datetime
from boardkeeper.game.audit import LEVELS
from boardkeeper.service.process.server import running_service
from boardkeeper.terminal.record_checks import UNSETTLED
from boardkeeper.v1 import game_pb2
from pack_client import archive_of, pack

pytestmark = pytest.mark.socket


# --- export ----------------------------------------------------------------------------------------------------


def test_a_game_is_exported_to_a_file_and_to_standard_output(
    run_in_process: RunCommand, address: str, finished_game: NewGame, record: Path, tmp_path: Path
) -> None:
    result = run_in_process("export", finished_game.game.game_id[:13], "--out", "saved.jsonl", "--server", address)
    assert (result.status, result.out) == (0, "")
    assert "complete" in result.err
    assert (tmp_path / "saved.jsonl").read_bytes() == record.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"saved.jsonl", "game.jsonl"}, "no temporary file is left"
    piped = run_in_process("export", finished_game.game.game_id, "--server", address)
    assert piped.out.encode() == record.read_bytes()


def test_a_game_is_exported_as_a_page_with_the_record_in_it(
    run_in_process: RunCommand,
    address: str,
    finished_game: NewGame,
    record: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    viewer = tmp_path / "viewer.html"
    viewer.write_text('<body><div id="app"></div><script>"<div id=\\"app\\"></div>"</script></body>')
    monkeypatch.setattr(records, "VIEWER", viewer)
    result = run_in_process("export", finished_game.game.game_id, "--html", "game.html", "--server", address)
    assert (result.status, result.out) == (0, "")
    assert "game.html" in result.err
    before, _, rest = (
        (tmp_path / "game.html").read_bytes().partition(b'<script type="application/jsonl" id="record">\n')
    )
    embedded, _, after = rest.partition(b"</script>")
    assert embedded == record.read_bytes()  # this record contains no markup
    assert before + after == viewer.read_bytes()


def test_nothing_in_a_record_becomes_markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    viewer = tmp_path / "viewer.html"
    viewer.write_text('<div id="app"></div>')
    monkeypatch.setattr(records, "VIEWER", viewer)
    page = records.with_record(b'{"command_id":"</script><!--<script>"}\n')
    assert page.count(b"<") == viewer.read_bytes().count(b"<") + 2, "those of the element itself"


def test_a_wheel_has_the_viewer_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "viewer"
    folder.mkdir()
    (folder / "viewer.html").write_text('<div id="app"></div>')
    monkeypatch.setattr(records, "VIEWER", folder / "viewer.html")
    page = records.with_record(b"{}\n")
    archive_of(folder).write_bytes(pack(folder))
    shutil.rmtree(folder)
    assert records.with_record(b"{}\n") == page


def test_an_error_says_how_to_build_the_missing_viewer(
    run_in_process: RunCommand, address: str, finished_game: NewGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "VIEWER", tmp_path / "nothing" / "viewer.html")
    result = run_in_process("export", finished_game.game.game_id, "--html", "game.html", "--server", address)
    assert result.status == 1
    assert "make viewer" in result.err
    assert not (tmp_path / "game.html").exists()


def test_the_record_of_a_running_game_is_redacted_for_its_reader(run_in_process: RunCommand, tmp_path: Path) -> None:
    with running_service(tmp_path / "own.db", operator_token=OPERATOR_TOKEN) as address:
        with Client(address) as client:
            game = client.create_game("orleans", [person("Ada"), person("Bo")]).game.game_id
        spectator = run_in_process("export", game, "--out", "a.jsonl", "--server", address)
        operator = run_in_process(
            "export", game, "--out", "b.jsonl", "--server", address, BOARDKEEPER_OPERATOR_TOKEN=OPERATOR_TOKEN
        )
        stranger = run_in_process("export", game, "--server", address, BOARDKEEPER_OPERATOR_TOKEN="x" * 40)
    assert "as a spectator" in spectator.err
    assert "operator" in operator.err
    if os.name != "nt":  # the operator's record is a private file
        usual = tmp_path / "usual"
        usual.touch()
        modes = [stat.S_IMODE((tmp_path / file).stat().st_mode) for file in ("a.jsonl", "b.jsonl")]
        assert modes == [stat.S_IMODE(usual.stat().st_mode), 0o600]
    assert stranger.status == 1
    result = run_in_process("verify", "a.jsonl", "b.jsonl", "--json")
    assert result.status == UNSETTLED
    assert [found["viewer"] for found in result.records] == ["spectator", "whole"]
    assert [found["fails"] for found in result.records] == [False, False]


def test_an_unwritable_file_is_reported_before_the_export(
    run_in_process: RunCommand, address: str, finished_game: NewGame
) -> None:
    for file in ("nowhere/game.jsonl", "."):
        result = run_in_process("export", finished_game.game.game_id, "--out", file, "--server", address)
        assert result.status == 1
        assert file in result.err
        result = run_in_process("demo", "--record", file)
        assert result.status == 1
        assert result.out == ""


# --- verify ----------------------------------------------------------------------------------------------------


def test_a_record_is_verified_without_a_server(
    run_in_process: RunCommand, record: Path, finished_game: NewGame, client: Client
) -> None:
    result = run_in_process("verify", record.name)
    assert result.status == 0, result.out
    for level in LEVELS:
        assert f"  {level:<12} holds" in result.out
    assert "Verified: the record passes every check." in result.out
    assert finished_game.game.game_id in result.out
    assert client.record_keys()[0].key_id in result.out


def test_json_has_one_object_for_each_file(run_in_process: RunCommand, record: Path) -> None:
    result = run_in_process("verify", "--json", record.name, record.name)
    assert result.status == 0
    first, second = result.records
    assert first == second
    assert first["holds"] is True
    assert {level["name"]: level["status"] for level in first["levels"]} == dict.fromkeys(LEVELS, "holds")
    assert first["problems"] == []
    assert first["standings"][0]["rank"] == 1


def test_problems_are_reported_with_line_and_level(run_in_process: RunCommand, record: Path, tmp_path: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(b"".join([*lines[:40], *lines[41:]]))
    result = run_in_process("verify", damaged.name, record.name)
    assert result.status == 1, "one record is invalid"
    assert "well-formed: line 41, event 41: the line has event 41 instead of event 40" in result.out
    assert "chained: line 41" in result.out
    assert "Not verified: the record fails at least one check." in result.out
    assert "Verified: the record passes every check." in result.out
    (found,) = run_in_process("verify", "--json", damaged.name).records
    assert found["holds"] is False
    assert {"level", "line", "version", "message"} == set(found["problems"][0])


def test_files_that_are_not_records(run_in_process: RunCommand, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 5000)
    (tmp_path / "long").write_bytes(b"[" * 3_000_000)
    for file in ("empty", "noise", "long", "missing", "."):
        result = run_in_process("verify", file)
        assert result.status == 5, file
        assert file in result.out + result.err


def test_only_accepted_keys_count(run_in_process: RunCommand, record: Path, client: Client) -> None:
    own = client.record_keys()[0].key_id
    assert run_in_process("verify", record.name, "--key", own).status == 0
    assert run_in_process("verify", record.name, "--key", "0" * 64, "--key", f"{own[:16].upper()}…").status == 0
    result = run_in_process("verify", record.name, "--key", "0" * 64)
    assert result.status == 1
    assert "which --key does not accept" in result.out


@pytest.mark.parametrize("key", ["", "…", "...", "3b1f", "0" * 15, "0" * 65, "x" * 64])
def test_a_short_prefix_of_a_key_is_rejected(run_in_process: RunCommand, record: Path, key: str) -> None:
    """An attacker can create keys until one begins with a few given digits."""
    result = run_in_process("verify", record.name, "--key", key)
    assert result.status == 2
    assert "must be the id of a key" in result.err


def test_other_readings_are_reported_and_are_no_failure(run_in_process: RunCommand, tmp_path: Path) -> None:
    result = run_in_process(
        "demo", "--players", "2", "--bots", "random", "--choose", "event_order=simultaneous", "--record", "game.jsonl"
    )
    assert result.status == 0
    assert "boardkeeper verify game.jsonl" in result.err
    result = run_in_process("verify", "game.jsonl")
    assert result.status == 0, result.out
    assert "event_order: simultaneous in this record, clockwise by default today" in result.out
    assert "would differ from event" in result.out


# --- keys ------------------------------------------------------------------------------------------------------


def test_keys_are_listed_by_their_ids(
    run_in_process: RunCommand, address: str, client: Client, record: Path, tmp_path: Path
) -> None:
    """The keys of a server, of records imported on another server, and of a file."""
    (own,) = client.record_keys()
    attempts: list[tuple[Any, list[game_pb2.Game]]] = []

    def read_without_changes() -> bool:
        """Return False if bots of other tests have played at the same time."""
        games = [*client.games()]
        (key,) = run_in_process("keys", "--server", address, "--json").records
        attempts.append((key, games))
        return [it.version for it in client.games()] == [it.version for it in games]

    wait_until(read_without_changes)
    key, games = attempts[-1]
    assert (key["key_id"], key["where"], key["does"]) == (own.key_id, address, "signs")
    assert key["records"] == len(games)
    assert key["first_event_time"] == min(f"{to_datetime(it.create_time):%Y-%m-%dT%H:%M:%SZ}" for it in games)
    assert key["last_event_time"] == max(f"{to_datetime(it.update_time):%Y-%m-%dT%H:%M:%SZ}" for it in games)
    first, last = (json.loads(record.read_bytes().splitlines()[at])["time"] / 1000 for at in (1, -2))
    since = "since {:%Y-%m-%d %H:%M} UTC, last {:%Y-%m-%d %H:%M} UTC (first and last event)".format(
        *(datetime.fromtimestamp(it, UTC) for it in (first, last))
    )
    with running_service(tmp_path / "other.db") as other_server:
        assert run_in_process("import", record.name, "--server", other_server).status == 0
        foreign = run_in_process("keys", "--server", other_server)
        unused, _ = run_in_process("keys", "--server", other_server, "--json").records
    assert f"{own.key_id}\n  signed 1 record at {other_server}\n  {since}\n" in foreign.out
    assert f"  signs the games at {other_server}: 0 records\n  in use since: unknown" in foreign.out
    assert (unused["first_event_time"], unused["last_event_time"]) == (None, None)
    assert run_in_process("keys", record.name).out == f"{own.key_id}\n  signed 1 record at {record.name}\n  {since}\n"
    assert run_in_process("verify", "--key", own.key_id, record.name).status == 0
    secret = (tmp_path / "other.db.key").read_text()
    assert not [line for line in secret.splitlines() if line in foreign.out]


def test_the_time_of_first_use_is_unknown_without_valid_event_times(run_in_process: RunCommand, record: Path) -> None:
    """The content of a file is not trusted."""
    lines = record.read_bytes().splitlines(keepends=True)
    for event in (b"[]\n", re.sub(rb'"time":\d+', b'"time":9' + b"9" * 17, lines[1])):
        record.write_bytes(b"".join([lines[0], event, *lines[2:]]))
        result = run_in_process("keys", record.name, "--json")
        assert (result.status, result.records[0]["first_event_time"], result.records[0]["records"]) == (0, None, 1)
    record.write_bytes(lines[-1])
    assert "in use since: unknown" in run_in_process("keys", record.name).out


def test_an_unsigned_file_is_reported(run_in_process: RunCommand, record: Path) -> None:
    record.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:-1]))
    result = run_in_process("keys", record.name)
    assert result.status == 1
    assert "game.jsonl is not a complete record: its last line has no signature." in result.err
    record.write_bytes(b"")
    assert run_in_process("keys", record.name).status == 1
    assert "cannot read missing.jsonl" in run_in_process("keys", "missing.jsonl").err


# --- import ----------------------------------------------------------------------------------------------------


def test_a_game_is_imported_on_another_server(
    run_in_process: RunCommand, record: Path, finished_game: NewGame, tmp_path: Path
) -> None:
    with running_service(tmp_path / "other.db") as other_server:
        (tmp_path / "cut.jsonl").write_bytes(record.read_bytes()[:-200])
        result = run_in_process("import", "cut.jsonl", "--server", other_server)
        assert result.status == 1
        assert "well-formed" in result.err
        result = run_in_process("import", record.name, "--server", other_server)
        assert result.status == 0, result.err
        assert finished_game.game.game_id in result.out
        again = run_in_process("export", finished_game.game.game_id, "--server", other_server)
        assert again.out.encode() == record.read_bytes()
        result = run_in_process("import", record.name, "--server", other_server)
        assert result.status == 1
        assert "already" in result.err
        result = run_in_process("import", "missing.jsonl", "--server", other_server)
        assert result.status == 1
        assert "missing.jsonl" in result.err


def test_the_client_verifies_and_imports_records(client: Client, finished_game: NewGame, tmp_path: Path) -> None:
    game = finished_game.game.game_id
    record = client.record(game)
    assert all(level.status == 1 for level in client.verify_game(game).levels)
    with running_service(tmp_path / "other.db") as address, Client(address) as other_server:
        with pytest.raises(BadRequest) as rejected:
            other_server.import_record(record[:-1])
        assert rejected.value.reason == "RECORD_REFUSED"
        assert rejected.value.values["level"] == "well-formed"
        answer = other_server.import_record(record)
        assert answer.game.imported_key_id == client.record_keys()[0].key_id
        with pytest.raises(AlreadyExists) as exists:
            other_server.import_record(record)
        assert exists.value.reason == "GAME_EXISTS"


async def test_the_asyncio_client_verifies_and_imports_records(
    address: str, finished_game: NewGame, tmp_path: Path
) -> None:
    game = finished_game.game.game_id
    async with AsyncClient(address) as client:
        record = await client.record(game)
        assert (await client.verify_game(game)).events == len(record.splitlines()) - 2
        (key,) = await client.record_keys()
    with running_service(tmp_path / "other.db") as other_server:
        async with AsyncClient(other_server) as client:
            assert (await client.import_record(record)).game.imported_key_id == key.key_id
            with pytest.raises(AlreadyExists):
                await client.import_record(record)


def test_a_record_of_a_seat_names_the_seat(client: Client) -> None:
    new = client.create_game("orleans", [person("Ada"), person("Bo")])
    headers = [json.loads(seat.record().splitlines()[0]) for seat in new.seats]
    assert [header["viewer"] for header in headers] == ["seat.1", "seat.2"]
