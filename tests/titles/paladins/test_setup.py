"""The table before the first round."""

from __future__ import annotations

from uuid import UUID

import msgspec
import pytest
from tests.titles.paladins.adapter import ADAPTER
from tests.titles.paladins.holdings import TABLES, ids_of, place_workers
from tests.titles.paladins.kit import PaladinsGame, detail, details

from boardkeeper.game.choices import complete
from boardkeeper.game.creation import create_game
from boardkeeper.game.forking import Fork
from boardkeeper.table.forking import layout_of
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.setups import default_setup
from boardkeeper.titlekit.title import OptionMeta, Setup
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.title import TITLE

NUMBERS = (2, 3, 4)


@pytest.mark.parametrize(
    ("choice", "players", "silver"),
    [("rising", 2, 6), ("rising", 3, 7), ("rising", 4, 8), ("low", 2, 5), ("low", 3, 6), ("low", 4, 8)],
)
def test_paladins_setup_tax_supply(choice: str, players: int, silver: int) -> None:
    game = PaladinsGame(players, tax_supply=choice)

    assert game.t.tax.value == game.t.tax_full == silver
    assert detail(game.laid, e.TableLaid).tax == silver


@pytest.mark.parametrize("choice", ["rising", "low"])
def test_paladins_setup_tax_supply__of_one_player_is_5(choice: str) -> None:
    assert PaladinsGame(2, opponent="standard", tax_supply=choice).t.tax.value == 5


@pytest.mark.parametrize(("choice", "counts"), [("more_twos", (6, 8, 10)), ("more_zeros", (10, 8, 6))])
def test_paladins_setup_suspicion_cards(choice: str, counts: tuple[int, ...]) -> None:
    game = PaladinsGame(2, suspicion_cards=choice)
    assert game.counts("suspicion.deck") == {f"suspicion_{tax}": count for tax, count in enumerate(counts)}


@pytest.mark.parametrize(("choice", "worker"), [("second", "scout"), ("first", "labourer")])
def test_paladins_setup_transcription(choice: str, worker: str) -> None:
    game = PaladinsGame(2, transcription=choice).turn().display("outsiders", "champion_saracen").at(1, strength=2)
    place_workers(game, "attack")

    game.do(1, c.AttackOutsider("champion_saracen"))

    assert game.counts("seat.1.workers") == {worker: 1}


def test_paladins_setup_transcription__of_a_favour() -> None:
    for choice, takes_it in (("second", False), ("first", True)):
        game = PaladinsGame(2, transcription=choice).turn().favours("favour_07").workers(1, labourer=1)
        assert (c.UseFavour("favour_07") in game.legal(1)) is takes_it


@pytest.mark.parametrize("players", NUMBERS)
def test_paladins_setup_rows(players: int) -> None:
    game = PaladinsGame(players)

    assert [place.total() for place in game.t.townsfolk] == [1] * 5
    assert [place.total() for place in game.t.outsiders] == [1] * 6
    laid = detail(game.laid, e.TableLaid)
    assert laid.townsfolk == tuple(card for place in game.t.townsfolk for card in place.items)
    assert laid.outsiders == tuple(card for place in game.t.outsiders for card in place.items)


def test_paladins_setup_orders_and_favours() -> None:
    """The orders and favours of a game are revealed one by one; no player learns of the others."""
    game = PaladinsGame(2)
    assert not any(place.items for place in (*game.t.orders, *game.t.favours))

    events = game.idle_until("over")

    orders = [event.detail.order for event in events if isinstance(event.detail, e.OrderRevealed)]
    favours = [event.detail.favour for event in events if isinstance(event.detail, e.FavourRevealed)]
    assert (len(set(orders)), len(set(favours))) == (len(orders), len(favours)) == (3, 5)
    for viewer in (0, 1, 2):
        board = game.board(viewer)
        assert [place.order for place in board.orders] == orders
        assert [place.favour for place in board.favours] == favours
    assert {f"order_{order}" for order in orders} | game.counts("orders.box").keys() == {
        f"order_{order}" for order in ids_of("orders")
    }
    assert {*favours} | game.counts("favours.box").keys() == {*ids_of("favours")}


@pytest.mark.parametrize("players", NUMBERS)
def test_paladins_setup_goods(players: int) -> None:
    assert [(seat.silver.value, seat.provisions.value) for seat in PaladinsGame(players).t.people] == [(3, 1)] * players


def test_paladins_setup_goods__in_a_solo_game() -> None:
    game = PaladinsGame(2, opponent="easy")
    assert [(seat.silver.value, seat.provisions.value) for seat in game.t.people] == [(3, 1)]


@pytest.mark.parametrize("players", NUMBERS)
def test_paladins_setup_pieces(players: int) -> None:
    game = PaladinsGame(players)

    for seat in game.t.people:
        pieces = (seat.monks, seat.outposts, seat.jars, seat.workshops)
        assert [pile.total() for pile in pieces] == [7, 7, 7, 8]
        assert seat.deck.items == dict.fromkeys(ids_of("paladins"), 1)
        assert [marker.value for marker in seat.attributes.values()] == [0, 0, 0]
    assert len(ids_of("paladins")) == 12


@pytest.mark.parametrize("players", NUMBERS)
def test_paladins_setup_start_player(players: int) -> None:
    """Every seat can be the start player."""
    starts = {PaladinsGame(players, seed=f"seed {number}").t.start.value for number in range(30)}
    assert starts == set(range(1, players + 1))


def test_paladins_setup_start_player__in_a_solo_game() -> None:
    assert {PaladinsGame(2, opponent="easy", seed=f"seed {number}").t.start.value for number in range(8)} == {1}


@pytest.mark.parametrize("start", [1, 2, 3])
def test_paladins_setup_first_townsfolk(start: int) -> None:
    games = (PaladinsGame(3, seed=f"seed {number}") for number in range(30))
    game = next(game for game in games if game.t.start.value == start)
    shown = [next(iter(place.items)) for place in game.t.townsfolk]
    seats: list[int] = []

    for card in (shown[1], shown[4], shown[2]):
        (seat,) = game.deciding()
        assert len([place for place in game.t.townsfolk if place.items]) == 5 - len(seats), (
            "the row is not refilled in between"
        )
        seats.append(seat)
        goods = (game.seat(seat).silver.value, game.seat(seat).provisions.value)
        events = game.do(seat, c.HireTownsfolk(card))
        instant = TABLES["townsfolk"][card]["instant"]
        gains = (instant.count("silver"), instant.count("provision"))
        assert (game.seat(seat).silver.value, game.seat(seat).provisions.value) == (
            goods[0] + gains[0],
            goods[1] + gains[1],
        ), "it is free"
        assert game.counts(f"seat.{seat}.townsfolk") == {card: 1}

    assert seats == [(start + 1) % 3 + 1, start % 3 + 1, start]
    assert game.t.phase.value == "paladins"
    row = [next(iter(place.items)) for place in game.t.townsfolk]
    assert row[3:] == [shown[0], shown[3]]
    assert not {*row[:3]} & {*shown}
    assert detail(events, e.RoundBegun).round == 1


def test_paladins_setup_first_townsfolk__must_be_on_display_and_is_free() -> None:
    game = PaladinsGame(2).display("townsfolk", "abbot_1", "abbot_2", "acolyte_1", "acolyte_2", "squire_1")
    (seat,) = game.deciding()

    game.reject(seat, c.HireTownsfolk("abbot_3"), "paladins.recruit.on_display", "NOT_ON_DISPLAY")
    rule = "paladins.setup.first_townsfolk"
    assert game.reject(seat, c.HireTownsfolk("abbot_1", "silver"), rule).code == "NOTHING_TO_PAY"
    game.reject(seat, c.DiscardTownsfolk("abbot_1"), "table.wrong_decision", "WRONG_DECISION")
    game.reject(3 - seat, c.HireTownsfolk("abbot_1"), "table.not_deciding", "NOT_DECIDING")
    game.reject(seat, c.HireTownsfolk("nobody"), "table.known_ids", "UNKNOWN_ID")
    events = game.do(seat, c.HireTownsfolk("abbot_1"))
    assert detail(events, e.TownsfolkHired) == e.TownsfolkHired("abbot_1", payment="", silver=0)


def test_paladins_setup_first_townsfolk__gives_its_instant_reward() -> None:
    """The rulebook's Architect brings 1 provision; a seat without suspicion discards none."""
    for card, silver, provisions in (("architect_2", 3, 2), ("acolyte_2", 4, 1), ("abbot_3", 3, 1)):
        game = PaladinsGame(2).display("townsfolk", card)
        (seat,) = game.deciding()
        events = game.do(seat, c.HireTownsfolk(card))
        assert (game.seat(seat).silver.value, game.seat(seat).provisions.value) == (silver, provisions)
        assert (seat in details(events, e.RewardLapsed)) is (card == "abbot_3")
        assert not game.counts(f"seat.{seat}.workers"), "the reward of discarding is not given"


@pytest.mark.parametrize("flag", ["2", "1"])
def test_paladins_columns_first_strength(flag: str) -> None:
    """The flag applies to outposts in the first region and to attacks on the first outsider."""
    game = PaladinsGame(2, first_strength_flag=flag).turn().display("outsiders", "warrior_saracen")
    game.workers(1, merchant=1, labourer=1, fighter=1, scout=1)
    garrison, attack = c.BeginAction("garrison", 3), c.BeginAction("attack", 3)

    enough = int(flag)
    game.at(1, silver=0, strength=enough - 1)
    assert game.reject(1, garrison, "paladins.garrison.flag", "ATTRIBUTE_TOO_LOW").values["needs"] == flag
    game.reject(1, attack, "paladins.attack.silver_for_strength", "NOT_ENOUGH_SILVER")
    game.at(1, strength=enough)
    assert {garrison, attack} <= {*game.legal(1)}
    game.at(1, strength=2)
    game.act(1, "garrison", 3)
    assert {command.space[:2] for command in game.legal(1) if isinstance(command, c.PlaceOutpost)} == {"r1"}


def encode_first_event(players: int, fork: Fork | None = None) -> bytes:
    """Return the first event of a game with the longest ids of all choices."""

    def longest(option: OptionMeta) -> str:
        return max((it.id for it in option.choices if not it.players or players in it.players), key=len)

    options = {option.id: longest(option) for option in META.options}
    readings = {option.id: longest(option) for option in META.readings}
    setup = complete(META, Setup("", players, options, readings))
    seats = ["bot.sensible"] * (players - len(TITLE.automata(setup)))
    build, key = "0.2.0+0123456789", "0" * 64
    _, events = create_game(UUID(int=1), TITLE, setup, seats, bytes(32), build, "", 0, fork=fork, server_key=key)
    return msgspec.json.encode(events[0].detail)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_event_is_small_with_any_choices(players: int) -> None:
    """It is read and sent more often than any other event."""
    assert len(encode_first_event(players)) < 20_000


@pytest.mark.parametrize("seed", [16, 17])
def test_the_first_event_of_a_fork_is_hardly_larger(seed: int) -> None:
    """It contains the position in the middle of a game; 20,457 bytes were the maximum of many games."""
    with playout(ADAPTER, seed, default_setup(TITLE, 4)) as game:
        while not game.play.is_over():
            for _ in range(20):
                if not game.play.is_over():
                    game.step()
            fork = Fork(UUID(int=2), len(game.events), layout_of(game.table))
            assert len(encode_first_event(4)) < len(encode_first_event(4, fork)) < 21_000
