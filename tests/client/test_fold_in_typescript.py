"""The TypeScript SDK folds the events of each viewer into the correct table, forwards, backwards and in jumps."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.game.records import load_title
from tests.kit.adapters import adapters
from tests.kit.test_client_tables import SEALED, random_game

from boardkeeper.game.choices import complete
from boardkeeper.game.events import GameCreated, GameEvent
from boardkeeper.game.record import event_forms, form_index
from boardkeeper.table.effects import Reveal
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.table.visible_table import visible_table
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.histories import eager_history
from boardkeeper.testkit.setups import default_setup
from boardkeeper.titlekit.title import Setup
from boardkeeper.v1 import event_pb2
from boardkeeper.wire.messages import effect_to_message
from boardkeeper.wire.tables import table_to_message
from build_web import environment, node

EVERY = 20
"""Compare every 20th version, and each version with a ``Reveal``."""


def encode_views(events: Sequence[GameEvent]) -> list[dict[str, Any]]:
    """Return for each viewer of a game the events and tables as the server sends them."""
    created = events[0].detail
    assert isinstance(created, GameCreated)
    table = Table(created.layout)
    viewers = (OPERATOR, SPECTATOR, *range(1, len(created.seats) + 1))
    found: list[dict[str, Any]] = [{"tables": {}, "events": []} for _ in viewers]
    for version, event in enumerate(events, 1):
        if version > 1:
            table.apply_all(event.effects)
        shows = any(isinstance(effect, Reveal) for effect in event.effects)
        every = event_forms(table, event)
        for viewer, it in zip(viewers, found, strict=True):
            if version > 1:
                effects = map(effect_to_message, every[form_index(viewer)].effects)
                it["events"].append(base64(event_pb2.Event(version=version, effects=effects)))
            if shows or version % EVERY == 1 or version == len(events):
                it["tables"][version] = base64(table_to_message(visible_table(table, viewer)))
    return found


def base64(message: Any) -> str:
    return b64encode(message.SerializeToString()).decode()


def fold_in_node(sdk: Path, events: Sequence[GameEvent], folder: Path) -> list[dict[str, Any]]:
    """Fold a game in TypeScript; return the result for each viewer."""
    file = folder / "views.jsonl"
    viewers = encode_views(events)
    file.write_text("".join(json.dumps(it) + "\n" for it in viewers))
    done = subprocess.run(
        [node(), "test/folds.ts", file],
        cwd=sdk, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(viewers)
    for it in found:
        assert not it["problems"], it["problems"][:3]
        assert it["events"] == len(events) - 1
        assert it["compared"] >= it["events"] // EVERY
    return found


@pytest.mark.parametrize("adapter", adapters(), ids=lambda it: it.id)
def test_every_viewer_of_every_title(sdk: Path, adapter: Adapter, tmp_path: Path) -> None:
    players = adapter.players[-1]
    events = eager_history(adapter, default_setup(adapter.title, players), Random(adapter.id), undos=4)
    fold_in_node(sdk, events, tmp_path)


@pytest.mark.parametrize("id", ["tiny", "nations"])
def test_titles_with_all_kinds_of_hidden_information(sdk: Path, id: str, tmp_path: Path) -> None:
    title = load_title(id)
    setup = complete(title.meta, Setup("", title.meta.editions[0].players[1]))
    fold_in_node(sdk, random_game(title, setup, Random(id)), tmp_path)


@pytest.mark.parametrize("adapter", SEALED, ids=lambda it: it.id)
def test_the_fold_knows_when_events_are_not_sufficient(sdk: Path, adapter: Adapter, tmp_path: Path) -> None:
    setup = complete(adapter.title.meta, Setup("", 2, {"planning": "sealed"}))
    found = fold_in_node(sdk, random_game(adapter.title, setup, Random(adapter.id), turns=100), tmp_path)
    assert found[0]["asked"] == 0, "the operator sees everything"
    assert all(it["asked"] for it in found[1:])
