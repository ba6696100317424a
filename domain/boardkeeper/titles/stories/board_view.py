"""Build the typed board for a viewer."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import asdict, replace

from boardkeeper.families.followers.board import view_scores, view_seat, view_table
from boardkeeper.families.followers.phases.verbs.deeds import spaces_left
from boardkeeper.table.zones import Pile
from boardkeeper.titlekit.turn_flow import OVER
from boardkeeper.titles.stories import board as b
from boardkeeper.titles.stories import scoring, teams
from boardkeeper.titles.stories.cards import CATEGORIES, GOODS
from boardkeeper.titles.stories.control import count_areas, count_churches, count_villages
from boardkeeper.titles.stories.data import MANOR
from boardkeeper.titles.stories.material import Area, Seat, Stories


def board_of(t: Stories, viewer: int) -> b.Board:
    """Return the board for a viewer. Values that the viewer may not see are empty; numbers of cards are shown."""
    return view_table(
        b.Board,
        t,
        viewer,
        events=_events(t),
        areas=tuple(_area(t, area) for area in (*t.areas.values(), *t.towns.values())),
        place_cards=tuple(_cards(t, category) for category in CATEGORIES),
        deeds=tuple(_deed(t, deed) for deed in t.data.deeds),
        seats=tuple(_seat(t, seat, viewer) for seat in t.seats),
        scores=_scores(t),
        seats_reached=t.cursor.value,
        nations=tuple(_nation(t, nation) for nation in t.data.nations),
        bonus_tiles=_bonus_tiles(t) if t.data.bonus_tiles else None,
        nation_scores=_nation_scores(t),
    )


def _events(t: Stories) -> b.EventsView:
    event = t.data.events.get(t.event.value)
    return b.EventsView(
        event=t.event.value,
        letter=event.letter if event is not None else "",
        remaining={letter: pile.total() for letter, pile in t.events.items()},
        turned=_cards_in(t.data.events, t.turned),
    )


def _area(t: Stories, area: Area) -> b.AreaView:
    return b.AreaView(
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


def _cards(t: Stories, category: str) -> b.CardsView:
    return b.CardsView(category, _cards_in(t.data.place_cards, t.cards[category]))


def _deed(t: Stories, id: str) -> b.DeedView:
    deed = t.data.deeds[id]
    free = {who: spaces_left(t, deed, who) for who in deed.spaces}
    return b.DeedView(
        deed=id,
        followers=t.deeds[id].counts(),
        free=free,
        citizen=bool(t.data.deed_citizens) and any(free.values()),
        completed=t.completed[id].value,
    )


def _nation(t: Stories, nation: str) -> b.NationView:
    card = t.mission[nation].items
    return b.NationView(
        nation=nation,
        mission=next((mission for mission in t.data.missions if mission in card), ""),
        goods={good: card[good] for good in GOODS if good in card},
        fulfilled=bool(t.fulfilled[nation].value),
        lost=nation in t.lost.value.split(),
    )


def _bonus_tiles(t: Stories) -> b.BonusTilesView:
    return b.BonusTilesView(
        on_eras=tuple(next(iter(pile.items), "") for pile in t.bonus.values()),
        aside=_cards_in(t.data.bonus_tiles, t.aside),
        stack=_cards_in(t.data.bonus_tiles, t.bonus_stack),
    )


def _cards_in(cards: Iterable[str], pile: Pile) -> tuple[str, ...]:
    """Return those of the cards that are in a pile, in the order of ``cards``."""
    return tuple(card for card in cards if card in pile.items)


def _seat(t: Stories, seat: Seat, viewer: int) -> b.SeatView:
    laid = bool(seat.era_reached.value)  # 0 before setup
    return view_seat(
        b.SeatView,
        t,
        seat,
        viewer,
        color=t.data.colors[seat.number - 1],
        era=seat.era_reached.value,
        categories=seat.era().categories if laid else (),
        areas=count_areas(t, seat),
        villages=count_villages(t, seat),
        churches=count_churches(t, seat),
        settlers_in_supply=seat.settlers.total(),
        fortresses_in_supply=seat.fortresses.total(),
        draw_limit=t.hooks.draw_limit(t, seat) if laid else 0,
        locked_places=_cards_in(t.data.base_places, seat.base_places),
        declared=bool(t.data.nations and seat.declares.value),
    )


def _scores(t: Stories) -> tuple[b.ScoreView, ...]:
    if t.phase.value != OVER or t.data.nations:
        return ()
    return view_scores(b.ScoreView, dict(enumerate(scoring.sheets(t), 1)))


def _nation_scores(t: Stories) -> tuple[b.NationScoreView, ...]:
    """Return the scores of the nations; empty if a declaration failed, because that nation has lost."""
    if t.phase.value != OVER or not t.data.nations or t.lost.value:
        return ()
    lines = (replace(teams.sheet(t, nation), rank=teams.rank(t, nation)) for nation in t.data.nations)
    return tuple(b.NationScoreView(**asdict(line)) for line in sorted(lines, key=lambda line: line.rank))
