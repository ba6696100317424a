"""Liar's Cards: liar's dice with cards, a traditional game in the public domain. Hidden hands, chance and bluffing.

Every player holds hidden cards. In turn they bid how many cards of one value all hands have together, or doubt the last
bid. After a doubt all hands are shown: if the bid is true the doubter loses a card, else the bidder. The first player
without cards ends the game, and the player with the most cards wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.table.visibility import COUNT, only
from boardkeeper.titlekit.simple import Material, Move, Seat, SimpleTable, SimpleTitle, text
from boardkeeper.titlekit.title import Setup

HAND, COPIES = 4, 6
VALUES = range(1, 7)
BIDS = {"count": range(1, 5 * HAND + 1), "value": VALUES}
CARDS = {f"card_{value}": text(f"Card {value}", f"Karte {value}") for value in VALUES}


# --- commands and events: the docstring is the sentence ----------------------------------------------------------


class Bid(Struct, frozen=True):
    """Bid {count} × {value}."""

    count: int  #: How many cards of the value there are in all hands, at least.
    value: int  #: The value, 1 to 6.


class Doubt(Struct, frozen=True):
    """Doubt the last bid."""


class RoundBegun(Struct, frozen=True):
    """A new round: {seat} begins."""


class HandDealt(Struct, frozen=True):
    """{seat} draws a hand of {count}."""

    count: int  #: How many cards the seat holds.


class BidMade(Struct, frozen=True):
    """{seat} bids {count} × {value}."""

    count: int  #: How many cards of the value there are in all hands, at least.
    value: int  #: The value, 1 to 6.


class BidDoubted(Struct, frozen=True):
    """{seat} doubts. All hands show {count} × {value}: {loser|seat} loses a card."""

    count: int  #: How many cards of the value there are.
    value: int  #: The value that was bid, 1 to 6.
    loser: int  #: The seat that loses a card.


# --- the table: every zone and marker once -----------------------------------------------------------------------


class Player(Seat):
    """A seat with a hidden hand. ``cards`` is how many cards it gets in a round."""

    def __init__(self, m: Material, number: int) -> None:
        super().__init__(m, number)
        self.hand = m.pile("hand", en="Hand", de="Hand", visibility=only(number))
        self.cards = m.number("cards", en="Cards", de="Karten", value=HAND)


class LiarsCards(SimpleTable[Player]):
    """The table. ``count``, ``value`` and ``bidder`` are those of the last bid, 0 before the first one."""

    seat_type = Player
    score_is_public = True

    def __init__(self, m: Material, setup: Setup) -> None:
        super().__init__(m, setup)
        self.deck = m.pile("deck", en="Deck", de="Stapel", visibility=COUNT, contents=dict.fromkeys(CARDS, COPIES))
        self.shown = m.pile("shown", en="Shown cards", de="Gezeigte Karten")
        self.count = m.number("count", en="Bid: count", de="Gebot: Anzahl")
        self.value = m.number("value", en="Bid: value", de="Gebot: Wert")
        self.bidder = m.number("bidder", en="Bidder", de="Bieter")

    def set_up(self) -> None:
        """Deal the first round. Seat 1 begins."""
        self.deal(self.seats[0])

    def deal(self, first: Player) -> None:
        """Begin a round: shown cards return to the deck, and every seat draws its cards. Others see only how many."""
        for card, count in self.shown.counts().items():
            self.move(card, self.shown, self.deck, count)
        for marker in (self.count, self.value, self.bidder):
            self.set(marker, 0)
        self.emit(first, RoundBegun())
        for seat in self.seats:
            self.recorder.draw(self.deck, seat.hand, seat.cards.value)
            self.emit(seat, HandDealt(seat.cards.value))
        self.give_turn(first)

    def points(self, seat: Player) -> tuple[int, ...]:
        """Each card left is a point."""
        return (seat.cards.value,)


# --- moves: the docstring of a predicate is the rule -------------------------------------------------------------


def bids(t: LiarsCards, seat: Player) -> Iterator[Bid]:
    """A bid names a value from 1 to 6, and at most one card more than the last bid and no more than all hands hold."""
    in_play = sum(player.cards.value for player in t.seats)
    for count in range(1, min(t.count.value + 1, in_play) + 1):
        yield from (Bid(count, value) for value in VALUES)


def is_higher(t: LiarsCards, seat: Player, bid: Bid) -> bool:
    """A bid must be higher than the last one: more cards, or as many of a higher value."""
    return (bid.count, bid.value) > (t.count.value, t.value.value)


def make_bid(t: LiarsCards, seat: Player, bid: Bid) -> None:
    """The bid replaces the last one."""
    t.set(t.count, bid.count)
    t.set(t.value, bid.value)
    t.set(t.bidder, seat.number)
    t.emit(seat, BidMade(bid.count, bid.value))
    t.give_turn(t.next_seat(seat))


def follows_a_bid(t: LiarsCards, seat: Player, doubt: Doubt) -> bool:
    """Only a bid can be doubted."""
    return t.bidder.value > 0


def call(t: LiarsCards, seat: Player, doubt: Doubt) -> None:
    """Show all hands, take a card from the loser, and begin the next round or end the game."""
    for player in t.seats:
        for card, count in player.hand.counts().items():
            t.move(card, player.hand, t.shown, count)
    found = t.shown.counts().get(f"card_{t.value.value}", 0)
    loser = seat if found >= t.count.value else t.seats[t.bidder.value - 1]
    t.set(loser.cards, loser.cards.value - 1)
    t.emit(seat, BidDoubted(found, t.value.value, loser.number))
    if loser.cards.value:
        t.deal(loser)
    else:
        t.end_game()


def likely(t: LiarsCards, seat: Player, commands: Sequence[Struct]) -> Struct:  # pragma: no mutate block
    """The bot bids what its own hand and an average of the others make most likely, or doubts."""
    others = sum(player.cards.value for player in t.seats if player is not seat)
    spare = {it: seat.hand.counts().get(f"card_{it.value}", 0) + others / 6 - it.count for it in bids(t, seat)}
    return max(commands, key=lambda it: spare[it] if isinstance(it, Bid) else -0.5)


TITLE = SimpleTitle(
    "liars_cards",
    LiarsCards,
    en="Liar's Cards",
    de="Lügenkarten",
    players=(2, 5),
    moves=(Move(Bid, make_bid, options=bids, rules=[is_higher], values=BIDS), Move(Doubt, call, rules=[follows_a_bid])),
    events=(RoundBegun, HandDealt, BidMade, BidDoubted),
    components=CARDS,
    strategy=likely,
    ranges={"cards": (1, HAND), "count": (0, 5 * HAND), "value": (0, 6), "bidder": (0, 5)},
    german={
        "Bid": "Biete {count} × {value}",
        "Doubt": "Zweifle das letzte Gebot an",
        "RoundBegun": "Eine neue Runde: {seat} beginnt.",
        "HandDealt": "{seat} zieht {count} auf die Hand.",
        "BidMade": "{seat} bietet {count} × {value}.",
        "BidDoubted": "{seat} zweifelt. Alle Hände zeigen {count} × {value}: {loser|seat} verliert eine Karte.",
        "bid.bids": "Ein Gebot nennt einen Wert von 1 bis 6 und höchstens eine Karte mehr als das letzte, "
        "aber nicht mehr, als alle Hände zusammen haben.",
        "bid.is_higher": "Ein Gebot muss höher sein als das letzte: mehr Karten, oder gleich viele von höherem Wert.",
        "doubt.follows_a_bid": "Nur ein Gebot kann angezweifelt werden.",
    },
)
