"""Records at the command line and through the clients: export, verify without a service, import elsewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.client.conftest import Ran
from tests.waiting import wait_until

from boardkeeper.client import Client, NewGame, person, record_page
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.errors import AlreadyExists, BadRequest
from boardkeeper.client.timestamps import to_datetime
from boardkeeper.game.audit import LEVELS
from boardkeeper.service.process.server import running_service
from boardkeeper.terminal.record_checks import UNSETTLED
from boardkeeper.v1 import game_pb2
from pack_client import archive_of, packed

Run = Callable[..., Ran]

pytestmark = pytest.mark.socket

OPERATOR_TOKEN = "an operator's token of forty characters!"


@pytest.fixture
def record(client: Client, ended: NewGame, tmp_path: Path) -> Path:
    """The record of a finished game, in the folder where the command line runs."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(client.record(ended.game.game_id))
    return path


# --- export ----------------------------------------------------------------------------------------------------


def test_a_game_is_exported_to_a_file_or_to_a_pipe(
    inside: Run, address: str, ended: NewGame, record: Path, tmp_path: Path
) -> None:
    ran = inside("export", ended.game.game_id[:13], "--out", "saved.jsonl", "--server", address)
    assert (ran.status, ran.out) == (0, "")
    assert "complete" in ran.err
    assert (tmp_path / "saved.jsonl").read_bytes() == record.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"saved.jsonl", "game.jsonl"}, "nothing is left half-written"
    piped = inside("export", ended.game.game_id, "--server", address)
    assert piped.out.encode() == record.read_bytes()


def test_a_game_is_exported_as_a_page_with_the_record_in_it(
    inside: Run, address: str, ended: NewGame, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer = tmp_path / "viewer.html"
    viewer.write_text('<body><div id="app"></div><script>"<div id=\\"app\\"></div>"</script></body>')
    monkeypatch.setattr(record_page, "VIEWER", viewer)
    ran = inside("export", ended.game.game_id, "--html", "game.html", "--server", address)
    assert (ran.status, ran.out) == (0, "")
    assert "game.html" in ran.err
    before, _, rest = (
        (tmp_path / "game.html").read_bytes().partition(b'<script type="application/jsonl" id="record">\n')
    )
    held, _, after = rest.partition(b"</script>")
    assert held == record.read_bytes()  # which has nothing in it that could be markup
    assert before + after == viewer.read_bytes()


def test_nothing_in_a_record_becomes_markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    viewer = tmp_path / "viewer.html"
    viewer.write_text('<div id="app"></div>')
    monkeypatch.setattr(record_page, "VIEWER", viewer)
    page = record_page.with_record(b'{"command_id":"</script><!--<script>"}\n')
    assert page.count(b"<") == viewer.read_bytes().count(b"<") + 2, "those of the element itself"


def test_a_wheel_has_the_viewer_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "viewer"
    folder.mkdir()
    (folder / "viewer.html").write_text('<div id="app"></div>')
    monkeypatch.setattr(record_page, "VIEWER", folder / "viewer.html")
    page = record_page.with_record(b"{}\n")
    archive_of(folder).write_bytes(packed(folder))
    shutil.rmtree(folder)
    assert record_page.with_record(b"{}\n") == page


def test_without_the_viewer_it_is_said_how_to_build_it(
    inside: Run, address: str, ended: NewGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_page, "VIEWER", tmp_path / "nothing" / "viewer.html")
    ran = inside("export", ended.game.game_id, "--html", "game.html", "--server", address)
    assert ran.status == 1
    assert "make viewer" in ran.err
    assert not (tmp_path / "game.html").exists()


def test_of_a_running_game_everybody_gets_what_he_may_know(inside: Run, tmp_path: Path) -> None:
    with running_service(tmp_path / "own.db", operator_token=OPERATOR_TOKEN) as address:
        with Client(address) as client:
            game = client.create_game("orleans", [person("Ada"), person("Bo")]).game.game_id
        spectator = inside("export", game, "--out", "a.jsonl", "--server", address)
        operator = inside(
            "export", game, "--out", "b.jsonl", "--server", address, BOARDKEEPER_OPERATOR_TOKEN=OPERATOR_TOKEN
        )
        stranger = inside("export", game, "--server", address, BOARDKEEPER_OPERATOR_TOKEN="x" * 40)
    assert "as a spectator" in spectator.err
    assert "operator" in operator.err
    if os.name != "nt":  # what an operator may know is for nobody else who can look into the folder
        usual = tmp_path / "usual"
        usual.touch()
        modes = [stat.S_IMODE((tmp_path / file).stat().st_mode) for file in ("a.jsonl", "b.jsonl")]
        assert modes == [stat.S_IMODE(usual.stat().st_mode), 0o600]
    assert stranger.status == 1
    ran = inside("verify", "a.jsonl", "b.jsonl", "--json")
    assert ran.status == UNSETTLED
    assert [found["viewer"] for found in ran.records] == ["spectator", "whole"]
    assert [found["fails"] for found in ran.records] == [False, False]


def test_a_file_that_cannot_be_written_is_said_at_once(inside: Run, address: str, ended: NewGame) -> None:
    for file in ("nowhere/game.jsonl", "."):
        ran = inside("export", ended.game.game_id, "--out", file, "--server", address)
        assert ran.status == 1
        assert file in ran.err
        ran = inside("demo", "--record", file)
        assert ran.status == 1
        assert ran.out == ""


# --- verify ----------------------------------------------------------------------------------------------------


def test_a_record_is_verified_with_no_service(inside: Run, record: Path, ended: NewGame, client: Client) -> None:
    ran = inside("verify", record.name)
    assert ran.status == 0, ran.out
    for level in LEVELS:
        assert f"  {level:<12} holds" in ran.out
    assert "Verified: the record passes every check." in ran.out
    assert ended.game.game_id in ran.out
    assert client.record_keys()[0].key_id in ran.out


def test_programs_get_one_object_for_each_file(inside: Run, record: Path) -> None:
    ran = inside("verify", "--json", record.name, record.name)
    assert ran.status == 0
    first, second = ran.records
    assert first == second
    assert first["holds"] is True
    assert {level["name"]: level["status"] for level in first["levels"]} == dict.fromkeys(LEVELS, "holds")
    assert first["problems"] == []
    assert first["standings"][0]["rank"] == 1


def test_what_is_wrong_is_named_with_its_line_and_level(inside: Run, record: Path, tmp_path: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(b"".join([*lines[:40], *lines[41:]]))
    ran = inside("verify", damaged.name, record.name)
    assert ran.status == 1, "one of them does not hold"
    assert "well-formed: line 41, event 41: the line has event 41 instead of event 40" in ran.out
    assert "chained: line 41" in ran.out
    assert "Not verified: the record fails at least one check." in ran.out
    assert "Verified: the record passes every check." in ran.out
    (found,) = inside("verify", "--json", damaged.name).records
    assert found["holds"] is False
    assert {"level", "line", "version", "message"} == set(found["problems"][0])


def test_nonsense_is_no_record(inside: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 5000)
    (tmp_path / "long").write_bytes(b"[" * 3_000_000)
    for file in ("empty", "noise", "long", "missing", "."):
        ran = inside("verify", file)
        assert ran.status == 5, file
        assert file in ran.out + ran.err


def test_only_the_keys_that_one_trusts_count(inside: Run, record: Path, client: Client) -> None:
    own = client.record_keys()[0].key_id
    assert inside("verify", record.name, "--key", own).status == 0
    assert inside("verify", record.name, "--key", "0" * 64, "--key", f"{own[:16].upper()}…").status == 0
    ran = inside("verify", record.name, "--key", "0" * 64)
    assert ran.status == 1
    assert "which --key does not accept" in ran.out


@pytest.mark.parametrize("key", ["", "…", "...", "3b1f", "0" * 15, "0" * 65, "x" * 64])
def test_no_key_is_trusted_for_a_few_digits(inside: Run, record: Path, key: str) -> None:
    """Anybody can make keys until one begins with the few digits that are asked for."""
    ran = inside("verify", record.name, "--key", key)
    assert ran.status == 2
    assert "must be the id of a key" in ran.err


def test_other_readings_are_told_and_are_no_failure(inside: Run, tmp_path: Path) -> None:
    ran = inside(
        "demo", "--players", "2", "--bots", "random", "--choose", "event_order=simultaneous", "--record", "game.jsonl"
    )
    assert ran.status == 0
    assert "boardkeeper verify game.jsonl" in ran.err
    ran = inside("verify", "game.jsonl")
    assert ran.status == 0, ran.out
    assert "event_order: simultaneous in this record, clockwise by default today" in ran.out
    assert "would differ from event" in ran.out


# --- keys ------------------------------------------------------------------------------------------------------


def test_keys_are_listed_by_their_ids(inside: Run, address: str, client: Client, record: Path, tmp_path: Path) -> None:
    """Of the service that signs, of what was brought to another one, and of a record by itself."""
    (own,) = client.record_keys()
    looks: list[tuple[Any, list[game_pb2.Game]]] = []

    def stood_still() -> bool:
        """Bots of other tests may be playing there."""
        games = [*client.games()]
        (told,) = inside("keys", "--server", address, "--json").records
        looks.append((told, games))
        return [it.version for it in client.games()] == [it.version for it in games]

    wait_until(stood_still)
    told, games = looks[-1]
    assert (told["key_id"], told["where"], told["does"]) == (own.key_id, address, "signs")
    assert told["records"] == len(games)
    assert told["first_event_time"] == min(f"{to_datetime(it.create_time):%Y-%m-%dT%H:%M:%SZ}" for it in games)
    assert told["last_event_time"] == max(f"{to_datetime(it.update_time):%Y-%m-%dT%H:%M:%SZ}" for it in games)
    first, last = (json.loads(record.read_bytes().splitlines()[at])["time"] / 1000 for at in (1, -2))
    since = "since {:%Y-%m-%d %H:%M} UTC, last {:%Y-%m-%d %H:%M} UTC (first and last event)".format(
        *(datetime.fromtimestamp(it, UTC) for it in (first, last))
    )
    with running_service(tmp_path / "other.db") as elsewhere:
        assert inside("import", record.name, "--server", elsewhere).status == 0
        foreign = inside("keys", "--server", elsewhere)
        unused, _ = inside("keys", "--server", elsewhere, "--json").records
    assert f"{own.key_id}\n  signed 1 record at {elsewhere}\n  {since}\n" in foreign.out
    assert f"  signs the games at {elsewhere}: 0 records\n  in use since: unknown" in foreign.out
    assert (unused["first_event_time"], unused["last_event_time"]) == (None, None)
    assert inside("keys", record.name).out == f"{own.key_id}\n  signed 1 record at {record.name}\n  {since}\n"
    assert inside("verify", "--key", own.key_id, record.name).status == 0
    secret = (tmp_path / "other.db.key").read_text()
    assert not [line for line in secret.splitlines() if line in foreign.out]


def test_since_when_is_unknown_of_a_record_that_does_not_say_it(inside: Run, record: Path) -> None:
    """What a file says is not believed to be anything: it may be of any program."""
    lines = record.read_bytes().splitlines(keepends=True)
    for event in (b"[]\n", re.sub(rb'"time":\d+', b'"time":9' + b"9" * 17, lines[1])):
        record.write_bytes(b"".join([lines[0], event, *lines[2:]]))
        ran = inside("keys", record.name, "--json")
        assert (ran.status, ran.records[0]["first_event_time"], ran.records[0]["records"]) == (0, None, 1)
    record.write_bytes(lines[-1])
    assert "in use since: unknown" in inside("keys", record.name).out


def test_a_file_that_no_key_signed_is_named(inside: Run, record: Path) -> None:
    record.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:-1]))
    ran = inside("keys", record.name)
    assert ran.status == 1
    assert "game.jsonl is not a complete record: its last line has no signature." in ran.err
    record.write_bytes(b"")
    assert inside("keys", record.name).status == 1
    assert "cannot read missing.jsonl" in inside("keys", "missing.jsonl").err


# --- import ----------------------------------------------------------------------------------------------------


def test_a_game_is_brought_to_a_service_that_never_saw_it(
    inside: Run, record: Path, ended: NewGame, tmp_path: Path
) -> None:
    with running_service(tmp_path / "elsewhere.db") as elsewhere:
        (tmp_path / "cut.jsonl").write_bytes(record.read_bytes()[:-200])
        ran = inside("import", "cut.jsonl", "--server", elsewhere)
        assert ran.status == 1
        assert "well-formed" in ran.err
        ran = inside("import", record.name, "--server", elsewhere)
        assert ran.status == 0, ran.err
        assert ended.game.game_id in ran.out
        again = inside("export", ended.game.game_id, "--server", elsewhere)
        assert again.out.encode() == record.read_bytes()
        ran = inside("import", record.name, "--server", elsewhere)
        assert ran.status == 1
        assert "already" in ran.err
        ran = inside("import", "missing.jsonl", "--server", elsewhere)
        assert ran.status == 1
        assert "missing.jsonl" in ran.err


def test_the_client_does_the_same(client: Client, ended: NewGame, tmp_path: Path) -> None:
    game = ended.game.game_id
    record = client.record(game)
    assert all(level.status == 1 for level in client.verify_game(game).levels)
    with running_service(tmp_path / "elsewhere.db") as address, Client(address) as elsewhere:
        with pytest.raises(BadRequest) as refused:
            elsewhere.import_record(record[:-1])
        assert refused.value.reason == "RECORD_REFUSED"
        assert refused.value.values["level"] == "well-formed"
        answer = elsewhere.import_record(record)
        assert answer.game.imported_key_id == client.record_keys()[0].key_id
        with pytest.raises(AlreadyExists) as exists:
            elsewhere.import_record(record)
        assert exists.value.reason == "GAME_EXISTS"


async def test_the_client_for_asyncio_does_too(address: str, ended: NewGame, tmp_path: Path) -> None:
    game = ended.game.game_id
    async with AsyncClient(address) as client:
        record = await client.record(game)
        assert (await client.verify_game(game)).events == len(record.splitlines()) - 2
        (key,) = await client.record_keys()
    with running_service(tmp_path / "elsewhere.db") as elsewhere:
        async with AsyncClient(elsewhere) as client:
            assert (await client.import_record(record)).game.imported_key_id == key.key_id
            with pytest.raises(AlreadyExists):
                await client.import_record(record)


def test_a_seats_record_is_its_own(client: Client) -> None:
    new = client.create_game("orleans", [person("Ada"), person("Bo")])
    headers = [json.loads(seat.record().splitlines()[0]) for seat in new.seats]
    assert [header["viewer"] for header in headers] == ["seat.1", "seat.2"]
