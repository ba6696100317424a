"""The evaluation of a running game: the expected final points of each seat, as a weighted sum of facts of the table.

``evaluation.toml`` has the weights and says how they were made.
"""

from __future__ import annotations

from itertools import pairwise

from boardkeeper.families.followers.bots import count_spaces
from boardkeeper.families.followers.data import MONK
from boardkeeper.titlekit.title_files import read_toml
from boardkeeper.titles.stories.control import areas_of, count_shares, counts_as_area
from boardkeeper.titles.stories.data import CHURCH, VILLAGE, WOOD
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.play import StoriesPlay

_WEIGHTS: dict[str, float] = read_toml("boardkeeper.titles.stories.bots", "evaluation.toml")["weights"]

_OPEN_ROUNDS = 14
"""Expected number of rounds of a story without a fixed number."""


def evaluate(play: StoriesPlay) -> list[float]:
    """Return the expected final points of each seat (see :class:`boardkeeper.titlekit.policies.CommandPolicy`).

    In stories with nations, these are the points of the pieces of each seat, because nations are secret.
    """
    t = play.t
    current = [points(t, seat) for seat in t.seats]
    if t.is_over():
        return current
    return [
        now + sum(_WEIGHTS.get(name, 0.0) * value for name, value in features(t, seat).items())
        for now, seat in zip(current, t.seats, strict=True)
    ]


def points(t: Stories, seat: Seat) -> float:
    """Return the points of a seat if the game ended now; in stories with nations, those of its pieces."""
    data, own = t.data, areas_of(t, seat)
    worth = data.points
    goods = sum(data.good_values[good] * count for good, count in seat.goods.items.items())
    villages = count_shares(t, [area for area in own if area.is_village()])
    churches = count_shares(t, [area for area in own if area.has_church()])
    total = seat.coins.value + goods + churches * worth[CHURCH]
    if data.nations:
        return total + villages * worth[VILLAGE] + len(own)
    areas = count_shares(t, [area for area in own if counts_as_area(t, area)])
    return total + areas * worth["area"] + villages * seat.citizens.value


def features(t: Stories, seat: Seat) -> dict[str, float]:
    """Return the facts that predict the points that a seat gains until the end; all are 0 after the last action."""
    data, phase = t.data, t.phase.value
    total = data.rounds or _OPEN_ROUNDS
    left = max(0, total - t.round.value)
    acts = phase in ("actions", "event", "round_bonus")
    rounds = left if acts else left + 1
    early = rounds / total
    placed, technology, complete = count_spaces(seat)
    followers = placed + seat.market.total() + seat.bag.total()
    draw = t.hooks.draw_limit(t, seat)
    own = areas_of(t, seat)
    villages = sum(1 for area in own if area.is_village())
    citizens = seat.citizens.value
    some = 1.0 if rounds else 0.0
    learned = seat.bag.items.get("scholar", 0) + seat.market.items.get("scholar", 0)
    monks = seat.bag.items.get(MONK, 0) + seat.market.items.get(MONK, 0)
    places = seat.estate().places.values()
    return {
        "rounds": rounds,
        "early_rounds": rounds * early,
        f"rounds_of_{len(t.seats)}": rounds,
        "followers": rounds * min(followers, draw + 3),
        "surplus": rounds * max(0, min(followers - draw, 6)),
        "draw": rounds * draw,
        "technology": rounds * (technology + seat.technology.total()),
        "cards": rounds * len(seat.place_tiles.items),
        "builds_churches": rounds * any(place.place.build == CHURCH for place in places),
        "recruits_monks": rounds * any(place.place.recruit == MONK for place in places),
        "monks": some * min(monks, 2),
        "scholars": some * min(learned, 2),
        "areas": rounds * len(own),
        "villages": rounds * villages,
        "citizens": rounds * citizens,
        "fame": some * _fame_progress(t, seat),
        "fame_due": some * seat.fame_due.value,
        "era": rounds * seat.era_reached.value,
        "wood": some * min(seat.goods.items.get(WOOD, 0), 3),
        "planned": 0.0 if acts else complete,
        "placed": 0.0 if acts else placed,
        "ready": complete if phase == "actions" else 0.0,
    }


def _fame_progress(t: Stories, seat: Seat) -> float:
    """Return the share of the steps between the last and the next bonus of the fame track that the seat has made."""
    here, tiles = seat.fame.value, (0, *t.data.fame_bonuses)
    for before, ahead in pairwise(tiles):
        if here < ahead:
            return (here - before) / (ahead - before)
    return 0.0
