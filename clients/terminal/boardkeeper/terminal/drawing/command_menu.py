"""The menu of legal commands.

Commands that place a component on a space are grouped by place. Commands that only take a component back are grouped by
its destination. All other commands are shown as sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from google.protobuf.message import Message
from rich.text import Text

from boardkeeper.terminal.drawing import progress
from boardkeeper.terminal.drawing.board import SPACE, Board, scalar_text
from boardkeeper.terminal.drawing.menu import Entry, Section, number_entries
from boardkeeper.terminal.drawing.seats import describe_place, describe_spaces, describe_symbol
from boardkeeper.v1 import catalog_pb2, command_pb2, effect_pb2

PARENTHESIS_ENDINGS = (")", ").")
"""Endings of texts that already contain details in parentheses, and get no note."""
MAP_ZONES_WITH_CONTENTS = frozenset({"town", "area"})
"""Kinds of map zones whose contents are shown when a command moves a component to them."""
PLACE_ZONE = "places"
"""The kind of the zones that contain a seat's place cards or place tiles."""
IGNORED_MARKERS = frozenset({"flag", "internal", "screen", "phase", "seat"})
"""Kinds of markers whose changes do not matter to the player."""


def build_menu(
    commands: Sequence[command_pb2.LegalCommand],
    board: Board,
    describe_changes: Callable[[command_pb2.LegalCommand], Iterable[str]] = lambda _: (),
) -> tuple[Section, ...]:
    """Return the numbered menu of commands, which must contain their effects.

    ``describe_changes`` returns short descriptions of a command's changes.
    """
    placed: dict[str, list[Entry]] = {}
    spots: dict[int, str] = {}
    back: dict[str, list[Entry]] = {}
    rest: list[Entry] = []
    kinds = [_kind(it) for it in commands]
    for index, command in enumerate(commands):
        move, is_alone = _first_move(command, board)
        source, target = _zone_entry(board, move.source), _zone_entry(board, move.target)
        if target.kind == SPACE:
            label = board.viewpoint.name(move.component)
            spots[index] = target.symbol
            placed.setdefault(target.component or target.id, []).append(Entry(index, label, compact=True))
        elif source.kind == SPACE and is_alone and target.seat and kinds.count(kinds[index]) > 1:
            label = f"{board.viewpoint.name(move.component)} ← {board.viewpoint.name(source.component)}"
            back.setdefault(target.text, []).append(Entry(index, label, compact=True))
        else:
            text = command.sentence + _describe_area(board, target) + _describe_gain(board, command)
            details = ""
            if not text.endswith(PARENTHESIS_ENDINGS):
                details = ", ".join(describe_changes(command)) or _describe_used_place(board, command)
            rest.append(Entry(index, text, note=details))
    order = [it.entry.component or it.entry.id for it in board.all_zones]
    found = [
        Section(
            _place_heading(board, place), _with_distinct_labels(_with_accepted_components(placed[place], spots, board))
        )
        for place in sorted(placed, key=order.index)
    ]
    word = board.viewpoint.word
    found += [
        Section(Text(f"{word('take_back')}: {text}", "dim"), _with_distinct_labels(it)) for text, it in back.items()
    ]
    if rest:
        found.append(Section(Text(word("other_commands") if found else "", "dim"), tuple(rest)))
    return number_entries(found)


def _first_move(command: command_pb2.LegalCommand, board: Board) -> tuple[effect_pb2.Move, bool]:
    """Return the first relevant effect of a command, and whether it is the only one.

    Returns an empty move if this effect is not a move.
    """
    effects = [it for it in command.effects if not _is_ignored(it, board)]
    if not effects or effects[0].WhichOneof("effect") != "move":
        return effect_pb2.Move(), False
    return effects[0].move, len(effects) == 1


def _is_ignored(effect: effect_pb2.Effect, board: Board) -> bool:
    """Return whether an effect does not matter to the player: an ``ask``, or a change of an ignored marker."""
    marker = board.viewpoint.markers.get(effect.set.marker)
    return effect.WhichOneof("effect") == "ask" or (marker is not None and marker.kind in IGNORED_MARKERS)


def _zone_entry(board: Board, id: str) -> catalog_pb2.ZoneEntry:
    return board.viewpoint.zones.get(id) or catalog_pb2.ZoneEntry()


def _describe_area(board: Board, target: catalog_pb2.ZoneEntry) -> str:
    """Describe the contents of the map area to which a command moves a component."""
    zones = (
        it
        for it in board.all_zones
        if it.entry.id == target.id and target.kind in MAP_ZONES_WITH_CONTENTS and it.counts
    )
    return "".join(f" ({board.viewpoint.amounts(it.counts, owners=True)})" for it in zones)


def _describe_gain(board: Board, command: command_pb2.LegalCommand) -> str:
    """Describe what the viewer gains: the effect of a place, or of the track space that the marker reaches.

    A track space is only described if the catalogue describes it.
    """
    found = []
    for it in command.effects:
        target, marker = _zone_entry(board, it.move.target), board.viewpoint.markers.get(it.set.marker)
        if target.kind == PLACE_ZONE and target.seat == board.viewpoint.viewer:
            found.append(board.viewpoint.describe(it.move.component))
        elif marker is not None and marker.seat == board.viewpoint.viewer:
            found.append(board.viewpoint.describe(progress.space_at(board, marker, scalar_text(it.set.after))))
    return "".join(f" ({it})" for it in found if it)


def _describe_used_place(board: Board, command: command_pb2.LegalCommand) -> str:
    """Describe the place that a command starts to use."""
    for it in command.effects:
        marker = board.viewpoint.markers.get(it.set.marker)
        if marker is not None and marker.kind == "place":
            return describe_place(board, scalar_text(it.set.after), board.viewpoint.viewer)
    return ""


def _with_accepted_components(entries: Sequence[Entry], spots: Mapping[int, str], board: Board) -> Sequence[Entry]:
    """Append what the space accepts to entries with the same label, if their spaces accept different components."""
    symbols: dict[str, set[str]] = {}
    for it in entries:
        symbols.setdefault(it.label, set()).add(spots[it.index])
    return [
        replace(it, label=f"{it.label} → {describe_symbol(board, spots[it.index])}")
        if len(symbols[it.label]) > 1
        else it
        for it in entries
    ]


def _kind(command: command_pb2.LegalCommand) -> str:
    """Return the kind of a command: the names of its oneof fields (title and command), joined with a dot."""
    message: Message = command.command
    names = []
    while (fields := message.ListFields()) and fields[0][0].message_type is not None:
        names.append(fields[0][0].name)
        message = fields[0][1]
        if len(names) > 1:
            break
    return ".".join(names)


def _place_heading(board: Board, place: str) -> Text:
    """Return the heading of a place: its name with uses, its spaces and its effect."""
    zones = [it for it in board.all_zones if it.entry.kind == SPACE and place in (it.entry.component, it.entry.id)]
    deciding = [it for it in zones if it.entry.seat in (0, board.viewpoint.viewer)]
    name = progress.name_with_uses(board, board.viewpoint.viewer, place)
    text = Text.assemble((name, "bold"), f"  {describe_spaces(board, place, deciding or zones)}")
    does = describe_place(board, place, board.viewpoint.viewer)
    return text.append(f"  ({does})", "dim") if does else text


def _with_distinct_labels(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Append a number to labels that occur several times."""
    labels = [it.label for it in entries]
    found = []
    for at, it in enumerate(entries):
        number = labels[: at + 1].count(it.label)
        found.append(it if labels.count(it.label) == 1 else Entry(it.index, f"{it.label} ({number})", it.compact))
    return tuple(found)
