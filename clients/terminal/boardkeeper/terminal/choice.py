"""The legal commands that a player chooses from at one version, and functions that find a command among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from boardkeeper.client.clocks import Countdown
from boardkeeper.client.errors import Rejected
from boardkeeper.terminal.drawing.board import Board
from boardkeeper.terminal.drawing.menu import Entry, Section
from boardkeeper.v1 import command_pb2, effect_pb2, event_pb2, games_pb2, scores_pb2


@dataclass(frozen=True)
class Choice:
    """The legal commands of a seat with their menu, and the board, clocks and scores of the same version."""

    legal_commands: games_pb2.ListLegalCommandsResponse
    board: Board
    menu: Sequence[Section]
    clocks: Countdown
    score: scores_pb2.ScoreSheet

    def entries(self) -> dict[int, Entry]:
        """Return the menu entries by number."""
        return {entry.number: entry for section in self.menu for entry in section.entries}

    def find_numbers(self, text: str) -> set[int]:
        """Return the numbers of the commands that contain all words of a text in their sentence, label or heading."""
        words = text.casefold().split()
        return {
            entry.number
            for section in self.menu
            for entry in section.entries
            if _contains(
                f"{section.heading.plain} {entry.label} {self.legal_commands.commands[entry.index].sentence}", words
            )
        }


def _contains(text: str, words: Sequence[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)


def only_command(sections: Sequence[Section]) -> int | None:
    """Return the index of the only command in a menu; ``None`` if there are none or several."""
    indexes = [entry.index for section in sections for entry in section.entries]
    return indexes[0] if len(indexes) == 1 else None


def find_reversing_command(
    commands: Sequence[command_pb2.LegalCommand], events: Sequence[event_pb2.Event]
) -> int | None:
    """Return the index of the command whose only move reverses that of the latest event with exactly one move.

    Returns ``None`` if no command does.
    """
    for event in reversed(events):
        moves = _moves(event.effects)
        if len(moves) != 1:
            continue
        (move,) = moves
        for index, command in enumerate(commands):
            reverse = _moves(command.effects)
            if [(it.component, it.source, it.target) for it in reverse] == [(move.component, move.target, move.source)]:
                return index
        return None
    return None


def _moves(effects: Iterable[effect_pb2.Effect]) -> list[effect_pb2.Move]:
    return [it.move for it in effects if it.WhichOneof("effect") == "move"]


def describe_rejection(rejected: Rejected, texts: Mapping[str, str], number: int | None = None) -> str:
    """Return a sentence with the reason and the rule of a rejection.

    ``number`` is the menu number of the rejected command, if several were submitted together.
    """
    rule = texts["rejected_rule"].format(rule=rejected.rule) if rejected.rule else ""
    text = texts["rejected" if number is None else "rejected_of"]
    return f"{text.format(why=rejected, number=number)} {rule}".rstrip()
