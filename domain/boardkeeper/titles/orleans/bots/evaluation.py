"""The evaluation of a running game: the expected final points of each seat, as a weighted sum of facts of the table.

``evaluation.toml`` has the weights and says how they were made.
"""

from __future__ import annotations

from boardkeeper.families.followers.bots import count_spaces
from boardkeeper.families.followers.data import MONK
from boardkeeper.titlekit.title_files import read_toml
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.play import OrleansPlay

_WEIGHTS: dict[str, float] = read_toml("boardkeeper.titles.orleans.bots", "evaluation.toml")["weights"]


def evaluate(play: OrleansPlay) -> list[float]:
    """Return the expected final points of each seat (see :class:`boardkeeper.titlekit.policies.CommandPolicy`)."""
    t = play.t
    current = [points(t, seat) for seat in t.seats]
    if t.is_over():
        return current
    return [
        now + sum(_WEIGHTS.get(name, 0.0) * value for name, value in features(t, seat).items())
        for now, seat in zip(current, t.seats, strict=True)
    ]


def points(t: Orleans, seat: Seat) -> float:
    """Return the points of a seat if the game ended now."""
    worth = t.data.good_points
    goods = sum(worth[good] * count for good, count in seat.goods.items.items())
    return seat.coins.value + goods + seat.status() * (seat.built_stations() + seat.citizens.total())


def features(t: Orleans, seat: Seat) -> dict[str, float]:
    """Return the facts that predict the points that a seat gains until the end; all are 0 after the last action."""
    data, track = t.data, seat.track
    phase, left = t.phase.value, t.data.rounds - t.round.value
    acts = phase in ("actions", "event")
    rounds = left if acts else left + 1
    early = rounds / data.rounds
    placed, technology, complete = count_spaces(seat)
    followers = placed + seat.market.total() + seat.bag.total()
    draw = data.knights_draw[track["knights"].value]
    position = seat.development.value
    status = data.status_at[position]
    progress = (position - data.status_at.index(status)) / data.status_at.count(status)
    holdings = seat.built_stations() + seat.citizens.total()
    return {
        "rounds": rounds,
        "early_rounds": rounds * early,
        f"rounds_of_{len(t.seats)}": rounds,
        "followers": rounds * min(followers, draw + 3),
        "surplus": rounds * max(0, min(followers - draw, 6)),
        "draw": rounds * draw,
        "technology": rounds * (technology + seat.technology.total()),
        "tiles": rounds * len(seat.place_tiles.items),
        "holdings": rounds * holdings,
        "status_holdings": early * status * holdings,
        "progress": early * progress * holdings,
        "position": rounds * position,
        "early_position": rounds * early * position,
        "monks": rounds * ((MONK in seat.bag.items) + (MONK in seat.market.items)),
        "unbuilt": early * seat.stations.total(),
        "planned": 0.0 if acts else complete,
        "placed": 0.0 if acts else placed,
        "ready": complete if phase == "actions" else 0.0,
    }
