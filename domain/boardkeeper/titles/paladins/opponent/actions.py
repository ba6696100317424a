"""The opponent's actions. Source: paladins.opponent.actions.*."""

from __future__ import annotations

from collections.abc import Callable

from boardkeeper.table.zones import free_spaces
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.data import JAR, WORKERS
from boardkeeper.titles.paladins.material import Opponent, Paladins
from boardkeeper.titles.paladins.opponent import gains, targets, track
from boardkeeper.titles.paladins.phases.verbs import board_pieces


def carry_out(t: Paladins, opponent: Opponent, action: str) -> None:
    """Place the workers for an action and carry it out."""
    t.set(t.action, action)
    if action in opponent.areas:  # a King's Favour and resting have no area
        spaces = free_spaces(opponent.areas[action].spaces)
        for space in spaces:
            t.move(_any_worker(opponent), opponent.workers, space)
        t.emit(opponent, e.ActionBegun(action, len(spaces)))
    _CARRY_OUT[action](t, opponent)


def _any_worker(opponent: Opponent) -> str:
    """Return a worker of the opponent of any colour. Source: paladins.opponent.workers.colours."""
    return next(worker for worker in WORKERS if worker in opponent.workers.items)


# --- the left side ----------------------------------------------------------------------------------------------------


def discard_townsfolk(t: Paladins, opponent: Opponent) -> None:
    """Discard the townsfolk at the resource marker for the reward. Source: paladins.opponent.actions.recruit."""
    found = targets.find_townsfolk(t, opponent)
    if found is None:
        t.emit(opponent, e.RewardLapsed("free_recruit"))
        return
    t.emit(opponent, e.TargetChosen(found.card, "marker", opponent.field.value, found.passed_over))
    t.move(found.card, t.townsfolk[found.at], t.townsfolk_discard)
    t.emit(opponent, e.TownsfolkDiscarded(found.card, "", 0))
    gains.grant(t, opponent, t.data.townsfolk[found.card].discard, found.card)


def pray(t: Paladins, opponent: Opponent) -> None:
    """Clear the right side or else gain a worker; shuffle all schemes. Source: paladins.opponent.actions.pray."""
    cleared = [pair for area in opponent.right for pair in area.workers()]
    for space, worker in cleared:
        t.move(worker, space, t.supply)
    if not cleared:
        gains.receive_worker(t, opponent)
    for scheme, count in sorted(t.scheme_discard.items.items()):
        t.move(scheme, t.scheme_discard, t.scheme_deck, count)
    t.emit(opponent, e.SchemesShuffled(tuple(worker for _, worker in cleared)))


def trade(t: Paladins, opponent: Opponent) -> None:
    """Move the resource marker. Source: paladins.opponent.actions.trade."""
    track.move(t, opponent, 1, "trade")


def conspire(t: Paladins, opponent: Opponent) -> None:
    """Gain workers and a pending suspicion card. Source: paladins.opponent.actions.conspire."""
    for _ in range(t.data.conspire_workers):
        gains.receive_worker(t, opponent)
    opponent.due.owe("suspicion")
    t.emit(opponent, e.Conspired())


def rest(t: Paladins, opponent: Opponent) -> None:
    """Pass, and move the resource marker by 1 plus the unused workers. Source: paladins.opponent.actions.rest."""
    unused = tuple(worker for worker, count in opponent.workers.items.items() for _ in range(count))
    pass_round(t, opponent)
    t.emit(opponent, e.OpponentRested(unused))
    track.move(t, opponent, 1 + len(unused), "rest")


def pass_round(t: Paladins, opponent: Opponent) -> None:
    """Pass for the round; no worker is kept. Source: paladins.opponent.round.end."""
    for area in opponent.areas.values():
        for space, worker in area.workers():
            t.move(worker, space, t.supply)
    for worker, count in list(opponent.workers.items.items()):
        t.move(worker, opponent.workers, t.supply, count)
    t.set(opponent.passed, 1)


# --- the right side ---------------------------------------------------------------------------------------------------


def place_piece(t: Paladins, opponent: Opponent) -> None:
    """Send a monk or build an outpost. Source: paladins.opponent.actions.pieces, paladins.opponent.pieces.*."""
    action = t.action.value
    space = targets.choose_space(t, opponent, t.data.actions[action].needs)
    t.emit(opponent, e.TargetChosen(space.id, "priority", 0))
    board_pieces.put(t, opponent, action, space, 0)
    gains.grant(t, opponent, t.data.action_gains[action], action)
    if space.gains == targets.PAY_DEBT and not opponent.unpaid.items:
        t.emit(opponent, e.RewardLapsed("pay_debt"))
    else:
        gains.grant(t, opponent, space.gain, space.id)


def fortify(t: Paladins, opponent: Opponent) -> None:
    """Build the next wall. Source: paladins.opponent.actions.fortify."""
    number = opponent.walls.total() + 1
    wall = t.data.walls[t.recorder.draw(t.walls, opponent.walls)[0]]
    t.emit(opponent, e.WallBuilt(wall.id, number, 0))
    gains.grant(t, opponent, wall.gain, wall.id)


def absolve(t: Paladins, opponent: Opponent) -> None:
    """Turn the next jar over and add the pending reward of paying a debt. Source: paladins.opponent.actions.absolve."""
    t.move(JAR, opponent.jars, opponent.turned)
    t.emit(opponent, e.Absolved("", opponent.turned.total(), 0))
    gains.grant(t, opponent, t.data.action_gains["absolve"], "absolve")
    opponent.due.owe("pay_debt")


def take_outsider(t: Paladins, opponent: Opponent) -> None:
    """Attack or convert the outsider at the marker. Source: paladins.opponent.actions.attack, .convert."""
    action = t.action.value
    found = targets.find_outsider(t, opponent, t.data.actions[action].needs)
    assert found is not None
    card = t.data.outsiders[found.card]
    t.emit(opponent, e.TargetChosen(card.id, "marker", opponent.field.value, found.passed_over))
    if action == "attack":
        t.move(card.id, t.outsiders[found.at], opponent.attacked)
        t.emit(opponent, e.OutsiderAttacked(card.id, 0))
        gains.grant(t, opponent, card.attack, card.id)
    else:
        t.move(card.id, t.outsiders[found.at], opponent.converted)
        t.emit(opponent, e.OutsiderConverted(card.id, 0))
        gains.grant(t, opponent, card.conversion, card.id)


def use_favour(t: Paladins, opponent: Opponent) -> None:
    """Use the King's Favour at the marker. Source: paladins.opponent.actions.favour."""
    found = targets.find_favour(t, opponent)
    assert found is not None
    card = t.data.favours[found.card]
    t.move(_any_worker(opponent), opponent.workers, t.favour_workers[found.at])
    t.emit(opponent, e.TargetChosen(card.id, "marker", opponent.field.value, found.passed_over))
    t.emit(opponent, e.FavourBegun(card.id, 0, 0))
    gains.grant(t, opponent, card.gain, card.id)


_CARRY_OUT: dict[str, Callable[[Paladins, Opponent], None]] = {
    "recruit": discard_townsfolk,
    "pray": pray,
    "trade": trade,
    "conspire": conspire,
    **dict.fromkeys(("commission", "garrison"), place_piece),
    "fortify": fortify,
    "absolve": absolve,
    **dict.fromkeys(("attack", "convert"), take_outsider),
    "favour": use_favour,
    "rest": rest,
}
