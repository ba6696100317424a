"""Construction Yard: take a place card. Source: stories.cards.*."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.phases import screens
from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import Command, TakePlaceCard
from boardkeeper.titles.stories.events import PlaceCardTaken
from boardkeeper.titles.stories.material import BoundPlace, Seat, Stories


def find_rejection(t: Stories, seat: Seat, card: str) -> Rejection | None:
    """Return why the seat cannot take a card, or ``None``. Source: stories.cards.open, .category."""
    values = {"card": card}
    if card not in t.data.place_cards:
        return Rejection("UNKNOWN_CARD", "stories.cards.open", values)
    category = t.data.places[card].category
    if category not in seat.era().categories:
        return Rejection("CATEGORY_CLOSED", "stories.cards.category", values | {"category": category})
    if card not in t.cards[category].items:
        return Rejection("CARD_GONE", "stories.cards.open", values)
    return None


def take(t: Stories, seat: Seat, command: TakePlaceCard, place: BoundPlace) -> Rejection | None:
    """Take a place card. Source: stories.cards.*."""
    rejection = find_rejection(t, seat, command.card)
    if rejection:
        return rejection
    t.move(command.card, t.cards[t.data.places[command.card].category], seat.place_tiles)
    screens.hide_place(t, seat, command.card)
    action.return_followers(t, seat, place)
    t.emit(seat, PlaceCardTaken(place.id, command.card))
    action.end(t, seat)
    return None


def legal(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return a command for each card that the seat can take."""
    return [TakePlaceCard(place.id, card) for card in t.data.place_cards if not find_rejection(t, seat, card)]
