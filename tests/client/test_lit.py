"""What can be done lights up: of what a command changes, skins of the browser client draw something to click on."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from msgspec import Struct
from tests.client.in_node import entry_of, run_in_node
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
"""Of each edition, half of them eager."""
OFTEN = 6
"""So many commands of each kind are looked at in an edition for each game, at most two at once."""

DONE = "who has done enough changes nothing"
IN_WORDS = {
    "orleans": {
        "DrawFollowers": "who draws none changes nothing",
        "FinishDeeds": DONE,
        "FinishStoring": DONE,
        "FinishTakingBack": DONE,
        "KeepTechnology": "what is kept stays where it is",
        "SufferEvent": "nothing is used against the event, which comes afterwards",
    },
    "paladins": {
        "KeepWorkers": DONE,
    },
    "stories": {
        "DeclineBonus": "a bonus that is not taken may be counted by no marker",
        "DrawFollowers": "who draws none changes nothing",
        "FinishDeeds": DONE,
        "FinishTakingBack": DONE,
        "FinishTrading": DONE,
        "KeepSilent": "nothing is said",
        "KeepTechnology": "what is kept stays where it is",
        "LookAtNation": "what is hidden is not told before it is seen",
        "SufferEvent": "nothing is used against the event, which comes afterwards",
    },
}
"""Kinds of commands that may change nothing as far as their seat knows, and stand in the list of words alone: why."""


@pytest.mark.usefixtures("sdk")
@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("title", sorted(IN_WORDS))
def test_what_can_be_done_is_drawn(title: str, games: int, tmp_path: Path) -> None:
    adapter = adapter_of(title)
    editions = [_Edition(adapter, edition.id, *edition.players, games) for edition in adapter.title.meta.editions]
    assert {kind for edition in editions for kind in edition.silent} <= set(IN_WORDS[title])
    assert sum(len(edition.positions) for edition in editions) > 50
    file = tmp_path / "positions.json"
    file.write_text(json.dumps([{"entry": edition.entry, "positions": edition.positions} for edition in editions]))
    done = run_in_node("test/lit.ts", file, timeout=240)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


class _Edition:
    """What the catalogue tells of an edition, and positions of random games with what some commands would change."""

    def __init__(self, adapter: Adapter, id: str, least: int, most: int, games: int) -> None:
        self.positions: list[dict[str, Any]] = []
        self.silent: set[str] = set()
        """The kinds of commands that change nothing which their seat could know."""
        self._looked_at: Counter[type[Struct]] = Counter()
        self._often = OFTEN * games
        self._random = Random(id)
        players = min(max(least, 2), most)
        self.entry = _json(entry_of(adapter.title.meta, id, players))
        for seed in range(games):
            with playout(adapter, seed, default_setup(adapter.title, players, id)) as game:
                while not game.play.is_over():
                    for seat in game.table.deciding():
                        self._context(game, seat)
                    game.step()

    def _context(self, game: Playout[Play], seat: int) -> None:
        """Keep the position with commands of which few were looked at before."""
        commands: list[tuple[str, list[Any]]] = []
        now: Counter[type[Struct]] = Counter()
        legal = game.play.legal(seat)
        for command in self._random.sample(legal, len(legal)):
            kind = type(command)
            if now[kind] == 2 or self._looked_at[kind] == self._often:
                continue
            now[kind] += 1
            self._looked_at[kind] += 1
            effects = preview(game.play, seat, command)
            if effects:
                commands.append((str(command), [_json(effect_to_message(it)) for it in effects]))
            else:
                self.silent.add(kind.__name__)
        if commands:
            table = _json(table_to_message(visible_table(game.table, seat)))
            self.positions.append({"seat": seat, "table": table, "commands": commands})


def _json(message: Any) -> Any:
    return MessageToDict(
        message, always_print_fields_with_no_presence=isinstance(message, catalog_pb2.GetTitleResponse)
    )
