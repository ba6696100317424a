"""The rows of townsfolk and outsiders. Source: paladins.rows.*."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.table.zones import Pile
from boardkeeper.titles.paladins.material import Paladins


def fill_townsfolk(t: Paladins) -> None:
    """Slide the townsfolk to the right and fill the row from the left. Source: paladins.rows.townsfolk_slide."""
    _fill(t, tuple(reversed(t.townsfolk)), t.townsfolk_deck)


def fill_outsiders(t: Paladins) -> None:
    """Slide the outsiders to the left and fill the row from the right. Source: paladins.rows.outsiders_slide."""
    _fill(t, t.outsiders, t.outsider_deck)


def _fill(t: Paladins, towards: Sequence[Pile], deck: Pile) -> None:
    """Move the cards together towards the first place, then fill the other places from the deck."""
    cards = [(place, card) for place in towards for card in place.items]
    for at, (source, card) in enumerate(cards):
        if source is not towards[at]:
            t.move(card, source, towards[at])
    free = min(len(towards) - len(cards), deck.total())
    for at, card in enumerate(t.recorder.pick(deck, free), len(cards)):
        t.move(card, deck, towards[at])


def discard_place(t: Paladins, place: Pile, target: Pile) -> tuple[str, ...]:
    """Discard the cards at a place and return their ids."""
    discarded = tuple(place.items)
    for card in discarded:
        t.move(card, place, target)
    return discarded
