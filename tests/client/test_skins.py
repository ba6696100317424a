"""Skins of the web client draw the whole table: every zone has a place, and every marker is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict
from tests.client.in_node import catalogue_entry, run_in_node

from boardkeeper.titlekit.title import TitleMeta
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import catalog_pb2

TITLES = ("orleans", "paladins", "stories")


@pytest.mark.usefixtures("sdk")
@pytest.mark.parametrize("title", TITLES)
def test_everything_on_a_table_is_drawn(title: str, tmp_path: Path) -> None:
    meta = load_title(title).meta
    entries = [MessageToDict(entry, always_print_fields_with_no_presence=True) for entry in _entries(meta)]
    file = tmp_path / "entries.json"
    file.write_text(json.dumps(entries))
    done = run_in_node("test/skins.ts", file, timeout=120)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def _entries(meta: TitleMeta) -> list[catalog_pb2.GetTitleResponse]:
    """Return the catalogue entries of every edition with every number of players, and of solo games."""
    entries = []
    for edition in meta.editions:
        least, most = edition.players
        setups: list[tuple[int, dict[str, str]]] = [(players, {}) for players in range(least, most + 1)]
        if meta.alone:
            setups.append((2, meta.alone))  # the opponent is played by the rules and has a seat
        entries += [catalogue_entry(meta, edition.id, players, options) for players, options in setups]
    return entries
