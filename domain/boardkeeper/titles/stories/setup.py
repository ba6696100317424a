"""The setup of a game. Source: stories.setup.*."""

from __future__ import annotations

from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.titles.stories.cards import CHARACTERS, GOODS
from boardkeeper.titles.stories.data import CHURCH, MANOR, START_VILLAGE
from boardkeeper.titles.stories.events import TableLaid
from boardkeeper.titles.stories.material import START, Seat, Stories


def set_up(t: Stories) -> None:
    """Set up the table and advance to the first decision. Source: stories.setup.*."""
    data, players = t.data, len(t.seats)
    supply = data.supplies[players]
    for follower in CHARACTERS:
        t.move(follower, t.box, t.supply, supply[follower])
    for good in GOODS:
        t.move(good, t.box, t.goods_market, supply[good])
    t.move(TECHNOLOGY, t.box, t.technology, supply[TECHNOLOGY])
    t.move(CHURCH, t.box, t.churches, data.churches)
    for card in data.place_cards:
        t.move(card, t.box, t.cards[data.places[card].category])
    for id, event in data.events.items():
        t.move(id, t.box, t.events[event.letter])
    _place_bonus_tiles(t)
    _prepare_secret_cards(t)
    landscapes = _deal_landscapes(t)
    for seat in t.seats:
        _set_up_seat(t, seat)
    start = _start_seat(t)
    t.set(t.start, start)
    t.emit(None, TableLaid(players, landscapes, start))
    t.enter("secrets" if data.nations else "dawn")
    t.advance()


def _deal_landscapes(t: Stories) -> dict[str, str]:
    """Place the start villages and towns, and random landscapes on the other spaces; return those by space."""
    villages = t.data.start_villages(len(t.seats))
    for id in villages:
        t.move(START_VILLAGE, t.box, t.areas[id].pile)
    for landscape, count in t.data.landscape_tiles.items():
        t.move(landscape, t.box, t.landscapes, count)
    if t.data.manor_tiles:
        t.move(MANOR, t.box, t.landscapes, t.data.manor_tiles)
    for id, town in t.data.towns.items():
        t.move(town, t.box, t.towns[id].pile)
    dealt = {}
    for id, area in t.areas.items():
        if id not in villages:
            (dealt[id],) = t.recorder.draw(t.landscapes, area.pile)
    return dealt


def _set_up_seat(t: Stories, seat: Seat) -> None:
    data, players = t.data, len(t.seats)
    for follower in data.start_followers:
        t.move(follower, t.supply, seat.market)
    for good in data.start_goods:
        t.move(good, t.goods_market, seat.goods)
    t.move(seat.settler, t.box, seat.on_tracks, 2)
    villages = data.start_villages(players)
    if villages:
        home = t.areas[villages[seat.number - 1]].pile
        t.move(seat.settler, t.box, home)
        t.move(seat.fortress, t.box, home)
    for town in t.towns.values():
        t.move(seat.settler, t.box, town.pile, data.each_town)
    t.move(seat.settler, t.box, seat.settlers, data.start_settlers)
    t.move(seat.fortress, t.box, seat.fortresses, data.start_fortresses[players])
    for id in data.base_places:
        t.move(id, t.box, seat.place_tiles if id in data.start_places else seat.base_places)
    t.set(seat.coins, data.start_coins)
    t.set(seat.fame, data.start_fame)
    t.set(seat.era_reached, 1)


def _place_bonus_tiles(t: Stories) -> None:
    """Put a bonus tile on each era, then add the malus to the stack. Source: stories.bonus_tiles.setup."""
    if not t.data.bonus_tiles:
        return
    for id, tile in t.data.bonus_tiles.items():
        if not tile.malus:
            t.move(id, t.box, t.bonus_stack)
    for pile in t.bonus.values():
        t.recorder.draw(t.bonus_stack, pile)
    for id, tile in t.data.bonus_tiles.items():
        if tile.malus:
            t.move(id, t.box, t.bonus_stack)


def _prepare_secret_cards(t: Stories) -> None:
    """Put missions, secret messages and nation cards into their decks."""
    if not t.data.nations:
        return
    for cards, pile in ((t.data.missions, t.missions), (t.data.messages, t.messages)):
        for card in cards:
            t.move(card, t.box, pile)
    for nation, count in t.data.nations.items():
        t.move(nation, t.box, t.nations, count)


def _start_seat(t: Stories) -> int:
    """Return the start player: seat 1 if the reading ``start_player`` is ``youngest_named``, else a random seat."""
    if t.data.chosen.start_player == "youngest_named":
        return 1
    for seat in t.seats:
        t.move(f"{START}.{seat.number}", t.box, t.start_tokens)
    (token,) = t.recorder.pick(t.start_tokens)
    return int(token.removeprefix(f"{START}."))
