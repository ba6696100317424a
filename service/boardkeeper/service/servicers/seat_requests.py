"""What seats ask for beside commands: undo, votes, hand-overs and resignation, by a call of its own or on a stream."""

from __future__ import annotations

from boardkeeper.service.access.scopes import PLAY
from boardkeeper.service.edge.call import Call
from boardkeeper.service.games.acting import Acting, Outcome
from boardkeeper.service.requests import checks
from boardkeeper.service.requests.refusals import InvalidRequestError
from boardkeeper.service.requests.sentences import Sentence
from boardkeeper.table.title import Title
from boardkeeper.v1 import games_pb2

SeatRequest = (
    games_pb2.RequestUndoRequest
    | games_pb2.AnswerUndoRequest
    | games_pb2.ResignSeatRequest
    | games_pb2.HandSeatToBotRequest
    | games_pb2.TakeSeatBackRequest
)

_NO_BOTS = Sentence("must be empty: this title has no bots", "muss leer sein: Dieser Titel hat keine Bots")


async def carry_out(acting: Acting, request: SeatRequest, call: Call, token: str | None = None) -> Outcome:
    """Do what a seat asks for, if the caller may; ``token`` is the seat's where it is not that of the call.

    Raises what :meth:`Acting.submit` raises, and what is wrong with the request or the caller.
    """
    game = checks.game_id(request.game_id)
    await call.enter(acting.hub, game, PLAY, token)
    live = await acting.hub.live(game)
    await call.acting_seat(live, request.seat, token)
    seat, command_id = request.seat, checks.command_id(request.command_id)
    match request:
        case games_pb2.RequestUndoRequest():
            expected = request.expected_version if request.HasField("expected_version") else None
            return await acting.request_undo(game, seat, command_id, expected)
        case games_pb2.AnswerUndoRequest():
            version = checks.version(request.request_version, "request_version")
            return await acting.answer_undo(game, seat, version, request.consent, command_id)
        case games_pb2.ResignSeatRequest():
            return await acting.resign(game, seat, command_id)
        case games_pb2.HandSeatToBotRequest():
            return await acting.hand_to_bot(game, seat, _kind_of_bot(request.bot, live.game.title), command_id)
        case games_pb2.TakeSeatBackRequest():
            return await acting.take_back(game, seat, command_id)


def _kind_of_bot(bot: str, title: Title) -> str:
    """The kind of bot that a request names, or the title's best; raises ``InvalidRequestError`` if it has none such."""
    kinds = [kind.id for kind in title.meta.bots]
    if not kinds:
        raise InvalidRequestError({"bot": _NO_BOTS})
    if bot and bot not in kinds:
        offered = ", ".join(kinds)
        raise InvalidRequestError(
            {"bot": Sentence(f"must be empty or one of: {offered}", f"muss leer sein oder eines von: {offered}")}
        )
    return bot or kinds[0]
