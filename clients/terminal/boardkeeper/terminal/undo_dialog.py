"""Undo in a game at a terminal: requests and votes."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.client.client import Seat
from boardkeeper.client.errors import Rejected, VersionConflict
from boardkeeper.terminal.choice import describe_rejection
from boardkeeper.terminal.game_follower import YES, GameFollower, LeaveTable, LivePrompt
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.undo_requests import remaining_events
from boardkeeper.v1 import game_pb2

NO = frozenset({"n", "no", "nein"})


class UndoDialog:
    """Requests undos for a seat, and asks the player about the requests of other seats."""

    def __init__(
        self, seat: Seat, events: GameFollower, prompt: LivePrompt, texts: Mapping[str, str], output: Output
    ) -> None:
        self._seat = seat
        self._events = events
        self._prompt = prompt
        self._texts = texts
        self._output = output
        self._vote: game_pb2.UndoVote | None = None
        self._bot_seats: frozenset[int] = frozenset()  # the seats of people that bots play

    def open_vote(self) -> game_pb2.UndoVote | None:
        """Return the open vote, or ``None``."""
        if self._events.is_vote_outdated:
            game = self._seat.client.game(self._seat.game_id, min_version=self._events.version)
            self._vote = game.undo_vote if game.HasField("undo_vote") else None
            self._bot_seats = frozenset(seat.seat for seat in game.seats if seat.handed_over)
            self._events.has_open_vote = self._vote is not None
            self._events.is_vote_outdated = False
        return self._vote

    def vote_to_answer(self) -> game_pb2.UndoVote | None:
        """Return the open vote if this seat has to answer it. A seat that a bot plays cannot answer."""
        vote = self.open_vote()
        is_asked = vote is not None and self._seat.number in vote.waiting and self._seat.number not in self._bot_seats
        return vote if is_asked else None

    def undo(self) -> bool:
        """Undo the last commands, request it, or withdraw the request. Return whether the game changed."""
        vote = self.open_vote()
        try:
            if vote is not None and vote.seat == self._seat.number:
                version = self._seat.answer_undo(vote.request_version, consent=False).version
            else:
                version = self._request()
        except Rejected as rejected:
            is_nothing = rejected.code == "NOTHING_TO_UNDO"
            text = self._texts["nothing_to_withdraw"] if is_nothing else describe_rejection(rejected, self._texts)
            self._output.line(text, "yellow")
            return False
        if not version:
            return False
        self._events.read_until(version)
        vote = self.open_vote()
        if vote is not None:
            viewpoint = self._events.viewpoint
            names = ", ".join(viewpoint.seat(seat) for seat in vote.waiting)
            self._output.line(self._texts["undo_asked"].format(names=names))
            absent = ", ".join(viewpoint.seat(seat) for seat in vote.waiting if seat in self._bot_seats)
            if absent:
                self._output.line(self._texts["undo_absent"].format(names=absent))
        return True

    def _request(self) -> int:
        """Request an undo at the version that the player saw. Return the new version; 0 if the player declined.

        The player has to confirm the undo if events followed the seat's last command, because they are undone as well.
        """
        events = self._events
        while True:
            events.read_until(self._seat.game().version)
            if self._has_acted() and events.own_version != events.version and not self._prompt.confirm("undo_sure"):
                return 0
            try:
                return self._seat.request_undo(expected_version=events.version).version
            except VersionConflict:
                continue  # another event was stored at this moment

    def _has_acted(self) -> bool:
        """Return whether the seat has carried out a command, including commands before the events that were read."""
        return self._events.own_version > 0 or any(
            event.command_id and event.seat == self._seat.number and event.version <= self._events.first_version
            for event in self._seat.events()
        )

    def answer(self, vote: game_pb2.UndoVote) -> None:
        """Ask the player about another seat's request until the vote is answered or closed.

        Raises :class:`LeaveTable`.
        """
        viewpoint = self._events.viewpoint
        self._output.line("")
        self._output.line(self._texts["undo_open"].format(name=viewpoint.seat(vote.seat)), "bold")
        for event in remaining_events(self._seat, vote.first_version, vote.request_version):
            if event.sentence:
                self._output.line(f"  {event.sentence}", "dim")
        prompt = self._texts["undo_answer"].format(
            name=viewpoint.seat(self._seat.number), other=viewpoint.seat(vote.seat)
        )
        while self.open_vote() == vote and not self._events.is_over:
            typed = (self._prompt.ask(prompt, lambda: self.open_vote() != vote) or "").casefold()
            if typed == "q":
                raise LeaveTable
            if typed in YES | NO:
                try:
                    version = self._seat.answer_undo(vote.request_version, consent=typed in YES).version
                except Rejected as rejected:  # the vote was closed at this moment
                    self._output.line(describe_rejection(rejected, self._texts), "yellow")
                    self._events.is_vote_outdated = True
                else:
                    self._events.read_until(version)
