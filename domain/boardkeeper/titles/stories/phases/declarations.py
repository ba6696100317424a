"""The declaration phase of editions with nations.

It checks whether the game ends, and asks the seats whether their mission is fulfilled. The question is the same for
every seat, so it does not reveal the seat's nation.
Source: stories.end.everybody_is_asked.
"""

from __future__ import annotations

from msgspec.structs import replace

from boardkeeper.families.followers.events import PhaseBegun
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import PUBLIC
from boardkeeper.titlekit.turn_flow import OVER
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories import teams
from boardkeeper.titles.stories.control import counts_as_area
from boardkeeper.titles.stories.material import Seat, Stories

PHASE = "declaring"


def begin(t: Stories) -> None:
    """Begin the phase. End the game if one river bank is fully occupied or a seat has reached the last fame tile.

    Source: stories.end.bank, .fame, .declared.
    """
    t.set(t.phase, PHASE)
    t.set(t.cursor, 0)
    t.emit(None, PhaseBegun(PHASE))
    if _is_bank_occupied(t) or is_end_tile_reached(t):
        finish(t)


def _is_bank_occupied(t: Stories) -> bool:
    free = {area.cell.side for area in t.areas.values() if counts_as_area(t, area) and not any(area.settled_by())}
    return free != {"north", "south"}


def is_end_tile_reached(t: Stories) -> bool:
    """Return whether a seat has reached the fame tile that ends the game. Source: stories.end.fame."""
    end = t.data.end_fame
    return end is not None and any(seat.fame.value >= end for seat in t.seats)


def does_fame_end_game(t: Stories) -> bool:
    """Return whether a fame tile ends the game now: it is reached, and the reading ``fame_end`` is ``immediate``."""
    return t.data.chosen.fame_end == "immediate" and is_end_tile_reached(t)


def proceed(t: Stories) -> None:
    """Ask the next seat, clockwise from the start player.

    After the last seat, judge the declarations, or enter the next phase if there are none. If the reading
    ``declare_order`` is ``from_start_player``, judge after the first declaration.
    """
    order, at = t.clockwise(), t.cursor.value
    declared = any(seat.declares.value for seat in t.seats)
    if at == len(order) or (declared and t.data.chosen.declare_order == "from_start_player"):
        if declared:
            judge(t)
        else:
            t.enter("round_bonus" if is_before_bonus(t) else "shift")
        return
    t.set(t.cursor, at + 1)
    t.ask(order[at], "declare")


def is_before_bonus(t: Stories) -> bool:
    """Return whether this phase comes before the round bonus: the reading ``round_end_check`` is ``before_bonus``."""
    return t.data.chosen.round_end_check == "before_bonus"


def declare(t: Stories, seat: Seat, command: c.DeclareMission) -> Rejection | None:
    """Declare the mission fulfilled, whether this is true or not. Source: stories.end.declared."""
    t.ask(seat, "")
    t.set(seat.declares, 1)
    t.emit(seat, e.MissionDeclared())
    t.advance()
    return None


def keep_silent(t: Stories, seat: Seat, command: c.KeepSilent) -> Rejection | None:
    """Do not declare the mission fulfilled. Source: stories.end.declared."""
    t.ask(seat, "")
    t.emit(seat, e.SilenceKept())
    t.advance()
    return None


def legal_declare(t: Stories, seat: Seat) -> list[c.Command]:
    """Return both commands, independent of the seat's nation. Source: stories.end.everybody_is_asked."""
    return [c.KeepSilent(), c.DeclareMission()]


# --- end of the game -----------------------------------------------------------------------------------------


def judge(t: Stories) -> None:
    """Reveal the nations, judge the declared missions, and end the game. Source: stories.end.failed."""
    _reveal_nations(t)
    declared = {teams.nation_of(seat) for seat in t.seats if seat.declares.value}
    fulfilled = {nation for nation in t.data.nations if teams.judge_mission(t, nation)}
    failed = [nation for nation in t.data.nations if nation in declared - fulfilled]
    if not failed:
        _score(t)
        return
    t.set(t.lost, " ".join(failed))
    for nation in failed:
        t.emit(None, e.DeclarationFailed(nation))
    if t.data.chosen.failed_declaration_reveals_messages == "yes":
        _reveal_messages(t)
    _end(t)


def finish(t: Stories) -> None:
    """End the game without a declaration; both missions can be fulfilled. Source: stories.missions.both."""
    _reveal_nations(t)
    for nation in t.data.nations:
        teams.judge_mission(t, nation)
    _score(t)


def _score(t: Stories) -> None:
    _reveal_messages(t)
    for nation in t.data.nations:
        t.emit(None, replace(teams.sheet(t, nation), rank=teams.rank(t, nation)))
    _end(t)


def _end(t: Stories) -> None:
    """End the game, even during an action. Source: stories.end.fame."""
    t.set(t.acting, 0)
    t.set(t.action_place, "")
    t.set(t.phase, OVER)


def _reveal_nations(t: Stories) -> None:
    for seat in t.seats:
        t.recorder.show(seat.nation, PUBLIC)
    t.emit(None, e.NationsRevealed(tuple(teams.nation_of(seat) for seat in t.seats)))


def _reveal_messages(t: Stories) -> None:
    for seat in t.seats:
        t.recorder.show(seat.message, PUBLIC)
    t.emit(None, e.MessagesRevealed(tuple(next(iter(seat.message.items)) for seat in t.seats)))
