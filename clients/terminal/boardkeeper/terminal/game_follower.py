"""The events of a game for a player at a terminal, who may type while events arrive."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from boardkeeper.client.client import Seat
from boardkeeper.client.cursors import ENDED, STARTED
from boardkeeper.client.errors import BoardkeeperError
from boardkeeper.terminal.drawing.viewpoint import Viewpoint
from boardkeeper.terminal.log import Log
from boardkeeper.terminal.news import Inbox
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.paging import Pages, render_lines, show_lines
from boardkeeper.terminal.undo_requests import UNDONE, VOTING
from boardkeeper.v1 import event_pb2, game_pb2

YES = frozenset({"y", "yes", "j", "ja"})
BOT_TAKES_OVER = frozenset({"SeatHandedToBot", "TimeExpired"})
PLAYER_CHANGES = frozenset({"SeatHandedToBot", "SeatTakenBack", "SeatResigned", "TimeExpired"})
RECENT_EVENTS = 12
"""The number of earlier events that a returning player sees."""


class LeaveTable(Exception):  # noqa: N818  # not an error
    """The player leaves the table."""


class GameFollower:
    """Reads the events of a game in a thread, prints them, and tracks what they mean for one seat."""

    def __init__(self, seat: Seat, viewpoint: Viewpoint, texts: Mapping[str, str], output: Output) -> None:
        self.viewpoint = viewpoint
        self.news: Inbox[event_pb2.Event | BoardkeeperError] = Inbox()
        self.version = 0
        """The version of the last printed event."""
        self.first_version = 0
        """The version after which events were read."""
        self.own_version = 0
        """The version of the seat's last event with a command; 0 if none was read."""
        self.other_version = 0
        """The version of the last event of another seat; 0 if none was read."""
        self.own_events: list[event_pb2.Event] = []
        """The seat's events of this round that are not undone."""
        self.is_over = False
        self.is_board_outdated = True
        """True if an event has changed the board since it was drawn."""
        self.has_open_vote = False
        self.is_vote_outdated = True
        """True if an event may have changed the vote on an undo."""
        self.has_mentioned_bot = False
        """True if the player was informed that a bot plays the seat."""
        self._seat = seat
        self._texts = texts
        self._output = output
        self._log = Log(output, viewpoint, short=True, always=seat.number)
        self._start_version = 0

    def start(self, game: game_pb2.Game) -> None:
        """Start to follow the game, from the last ``RECENT_EVENTS`` events before its current version."""
        self._start_version = game.version
        self.version = self.first_version = max(0, game.version - RECENT_EVENTS)
        threading.Thread(target=self._watch, args=(self.version,), daemon=True).start()

    def _watch(self, after_version: int) -> None:
        try:
            for event in self._seat.watch(after_version=after_version):
                self.news.put(event)
        except BoardkeeperError as error:
            self.news.put(error)

    def read(self, *, at_prompt: bool = False) -> event_pb2.Event:
        """Wait for the next event, print it and return it. With ``at_prompt``, print it on a new line."""
        event = self.news.get()
        if isinstance(event, BoardkeeperError):
            raise event
        if self._log.is_printed(event):
            if at_prompt:
                self._output.line("")
            if event.seat != self._seat.number:
                self.is_board_outdated = True
        self._log.show(event)
        self.version = event.version
        self.is_over = self.is_over or event.name == ENDED
        self._track_seats(event)
        if self.has_open_vote or event.name in VOTING:
            self.is_vote_outdated = True
        if event.name == UNDONE:
            self.is_board_outdated = True
            first_undone = event.detail.undone.first_version
            self.own_events = [it for it in self.own_events if it.version < first_undone]
        if self._log.begins_round(event):
            self.is_board_outdated = True
            self.own_events.clear()
        if event.name == STARTED:  # only now the names of all players are known
            names = {seat.seat: seat.name for seat in self._seat.game().seats if seat.name}
            self.viewpoint = replace(self.viewpoint, seats={**self.viewpoint.seats, **names})
        return event

    def _track_seats(self, event: event_pb2.Event) -> None:
        if event.seat != self._seat.number:
            self.other_version = event.version if event.seat else self.other_version
            return
        self.own_events.append(event)
        if event.command_id:
            self.own_version = event.version
        if event.name in PLAYER_CHANGES:
            self.has_mentioned_bot = False
        is_new = event.version > self._start_version
        if event.name in BOT_TAKES_OVER and is_new and not event.detail.time_expired.resigned:
            self.mention_bot()

    def mention_bot(self) -> None:
        """Print that a bot plays the seat, and how to take it back."""
        self._output.line(self._texts["bot_plays"])
        self.has_mentioned_bot = True

    def read_until(self, version: int) -> None:
        """Read events up to a version."""
        while self.version < version:
            self.read()

    def catch_up(self) -> bool:
        """Print the events that arrived while a prompt was shown. Return whether one of them was visible."""
        is_visible = False
        while self.news.has_items:
            is_visible = self._log.is_printed(self.read(at_prompt=not is_visible)) or is_visible
        return is_visible


class LivePrompt:
    """Asks the player while the game continues."""

    def __init__(self, events: GameFollower, texts: Mapping[str, str], output: Output) -> None:
        self._events = events
        self._texts = texts
        self._output = output
        self.typed_ahead = ""
        """A line that was typed at the end of a page, for the next prompt."""

    def ask(
        self,
        prompt: str,
        is_past: Callable[[], bool] = lambda: False,
        status: Callable[[], Sequence[str]] = tuple,
    ) -> str | None:
        """Return a typed line, or ``None`` if the game is over or the question no longer applies (``is_past``).

        ``is_past`` is checked after each event. After visible events, ``status`` is printed above the prompt again.
        """
        if not self._events.news.is_interactive:
            return self._output.ask(prompt).strip()
        self._output.prompt(prompt)
        try:
            return self._wait_for_answer(prompt, is_past, status)
        finally:
            self._output.end_prompt()

    def _wait_for_answer(
        self, prompt: str, is_past: Callable[[], bool], status: Callable[[], Sequence[str]]
    ) -> str | None:
        while True:
            typed = self._events.news.wait_for_line()
            if typed is not None:
                return typed.strip()
            if not self._events.news.has_items:
                continue
            is_visible = self._events.catch_up()
            if self._events.is_over or is_past():
                if not is_visible:
                    self._output.line("")
                return None
            if is_visible:
                for line in status():
                    self._output.line(line, "dim")
                self._output.prompt(prompt)

    def confirm(self, question: str) -> bool:
        """Ask a question; ``question`` is the key of its text. Return whether the player typed yes."""
        return (self.ask(self._texts[question]) or "").casefold() in YES

    def show_pages(self, *renderables: object) -> None:
        """Show renderables page by page. A line typed between pages ends this and becomes ``typed_ahead``."""
        pages = Pages(list(render_lines(self._output, *renderables)))
        while pages.left:
            show_lines(self._output, pages.next(self._output.rows - 1 if self._output.rows else pages.left))
            if pages.left:
                self.typed_ahead = self.ask(self._texts["more_pages"].format(count=pages.left)) or ""
                if self.typed_ahead:
                    return
