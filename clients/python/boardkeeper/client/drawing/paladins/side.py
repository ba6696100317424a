"""A seat's own side: its board with what the next actions ask for and cost, its cards, jars, workshops and debts."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, Columns, columns
from boardkeeper.client.drawing.fitted import Fitted
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.paladins import cards
from boardkeeper.client.drawing.paladins.gains import ATTRIBUTES, NOTHING, gains, price, worker_style
from boardkeeper.client.drawing.paladins.seats import draw_workers, level
from boardkeeper.titles.paladins.board import AreaView, SeatView

WORKSHOP = "workshop"
LEFT = ("develop", "recruit", "hunt", "trade", "pray", "conspire")
WIDE = 100
"""How much room it needs to say what the right side gives."""

MOST = {"commission": 7, "fortify": 7, "garrison": 7, "absolve": 7, "convert": 7}
"""How often a seat can carry out an action in a game, where that is limited."""

WORKSHOPS = 8
BY_TARGET = ("commission", "garrison", "attack", "convert")


def draw_side(seat: SeatView, look: Look) -> RenderableType:
    """Everything that lies in front of one seat."""
    title = Text(look.seat(seat.seat), style=f"bold {look.style(seat.seat)}".strip())
    parts: list[RenderableType] = [title, draw_goods(seat, look), "", draw_areas(seat, look), ""]
    if seat.townsfolk or seat.inquiry:
        parts += [draw_hired(seat, look), ""]
    return Group(*parts, draw_cards(seat, look))


def draw_turn(seat: SeatView, look: Look) -> RenderableType:
    """What a seat needs of its own side for its turn; the rest of it does not matter before the turn's action."""
    parts: list[RenderableType] = [draw_goods(seat, look), "", draw_areas(seat, look)]
    if seat.townsfolk:
        parts += ["", draw_hired(seat, look)]
    return Group(*parts)


def draw_goods(seat: SeatView, look: Look) -> Columns:
    """Attributes, paladin, workers, silver and provisions of a seat."""
    levels = [f"{look.name(id)} {_level(seat, id)}" for id in ATTRIBUTES]
    rows: list[list[Cell]] = [[look.word("attributes"), ", ".join(levels)]]
    if seat.paladin:
        about = f"{look.name(seat.paladin)}: {cards.paladin_ability(seat.paladin, look)}"
        rows.append([look.name("paladin"), about])
    rows.append([look.word("workers"), draw_workers(seat.workers, look)])
    if not seat.automaton:
        rows.append([look.word("stock"), price(seat.silver, seat.provisions, look)])
    rows += map(list, burdens(seat, look))
    return columns(["", ""], [[Text(str(caption), style="dim"), value] for caption, value in rows])


def burdens(seat: SeatView, look: Look) -> Iterator[tuple[str, str]]:
    """Suspicion and debts, if the seat has any."""
    if seat.suspicion:
        taxes = " ".join(cards.fact(id, "tax", look) or "?" for id in seat.suspicion)
        yield look.word("suspicion"), f"{len(seat.suspicion)} ({look.word('taxes')}: {taxes})"
    if seat.unpaid_debts or seat.paid_debts:
        yield look.word("debts"), look.word("debts_told").format(seat.unpaid_debts, seat.paid_debts)


def _level(seat: SeatView, id: str) -> str:
    bonus = seat.bonus.get(id, 0)
    own = level(seat, id) - bonus
    return f"{own}+{bonus}={own + bonus}" if bonus else str(own)


# --- action areas ------------------------------------------------------------------------------------------------


def draw_areas(seat: SeatView, look: Look) -> RenderableType:
    """The action areas: their spaces (``■`` a worker, ``⌂`` a workshop, ``□`` nothing), price, need and reward."""
    return Fitted(lambda width: _areas(seat, look, explained=width >= WIDE))


def _areas(seat: SeatView, look: Look, *, explained: bool) -> RenderableType:
    """The left side and the right one; what the right one gives is always the same, and said if there is room."""
    left = [_area(seat, area, look) for area in seat.areas if area.action in LEFT]
    captions = ["", *(look.word(key) for key in ("spaces", "price", "gives"))]
    right = [_point_area(seat, area, look) for area in seat.areas if area.action not in LEFT]
    others = ["", *(look.word(key) for key in ("spaces", "price", "needs", "done", "gives"))]
    shown = len(others) if explained else len(others) - 1
    return Group(columns(captions, left), "", columns(others[:shown], [row[:shown] for row in right], right=(4,)))


def _area(seat: SeatView, area: AreaView, look: Look) -> list[Cell]:
    name = Text(look.name(area.action), style="bold" if area.open else "dim")
    return [name, draw_spaces(area, look), area_price(seat, area, look), area_gives(area, look)]


def _point_area(seat: SeatView, area: AreaView, look: Look) -> list[Cell]:
    """An area of the right side: those have needs, and it matters how often they were used."""
    name, spaces, cost, given = _area(seat, area, look)
    most = MOST.get(area.action)
    done = f"{area.times}/{most}" if most else str(area.times)
    return [name, spaces, cost, area_needs(area, look), done, given]


def times_done(seat: SeatView, area: AreaView) -> int:
    """How often an action was carried out: workshops are counted by those that are left."""
    return WORKSHOPS - len(seat.workshops) if area.action == "develop" else area.times


def draw_spaces(area: AreaView, look: Look) -> Text:
    """The spaces of an area in a line; each is one word, so that no line ends between a mark and what it marks."""
    parts = []
    for space in area.spaces:
        wanted = look.name(space.requires)
        if space.occupant == WORKSHOP:
            parts.append(Text(f"⌂{wanted}", style="dim"))
        elif space.occupant:
            parts.append(Text(f"■{look.name(space.occupant)}", style=f"bold {worker_style(space.occupant)}"))
        else:
            parts.append(Text(f"□{wanted}", style=worker_style(space.requires)))
    return Text(" ").join(parts)


def area_price(seat: SeatView, area: AreaView, look: Look) -> str:
    """What the action costs next, with what the paladin of the round saves."""
    silver, provisions = saved(seat.paladin, area, look)
    if area.action == "recruit":
        return (
            look.word("free_of_charge")
            if cards.fact(seat.paladin, "free", look) == "recruit"
            else look.word("row_price")
        )
    if area.action == "attack":
        return look.word("missing_strength")
    said = price(silver, provisions, look)
    if (silver, provisions) != (area.silver, area.provisions):
        said = f"{look.word('free_of_charge') if said == NOTHING else said} ({look.name(seat.paladin)})"
    return said


def saved(paladin: str, area: AreaView, look: Look) -> tuple[int, int]:
    """Silver and provisions that the action costs with a paladin."""
    if paladin and cards.fact(paladin, "free", look) == area.action:
        return 0, 0
    cheaper = cards.fact(paladin, "cheaper", look)
    if cheaper.startswith(f"action: {area.action},"):
        return max(0, area.silver - int(cheaper.rpartition(" ")[2])), area.provisions
    return area.silver, area.provisions


def area_needs(area: AreaView, look: Look) -> str:
    """The attribute that the action asks for, and how much of it, unless its target says that."""
    if not area.attribute:
        return NOTHING
    needed = "" if area.action in BY_TARGET else f" {area.needs}"
    return f"{look.name(area.attribute)}{needed}"


def area_gives(area: AreaView, look: Look) -> str:
    """What the action gives, in short."""
    one, two = (cards.listed(area.action, key, look) for key in ("one", "two"))
    if one and two:
        return f" {look.word('or')} ".join(gains(given, look) for given in (one, two))
    if one:
        return gains(one, look)
    given = cards.fact(area.action, "gain", look)
    said = look.words.get(f"does.{area.action}", "")
    return said.format(look.name(given)) if given else said


# --- cards and pieces ----------------------------------------------------------------------------------------------


def draw_hired(seat: SeatView, look: Look) -> Columns:
    """The townsfolk of a seat with their abilities."""
    rows = [[look.name(id), cards.townsfolk_ability(id, look)] for id in (*seat.townsfolk, *seat.inquiry)]
    return columns([look.word("hired_townsfolk"), look.word("ability")], rows)


def draw_cards(seat: SeatView, look: Look) -> Columns:
    """What a seat has gathered: outsiders, walls, suspicion and debts, jars, workshops, monks and outposts."""
    rows: list[tuple[str, str]] = []
    if seat.converted:
        told = (f"{cards.outsider(id, look)}: {cards.scores(id, look)}" for id in seat.converted)
        rows.append((look.word("converted"), "; ".join(told)))
    if seat.attacked:
        rows.append((look.word("attacked"), ", ".join(cards.outsider(id, look) for id in seat.attacked)))
    if seat.walls:
        rows.append((look.word("walls"), f"{len(seat.walls)}" + _wall_points(seat, look)))
    if not seat.automaton:
        jars = ", ".join(f"{gains(space.gains, look)} {space.taken}/{space.spaces}" for space in seat.jar_spaces)
        rows.append((look.word("jar_spaces"), jars))
        workshops = ", ".join(look.name(worker) for worker in seat.workshops) or NOTHING
        rows.append((look.word("workshops"), workshops))
    supply = {"monk": seat.monks, "outpost": seat.outposts, "jar": seat.jars}
    rows.append((look.word("in_supply"), ", ".join(f"{count} {look.many(id)}" for id, count in supply.items())))
    return columns(["", ""], [[Text(caption, style="dim"), told] for caption, told in rows])


def _wall_points(seat: SeatView, look: Look) -> str:
    points = sum(cards.number(id, "points", look) for id in seat.walls)
    return f" ({look.word('points').format(points)})" if points else ""


def missing_workers(area: AreaView) -> list[str]:
    """What the free spaces of an area ask for."""
    return [space.requires for space in area.spaces if not space.occupant]
