"""Skins of the browser client draw everything that lies on a table: every zone has a place, every marker is shown."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from google.protobuf.json_format import MessageToDict

from boardkeeper.service.servicers.catalog import CatalogServicer
from boardkeeper.table.title import TitleMeta
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import catalog_pb2
from build_web import WEB, environment, node

TITLES = ("orleans", "paladins", "stories")


@pytest.mark.usefixtures("sdk")
@pytest.mark.parametrize("title", TITLES)
def test_everything_on_a_table_is_drawn(title: str, tmp_path: Path) -> None:
    meta = load_title(title).meta
    entries = [MessageToDict(entry, always_print_fields_with_no_presence=True) for entry in _entries(meta)]
    file = tmp_path / "entries.json"
    file.write_text(json.dumps(entries))
    done = subprocess.run(
        [node(), "--experimental-transform-types", "--import", "./test/hooks.js", "test/skins.ts", file],
        cwd=WEB, env={**environment(), "NODE_NO_WARNINGS": "1"}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def _entries(meta: TitleMeta) -> list[catalog_pb2.GetTitleResponse]:
    """What the catalogue tells of every edition with every number of players, and of one who plays alone."""
    catalog = CatalogServicer(lambda: [meta], load_title)
    call = cast(Any, SimpleNamespace(language="en"))
    entries = []
    for edition in meta.editions:
        least, most = edition.players
        setups: list[tuple[int, dict[str, str]]] = [(players, {}) for players in range(least, most + 1)]
        if meta.alone:
            setups.append((2, meta.alone))  # the opponent that the rules move has a seat too
        for players, options in setups:
            request = catalog_pb2.GetTitleRequest(title=meta.id, edition=edition.id, players=players, options=options)
            answer = asyncio.run(catalog.GetTitle(request, call))
            entries.append(catalog_pb2.GetTitleResponse.FromString(answer))
    return entries
