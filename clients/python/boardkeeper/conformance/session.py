"""One client in one scenario: what it asks passes through here, is written down, and is harmed as the scenario says."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, cast

import grpc
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from boardkeeper.conformance import harm as harming
from boardkeeper.conformance.front import Front
from boardkeeper.conformance.partner import Partner
from boardkeeper.conformance.playing import Playing
from boardkeeper.conformance.scenarios import Harm, Scenario
from boardkeeper.conformance.sightings import Seen, Sighting
from boardkeeper.conformance.unknown import add_to_all
from boardkeeper.service.transport.call import Context
from boardkeeper.service.transport.call_context import CallContext
from boardkeeper.service.transport.guard import Answer, Rpc
from boardkeeper.v1 import games_pb2
from boardkeeper.wire.serialized import serialized

MOST_CALLS = 500
"""Whoever calls more often than that goes round in circles."""

_GRACE = 1.0
"""So many seconds a client has to answer a vote, if it has nothing else to do, before the vote is dropped."""


class Session:
    """A client's line to the service. ``seen`` is what was seen of it until now."""

    def __init__(self, scenario: Scenario, partner: Partner) -> None:
        self.scenario = scenario
        self.seen = Seen()
        self.fronts: list[Front] = []
        self.over = asyncio.Event()
        """Set once the client's game has ended."""
        self._partner = partner
        self._numbers: Counter[str] = Counter()
        self._written = (0, 0)
        """The first and the last version of the client's last submission."""
        self._waiting: list[Harm] = []
        """What was to be done to a submission, and could not be yet."""
        self._vote_open = False
        self._is_over = False
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """Where it is answered by gRPC."""
        return self.fronts[0].address

    @property
    def web_address(self) -> str:
        """Where it is answered by Connect, as a URL; empty: nowhere."""
        return f"http://{self.fronts[1].address}" if len(self.fronts) > 1 else ""

    async def close(self) -> None:
        """Hang up, and look how the game ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for front in self.fronts:
            await front.close()
        if self._partner.game_id:
            self.seen.last = await self._partner.ended()

    async def left(self) -> None:
        """Wait until the client has hung up."""
        for front in self.fronts:
            await front.emptied()

    def send_away(self) -> None:
        """Refuse whatever comes from now on, and break off what is under way."""
        self._is_over = True
        self._hang_up()

    # --- calls ----------------------------------------------------------------------------------------------

    async def handle(self, rpc: Rpc, request: Any, context: Context) -> Answer | None:
        """Answer a call, in place of ``rpc.handle``."""
        name = rpc.method.name
        self._numbers[name] += 1
        call = Sighting(name, self._numbers[name], _metadata(context), _deadline(context))
        self.seen.calls.append(call)
        if self._is_over or len(self.seen.calls) > MOST_CALLS:
            await harming.send_away(call, context)
        between = _Between(context)
        passed = cast(Context, between)
        try:
            if name == "Play":
                playing = Playing(call, self.scenario.harm, context, self.seen, self.carried_out, self._hang_up)
                between.writing = playing.write
                return await rpc.handle(playing.read(request), passed)
            if rpc.method.client_streaming:
                return await rpc.handle(request, context)
            data = await context.read()
            if data is grpc.aio.EOF:
                return await rpc.handle(request, passed)
            try:
                call.request = GetMessageClass(rpc.method.input_type).FromString(data)
            except DecodeError:
                between.data = data
                return await rpc.handle(request, passed)
            between.data = data
            due = [it for it in self.scenario.harm if it.call == name and it.is_due(call.number)]
            if rpc.method.server_streaming:
                stream = harming.Stream(call, due, context, self.fronts)
                between.writing = stream.write
                await stream.begin()
                return await rpc.handle(request, passed)
            return await self._answered(rpc, request, context, between, call, due)
        except harming.EndedWellError:
            return None
        except asyncio.CancelledError:
            call.code = call.code or "CANCELLED"
            raise
        except grpc.aio.AbortError:
            call.code = call.code or _code_of(context)
            raise
        finally:
            call.end()
            call.code = call.code or "OK"

    async def _answered(
        self, rpc: Rpc, request: Any, context: Context, between: _Between, call: Sighting, due: list[Harm]
    ) -> Answer | None:
        """A call with one answer."""
        asked = call.request
        for each in due:
            await self._before(each, context, call)
        message = type(asked)()
        message.CopyFrom(asked)
        if isinstance(message, games_pb2.CreateGameRequest | games_pb2.ForkGameRequest):
            self._partner.seat(message)
        elif isinstance(message, games_pb2.SubmitCommandsRequest):
            message.DiscardUnknownFields()
        elif isinstance(message, games_pb2.ListLegalCommandsRequest):
            self._lag(message, call, due)
        between.data = serialized(message)
        answered = await rpc.handle(request, cast(Context, between))
        if answered is None:
            return None
        answer = _read(rpc, answered)
        await self._note_seats(call, answer)
        if isinstance(answer, games_pb2.SubmitCommandsResponse):
            due = await self.carried_out(call, answer)
        for each in due:
            if each.what == "twice":  # that which is told is the second answer
                call.harms.append(each)
                again = await rpc.handle(request, cast(Context, between))
                if again is None:
                    return None
                answer = _read(rpc, again)
                await self._note_seats(call, answer)
        if isinstance(answer, games_pb2.AnswerUndoResponse):
            await self._vote_is_over()
        if isinstance(answer, games_pb2.ListLegalCommandsResponse) and not answer.commands and self._vote_open:
            self._later(self._drop_vote())
        for each in due:
            if each.what == "goodbye":
                await harming.say_goodbye(each, call, self.fronts)
            else:
                self._after(each, call, answer)
        call.answer = answer
        return serialized(answer)

    async def _note_seats(self, call: Sighting, answer: Message) -> None:
        """Write down which games and seats somebody was given, and sit down at the table too."""
        given: list[games_pb2.SeatToken] = []
        if isinstance(answer, games_pb2.CreateGameResponse | games_pb2.ForkGameResponse):
            await self._partner.sit_down(call.request, answer)
            self.seen.games.setdefault(call.rpc, set()).add(answer.game.game_id)
            given = list(answer.seat_tokens)
        elif isinstance(answer, games_pb2.JoinGameResponse):
            await self._partner.play_on()  # it could not be left to bots before it began
            given = [answer.seat_token]
        else:
            return
        for it in given:
            self.seen.tokens[it.token] = (answer.game.game_id, it.seat)

    async def _before(self, each: Harm, context: Context, call: Sighting) -> None:
        """What is done before anything is carried out."""
        if each.what == "refuse":
            await harming.refuse(each, call, context)
        if each.what == "hold":
            call.harms.append(each)
            if call.seconds is not None:  # else it would be for ever, which is found out without waiting for it
                await asyncio.sleep(call.seconds + 5)
        if each.what == "conflict" and call.request.HasField("expected_version"):
            call.harms.append(each)
            await self._partner.act_between()

    def _lag(self, request: games_pb2.ListLegalCommandsRequest, call: Sighting, due: list[Harm]) -> None:
        """Answer as a reader does that has not heard of the last submission yet, if nobody asked for more."""
        first, last = self._written
        asked = request.min_version if request.HasField("min_version") else 0
        for each in due:
            if each.what != "lag" or first <= 1 or request.HasField("version"):
                continue
            call.harms.append(each)
            if asked < last:  # else it waits until it has heard of it
                call.at = last
                request.ClearField("min_version")
                request.version = first - 1
                self._written = (0, 0)  # it hears of each but once too late

    async def carried_out(
        self, call: Sighting, answer: games_pb2.SubmitCommandsResponse | games_pb2.PlayOutcome
    ) -> list[Harm]:
        """What follows a submission, by whatever rpc, before it is answered; gives what is done to the answer.

        Of submissions those are counted that were carried out: that one of them came too late is nobody's fault.
        """
        await self._vote_is_over()
        if answer.repeated:
            return []
        self.seen.done += 1
        due = [it for it in self.scenario.harm if it.call == call.rpc and it.is_due(self.seen.done)]
        self._written = (answer.first_version, answer.version)
        seat, token = call.request.seat, getattr(call.request, "token", "") or _token(call)
        for each in [*self._waiting, *(it for it in due if it.what in ("ask_back", "take_back"))]:
            if await self._undone(each, seat, token):
                call.harms.append(each)
                self._waiting = [it for it in self._waiting if it is not each]
            elif each not in self._waiting:
                self._waiting.append(each)
        if self.seen.done >= self.scenario.commands and not self._waiting:
            await self._partner.end(seat, token)
            self.over.set()
        return due

    async def _undone(self, each: Harm, seat: int, token: str) -> bool:
        """Ask for something to be taken back, or take it back; whether that was possible."""
        if each.what == "ask_back":
            self._vote_open = await self._partner.ask_back()
            return self._vote_open
        try:
            await self._partner.take_back(seat, token)
        except grpc.aio.AioRpcError:
            return False
        return True

    def _after(self, each: Harm, call: Sighting, answer: Message) -> None:
        """What is done to an answer."""
        if each.what == "lose":
            call.harms.append(each)
            call.code = "LOST"
            self._hang_up()
        elif each.what == "restart":
            call.harms.append(each)
            call.code = "LOST"
            for front in self.fronts:
                front.go_away(each.seconds)  # now: the answer must not get out before
        elif each.what == "strange_fields":
            call.harms.append(each)
            add_to_all(answer)
        elif each.what == "strange_commands" and isinstance(answer, games_pb2.ListLegalCommandsResponse):
            call.harms.append(each)
            harming.mark(answer)
        elif each.what == "strange_values":
            call.harms.append(each)
            harming.make_strange(cast(Any, answer))

    # --- beside them ----------------------------------------------------------------------------------------

    def _hang_up(self) -> None:
        for front in self.fronts:
            front.hang_up()

    async def _vote_is_over(self) -> None:
        if self._vote_open:
            self._vote_open = False
            await self._partner.play_on()

    async def _drop_vote(self) -> None:
        await asyncio.sleep(_GRACE)
        await self._vote_is_over()

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Between:
    """The context of a call as the service sees it: with another message than came, or other ones written."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.data: Any = grpc.aio.EOF
        self.writing: Callable[[Any], Coroutine[Any, Any, None]] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    async def read(self) -> Any:
        """The message; as gRPC has it."""
        return self.data

    async def write(self, message: Any) -> None:
        """Tell a stream something."""
        await (self.writing or self._context.write)(message)


def is_web(context: Any) -> bool:
    """Return whether a call came as browsers call: by Connect or gRPC-Web."""
    return isinstance(context, CallContext) and context.is_web


def _read(rpc: Rpc, answered: Answer) -> Message:
    raw = answered if isinstance(answered, bytes) else serialized(answered)
    return GetMessageClass(rpc.method.output_type).FromString(raw)


def _metadata(context: Context) -> dict[str, str]:
    return {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}


def _deadline(context: Any) -> float | None:
    """How long a client waits, in seconds: gRPC and Connect use different headers for it."""
    try:
        return cast("float | None", context.seconds() if isinstance(context, CallContext) else context.time_remaining())
    except Exception:  # noqa: BLE001  # it is no time: the service refuses it
        return None


def _token(call: Sighting) -> str:
    return call.metadata.get("authorization", "").partition(" ")[2]


def _code_of(context: Any) -> str:
    code = context.code()
    if isinstance(code, grpc.StatusCode):
        return code.name
    return next((it.name for it in grpc.StatusCode if it.value[0] == code), str(code))
