"""A person's side of the table: shows what happens, asks what to do, and does it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rich.text import Text

from boardkeeper.client.client import Seat
from boardkeeper.client.clocks import Countdown
from boardkeeper.client.cursors import ENDED, STARTED
from boardkeeper.client.errors import BoardkeeperError, Rejected, VersionConflict
from boardkeeper.terminal.clocks import said_clocks
from boardkeeper.terminal.drawing.board import Board
from boardkeeper.terminal.drawing.drawing import draw_glance, draw_table, views
from boardkeeper.terminal.drawing.grouping import menu as menu_of
from boardkeeper.terminal.drawing.hanging import Hanging, kept
from boardkeeper.terminal.drawing.look import Look
from boardkeeper.terminal.drawing.menu import INDENT, Entry, Section, draw_menu, only
from boardkeeper.terminal.drawing.score import draw_score
from boardkeeper.terminal.drawing.seats import side, with_facts
from boardkeeper.terminal.guide import Guide
from boardkeeper.terminal.log import Log
from boardkeeper.terminal.news import News
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.paging import Pages, fits, laid_out, show_lines
from boardkeeper.terminal.undo_requests import UNDONE, VOTING, in_force
from boardkeeper.v1 import command_pb2, effect_pb2, event_pb2, game_pb2, games_pb2, scores_pb2

YES = frozenset({"y", "yes", "j", "ja"})
NO = frozenset({"n", "no", "nein"})
BOT = "bot"
CLOCKS = "c"
BACK = frozenset({"back", "zurück"})
RESIGN = frozenset({"resign", "aufgeben"})
TO_BOT = frozenset({"SeatHandedToBot", "TimeExpired"})
CHANGES_OF_HANDS = frozenset({"SeatHandedToBot", "SeatTakenBack", "SeatResigned", "TimeExpired"})
PATIENT = 0.7
"""How many seconds others may take before we say that we wait for them."""
MORE = "+"
SCORE = "s"
AUTO = "auto"
BELOW = 3
"""Lines below the menu beside the status: what Enter does, and a prompt that may be broken."""
HELP = 10
"""Where the help says what a key does."""
RECENT = 12
"""How many events of the log somebody sees who comes back."""


class Left(Exception):  # noqa: N818  # no error: somebody stood up
    """The player leaves the table."""


@dataclass(frozen=True)
class Choice:
    """What a seat can do at one version, ready to be shown."""

    legal: games_pb2.ListLegalCommandsResponse
    board: Board
    menu: Sequence[Section]
    clocks: Countdown
    score: scores_pb2.ScoreSheet

    def entries(self) -> dict[int, Entry]:
        """The entries of the menu by their numbers."""
        return {entry.number: entry for section in self.menu for entry in section.entries}


class TableTalk:
    """One person at one seat until the game is over (:meth:`play` returns) or the person leaves (:class:`Left`)."""

    def __init__(
        self,
        seat: Seat,
        look: Look,
        texts: Mapping[str, str],
        output: Output,
        invitation: str,
        *,
        auto_pass: bool = False,
    ) -> None:
        self._seat = seat
        self._guide = Guide(look, texts)
        self._auto = auto_pass
        self._look = look
        self._texts = texts
        self._output = output
        self._invitation = invitation
        self._log = Log(output, look, short=True, always=seat.number)
        self._news: News[event_pb2.Event | BoardkeeperError] = News()
        self._seen = 0
        self._first = 0  # after which version events were read
        self._own = 0  # the version of this seat's last event by a command after that, 0 if there is none
        self._other = 0  # the same of any other seat
        self._menu: Pages | None = None  # what of the menu has not been shown
        self._ahead = ""  # what was typed where a page ended, for the next prompt
        self._vote: game_pb2.UndoVote | None = None
        self._vote_moved = True
        self._absent: frozenset[int] = frozenset()  # the seats that bots play for people, as the vote was read last
        self._over = False
        self._is_timed = False
        self._joined = 0  # the version at which this person came to the table
        self._knows_of_bot = False
        self._drawn = ""
        self._placed: list[event_pb2.Event] = []

    def play(self) -> None:
        """Take part until the end, then show the score sheet."""
        game = self._seat.game()
        self._is_timed = game.HasField("time_control")
        self._joined = game.version
        self._seen = self._first = max(0, game.version - RECENT)
        threading.Thread(target=self._follow, args=(self._seen,), daemon=True).start()
        with self._news:
            self._take_part()
        self._finish()

    def _take_part(self) -> None:
        while not self._over:
            vote = self._open_vote()
            if vote is not None and self._is_asked(vote):
                self._answer(vote)
                continue
            legal = self._seat.legal_commands(min_version=self._seen, with_effects=True)
            self._read_until(legal.version)
            if legal.commands:
                self._decide(legal)
            elif not self._over:
                self._wait()

    # --- what happens ----------------------------------------------------------------------------------------

    def _follow(self, after_version: int) -> None:
        try:
            for event in self._seat.watch(after_version=after_version):
                self._news.put(event)
        except BoardkeeperError as error:
            self._news.put(error)

    def _read(self, *, at_prompt: bool = False) -> event_pb2.Event:
        """Show the next event, which may have to be waited for; ``at_prompt`` leaves the line of the prompt first."""
        news = self._news.get()
        if isinstance(news, BoardkeeperError):
            raise news
        if self._log.tells(news):
            if at_prompt:
                self._output.line("")
            if news.seat != self._seat.number:
                self._drawn = ""
        self._log.show(news)
        self._seen = news.version
        if news.seat not in (0, self._seat.number):
            self._other = news.version
        if news.seat == self._seat.number:
            self._placed.append(news)
            if news.command_id:
                self._own = news.version
            self._note_hands(news)
        if self._vote is not None or news.name in VOTING:
            self._vote_moved = True
        if news.name == UNDONE:
            self._drawn = ""
            self._placed = [event for event in self._placed if event.version < news.detail.undone.first_version]
        if self._log.begins_round(news):
            self._drawn = ""
            self._placed.clear()
        if news.name == STARTED:
            names = {seat.seat: seat.name for seat in self._seat.game().seats if seat.name}
            self._look = replace(self._look, seats={**self._look.seats, **names})  # whoever joined has a name now
            self._guide = Guide(self._look, self._texts)
        self._over = self._over or news.name == ENDED
        return news

    def _note_hands(self, event: event_pb2.Event) -> None:
        """Say how to come back when a bot takes over, by this person's own wish or because time has run out."""
        if event.name in CHANGES_OF_HANDS:
            self._knows_of_bot = False
        if event.name in TO_BOT and event.version > self._joined and not event.detail.time_expired.resigned:
            self._say_bot_plays()

    def _say_bot_plays(self) -> None:
        self._output.line(self._texts["bot_plays"])
        self._knows_of_bot = True

    def _read_until(self, version: int) -> None:
        while self._seen < version:
            self._read()

    def _catch_up(self) -> bool:
        """Show what has come while a prompt stood there; whether there was anything to be seen."""
        told = False
        while self._news.there:
            told = self._log.tells(self._read(at_prompt=not told)) or told
        return told

    def _ask(self, prompt: str, is_past: Callable[[], bool], above: Callable[[], Sequence[str]] = tuple) -> str | None:
        """A line typed at a prompt, while the game goes on; ``None`` once ``is_past``, which is asked after news."""
        if not self._news.listening:
            return self._output.ask(prompt).strip()
        self._output.prompt(prompt)
        try:
            return self._hear_answer(prompt, is_past, above)
        finally:
            self._output.end_prompt()

    def _hear_answer(self, prompt: str, is_past: Callable[[], bool], above: Callable[[], Sequence[str]]) -> str | None:
        while True:
            typed = self._news.hear()
            if typed is not None:
                return typed.strip()
            if not self._news.there:
                continue
            told = self._catch_up()
            if self._over or is_past():
                if not told:
                    self._output.line("")
                return None
            if told:
                self._show_status(above())
                self._output.prompt(prompt)

    def _wait(self) -> None:
        """Show what the others do until this seat is asked again; ``u`` and ``q`` work meanwhile."""
        said = False
        while not self._over:
            typed = self._news.hear(None if said else PATIENT)
            if typed is not None:
                if self._typed_while_waiting(typed.strip()):
                    return
            elif not self._news.there:
                if not said:
                    self._say_waiting()
                said = True
            elif self._concerns_me(self._read()):
                return

    def _concerns_me(self, event: event_pb2.Event) -> bool:
        """Whether this seat may have something to do after the event that it had not before."""
        own = event.seat == self._seat.number
        return (
            event.name in VOTING
            or (own and event.name in CHANGES_OF_HANDS)
            or any(
                effect.WhichOneof("effect") == "ask" and effect.ask.seat == self._seat.number and effect.ask.after
                for effect in event.effects
            )
        )

    def _typed_while_waiting(self, typed: str) -> bool:
        """Do what was typed while there is nothing to decide; true if it has changed the game."""
        if typed == "q":
            raise Left
        if typed == "u":
            return self._undo()
        if typed == CLOCKS and self._is_timed:
            self._show_clocks(Countdown(self._seat.game()))
            return False
        if typed in BACK or typed in RESIGN or typed == BOT:
            return self._change_hands(typed)
        self._output.line(self._texts["while_waiting"], "dim")
        return False

    def _say_waiting(self) -> None:
        game = self._seat.game()
        if game.status == game_pb2.GAME_STATUS_OPEN:
            self._output.line(self._texts["waiting_open"])
            self._output.command(self._invitation)
        elif self._seat.number not in game.deciding:  # else the event that asks this seat is on its way
            names = ", ".join(self._look.seat(seat) for seat in game.deciding)
            self._output.line(self._texts["waiting"].format(names=names), "dim")
            self._show_clocks(Countdown(game))
        if game.seats[self._seat.number - 1].handed_over and not self._knows_of_bot:
            self._say_bot_plays()

    def _finish(self) -> None:
        answer = self._seat.table()
        self._output.line("")
        self._output.line(self._texts["over"], "bold")
        game = self._seat.game()
        is_resigned = any(seat.resigned for seat in game.seats)
        if answer.score_sheet.totals and (not is_resigned or any(standing.points for standing in game.standings)):
            self._output.show(draw_score(answer.score_sheet, self._look))
        else:
            self._output.show(draw_table(Board(answer.table, self._look)))
        for standing in game.standings if is_resigned else ():
            self._output.line(f"{standing.rank}. {self._look.seat(standing.seat)}")

    # --- what to do ------------------------------------------------------------------------------------------

    def _decide(self, legal: games_pb2.ListLegalCommandsResponse) -> None:
        """Ask until something was done."""
        if self._pass_by_itself(legal):
            return
        choice = self._choice(legal)
        shown: Sequence[Section] = choice.menu
        single = _single(shown)  # what Enter does
        prompt = self._texts["prompt"].format(name=self._look.seat(self._seat.number))
        status = self._status(legal)
        menu = list(laid_out(self._output, draw_menu(choice.menu)))
        above = self._show_board(choice, len(menu), len(status))
        while True:
            if shown:
                self._output.line("")
                self._menu = Pages(menu if shown is choice.menu else list(laid_out(self._output, draw_menu(shown))))
                self._show_menu(len(status) + above)
                above = 0  # what is shown next stands below all this
                if single is not None:
                    single = self._say_enter(choice, single)
            shown = ()
            self._show_status(status)
            typed = self._typed_ahead(legal)
            if typed == "":
                typed = self._ask(prompt, lambda: self._is_past(legal), lambda: self._status(legal))
            if typed is None:
                return
            numbers = typed.replace(",", " ").split()
            if not typed:
                if single is not None and self._submit(choice, [single]):
                    return
                shown, single = choice.menu, None
            elif all(map(str.isdecimal, numbers)):
                if self._submit(choice, self._indexes(choice, numbers)):
                    return
            elif typed == MORE:
                if self._menu is None or not self._menu.left:
                    self._output.line(self._texts["no_more"], "yellow")
                self._show_menu(len(status))
            elif typed == "u":
                if self._take_back(choice):
                    return
            elif typed in RESIGN or typed == BOT:
                if self._change_hands(typed):
                    return
            elif not self._look_around(typed, choice):
                shown = self._filter(choice, typed)
                single = _single(shown)

    def _typed_ahead(self, legal: games_pb2.ListLegalCommandsResponse) -> str | None:
        """What was typed at the end of a page; ``None`` if it was meant for what is not to be decided any more."""
        typed, self._ahead = self._ahead, ""
        return None if typed and self._is_past(legal) else typed

    def _say_enter(self, choice: Choice, single: int) -> int | None:
        """Say what Enter does with the only command shown, and what that costs; the command, if Enter does it.

        A stray Enter pays nothing where something else could be done: that has to be called by its number.
        """
        costs = ", ".join(self._guide.costs(choice.legal.commands[single].effects, self._seat.number))
        if costs and len(choice.legal.commands) > 1:
            number = next(it.number for it in choice.entries().values() if it.index == single)
            self._output.line(self._texts["one_costs"].format(number=number, costs=costs), "dim")
            return None
        self._output.line(self._texts["one_left"] + (f" ({costs})" if costs else ""), "dim")
        return single

    def _pass_by_itself(self, legal: games_pb2.ListLegalCommandsResponse) -> bool:
        """Do the only thing that can be done if it changes nothing, and say so; false if there is something to decide.

        It waits for the person where that may matter: while others decide at the same time, and as long as what this
        seat did last could still be taken back for free.
        """
        if not self._auto or len(legal.commands) != 1 or self._other <= self._own:
            return False
        if list(self._seat.game().deciding) != [self._seat.number]:
            return False
        if not self._guide.is_idle(legal.commands[0].effects, self._seat.number):
            return False
        try:
            outcome = self._seat.submit(legal.commands[0], expected_version=legal.version)
        except (Rejected, VersionConflict):  # something came in this moment: then it is asked again
            return False
        self._output.line(self._texts["auto_passed"].format(sentence=legal.commands[0].sentence), "dim")
        self._read_until(outcome.version)
        return True

    def _status(self, legal: games_pb2.ListLegalCommandsResponse) -> list[str]:
        """Where the game is, what this seat has, and how everybody would be scored now: a line each, or more."""
        answer = self._seat.table(min_version=legal.version)
        lines = self._output.join_items(self._guide.where(answer.table, legal.decision))
        lines += self._output.join_items(self._guide.owned(answer.table, self._seat.number))
        scored = self._guide.scored(answer.score_sheet)
        if scored:
            lines += self._output.join_items([f"{self._texts['score_now']}: {scored[0]}", *scored[1:]])
        return lines

    def _show_status(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._output.line(line, "dim")

    def _show_board(self, choice: Choice, menu: int, status: int) -> int:
        """What a seat needs of the board, and the clocks; how many lines of that have to be in sight above the menu.

        What fits with the menu, the status and the prompt, or goes to no terminal, is drawn as it is, and not again
        before each command. Else as much of the overview as there is room for, each time.
        """
        clocks = self._output.join_items(said_clocks(choice.clocks, self._look.seats))
        is_new = self._drawn != choice.legal.decision
        glance = draw_glance(choice.board) if is_new or self._output.rows else ""
        room = self._output.rows - status - BELOW - len(clocks) - 1
        if not self._output.rows or fits(self._output, glance, room - menu):
            if is_new:
                self._drawn = choice.legal.decision
                self._output.line("")
                self._output.show(glance)
            for line in clocks:
                self._output.line(line, "dim")
            return 0
        lines = list(islice(laid_out(self._output, glance), max(0, max(room - menu, room // 3) - 1)))
        self._output.line("")
        show_lines(self._output, lines)
        for line in (self._texts["more_board"], *clocks):
            self._output.line(line, "dim")
        return len(lines) + len(clocks) + 2

    def _show_menu(self, taken: int) -> None:
        """The next page of the menu: so much of it that the lines that are taken, and the prompt, have room besides."""
        if self._menu is None or not self._menu.left:
            return
        rows = self._output.rows
        show_lines(self._output, self._menu.next(rows - taken - BELOW if rows else self._menu.left))
        if self._menu.left:
            self._output.line(self._texts["more_below"].format(count=self._menu.left), "dim")

    def _paged(self, *what: object) -> None:
        """Something to look at, a screen at a time; what is typed between is for the next prompt."""
        pages = Pages(list(laid_out(self._output, *what)))
        while pages.left:
            show_lines(self._output, pages.next(self._output.rows - 1 if self._output.rows else pages.left))
            if pages.left:
                self._ahead = self._ask(self._texts["more_pages"].format(count=pages.left), lambda: False) or ""
                if self._ahead:
                    return

    def _choice(self, legal: games_pb2.ListLegalCommandsResponse) -> Choice:
        answer = self._seat.table(min_version=legal.version)
        board = Board(answer.table, self._look)
        menu = menu_of(legal.commands, board, lambda it: self._guide.outcome(it.effects, self._seat.number))
        return Choice(legal, board, menu, Countdown(answer.clocks), answer.score_sheet)

    def _show_clocks(self, countdown: Countdown) -> None:
        """How much time everybody has left, in a game with clocks."""
        self._output.row(said_clocks(countdown, self._look.seats), "dim")

    def _indexes(self, choice: Choice, numbers: list[str]) -> list[int]:
        """Where the numbered commands stand in the list; none, with the reason shown, if a number is wrong."""
        entries = choice.entries()
        for number in numbers:
            if int(number) not in entries:
                self._output.line(self._texts["no_number"].format(number=number, last=len(entries)), "yellow")
                return []
        return [entries[int(number)].index for number in numbers]

    def _is_past(self, legal: games_pb2.ListLegalCommandsResponse) -> bool:
        """Whether something else is to be decided now: others, or this seat at another terminal, have acted."""
        vote = self._open_vote()
        if self._over or (vote is not None and self._is_asked(vote)):
            return True
        now = self._seat.legal_commands(min_version=self._seen)
        commands = [[it.command for it in answer.commands] for answer in (now, legal)]
        return now.decision != legal.decision or commands[0] != commands[1]

    def _submit(self, choice: Choice, indexes: list[int]) -> bool:
        """Do these commands together; false, with the reason shown, if they are refused."""
        if not indexes:
            return False
        try:
            outcome = self._seat.submit(*(choice.legal.commands[index] for index in indexes))
        except Rejected as rejected:
            at = rejected.values.get("index", "")
            which = indexes[int(at)] if len(indexes) > 1 and at.isdecimal() else None
            numbers = (number for number, entry in choice.entries().items() if entry.index == which)
            self._output.line(self._why(rejected, next(numbers, None)), "yellow")
            return False
        self._read_until(outcome.version)
        return True

    def _why(self, rejected: Rejected, number: int | None = None) -> str:
        """Why something was refused, with the number that it was, if it was one of several."""
        rule = self._texts["rejected_rule"].format(rule=rejected.rule) if rejected.rule else ""
        text = self._texts["rejected" if number is None else "rejected_of"]
        return f"{text.format(why=rejected, number=number)} {rule}".rstrip()

    def _filter(self, choice: Choice, typed: str) -> Sequence[Section]:
        """The commands that have all the words, in their sentence or in their place in the menu."""
        numbers = self._matching(choice, typed)
        if not numbers:
            self._output.line(self._texts["no_match"].format(text=typed), "yellow")
            return ()
        if len(numbers) > 1:
            line = self._texts["filtered"].format(count=len(numbers), all=len(choice.legal.commands), text=typed)
            self._output.line(line, "dim")
        return only(choice.menu, numbers)

    def _matching(self, choice: Choice, typed: str) -> set[int]:
        """The numbers of the commands that have all the words."""
        words = typed.casefold().split()
        numbers = set()
        for section in choice.menu:
            for entry in section.entries:
                sentence = choice.legal.commands[entry.index].sentence
                text = f"{section.heading.plain} {entry.label} {sentence}".casefold()
                if all(word in text for word in words):
                    numbers.add(entry.number)
        return numbers

    # --- handing over ----------------------------------------------------------------------------------------

    def _change_hands(self, typed: str) -> bool:
        """Let a bot play on, take the seat back from it, or give up; false if nothing came of it."""
        try:
            if typed in BACK:
                version = self._seat.take_back().version
            elif typed == BOT:
                if self._plays_alone() and not self._is_sure("bot_sure"):
                    return False
                version = self._seat.hand_to_bot().version
            else:
                if not self._is_sure("resign_sure"):
                    return False
                version = self._seat.resign().version
        except Rejected as rejected:
            self._output.line(self._why(rejected), "yellow")
            return False
        self._read_until(version)
        return True

    def _plays_alone(self) -> bool:
        """Whether nobody else is a person: then bots wait for nobody, and come to the end within moments."""
        return all(seat.bot or seat.seat == self._seat.number for seat in self._seat.game().seats)

    def _is_sure(self, question: str) -> bool:
        return (self._ask(self._texts[question], lambda: False) or "").casefold() in YES

    # --- taking back -----------------------------------------------------------------------------------------

    def _take_back(self, choice: Choice) -> bool:
        """Make the move that takes back what this seat moved last, if there is one; else undo the last commands."""
        index = withdrawal(choice.legal.commands, self._placed)
        return self._undo() if index is None else self._submit(choice, [index])

    def _undo(self) -> bool:
        """Take back the last commands or ask to, or withdraw the request for it; false if nothing came of it."""
        vote = self._open_vote()
        try:
            if vote is not None and vote.seat == self._seat.number:
                version = self._seat.answer_undo(vote.request_version, consent=False).version
            else:
                version = self._request_undo()
        except Rejected as rejected:
            text = self._texts["nothing_to_withdraw"] if rejected.code == "NOTHING_TO_UNDO" else self._why(rejected)
            self._output.line(text, "yellow")
            return False
        if not version:
            return False
        self._read_until(version)
        vote = self._open_vote()
        if vote is not None:
            names = ", ".join(self._look.seat(seat) for seat in vote.waiting)
            self._output.line(self._texts["undo_asked"].format(names=names))
            absent = ", ".join(self._look.seat(seat) for seat in vote.waiting if seat in self._absent)
            if absent:
                self._output.line(self._texts["undo_absent"].format(names=absent))
        return True

    def _request_undo(self) -> int:
        """Ask for an undo on the table as it was shown; the version that came of it, 0 if the player would not.

        The player is asked again if anything came after this seat's last commands, for it would be taken back as well.
        """
        while True:
            self._read_until(self._seat.game().version)
            if self._has_acted() and self._own != self._seen and not self._is_sure("undo_sure"):
                return 0
            try:
                return self._seat.request_undo(expected_version=self._seen).version
            except VersionConflict:
                continue  # something came in this moment

    def _has_acted(self) -> bool:
        """Whether this seat has carried out a command; what came before the events that were read is looked up."""
        return self._own > 0 or any(
            event.command_id and event.seat == self._seat.number and event.version <= self._first
            for event in self._seat.events()
        )

    def _open_vote(self) -> game_pb2.UndoVote | None:
        """The undo that is asked for, if one is."""
        if self._vote_moved:
            game = self._seat.client.game(self._seat.game_id, min_version=self._seen)
            self._vote = game.undo_vote if game.HasField("undo_vote") else None
            self._absent = frozenset(seat.seat for seat in game.seats if seat.handed_over)
            self._vote_moved = False
        return self._vote

    def _is_asked(self, vote: game_pb2.UndoVote) -> bool:
        """Whether this seat can answer a vote now: not while a bot plays it."""
        return self._seat.number in vote.waiting and self._seat.number not in self._absent

    def _answer(self, vote: game_pb2.UndoVote) -> None:
        """Ask whether another seat may take back what it wants to, until that is answered or settled otherwise."""
        self._output.line("")
        self._output.line(self._texts["undo_open"].format(name=self._look.seat(vote.seat)), "bold")
        for event in in_force(self._seat, vote.first_version, vote.request_version):
            if event.sentence:
                self._output.line(f"  {event.sentence}", "dim")
        prompt = self._texts["undo_answer"].format(
            name=self._look.seat(self._seat.number), other=self._look.seat(vote.seat)
        )
        while self._open_vote() == vote and not self._over:
            typed = (self._ask(prompt, lambda: self._open_vote() != vote) or "").casefold()
            if typed == "q":
                raise Left
            if typed in YES | NO:
                try:
                    version = self._seat.answer_undo(vote.request_version, consent=typed in YES).version
                except Rejected as rejected:  # it was settled in this moment
                    self._output.line(self._why(rejected), "yellow")
                    self._vote_moved = True
                else:
                    self._read_until(version)

    # --- looking around --------------------------------------------------------------------------------------

    def _look_around(self, typed: str, choice: Choice) -> bool:
        """Answer a key that changes nothing; false if it is none."""
        key, _, rest = typed.partition(" ")
        if typed == "q":
            raise Left
        if typed == "?":
            listed = "\n".join(
                f"  {view}       {self._look.word(caption)}" for view, (caption, _) in views(choice.board).items()
            )
            signs = re.split(r" {2,}", self._look.word("legend"))
            if self._is_timed:
                listed += "\n" + self._texts["help_clocks"]
            help = self._texts["help"].format(
                views=listed, examples=self._examples(choice), legend="  ".join(map(kept, signs))
            )
            self._paged(*(Hanging(Text(line), HELP if line.startswith(" ") else 0) for line in help.split("\n")))
        elif typed == CLOCKS and self._is_timed:
            self._show_clocks(Countdown(self._seat.game()))
        elif key.startswith("?"):
            self._explain(choice, typed[1:].strip())
        elif typed == AUTO:
            self._auto = not self._auto
            self._output.line(self._texts["auto_on" if self._auto else "auto_off"])
        elif typed == "b":
            self._paged(draw_table(choice.board))
        elif typed in views(choice.board):
            self._paged(views(choice.board)[typed][1](choice.board))
        elif typed == SCORE and choice.score.totals:
            self._paged(draw_score(choice.score, self._look))
        elif key == "o" and rest.isdecimal() and int(rest) in choice.board.seats:
            self._paged(side(choice.board, int(rest)))
        elif key == "h" and (not rest or rest.isdecimal()):
            self._history(int(rest) if rest else 20)
        else:
            return False
        return True

    def _explain(self, choice: Choice, about: str) -> None:
        """What numbered commands cost and give; of words, what is called so and the commands that have them.

        Above each stands its heading: of a place, what it still lacks and what it does then.
        """
        numbers = about.replace(",", " ").split()
        lines: list[Hanging] = []
        if numbers and all(map(str.isdecimal, numbers)):
            if not self._indexes(choice, numbers):
                return
            wanted = set(map(int, numbers))
        else:
            lines += [Hanging(Text(line), 2) for line in _described(about, choice.board)]
            wanted = self._matching(choice, about)
        for section in only(choice.menu, wanted):
            if section.heading.plain:
                lines.append(Hanging(section.heading, INDENT))
            for entry in section.entries:
                command = choice.legal.commands[entry.index]
                changes = self._guide.changes(command.effects, self._seat.number)
                said = ", ".join(changes) or self._texts["changes_nothing"]
                lines.append(Hanging(Text.assemble((f"  {entry.number:>3} ", "bold cyan"), command.sentence), INDENT))
                lines.append(Hanging(Text(" " * INDENT + said, "dim"), INDENT))
        if lines:
            self._paged(*lines)
        else:
            self._output.line(self._texts["no_match"].format(text=about), "yellow")

    def _examples(self, choice: Choice) -> str:
        """Words of a move, to type as an example."""
        entry = choice.menu[0].entries[0]
        return " ".join(choice.legal.commands[entry.index].sentence.rstrip(".").casefold().split()[-2:])

    def _history(self, count: int) -> None:
        log = Log(self._output, self._look, short=False, versions=True)
        for event in self._seat.events(after_version=max(0, self._seen - count)):
            log.show(event)


def withdrawal(commands: Sequence[command_pb2.LegalCommand], events: Sequence[event_pb2.Event]) -> int | None:
    """Return which command only moves back what the last of these events moved; ``None`` if none does."""
    for event in reversed(events):
        moved = _moves(event.effects)
        if len(moved) != 1:
            continue
        (move,) = moved
        for index, command in enumerate(commands):
            back = _moves(command.effects)
            if [(it.component, it.source, it.target) for it in back] == [(move.component, move.target, move.source)]:
                return index
        return None
    return None


def _moves(effects: Iterable[effect_pb2.Effect]) -> list[effect_pb2.Move]:
    return [it.move for it in effects if it.WhichOneof("effect") == "move"]


def _described(about: str, board: Board) -> Iterator[str]:
    """The components whose names have these words, with their facts."""
    words = about.casefold().split()
    found = (id for id, name in board.look.names.items() if words and all(it in name.casefold() for it in words))
    return (text for id in found if (text := with_facts(board, id)) != board.look.name(id))


def _single(sections: Sequence[Section]) -> int | None:
    """The only command shown, or ``None`` if there are several or none."""
    indexes = [entry.index for section in sections for entry in section.entries]
    return indexes[0] if len(indexes) == 1 else None
