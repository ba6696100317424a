"""The menu of legal commands: components to place are grouped by their place, all others are sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from google.protobuf.message import Message
from rich.text import Text

from boardkeeper.terminal.drawing import steps
from boardkeeper.terminal.drawing.board import SPACE, Board, said
from boardkeeper.terminal.drawing.menu import Entry, Section, numbered
from boardkeeper.terminal.drawing.seats import describe_place, spaces, wanted
from boardkeeper.v1 import catalog_pb2, command_pb2, effect_pb2

DETAILS = (")", ").")
"""How a sentence ends that says itself what the command changes, or an area of the map."""
PARTS_OF_MAP = frozenset({"town", "area"})
PLACES = "places"
"""The kind of zone with the places that a seat holds as cards or tiles."""
NOTES = frozenset({"flag", "internal", "screen", "phase", "seat"})
"""Kinds of markers that change with a command without meaning anything to the player."""


def menu(
    commands: Sequence[command_pb2.LegalCommand],
    board: Board,
    note: Callable[[command_pb2.LegalCommand], Iterable[str]] = lambda _: (),
) -> tuple[Section, ...]:
    """Return the menu of legal commands with effects; ``note`` returns what a command changes."""
    placed: dict[str, list[Entry]] = {}
    spots: dict[int, str] = {}
    back: dict[str, list[Entry]] = {}
    rest: list[Entry] = []
    kinds = [_kind(it) for it in commands]
    for index, command in enumerate(commands):
        move, is_alone = _first(command, board)
        source, target = _zone(board, move.source), _zone(board, move.target)
        if target.kind == SPACE:
            label = board.look.name(move.component)
            spots[index] = target.symbol
            placed.setdefault(target.component or target.id, []).append(Entry(index, label, compact=True))
        elif source.kind == SPACE and is_alone and target.seat and kinds.count(kinds[index]) > 1:
            label = f"{board.look.name(move.component)} ← {board.look.name(source.component)}"
            back.setdefault(target.text, []).append(Entry(index, label, compact=True))
        else:
            text = command.sentence + _there(board, target) + _gained(board, command)
            details = "" if text.endswith(DETAILS) else ", ".join(note(command)) or _used(board, command)
            rest.append(Entry(index, text, note=details))
    order = [it.entry.component or it.entry.id for it in board.all_zones]
    found = [
        Section(_place(board, place), _distinct(_aimed(placed[place], spots, board)))
        for place in sorted(placed, key=order.index)
    ]
    word = board.look.word
    found += [Section(Text(f"{word('take_back')}: {text}", "dim"), _distinct(it)) for text, it in back.items()]
    if rest:
        found.append(Section(Text(word("otherwise") if found else "", "dim"), tuple(rest)))
    return numbered(found)


def _first(command: command_pb2.LegalCommand, board: Board) -> tuple[effect_pb2.Move, bool]:
    """Return the move with which a command begins, and whether it is the only effect that players care about."""
    effects = [it for it in command.effects if not _is_note(it, board)]
    if not effects or effects[0].WhichOneof("effect") != "move":
        return effect_pb2.Move(), False
    return effects[0].move, len(effects) == 1


def _is_note(effect: effect_pb2.Effect, board: Board) -> bool:
    marker = board.look.markers.get(effect.set.marker)
    return effect.WhichOneof("effect") == "ask" or (marker is not None and marker.kind in NOTES)


def _zone(board: Board, id: str) -> catalog_pb2.ZoneEntry:
    return board.look.zones.get(id) or catalog_pb2.ZoneEntry()


def _there(board: Board, target: catalog_pb2.ZoneEntry) -> str:
    """What is in the area of the map to which a command moves something."""
    zones = (it for it in board.all_zones if it.entry.id == target.id and target.kind in PARTS_OF_MAP and it.counts)
    return "".join(f" ({board.look.amounts(it.counts, owners=True)})" for it in zones)


def _gained(board: Board, command: command_pb2.LegalCommand) -> str:
    """What a command opens to the seat that decides: a place, or a space of a track with a component of its own."""
    found = []
    for it in command.effects:
        target, marker = _zone(board, it.move.target), board.look.markers.get(it.set.marker)
        if target.kind == PLACES and target.seat == board.look.viewer:
            found.append(board.look.describe(it.move.component))
        elif marker is not None and marker.seat == board.look.viewer:
            found.append(board.look.describe(steps.space_at(board, marker, said(it.set.after))))
    return "".join(f" ({it})" for it in found if it)


def _used(board: Board, command: command_pb2.LegalCommand) -> str:
    """What the place does that a command begins to use."""
    for it in command.effects:
        marker = board.look.markers.get(it.set.marker)
        if marker is not None and marker.kind == "place":
            return describe_place(board, said(it.set.after), board.look.viewer)
    return ""


def _aimed(entries: Sequence[Entry], spots: Mapping[int, str], board: Board) -> Sequence[Entry]:
    """Entries for one component say for whom each space is, if these spaces are for different components."""
    symbols: dict[str, set[str]] = {}
    for it in entries:
        symbols.setdefault(it.label, set()).add(spots[it.index])
    return [
        replace(it, label=f"{it.label} → {wanted(board, spots[it.index])}") if len(symbols[it.label]) > 1 else it
        for it in entries
    ]


def _kind(command: command_pb2.LegalCommand) -> str:
    """The kind of a command, by the fields of its message that are set."""
    message: Message = command.command
    names = []
    while (fields := message.ListFields()) and fields[0][0].message_type is not None:
        names.append(fields[0][0].name)
        message = fields[0][1]
        if len(names) > 1:
            break
    return ".".join(names)


def _place(board: Board, place: str) -> Text:
    """The heading of a place: its spaces and what it does."""
    zones = [it for it in board.all_zones if it.entry.kind == SPACE and place in (it.entry.component, it.entry.id)]
    deciding = [it for it in zones if it.entry.seat in (0, board.look.viewer)]
    name = steps.named(board, board.look.viewer, place)
    text = Text.assemble((name, "bold"), f"  {spaces(board, place, deciding or zones)}")
    does = describe_place(board, place, board.look.viewer)
    return text.append(f"  ({does})", "dim") if does else text


def _distinct(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Entries with the same label get a number behind it."""
    labels = [it.label for it in entries]
    found = []
    for at, it in enumerate(entries):
        number = labels[: at + 1].count(it.label)
        found.append(it if labels.count(it.label) == 1 else Entry(it.index, f"{it.label} ({number})", it.compact))
    return tuple(found)
