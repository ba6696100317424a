"""Rewards of beneficial deeds."""

from __future__ import annotations

from boardkeeper.families.followers.data import CITIZEN
from boardkeeper.families.followers.phases.verbs.deeds import is_complete
from boardkeeper.families.followers.table import SentFollower
from boardkeeper.titles.orleans.data import DEVELOPMENT, Deed
from boardkeeper.titles.orleans.events import FollowerSentToDeed
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.phases.development import advance_development


def reward(t: Orleans, seat: Seat, sent: SentFollower) -> None:
    """Give coins or development, and the citizen for the last follower. Source: orleans.deeds.*."""
    deed = t.data.deeds[sent.deed]
    coins, development = coins_and_development(deed, sent.reward)
    if coins:
        t.give_coins(seat, coins)
    completed = is_complete(t, deed)
    if completed:
        t.move(CITIZEN, t.deeds[deed.id], seat.citizens)
    t.emit(seat, FollowerSentToDeed(sent.place, sent.follower, deed.id, coins, development, completed))
    advance_development(t, seat, development)


def coins_and_development(deed: Deed, reward: str) -> tuple[int, int]:
    """Return the coins and the development points for a follower, by the reward that the sender chose."""
    return (0, deed.development) if reward == DEVELOPMENT else (deed.coins, 0)
