"""The commands of Paladins in groups, each with what it costs and gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from rich.text import Text

from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.menu import Entry, Section
from boardkeeper.client.drawing.paladins import cards
from boardkeeper.client.drawing.paladins.gains import NOTHING, choice, dues, gain, gains, price
from boardkeeper.client.drawing.paladins.seats import level
from boardkeeper.client.drawing.paladins.side import (
    BY_TARGET,
    LEFT,
    area_gives,
    area_needs,
    area_price,
    draw_spaces,
    missing_workers,
)
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.board import AreaView, Board, SeatView

BOTH = ("hunt", "trade", "recruit")
"""Actions for one worker or for two."""


def group(commands: Sequence[Struct], sentences: Sequence[str], board: Board, look: Look) -> tuple[Section, ...]:
    """Sections in the order in which their first commands stand; commands that speak for themselves come last."""
    menu = _Menu(board, look)
    sections: dict[str, tuple[Text, list[Entry]]] = {}
    others: list[Entry] = []
    for index, (command, sentence) in enumerate(zip(commands, sentences, strict=True)):
        heading = menu.heading(command)
        if heading is None:
            others.append(Entry(index, sentence))
        else:
            label, compact = menu.label(command)
            entries = sections.setdefault(heading.plain, (heading, []))[1]
            entries.append(Entry(index, label, compact=compact))
    found = [Section(heading, tuple(entries)) for heading, entries in sections.values()]
    if others:
        found.append(Section(Text(look.word("otherwise") if found else "", style="bold"), tuple(others)))
    return tuple(found)


def _joined(parts: Iterable[str], given: str = "") -> str:
    """What is asked for, and after an arrow what is given."""
    asked = "; ".join(part for part in parts if part)
    return " → ".join(part for part in (asked, given) if part)


class _Menu:
    """What is said of the commands of the seat that looks."""

    def __init__(self, board: Board, look: Look) -> None:
        self._board = board
        self._look = look
        self._seat: SeatView = next((seat for seat in board.seats if seat.seat == look.viewer), board.seats[0])
        self._areas = {area.action: area for area in self._seat.areas}
        self._spaces = {space.space: space for space in board.spaces}

    # --- under which heading ---------------------------------------------------------------------------------

    def heading(self, command: Struct) -> Text | None:
        """The heading under which a command stands; none for one of which its sentence says all."""
        look = self._look
        match command:
            case c.ChoosePaladin(paladin=id):
                return Text.assemble((look.name(id), "bold"), f"  {cards.paladin(id, look)}")
            case c.BeginAction(action=action):
                return self._titled("side.left" if action in LEFT else "side.right")
            case c.PlaceWorker():
                return self._area(self._board.action)
            case c.PlaceWorkshop(action=action):
                return self._area(action)
            case c.PlaceMonk(space=space) | c.PlaceOutpost(space=space):
                return Text(f"{look.word('region')} {self._spaces[space].region}", style="bold")
            case c.AttackOutsider():
                return Text(look.name("attack"), style="bold")
            case c.ConvertOutsider():
                return Text(look.name("convert"), style="bold")
            case c.TakeReward() | c.ChooseReward():
                return Text(f"{look.word('due')}: {dues(self._seat.due, look)}", style="bold")
            case c.UseTownsfolk():
                return self._titled("trigger.inquisition")
        key = _HEADINGS.get(type(command))
        return None if key is None else self._titled(key)

    def _titled(self, key: str) -> Text:
        return Text(self._look.word(key), style="bold")

    def _area(self, action: str) -> Text:
        name, area = Text(self._look.name(action), style="bold"), self._areas.get(action)
        return name if area is None else Text.assemble(name, "  ", draw_spaces(area, self._look))

    # --- how it is called there ------------------------------------------------------------------------------

    def label(self, command: Struct) -> tuple[str, bool]:
        """What an entry says below its heading, and whether it is short enough to share a line."""
        look = self._look
        match command:
            case c.PlaceWorker(worker=worker) | c.ReturnWorker(worker=worker):
                return look.name(worker), True
            case c.PlaceMonk(space=space) | c.PlaceOutpost(space=space):
                return gains(self._spaces[space].gains, look), True
            case c.PlaceJar(space=id):
                return next(gains(space.gains, look) for space in self._seat.jar_spaces if space.space == id), True
            case c.PlaceWorkshop(action=action, slot=slot):
                return self._workshop(action, slot), False
            case c.TakeReward(reward=id):
                return gain(id, 1, look), True
            case c.ChooseReward(reward=id, option=option):
                return gains(choice(id)[option - 1], look), False
            case _:
                return self._about(command), False

    def _about(self, command: Struct) -> str:
        """What a command is about, costs and gives."""
        look = self._look
        match command:
            case c.ChoosePaladin(paladin=paladin, top=top):
                under = [id for id in self._seat.hand if id not in (paladin, top)]
                return look.word("top_and_under").format(look.name(top), *map(look.name, under or [NOTHING]))
            case c.TakeTavernCard(tavern=id):
                return gains(cards.listed(id, "workers", look), look)
            case c.BeginAction(action=action, workers=workers):
                return f"{look.name(action)}  ({self._action(self._areas[action], workers)})"
            case c.UseFavour(favour=id):
                asked = (cards.favour_worker(id, look), cards.favour_price(id, look))
                number = next(at for at, place in enumerate(self._board.favours, 1) if place.favour == id)
                return f"{look.word('favour_place')} {number}  ({_joined(asked, cards.favour_gives(id, look))})"
            case c.HireTownsfolk(townsfolk=id, payment=payment):
                instant = gains(cards.listed(id, "instant", look), look, nothing="")
                given = _joined((instant, cards.townsfolk_ability(id, look)))
                return f"{look.name(id)}  ({_joined((self._payment(id, payment),), given)})"
            case c.DiscardTownsfolk(townsfolk=id, payment=payment):
                given = gains(cards.listed(id, "discard", look), look)
                return f"{look.name(id)}  ({_joined((self._payment(id, payment),), given)})"
            case c.ClearArea(action=action):
                return f"{look.name(action)}  {draw_spaces(self._areas[action], look).plain}"
            case c.AttackOutsider(outsider=id):
                cost = price(self._missing(id), 0, look, nothing="")
                about = _joined((self._needed(id, "strength"), cost), cards.attack_gains(id, look))
                return f"{cards.outsider(id, look)}  ({about})"
            case c.ConvertOutsider(outsider=id):
                given = _joined((cards.convert_gains(id, look), cards.scores(id, look)))
                return f"{cards.outsider(id, look)}  ({_joined((self._needed(id, 'faith'),), given)})"
            case c.UseTownsfolk(townsfolk=id):
                return f"{look.name(id)}  ({cards.townsfolk_ability(id, look)})"
        raise TypeError(command)

    # --- what it costs and gives -------------------------------------------------------------------------------

    def _action(self, area: AreaView, workers: int) -> str:
        """What an action takes, asks for, costs and gives."""
        look = self._look
        if area.action in BOTH:
            slots = [space.requires for space in area.spaces[:workers]]
            given = cards.listed(area.action, "one" if workers == 1 else "two", look)
            does = gains(given, look) if given else look.word(f"does.recruit.{workers}")
        else:
            slots, does = missing_workers(area), area_gives(area, look)
        if area.action == "develop" and self._seat.workshops:
            does = look.word("does.develop.next").format(gain(self._seat.workshops[0], 1, look))
        cost, needs = self._cost(area), area_needs(area, look)
        parts = [" + ".join(map(look.name, slots)), "" if cost == NOTHING else cost]
        if area.attribute and area.action not in BY_TARGET and area.needs:
            parts.append(f"{look.word('needs_lower')} {needs}")
        return _joined(parts, does)

    def _cost(self, area: AreaView) -> str:
        """What an action costs; where that depends on the target, from the least to the most."""
        if area.action == "recruit" and cards.fact(self._seat.paladin, "free", self._look) != "recruit":
            return self._between(place.silver for place in self._board.townsfolk if place.townsfolk)
        if area.action == "attack":
            return self._between(self._missing(place.outsider) for place in self._board.outsiders if place.outsider)
        return area_price(self._seat, area, self._look)

    def _between(self, silver: Iterable[int]) -> str:
        prices = sorted(silver)
        if not prices:
            return ""
        least, most = prices[0], price(prices[-1], 0, self._look, nothing=self._look.word("free_of_charge"))
        return most if least == prices[-1] else self._look.word("by_target").format(least, most)

    def _workshop(self, action: str, slot: int) -> str:
        """Where a workshop would go, what that costs, and whom it brings."""
        look = self._look
        space = look.word("workshop_space").format(slot, look.name(self._areas[action].spaces[slot - 1].requires))
        free = self._seat.decision == "reward"
        cost = look.word("free_of_charge") if free else area_price(self._seat, self._areas["develop"], look)
        return f"{space}  ({_joined((cost,), gains(self._seat.workshops[:1], look, nothing=''))})"

    def _payment(self, townsfolk: str, payment: str) -> str:
        """What townsfolk cost if they are paid for like that."""
        if payment == "debt":
            return gain("take_debt", 1, self._look)
        silver = next((place.silver for place in self._board.townsfolk if place.townsfolk == townsfolk), 0)
        if not payment or cards.fact(self._seat.paladin, "free", self._look) == "recruit":
            silver = 0
        return price(silver, 0, self._look, nothing=self._look.word("free_of_charge"))

    def _needed(self, outsider: str, attribute: str) -> str:
        """What an outsider asks for and how much of it there is."""
        place = next(place for place in self._board.outsiders if place.outsider == outsider)
        needed = place.strength if attribute == "strength" else place.faith
        return self._look.word("of_needed").format(self._look.name(attribute), level(self._seat, attribute), needed)

    def _missing(self, outsider: str) -> int:
        """The silver that an attack costs: for missing strength, or by the outsiders passed over."""
        row = self._board.outsiders
        strength = level(self._seat, "strength")
        at = next(at for at, place in enumerate(row) if place.outsider == outsider)
        if row[at].strength <= strength:
            return 0
        if self._look.choices.get("attack_top_up") != "by_cards_skipped":
            return (row[at].strength - strength + 1) // 2
        reach = sum(place.strength <= strength for place in row)
        return sum(bool(place.outsider) for place in row[reach : at + 1])


_HEADINGS: dict[type[Struct], str] = {
    c.TakeTavernCard: "tavern",
    c.UseFavour: "favours",
    c.HireTownsfolk: "hire",
    c.DiscardTownsfolk: "send_away",
    c.ClearArea: "clear",
    c.PlaceJar: "jar_spaces",
    c.ReturnWorker: "give_back",
}
"""The captions over commands of one kind."""
