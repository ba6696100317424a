"""The course of play: what a seat may choose, what its choice does, and what comes of itself until somebody chooses."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct
from tests.oracle.chance import Chance
from tests.oracle.orleans import actions, census, followers, hour_glass, sacristy, scoring, tables, torture
from tests.oracle.orleans.sheet import Sheet, Side

from boardkeeper.titles.orleans import commands as c

SURRENDERS = (
    c.SurrenderTradingStation,
    c.SurrenderFollower,
    c.SurrenderDevelopment,
    c.SurrenderGood,
    c.SurrenderPlaceTile,
    c.SurrenderTechnology,
)


def options(sheet: Sheet, seat: int) -> set[Struct] | None:
    """Everything that a seat may choose now; ``None`` in phases 4 and 5, of which ``choosing`` knows."""
    side = sheet.side(seat)
    if side.choice == "draw":
        return followers.draw_options(sheet, side)
    if side.choice == "take_back":
        return followers.take_back_options(sheet, side)
    if side.choice == "keep":
        return followers.keep_options(side)
    if side.choice == "store":
        return followers.store_options(side)
    if side.choice == "sacristy":
        return {c.UseSacristy(), c.SufferEvent()}
    if side.choice == "harvest":
        return hour_glass.harvest_options(sheet, side)
    if side.choice == "torture":
        return torture.options(sheet, side)
    return None


def play(sheet: Sheet, seat: int, command: Struct, chance: Chance, *, ends_actions: bool = False) -> bool:
    """Carry out a choice and everything that follows from it; ``False`` for a command that the oracle does not know.

    ``ends_actions``: it was the last of phase 5, which the oracle is told, not asked.
    """
    side = sheet.side(seat)
    if not _carry_out(sheet, side, command, chance):
        return False
    if ends_actions:
        enter(sheet, "event", chance)
    else:
        _go_on(sheet, chance)
    return True


def enter(sheet: Sheet, phase: str, chance: Chance) -> None:
    """Begin the ``event``, ``census`` or ``followers`` phase and go on until somebody has to choose."""
    for side in sheet.sides:
        side.choice = ""
    sheet.phase = phase
    if phase == "event":
        sheet.reached = 0
    elif phase == "census":
        census.hold(sheet)
    else:
        _ask_for_followers(sheet, chance)
    _go_on(sheet, chance)


def _carry_out(sheet: Sheet, side: Side, command: Struct, chance: Chance) -> bool:
    if isinstance(command, c.DrawFollowers):
        followers.draw(sheet, side, command.count, chance)
    elif isinstance(command, c.TakeBackFollower):
        followers.take_back(sheet, side, command.place, command.space, chance)
    elif isinstance(command, c.FinishTakingBack):
        followers.finish_taking_back(sheet, side, chance)
    elif isinstance(command, c.KeepFollower):
        followers.keep(side, command.follower)
    elif isinstance(command, c.StoreFollower):
        followers.store(side, command.follower, command.space)
    elif isinstance(command, c.FinishStoring):
        side.choice = ""
    elif isinstance(command, c.UseSacristy):
        side.choice = ""
        sacristy.use(side)
    elif isinstance(command, c.SufferEvent):
        side.choice = ""
        if sheet.phase == "census":
            census.pay_up(sheet, side)
        else:
            hour_glass.strike(sheet, side, chance)
    elif isinstance(command, c.GiveFood):
        hour_glass.give_food(sheet, side, command.good)
    elif isinstance(command, c.PayForFood):
        hour_glass.pay_for_food(sheet, side)
    elif isinstance(command, SURRENDERS):
        torture.give(sheet, side, command, chance)
        hour_glass.next_item(sheet, side)
    else:
        return actions.carry_out(sheet, side, command)
    return True


def _go_on(sheet: Sheet, chance: Chance) -> None:
    """Phases 6, 7, 1, 2 and 3, until somebody has to choose, or the game is over."""
    while True:
        if sheet.phase == "event":
            _event(sheet, chance)
        if sheet.waiting() or sheet.phase in ("actions", "over"):
            return
        if sheet.phase == "event":
            if sheet.round == tables.ROUNDS:
                scoring.finish(sheet)
            else:
                _next_round(sheet, chance)
        elif sheet.phase == "census":
            sheet.phase = "followers"
            _ask_for_followers(sheet, chance)
        elif sheet.phase == "followers":
            sheet.phase = "planning"
            in_turn = sheet.choices["planning"] == "in_turn"
            for side in sheet.clockwise()[:1] if in_turn else sheet.sides:
                side.choice = "plan"


def _ask_for_followers(sheet: Sheet, chance: Chance) -> None:
    """Everybody at the same time."""
    for side in sheet.sides:
        followers.begin(sheet, side, chance)


def _event(sheet: Sheet, chance: Chance) -> None:
    """Clockwise from the start player; whoever has to choose keeps the others waiting, unless all go at once."""
    everybody_at_once = sheet.choices["event_order"] == "simultaneous"
    while sheet.reached < len(sheet.sides) and (everybody_at_once or not sheet.waiting()):
        side = sheet.clockwise()[sheet.reached]
        sheet.reached += 1
        hour_glass.reach(sheet, side, chance)


def _next_round(sheet: Sheet, chance: Chance) -> None:
    """The token goes on, the next tile is turned, and the farmers are counted."""
    sheet.start = sheet.start % len(sheet.sides) + 1
    sheet.round += 1
    sheet.turned[f"{sheet.event}.{sheet.letter}"] += 1
    sheet.event, sheet.letter = _turn(sheet, chance)
    sheet.reached = 0
    sheet.phase = "census"
    census.hold(sheet)


def _turn(sheet: Sheet, chance: Chance) -> tuple[str, str]:
    """The topmost tile: of the A tiles while there are any, then of B, then of C; all alike without letters."""
    letters = [letter for letter in tables.LETTERS if any(name.endswith(f".{letter}") for name in +sheet.glass)]
    zone = f"hour_glass.{letters[0]}"
    pile = Counter({name: count for name, count in sheet.glass.items() if name.endswith(f".{letters[0]}")})
    tile = chance.draw(zone, pile)
    sheet.glass[tile] -= 1
    event, letter = tile.rsplit(".", 1)
    return event, letter
