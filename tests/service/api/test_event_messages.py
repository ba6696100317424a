"""Event messages from cached parts equal those of the shared conversion."""

from __future__ import annotations

from uuid import UUID

import pytest

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED, Game
from boardkeeper.game.sentences import sentence
from boardkeeper.service.api.event_messages import encode_event
from boardkeeper.service.cache.committed_events import client_command_id, to_committed
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.service.storage.rows import SeatRow
from boardkeeper.table.visibility import redact_effects
from boardkeeper.titlekit.bots import chance_of
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import event_pb2
from boardkeeper.wire.messages import event_to_message

pytestmark = pytest.mark.databases

SEATS = [
    SeatRow(1, "bot.random", "", True),
    SeatRow(2, "bot.random", "Ada", True),
    SeatRow(3, "bot.random", "Béa", True),
]


def play(options: dict[str, str]) -> tuple[Game, list[GameEvent]]:
    """Play a random game of Orléans to its end."""
    game, events = create_game(
        UUID(int=36),
        load_title("orleans"),
        Setup("", 3, options),
        ("bot.random",) * 3,
        bytes(32),
        "test",
        "",
        1_700_000_000_123,
    )
    game.commit(events)
    while game.status != ENDED:
        seat = game.table.deciding()[0]
        legal = game.legal(seat)
        command = legal[int(chance_of(game.id.bytes, game.version) * len(legal))]
        decided = game.decide(seat, [command], f"{seat}:bot-{game.version}", 1_700_000_000_456)
        assert isinstance(decided, list)
        game.commit(decided)
        events += decided
    return game, events


@pytest.mark.parametrize("planning", ["open", "sealed"])
def test_encoding_for_every_viewer_in_every_language(planning: str) -> None:
    game, events = play({"planning": planning} if planning == "sealed" else {})
    live = LiveGame(game, SEATS, VisibilityHistory(events))
    hidden = nameless = 0
    closed = {
        (it.event.command_id, viewer)
        for it in to_committed(live.visibility_history, events)
        for viewer in range(4)
        if not redact_effects(it.visibility, it.event.effects, viewer)[1]
    }
    assert bool(closed) == (planning == "sealed")
    for committed in to_committed(live.visibility_history, events):
        event = committed.event
        for viewer in range(4):
            for language in ("en", "de"):
                shown, whole = redact_effects(committed.visibility, event.effects, viewer)
                names = ("Bot 1", "Ada", "Béa")
                text = sentence(language, game.title, names, event.seat, event.detail) if whole else ""
                expected = event_to_message(event, text, effects=shown, show_detail=whole)
                own = event.command_id.startswith(f"{viewer}:")
                known = own or (event.command_id, viewer) not in closed
                expected.command_id = client_command_id(event.command_id) if known else ""
                if not whole and not shown:
                    expected.name = ""
                    nameless += 1
                assert event_pb2.Event.FromString(encode_event(live, committed, viewer, language)) == expected
                hidden += not whole
        assert len(committed.encoded) == (2 if committed.is_open else 8)
    assert bool(hidden) == bool(nameless) == (planning == "sealed")
