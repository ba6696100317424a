"""A record on a page without a service: its sentences are the service's, its tables what its viewer sees."""

from __future__ import annotations

import json
import subprocess
from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.golden.games import files

from boardkeeper.game.events import GameEnded, GameEvent
from boardkeeper.game.record import canonical, sealer, write_record
from boardkeeper.game.sentences import sentence
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR, viewer_name
from boardkeeper.table.visible_table import visible_table
from boardkeeper.testkit.golden import created, game_id, read, secret_of
from boardkeeper.testkit.packed_files import name_of
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titles.registry import TITLES, load_title
from boardkeeper.v1 import table_pb2
from boardkeeper.wire.tables import table_to_message
from build_web import EXPORTED, LIBRARY, WEB, build, environment, node

KEY = ServiceKey(Ed25519PrivateKey.generate())
NAMES = ("Anna", "Björn", "", "Dörte", "Émile")


@pytest.fixture(scope="session")
def library(sdk: Path) -> Path:
    """What the browser client knows of titles without a service, beside the compiled SDK."""
    build(EXPORTED)
    return LIBRARY


def made(what: str, records: Sequence[Path]) -> list[Any]:
    """What the page makes of each file."""
    command: list[str | Path] = [
        node(),
        "--experimental-transform-types",
        "--no-warnings",
        "--import",
        "./test/hooks.js",
    ]
    done = subprocess.run(
        [*command, "test/records.ts", what, LIBRARY, *records],
        cwd=WEB, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8",
        timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def as_recorded(event: GameEvent) -> tuple[bytes, GameEvent]:
    """What a line says of an event, and the event as a service has it that read the line: with sorted members."""
    line = canonical({"topic": event.topic, "seat": event.seat, "detail": event.detail})
    detail = msgspec.json.decode(line, type=dict[str, msgspec.Raw])["detail"]
    return line, msgspec.structs.replace(event, detail=msgspec.json.decode(detail, type=type(event.detail)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", TITLES)
def test_every_event_of_every_golden_game_is_told_in_the_service_s_words(
    library: Path, tmp_path: Path, title: str, language: str
) -> None:
    rules = load_title(title)
    records, expected = [], []
    for path in files(title):
        events = read(path)
        names = NAMES[: created(events).setup.players]
        head = {"title": title, "names": names, "called": rules.meta.text[language], "language": language}
        lines, stored = zip(*map(as_recorded, events), strict=True)
        records.append(tmp_path / path.name)
        records[-1].write_bytes(b"\n".join([json.dumps(head).encode(), *lines, b""]))
        expected.append([sentence(language, rules, names, event.seat, event.detail) for event in stored])
    assert records
    for path, told, due in zip(records, made("sentences", records), expected, strict=True):
        assert len(told) == len(due)
        assert [pair for pair in zip(told, due, strict=True) if pair[0] != pair[1]] == [], path.name


@pytest.mark.parametrize("title", TITLES)
def test_a_record_is_folded_to_what_its_viewer_sees(library: Path, tmp_path: Path, title: str) -> None:
    records, viewers = [], []
    for path in files(title)[::9]:
        events = read(path)
        for viewer in (OPERATOR, SPECTATOR, 1):
            records.append(tmp_path / f"{name_of(path)}.{viewer_name(viewer)}.jsonl")
            lines = write_record(game_id(path), events, secret_of(events), sealer(KEY), viewer)
            records[-1].write_bytes(b"".join(lines))
            viewers.append((viewer, events))
    assert records
    for path, found, (viewer, events) in zip(records, made("tables", records), viewers, strict=True):
        assert (found["version"], found["brokenAt"]) == (len(events), 0)
        table = Table(created(events).layout)
        for version, event in enumerate(events, 1):
            table.apply_all(event.effects)
            told = found["tables"].get(str(version))
            if told is not None:
                seen = table_pb2.Table.FromString(b64decode(told))
                assert seen == table_to_message(visible_table(table, viewer)), (path.name, version)
        assert len(found["tables"]) >= len(events) // 13
        last = events[-1].detail
        assert isinstance(last, GameEnded)
        assert found["ranks"] == list(last.ranks)
        assert len(set(found["seats"])) == len(created(events).seats)
        if viewer == OPERATOR:
            assert all(found["sentences"])
