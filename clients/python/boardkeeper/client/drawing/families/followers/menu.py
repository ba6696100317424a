"""The family's commands in groups: planning can have sixty, so they stand under the place they fill."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from rich.text import Text

from boardkeeper.client.drawing.families.followers.gives import takes, wanted
from boardkeeper.client.drawing.families.followers.places import draw_spaces
from boardkeeper.client.drawing.families.followers.views import Board, PlaceView, SpaceView
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.menu import Entry, Section
from boardkeeper.families.followers.commands import (
    DrawFollowers,
    PlaceDrawnFollower,
    PlaceFollower,
    TakeBackFollower,
    WithdrawFollower,
)
from boardkeeper.families.followers.data import ANY


def group(
    commands: Sequence[Struct],
    sentences: Sequence[str],
    board: Board,
    look: Look,
    label: Callable[[Struct, str], str] = lambda _, sentence: sentence,
    gives: Callable[[str], str] = lambda _: "",
) -> tuple[Section, ...]:
    """Sections in this order: placing by place, taking back, everything else.

    ``label`` says what stands there for a command of everything else, which has a sentence; ``gives`` what a place
    gives, to stand beside its spaces.
    """
    own = {place.place: place for view in board.seats if view.seat == look.viewer for place in view.places}
    spaces = {(id, space.space): space for id, place in own.items() for space in place.spaces}
    places: dict[str, list[Entry]] = {}
    back: list[Entry] = []
    drawing: list[Entry] = []
    others: list[Entry] = []
    for index, (command, sentence) in enumerate(zip(commands, sentences, strict=True)):
        match command:
            case (
                PlaceFollower(follower=follower, place=place, space=space)
                | PlaceDrawnFollower(follower=follower, place=place, space=space)
            ):
                tower = " †" if getattr(command, "from_tower", False) else ""
                text = f"{look.name(follower)}{tower}{_target(follower, spaces.get((place, space)), look)}"
                places.setdefault(place, []).append(Entry(index, text, compact=True))
            case WithdrawFollower(place=place, space=space) | TakeBackFollower(place=place, space=space):
                view = spaces.get((place, space))
                who = look.name(view.occupant) if view is not None else space
                back.append(Entry(index, f"{who} ← {look.name(place)}", compact=True))
            case DrawFollowers():
                drawing.insert(0, Entry(index, sentence))  # as many as possible comes first
            case _:
                others.append(Entry(index, label(command, sentence)))
    order = dict.fromkeys([*own, *places])  # places that are not the seat's come last
    sections = [Section(_heading(id, own.get(id), gives(id), look), tuple(places[id])) for id in order if id in places]
    if back:
        sections.append(Section(Text(look.word("take_back"), style="bold"), tuple(back)))
    others = drawing + others
    if others:
        otherwise = look.word("otherwise") if sections else ""
        sections.append(Section(Text(otherwise, style="bold"), tuple(others)))
    return tuple(sections)


def withdrawal(commands: Sequence[Struct], placed: Iterable[tuple[str, str]]) -> int | None:
    """Where the command stands that takes back the follower placed last, or any other that can be taken back.

    ``placed`` are the place and space of each follower that the seat has placed, the last one last.
    """
    found = {
        (command.place, command.space): index
        for index, command in enumerate(commands)
        if isinstance(command, WithdrawFollower)
    }
    return next((found[key] for key in reversed([*placed]) if key in found), max(found.values(), default=None))


def _target(follower: str, space: SpaceView | None, look: Look) -> str:
    """Where it goes, if that does not follow from what it is."""
    if space is None or space.requires == ANY or takes(space.requires, follower, look):
        return ""
    return f" → {wanted(space.requires, look)}"


def _heading(id: str, place: PlaceView | None, gives: str, look: Look) -> Text:
    heading = Text(look.name(id), style="bold")
    if place is not None:
        heading = Text.assemble(heading, "  ", draw_spaces(place, look))
    return Text.assemble(heading, "  ", (f"({gives})", "dim")) if gives else heading
