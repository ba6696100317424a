"""The opponent's board: its resource track, what the track points at, its schemes and its workshops."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, Columns, columns
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.paladins.gains import NOTHING
from boardkeeper.client.drawing.paladins.side import WORKSHOP, burdens, draw_cards, missing_workers
from boardkeeper.titles.paladins.board import AreaView, Board, FavourPlace, OpponentView, SeatView

FIELDS = 5


def draw_opponent(board: Board, look: Look) -> RenderableType:
    """The opponent's board."""
    opponent = board.opponent
    if opponent is None:
        return Text(look.word("no_opponent"), style="dim")
    seat = next(seat for seat in board.seats if seat.seat == opponent.seat)
    return Group(draw_plans(board, look), "", _areas(seat, look), "", draw_cards(seat, look))


def draw_plans(board: Board, look: Look) -> RenderableType:
    """What the opponent is about to do, as far as anybody can know."""
    opponent = board.opponent
    if opponent is None:
        return Text(look.word("no_opponent"), style="dim")
    seat = next(seat for seat in board.seats if seat.seat == opponent.seat)
    title = Text(look.seat(seat.seat), style=f"bold {look.style(seat.seat)}".strip())
    return Group(title, _facts(board, opponent, seat, look))


def _facts(board: Board, opponent: OpponentView, seat: SeatView, look: Look) -> Columns:
    rows: list[tuple[str, Cell]] = [
        (look.word("track"), _track(opponent, look)),
        (look.word("points_at"), _aims(board, opponent, look)),
        (look.word("attributes"), _attributes(opponent, seat, look)),
        (look.word("workers"), str(sum(seat.workers.values()))),
        (look.word("can_do"), _can_do(seat, look)),
        *burdens(seat, look),
        (look.word("scheme"), _scheme(opponent.scheme, look) if opponent.scheme else NOTHING),
        (look.word("schemes_left"), _schemes(opponent.schemes, look)),
        (look.word("schemes_gone"), _schemes(opponent.discarded_schemes, look)),
    ]
    if opponent.favour_schemes:
        rows.append((look.word("schemes_to_come"), f"{opponent.favour_schemes} × {_scheme('favour', look)}"))
    return columns(["", ""], [[Text(caption, style="dim"), told] for caption, told in rows])


def _track(opponent: OpponentView, look: Look) -> Text:
    """The resource track with its marker; past its end the lowest attribute goes up."""
    fields = " ".join("●" if at == opponent.field else str(at) for at in range(1, FIELDS + 1))
    return Text(f"{fields}  {look.word('past_the_end')}")


def _aims(board: Board, opponent: OpponentView, look: Look) -> str:
    """What the marker points at first: townsfolk, favour and outsider, the next to the right if one is missing."""
    at = opponent.field - 1
    townsfolk = _from(at, [look.name(place.townsfolk) if place.townsfolk else "" for place in board.townsfolk])
    favours = [f"{look.word('favour_place')} {number}" for number in range(1, len(board.favours) + 1)]
    favour = _from(at, [name if _usable(place) else "" for name, place in zip(favours, board.favours, strict=True)])
    outsider = _from(at, [look.name(place.outsider) if place.outsider else "" for place in board.outsiders])
    return ", ".join(aim for aim in (townsfolk, favour, outsider) if aim) or NOTHING


def _from(at: int, row: list[str]) -> str:
    """The first that is there from a place on, beginning anew at the left end."""
    return next((id for id in (*row[at:], *row[:at]) if id), "")


def _usable(place: FavourPlace) -> bool:
    return bool(place.favour) and not place.worker


def _attributes(opponent: OpponentView, seat: SeatView, look: Look) -> str:
    """Its attributes; of those that are equal, the one moved last lies on top and moves first."""
    levels = {"faith": seat.faith, "strength": seat.strength, "influence": seat.influence}
    return ", ".join(f"{look.name(id)} {levels[id]}" for id in reversed(opponent.markers or tuple(levels)))


def _scheme(id: str, look: Look) -> str:
    """What a scheme wants to do."""
    action = id.removeprefix("scheme_")
    return look.words.get(f"scheme.{action}") or look.name(action)


def _schemes(counts: Mapping[str, int], look: Look) -> str:
    told = [_times(counts[id], id, look) for id in look.sorted(counts) if counts[id]]
    return ", ".join(told) or NOTHING


def _times(count: int, id: str, look: Look) -> str:
    return _scheme(id, look) if count == 1 else f"{count} × {_scheme(id, look)}"


def _can_do(seat: SeatView, look: Look) -> str:
    """The actions that are not occupied, each with how many workers it takes."""
    free = [f"{look.name(area.action)} {len(missing_workers(area))}" for area in seat.areas if area.open]
    return ", ".join(free) or NOTHING


def _areas(seat: SeatView, look: Look) -> Columns:
    captions = ["", look.word("workers_needed"), look.word("workshops"), look.word("done")]
    return columns(captions, [_area(area, look) for area in seat.areas], right=(1, 2, 3))


def _area(area: AreaView, look: Look) -> list[Cell]:
    workshops = sum(space.occupant == WORKSHOP for space in area.spaces)
    needed = str(len(missing_workers(area))) if area.open else look.word("occupied")
    style = "" if area.open else "dim"
    return [Text(look.name(area.action), style=style), needed, str(workshops or NOTHING), str(area.times or NOTHING)]
