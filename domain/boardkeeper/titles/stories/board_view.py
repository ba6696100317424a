"""Builds the typed board from the table, for one viewer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import asdict, replace

from boardkeeper.families.followers.board import places_of
from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.phases.verbs.deeds import free_spaces
from boardkeeper.table.course import OVER
from boardkeeper.table.visibility import sees
from boardkeeper.table.zones import Pile
from boardkeeper.titles.stories import scoring, teams
from boardkeeper.titles.stories.bindings import Area, Seat, Stories
from boardkeeper.titles.stories.board import (
    AreaView,
    Board,
    BonusTilesView,
    CardsView,
    DeedView,
    EventsView,
    NationScoreView,
    NationView,
    ScoreView,
    SeatView,
)
from boardkeeper.titles.stories.control import count_areas, count_churches, count_villages
from boardkeeper.titles.stories.data import CATEGORIES, GOODS, MANOR


def board_of(t: Stories, viewer: int) -> Board:
    """The whole table; what the viewer does not see is left empty, with its count."""
    return Board(
        round=t.round.value,
        phase=t.phase.value,
        start_seat=t.start.value,
        acting_seat=t.acting.value,
        deciding=tuple(t.table.deciding()),
        events=_events(t),
        areas=tuple(_area(t, area) for area in (*t.areas.values(), *t.towns.values())),
        supply=t.supply.counts(),
        goods_market=t.goods_market.counts(),
        technology=t.technology.total(),
        churches=t.churches.total(),
        place_cards=tuple(_cards(t, category) for category in CATEGORIES),
        deeds=tuple(_deed(t, deed) for deed in t.data.deeds),
        seats=tuple(_seat(t, seat, viewer) for seat in t.seats),
        removed=t.removed.counts(),
        scores=_scores(t),
        box=t.box.counts(),
        seats_reached=t.cursor.value,
        action_place=t.action_place.value,
        nations=tuple(_nation(t, nation) for nation in t.data.nations),
        bonus_tiles=_bonus_tiles(t) if t.data.bonus_tiles else None,
        nation_scores=_nation_scores(t),
    )


def _events(t: Stories) -> EventsView:
    event = t.data.events.get(t.event.value)
    return EventsView(
        event=t.event.value,
        letter=event.letter if event is not None else "",
        remaining={letter: pile.total() for letter, pile in t.events.items()},
        turned=_of(t.data.events, t.turned),
    )


def _area(t: Stories, area: Area) -> AreaView:
    return AreaView(
        area=area.id,
        side=area.cell.side,
        landscape=next((tile for tile in area.pile.items if tile in t.data.landscape_goods), ""),
        village=area.is_village(),
        settlers=tuple(seat.number for seat in t.seats for _ in range(area.pile.items.get(seat.settler, 0))),
        fortress=area.fortified_by(),
        church=area.has_church(),
        manor_farm=MANOR in area.pile.items,
        town=t.data.towns.get(area.id, ""),
    )


def _cards(t: Stories, category: str) -> CardsView:
    return CardsView(category, _of(t.data.place_cards, t.cards[category]))


def _deed(t: Stories, id: str) -> DeedView:
    deed = t.data.deeds[id]
    free = {who: free_spaces(t, deed, who) for who in deed.spaces}
    return DeedView(
        deed=id,
        followers=t.deeds[id].counts(),
        free=free,
        citizen=bool(t.data.deed_citizens) and any(free.values()),
        completed=t.completed[id].value,
    )


def _nation(t: Stories, nation: str) -> NationView:
    card = t.mission[nation].items
    return NationView(
        nation=nation,
        mission=next((mission for mission in t.data.missions if mission in card), ""),
        goods={good: card[good] for good in GOODS if good in card},
        fulfilled=bool(t.fulfilled[nation].value),
        lost=nation in t.lost.value.split(),
    )


def _bonus_tiles(t: Stories) -> BonusTilesView:
    return BonusTilesView(
        on_eras=tuple(next(iter(pile.items), "") for pile in t.bonus.values()),
        aside=_of(t.data.bonus_tiles, t.aside),
        stack=_of(t.data.bonus_tiles, t.bonus_stack),
    )


def _of(cards: Iterable[str], pile: Pile) -> tuple[str, ...]:
    """Those of the cards that lie in a pile, in their own order."""
    return tuple(card for card in cards if card in pile.items)


def _seat(t: Stories, seat: Seat, viewer: int) -> SeatView:
    laid = bool(seat.era_reached.value)  # before that, no seat is in an era
    return SeatView(
        seat=seat.number,
        color=t.data.colors[seat.number - 1],
        coins=seat.coins.value,
        goods=seat.goods.counts(),
        fame=seat.fame.value,
        era=seat.era_reached.value,
        carried_out=bool(seat.carried_out.value),
        peace=bool(seat.peace.value),
        categories=seat.era().categories if laid else (),
        citizens=seat.citizens.value,
        areas=count_areas(t, seat),
        villages=count_villages(t, seat),
        churches=count_churches(t, seat),
        settlers_in_supply=seat.settlers.total(),
        fortresses_in_supply=seat.fortresses.total(),
        draw_limit=t.hooks.draw_limit(t, seat) if laid else 0,
        technology=seat.technology.items.get(TECHNOLOGY, 0),
        market=seat.market.counts() if sees(t.table, seat.market, viewer) else {},
        drawn=seat.drawn.counts(),
        bag=seat.bag.counts() if sees(t.table, seat.bag, viewer) else {},
        bag_count=seat.bag.total(),
        places=places_of(t, seat, viewer),
        locked_places=_of(t.data.base_places, seat.base_places),
        passed=bool(seat.passed.value),
        planning_finished=bool(seat.planned.value),
        decision=t.table.decisions[seat.number],
        debt=seat.debt.value,
        arrears=seat.arrears.value,
        fame_due=seat.fame_due.value,
        bonus_due=bool(seat.bonus_due.value),
        owed=seat.owed.value,
        trades=seat.trades.value,
        given_up_draws=seat.given_up.value,
        draws_made=seat.made_draws(),
        technology_placed=seat.technology_placed.value,
        churches_built=seat.churches_built.value,
        **(_secrets(t, seat, viewer) if t.data.nations else {}),
    )


def _secrets(t: Stories, seat: Seat, viewer: int) -> dict[str, Any]:
    """The cards of a seat of which the others know nothing at first."""

    def shown(pile: Pile) -> dict[str, int]:
        return pile.items if sees(t.table, pile, viewer) else {}

    noted = t.data.chosen.look_is_public == "no" and sees(t.table, seat.noted, viewer)
    return {
        "nation": next(iter(shown(seat.nation)), ""),
        "message": next(iter(shown(seat.message)), ""),
        "dealt": tuple(sorted(shown(seat.dealt))),
        "returned": tuple(sorted(shown(seat.returned))),
        "noted": seat.noted.value if noted else "",
        "declared": bool(seat.declares.value),
    }


def _scores(t: Stories) -> tuple[ScoreView, ...]:
    if t.phase.value != OVER or t.data.nations:
        return ()
    lines = ((seat.number, scoring.sheet(t, seat)) for seat in t.seats)
    return tuple(
        ScoreView(seat=number, **asdict(line))
        for number, line in sorted(lines, key=lambda entry: (entry[1].rank, entry[0]))
    )


def _nation_scores(t: Stories) -> tuple[NationScoreView, ...]:
    """Nothing where a declaration failed: then one nation has lost, whatever it has."""
    if t.phase.value != OVER or not t.data.nations or t.lost.value:
        return ()
    lines = (replace(teams.sheet(t, nation), rank=teams.rank(t, nation)) for nation in t.data.nations)
    return tuple(NationScoreView(**asdict(line)) for line in sorted(lines, key=lambda line: line.rank))
