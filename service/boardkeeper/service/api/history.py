"""``boardkeeper.v1.History``: what happened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from boardkeeper.service.api import message_limits
from boardkeeper.service.api.authorization import Authorizer
from boardkeeper.service.api.embedded_messages import Embedded
from boardkeeper.service.api.event_messages import encode_event
from boardkeeper.service.api.game_messages import game_message, names_of_nameless, verification_message
from boardkeeper.service.api.page_tokens import PageTokens
from boardkeeper.service.auth.scopes import HISTORY
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.records import Records, RecordStream, blocks
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.transport.call import Call
from boardkeeper.v1 import history_pb2 as pb
from boardkeeper.wire.serialized import serialized
from boardkeeper.wire.signatures import ALGORITHM

_DEFAULT_PAGE = 100
LARGEST_PAGE = 500
_TOLD_AT_ONCE = 25
"""So many events are encoded before others have the loop, about a millisecond."""

_IMPORT_SECONDS = 60.0
_SILENT_SECONDS = 10.0
"""A sender of a record that sends nothing for so long is cut off."""

_AboutGame = pb.ListEventsRequest | pb.GetRecordRequest | pb.VerifyGameRequest
_events = Embedded(pb.ListEventsResponse, "events")


class HistoryServicer:
    """Answers from the log. ``wait`` is how many seconds it waits for a version that a client wants to see."""

    def __init__(self, registry: GameRegistry, records: Records, *, wait: float) -> None:
        self._registry = registry
        self._authorizer = Authorizer(registry)
        self._records = records
        self._wait = wait
        self._page_tokens = PageTokens(registry.application.database.key)

    async def ListEvents(self, request: pb.ListEventsRequest, call: Call) -> bytes:
        size = validation.parse_page_size(request.page_size, _DEFAULT_PAGE, LARGEST_PAGE)
        first = validation.parse_version(request.after_version, "after_version")
        live = await self._game(request, call)
        game = live.id
        listed = ("events", str(game), str(first))
        position = self._page_tokens.number(request.page_token, listed)
        after = first if position is None else position
        viewer = await self._authorizer.find_viewer(call, live)
        async with self._registry.history_queue.turn(game):
            page = await self._registry.read_events(game, after, size)
            events: list[bytes] = []
            for at, committed in enumerate(page, 1):
                events.append(_events(encode_event(live, committed, viewer, call.language)))
                if not at % _TOLD_AT_ONCE:
                    await asyncio.sleep(0)  # a short call must not wait for the whole page
        fitting = message_limits.page_of(map(len, events))
        page, events = page[:fitting], events[:fitting]
        answer = pb.ListEventsResponse()
        if page and page[-1].event.originator_version < live.game.version:
            answer.next_page_token = self._page_tokens.write(listed, page[-1].event.originator_version)
        return b"".join((*events, serialized(answer)))

    # --- records --------------------------------------------------------------------------------------------

    async def GetRecord(self, request: pb.GetRecordRequest, call: Call) -> None:
        live = await self._game(request, call)
        lines = await self._records.lines(live, await self._authorizer.find_viewer(call, live))
        for block in blocks(lines):
            await call.context.write(pb.GetRecordResponse(data=block))

    async def ImportRecord(
        self, requests: AsyncIterator[pb.ImportRecordRequest], call: Call
    ) -> pb.ImportRecordResponse:
        with self._records.receiving() as stream:
            await _receive(requests, stream)
            game, report = await self._records.take_in(stream.whole(), call.caller.new_game_access())
        call.note_game(game)
        find = partial(self._registry.application.game_tables.lobby_row, game)
        row = await self._registry.read_game(game, find)
        if row is None:
            raise await self._registry.not_found_error(game)
        imported = (await self._registry.get(game)).game
        names = names_of_nameless(row, imported, self._registry.application.find_title, call.language)
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

    async def _game(self, request: _AboutGame, call: Call) -> LiveGame:
        """The game that a request is about, at the version that it wants to see at least."""
        game = await self._authorizer.authorize_request(call, request.game_id, HISTORY)
        if request.HasField("min_version"):
            await self._registry.wait_for_version(
                game, validation.parse_version(request.min_version, "min_version"), self._wait
            )
        return await self._registry.get(game)


async def _receive(requests: AsyncIterator[pb.ImportRecordRequest], stream: RecordStream) -> None:
    """Everything that is sent; raises ``REQUEST_TIMEOUT`` if it does not come, and what the stream raises."""
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
