"""The opponent: its setup, its rounds, and the action that it carries out for a scheme (pp. 26–30)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.titles.paladins.kit import PaladinsGame, detail, named
from tests.titles.paladins.solo import (
    LEFT,
    attribute_levels,
    block,
    create_solo_game,
    occupy_spaces,
    play_random_turn,
    play_turn,
    turn_scheme,
)

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins import scoring
from boardkeeper.titles.paladins.events import Attempt
from boardkeeper.titles.paladins.title import TITLE

RIGHT = ("commission", "fortify", "garrison", "absolve", "attack", "convert")


def create_solo(difficulty: str = "standard", **choices: str) -> PaladinsGame:
    """Create a new solo game."""
    return PaladinsGame(2, opponent=difficulty, **choices)


def begin_round(game: PaladinsGame, round: int) -> PaladinsGame:
    """Begin a round."""
    game.turn(1, round=round - 1).empty(game.t.tavern, "tavern.deck").enter("dawn")
    return game


# --- the seat ----------------------------------------------------------------------------------------------------


def test_paladins_opponent_seat() -> None:
    """It makes no decisions: its turns are part of the player's submission."""
    game = create_solo("easy", seed="another")
    assert TITLE.automata(game.setup) == (2,)
    while not game.play.is_over():
        assert game.deciding() == [1]
        game.idle(1)
    assert [standing.seat for standing in sorted(game.play.standings(), key=lambda it: it.seat)] == [1, 2]


def test_paladins_opponent_seat__only_with_two_seats() -> None:
    for players in (3, 4):
        with pytest.raises(ValueError, match="can be 'standard' only with 2 players"):
            PaladinsGame(players, opponent="standard")
    assert TITLE.automata(PaladinsGame(2).setup) == ()


# --- setup -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "orders", "recruit"), [("three_orders", 3, 3), ("four_orders", 4, 2)])
def test_paladins_opponent_scheme_deck(choice: str, orders: int, recruit: int) -> None:
    """The option scheme_deck."""
    game = create_solo(scheme_deck=choice)
    others = {f"scheme_{action}": 1 for action in RIGHT}
    assert game.t.scheme_deck.items == {"scheme_order": orders, "scheme_recruit": recruit, **others}
    assert game.t.scheme_deck.total() == 12


def test_paladins_opponent_setup_favour_schemes() -> None:
    game = create_solo()
    assert game.t.favour_schemes.items == {"scheme_favour": 5}
    assert not game.t.scheme_discard.items


def test_paladins_opponent_setup_stack() -> None:
    """Influence is at the bottom, then faith, and strength on top."""
    game = create_solo()
    board = game.board(0).opponent
    assert board is not None
    assert board.markers == ("influence", "faith", "strength")
    assert attribute_levels(game) == {"faith": 0, "strength": 0, "influence": 0}


@pytest.mark.parametrize(("difficulty", "workshops"), [("easy", 1), ("standard", 3), ("hard", 5)])
def test_paladins_opponent_setup_workshops(difficulty: str, workshops: int) -> None:
    game = create_solo(difficulty)

    actions = detail(game.laid, e.OpponentPrepared).actions

    assert len(set(actions)) == len(actions) == workshops
    for action in RIGHT:
        assert game.opponent().areas[action].workshop_mask() == (1 if action in actions else 0)
    assert game.t.orders_box.total() == 6, "the orders are shuffled again for the game itself"


def test_paladins_opponent_setup_marker() -> None:
    assert create_solo().opponent().field.value == 1


def test_paladins_opponent_setup_you_begin() -> None:
    """The player starts every round, and no townsfolk are hired before."""
    game = create_solo()
    rounds = set()
    while not game.play.is_over():
        if game.decision(1) == "tavern":
            events = game.idle(1)
            assert not named(events, "SchemeTurned")
            assert game.decision(1) == "act"
            rounds.add(game.t.round.value)
        else:
            game.idle(1)
    assert rounds == set(range(1, 8))


# --- rounds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", RIGHT)
@pytest.mark.parametrize("existing", [0, 1, 2])
def test_paladins_opponent_round_workshop(action: str, existing: int) -> None:
    """The workshop goes to the order's action; there are at most two for each action."""
    game = create_solo_game().workshop(2, action, *range(1, existing + 1))
    for place in game.t.orders:
        game.empty(place, "supply")
    game.empty(game.t.orders_box, "supply").bring(f"order_{action}", game.t.orders_box)

    game.turn(1, round=0).empty(game.t.tavern, "tavern.deck")
    events = game.enter("dawn")

    assert detail(events, e.OrderRevealed).order == action
    assert detail(events, e.WorkshopReceived) == e.WorkshopReceived(action, placed=existing < 2)
    assert [("workshop" in space.items) for space in game.opponent().areas[action].spaces] == [
        True,
        existing > 0,
        False,
    ]


def test_paladins_opponent_round_favour_scheme() -> None:
    """From the third round on, to the discarded schemes."""
    for round in range(1, 8):
        game = create_solo()
        begin_round(game, round)
        added = {"scheme_favour": 1} if round >= 3 else {}
        assert game.t.scheme_discard.items == added
        assert game.t.favour_schemes.total() == 5 - len(added)


@pytest.mark.parametrize(("left", "cards"), [("tavern_01", 0), ("tavern_02", 1), ("tavern_12", 2)])
def test_paladins_opponent_round_tavern(left: str, cards: int) -> None:
    game = create_solo_game().next_suspicion(1)
    game.tavern("tavern_16", left).at(0, tax=5)
    workers = game.opponent().workers.total()

    events = game.do(1, c.TakeTavernCard("tavern_16"))

    assert game.opponent().suspicion.total() == cards
    assert game.opponent().workers.total() == workers
    assert game.opponent().field.value == 1 + cards, "the taxes of its cards move the marker"
    assert [event.seat for event in named(events, "SuspicionTaken")] == [1, 1, *[2] * cards]


def test_paladins_opponent_round_end() -> None:
    """It keeps no workers, whether it rests or not, and its deck does not change."""
    game = create_solo_game(2).turn(1, round=1).workers(1)
    block(game, *LEFT).occupy(2, "attack", "criminal").scheme("attack")
    game.bring("scheme_fortify", game.t.scheme_deck)

    events = game.do(1, c.Pass())

    assert game.t.round.value == 2
    assert named(events, "OpponentRested")
    assert game.opponent().workers.total() == 5
    assert all(area.is_open() for area in game.opponent().areas.values())
    assert game.t.scheme_deck.total() == 1
    assert game.t.scheme_discard.total() == 11


def test_paladins_opponent_two_of_each_leave() -> None:
    """Page 30: also the second townsfolk from the right and the second outsider from the left."""
    game = create_solo_game(0).display("townsfolk", "abbot_1", "abbot_2", "", "abbot_3", "acolyte_1")
    game.display("outsiders", "thief_viking", "hunter_saracen", "traitor_viking").turn(1, round=1).workers(1)

    moved = detail(game.do(1, c.Pass()), e.RowsMoved)

    assert set(moved.discarded) == {"abbot_3", "acolyte_1", "thief_viking", "hunter_saracen"}
    assert moved.townsfolk[3:] == ("abbot_1", "abbot_2")
    assert moved.outsiders[0] == "traitor_viking"


def test_paladins_opponent_two_of_each_leave__from_these_places_only() -> None:
    game = create_solo_game(0).display("townsfolk", "abbot_1", "abbot_2", "abbot_3", "", "acolyte_1")
    game.display("outsiders", "", "hunter_saracen", "traitor_viking").turn(1, round=1).workers(1)

    moved = detail(game.do(1, c.Pass()), e.RowsMoved)

    assert set(moved.discarded) == {"acolyte_1", "hunter_saracen"}


# --- workers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("round", range(1, 8))
def test_paladins_opponent_workers_number(round: int) -> None:
    """The example on page 28: 7 in the fourth round."""
    game = create_solo_game(0)
    begin_round(game, round)
    assert game.opponent().workers.total() == round + 3


@pytest.mark.parametrize("workers", [{"cleric": 1, "fighter": 2}, {"labourer": 3}, {"criminal": 3}])
def test_paladins_opponent_workers_colours(workers: dict[str, int]) -> None:
    game = create_solo_game().workers(2, **workers).next_wall("wall_01")

    play_turn(game, "fortify")

    assert game.opponent().walls.items == {"wall_01": 1}
    assert sorted(worker for _, worker in game.opponent().areas["fortify"].workers()) == sorted(
        worker for worker, count in workers.items() for _ in range(count)
    )


def test_paladins_opponent_workers_colours__except_criminals() -> None:
    game = create_solo_game(1).display("townsfolk", "squire_3").next_suspicion(0)

    play_turn(game, "recruit")

    assert game.opponent().workers.items == {"criminal": 1}
    assert game.opponent().suspicion.total() == 1


@pytest.mark.parametrize("action", LEFT)
def test_paladins_opponent_workers_left_side(action: str) -> None:
    game = create_solo_game(1).display("townsfolk", "defender_1").next_suspicion(0)
    block(game, *LEFT[: LEFT.index(action)])

    events = play_turn(game, "recruit")

    assert detail(events, e.SchemeTurned).action == action
    assert detail(events, e.ActionBegun) == e.ActionBegun(action, 1)
    assert game.opponent().areas[action].workers()


# --- turns -------------------------------------------------------------------------------------------------------


def create_ready_game(**choices: str) -> PaladinsGame:
    """Create a game whose opponent can do everything."""
    game = create_solo_game(5, **choices).at(2, faith=12, strength=12, influence=12).debts(2, unpaid=1).suspicion(2, 0)
    return game.orders("commission").favours("favour_08").next_suspicion(0)


@pytest.mark.parametrize("scheme", [*RIGHT, "recruit", "order", "favour"])
def test_paladins_opponent_turn_scheme(scheme: str) -> None:
    """It carries out each scheme that is possible."""
    game = create_ready_game()
    action = "commission" if scheme == "order" else scheme

    events = play_turn(game, scheme)

    order = "commission" if scheme == "order" else ""
    assert detail(events, e.SchemeTurned) == e.SchemeTurned(scheme, action, (), order, reshuffled=False)
    assert events[0].name == "SchemeTurned"
    assert f"scheme_{scheme}" in game.t.scheme_discard.items
    assert game.t.scheme.value == f"scheme_{scheme}"
    assert game.deciding() == [1]
    if action in RIGHT:
        assert game.opponent().times(action) == 1
        assert not game.opponent().areas[action].is_open()


def block_action(action: str) -> Callable[[PaladinsGame], object]:
    """Return a function that blocks an action in a game."""
    return lambda game: block(game, action)


OBSTACLES: dict[str, dict[str, Callable[[PaladinsGame], object]]] = {
    "workers": {action: lambda game: game.workers(2, labourer=2) for action in RIGHT},
    "occupied": {action: block_action(action) for action in (*RIGHT, "recruit")},
    "attribute": {
        "commission": lambda game: game.at(2, faith=1).pieces(1, "monk", "r1a").pieces(1, "outpost", "r1b"),
        "fortify": lambda game: game.at(2, influence=0).bring("wall_01", game.opponent().walls),
        "garrison": lambda game: game.at(2, strength=1),
        "absolve": lambda game: game.at(2, influence=1).bring("jar", game.opponent().turned),
        "attack": lambda game: game.at(2, strength=1),
        "convert": lambda game: game.at(2, faith=1).empty(game.t.outsiders[0]),
    },
    "no_piece": {
        "commission": lambda game: game.exactly(game.opponent().monks),
        "fortify": lambda game: game.exactly(
            game.opponent().walls, **{f"wall_{at:02}": 1 for at in (1, 2, 3, 4, 5, 6, 13)}
        ),
        "garrison": lambda game: game.exactly(game.opponent().outposts),
        "absolve": lambda game: game.exactly(game.opponent().turned, jar=7),
        "convert": lambda game: game.exactly(
            game.opponent().converted, **dict.fromkeys(sorted(game.t.data.outsiders)[:7], 1)
        ),
    },
    "no_target": {
        "fortify": lambda game: game.empty(game.t.walls),
        "attack": lambda game: game.display("outsiders"),
        "convert": lambda game: game.display("outsiders"),
        "recruit": lambda game: game.display("townsfolk"),
        "favour": lambda game: game.favours(),
    },
}


@pytest.mark.parametrize(
    ("obstacle", "scheme"), [(obstacle, scheme) for obstacle, schemes in OBSTACLES.items() for scheme in schemes]
)
def test_paladins_opponent_turn_possible(obstacle: str, scheme: str) -> None:
    """The event names the obstacle, and the opponent does something else."""
    game = create_ready_game()
    OBSTACLES[obstacle][scheme](game)

    turned = turn_scheme(game, scheme)

    assert turned.tried == (Attempt(scheme, obstacle),)
    assert turned.action == ("pray" if scheme == "recruit" else "recruit")


def test_paladins_opponent_turn_possible__just_without_each_obstacle() -> None:
    """A workshop saves a worker, and exactly the needed attribute is enough."""
    game = create_ready_game().workshop(2, "commission", 1).workers(2, labourer=2)
    assert turn_scheme(game, "commission").action == "commission"

    exact: dict[str, Callable[[PaladinsGame], object]] = {
        "commission": lambda game: game.at(2, faith=2).pieces(1, "monk", "r1a").pieces(1, "outpost", "r1b"),
        "fortify": lambda game: game.at(2, influence=1).bring("wall_01", game.opponent().walls),
        "garrison": lambda game: game.at(2, strength=2),
        "absolve": lambda game: game.at(2, influence=2).bring("jar", game.opponent().turned),
        "attack": lambda game: game.at(2, strength=2).exactly(
            game.opponent().attacked, **dict.fromkeys(sorted(game.t.data.outsiders)[:12], 1)
        ),
        "convert": lambda game: game.at(2, faith=2).empty(game.t.outsiders[0]),
    }
    for action, prepare in exact.items():
        game = create_ready_game()
        prepare(game)
        for at, place in enumerate(game.t.outsiders):
            if at and not place.items:
                game.bring(next(iter(game.t.outsider_deck.items)), place)
        if not game.t.outsiders[0].items and action == "attack":
            game.bring(next(iter(game.t.outsider_deck.items)), game.t.outsiders[0])
        assert turn_scheme(game, action).action == action


@pytest.mark.parametrize("attacked", [6, 7, 8, 20])
def test_paladins_opponent_turn_possible__attacks_have_no_limit(attacked: int) -> None:
    game = create_ready_game()
    attacked_cards = [card for card in sorted(game.t.data.outsiders) if not card.startswith("archer")][:attacked]
    game.exactly(game.opponent().attacked, **dict.fromkeys(attacked_cards, 1)).display("outsiders", "archer_saracen")

    assert turn_scheme(game, "attack").action == "attack"
    assert game.opponent().times("attack") == attacked + 1


def test_paladins_opponent_turn_possible__not_on_a_full_board() -> None:
    """The obstacle is the target, not the attribute."""
    for action in ("commission", "garrison"):
        game = create_ready_game()
        occupy_spaces(game, [space.id for space, _ in game.t.spaces])
        assert all(pile.items for _, pile in game.t.spaces)

        assert turn_scheme(game, action).tried == (Attempt(action, "no_target"),)


@pytest.mark.parametrize("free", range(5))
def test_paladins_opponent_turn_otherwise(free: int) -> None:
    """The leftmost possible action of Recruit, Pray, Trade, Conspire and Rest."""
    game = block(create_ready_game().at(2, strength=0), *LEFT[:free])

    turned = turn_scheme(game, "attack")

    assert turned.action == (*LEFT, "rest")[free]
    assert turned.tried == (Attempt("attack", "attribute"), *(Attempt(action, "occupied") for action in LEFT[:free]))
    assert turned.order == ""


def test_paladins_opponent_turn_otherwise__as_in_the_example() -> None:
    """Page 28: with a workshop on Commission and only one worker, it carries out the leftmost action instead."""
    game = create_ready_game().workshop(2, "commission", 1).workers(2, labourer=1)

    turned = turn_scheme(game, "commission")

    assert (turned.action, turned.tried) == ("recruit", (Attempt("commission", "workers"),))


def test_paladins_opponent_turn_until_no_workers() -> None:
    """It passes when it must act without workers; the player continues alone."""
    game = create_ready_game().workers(2, labourer=3).occupy(2, "attack", "", "", "scout")
    play_turn(game, "fortify")
    assert not game.opponent().passed.value

    events = play_turn(game.workers(2), "attack")

    assert [event.name for event in events] == ["OpponentFinished"]
    assert game.opponent().passed.value
    assert game.opponent().areas["attack"].is_open()
    game.table.decisions[1] = "act"
    assert not named(game.workers(1, labourer=1).act(1, "trade", 1), "SchemeTurned")


def test_paladins_opponent_turn_until_no_workers__after_the_player_has_passed() -> None:
    game = create_solo_game(4).next_suspicion(0).turn(1, round=1).workers(1).at(2, faith=12).scheme("commission")
    game.bring("scheme_recruit", game.t.scheme_deck, 3)

    events = game.do(1, c.Pass())

    assert len(named(events, "SchemeTurned")) >= 2
    assert named(events, "OpponentFinished") or named(events, "OpponentRested")
    assert game.t.round.value == 2


@pytest.mark.parametrize("reading", ["reshuffle_discard", "rest"])
def test_paladins_opponent_turn_empty_deck(reading: str) -> None:
    """The reading ai_empty_scheme_deck."""
    game = create_ready_game(ai_empty_scheme_deck=reading)
    game.empty(game.t.scheme_deck, "schemes.discard")
    schemes = game.t.scheme_discard.total()

    turned = detail(play_random_turn(game), e.SchemeTurned)

    if reading == "rest":
        assert turned == e.SchemeTurned("", "rest", (), "", reshuffled=False)
        assert game.opponent().passed.value
    else:
        assert turned.reshuffled
        assert turned.scheme
        assert game.t.scheme_deck.total() == schemes - 1


# --- the King's Orders -------------------------------------------------------------------------------------------


def create_example(**choices: str) -> PaladinsGame:
    """Create the example on page 30: Fortify, Convert and Commission are revealed, from left to right."""
    return create_ready_game(**choices).orders("fortify", "convert", "commission")


def fulfil_orders(game: PaladinsGame, *actions: str) -> PaladinsGame:
    """Let the opponent have carried out these actions five times."""
    side = game.opponent()
    for action in actions:
        match action:
            case "commission":
                game.exactly(side.monks, **{side.monk: 2})
            case "convert":
                game.exactly(side.converted, **dict.fromkeys(sorted(game.t.data.outsiders)[-5:], 1))
            case _:
                game.exactly(side.walls, wall_01=1, wall_02=1, wall_03=1, wall_04=1, wall_05=1)
    return game.display("outsiders", *sorted(game.t.data.outsiders)[:6])


def test_paladins_opponent_actions_order() -> None:
    """The example on page 30: Commission, then Convert, then Fortify."""
    turned = turn_scheme(create_example(), "order")
    assert (turned.action, turned.order, turned.tried) == ("commission", "commission", ())

    turned = turn_scheme(fulfil_orders(create_example(), "commission"), "order")
    assert (turned.action, turned.tried) == ("convert", (Attempt("commission", "already_fulfilled"),))

    turned = turn_scheme(block(create_example(), "commission"), "order")
    assert (turned.action, turned.tried) == ("convert", (Attempt("commission", "occupied"),))

    turned = turn_scheme(block(create_example(), "commission", "convert"), "order")
    assert (turned.action, turned.order) == ("fortify", "fortify")

    turned = turn_scheme(block(create_example(), "commission", "convert", "fortify"), "order")
    assert (turned.action, turned.order) == ("recruit", "")


def test_paladins_opponent_actions_order__only_revealed_ones() -> None:
    turned = turn_scheme(create_ready_game().orders("fortify"), "order")
    assert (turned.action, turned.order) == ("fortify", "fortify")


@pytest.mark.parametrize(("reading", "action"), [("next_left", "convert"), ("fallback", "recruit")])
def test_paladins_opponent_actions_order__all_fulfilled(reading: str, action: str) -> None:
    """It still tries the rightmost; the reading ai_orders_all_fulfilled_blocked applies if that is blocked."""
    all_orders = ("fortify", "convert", "commission")
    game = fulfil_orders(create_example(ai_orders_all_fulfilled_blocked=reading), *all_orders)
    assert turn_scheme(game, "order").action == "commission"

    game = block(fulfil_orders(create_example(ai_orders_all_fulfilled_blocked=reading), *all_orders), "commission")
    turned = turn_scheme(game, "order")
    assert (turned.action, turned.tried) == (action, (Attempt("commission", "occupied"),))


@pytest.mark.parametrize("reading", ["next_left", "fallback"])
def test_paladins_opponent_actions_order__no_fulfilled_one_while_another_is_blocked(reading: str) -> None:
    game = block(
        fulfil_orders(create_example(ai_orders_all_fulfilled_blocked=reading), "convert", "commission"), "fortify"
    )
    turned = turn_scheme(game, "order")
    assert turned.action == "recruit"


@pytest.mark.parametrize(("reading", "action"), [("fallback", "recruit"), ("fulfilled_too", "commission")])
def test_paladins_opponent_actions_order_rest(reading: str, action: str) -> None:
    """One order is fulfilled and the others are blocked: the reading ai_orders_rest_blocked applies."""
    game = block(fulfil_orders(create_example(ai_orders_rest_blocked=reading), "commission"), "fortify", "convert")

    turned = turn_scheme(game, "order")

    occupied = (Attempt("convert", "occupied"), Attempt("fortify", "occupied"))
    if reading == "fallback":
        assert (turned.order, turned.tried) == ("", (Attempt("commission", "already_fulfilled"), *occupied))
    else:
        assert (turned.order, turned.tried) == ("commission", occupied)
    assert turned.action == action


@pytest.mark.parametrize("other", ["next_left", "fallback"])
def test_paladins_opponent_actions_order_rest__of_the_fulfilled_ones_from_the_right(other: str) -> None:
    """Also under the reading that tries only the rightmost order if all are fulfilled."""
    readings = {"ai_orders_rest_blocked": "fulfilled_too", "ai_orders_all_fulfilled_blocked": other}
    game = block(fulfil_orders(create_example(**readings), "convert", "commission"), "fortify")
    turned = turn_scheme(game, "order")
    assert turned == e.SchemeTurned(
        "order",
        "commission",
        (Attempt("convert", "already_fulfilled"), Attempt("fortify", "occupied")),
        "commission",
        reshuffled=False,
    )

    game = block(fulfil_orders(create_example(**readings), "convert", "commission"), "fortify", "commission")
    turned = turn_scheme(game, "order")
    assert (turned.action, turned.order) == ("convert", "convert")
    assert turned.tried == (Attempt("fortify", "occupied"), Attempt("commission", "occupied"))


@pytest.mark.parametrize("reading", ["fallback", "fulfilled_too"])
def test_paladins_opponent_actions_order_rest__if_none_is_possible(reading: str) -> None:
    all_orders = ("fortify", "convert", "commission")
    game = block(fulfil_orders(create_example(ai_orders_rest_blocked=reading), "convert"), *all_orders)
    turned = turn_scheme(game, "order")
    assert (turned.action, turned.order) == ("recruit", "")
    assert {attempt.action for attempt in turned.tried} == set(all_orders)


@pytest.mark.parametrize("reading", ["fallback", "fulfilled_too"])
def test_paladins_opponent_actions_order_rest__only_after_unfulfilled_ones(reading: str) -> None:
    game = fulfil_orders(create_example(ai_orders_rest_blocked=reading), "commission")
    turned = turn_scheme(game, "order")
    assert (turned.action, turned.tried) == ("convert", (Attempt("commission", "already_fulfilled"),))


# --- scoring -----------------------------------------------------------------------------------------------------


def test_paladins_opponent_scoring_converted() -> None:
    """At least one point for each; a higher value stays."""
    game = create_solo_game().at(2, faith=8)
    for card in ("hunter_saracen", "thief_viking", "warrior_saracen"):
        game.bring(card, game.opponent().converted)
    assert scoring.sheet(game.t, game.opponent()).outsiders == {
        "hunter_saracen": 1,
        "thief_viking": 1,
        "warrior_saracen": 2,
    }
    game.bring("hunter_byzantine", game.seat(1).converted)
    assert scoring.sheet(game.t, game.seat(1)).outsiders == {"hunter_byzantine": 0}


def test_paladins_opponent_scoring_nothing_for() -> None:
    """Workshops give no points, but a Guardian counts them (page 30)."""
    game = create_solo_game()
    for action in RIGHT:
        game.workshop(2, action, 1, 2) if action in ("attack", "convert") else game.workshop(2, action, 1)
    sheet = scoring.sheet(game.t, game.opponent())
    assert (sheet.develop, sheet.goods, sheet.total) == (0, 0, 0)
    game.bring("guardian_viking", game.opponent().converted)
    assert scoring.sheet(game.t, game.opponent()).outsiders == {"guardian_viking": 4}


def test_every_turn_of_the_opponent_begins_with_its_scheme_and_the_attempts() -> None:
    game = create_solo("hard", seed="scheme")
    turns = 0
    while not game.play.is_over():
        for event in game.idle(1):
            if event.seat != 2:
                continue
            if isinstance(event.detail, e.SchemeTurned):
                turns += 1
                assert all(attempt.obstacle for attempt in event.detail.tried)
                assert event.detail.action not in {attempt.action for attempt in event.detail.tried}
    assert turns > 20
