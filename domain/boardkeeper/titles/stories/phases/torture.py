"""Torture: a seat gives up a component for each missing good or coin. The component is removed from the game.

Source: stories.torture.*.
"""

from __future__ import annotations

from boardkeeper.families.followers import debts
from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.control import areas_of
from boardkeeper.titles.stories.data import CHURCH
from boardkeeper.titles.stories.material import Area, Seat, Stories


def surrender_settler(t: Stories, seat: Seat, command: c.SurrenderSettler) -> Rejection | None:
    """Give up a settler from the map or the supply. Source: stories.torture.settler."""
    if command.area and command.area not in t.areas:
        return Rejection("UNKNOWN_AREA", "stories.map.spaces", {"area": command.area})
    source = t.areas[command.area].pile if command.area else seat.settlers
    if seat.settler not in source.items:
        return Rejection("NO_SETTLER", "stories.torture.settler", {"area": command.area})
    give_settler(t, seat, command.area)
    debts.replace(t, seat, e.SettlerSurrendered, command.area)
    return None


def give_settler(t: Stories, seat: Seat, area: str) -> None:
    """Remove a settler of an area (empty: of the supply) from the game, and the buildings of an abandoned area."""
    t.move(seat.settler, t.areas[area].pile if area else seat.settlers, t.removed)
    if area:
        remove_abandoned_buildings(t, t.areas[area])


def remove_abandoned_buildings(t: Stories, area: Area) -> None:
    """Remove the buildings of an area without settlers, if the reading ``emptied_area`` is ``buildings_removed``."""
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


def surrender_fortress(t: Stories, seat: Seat, command: c.SurrenderFortress) -> Rejection | None:
    """Give up a fortress from the map or the supply. Source: stories.torture.fortress."""
    if command.area and command.area not in t.areas:
        return Rejection("UNKNOWN_AREA", "stories.map.spaces", {"area": command.area})
    source = t.areas[command.area].pile if command.area else seat.fortresses
    if seat.fortress not in source.items:
        return Rejection("NO_FORTRESS", "stories.torture.fortress", {"area": command.area})
    t.move(seat.fortress, source, t.removed)
    debts.replace(t, seat, e.FortressSurrendered, command.area)
    return None


def give_technology(t: Stories, seat: Seat, command: c.SurrenderTechnology) -> Rejection | None:
    """Remove a technology tile, placed or not, from the game. Source: stories.torture.technology."""
    pile = debts.find_technology(seat, command.place, command.space)
    if pile is None:
        values = {"place": command.place, "space": command.space}
        return Rejection("NO_TECHNOLOGY", "stories.torture.technology", values)
    t.move(TECHNOLOGY, pile, t.removed)
    return None


def surrender_technology(t: Stories, seat: Seat, command: c.SurrenderTechnology) -> Rejection | None:
    """Give up a technology tile. Source: stories.torture.technology."""
    rejection = give_technology(t, seat, command)
    if rejection is None:
        debts.replace(t, seat, e.TechnologySurrendered, command.place, command.space)
    return rejection


def surrender_place_card(t: Stories, seat: Seat, command: c.SurrenderPlaceCard) -> Rejection | None:
    """Give up a place card. Its followers return to the bag, technology on it is lost.

    Source: stories.torture.place_card.
    """
    if command.place not in seat.place_tiles.items:
        return Rejection("NO_SUCH_PLACE_CARD", "stories.torture.place_card", {"place": command.place})
    debts.remove_place(t, seat, seat.tiles[command.place])
    debts.replace(t, seat, e.PlaceCardSurrendered, command.place)
    return None


def surrender_citizen(t: Stories, seat: Seat, command: c.SurrenderCitizen) -> Rejection | None:
    """Give up a citizen. Source: stories.torture.citizen."""
    if not seat.citizens.value:
        return Rejection("NO_CITIZEN", "stories.torture.citizen")
    t.set(seat.citizens, seat.citizens.value - 1)
    debts.replace(t, seat, e.CitizenSurrendered)
    return None


def legal_torture(t: Stories, seat: Seat) -> list[c.Command]:
    """Return a command for each component that the seat can give up."""
    commands: list[c.Command] = [c.SurrenderSettler()] if seat.settlers.items else []
    commands += [c.SurrenderSettler(area.id) for area in areas_of(t, seat)]
    if seat.fortresses.items:
        commands.append(c.SurrenderFortress())
    commands += [c.SurrenderFortress(area.id) for area in t.areas.values() if seat.fortress in area.pile.items]
    commands += [c.SurrenderTechnology(*key) for key in debts.list_technology(seat)]
    commands += [c.SurrenderPlaceCard(card) for card in sorted(seat.place_tiles.items)]
    if seat.citizens.value:
        commands.append(c.SurrenderCitizen())
    return commands
