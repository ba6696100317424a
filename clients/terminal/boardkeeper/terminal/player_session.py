"""A player at a terminal: shows what happens in a game, asks for moves, and submits them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from boardkeeper.client.client import Seat
from boardkeeper.client.clocks import Countdown
from boardkeeper.client.errors import Rejected, VersionConflict
from boardkeeper.terminal.choice import Choice, describe_rejection, find_reversing_command, only_command
from boardkeeper.terminal.clocks import clock_texts
from boardkeeper.terminal.drawing.board import Board
from boardkeeper.terminal.drawing.command_menu import build_menu
from boardkeeper.terminal.drawing.menu import Section, draw_menu, select
from boardkeeper.terminal.drawing.score import draw_score
from boardkeeper.terminal.drawing.table_views import draw_overview, draw_table
from boardkeeper.terminal.drawing.viewpoint import Viewpoint
from boardkeeper.terminal.game_follower import PLAYER_CHANGES, GameFollower, LeaveTable, LivePrompt
from boardkeeper.terminal.guide import Guide
from boardkeeper.terminal.inspection import CLOCKS, Inspection
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.paging import Pages, fits_in, render_lines, show_lines
from boardkeeper.terminal.undo_dialog import UndoDialog
from boardkeeper.terminal.undo_requests import VOTING
from boardkeeper.v1 import event_pb2, game_pb2, games_pb2

BOT = "bot"
BACK = frozenset({"back", "zurück"})
RESIGN = frozenset({"resign", "aufgeben"})
UNDO = "u"
QUIT = "q"
MORE = "+"
AUTO = "auto"
WAITING_NOTICE_SECONDS = 0.7
"""The delay before the notice that the game waits for other seats."""
LINES_BELOW_MENU = 3
"""One line about Enter, and a prompt that may take two lines."""


class PlayerSession:
    """One player at one seat. :meth:`play` raises :class:`LeaveTable` if the player quits before the game is over."""

    def __init__(
        self,
        seat: Seat,
        viewpoint: Viewpoint,
        texts: Mapping[str, str],
        output: Output,
        invitation: str,
        *,
        auto_pass: bool = False,
    ) -> None:
        self._seat = seat
        self._texts = texts
        self._output = output
        self._invitation = invitation
        self._auto_pass = auto_pass
        self._events = GameFollower(seat, viewpoint, texts, output)
        self._prompt = LivePrompt(self._events, texts, output)
        self._undo = UndoDialog(seat, self._events, self._prompt, texts, output)
        self._inspection = Inspection(seat, self._events, self._prompt, texts, output)
        self._menu: Pages | None = None  # the menu, of which some pages may be shown
        self._drawn_decision = ""

    @property
    def _viewpoint(self) -> Viewpoint:
        return self._events.viewpoint

    @property
    def _guide(self) -> Guide:
        return Guide(self._viewpoint, self._texts)

    def play(self) -> None:
        """Play until the game is over, then show the score sheet."""
        game = self._seat.game()
        self._inspection.is_timed = game.HasField("time_control")
        self._events.start(game)
        with self._events.news:
            while not self._events.is_over:
                self._take_turn()
        self._show_result()

    def _take_turn(self) -> None:
        vote = self._undo.vote_to_answer()
        if vote is not None:
            self._undo.answer(vote)
            return
        legal = self._seat.legal_commands(min_version=self._events.version, with_effects=True)
        self._events.read_until(legal.version)
        if legal.commands:
            self._decide(legal)
        elif not self._events.is_over:
            self._wait()

    def _show_result(self) -> None:
        response = self._seat.table()
        self._output.line("")
        self._output.line(self._texts["over"], "bold")
        game = self._seat.game()
        is_resigned = any(seat.resigned for seat in game.seats)
        if response.score_sheet.totals and (not is_resigned or any(standing.points for standing in game.standings)):
            self._output.show(draw_score(response.score_sheet, self._viewpoint))
        else:
            self._output.show(draw_table(Board(response.table, self._viewpoint)))
        for standing in game.standings if is_resigned else ():
            self._output.line(f"{standing.rank}. {self._viewpoint.seat(standing.seat)}")

    # --- waiting for other seats -----------------------------------------------------------------------------

    def _wait(self) -> None:
        """Show what other seats do until this seat may have to act. The player can type some keys during this time."""
        has_notice = False
        while not self._events.is_over:
            typed = self._events.news.wait_for_line(None if has_notice else WAITING_NOTICE_SECONDS)
            if typed is not None:
                if self._handle_key_while_waiting(typed.strip()):
                    return
            elif not self._events.news.has_items:
                if not has_notice:
                    self._show_waiting_notice()
                has_notice = True
            elif self._concerns_seat(self._events.read()):
                return

    def _concerns_seat(self, event: event_pb2.Event) -> bool:
        """Return whether this seat may have something new to do after the event."""
        return (
            event.name in VOTING
            or (event.seat == self._seat.number and event.name in PLAYER_CHANGES)
            or any(
                effect.WhichOneof("effect") == "ask" and effect.ask.seat == self._seat.number and effect.ask.after
                for effect in event.effects
            )
        )

    def _handle_key_while_waiting(self, typed: str) -> bool:
        """Return whether the key changed the game."""
        if typed == QUIT:
            raise LeaveTable
        if typed == UNDO:
            return self._undo.undo()
        if typed == CLOCKS and self._inspection.is_timed:
            self._inspection.show_clocks(Countdown(self._seat.game()))
            return False
        if typed in BACK or typed in RESIGN or typed == BOT:
            return self._change_player(typed)
        self._output.line(self._texts["while_waiting"], "dim")
        return False

    def _show_waiting_notice(self) -> None:
        game = self._seat.game()
        if game.status == game_pb2.GAME_STATUS_OPEN:
            self._output.line(self._texts["waiting_open"])
            self._output.command(self._invitation)
        elif self._seat.number not in game.deciding:  # else the event that gives this seat a decision will arrive soon
            names = ", ".join(self._viewpoint.seat(seat) for seat in game.deciding)
            self._output.line(self._texts["waiting"].format(names=names), "dim")
            self._inspection.show_clocks(Countdown(game))
        if game.seats[self._seat.number - 1].handed_over and not self._events.has_mentioned_bot:
            self._events.mention_bot()

    # --- deciding --------------------------------------------------------------------------------------------

    def _decide(self, legal: games_pb2.ListLegalCommandsResponse) -> None:
        """Show the choice, and ask until the game has changed."""
        if self._pass_automatically(legal):
            return
        choice = self._choice(legal)
        shown: Sequence[Section] = choice.menu
        single = only_command(shown)  # the command of Enter
        prompt = self._texts["prompt"].format(name=self._viewpoint.seat(self._seat.number))
        status = self._status(legal)
        menu = list(render_lines(self._output, draw_menu(choice.menu)))
        lines_above = self._show_board(choice, len(menu), len(status))
        while True:
            if shown:
                self._output.line("")
                self._menu = Pages(menu if shown is choice.menu else list(render_lines(self._output, draw_menu(shown))))
                self._show_menu(len(status) + lines_above)
                lines_above = 0  # only the first menu is below the board
                if single is not None:
                    single = self._explain_enter(choice, single)
            shown = ()
            for line in status:
                self._output.line(line, "dim")
            typed = self._take_typed_ahead(legal)
            if typed == "":
                typed = self._prompt.ask(prompt, lambda: self._is_past(legal), lambda: self._status(legal))
            if typed is None:
                return
            numbers = typed.replace(",", " ").split()
            if not typed:
                if single is not None and self._submit(choice, [single]):
                    return
                shown, single = choice.menu, None
            elif all(map(str.isdecimal, numbers)):
                if self._submit(choice, self._inspection.indexes(choice, numbers)):
                    return
            elif typed == QUIT:
                raise LeaveTable
            elif typed == MORE:
                if self._menu is None or not self._menu.left:
                    self._output.line(self._texts["no_more"], "yellow")
                self._show_menu(len(status))
            elif typed == UNDO:
                if self._withdraw_or_undo(choice):
                    return
            elif typed in RESIGN or typed == BOT:
                if self._change_player(typed):
                    return
            elif typed == AUTO:
                self._auto_pass = not self._auto_pass
                self._output.line(self._texts["auto_on" if self._auto_pass else "auto_off"])
            elif not self._inspection.show(typed, choice):
                shown = self._filter(choice, typed)
                single = only_command(shown)

    def _choice(self, legal: games_pb2.ListLegalCommandsResponse) -> Choice:
        response = self._seat.table(min_version=legal.version)
        board = Board(response.table, self._viewpoint)
        guide = self._guide
        menu = build_menu(legal.commands, board, lambda it: guide.outcome(it.effects, self._seat.number))
        return Choice(legal, board, menu, Countdown(response.clocks), response.score_sheet)

    def _take_typed_ahead(self, legal: games_pb2.ListLegalCommandsResponse) -> str | None:
        """Return the line that was typed at the end of a page; ``None`` if the decision has changed since."""
        typed, self._prompt.typed_ahead = self._prompt.typed_ahead, ""
        return None if typed and self._is_past(legal) else typed

    def _explain_enter(self, choice: Choice, single: int) -> int | None:
        """Print what Enter does with the only command shown, and return the command if Enter submits it.

        If other commands are legal, Enter does not submit one that costs something.
        """
        costs = ", ".join(self._guide.costs(choice.legal_commands.commands[single].effects, self._seat.number))
        if costs and len(choice.legal_commands.commands) > 1:
            number = next(it.number for it in choice.entries().values() if it.index == single)
            self._output.line(self._texts["one_costs"].format(number=number, costs=costs), "dim")
            return None
        self._output.line(self._texts["one_left"] + (f" ({costs})" if costs else ""), "dim")
        return single

    def _pass_automatically(self, legal: games_pb2.ListLegalCommandsResponse) -> bool:
        """Submit the only legal command if it changes nothing. Return whether it was submitted.

        The player is asked while other seats decide at the same time, and while the seat could still undo its last
        command without a vote.
        """
        if not self._auto_pass or len(legal.commands) != 1 or self._events.other_version <= self._events.own_version:
            return False
        if list(self._seat.game().deciding) != [self._seat.number]:
            return False
        if not self._guide.is_idle(legal.commands[0].effects, self._seat.number):
            return False
        try:
            outcome = self._seat.submit(legal.commands[0], expected_version=legal.version)
        except (Rejected, VersionConflict):  # the game changed at this moment
            return False
        self._output.line(self._texts["auto_passed"].format(sentence=legal.commands[0].sentence), "dim")
        self._events.read_until(outcome.version)
        return True

    def _is_past(self, legal: games_pb2.ListLegalCommandsResponse) -> bool:
        """Return whether the decision has changed, because other seats or this seat at another terminal acted."""
        if self._events.is_over or self._undo.vote_to_answer() is not None:
            return True
        now = self._seat.legal_commands(min_version=self._events.version)
        commands = [[it.command for it in response.commands] for response in (now, legal)]
        return now.decision != legal.decision or commands[0] != commands[1]

    def _submit(self, choice: Choice, indexes: list[int]) -> bool:
        """Submit these commands together. If they are rejected, print the reason and return false."""
        if not indexes:
            return False
        try:
            outcome = self._seat.submit(*(choice.legal_commands.commands[index] for index in indexes))
        except Rejected as rejected:
            position = rejected.values.get("index", "")
            index = indexes[int(position)] if len(indexes) > 1 and position.isdecimal() else None
            numbers = (number for number, entry in choice.entries().items() if entry.index == index)
            self._output.line(describe_rejection(rejected, self._texts, next(numbers, None)), "yellow")
            return False
        self._events.read_until(outcome.version)
        return True

    def _filter(self, choice: Choice, typed: str) -> Sequence[Section]:
        """Return the menu of the commands that contain all typed words."""
        numbers = choice.find_numbers(typed)
        if not numbers:
            self._output.line(self._texts["no_match"].format(text=typed), "yellow")
            return ()
        if len(numbers) > 1:
            line = self._texts["filtered"].format(
                count=len(numbers), all=len(choice.legal_commands.commands), text=typed
            )
            self._output.line(line, "dim")
        return select(choice.menu, numbers)

    def _withdraw_or_undo(self, choice: Choice) -> bool:
        """Submit the command that reverses the seat's last move if it exists; else undo the last commands."""
        index = find_reversing_command(choice.legal_commands.commands, self._events.own_events)
        return self._undo.undo() if index is None else self._submit(choice, [index])

    def _change_player(self, typed: str) -> bool:
        """Hand the seat to a bot, take it back, or resign. Return whether the server accepted it."""
        try:
            if typed in BACK:
                version = self._seat.take_back().version
            elif typed == BOT:
                if self._is_only_person() and not self._prompt.confirm("bot_sure"):
                    return False
                version = self._seat.hand_to_bot().version
            else:
                if not self._prompt.confirm("resign_sure"):
                    return False
                version = self._seat.resign().version
        except Rejected as rejected:
            self._output.line(describe_rejection(rejected, self._texts), "yellow")
            return False
        self._events.read_until(version)
        return True

    def _is_only_person(self) -> bool:
        """Return whether bots play all other seats. Then bots would finish the game within moments."""
        return all(seat.bot or seat.seat == self._seat.number for seat in self._seat.game().seats)

    # --- the screen ------------------------------------------------------------------------------------------

    def _status(self, legal: games_pb2.ListLegalCommandsResponse) -> list[str]:
        """Return the lines with the phase of the game, the stock of the seat and the current scores."""
        response = self._seat.table(min_version=legal.version)
        guide = self._guide
        lines = self._output.join_items(guide.where(response.table, legal.decision))
        lines += self._output.join_items(guide.owned(response.table, self._seat.number))
        scores = guide.scored(response.score_sheet)
        if scores:
            lines += self._output.join_items([f"{self._texts['score_now']}: {scores[0]}", *scores[1:]])
        return lines

    def _show_board(self, choice: Choice, menu: int, status: int) -> int:
        """Show the seat's overview of the board, and the clocks. ``menu`` and ``status`` are numbers of lines.

        An overview that fits on the screen with the menu is only shown when it has changed. A longer one is cut, and
        shown before each decision. Return the number of its lines that must stay on the screen above the menu.
        """
        clocks = self._output.join_items(clock_texts(choice.clocks, self._viewpoint.seats))
        is_new = self._events.is_board_outdated or self._drawn_decision != choice.legal_commands.decision
        glance = draw_overview(choice.board) if is_new or self._output.rows else ""
        room = self._output.rows - status - LINES_BELOW_MENU - len(clocks) - 1
        if not self._output.rows or fits_in(self._output, glance, room - menu):
            if is_new:
                self._events.is_board_outdated, self._drawn_decision = False, choice.legal_commands.decision
                self._output.line("")
                self._output.show(glance)
            for line in clocks:
                self._output.line(line, "dim")
            return 0
        lines = list(islice(render_lines(self._output, glance), max(0, max(room - menu, room // 3) - 1)))
        self._output.line("")
        show_lines(self._output, lines)
        for line in (self._texts["more_board"], *clocks):
            self._output.line(line, "dim")
        return len(lines) + len(clocks) + 2

    def _show_menu(self, lines_taken: int) -> None:
        """Show the next page of the menu. It leaves room on the screen for ``lines_taken`` lines and the prompt."""
        if self._menu is None or not self._menu.left:
            return
        rows = self._output.rows
        show_lines(self._output, self._menu.next(rows - lines_taken - LINES_BELOW_MENU if rows else self._menu.left))
        if self._menu.left:
            self._output.line(self._texts["more_below"].format(count=self._menu.left), "dim")
