"""What is done to answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NoReturn

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status

from boardkeeper.conformance.front import Front
from boardkeeper.conformance.scenarios import Harm
from boardkeeper.conformance.sightings import Sighting
from boardkeeper.conformance.unknown import EXTRA, add_to_all, field_of_later
from boardkeeper.service.transport.call import Context
from boardkeeper.service.transport.call_ids import new_call_id
from boardkeeper.service.transport.statuses import trailing_metadata
from boardkeeper.v1 import game_pb2, games_pb2
from boardkeeper.wire import errors
from boardkeeper.wire.serialized import serialized

ENDED = "GameEnded"
OK = "OK"
UNSEEN = "?"
STRANGE = 77
"""A value that no enum of ours has yet."""
OF_LATER = "SomethingOfLaterHappened"


PASSING = ("UNAVAILABLE", "RESOURCE_EXHAUSTED")
"""Codes of what may pass, in scenarios: the service says of that when to ask again."""


async def refuse(each: Harm, call: Sighting, context: Context, version: int = 0) -> NoReturn:
    """End a call as the service would; ``version``: the one to go on after, where that is told."""
    call.harms.append(each)
    details: list[Message] = []
    if each.code in PASSING:
        delay = Duration()
        delay.FromNanoseconds(round(each.seconds * 1e9))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    if each.code == "INVALID_ARGUMENT":
        field = error_details_pb2.BadRequest.FieldViolation(field="commands[0]", description=each.text)
        details.append(error_details_pb2.BadRequest(field_violations=[field]))
    values = {"version": str(version)} if version else {}
    code = grpc.StatusCode[each.code]
    status = errors.status(code, each.reason or each.code, each.text or each.code, values, details)
    await _abort(call, context, code, status)


async def send_away(call: Sighting, context: Context) -> NoReturn:
    """End a call of a client that has called more than enough."""
    text = "The kit has seen enough of this client."
    code = grpc.StatusCode.PERMISSION_DENIED
    await _abort(call, context, code, errors.status(code, "ENOUGH", text))


async def _abort(call: Sighting, context: Context, code: grpc.StatusCode, status: Status) -> NoReturn:
    call_id = new_call_id()
    told = errors.of_call(status, call_id)
    call.end()
    await context.abort(code, told.message, trailing_metadata(told, call_id))
    raise AssertionError("an aborted call continued")


async def say_goodbye(each: Harm, call: Sighting, fronts: Sequence[Front]) -> None:
    """Say that connections take no more calls, and give the client time to hear of it before this call goes on."""
    call.harms.append(each)
    for front in fronts:
        front.say_goodbye()
    await asyncio.sleep(each.seconds)


class EndedWellError(asyncio.CancelledError):
    """A stream ends here, with OK: whatever answers it is left as if the call had been cancelled."""


class Stream:
    """What is done to one stream of events."""

    def __init__(self, call: Sighting, due: list[Harm], context: Context, fronts: Sequence[Front]) -> None:
        self._call = call
        self._due = due
        self._context = context
        self._fronts = fronts

    async def begin(self) -> None:
        """Before anything is told; raises ``EndedWellError`` if nothing is to be, or ends the call as refused."""
        for each in self._due:
            if each.what == "refuse":
                await refuse(each, self._call, self._context)
            if each.what == "end" and each.after == 0:
                self._end_well(each)

    def _end_well(self, each: Harm) -> NoReturn:
        self._call.harms.append(each)
        self._call.code = each.code
        self._call.end()
        raise EndedWellError

    async def write(self, part: Any) -> None:
        """Tell something, harmed."""
        raw = part if isinstance(part, bytes) else serialized(part)
        update = games_pb2.WatchGameResponse.FromString(raw)
        is_event = update.WhichOneof("update") == "event"
        version = update.event.version
        copies = 1
        for each in self._due:
            if is_event and len(self._call.sent) >= each.after:
                copies += await self._harm(each, update)
        for _ in range(copies):
            await self._context.write(serialized(update))
        if not is_event:
            return
        self._call.sent.append(version)
        for each in self._due:
            if len(self._call.sent) == each.after:
                await self._end(each, version)

    async def _harm(self, each: Harm, update: games_pb2.WatchGameResponse) -> int:
        """Do something to an event, or tell something before it; how many times more to tell it."""
        event = update.event
        match each.what:
            case "double":
                self._call.harms.append(each)
                return 1
            case "heartbeats":
                self._call.harms.append(each)
                beat = games_pb2.Heartbeat(game_id=event.game_id, version=event.version - 1)
                for _ in range(3):
                    await self._context.write(serialized(games_pb2.WatchGameResponse(heartbeat=beat)))
            case "strange_updates":
                self._call.harms.append(each)
                await self._context.write(EXTRA)
            case "strange_fields":
                self._call.harms.append(each)
                add_to_all(update)
            case "hide" if event.name != ENDED:
                self._call.harms.append(each)
                _hide(update)
            case "strange_events" if event.name != ENDED:
                self._call.harms.append(each)
                event.name = OF_LATER
                event.detail.Clear()
                event.detail.MergeFromString(EXTRA)
                event.effects.add().MergeFromString(EXTRA)
            case _:
                pass
        return 0

    async def _end(self, each: Harm, version: int) -> None:
        """End the stream, if it is to end here."""
        if each.what == "hang_up":
            self._call.harms.append(each)
            self._call.code = "LOST"
            for front in self._fronts:
                front.hang_up()
            await asyncio.sleep(3600)  # it is cancelled with its connection
        if each.what == "goodbye":
            await say_goodbye(each, self._call, self._fronts)
        if each.what == "end" and each.code == OK:
            self._end_well(each)
        if each.what == "end":
            await refuse(each, self._call, self._context, version if each.reason == errors.TOO_SLOW else 0)


def _hide(update: games_pb2.WatchGameResponse) -> None:
    """Tell of an event what somebody is told who may not see what it was about: counts, and that it happened."""
    event = update.event
    for effect in event.effects:
        if effect.WhichOneof("effect") == "move":
            effect.move.component = UNSEEN
        if effect.WhichOneof("effect") == "draw":
            effect.draw.drawn[:] = [UNSEEN] * len(effect.draw.drawn)
    event.name = event.command_id = event.sentence = ""
    event.ClearField("detail")


def mark(answer: games_pb2.ListLegalCommandsResponse) -> None:
    """Give each command what nobody knows, another thing each, which it has to have still when it is sent back."""
    for number, legal in enumerate(answer.commands):
        legal.command.MergeFromString(field_of_later(b"kept %d" % number))


def make_strange(answer: games_pb2.CreateGameResponse | games_pb2.GetGameResponse) -> None:
    """Give a game that is not over a status that there is not yet."""
    game = answer.game
    if game.status != game_pb2.GAME_STATUS_ENDED:
        game.status = STRANGE  # type: ignore[assignment]
