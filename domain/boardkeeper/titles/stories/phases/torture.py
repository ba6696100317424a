"""What replaces what is missing: settlers, fortresses, technology, place cards and citizens, one for one.

Given things leave the game. Source: stories.torture.*.
"""

from __future__ import annotations

from boardkeeper.families.followers import debts
from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.phases import screens
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.bindings import Area, Seat, Stories
from boardkeeper.titles.stories.commands import (
    Command,
    SurrenderCitizen,
    SurrenderFortress,
    SurrenderPlaceCard,
    SurrenderSettler,
    SurrenderTechnology,
)
from boardkeeper.titles.stories.control import areas_of
from boardkeeper.titles.stories.data import CHURCH
from boardkeeper.titles.stories.events import (
    CitizenSurrendered,
    FortressSurrendered,
    PlaceCardSurrendered,
    SettlerSurrendered,
    TechnologySurrendered,
)


def surrender_settler(t: Stories, seat: Seat, command: SurrenderSettler) -> Rejection | None:
    """A settler, from the map or the supply (stories.torture.settler)."""
    if command.area and command.area not in t.areas:
        return Rejection("UNKNOWN_AREA", "stories.map.spaces", {"area": command.area})
    source = t.areas[command.area].pile if command.area else seat.settlers
    if seat.settler not in source.items:
        return Rejection("NO_SETTLER", "stories.torture.settler", {"area": command.area})
    give_settler(t, seat, command.area)
    t.emit(seat, SettlerSurrendered(command.area, debts.replaced_one(t, seat)))
    debts.go_on(t, seat)
    return None


def give_settler(t: Stories, seat: Seat, area: str) -> None:
    """A settler leaves the game, and what it leaves behind is nobody's (reading ``emptied_area``)."""
    t.move(seat.settler, t.areas[area].pile if area else seat.settlers, t.removed)
    if area:
        leave(t, t.areas[area])


def leave(t: Stories, area: Area) -> None:
    """What becomes of buildings where nobody is left (reading ``emptied_area``)."""
    if t.data.chosen.emptied_area != "buildings_removed" or any(area.settled_by()):
        return
    if area.has_church():
        t.move(CHURCH, area.pile, t.churches)
    owner = area.fortified_by()
    if owner:
        seat = t.seats[owner - 1]
        t.move(seat.fortress, area.pile, seat.fortresses)
    if area.village.value:
        t.set(area.village, 0)


def surrender_fortress(t: Stories, seat: Seat, command: SurrenderFortress) -> Rejection | None:
    """A fortress, from the map or the supply (stories.torture.fortress)."""
    if command.area and command.area not in t.areas:
        return Rejection("UNKNOWN_AREA", "stories.map.spaces", {"area": command.area})
    source = t.areas[command.area].pile if command.area else seat.fortresses
    if seat.fortress not in source.items:
        return Rejection("NO_FORTRESS", "stories.torture.fortress", {"area": command.area})
    t.move(seat.fortress, source, t.removed)
    t.emit(seat, FortressSurrendered(command.area, debts.replaced_one(t, seat)))
    debts.go_on(t, seat)
    return None


def why_no_technology(seat: Seat, command: SurrenderTechnology) -> Rejection | None:
    """Whether the seat has such a technology tile (stories.torture.technology)."""
    if command.place or command.space:
        space = seat.estate().spaces.get((command.place, command.space))
        there = space is not None and TECHNOLOGY in space.pile.items
    else:
        there = TECHNOLOGY in seat.technology.items
    values = {"place": command.place, "space": command.space}
    return None if there else Rejection("NO_TECHNOLOGY", "stories.torture.technology", values)


def give_technology(t: Stories, seat: Seat, command: SurrenderTechnology) -> None:
    """A technology tile leaves the game."""
    key = (command.place, command.space)
    source = seat.estate().spaces[key].pile if command.place else seat.technology
    t.move(TECHNOLOGY, source, t.removed)


def surrender_technology(t: Stories, seat: Seat, command: SurrenderTechnology) -> Rejection | None:
    """A technology tile, placed or not (stories.torture.technology)."""
    rejection = why_no_technology(seat, command)
    if rejection:
        return rejection
    give_technology(t, seat, command)
    t.emit(seat, TechnologySurrendered(command.place, command.space, debts.replaced_one(t, seat)))
    debts.go_on(t, seat)
    return None


def surrender_place_card(t: Stories, seat: Seat, command: SurrenderPlaceCard) -> Rejection | None:
    """A place card; its followers go to the bag, technology on it is lost (stories.torture.place_card)."""
    if command.place not in seat.place_tiles.items:
        return Rejection("NO_SUCH_PLACE_CARD", "stories.torture.place_card", {"place": command.place})
    for space in seat.tiles[command.place].spaces:
        occupant = space.occupant()
        if occupant:
            t.move(occupant, space.pile, t.removed if occupant == TECHNOLOGY else seat.bag)
    screens.take_out(t, seat, command.place)
    t.move(command.place, seat.place_tiles, t.removed)
    t.emit(seat, PlaceCardSurrendered(command.place, debts.replaced_one(t, seat)))
    debts.go_on(t, seat)
    return None


def surrender_citizen(t: Stories, seat: Seat, command: SurrenderCitizen) -> Rejection | None:
    """A citizen (stories.torture.citizen)."""
    if not seat.citizens.value:
        return Rejection("NO_CITIZEN", "stories.torture.citizen")
    t.set(seat.citizens, seat.citizens.value - 1)
    t.emit(seat, CitizenSurrendered(debts.replaced_one(t, seat)))
    debts.go_on(t, seat)
    return None


def technology_of(seat: Seat) -> list[Command]:
    """Every technology tile that the seat can give."""
    spaces = seat.estate().spaces
    placed: list[Command] = [
        SurrenderTechnology(*key) for key, space in spaces.items() if TECHNOLOGY in space.pile.items
    ]
    return [SurrenderTechnology(), *placed] if seat.technology.items else placed


def legal_torture(t: Stories, seat: Seat) -> list[Command]:
    """Everything that the seat can give for one missing thing."""
    commands: list[Command] = [SurrenderSettler()] if seat.settlers.items else []
    commands += [SurrenderSettler(area.id) for area in areas_of(t, seat)]
    if seat.fortresses.items:
        commands.append(SurrenderFortress())
    commands += [SurrenderFortress(area.id) for area in t.areas.values() if seat.fortress in area.pile.items]
    commands += technology_of(seat)
    commands += [SurrenderPlaceCard(card) for card in sorted(seat.place_tiles.items)]
    if seat.citizens.value:
        commands.append(SurrenderCitizen())
    return commands
