"""Every legal command changes something that a skin of the web client draws, so that it can be clicked."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from msgspec import Struct
from tests.client.in_node import catalogue_entry, run_in_node
from tests.kit.adapters import adapter_of

from boardkeeper.table.visible_table import visible_table
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.playouts import Playout, playout
from boardkeeper.testkit.setups import default_setup
from boardkeeper.titlekit.previews import preview
from boardkeeper.titlekit.title import Play
from boardkeeper.v1 import catalog_pb2
from boardkeeper.wire.messages import effect_to_message
from boardkeeper.wire.tables import table_to_message

GAMES = [2, pytest.param(8, marks=pytest.mark.soak)]
"""Number of games of each edition."""
SAMPLES = 6
"""Number of commands of each kind that are tested per game of an edition, at most two at each decision."""

DONE = "finishing changes nothing"
WITHOUT_EFFECTS = {
    "orleans": {
        "DrawFollowers": "drawing no followers changes nothing",
        "FinishDeeds": DONE,
        "FinishStoring": DONE,
        "FinishTakingBack": DONE,
        "KeepTechnology": "the technology stays where it is",
        "SufferEvent": "the event has its effect afterwards",
    },
    "paladins": {
        "KeepWorkers": DONE,
    },
    "stories": {
        "DeclineBonus": "no marker may count the bonus",
        "DrawFollowers": "drawing no followers changes nothing",
        "FinishDeeds": DONE,
        "FinishTakingBack": DONE,
        "FinishTrading": DONE,
        "KeepSilent": "no declaration is made",
        "KeepTechnology": "the technology stays where it is",
        "LookAtNation": "the hidden card is unknown before",
        "SufferEvent": "the event has its effect afterwards",
    },
}
"""Kinds of commands that may have no visible effect and are only in the list of commands, with the reason."""


@pytest.mark.usefixtures("sdk")
@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("title", sorted(WITHOUT_EFFECTS))
def test_every_command_changes_something_drawn(title: str, games: int, tmp_path: Path) -> None:
    adapter = adapter_of(title)
    editions = [_Edition(adapter, edition.id, *edition.players, games) for edition in adapter.title.meta.editions]
    assert {kind for edition in editions for kind in edition.without_effects} <= set(WITHOUT_EFFECTS[title])
    assert sum(len(edition.positions) for edition in editions) > 50
    file = tmp_path / "positions.json"
    file.write_text(json.dumps([{"entry": edition.entry, "positions": edition.positions} for edition in editions]))
    done = run_in_node("test/lit.ts", file, timeout=240)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


class _Edition:
    """The catalogue entry of an edition, and positions of random games with the effects of some commands."""

    def __init__(self, adapter: Adapter, id: str, least: int, most: int, games: int) -> None:
        self.positions: list[dict[str, Any]] = []
        self.without_effects: set[str] = set()
        """The kinds of commands without an effect that their seat can know."""
        self._sampled: Counter[type[Struct]] = Counter()
        self._samples = SAMPLES * games
        self._random = Random(id)
        players = min(max(least, 2), most)
        self.entry = _json(catalogue_entry(adapter.title.meta, id, players))
        for seed in range(games):
            with playout(adapter, seed, default_setup(adapter.title, players, id)) as game:
                while not game.play.is_over():
                    for seat in game.table.deciding():
                        self._sample(game, seat)
                    game.step()

    def _sample(self, game: Playout[Play], seat: int) -> None:
        """Add the position with commands of kinds that have few samples."""
        commands: list[tuple[str, list[Any]]] = []
        here: Counter[type[Struct]] = Counter()
        legal = game.play.legal(seat)
        for command in self._random.sample(legal, len(legal)):
            kind = type(command)
            if here[kind] == 2 or self._sampled[kind] == self._samples:
                continue
            here[kind] += 1
            self._sampled[kind] += 1
            effects = preview(game.play, seat, command)
            if effects:
                commands.append((str(command), [_json(effect_to_message(it)) for it in effects]))
            else:
                self.without_effects.add(kind.__name__)
        if commands:
            table = _json(table_to_message(visible_table(game.table, seat)))
            self.positions.append({"seat": seat, "table": table, "commands": commands})


def _json(message: Any) -> Any:
    return MessageToDict(
        message, always_print_fields_with_no_presence=isinstance(message, catalog_pb2.GetTitleResponse)
    )
