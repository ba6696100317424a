"""The commands of Orléans Stories in groups: areas by what is done there, all else as the family has it.

Whoever may take or open a place is told what it asks for and gives, whoever may go on to an era what that brings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec import Struct
from rich.text import Text

from boardkeeper.client.drawing.families.followers import menu as family
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.menu import Entry, Section
from boardkeeper.client.drawing.stories.eras import tell_next
from boardkeeper.client.drawing.stories.gives import describe, effect, gives, pairs
from boardkeeper.client.drawing.stories.map import describe as describe_area
from boardkeeper.titles.stories.board import Board
from boardkeeper.titles.stories.commands import (
    AdvanceEra,
    Build,
    BuyGood,
    Conquer,
    DeclareMission,
    Expand,
    KeepMessage,
    RazeFortress,
    ReturnSettler,
    SellGood,
    TakePlaceCard,
    UnlockPlace,
    UsePlace,
)
from boardkeeper.v1 import event_pb2

_ON_AREAS: Mapping[type[Struct], str] = {
    Expand: "expand",
    Conquer: "conquer",
    Build: "build",
    RazeFortress: "raze",
    ReturnSettler: "return_settler",
}
"""What is done on one of many areas, and the caption of its group."""


def group(commands: Sequence[Struct], sentences: Sequence[str], board: Board, look: Look) -> tuple[Section, ...]:
    """Sections in this order: areas by what is done there, placing by place, taking back, everything else."""
    there = {area.area: describe_area(area, board, look).plain for area in board.areas}
    areas: dict[str, list[Entry]] = {}
    others = []
    for index, command in enumerate(commands):
        if type(command) in _ON_AREAS:
            area = getattr(command, "area", "")
            entry = Entry(index, there.get(area, look.name(area)), compact=True)
            areas.setdefault(_heading(command, board, look), []).append(entry)
        else:
            others.append(index)

    def label(command: Struct, sentence: str) -> str:
        about = _about(command, board, look) or there.get(getattr(command, "area", ""), "")
        return f"{sentence}  ({about})" if about else sentence

    sections = tuple(Section(Text(heading, style="bold"), tuple(entries)) for heading, entries in areas.items())
    rest = family.group(
        [commands[at] for at in others],
        [sentences[at] for at in others],
        board,
        look,
        label,
        lambda place: gives(place, look),
    )
    otherwise = Text(look.word("otherwise") if sections else "", style="bold")
    return (
        *sections,
        *(
            replace(
                section,
                heading=section.heading if section.heading.plain else otherwise,
                entries=_at(section.entries, others),
            )
            for section in rest
        ),
    )


def withdrawal(commands: Sequence[Struct], events: Sequence[event_pb2.Event]) -> int | None:
    """Where the command stands that takes back the follower placed last, or any other that can be taken back."""
    placed = [event.detail.stories.follower_placed for event in events if event.name == "FollowerPlaced"]
    return family.withdrawal(commands, [(detail.place, detail.space) for detail in placed])


def _at(entries: Sequence[Entry], indices: Sequence[int]) -> tuple[Entry, ...]:
    return tuple(replace(entry, index=indices[entry.index]) for entry in entries)


def _heading(command: Struct, board: Board, look: Look) -> str:
    """What is done: ``Territory: conquer, from the Northern Town``."""
    place, town = getattr(command, "place", ""), getattr(command, "town", "")
    done = gives(place, look) if place and isinstance(command, Build) else look.word(_ON_AREAS[type(command)])
    if town:
        name = next((area.town for area in board.areas if area.area == town), town)
        done = f"{done}, {look.word('from').format(look.name(name))}"
    return f"{look.name(place)}: {done}" if place else done


def _about(command: Struct, board: Board, look: Look) -> str:
    """What is to be known of a command besides its sentence."""
    match command:
        case TakePlaceCard(card=place) | UnlockPlace(place=place):
            return describe(place, look)
        case UsePlace(place=place):
            return gives(place, look)
        case SellGood(good=good) | BuyGood(good=good):
            return effect(f"coins: {_price(good, isinstance(command, SellGood), board, look)}", look)
        case KeepMessage():
            return look.word("message_counts")
        case DeclareMission():
            return look.word("declaring_ends")
        case AdvanceEra():
            era = next((seat.era for seat in board.seats if seat.seat == look.viewer), 0)
            return tell_next(era, board, look)
        case _:
            return ""


def _price(good: str, sold: bool, board: Board, look: Look) -> int:
    """What a good costs or brings; an event at which one sells may add to its value."""
    value = int(look.facts.get(good, {}).get("value", "0"))
    if not sold or board.phase != "event":
        return value
    event = dict(pairs(look.facts.get(board.events.event, {}).get("effect", "")))
    return value + int(event.get("price_bonus", "0"))
