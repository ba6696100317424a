"""Rewards of beneficial deeds. Source: stories.deeds.*."""

from __future__ import annotations

from boardkeeper.families.followers.phases.verbs.deeds import is_complete
from boardkeeper.families.followers.table import SentFollower
from boardkeeper.titles.stories.events import FollowerSentToDeed
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.phases.fame import gain_fame


def reward(t: Stories, seat: Seat, sent: SentFollower) -> None:
    """Grant the reward of the space, and that of a completed deed. Source: stories.deeds.*."""
    deed = t.data.deeds[sent.deed]
    coins, fame = deed.coins.get(sent.follower, 0), deed.fame.get(sent.follower, 0)
    completed = is_complete(t, deed)
    if completed:
        coins += completion_coins(t)
    if coins:
        t.give_coins(seat, coins)
    citizens = t.data.deed_citizens if completed else 0
    if completed:
        _complete(t, seat, sent.deed, citizens)
    t.emit(seat, FollowerSentToDeed(sent.place, sent.follower, sent.deed, coins, fame, completed, citizens))
    gain_fame(t, seat, fame)


def completion_coins(t: Stories) -> int:
    """Return the coins for completing a deed: 3 if it gives no citizens and ``deed_completion_evf`` is ``coins_3``."""
    return 3 if not t.data.deed_citizens and t.data.chosen.deed_completion_evf == "coins_3" else 0


def _complete(t: Stories, seat: Seat, deed: str, citizens: int) -> None:
    times = t.completed[deed]
    t.set(times, times.value + 1)
    if citizens:
        t.set(seat.citizens, seat.citizens.value + citizens)
    if t.data.chosen.deeds_flip == "yes" and times.value == 1:
        for follower, count in t.deeds[deed].counts().items():
            t.move(follower, t.deeds[deed], t.removed, count)
