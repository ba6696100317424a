"""What hired townsfolk and this round's paladin add to an action. Source: paladins.townsfolk.*, paladins.paladins.*."""

from __future__ import annotations

from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import supply


def trigger(t: Paladins, seat: Seat, action: str) -> None:
    """Give what the seat's townsfolk bring for an action. Source: paladins.townsfolk.permanent."""
    for id in list(seat.townsfolk.items):
        card = t.data.townsfolk[id]
        if card.trigger == action:
            supply.grant(t, seat, card.reward, id)


def performed(t: Paladins, seat: Seat, action: str) -> None:
    """Give what the seat's paladin and townsfolk bring for the action that it has just carried out.

    No card rewards Recruit and Pray.
    """
    paladin = seat.card()
    if paladin.bonus_action == action:
        supply.grant(t, seat, paladin.bonus_gain, paladin.id)
    trigger(t, seat, action)
