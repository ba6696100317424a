"""The course of play: the choices of seats, their results, and everything that follows until the next choice."""

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
    """Return all choices of a seat; ``None`` in phases 4 and 5, for which there is ``choosing``."""
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
    """Carry out a choice and everything that follows. Return ``False`` for a command that the oracle does not know.

    ``ends_actions``: it was the last command of phase 5. The oracle does not find this out itself.
    """
    side = sheet.side(seat)
    if not _carry_out(sheet, side, command, chance):
        return False
    if ends_actions:
        enter(sheet, "event", chance)
    else:
        _continue(sheet, chance)
    return True


def enter(sheet: Sheet, phase: str, chance: Chance) -> None:
    """Start the ``event``, ``census`` or ``followers`` phase, and continue until a seat must choose."""
    for side in sheet.sides:
        side.choice = ""
    sheet.phase = phase
    if phase == "event":
        sheet.reached = 0
    elif phase == "census":
        census.run(sheet)
    else:
        _ask_for_followers(sheet, chance)
    _continue(sheet, chance)


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
            hour_glass.apply_event(sheet, side, chance)
    elif isinstance(command, c.GiveFood):
        hour_glass.give_food(sheet, side, command.good)
    elif isinstance(command, c.PayForFood):
        hour_glass.pay_for_food(sheet, side)
    elif isinstance(command, SURRENDERS):
        torture.surrender(sheet, side, command, chance)
        hour_glass.next_item(sheet, side)
    else:
        return actions.carry_out(sheet, side, command)
    return True


def _continue(sheet: Sheet, chance: Chance) -> None:
    """Run phases 6, 7, 1, 2 and 3, until a seat must choose or the game is over."""
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
    for side in sheet.sides:
        followers.begin(sheet, side, chance)


def _event(sheet: Sheet, chance: Chance) -> None:
    """Resolve the event clockwise from the start player. A choice stops it, unless events are simultaneous."""
    is_simultaneous = sheet.choices["event_order"] == "simultaneous"
    while sheet.reached < len(sheet.sides) and (is_simultaneous or not sheet.waiting()):
        side = sheet.clockwise()[sheet.reached]
        sheet.reached += 1
        hour_glass.resolve(sheet, side, chance)


def _next_round(sheet: Sheet, chance: Chance) -> None:
    """Pass the start player token, turn the next tile, and count the farmers."""
    sheet.start = sheet.start % len(sheet.sides) + 1
    sheet.round += 1
    sheet.turned[f"{sheet.event}.{sheet.letter}"] += 1
    sheet.event, sheet.letter = _turn(sheet, chance)
    sheet.reached = 0
    sheet.phase = "census"
    census.run(sheet)


def _turn(sheet: Sheet, chance: Chance) -> tuple[str, str]:
    """Draw the next tile: first the A tiles, then B, then C. Tiles without letters are one pile."""
    letters = [letter for letter in tables.LETTERS if any(name.endswith(f".{letter}") for name in +sheet.glass)]
    zone = f"hour_glass.{letters[0]}"
    pile = Counter({name: count for name, count in sheet.glass.items() if name.endswith(f".{letters[0]}")})
    tile = chance.draw(zone, pile)
    sheet.glass[tile] -= 1
    event, letter = tile.rsplit(".", 1)
    return event, letter
