"""A record on a page without a server has the server's sentences and the tables of its viewer."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.client.board_pictures import golden_record
from tests.client.in_node import run_in_node
from tests.golden.games import files

from boardkeeper.game.events import GameEnded, GameEvent
from boardkeeper.game.record import canonical
from boardkeeper.game.sentences import sentence
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR, viewer_name
from boardkeeper.table.visible_table import visible_table
from boardkeeper.testkit.golden import creation_of, read
from boardkeeper.testkit.packed_files import name_of
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titles.registry import TITLES, load_title
from boardkeeper.v1 import table_pb2
from boardkeeper.wire.tables import table_to_message
from build_web import EXPORTED, LIBRARY, build

NAMES = ("Anna", "Björn", "", "Dörte", "Émile")


@pytest.fixture(scope="session")
def library(sdk: Path) -> Path:
    """The exported titles of the web client, and the compiled SDK."""
    build(EXPORTED)
    return LIBRARY


def read_in_page(what: str, records: Sequence[Path]) -> list[Any]:
    """Return what the page shows of each record: "sentences" or "tables"."""
    done = run_in_node("test/records.ts", what, LIBRARY, *records, timeout=240)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def write_and_read(event: GameEvent) -> tuple[bytes, GameEvent]:
    """Return the line of an event, and the event as read from the line, with sorted members."""
    line = canonical({"topic": event.topic, "seat": event.seat, "detail": event.detail})
    detail = msgspec.json.decode(line, type=dict[str, msgspec.Raw])["detail"]
    return line, msgspec.structs.replace(event, detail=msgspec.json.decode(detail, type=type(event.detail)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", TITLES)
def test_sentences_of_all_golden_games_equal_the_servers(
    library: Path, tmp_path: Path, title: str, language: str
) -> None:
    rules = load_title(title)
    records, expected = [], []
    for path in files(title):
        events = read(path)
        names = NAMES[: creation_of(events).setup.players]
        head = {"title": title, "names": names, "called": rules.meta.text[language], "language": language}
        lines, stored = zip(*map(write_and_read, events), strict=True)
        records.append(tmp_path / path.name)
        records[-1].write_bytes(b"\n".join([json.dumps(head).encode(), *lines, b""]))
        expected.append([sentence(language, rules, names, event.seat, event.detail) for event in stored])
    assert records
    for path, found, sentences in zip(records, read_in_page("sentences", records), expected, strict=True):
        assert len(found) == len(sentences)
        assert [pair for pair in zip(found, sentences, strict=True) if pair[0] != pair[1]] == [], path.name


@pytest.mark.parametrize("title", TITLES)
def test_a_record_is_folded_to_the_tables_of_its_viewer(library: Path, tmp_path: Path, title: str) -> None:
    records, viewers = [], []
    for path in files(title)[::9]:
        events = read(path)
        for viewer in (OPERATOR, SPECTATOR, 1):
            records.append(tmp_path / f"{name_of(path)}.{viewer_name(viewer)}.jsonl")
            records[-1].write_bytes(golden_record(path, events, viewer))
            viewers.append((viewer, events))
    assert records
    for path, found, (viewer, events) in zip(records, read_in_page("tables", records), viewers, strict=True):
        assert (found["version"], found["brokenAt"]) == (len(events), 0)
        table = Table(creation_of(events).layout)
        for version, event in enumerate(events, 1):
            table.apply_all(event.effects)
            encoded = found["tables"].get(str(version))
            if encoded is not None:
                seen = table_pb2.Table.FromString(b64decode(encoded))
                assert seen == table_to_message(visible_table(table, viewer)), (path.name, version)
        assert len(found["tables"]) >= len(events) // 13
        last = events[-1].detail
        assert isinstance(last, GameEnded)
        assert found["ranks"] == list(last.ranks)
        assert len(set(found["seats"])) == len(creation_of(events).seats)
        if viewer == OPERATOR:
            assert all(found["sentences"])
