"""The commands of Paladins in groups, each with what it costs and gives."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.text import Text

from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.menu import Entry, Section
from boardkeeper.client.drawing.paladins import cards
from boardkeeper.client.drawing.paladins.gains import NOTHING, choice, gain, gains, price
from boardkeeper.client.drawing.paladins.seats import level
from boardkeeper.client.drawing.paladins.side import (
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
    """Sections in the order in which their first commands stand, whatever stands alone comes last."""
    menu = _Menu(board, look)
    sections: dict[str, tuple[Text, list[Entry]]] = {}
    others: list[Entry] = []
    for index, (command, sentence) in enumerate(zip(commands, sentences, strict=True)):
        key, heading = menu.heading(command)
        if not key:
            others.append(Entry(index, _with(sentence, menu.about(command))))
            continue
        label, compact = menu.label(command, sentence)
        sections.setdefault(key, (heading, []))[1].append(Entry(index, label, compact=compact))
    found = [Section(heading, tuple(entries)) for heading, entries in sections.values()]
    if others:
        found.append(Section(Text(look.word("otherwise") if found else "", style="bold"), tuple(others)))
    return tuple(found)


def _with(sentence: str, about: str) -> str:
    return f"{sentence}  ({about})" if about else sentence


class _Menu:
    """What is said of the commands of the seat that looks."""

    def __init__(self, board: Board, look: Look) -> None:
        self._board = board
        self._look = look
        self._seat: SeatView = next((seat for seat in board.seats if seat.seat == look.viewer), board.seats[0])
        self._areas = {area.action: area for area in self._seat.areas}
        self._spaces = {space.space: space for space in board.spaces}

    # --- under which heading ---------------------------------------------------------------------------------

    def heading(self, command: Struct) -> tuple[str, Text]:
        """The key of a command's section and its heading; both empty for a command that stands alone."""
        look = self._look
        match command:
            case c.ChoosePaladin(paladin=id):
                return id, Text.assemble((look.name(id), "bold"), f"  {cards.paladin(id, look)}")
            case c.BeginAction(action=action):
                side = "left" if action in LEFT else "right"
                return side, Text(look.word(f"side.{side}"), style="bold")
            case c.UseFavour():
                return "favours", Text(look.word("favours"), style="bold")
            case c.PlaceWorker():
                return "workers", self._placing()
            case c.PlaceMonk(space=space) | c.PlaceOutpost(space=space):
                region = self._spaces[space].region
                return f"region {region}", Text(f"{look.word('region')} {region}", style="bold")
            case c.PlaceWorkshop(action=action):
                return action, Text.assemble((look.name(action), "bold"), "  ", draw_spaces(self._areas[action], look))
            case c.TakeReward() | c.ChooseReward():
                due = ", ".join(gain(id, count, look) for id, count in self._seat.due.items() if count)
                return "due", Text(f"{look.word('due')}: {due}", style="bold")
        return "", Text("")

    def _placing(self) -> Text:
        action = self._board.action
        name = Text(self._look.name(action), style="bold")
        area = self._areas.get(action)
        return name if area is None else Text.assemble(name, "  ", draw_spaces(area, self._look))

    # --- how it is called there ------------------------------------------------------------------------------

    def label(self, command: Struct, sentence: str) -> tuple[str, bool]:
        """What an entry says below its heading, and whether it is short enough to share a line."""
        look = self._look
        match command:
            case c.ChoosePaladin(paladin=paladin, top=top):
                under = [id for id in self._seat.hand if id not in (paladin, top)]
                return look.word("top_and_under").format(look.name(top), *map(look.name, under or [NOTHING])), False
            case c.BeginAction(action=action, workers=workers) if action in self._areas:
                return _with(look.name(action), self._action(self._areas[action], workers)), False
            case c.PlaceWorker(worker=worker):
                return look.name(worker), True
            case c.PlaceMonk(space=space) | c.PlaceOutpost(space=space):
                return gains(self._spaces[space].gains, look), True
            case c.TakeReward(reward=id):
                return gain(id, 1, look), False
            case c.ChooseReward(reward=id, option=option):
                return gains(choice(id)[option - 1], look), False
            case _:
                return _with(sentence, self.about(command)), False

    def _action(self, area: AreaView, workers: int) -> str:
        """What an action takes, asks for, costs and gives."""
        look = self._look
        if area.action in BOTH:
            slots = [space.requires for space in area.spaces[:workers]]
            given = cards.listed(area.action, "one" if workers == 1 else "two", look)
            does = gains(given, look) if given else look.word(f"does.recruit.{workers}")
        else:
            slots, does = missing_workers(area), area_gives(area, look)
        cost = area_price(self._seat, area, look)
        needs = area_needs(area, look)
        parts = [" + ".join(map(look.name, slots)), "" if cost == NOTHING else cost]
        parts.append("" if needs == NOTHING else f"{look.word('needs_lower')} {needs}")
        return "; ".join(part for part in parts if part) + f" → {does}"

    # --- what it costs and gives -------------------------------------------------------------------------------

    def about(self, command: Struct) -> str:
        """What is to be known of a command besides its sentence; empty if there is nothing."""
        look = self._look
        match command:
            case c.TakeTavernCard(tavern=id):
                return gains(cards.listed(id, "workers", look), look)
            case c.UseFavour(favour=id):
                asked = (cards.favour_worker(id, look), cards.favour_price(id, look))
                return f"{'; '.join(part for part in asked if part)} → {cards.favour_gives(id, look)}"
            case c.HireTownsfolk(townsfolk=id, payment=payment):
                instant = gains(cards.listed(id, "instant", look), look, nothing="")
                return "; ".join(
                    part for part in (self._payment(id, payment), instant, cards.townsfolk_ability(id, look)) if part
                )
            case c.DiscardTownsfolk(townsfolk=id, payment=payment):
                given = gains(cards.listed(id, "discard", look), look)
                return " → ".join(part for part in (self._payment(id, payment), given) if part)
            case c.PlaceWorkshop():
                workshops = self._seat.workshops
                return gains(workshops[:1], look, nothing="")
            case c.ClearArea(action=action):
                return draw_spaces(self._areas[action], look).plain
            case c.PlaceJar(space=id):
                return next((gains(space.gains, look) for space in self._seat.jar_spaces if space.space == id), "")
            case c.AttackOutsider(outsider=id):
                cost = price(self._missing(id), 0, look, nothing="")
                needed = "; ".join(part for part in (self._needed(id, "strength"), cost) if part)
                return f"{needed} → {cards.attack_gains(id, look)}"
            case c.ConvertOutsider(outsider=id):
                return f"{self._needed(id, 'faith')} → {cards.convert_gains(id, look)}; {cards.scores(id, look)}"
            case c.UseTownsfolk(townsfolk=id):
                return cards.townsfolk_ability(id, look)
        return ""

    def _payment(self, townsfolk: str, payment: str) -> str:
        """What townsfolk cost if they are paid for like that."""
        if payment == "debt":
            return gain("take_debt", 1, self._look)
        if not payment or cards.fact(self._seat.paladin, "free", self._look) == "recruit":
            return ""
        silver = next((place.silver for place in self._board.townsfolk if place.townsfolk == townsfolk), 0)
        return price(silver, 0, self._look, nothing=self._look.word("free_of_charge"))

    def _needed(self, outsider: str, attribute: str) -> str:
        """What an outsider asks for and how much of it there is."""
        places = [place for place in self._board.outsiders if place.outsider == outsider]
        if not places:
            return ""
        needed = places[0].strength if attribute == "strength" else places[0].faith
        return self._look.word("of_needed").format(self._look.name(attribute), level(self._seat, attribute), needed)

    def _missing(self, outsider: str) -> int:
        """The silver that an attack costs: for missing strength, or by the outsiders passed over."""
        row = self._board.outsiders
        strength = level(self._seat, "strength")
        at = next((at for at, place in enumerate(row) if place.outsider == outsider), 0)
        if row[at].strength <= strength:
            return 0
        if self._look.choices.get("attack_top_up") != "by_cards_skipped":
            return (row[at].strength - strength + 1) // 2
        reach = sum(place.strength <= strength for place in row)
        passed = sum(bool(place.outsider) for place in row[max(reach - 1, 0) : at])
        return passed if reach else passed + 1
