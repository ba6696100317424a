"""Whatever a file holds, whoever is asked to check it gives a clear verdict: soon, and in little memory.

``boardkeeper verify`` and the verifier in TypeScript run as processes of their own that may have so much memory and so
much time; a service takes the same bytes over its socket. Small bombs go off in every run of the tests, the large ones
in ``make soak``.
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
from tests.campaign.bombs import BOMBS, KEY, damaged
from tests.client.verifier import Verifier
from tests.game.records import load_title
from tests.kit.adapters import adapters
from tests.service.api_server import error_details, run_server

from boardkeeper.game.audit import LEVELS, Report, audit
from boardkeeper.game.record import LARGEST_IMPORT, sealer, write_record
from boardkeeper.game.record_reading import split_lines
from boardkeeper.game.record_replay import MOST_UNDONE
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import ID, SECRET
from boardkeeper.testkit.histories import histories
from boardkeeper.v1 import game_pb2, games_pb2, history_pb2
from boardkeeper.wire.signatures import verify

MEMORY = 1 << 30
"""How many bytes a process may have that checks records, its interpreter and libraries included."""

SECONDS = 120
"""What checking one record may take, on a machine that has other things to do; it takes some ten seconds at most."""

SMALL = 40_000

TITLES = [pytest.param(it, id=it.id) for it in adapters()]


def by_command(files: list[Path], seconds: float) -> list[dict[str, Any]]:
    """What ``boardkeeper verify`` says of files."""
    command = [sys.executable, "-m", "boardkeeper", "verify", "--json", *map(str, files)]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, preexec_fn=limit)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(files)
    return found


def expect_verdict(found: dict[str, Any]) -> None:
    """It fails, and says where and why."""
    assert not found["holds"]
    assert found["fails"], found
    assert found["problems"]
    for problem in found["problems"]:
        assert 0 < len(problem["message"]) <= 300
        assert problem["message"].isprintable()


async def expect_refusal(address: str, data: bytes) -> None:
    """A service refuses a record with the same kind of verdict, and goes on answering others meanwhile."""
    async with grpc.aio.insecure_channel(address) as channel:
        take_in: Any = channel.stream_unary(
            "/boardkeeper.v1.History/ImportRecord",
            request_serializer=history_pb2.ImportRecordRequest.SerializeToString,
            response_deserializer=history_pb2.ImportRecordResponse.FromString,
        )
        pieces = (history_pb2.ImportRecordRequest(data=data[at : at + 100_000]) for at in range(0, len(data), 100_000))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await take_in(pieces)
    found = error_details(caught.value)
    assert (found.code, found.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "RECORD_REFUSED"), caught.value
    assert found.values["level"] in LEVELS
    assert 0 < len(found.values["problem"]) <= 300
    assert found.values["problem"].isprintable()


def stored(path: Path) -> dict[str, int]:
    """How many rows each table of a service's file has."""
    with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        return {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}


def some_record(adapter: Adapter, chance: Random) -> bytes:
    """The record of some game of a title, over or not, a fork or not, for whomever."""
    events = chance.choice(list(histories(adapter, chance.choice(adapter.players)).values()))
    viewer = chance.choice([OPERATOR, OPERATOR, SPECTATOR, 1])
    return b"".join(write_record(ID, events, SECRET, sealer(KEY), viewer))


def hurt(record: bytes, chance: Random, many: int) -> list[bytes]:
    """So many ways in which it is damaged, but those that change nothing."""
    return [it for it in (damaged(record, chance) for _ in range(many)) if it != record]


# --- in every run ----------------------------------------------------------------------------------------------


def test_small_bombs_end_in_a_verdict_everywhere(tmp_path: Path, verifier: Verifier) -> None:
    records = [bomb(SMALL) for bomb in BOMBS.values()]
    files = [tmp_path / f"{at}.jsonl" for at in range(len(records))]
    for file, data in zip(files, records, strict=True):
        file.write_bytes(data)
    for found in by_command(files, SECONDS * len(files)):
        expect_verdict(found)
    for name, said in zip(BOMBS, verifier(records), strict=True):
        assert said["holds"] == (name.partition(",")[0] in SOUND), (name, said)


SOUND = {
    "draws of nothing",
    "shuffles of nothing",
    "one at a time",
    "a screen for sixteen",
    "reveals",
    "events of nothing",
    "its own table to and fro",
    "its own table heaped up",
    "its own table beyond all bounds",
}
"""Of a small size these are chained, signed and fair, which is all that the verifier in TypeScript looks at."""


@pytest.mark.socket
async def test_a_service_refuses_small_bombs_and_keeps_nothing_of_them(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with run_server(path) as api:
        before = stored(path)
        for bomb in BOMBS.values():
            await expect_refusal(api.address, bomb(SMALL))
        assert stored(path) == before
        assert before["stored_events"] == 0


@pytest.mark.socket
@pytest.mark.parametrize("adapter", TITLES)
async def test_a_service_refuses_damaged_records_and_keeps_nothing_of_them(adapter: Adapter, tmp_path: Path) -> None:
    await expect_damage_refused(adapter, 0, 10, tmp_path / "games.db")


@pytest.mark.socket
@pytest.mark.parametrize("adapter", TITLES)
async def test_a_service_takes_in_no_game_that_is_not_over_or_not_told_as_a_whole(
    adapter: Adapter, tmp_path: Path
) -> None:
    games = histories(adapter, adapter.players[0])
    partly = [
        b"".join(write_record(ID, events, SECRET, sealer(KEY), viewer))
        for became, events in games.items()
        for viewer in (OPERATOR, SPECTATOR, 1)
        if viewer != OPERATOR or "unfinished" in became
    ]
    path = tmp_path / "games.db"
    async with run_server(path) as api:
        before = stored(path)
        for data in partly:
            assert not audited(data).fails
            await expect_refusal(api.address, data)
        assert stored(path) == before


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("adapter", TITLES)
def test_damage_is_found_by_both_verifiers(adapter: Adapter, seed: int, verifier: Verifier) -> None:
    expect_damage_found(adapter, seed, 10, verifier)


def test_undos_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.game.records import check, with_undos

    from boardkeeper.testkit.games import record

    lines = record(with_undos(3))
    assert check(lines).holds
    assert MOST_UNDONE > 1_000_000
    monkeypatch.setattr("boardkeeper.game.record_replay.MOST_UNDONE", 3)
    report = check(lines)
    assert report.fails
    assert "too many events to check" in report.problems[0].message


def expect_damage_found(adapter: Adapter, seed: int, many: int, verifier: Verifier) -> None:
    chance = Random(seed)
    whole = some_record(adapter, chance)
    assert not audited(whole).fails, f"seed {seed}"
    records = hurt(whole, chance, many)
    for data in records:
        assert audited(data).fails, f"seed {seed}"
    sound, *found = verifier([whole, *records])
    assert sound["holds"]
    assert not any(it["holds"] for it in found), f"seed {seed}"


async def expect_damage_refused(adapter: Adapter, seed: int, many: int, path: Path) -> None:
    chance = Random(seed)
    async with run_server(path) as api:
        before = stored(path)
        for data in hurt(some_record(adapter, chance), chance, many):
            await expect_refusal(api.address, data)
        assert stored(path) == before, f"seed {seed}"


def audited(data: bytes) -> Report:
    return audit(split_lines([data]), load_title, verify)


# --- by the megabyte, and by the thousand ----------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize("name", BOMBS)
def test_soak_a_large_bomb_ends_in_a_verdict_everywhere(name: str, tmp_path: Path, verifier: Verifier) -> None:
    data = BOMBS[name](LARGEST_IMPORT - 5000)
    file = tmp_path / "bomb.jsonl"
    file.write_bytes(data)
    times = {}
    begun = time.monotonic()
    (found,) = by_command([file], SECONDS)
    expect_verdict(found)
    times["verify"] = time.monotonic() - begun
    begun = time.monotonic()
    verifier([data])
    times["TypeScript"] = time.monotonic() - begun
    print(f"{name}: {len(data)} bytes, {', '.join(f'{who} {it:.1f} s' for who, it in times.items())}")  # noqa: T201
    assert max(times.values()) < SECONDS


@pytest.mark.soak
@pytest.mark.socket
@pytest.mark.parametrize("name", BOMBS)
async def test_soak_a_service_refuses_a_large_bomb_and_answers_others(name: str, tmp_path: Path) -> None:
    data = BOMBS[name](LARGEST_IMPORT - 5000)
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create()
        refusing = asyncio.create_task(expect_refusal(api.address, data))
        slowest = 0.0
        while not refusing.done():
            begun = time.monotonic()
            assert (await api.game(game.game_id)).status == game_pb2.GAME_STATUS_RUNNING
            slowest = max(slowest, time.monotonic() - begun)
            await asyncio.sleep(0.02)
        await refusing
        print(f"{name}: others waited {slowest:.2f} s at most")  # noqa: T201
        listed = await api.games.ListGames(games_pb2.ListGamesRequest())
        assert [it.game_id for it in listed.games] == [game.game_id]


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 140))
@pytest.mark.parametrize("adapter", TITLES)
def test_soak_damage_is_found_by_both_verifiers(adapter: Adapter, seed: int, verifier: Verifier) -> None:
    expect_damage_found(adapter, seed, 60, verifier)


@pytest.mark.soak
@pytest.mark.socket
@pytest.mark.parametrize("seed", range(100, 120))
@pytest.mark.parametrize("adapter", TITLES)
async def test_soak_a_service_refuses_damaged_records(adapter: Adapter, seed: int, tmp_path: Path) -> None:
    await expect_damage_refused(adapter, seed, 60, tmp_path / "games.db")
