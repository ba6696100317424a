"""A person's side of the table: shows what happens, asks what to do, and does it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import Struct

from boardkeeper.client.cli.log import Log
from boardkeeper.client.cli.output import Output
from boardkeeper.client.client import Seat
from boardkeeper.client.drawing.drawing import Drawing
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.menu import Entry, Section, draw_menu, only
from boardkeeper.client.errors import BoardkeeperError, Rejected
from boardkeeper.client.watching import ENDED
from boardkeeper.v1 import event_pb2, game_pb2, games_pb2
from boardkeeper.wire.titles import board_from_message, command_from_message

STARTED = "GameStarted"
PATIENT = 0.7
"""How many seconds others may take before we say that we wait for them."""
RECENT = 12
"""How many events of the log somebody sees who comes back."""


class Left(Exception):  # noqa: N818  # no error: somebody stood up
    """The player leaves the table."""


@dataclass(frozen=True)
class Choice:
    """What a seat can do at one version, ready to be shown."""

    legal: games_pb2.ListLegalCommandsResponse
    commands: tuple[Struct, ...]
    board: Struct
    menu: Sequence[Section]

    def entries(self) -> dict[int, Entry]:
        """The entries of the menu by their numbers."""
        return {entry.number: entry for section in self.menu for entry in section.entries}


class TableTalk:
    """One person at one seat until the game is over (:meth:`play` returns) or the person leaves (:class:`Left`)."""

    def __init__(
        self, seat: Seat, drawing: Drawing, look: Look, texts: Mapping[str, str], output: Output, invitation: str
    ) -> None:
        self._seat = seat
        self._drawing = drawing
        self._look = look
        self._texts = texts
        self._output = output
        self._invitation = invitation
        self._log = Log(output, drawing, look, short=True, always=seat.number)
        self._news: queue.SimpleQueue[event_pb2.Event | BoardkeeperError] = queue.SimpleQueue()
        self._seen = 0
        self._over = False
        self._drawn = ""
        self._placed: list[event_pb2.Event] = []

    def play(self) -> None:
        """Take part until the end, then show the score sheet."""
        game = self._seat.game()
        self._seen = max(0, game.version - RECENT)
        threading.Thread(target=self._follow, args=(self._seen,), daemon=True).start()
        while not self._over:
            legal = self._seat.legal_commands(min_version=self._seen)
            self._read_until(legal.version)
            if legal.commands:
                self._decide(legal)
            elif not self._over:
                self._wait()
        self._finish()

    # --- what happens ----------------------------------------------------------------------------------------

    def _follow(self, after_version: int) -> None:
        try:
            for event in self._seat.watch(after_version=after_version):
                self._news.put(event)
        except BoardkeeperError as error:
            self._news.put(error)

    def _read(self, timeout: float | None) -> event_pb2.Event:
        """Show the next event; raises ``queue.Empty`` after ``timeout`` seconds."""
        news = self._news.get(timeout=timeout)
        if isinstance(news, BoardkeeperError):
            raise news
        self._log.show(news)
        self._seen = news.version
        if news.seat == self._seat.number:
            self._placed.append(news)
        if news.name == self._drawing.round_event:
            self._drawn = ""
            self._placed.clear()
        if news.name == STARTED:
            names = {seat.seat: seat.name for seat in self._seat.game().seats}
            self._look = replace(self._look, seats=names)  # whoever joined has a name now
        self._over = self._over or news.name == ENDED
        return news

    def _read_until(self, version: int) -> None:
        while self._seen < version:
            self._read(None)

    def _wait(self) -> None:
        """Show what the others do until this seat is asked again."""
        said = False
        while not self._over:
            try:
                event = self._read(None if said else PATIENT)
            except queue.Empty:
                said = True
                self._say_waiting()
                continue
            if any(
                effect.WhichOneof("effect") == "ask" and effect.ask.seat == self._seat.number and effect.ask.after
                for effect in event.effects
            ):
                return

    def _say_waiting(self) -> None:
        game = self._seat.game()
        if game.status == game_pb2.GAME_STATUS_OPEN:
            self._output.line(self._texts["waiting_open"])
            self._output.line(f"  {self._invitation}", "bold")
        else:
            names = ", ".join(self._look.seat(seat) for seat in game.deciding)
            self._output.line(self._texts["waiting"].format(names=names), "dim")

    def _finish(self) -> None:
        board = board_from_message(self._seat.board().board)[1]
        self._output.line("")
        self._output.line(self._texts["over"], "bold")
        self._output.show((self._drawing.score or self._drawing.table)(board, self._look))

    # --- what to do ------------------------------------------------------------------------------------------

    def _decide(self, legal: games_pb2.ListLegalCommandsResponse) -> None:
        """Ask until something was done."""
        choice = self._choice(legal)
        if self._drawn != legal.decision:
            self._drawn = legal.decision
            self._output.line("")
            self._output.show((self._drawing.glance or self._drawing.table)(choice.board, self._look))
        shown: Sequence[Section] = choice.menu
        single = _single(shown)  # what Enter does
        prompt = self._texts["prompt"].format(name=self._look.seat(self._seat.number))
        while True:
            if shown:
                self._output.line("")
                self._output.show(draw_menu(shown))
                if single is not None:
                    self._output.line(self._texts["one_left"], "dim")
            typed = self._output.ask(prompt).strip()
            shown = ()
            numbers = typed.replace(",", " ").split()
            if not typed:
                if single is not None and self._submit(choice, [single]):
                    return
                shown, single = choice.menu, None
            elif all(number.isdigit() for number in numbers):
                if self._submit(choice, self._indexes(choice, numbers)):
                    return
            elif typed == "u":
                if self._submit(choice, self._withdrawal(choice)):
                    return
            elif not self._look_around(typed, choice):
                shown = self._filter(choice, typed)
                single = _single(shown)

    def _choice(self, legal: games_pb2.ListLegalCommandsResponse) -> Choice:
        board = board_from_message(self._seat.board(min_version=legal.version).board)[1]
        commands = tuple(command_from_message(entry.command)[1] for entry in legal.commands)
        sentences = [entry.sentence for entry in legal.commands]
        return Choice(legal, commands, board, self._drawing.sections(commands, sentences, board, self._look))

    def _indexes(self, choice: Choice, numbers: list[str]) -> list[int]:
        """Where the numbered commands stand in the list; none, with the reason shown, if a number is wrong."""
        entries = choice.entries()
        for number in numbers:
            if int(number) not in entries:
                self._output.line(self._texts["no_number"].format(number=number, last=len(entries)), "yellow")
                return []
        return [entries[int(number)].index for number in numbers]

    def _withdrawal(self, choice: Choice) -> list[int]:
        find = self._drawing.withdrawal
        index = None if find is None else find(choice.commands, self._placed)
        if index is None:
            self._output.line(self._texts["nothing_to_withdraw"], "yellow")
            return []
        return [index]

    def _submit(self, choice: Choice, indexes: list[int]) -> bool:
        """Do these commands together; false, with the reason shown, if they are refused."""
        if not indexes:
            return False
        try:
            outcome = self._seat.submit(*(choice.legal.commands[index] for index in indexes))
        except Rejected as rejected:
            rule = self._texts["rejected_rule"].format(rule=rejected.rule) if rejected.rule else ""
            self._output.line(f"{self._texts['rejected'].format(why=rejected)} {rule}".rstrip(), "yellow")
            return False
        self._read_until(outcome.version)
        return True

    def _filter(self, choice: Choice, typed: str) -> Sequence[Section]:
        """The commands that have all the words, in their sentence or in their place in the menu."""
        words = typed.casefold().split()
        numbers = set()
        for section in choice.menu:
            for entry in section.entries:
                sentence = choice.legal.commands[entry.index].sentence
                text = f"{section.heading.plain} {entry.label} {sentence}".casefold()
                if all(word in text for word in words):
                    numbers.add(entry.number)
        if not numbers:
            self._output.line(self._texts["no_match"].format(text=typed), "yellow")
            return ()
        if len(numbers) > 1:
            line = self._texts["filtered"].format(count=len(numbers), all=len(choice.commands), text=typed)
            self._output.line(line, "dim")
        return only(choice.menu, numbers)

    # --- looking around --------------------------------------------------------------------------------------

    def _look_around(self, typed: str, choice: Choice) -> bool:
        """Answer a key that changes nothing; false if it is none."""
        key, _, rest = typed.partition(" ")
        if typed == "q":
            raise Left
        if typed == "?":
            views = "\n".join(
                f"  {view}       {self._look.word(caption)}" for view, (caption, _) in self._drawing.views.items()
            )
            self._output.line(self._texts["help"].format(views=views))
        elif typed == "b":
            self._output.show(self._drawing.table(choice.board, self._look))
        elif typed in self._drawing.views:
            self._output.show(self._drawing.views[typed][1](choice.board, self._look))
        elif key == "h" and (not rest or rest.isdigit()):
            self._history(int(rest) if rest else 20)
        else:
            return False
        return True

    def _history(self, count: int) -> None:
        log = Log(self._output, self._drawing, self._look, short=False, versions=True)
        for event in self._seat.events(after_version=max(0, self._seen - count)):
            log.show(event)


def _single(sections: Sequence[Section]) -> int | None:
    """The only command shown, or ``None`` if there are several or none."""
    indexes = [entry.index for section in sections for entry in section.entries]
    return indexes[0] if len(indexes) == 1 else None
