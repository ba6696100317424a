"""Night Market: secret bids, made at once, for the wares of an evening. A game with several decisions.

Each evening one ware for each player comes to the stall, and every player secretly bids a coin. From the highest bid to
the lowest, each player takes a ware; of equal bids, the lower seat is first. After five evenings, wares are points: one
each, one more if they are in fashion, and two more if their owner has wished for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.table.table import Table
from boardkeeper.table.visibility import COUNT, only, sees
from boardkeeper.titlekit.simple import Material, Move, Seat, SimpleTable, SimpleTitle, text
from boardkeeper.titlekit.title import Setup

COINS = {f"coin_{value}": text(f"coin {value}") for value in range(1, 6)}
WARES = {"silk": text("silk"), "spice": text("spice"), "tea": text("tea")}
WISHES = {f"wish_{ware}": text(f"the wish for {ware}") for ware in WARES}


# --- commands and events -----------------------------------------------------------------------------------------


class Bid(Struct, frozen=True):
    """Bid {coin|name}."""

    coin: str  #: The id of the coin.


class Take(Struct, frozen=True):
    """Take {ware|name}."""

    ware: str  #: The id of the ware.


class WishDealt(Struct, frozen=True):
    """{seat} gets a secret wish."""


class EveningBegun(Struct, frozen=True):
    """A new evening: {wares|name}."""

    wares: dict[str, int]  #: The wares on the stall: how many, by id.


class CoinChosen(Struct, frozen=True):
    """{seat} bids {coin|name}, in secret."""

    coin: str  #: The id of the coin.


class BidMade(Struct, frozen=True):
    """{seat} has bid."""


class BidShown(Struct, frozen=True):
    """{seat} shows {coin|name}."""

    coin: str  #: The id of the coin.


class WareTaken(Struct, frozen=True):
    """{seat} takes {ware|name}."""

    ware: str  #: The id of the ware.


class WishShown(Struct, frozen=True):
    """{seat} shows {wish|name}."""

    wish: str  #: The id of the wish.


# --- the table ---------------------------------------------------------------------------------------------------


class Player(Seat):
    """A seat with its coins, its bid, its wish and its wares."""

    def __init__(self, m: Material, number: int) -> None:
        super().__init__(m, number)
        self.coins = m.pile("coins", en="Coins", contents=dict.fromkeys(COINS, 1), visibility=only(number))
        self.bid = m.pile("bid", en="Bid", visibility=only(number))
        self.shown = m.pile("shown", en="Shown bid")
        self.wish = m.pile("wish", en="Wish", visibility=only(number))
        self.shown_wish = m.pile("shown_wish", en="Shown wish")
        self.wares = m.pile("wares", en="Wares")


class NightMarket(SimpleTable[Player]):
    """The table. ``fashion`` is the ware that was taken first on this evening."""

    seat_type = Player

    def __init__(self, m: Material, setup: Setup) -> None:
        super().__init__(m, setup)
        self.bag = m.pile("bag", en="Bag", visibility=COUNT, contents=dict.fromkeys(WARES, 7))
        self.wishes = m.pile("wishes", en="Wishes", visibility=COUNT, contents=dict.fromkeys(WISHES, 2))
        self.stall = m.pile("stall", en="Stall")
        self.spent = m.pile("spent", en="Spent coins")
        self.fashion = m.word("fashion", en="In fashion", words_of=("component",))

    def set_up(self) -> None:
        """Deal the wishes, and begin the first evening."""
        for seat in self.seats:
            self.recorder.draw(self.wishes, seat.wish)
            self.emit(seat, WishDealt())
        self.begin_evening()

    def begin_evening(self) -> None:
        """Draw wares. All seats bid at the same time."""
        self.set(self.fashion, "")
        self.recorder.draw(self.bag, self.stall, len(self.seats))
        for seat in self.seats:
            self.ask(seat, "bid")
        self.emit(None, EveningBegun(dict(self.stall.counts())))

    def show_bids(self) -> None:
        """Show all bids. The highest one takes first."""
        for seat in self.seats:
            (coin,) = seat.bid.counts()
            self.move(coin, seat.bid, seat.shown)
            self.emit(seat, BidShown(coin))
        self.let_take()

    def let_take(self) -> None:
        """Let the highest bid that is left take a ware, or end the evening or the game."""
        bids = {seat: coin for seat in self.seats for coin in seat.shown.counts()}
        if bids:
            self.give_turn(max(bids, key=lambda seat: bids[seat]), "take")
        elif self.seats[0].coins.total():
            self.begin_evening()
        else:
            for seat in self.seats:
                (wish,) = seat.wish.counts()
                self.move(wish, seat.wish, seat.shown_wish)
                self.emit(seat, WishShown(wish))
            self.end_game()

    def points(self, seat: Player) -> tuple[int, ...]:
        """Wares are points. Ties are not broken."""
        wares = seat.wares.counts()
        wished = sum(wares.get(wish.removeprefix("wish_"), 0) for wish in seat.shown_wish.counts())
        return (seat.wares.total() + wares.get(self.fashion.value, 0) + 2 * wished,)


# --- moves -------------------------------------------------------------------------------------------------------


def coins(t: NightMarket, seat: Player) -> Iterator[Bid]:
    """A bid is one of your coins."""
    return (Bid(coin) for coin in seat.coins.counts())


def bid(t: NightMarket, seat: Player, command: Bid) -> None:
    """Bid in secret. The last bid shows all."""
    t.move(command.coin, seat.coins, seat.bid)
    t.emit(seat, CoinChosen(command.coin))
    t.ask(seat, "")
    t.emit(seat, BidMade())
    if not any(t.decides(each) for each in t.seats):
        t.show_bids()


def wares(t: NightMarket, seat: Player) -> Iterator[Take]:
    """A ware is taken from the stall."""
    return (Take(ware) for ware in t.stall.counts())


def take(t: NightMarket, seat: Player, command: Take) -> None:
    """Take a ware, and pay for it."""
    (coin,) = seat.shown.counts()
    t.move(coin, seat.shown, t.spent)
    t.move(command.ware, t.stall, seat.wares)
    if not t.fashion.value:
        t.set(t.fashion, command.ware)
    t.emit(seat, WareTaken(command.ware))
    t.let_take()


class NightMarketTitle(SimpleTitle):
    """The title. Bids are chosen, not dealt, and only wishes can be exchanged for each other."""

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """Return the wishes that the viewer does not see; ``None`` while a bid is hidden from it."""
        hidden = [zone for zone in table.zones.values() if not sees(table, zone, viewer)]
        if any(zone.id.endswith(".bid") and zone.total() for zone in hidden):
            return None
        return [[zone.id for zone in hidden if zone.id.rpartition(".")[2] in ("wish", "wishes")]]


TITLE = NightMarketTitle(
    "night_market",
    NightMarket,
    en="Night Market",
    players=(2, 4),
    moves=(
        Move(Bid, bid, options=coins, decision="bid", values={"coin": COINS}),
        Move(Take, take, options=wares, decision="take", values={"ware": WARES}),
    ),
    events=(WishDealt, EveningBegun, CoinChosen, BidMade, BidShown, WareTaken, WishShown),
    components={**COINS, **WARES, **WISHES},
    decisions={"bid": text("Choose a coin"), "take": text("Take a ware")},
)
