"""What streams tell of a game: its events, signs of life, and its clocks beside the newest of them."""

from __future__ import annotations

from collections.abc import Callable

from boardkeeper.service.answers.clocks import clocks_of, encoded_clocks
from boardkeeper.service.answers.framing import Embedded
from boardkeeper.service.answers.telling import encode_event
from boardkeeper.service.games.game_clock import ServiceTime
from boardkeeper.service.games.live import CommittedEvent, LiveGame
from boardkeeper.v1 import games_pb2

StreamAnswer = games_pb2.WatchGameResponse | games_pb2.PlayResponse


class Teller:
    """Puts it into the answers of one kind of stream."""

    def __init__(self, message: type[StreamAnswer]) -> None:
        self._message = message
        self._event = Embedded(message, "event")
        self._clocks = Embedded(message, "clocks")

    def event(
        self, live: LiveGame, committed: CommittedEvent, viewer: int, language: str, time: Callable[[], ServiceTime]
    ) -> bytes:
        """An event as one viewer may see it; ``time`` returns the present time."""
        answer = self._event(encode_event(live, committed, viewer, language))
        if live.game.clocks is not None and live.game.version == committed.event.originator_version:
            answer += self._clocks(encoded_clocks(live.game, time()))
        return answer

    def sign_of_life(self, live: LiveGame, version: int, time: Callable[[], ServiceTime]) -> StreamAnswer:
        """Nothing has come since that version of a game."""
        clocks = clocks_of(live.game, time()) if live.game.version == version else None
        return self._message(heartbeat=games_pb2.Heartbeat(game_id=live.id_text, version=version), clocks=clocks)
