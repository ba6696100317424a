"""The typed board that clients see: everything on the table, by the names of the rulebook."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.board import PlaceView


class AreaView(Struct, frozen=True):
    """A space of the map, which side of the Loire it is on, and what stands there.

    ``landscape`` is the tile that lies there, whichever side of it shows; a ``village`` without one is a seat's first.
    ``settlers`` are the seats of the settlers there, one by one, ``fortress`` is the seat of the fortress (0: none).
    A ``town`` is nobody's and only named where a story has it.
    """

    area: str
    side: str
    landscape: str
    village: bool
    settlers: tuple[int, ...]
    fortress: int
    church: bool
    manor_farm: bool = False
    town: str = ""


class SeatView(Struct, frozen=True):
    """One seat's side of the table. ``bag`` is empty for a viewer that may only know ``bag_count``.

    ``market`` is the village green, ``locked_places`` are the base place cards that are still to be opened,
    ``categories`` those of the place cards that its era opens. ``carried_out``: the bonus or malus of its era was.
    ``areas``, ``villages`` and ``churches`` are how many it controls, as the readings count them. So many bonuses of
    the fame track are still to be chosen (``fame_due``), goods to be given (``owed``) and trades left (``trades``);
    ``bonus_due``: the bonus of its era has not come to it in this round.

    Where nations play, ``nation``, ``message``, what it was ``dealt`` and has ``returned`` are told who sees the card;
    ``noted`` is what it saw of others where nobody else was to know whose card it looked at.
    """

    seat: int
    color: str
    coins: int
    goods: dict[str, int]
    fame: int
    era: int
    carried_out: bool
    peace: bool
    categories: tuple[str, ...]
    citizens: int
    areas: int
    villages: int
    churches: int
    settlers_in_supply: int
    fortresses_in_supply: int
    draw_limit: int
    technology: int
    market: dict[str, int]
    drawn: dict[str, int]
    bag: dict[str, int]
    bag_count: int
    places: tuple[PlaceView, ...]
    locked_places: tuple[str, ...]
    passed: bool
    planning_finished: bool
    decision: str
    debt: int
    arrears: int = 0
    fame_due: int = 0
    bonus_due: bool = False
    owed: int = 0
    trades: int = 0
    given_up_draws: int = 0
    draws_made: int = 0
    technology_placed: int = 0
    churches_built: int = 0
    nation: str = ""
    message: str = ""
    dealt: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    noted: str = ""
    declared: bool = False


class NationView(Struct, frozen=True):
    """A nation: its mission, which lies open, the goods that were put on it, and whether it was fulfilled."""

    nation: str
    mission: str
    goods: dict[str, int]
    fulfilled: bool
    lost: bool


class BonusTilesView(Struct, frozen=True):
    """The bonus tiles: that on each era (empty: none), those set aside, and those still to come, in unknown order."""

    on_eras: tuple[str, ...]
    aside: tuple[str, ...]
    stack: tuple[str, ...]


class CardsView(Struct, frozen=True):
    """The place cards of a category that can still be taken."""

    category: str
    cards: tuple[str, ...]


class DeedView(Struct, frozen=True):
    """A beneficial deed: who is on it, what is still free, and how often it was completed.

    ``citizen``: whoever completes it receives one.
    """

    deed: str
    followers: dict[str, int]
    free: dict[str, int]
    citizen: bool
    completed: int


class EventsView(Struct, frozen=True):
    """The event cards: that of this round with its letter, and how many the face-down pile of each letter has.

    Of each pile only some are turned in a game; which it has not got any more, ``turned`` says.
    """

    event: str
    letter: str
    remaining: dict[str, int]
    turned: tuple[str, ...]


class ScoreView(Struct, frozen=True):
    """One line of the score sheet; ranks are equal for seats that share a place."""

    seat: int
    coins: int
    goods: dict[str, int]
    goods_points: int
    areas: int
    area_points: int
    villages: int
    citizens: int
    citizen_points: int
    churches: int
    church_points: int
    total: int
    rank: int


class NationScoreView(Struct, frozen=True):
    """One line of the score sheet where nations play."""

    nation: str
    mission: int
    messages: int
    majority: int
    areas: int
    villages: int
    churches: int
    coins: int
    goods_points: int
    total: int
    rank: int


class Board(Struct, frozen=True):
    """The whole table as one viewer sees it. ``scores``, or ``nation_scores``, is filled when the game is over.

    ``removed`` is what has left the game, ``box`` what was never in it; ``seats_reached`` is how many seats the event
    of this round has reached, ``action_place`` the place of a half-done action.
    """

    round: int
    phase: str
    start_seat: int
    acting_seat: int
    deciding: tuple[int, ...]
    events: EventsView
    areas: tuple[AreaView, ...]
    supply: dict[str, int]
    goods_market: dict[str, int]
    technology: int
    churches: int
    place_cards: tuple[CardsView, ...]
    deeds: tuple[DeedView, ...]
    seats: tuple[SeatView, ...]
    removed: dict[str, int]
    scores: tuple[ScoreView, ...]
    box: dict[str, int] = {}
    seats_reached: int = 0
    action_place: str = ""
    nations: tuple[NationView, ...] = ()
    bonus_tiles: BonusTilesView | None = None
    nation_scores: tuple[NationScoreView, ...] = ()
