"""Build the typed board for a viewer."""

from __future__ import annotations

from typing import Any

from boardkeeper.table.visibility import sees
from boardkeeper.table.zones import Pile
from boardkeeper.titlekit.views import view
from boardkeeper.titles.paladins import board as b
from boardkeeper.titles.paladins import scoring
from boardkeeper.titles.paladins.data import ATTRIBUTES, RIGHT, nth_or_zero
from boardkeeper.titles.paladins.material import Area, Opponent, Paladins, Seat, Side


def board_of(t: Paladins, viewer: int) -> b.Board:
    """Return the board for a viewer: a seat number, 0 for a spectator, -1 for the operator."""
    data = t.data
    return view(
        b.Board,
        t,
        t.table,
        viewer,
        start_seat=t.start.value,
        acting_seat=t.acting.value,
        townsfolk=tuple(
            b.TownsfolkPlace(t.card_at(t.townsfolk, at), silver, data.row_debt[at])
            for at, silver in enumerate(data.row_silver)
        ),
        townsfolk_deck=_sorted(t.townsfolk_deck),
        townsfolk_discarded=_cards(t.townsfolk_discard),
        outsiders=tuple(
            b.OutsiderPlace(t.card_at(t.outsiders, at), faith, data.flags["strength"][at])
            for at, faith in enumerate(data.flags["faith"])
        ),
        outsider_deck=_sorted(t.outsider_deck),
        outsiders_discarded=_cards(t.outsider_discard),
        spaces=tuple(_space(t, space.id) for space, _ in t.spaces),
        orders=tuple(
            b.OrderPlace(t.card_at(t.orders, at).removeprefix("order_"), data.order_rounds[at], points)
            for at, points in enumerate(data.order_points)
        ),
        favours=tuple(
            b.FavourPlace(t.card_at(t.favours, at), number, t.card_at(t.favour_workers, at))
            for at, number in enumerate(data.favour_rounds)
        ),
        suspicion_deck=_sorted(t.suspicion_deck),
        suspicion_discarded=_sorted(t.suspicion_discard),
        seats=tuple(_seat(t, side, viewer) for side in t.seats),
        opponent=_opponent(t, t.opponent) if t.opponent else None,
    )


def _sorted(pile: Pile) -> dict[str, int]:
    return dict(sorted(pile.items.items()))


def _cards(pile: Pile) -> tuple[str, ...]:
    return tuple(sorted(pile.items))


def _space(t: Paladins, id: str) -> b.SpaceView:
    space, pile = t.space[id]
    for piece in pile.items:
        kind, _, seat = piece.partition(".")
        return b.SpaceView(id, space.region, space.gains, int(seat), kind)
    return b.SpaceView(id, space.region, space.gains, 0, "")


def _area(t: Paladins, side: Side, area: Area) -> b.AreaView:
    action = area.action
    times = side.times(area.id) if area.id in RIGHT else 0
    spaces = tuple(
        b.AreaSpace(requires, next(iter(space.items), ""))
        for requires, space in zip(action.slots, area.spaces, strict=False)
    )
    thresholds = t.data.jar_numbers if area.id == "absolve" else action.thresholds
    silver, provisions = t.data.no_paladin.price(area.id, times)
    return b.AreaView(
        action=area.id,
        spaces=spaces,
        open=area.is_open(),
        silver=silver,
        provisions=provisions,
        attribute=action.needs,
        needs=nth_or_zero(thresholds, times),
        times=times,
    )


def _seat(t: Paladins, side: Side, viewer: int) -> b.SeatView:
    return view(
        b.SeatView,
        side,
        t.table,
        viewer,
        seat=side.number,
        decision=t.table.decisions[side.number],
        automaton=side is t.opponent,
        areas=tuple(_area(t, side, area) for area in side.areas.values()),
        workshops=t.data.workshop_row[len(t.data.workshop_row) - side.workshops.total() :],
        unpaid_debts=side.unpaid.total(),
        paid_debts=side.paid.total(),
        due=_pending(t, side),
        points=scoring.sheet(t, side).total,
        **{attribute: marker.value for attribute, marker in side.attributes.items()},
        **(_person_fields(t, side, viewer) if isinstance(side, Seat) else {}),
    )


def _pending(t: Paladins, side: Side) -> dict[str, int]:
    """Return the pending rewards of a seat, by kind. Apart from the opponent, only the seat in turn has any."""
    if isinstance(side, Opponent):
        return {kind: side.due[kind] for kind in side.due}
    return {kind: t.due[kind] for kind in t.due} if side.number == t.acting.value else {}


def _person_fields(t: Paladins, seat: Seat, viewer: int) -> dict[str, Any]:
    """Return the fields that the solo opponent does not have."""
    under = seat.under if sees(t.table, seat.deck, viewer) else ()
    return {
        "bonus": {attribute: points for attribute, points in seat.active_paladin().bonus.items() if points},
        "has_chosen": bool(seat.chosen.items),
        "deck_count": sum(pile.total() for pile in (*seat.under, seat.deck, seat.again)),
        "under": tuple(card for pile in under for card in pile.items),
        "jar_spaces": tuple(
            b.JarSpace(kind.id, kind.gains, kind.spaces, seat.jar_spaces[kind.id].total())
            for kind in t.data.jar_kinds.values()
        ),
    }


def _opponent(t: Paladins, opponent: Opponent) -> b.OpponentView:
    return b.OpponentView(
        seat=opponent.number,
        field=opponent.field.value,
        markers=tuple(sorted(ATTRIBUTES, key=lambda attribute: opponent.moved[attribute].value)),
        scheme=t.scheme.value,
        schemes=_sorted(t.scheme_deck),
        discarded_schemes=_sorted(t.scheme_discard),
        favour_schemes=t.favour_schemes.total(),
    )
