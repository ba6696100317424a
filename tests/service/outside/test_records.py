"""Records of a title of another package: they name the package with the rules, and are verified with and without it."""

from __future__ import annotations

import json
import random
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.client.verifier import Verifier
from tests.service.api.test_records import get_record, import_record
from tests.service.api_server import Api, run_server
from tests.service.outside.test_service import created

from boardkeeper.game.audit import HOLDS, NOT_CHECKED, Report, audit
from boardkeeper.game.record_reading import split_lines
from boardkeeper.table.recorder import Recorder
from boardkeeper.titles import registry
from boardkeeper.titles.registry import Source, load_title
from boardkeeper.v1 import history_pb2
from boardkeeper.wire.signatures import verify


async def finished(api: Api) -> str:
    game, tokens = await created(api)
    chance = random.Random(3)
    while await api.play_turn(game.game_id, tokens, chance):
        pass
    return game.game_id


def audited(record: bytes) -> Report:
    return audit(split_lines([record]), load_title, verify)


def of_version(version: str, patch: pytest.MonkeyPatch) -> None:
    loaded = registry._outside["pebbles"]
    patch.setitem(registry._outside, "pebbles", registry._Outside(loaded.title, Source("pebbles", version)))


@pytest.mark.databases
async def test_a_record_names_the_package_and_is_imported_elsewhere(
    site: Path, tmp_path: Path, verifier: Verifier
) -> None:
    (tmp_path / "elsewhere").mkdir()
    async with (
        run_server(tmp_path / "games.db", titles="pebbles") as api,
        run_server(tmp_path / "elsewhere" / "games.db", titles="pebbles") as other,
    ):
        game_id = await finished(api)
        record = await get_record(api, game_id)
        first = json.loads(record.splitlines()[1])["event"]["detail"]
        assert first["title_build"] == "pebbles 1.4"
        answer = await api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game_id))
        assert answer.verification.title_build == "pebbles 1.4"
        assert not answer.verification.problems
        events = await api.events(game_id)
        assert events[0].detail.game_created.title_build == "pebbles 1.4"
        imported = await import_record(other, record)
        assert imported.game.game_id == game_id
    assert audited(record).holds
    (judged,) = verifier([record])
    assert judged["holds"], judged


async def test_our_records_name_no_package(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create()
        record = await get_record(api, game.game_id)
    assert b"title_build" not in record


async def test_a_record_is_verified_without_the_title_and_with_other_versions(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_server(tmp_path / "games.db", titles="pebbles") as api:
        record = await get_record(api, await finished(api))

    def decided() -> tuple[str, str]:
        report = audited(record)
        assert report.title_build == "pebbles 1.4"
        assert not report.problems
        assert {level.status for level in report.levels[:-1]} == {HOLDS}
        return report.levels[-1].status, report.levels[-1].note

    of_version("1.5", monkeypatch)
    status, note = decided()
    assert (status, note.partition("; ")[2]) == (
        HOLDS, "the game was played with pebbles 1.4, this program has pebbles 1.5",
    )  # fmt: skip
    forget_turns(monkeypatch)
    status, note = decided()
    assert status == NOT_CHECKED
    assert note.endswith("pebbles 1.5, which decides event 6 differently; install pebbles 1.4 to check it")
    monkeypatch.setattr(registry, "_outside", {})
    assert decided() == (
        NOT_CHECKED, "this program does not have the rules of 'pebbles'; the game was played with pebbles 1.4",
    )  # fmt: skip


async def test_rules_of_the_same_version_that_decide_differently_are_a_fault(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_server(tmp_path / "games.db", titles="pebbles") as api:
        record = await get_record(api, await finished(api))
    forget_turns(monkeypatch)
    report = audited(record)
    assert report.fails
    assert [problem.level for problem in report.problems] == ["decided"]


def forget_turns(patch: pytest.MonkeyPatch) -> None:
    """Have the rules count no turns."""
    title: Any = import_module("pebbles_title").PebblesTitle
    play = title.play
    patch.setattr(title, "play", lambda *arguments: forgetful(play(*arguments)))


def forgetful(play: Any) -> Any:

    class Forgetful(Recorder):
        def set(self, marker: Any, value: Any) -> None:
            if marker is not play.turn:
                super().set(marker, value)

    play.recorder = Forgetful(play.table, play.recorder.dice)
    return play
