"""Views of a game at a prompt: help, board, scores, history and explanations of commands. They change nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rich.text import Text

from boardkeeper.client.client import Seat
from boardkeeper.client.clocks import Countdown
from boardkeeper.terminal.choice import Choice
from boardkeeper.terminal.clocks import clock_texts
from boardkeeper.terminal.drawing.board import Board
from boardkeeper.terminal.drawing.layout import HangingIndent, without_breaks
from boardkeeper.terminal.drawing.menu import INDENT, select
from boardkeeper.terminal.drawing.score import draw_score
from boardkeeper.terminal.drawing.seats import describe_component, draw_seat
from boardkeeper.terminal.drawing.table_views import available_views, draw_table
from boardkeeper.terminal.game_follower import GameFollower, LivePrompt
from boardkeeper.terminal.guide import Guide
from boardkeeper.terminal.log import Log
from boardkeeper.terminal.output import Output

CLOCKS = "c"
SCORE = "s"
HELP_INDENT = 10
DEFAULT_HISTORY = 20


class Inspection:
    """Shows views of a game to the player at a seat."""

    def __init__(
        self, seat: Seat, events: GameFollower, prompt: LivePrompt, texts: Mapping[str, str], output: Output
    ) -> None:
        self._seat = seat
        self._events = events
        self._prompt = prompt
        self._texts = texts
        self._output = output
        self.is_timed = False

    def show(self, typed: str, choice: Choice) -> bool:
        """Show the view of a typed key, such as ``b`` or ``o 2``. Return false if the text is not a key."""
        key, _, rest = typed.partition(" ")
        viewpoint = self._events.viewpoint
        if typed == "?":
            self._show_help(choice)
        elif typed == CLOCKS and self.is_timed:
            self.show_clocks(Countdown(self._seat.game()))
        elif key.startswith("?"):
            self.explain(choice, typed[1:].strip())
        elif typed == "b":
            self._prompt.show_pages(draw_table(choice.board))
        elif typed in available_views(choice.board):
            self._prompt.show_pages(available_views(choice.board)[typed][1](choice.board))
        elif typed == SCORE and choice.score.totals:
            self._prompt.show_pages(draw_score(choice.score, viewpoint))
        elif key == "o" and rest.isdecimal() and int(rest) in choice.board.seats:
            self._prompt.show_pages(draw_seat(choice.board, int(rest)))
        elif key == "h" and (not rest or rest.isdecimal()):
            self._show_history(int(rest) if rest else DEFAULT_HISTORY)
        else:
            return False
        return True

    def show_clocks(self, countdown: Countdown) -> None:
        """Print the time that each seat has left, in a game with a turn timer."""
        self._output.row(clock_texts(countdown, self._events.viewpoint.seats), "dim")

    def _show_help(self, choice: Choice) -> None:
        viewpoint = self._events.viewpoint
        listed = "\n".join(
            f"  {view}       {viewpoint.word(caption)}" for view, (caption, _) in available_views(choice.board).items()
        )
        if self.is_timed:
            listed += "\n" + self._texts["help_clocks"]
        sentence = choice.legal_commands.commands[choice.menu[0].entries[0].index].sentence
        help = self._texts["help"].format(
            views=listed,
            examples=" ".join(sentence.rstrip(".").casefold().split()[-2:]),
            legend="  ".join(map(without_breaks, re.split(r" {2,}", viewpoint.word("legend")))),
        )
        lines = (HangingIndent(Text(line), HELP_INDENT if line.startswith(" ") else 0) for line in help.split("\n"))
        self._prompt.show_pages(*lines)

    def explain(self, choice: Choice, about: str) -> None:
        """Show the costs and gains of the commands with these numbers, or with these words in their sentences.

        For words, also describe the components with these words in their names. The headings of the menu show which
        components a place still needs.
        """
        numbers = about.replace(",", " ").split()
        lines: list[HangingIndent] = []
        if numbers and all(map(str.isdecimal, numbers)):
            if not self.indexes(choice, numbers):
                return
            wanted = set(map(int, numbers))
        else:
            lines += [HangingIndent(Text(line), 2) for line in _described(about, choice.board)]
            wanted = choice.find_numbers(about)
        guide = Guide(self._events.viewpoint, self._texts)
        for section in select(choice.menu, wanted):
            if section.heading.plain:
                lines.append(HangingIndent(section.heading, INDENT))
            for entry in section.entries:
                command = choice.legal_commands.commands[entry.index]
                changes = guide.changes(command.effects, self._seat.number)
                text = ", ".join(changes) or self._texts["changes_nothing"]
                lines.append(
                    HangingIndent(Text.assemble((f"  {entry.number:>3} ", "bold cyan"), command.sentence), INDENT)
                )
                lines.append(HangingIndent(Text(" " * INDENT + text, "dim"), INDENT))
        if lines:
            self._prompt.show_pages(*lines)
        else:
            self._output.line(self._texts["no_match"].format(text=about), "yellow")

    def indexes(self, choice: Choice, numbers: list[str]) -> list[int]:
        """Return the indexes of commands by number. Print an error and return none if a number is unknown."""
        entries = choice.entries()
        for number in numbers:
            if int(number) not in entries:
                self._output.line(self._texts["no_number"].format(number=number, last=len(entries)), "yellow")
                return []
        return [entries[int(number)].index for number in numbers]

    def _show_history(self, count: int) -> None:
        log = Log(self._output, self._events.viewpoint, short=False, versions=True)
        for event in self._seat.events(after_version=max(0, self._events.version - count)):
            log.show(event)


def _described(about: str, board: Board) -> Iterator[str]:
    """Yield descriptions of the components whose names contain all these words."""
    words = about.casefold().split()
    matching = (
        id for id, name in board.viewpoint.names.items() if words and all(it in name.casefold() for it in words)
    )
    return (text for id in matching if (text := describe_component(board, id)) != board.viewpoint.name(id))
