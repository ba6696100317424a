"""The commands of Orléans in groups, as the family has them; whoever recruits a trader is told of the place tiles."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.client.drawing.families.followers import menu as family
from boardkeeper.client.drawing.families.followers.gives import say
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.menu import Section
from boardkeeper.client.drawing.orleans.gives import describe_tile, gives
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.commands import PayForFood, RecruitFollower
from boardkeeper.v1 import event_pb2


def group(commands: Sequence[Struct], sentences: Sequence[str], board: Board, look: Look) -> tuple[Section, ...]:
    """Sections in this order: placing by place, taking back, everything else as sentences."""

    def label(command: Struct, sentence: str) -> str:
        match command:
            case RecruitFollower(place_tile=tile) if tile:
                return f"{sentence}  ({describe_tile(tile, look)})"
            case PayForFood():
                coins = look.facts.get("harvest", {}).get("coins_per_missing", "")
                return f"{sentence}  ({say('coins', coins, look)})" if coins else sentence
            case _:
                return sentence

    return family.group(commands, sentences, board, look, label, lambda place: gives(place, look))


def withdrawal(commands: Sequence[Struct], events: Sequence[event_pb2.Event]) -> int | None:
    """Where the command stands that takes back the follower placed last, or any other that can be taken back."""
    placed = [event.detail.orleans.follower_placed for event in events if event.name == "FollowerPlaced"]
    return family.withdrawal(commands, [(detail.place, detail.space) for detail in placed])
