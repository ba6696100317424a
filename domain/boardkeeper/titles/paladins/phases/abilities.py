"""The rewards of townsfolk and paladins for actions. Source: paladins.townsfolk.*, paladins.paladins.*."""

from __future__ import annotations

from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import supply


def trigger_townsfolk(t: Paladins, seat: Seat, action: str) -> None:
    """Grant the rewards of the seat's townsfolk for an action. Source: paladins.townsfolk.permanent."""
    for id in list(seat.townsfolk.items):
        card = t.data.townsfolk[id]
        if card.trigger == action:
            supply.grant(t, seat, card.reward, id)


def grant_action_bonuses(t: Paladins, seat: Seat, action: str) -> None:
    """Grant the rewards of the seat's paladin and townsfolk for an action that it has carried out."""
    paladin = seat.active_paladin()
    if paladin.bonus_action == action:
        supply.grant(t, seat, paladin.bonus_gain, paladin.id)
    trigger_townsfolk(t, seat, action)
