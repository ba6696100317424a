"""Checks of hostile files end with a clear verdict, in limited time and memory.

``boardkeeper verify`` and the verifier in TypeScript run as processes with limits of memory and time. A service
imports the same bytes over its socket. Large bombs are only used in ``make soak``.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from tests.campaign.bombs import BOMBS, KEY, damage
from tests.client.verifier import Verifier
from tests.game.records import load_title
from tests.kit.adapters import adapters
from tests.service.api_server import error_details, run_server

from boardkeeper.game.audit import LEVELS, Report, audit
from boardkeeper.game.record import MAX_IMPORT_BYTES, sealer, write_record
from boardkeeper.game.record_reading import split_lines
from boardkeeper.game.record_replay import MAX_UNDONE_EFFECTS
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import ID, SECRET
from boardkeeper.testkit.histories import histories
from boardkeeper.v1 import game_pb2, games_pb2, history_pb2
from boardkeeper.wire.signatures import verify

MEMORY = 1 << 30
"""The address space of a process that checks records, in bytes."""

SECONDS = 120
"""The time limit for one record. A check takes about ten seconds at most; the machine may be busy."""

SMALL = 40_000

TITLES = [pytest.param(it, id=it.id) for it in adapters()]


def verify_by_command(files: list[Path], seconds: float) -> list[dict[str, Any]]:
    """Return the output of ``boardkeeper verify`` for files that fail."""
    command = [sys.executable, "-m", "boardkeeper", "verify", "--json", *map(str, files)]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, preexec_fn=limit)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(files)
    return found


def check_verdict(found: dict[str, Any]) -> None:
    """Check that the record fails and that its problems have readable messages."""
    assert not found["holds"]
    assert found["fails"], found
    assert found["problems"]
    for problem in found["problems"]:
        assert 0 < len(problem["message"]) <= 300
        assert problem["message"].isprintable()


async def expect_rejection(address: str, data: bytes) -> None:
    """Import a record, which the service must reject with a clear problem."""
    async with grpc.aio.insecure_channel(address) as channel:
        import_record: Any = channel.stream_unary(
            "/boardkeeper.v1.History/ImportRecord",
            request_serializer=history_pb2.ImportRecordRequest.SerializeToString,
            response_deserializer=history_pb2.ImportRecordResponse.FromString,
        )
        pieces = (history_pb2.ImportRecordRequest(data=data[at : at + 100_000]) for at in range(0, len(data), 100_000))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await import_record(pieces)
    found = error_details(caught.value)
    assert (found.code, found.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "RECORD_REFUSED"), caught.value
    assert found.values["level"] in LEVELS
    assert 0 < len(found.values["problem"]) <= 300
    assert found.values["problem"].isprintable()


def count_rows(path: Path) -> dict[str, int]:
    """Return the number of rows of each table of a SQLite file."""
    with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        return {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}


def random_record(adapter: Adapter, chance: Random) -> bytes:
    """Return the record of a random game of a title, ended or not, a fork or not, for a random viewer."""
    events = chance.choice(list(histories(adapter, chance.choice(adapter.players)).values()))
    viewer = chance.choice([OPERATOR, OPERATOR, SPECTATOR, 1])
    return b"".join(write_record(ID, events, SECRET, sealer(KEY), viewer))


def damaged_copies(record: bytes, chance: Random, number: int) -> list[bytes]:
    """Damage copies of a record at random; leave out copies that are the same as the record."""
    return [it for it in (damage(record, chance) for _ in range(number)) if it != record]


# --- small records ---------------------------------------------------------------------------------------------


def test_both_verifiers_give_a_verdict_on_small_bombs(tmp_path: Path, verifier: Verifier) -> None:
    records = [bomb(SMALL) for bomb in BOMBS.values()]
    files = [tmp_path / f"{at}.jsonl" for at in range(len(records))]
    for file, data in zip(files, records, strict=True):
        file.write_bytes(data)
    for found in verify_by_command(files, SECONDS * len(files)):
        check_verdict(found)
    for name, result in zip(BOMBS, verifier(records), strict=True):
        assert result["holds"] == (name.partition(",")[0] in SOUND), (name, result)


SOUND = {
    "draws of nothing",
    "shuffles of nothing",
    "one component back and forth",
    "hidden zones of sixteen seats",
    "reveals",
    "events without effects",
    "the starting table back and forth",
    "the starting table multiplied",
    "the starting table with extreme markers",
}
"""Small bombs with a valid chain, signature and dice: the verifier in TypeScript does not check more."""


@pytest.mark.socket
async def test_service_rejects_small_bombs_and_stores_nothing(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with run_server(path) as api:
        before = count_rows(path)
        for bomb in BOMBS.values():
            await expect_rejection(api.address, bomb(SMALL))
        assert count_rows(path) == before
        assert before["stored_events"] == 0


@pytest.mark.socket
@pytest.mark.parametrize("adapter", TITLES)
async def test_service_rejects_damaged_records_and_stores_nothing(adapter: Adapter, tmp_path: Path) -> None:
    await check_damage_is_rejected(adapter, 0, 10, tmp_path / "games.db")


@pytest.mark.socket
@pytest.mark.parametrize("adapter", TITLES)
async def test_service_rejects_records_of_unfinished_games_and_redacted_records(
    adapter: Adapter, tmp_path: Path
) -> None:
    games = histories(adapter, adapter.players[0])
    records = [
        b"".join(write_record(ID, events, SECRET, sealer(KEY), viewer))
        for name, events in games.items()
        for viewer in (OPERATOR, SPECTATOR, 1)
        if viewer != OPERATOR or "unfinished" in name
    ]
    path = tmp_path / "games.db"
    async with run_server(path) as api:
        before = count_rows(path)
        for data in records:
            assert not audit_record(data).fails
            await expect_rejection(api.address, data)
        assert count_rows(path) == before


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("adapter", TITLES)
def test_damage_is_found_by_both_verifiers(adapter: Adapter, seed: int, verifier: Verifier) -> None:
    check_damage_is_found(adapter, seed, 10, verifier)


def test_record_with_too_many_undos_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.game.records import check, game_with_undos

    from boardkeeper.testkit.games import record

    lines = record(game_with_undos(3))
    assert check(lines).holds
    assert MAX_UNDONE_EFFECTS > 1_000_000
    monkeypatch.setattr("boardkeeper.game.record_replay.MAX_UNDONE_EFFECTS", 3)
    report = check(lines)
    assert report.fails
    assert "too many events to check" in report.problems[0].message


def check_damage_is_found(adapter: Adapter, seed: int, number: int, verifier: Verifier) -> None:
    chance = Random(seed)
    record = random_record(adapter, chance)
    assert not audit_record(record).fails, f"seed {seed}"
    records = damaged_copies(record, chance, number)
    for data in records:
        assert audit_record(data).fails, f"seed {seed}"
    original, *found = verifier([record, *records])
    assert original["holds"]
    assert not any(it["holds"] for it in found), f"seed {seed}"


async def check_damage_is_rejected(adapter: Adapter, seed: int, number: int, path: Path) -> None:
    chance = Random(seed)
    async with run_server(path) as api:
        before = count_rows(path)
        for data in damaged_copies(random_record(adapter, chance), chance, number):
            await expect_rejection(api.address, data)
        assert count_rows(path) == before, f"seed {seed}"


def audit_record(data: bytes) -> Report:
    return audit(split_lines([data]), load_title, verify)


# --- large and many records ------------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize("name", BOMBS)
def test_soak_both_verifiers_give_a_verdict_on_a_large_bomb(name: str, tmp_path: Path, verifier: Verifier) -> None:
    data = BOMBS[name](MAX_IMPORT_BYTES - 5000)
    file = tmp_path / "bomb.jsonl"
    file.write_bytes(data)
    times = {}
    start = time.monotonic()
    (found,) = verify_by_command([file], SECONDS)
    check_verdict(found)
    times["verify"] = time.monotonic() - start
    start = time.monotonic()
    verifier([data])
    times["TypeScript"] = time.monotonic() - start
    print(f"{name}: {len(data)} bytes, {', '.join(f'{name} {it:.1f} s' for name, it in times.items())}")  # noqa: T201
    assert max(times.values()) < SECONDS


@pytest.mark.soak
@pytest.mark.socket
@pytest.mark.parametrize("name", BOMBS)
async def test_soak_service_answers_other_calls_while_it_rejects_a_large_bomb(name: str, tmp_path: Path) -> None:
    data = BOMBS[name](MAX_IMPORT_BYTES - 5000)
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create()
        rejection = asyncio.create_task(expect_rejection(api.address, data))
        slowest = 0.0
        while not rejection.done():
            start = time.monotonic()
            assert (await api.game(game.game_id)).status == game_pb2.GAME_STATUS_RUNNING
            slowest = max(slowest, time.monotonic() - start)
            await asyncio.sleep(0.02)
        await rejection
        print(f"{name}: other calls waited {slowest:.2f} s at most")  # noqa: T201
        listed = await api.games.ListGames(games_pb2.ListGamesRequest())
        assert [it.game_id for it in listed.games] == [game.game_id]


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 140))
@pytest.mark.parametrize("adapter", TITLES)
def test_soak_damage_is_found_by_both_verifiers(adapter: Adapter, seed: int, verifier: Verifier) -> None:
    check_damage_is_found(adapter, seed, 60, verifier)


@pytest.mark.soak
@pytest.mark.socket
@pytest.mark.parametrize("seed", range(100, 120))
@pytest.mark.parametrize("adapter", TITLES)
async def test_soak_service_rejects_damaged_records(adapter: Adapter, seed: int, tmp_path: Path) -> None:
    await check_damage_is_rejected(adapter, seed, 60, tmp_path / "games.db")
