"""The service ``boardkeeper.v1.History``: events, records and verification."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from boardkeeper.service.api import message_limits
from boardkeeper.service.api.authorization import Authorizer
from boardkeeper.service.api.embedded_messages import EmbeddedField
from boardkeeper.service.api.event_messages import encode_event
from boardkeeper.service.api.game_messages import default_seat_names, game_message, verification_message
from boardkeeper.service.api.page_tokens import PageTokens
from boardkeeper.service.auth.scopes import HISTORY
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.records import RecordBuffer, Records, pack_lines
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.transport.call import Call
from boardkeeper.v1 import history_pb2 as pb
from boardkeeper.wire.convert import serialize
from boardkeeper.wire.signatures import ALGORITHM

_DEFAULT_PAGE = 100
MAX_PAGE_SIZE = 500
_EVENTS_PER_TURN = 25
"""Events that are encoded before other tasks get a turn (about 1 ms)."""

_IMPORT_SECONDS = 60.0
_SILENT_SECONDS = 10.0
"""Seconds without data after which an import ends with an error."""

_GameRequest = pb.ListEventsRequest | pb.GetRecordRequest | pb.VerifyGameRequest
_events = EmbeddedField(pb.ListEventsResponse, "events")


class HistoryServicer:
    """Answers from stored events. A call waits at most ``wait_seconds`` for the ``min_version`` of a request."""

    def __init__(self, registry: GameRegistry, records: Records, *, wait_seconds: float) -> None:
        self._registry = registry
        self._authorizer = Authorizer(registry)
        self._records = records
        self._wait_seconds = wait_seconds
        self._page_tokens = PageTokens(registry.application.database.key)

    async def ListEvents(self, request: pb.ListEventsRequest, call: Call) -> bytes:
        size = validation.parse_page_size(request.page_size, _DEFAULT_PAGE, MAX_PAGE_SIZE)
        first = validation.parse_version(request.after_version, "after_version")
        live = await self._game(request, call)
        game = live.id
        listed = ("events", str(game), str(first))
        token = self._page_tokens.number(request.page_token, listed)
        after = first if token is None else token
        viewer = await self._authorizer.find_viewer(call, live)
        async with self._registry.history_queue.turn(game):
            page = await self._registry.read_events(game, after, size)
            events: list[bytes] = []
            for at, committed in enumerate(page, 1):
                events.append(_events(encode_event(live, committed, viewer, call.language)))
                if not at % _EVENTS_PER_TURN:
                    await asyncio.sleep(0)  # short calls must not wait until the whole page is encoded
        count = message_limits.page_count(map(len, events))
        page, events = page[:count], events[:count]
        answer = pb.ListEventsResponse()
        if page and page[-1].event.originator_version < live.game.version:
            answer.next_page_token = self._page_tokens.write(listed, page[-1].event.originator_version)
        return b"".join((*events, serialize(answer)))

    # --- records --------------------------------------------------------------------------------------------

    async def GetRecord(self, request: pb.GetRecordRequest, call: Call) -> None:
        live = await self._game(request, call)
        lines = await self._records.lines(live, await self._authorizer.find_viewer(call, live))
        for block in pack_lines(lines):
            await call.context.write(pb.GetRecordResponse(data=block))

    async def ImportRecord(
        self, requests: AsyncIterator[pb.ImportRecordRequest], call: Call
    ) -> pb.ImportRecordResponse:
        with self._records.receiving() as stream:
            await _receive(requests, stream)
            game, report = await self._records.import_record(stream.whole(), call.caller.new_game_access())
        call.log_fields["game"] = str(game)
        find = partial(self._registry.application.game_tables.lobby_row, game)
        row = await self._registry.read_game(game, find)
        if row is None:
            raise await self._registry.not_found_error(game)
        imported = (await self._registry.get(game)).game
        names = default_seat_names(row, imported, self._registry.application.find_title, call.language)
        return pb.ImportRecordResponse(
            game=game_message(row, imported, time=self._records.time(), names=names),
            verification=verification_message(report),
        )

    async def VerifyGame(self, request: pb.VerifyGameRequest, call: Call) -> pb.VerifyGameResponse:
        live = await self._game(request, call)
        report = await self._records.check(live, await self._authorizer.find_viewer(call, live))
        return pb.VerifyGameResponse(verification=verification_message(report))

    async def ListKeys(self, request: pb.ListKeysRequest, call: Call) -> pb.ListKeysResponse:
        key = self._records.key
        return pb.ListKeysResponse(keys=[pb.RecordKey(key_id=key.id, public_key=key.public_key, algorithm=ALGORITHM)])

    async def _game(self, request: _GameRequest, call: Call) -> LiveGame:
        """Return the game of a request, after waiting until it has the ``min_version``."""
        game = await self._authorizer.authorize_request(call, request.game_id, HISTORY)
        if request.HasField("min_version"):
            await self._registry.wait_for_version(
                game, validation.parse_version(request.min_version, "min_version"), self._wait_seconds
            )
        return await self._registry.get(game)


async def _receive(requests: AsyncIterator[pb.ImportRecordRequest], stream: RecordBuffer) -> None:
    """Receive a whole record. Raises ``REQUEST_TIMEOUT``, and the errors of the stream."""
    try:
        async with asyncio.timeout(_IMPORT_SECONDS):
            while True:
                async with asyncio.timeout(_SILENT_SECONDS):
                    request = await anext(requests, None)
                if request is None:
                    return
                stream.add(request.data)
    except TimeoutError:
        raise ApiError("REQUEST_TIMEOUT") from None
