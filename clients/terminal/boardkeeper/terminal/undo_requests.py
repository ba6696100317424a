"""Requests to undo commands, and the answers to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boardkeeper.client.client import Seat
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.connections import as_record, seat_names
from boardkeeper.terminal.errors import DONE, CommandError
from boardkeeper.terminal.locations import location_of, named_location, open_location
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.saved_seats import SeatFile, data_folder, saved_seat
from boardkeeper.terminal.texts import texts
from boardkeeper.v1 import event_pb2, game_pb2

REQUESTED = "UndoRequested"
UNDONE = "Undone"
VOTING = frozenset({REQUESTED, "UndoConsented", "UndoDeclined"})


def undo(arguments: Arguments, output: Output) -> int:
    """Request an undo, answer a request, or show the open vote."""
    location = named_location(arguments)
    saved = saved_seat(SeatFile(data_folder()), arguments.game, location, arguments.seat)
    with open_location(location or location_of(saved), arguments.language, output) as (client, _):
        seat = client.seat(saved.game, saved.seat, saved.token)
        game = seat.game()
        teller = UndoPrinter(seat, game, arguments.language, output)
        vote = game.undo_vote if game.HasField("undo_vote") else None
        if arguments.answer is not None:
            _answer(seat, vote, arguments.answer == "yes", teller)
        elif vote is not None:
            teller.open_vote(vote)
        else:
            _ask(seat, teller)
    return DONE


def _ask(seat: Seat, teller: UndoPrinter) -> None:
    answer = seat.request_undo()
    done = _last(answer.events, UNDONE)
    if done is not None:
        free = _last(answer.events, REQUESTED) is None
        teller.taken_back(done, "undo_free" if free else "undo_bots", free=free)
        return
    game = seat.game()
    if game.HasField("undo_vote"):
        teller.open_vote(game.undo_vote)
    else:  # answered in the meantime
        teller.said("answered", answer.events)


def _answer(seat: Seat, vote: game_pb2.UndoVote | None, consent: bool, teller: UndoPrinter) -> None:
    if vote is None:
        raise CommandError(f"there is no request to undo in game {seat.game_id}.")
    if consent and vote.seat == seat.number:
        raise CommandError("you cannot agree to your own request; --answer no cancels it.")
    answer = seat.answer_undo(vote.request_version, consent=consent)
    done = _last(answer.events, UNDONE)
    if done is not None:
        teller.taken_back(done, "undo_agreed", free=False)
    else:
        teller.said("consented" if consent else "declined", answer.events)


def _last(events: Sequence[event_pb2.Event], name: str) -> event_pb2.Event | None:
    return next((event for event in reversed(events) if event.name == name), None)


def remaining_events(seat: Seat, first: int, last: int) -> list[event_pb2.Event]:
    """Return the events between two versions as a seat sees them, without those that were undone."""
    found: list[event_pb2.Event] = []
    for event in seat.events(after_version=first - 1):
        if event.version > last:
            break
        if event.name == UNDONE:
            found = [kept for kept in found if kept.version < event.detail.undone.first_version]
        elif event.name not in VOTING:
            found.append(event)
    return found


class UndoPrinter:
    """Prints an undo: sentences for people, or one JSON object for programs."""

    def __init__(self, seat: Seat, game: game_pb2.Game, language: str, output: Output) -> None:
        self._seat = seat
        self._absent = frozenset(it.seat for it in game.seats if it.handed_over)
        self._names = seat_names(game, language)
        self._words: Mapping[str, str] = texts(language)
        self._output = output

    def taken_back(self, done: event_pb2.Event, how: str, *, free: bool) -> None:
        """Print the undone events, and whether a vote was needed."""
        undone = done.detail.undone
        events = remaining_events(self._seat, undone.first_version, undone.last_version)
        self._record("taken_back", free=free, event=as_record(done), taken_back=[as_record(event) for event in events])
        self._output.line(f"{done.sentence} {self._words[how]}")
        self._list(events)

    def open_vote(self, vote: game_pb2.UndoVote) -> None:
        """Print the open vote: the request, the missing answers, and how to answer."""
        events = remaining_events(self._seat, vote.first_version, vote.request_version)
        self._record("asked", free=False, undo_vote=as_record(vote), would_take_back=[as_record(it) for it in events])
        self._output.line(self._words["undo_open"].format(name=self._names[vote.seat]))
        self._list(events)
        self._list_waiting(vote)
        if self._seat.number in vote.waiting:
            self._output.command(f"boardkeeper undo {self._seat.game_id} --answer yes|no")
        elif self._seat.number == vote.seat:
            self._output.line(self._words["undo_own"])
            self._output.command(f"boardkeeper undo {self._seat.game_id} --answer no")

    def said(self, outcome: str, events: Sequence[event_pb2.Event]) -> None:
        """Print the last event of a vote in which nothing was undone yet."""
        self._record(outcome, free=False, event=as_record(events[-1]))
        self._output.line(events[-1].sentence)
        game = self._seat.game()
        if game.HasField("undo_vote"):
            self._list_waiting(game.undo_vote)

    def _list_waiting(self, vote: game_pb2.UndoVote) -> None:
        for key, seats in (("undo_waiting", vote.waiting), ("undo_absent", self._absent.intersection(vote.waiting))):
            if seats:
                self._output.line(self._words[key].format(names=", ".join(self._names[it] for it in sorted(seats))))

    def _record(self, outcome: str, **values: Any) -> None:
        self._output.record({"game_id": self._seat.game_id, "seat": self._seat.number, "outcome": outcome, **values})

    def _list(self, events: Sequence[event_pb2.Event]) -> None:
        for event in events:
            if event.sentence:
                self._output.line(f"  {event.version:>5}  {event.sentence}", "dim")
