"""Steps of the opponent at the start of a round and in the tavern. Source: paladins.opponent.round.*."""

from __future__ import annotations

from boardkeeper.titles.paladins.data import CRIMINAL, WORKSHOP
from boardkeeper.titles.paladins.events import FavourSchemeAdded, WorkersMustered, WorkshopReceived
from boardkeeper.titles.paladins.material import FAVOUR_SCHEME, Opponent, Paladins
from boardkeeper.titles.paladins.opponent import gains

_WORKSHOPS_ON_ACTION = 2


def receive_workers(t: Paladins, opponent: Opponent) -> None:
    """Gain the workers of the round. Source: paladins.opponent.workers.number."""
    received = sum(gains.receive_worker(t, opponent) for _ in range(t.data.opponent_workers + t.round.value))
    t.emit(opponent, WorkersMustered(received))


def receive_workshop(t: Paladins, opponent: Opponent, action: str) -> None:
    """Put a workshop on the action of a revealed order. Source: paladins.opponent.round.workshop."""
    spaces = opponent.areas[action].spaces[:_WORKSHOPS_ON_ACTION]
    free = [space for space in spaces if WORKSHOP not in space.items]
    if free:
        t.move(WORKSHOP, opponent.workshops, free[0])
    t.emit(opponent, WorkshopReceived(action, bool(free)))


def add_favour_scheme(t: Paladins, opponent: Opponent) -> None:
    """Discard the scheme on a revealed favour. Source: paladins.opponent.round.favour_scheme."""
    t.move(FAVOUR_SCHEME, t.favour_schemes, t.scheme_discard)
    t.emit(opponent, FavourSchemeAdded())


def receive_tavern_suspicion(t: Paladins, opponent: Opponent) -> None:
    """Add a pending suspicion card per criminal on the tavern cards left. Source: paladins.opponent.round.tavern."""
    left = [worker for card in t.tavern.items for worker in t.data.tavern[card]]
    criminals = left.count(CRIMINAL)
    if criminals:
        opponent.due.owe("suspicion", criminals)
