"""The zones and markers of Orléans Stories, by the names of the rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from boardkeeper.families.followers import places
from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.table import DRAWS_MADE, FollowersSeat, FollowersTable, Hooks, plan_visibility
from boardkeeper.table.visibility import COUNT, only, secret
from boardkeeper.table.zones import Number, Pile
from boardkeeper.titlekit.binding import Material
from boardkeeper.titlekit.known_ids import KnownIds
from boardkeeper.titles.stories.cards import CATEGORIES, CHARACTERS, GOODS, Cell, Effect, Era, Place
from boardkeeper.titles.stories.data import CHURCH, FORTRESS, MANOR, SETTLER, START_VILLAGE, Data

BoundPlace = places.BoundPlace[Place]
"""A place of a seat with its spaces."""


START = "start"
"""The kind of the tokens ``start.N``, one for each seat; a random draw of one determines the start player."""


@lru_cache(maxsize=64)
def box(data: Data) -> dict[str, int]:
    """Return all components of the story before setup."""
    most = max(data.players)
    contents = dict(data.supplies[most])
    contents |= data.landscape_tiles
    if data.start_village_tiles:
        contents[START_VILLAGE] = data.start_village_tiles
    if data.manor_tiles:
        contents[MANOR] = data.manor_tiles
    contents |= dict.fromkeys(data.towns.values(), 1)
    contents[CHURCH] = data.churches
    for seat in range(1, most + 1):
        contents[f"{SETTLER}.{seat}"] = data.settlers
        contents[f"{FORTRESS}.{seat}"] = data.fortresses
        contents[f"{START}.{seat}"] = 1
    contents |= dict.fromkeys(data.base_places, most)
    contents |= dict.fromkeys(data.place_cards, 1)
    for cards in (data.events, data.bonus_tiles, data.missions, data.messages):
        contents |= dict.fromkeys(cards, 1)
    contents |= data.nations
    return contents


@lru_cache(maxsize=64)
def known_ids(data: Data) -> KnownIds:
    """Return the ids that each field of commands accepts. A command for an event or a fame tile has an empty place.

    ``area`` has the spaces of the largest map; the rules reject spaces that a smaller map does not have.
    """
    return KnownIds({
        "place": (*data.places, ""), "card": data.place_cards, "follower": data.followers, "character": CHARACTERS,
        "good": GOODS, "area": data.cells(max(data.players)), "landscape": data.landscape_goods, "town": data.towns,
        "deed": data.deeds, "message": data.messages,
    })  # fmt: skip


class Area:
    """A space of the map with its pieces."""

    __slots__ = ("cell", "pile", "village")

    def __init__(self, cell: Cell, pile: Pile, village: Number) -> None:
        self.cell = cell
        self.pile = pile
        self.village = village

    @property
    def id(self) -> str:
        """The id of the space."""
        return self.cell.id

    @property
    def neighbours(self) -> tuple[str, ...]:
        """The ids of adjacent spaces."""
        return self.cell.neighbours

    def is_village(self) -> bool:
        """Return whether the space has a village: a start village or a built one."""
        return bool(self.village.value) or START_VILLAGE in self.pile.items

    def settled_by(self) -> Iterator[int]:
        """Yield the seats that have a settler on the space."""
        return _owners(SETTLER, self.pile.items)

    def fortified_by(self) -> int:
        """Return the seat that has a fortress on the space, or 0."""
        return next(_owners(FORTRESS, self.pile.items), 0)

    def has_church(self) -> bool:
        """Return whether the space has a church."""
        return CHURCH in self.pile.items


def area(m: Material, cell: Cell) -> Area:
    """Declare the pile and the marker of a space of the map."""
    id = cell.id
    pile = m.pile(f"area.{id}", "area", component=id)
    village = m.number(
        f"area.{id}.village",
        "flag",
        "{component}: village built",
        "{component}: ein Dorf wurde gebaut",
        component=id,
        zone=pile.id,
    )
    return Area(cell, pile, village)


def _owners(piece: str, items: dict[str, int]) -> Iterator[int]:
    return (int(component[len(piece) + 1 :]) for component in items if component.startswith(f"{piece}."))


class Seat(FollowersSeat[Place]):
    """The zones and markers of a seat."""

    __slots__ = (
        "base_places", "bonus_due", "carried_out", "churches_built", "citizens", "dealt", "declares", "era_reached",
        "fame", "fame_due", "fortress", "fortresses", "goods", "message", "nation", "noted", "on_tracks", "owed",
        "peace", "returned", "settler", "settlers", "trades",
    )  # fmt: skip

    _data: Data

    def __init__(self, t: Stories, m: Material, number: int) -> None:
        data = t.data
        screened, own = plan_visibility(data, number), only(number)
        super().__init__(m, data, number)
        self.tiles = places.BoundPlaces(data.base_places, data.places, m, screened, others=t.tiles)
        self.settler = f"{SETTLER}.{number}"
        self.fortress = f"{FORTRESS}.{number}"
        # fmt: off
        self.market = m.pile("market", "market", "Village green", "Anger", screened, component="marketplace")
        self.place_tiles = m.pile("place_tiles", "places", "Place cards", "Ortskarten")
        self.base_places = m.pile("base_places", "places", "Base place cards", "Basisortskarten")
        self.goods = m.pile("goods", "goods", "Goods", "Waren")
        self.settlers = m.pile("settlers", "pieces", "Settlers in the supply", "Siedler im Vorrat",
                               component=self.settler)
        self.fortresses = m.pile("fortresses", "pieces", "Fortresses in the supply", "Festungen im Vorrat",
                                 component=self.fortress)
        self.on_tracks = m.pile("on_tracks", "on_tracks", "Figures on the tracks", "Figuren auf den Leisten")
        self.fame = m.number("fame", "track", "Fame", "Ruhm", component="fame", chart=True)
        self.era_reached = m.number("era", "era", "Era", "Epoche", chart=True)
        self.carried_out = m.number("carried_out", "flag", "Bonus or malus of the era carried out",
                                    "Bonus oder Malus der Epoche wurde ausgeführt")
        self.peace = m.number("peace", "flag", "At peace", "Lebt in Frieden")
        self.citizens = m.number("citizens", "count", "Citizens", "Bürger", chart=True)
        self.fame_due = m.number("fame_due", "due", "Bonuses of the fame track still to choose",
                                 "Noch zu wählende Boni der Ruhmesleiste")
        self.bonus_due = m.number("bonus_due", "due", "Bonus of the era still due in this round",
                                  "In dieser Runde noch ausstehender Bonus der Epoche")
        self.owed = m.number("owed", "due", "Goods still due", "Abzugebende Waren")
        self.debt = m.number("debt", "due", "Items still due in the torture", "In der Folter noch Fehlendes")
        self.churches_built = m.number("churches_built", "count", "Churches built", "Gebaute Kirchen")
        self.trades = m.number("trades", "due", "Trades left", "Verbleibende Handel")
        self.farmer_only = m.number("farmer_only_technology", "flag", "Technology tile can replace only a farmer",
                                    "Technikplättchen darf nur einen Farmer ersetzen", component=TECHNOLOGY)
        if not data.takes_back_after_drawing:
            m.number(*DRAWS_MADE)  # unused, but in the frozen layout
        if data.nations:
            self.nation = m.pile("nation", "nation", "Nation card", "Nationenkarte", own)
            self.dealt = m.pile("dealt", "hand", "Secret messages to choose from", "Geheime Botschaften zur Wahl", own)
            self.message = m.pile("message", "message", "Secret message", "Geheime Botschaft", own)
            self.returned = m.pile("returned", "discard", "Returned secret message",
                                   "Zurückgegebene geheime Botschaft", own)
            self.declares = m.number("declares", "flag", "Declares the mission fulfilled",
                                     "Erklärt die Mission für erfüllt")
        if data.nations and data.chosen.look_is_public == "no":
            self.noted = m.word("noted", "internal", "Nation cards seen", "Gesehene Nationen", secret(number))
        # fmt: on

    def era(self) -> Era:
        """Return the era of the seat."""
        return self._data.eras[self.era_reached.value]


class Stories(FollowersTable[Seat]):
    """The table of a game: its zones and markers by the names of the rulebook."""

    __slots__ = (
        "areas", "aside", "bonus", "bonus_stack", "box", "cards", "churches", "completed", "cursor", "events",
        "fulfilled", "goods_market", "landscapes", "lost", "messages", "mission", "missions", "nations", "start_tokens",
        "supply", "towns", "turned", "turned_now",
    )  # fmt: skip

    data: Data

    def __init__(self, m: Material, data: Data, players: int, hooks: Hooks) -> None:
        super().__init__(m, data, hooks)
        # fmt: off
        self.cursor = m.number("cursor", "internal", "Progress of the phase", "Wie weit die Phase gediehen ist")
        self.box = m.pile("box", "box", "Box", "Schachtel", contents=box(data))
        self.supply = m.pile("supply", "supply", "Followers in the supply", "Gefolgsleute im Vorrat")
        self.goods_market = m.pile("goods_market", "supply", "Goods market", "Warenmarkt")
        self.churches = m.pile("churches", "supply", "Churches", "Kirchen", component=CHURCH)
        self.landscapes = m.pile("landscapes", "deck", "Landscape tiles to deal", "Auszuteilende Landschaftsplättchen")
        self.start_tokens = m.pile("start_tokens", "deck", "Start player tokens", "Marker, die sagen, wer beginnt")
        self.cards = {it: m.pile(f"cards.{it}", "row", "Place cards {categories}", "Ortskarten {categories}",
                                 ordered=True) for it in CATEGORIES}
        self.events = {it: m.pile(f"events.{it}", "deck", "Event cards {letters}", "Ereigniskarten {letters}")
                       for it in data.event_letters}
        self.turned_now = m.pile("events.current", "event", "Event of the round", "Ereignis der Runde")
        self.turned = m.pile("events.past", "discard", "Past events", "Vergangene Ereignisse")
        spaces = {id: area(m, cell) for id, cell in data.cells(players).items()}
        self.areas = {id: space for id, space in spaces.items() if id not in data.towns}
        self.towns = {id: space for id, space in spaces.items() if id in data.towns}
        if data.bonus_tiles:
            self.bonus = {era: m.pile(f"bonus.{era}", "bonus", "Bonus tile of era {position}",
                                      "Bonusplättchen der Epoche {position}") for era in data.eras}
            self.bonus_stack = m.pile("bonus.stack", "deck", "Upcoming bonus tiles", "Kommende Bonusplättchen")
            self.aside = m.pile("bonus.aside", "discard", "Bonus tiles set aside", "Beiseitegelegte Bonusplättchen")
        if data.nations:
            self.nations = m.pile("nations", "deck", "Nation cards", "Nationenkarten", COUNT)
            self.missions = m.pile("missions", "deck", "Mission cards", "Missionskarten", COUNT)
            self.messages = m.pile("messages", "deck", "Secret messages", "Geheime Botschaften", COUNT)
            self.mission = {it: m.pile(f"mission.{it}", "mission", "Mission of {component}", "Mission: {component}",
                                       component=it) for it in data.nations}
            self.fulfilled = {it: m.number(f"mission.{it}.fulfilled", "flag", "Mission of {component} fulfilled",
                                           "Mission: {component}, erfüllt", component=it, zone=f"mission.{it}")
                              for it in data.nations}
            self.lost = m.word("lost", "nations", "Nations that have lost", "Nationen, die verloren haben",
                               words="lost")
        self.completed = {it: m.number(f"deed.{it}.completed", "flag", "{component}, completed",
                                       "{component}, vollendet", component=it, zone=f"deed.{it}")
                          for it in data.deeds}
        # fmt: on
        self.tiles = places.BoundPlaces(data.place_cards, data.places, m.part("place."))
        self.seats = tuple(Seat(self, m.seat(number), number) for number in range(1, players + 1))

    def forbids(self, what: str) -> bool:
        """Return whether the event of the round forbids something (``conquest``)."""
        return self.event_effect().get("forbid") == what

    def forbidden_follower(self) -> str:
        """Return the kind of follower that seats cannot place in this round; empty for none.

        Source: stories.events.crusade.
        """
        return self.data.forbidden_placing.get(self.event.value, "")

    def event_effect(self) -> Effect:
        """Return the effect of the event of the round; empty without an event."""
        event = self.data.events.get(self.event.value)
        return event.effect if event is not None else {}
