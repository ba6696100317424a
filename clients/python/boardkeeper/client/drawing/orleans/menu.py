"""The commands of Orléans in groups: planning can have sixty, so they stand under the place they fill."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.text import Text

from boardkeeper.client.drawing.families.followers.places import draw_spaces
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.menu import Entry, Section
from boardkeeper.client.drawing.orleans.gives import describe_tile
from boardkeeper.titles.orleans.board import Board, SpaceView
from boardkeeper.titles.orleans.commands import (
    DrawFollowers,
    PlaceDrawnFollower,
    PlaceFollower,
    RecruitFollower,
    TakeBackFollower,
    WithdrawFollower,
)
from boardkeeper.v1 import event_pb2


def group(commands: Sequence[Struct], sentences: Sequence[str], board: Board, look: Look) -> tuple[Section, ...]:
    """Sections in this order: placing by place, taking back, everything else as sentences."""
    places: dict[str, list[Entry]] = {}
    back: list[Entry] = []
    drawing: list[Entry] = []
    others: list[Entry] = []
    spaces = _spaces(board, look.viewer)
    for index, (command, sentence) in enumerate(zip(commands, sentences, strict=True)):
        match command:
            case (
                PlaceFollower(follower=follower, place=place, space=space)
                | PlaceDrawnFollower(follower=follower, place=place, space=space)
            ):
                tower = " †" if getattr(command, "from_tower", False) else ""
                label = f"{look.name(follower)}{tower}{_target(follower, spaces.get((place, space)), look)}"
                places.setdefault(place, []).append(Entry(index, label, compact=True))
            case WithdrawFollower(place=place, space=space) | TakeBackFollower(place=place, space=space):
                view = spaces.get((place, space))
                who = look.name(view.occupant) if view is not None else space
                back.append(Entry(index, f"{who} ← {look.name(place)}", compact=True))
            case DrawFollowers():
                drawing.insert(0, Entry(index, sentence))  # as many as possible comes first
            case RecruitFollower(place_tile=tile) if tile:
                others.append(Entry(index, f"{sentence}  ({describe_tile(tile, look)})"))
            case _:
                others.append(Entry(index, sentence))
    order = [place.place for view in board.seats if view.seat == look.viewer for place in view.places]
    sections = [Section(_heading(board, place, look), tuple(places[place])) for place in order if place in places]
    if back:
        sections.append(Section(Text(look.word("take_back"), style="bold"), tuple(back)))
    others = drawing + others
    if others:
        heading = look.word("otherwise") if sections else ""
        sections.append(Section(Text(heading, style="bold"), tuple(others)))
    return tuple(sections)


def withdrawal(commands: Sequence[Struct], events: Sequence[event_pb2.Event]) -> int | None:
    """Where the command stands that takes back the follower placed last, or any other that can be taken back."""
    found = {
        (command.place, command.space): index
        for index, command in enumerate(commands)
        if isinstance(command, WithdrawFollower)
    }
    for event in reversed(events):
        placed = event.detail.orleans.follower_placed
        if event.name == "FollowerPlaced" and (placed.place, placed.space) in found:
            return found[placed.place, placed.space]
    return max(found.values(), default=None)


def _spaces(board: Board, seat: int) -> dict[tuple[str, str], SpaceView]:
    return {
        (place.place, space.space): space
        for view in board.seats
        if view.seat == seat
        for place in view.places
        for space in place.spaces
    }


def _target(follower: str, space: SpaceView | None, look: Look) -> str:
    """Where it goes, if that does not follow from what it is."""
    if space is None or space.requires in (follower.removeprefix("own_"), "any"):
        return ""
    return f" → {look.name(space.requires)}"


def _heading(board: Board, place: str, look: Look) -> Text:
    heading = Text(look.name(place), style="bold")
    for view in board.seats:
        if view.seat == look.viewer:
            for candidate in view.places:
                if candidate.place == place:
                    heading = Text.assemble((look.name(place), "bold"), "  ", draw_spaces(candidate, look))
    return heading
