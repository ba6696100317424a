"""The opponent's gains and targets: its resource track, and every card and space (pp. 28–30)."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest
from msgspec import Struct
from tests.titles.paladins.adapter import DATA
from tests.titles.paladins.kit import PaladinsGame, all_details, detail, named
from tests.titles.paladins.solo import (
    LEFT,
    attribute_levels,
    block,
    create_solo_game,
    expected_state,
    find_targets,
    limit_supply,
    occupy_spaces,
    opponent_state,
    play_random_turn,
    play_turn,
    turn_scheme,
)

from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.events import Attempt
from boardkeeper.titles.paladins.opponent import gains

PRINTED: dict[str, Any] = tomllib.loads(
    files("boardkeeper.titles.paladins").joinpath("components.toml").read_text("utf-8")
)
"""The printed facts of cards and spaces."""

BY_PRIORITY = (
    "r1a", "r2a",  # recruit
    "r4e", "r5c", "r6a",  # pay a debt
    "r3d", "r4b", "r5a",  # pray
    "r4f", "r5b", "r5d", "r5e",  # two workers
    "r2c", "r3a", "r3b", "r3e", "r3f", "r4a", "r4c", "r4d",  # one worker
    "r1b", "r2b", "r3c", "r4g",  # silver
    "r2d",  # suspicion
)  # fmt: skip
"""All spaces of the main board for one player in the order of page 29, for an opponent with a debt to pay."""


ROW = (
    "archer_saracen",
    "archer_byzantine",
    "adventurer_saracen",
    "guardian_viking",
    "lookout_viking",
    "hunter_saracen",
)


def create_game(**choices: str) -> PaladinsGame:
    """Create a game whose opponent can do everything, with debts and suspicion; the next cards have no tax."""
    game = create_solo_game(5, **choices).at(2, faith=10, strength=7, influence=8).at(1, silver=0)
    return game.debts(2, unpaid=3).suspicion(2, 1, 1, 1, 1).next_suspicion(0)


# --- the resource track ------------------------------------------------------------------------------------------


def force_trade(game: PaladinsGame) -> PaladinsGame:
    """Leave the opponent no action but Trade."""
    return block(game.display("townsfolk"), "pray", "attack")


@pytest.mark.parametrize("field", [1, 2, 3, 4])
def test_paladins_opponent_track_instead_of_goods(field: int) -> None:
    game = create_game().at(2, field=field)
    before = attribute_levels(game)

    events = play_turn(force_trade(game), "attack")

    assert detail(events, e.ResourceMarkerMoved) == e.ResourceMarkerMoved(1, field + 1, "trade")
    assert attribute_levels(game) == before


@pytest.mark.parametrize(("townsfolk", "steps"), [("acolyte_2", 0), ("defender_2", 1), ("peddler_2", 1)])
def test_paladins_opponent_track_instead_of_goods__of_townsfolk(townsfolk: str, steps: int) -> None:
    game = create_game().display("townsfolk", townsfolk)
    play_turn(game, "recruit")
    assert game.opponent().field.value == 1 + steps


@pytest.mark.parametrize(
    ("faith", "strength", "influence", "rises"), [(3, 2, 1, "influence"), (1, 2, 3, "faith"), (3, 1, 2, "strength")]
)
def test_paladins_opponent_track_end(faith: int, strength: int, influence: int, rises: str) -> None:
    game = force_trade(create_game()).at(2, field=5, faith=faith, strength=strength, influence=influence)

    events = play_turn(game, "attack")

    assert detail(events, e.ResourceMarkerMoved).field == 1
    assert detail(events, e.OpponentAdvanced) == e.OpponentAdvanced(rises, 2, (rises,), lost=False)
    assert attribute_levels(game)[rises] == 2
    assert sum(attribute_levels(game).values()) == 7


@pytest.mark.parametrize(
    ("field", "workers", "end_field", "laps"), [(1, 3, 5, 0), (1, 4, 1, 1), (3, 11, 5, 2), (5, 15, 1, 4), (2, 13, 1, 3)]
)
def test_paladins_opponent_track_end__more_than_once(field: int, workers: int, end_field: int, laps: int) -> None:
    """By resting with many workers; each lap raises the attribute that is the lowest then."""
    game = block(create_game(), *LEFT, "attack").workers(2, labourer=workers).at(2, field=field)
    game.at(2, faith=1, strength=5, influence=2)

    events = play_turn(game, "attack")

    assert game.opponent().field.value == end_field
    rises = ["faith", "faith", "influence", "influence"]  # of equal ones, the marker that came last is on top
    assert [advanced.attribute for advanced in all_details(events, e.OpponentAdvanced)] == rises[:laps]


def test_paladins_opponent_track_end__does_not_raise_beyond_12() -> None:
    game = force_trade(create_game()).at(2, field=5, faith=12, strength=12, influence=12)

    events = play_turn(game, "attack")

    assert detail(events, e.OpponentAdvanced).lost
    assert set(attribute_levels(game).values()) == {12}
    assert game.opponent().field.value == 1


def test_paladins_opponent_track_tie() -> None:
    """At first strength is on top, then faith; a moved marker comes on top of the markers that it meets."""
    game = block(create_solo_game(19), *LEFT, "attack").at(2, field=2)

    events = play_turn(game, "attack")

    advanced = all_details(events, e.OpponentAdvanced)
    assert [(each.attribute, each.level) for each in advanced] == [
        ("strength", 1),
        ("faith", 1),
        ("influence", 1),
        ("influence", 2),
    ]
    assert [len(each.tied) for each in advanced] == [3, 2, 1, 3]


def test_paladins_opponent_track_tie__after_gains_from_cards() -> None:
    """Faith came to 1 after strength, so it is on top."""
    game = create_solo_game().display("townsfolk", "defender_1", "missionary_2").at(2, influence=5)
    play_turn(game, "recruit")
    block(game.at(2, field=2), "attack").exactly(game.opponent().areas["recruit"].spaces[0])
    play_turn(game, "recruit")
    assert attribute_levels(game) == {"faith": 1, "strength": 1, "influence": 5}

    events = play_turn(force_trade(game.at(2, field=5)), "attack")

    assert detail(events, e.OpponentAdvanced) == e.OpponentAdvanced("faith", 2, ("faith", "strength"), lost=False)


@pytest.mark.parametrize("field", [1, 2, 3, 4, 5])
def test_paladins_opponent_track_selects(field: int) -> None:
    """The example on page 28: on the third field it takes the third card, then the fourth, the fifth, and the first."""
    row = ("abbot_1", "acolyte_1", "architect_1", "debt_collector_1", "watchman_3")
    order = [(field - 1 + at) % 5 for at in range(5)]
    for missing in range(5):
        game = create_game().at(2, field=field)
        game.display("townsfolk", *("" if at in order[:missing] else card for at, card in enumerate(row)))
        chosen = find_targets(game, "recruit")[0]
        assert chosen == e.TargetChosen(
            row[order[missing]], "marker", field, tuple(Attempt(str(at + 1), "not_there") for at in order[:missing])
        )


@pytest.mark.parametrize("scheme", ["attack", "convert"])
@pytest.mark.parametrize("field", [1, 2, 3, 4, 5])
def test_paladins_opponent_track_selects__the_sixth_outsider_after_the_fifth(field: int, scheme: str) -> None:
    order = [(field - 1 + at) % 6 for at in range(6)]
    for missing in range(6):
        game = create_game().at(2, field=field, faith=12, strength=12)
        game.display("outsiders", *("" if at in order[:missing] else card for at, card in enumerate(ROW)))
        assert find_targets(game, scheme)[0].target == ROW[order[missing]]


# --- taxes and missing cards and debts ---------------------------------------------------------------------------


@pytest.mark.parametrize(("tax", "supply", "left"), [(0, 5, 5), (1, 5, 4), (2, 5, 3)])
def test_paladins_opponent_gains_tax(tax: int, supply: int, left: int) -> None:
    """It has no silver: the tax leaves the game, and the marker moves as many fields (page 29, Conspire)."""
    game = block(create_game().display("townsfolk"), "pray", "trade", "attack").at(0, tax=supply).next_suspicion(tax)

    events = play_turn(game, "attack")

    assert detail(events, e.SuspicionTaken) == e.SuspicionTaken(f"suspicion_{tax}", tax, 0, reshuffled=False)
    assert game.t.tax.value == left
    assert game.opponent().field.value == 1 + tax


def test_paladins_opponent_gains_tax__more_than_the_supply_has() -> None:
    """The marker also moves for silver from the general supply; then an inquisition follows."""
    game = create_game().at(0, tax=1).display("townsfolk", "defender_3")

    events = play_turn(game, "recruit")

    assert detail(events, e.TaxRemoved) == e.TaxRemoved(1, "tax")
    assert game.opponent().field.value == 3
    assert named(events, "InquisitionBegun")
    assert game.t.tax.value == 5


@pytest.mark.parametrize(("townsfolk", "silver"), [("abbot_3", 1), ("acolyte_3", 2)])
def test_paladins_opponent_gains_nothing_to_discard(townsfolk: str, silver: int) -> None:
    game = create_game().debts(2).suspicion(2).display("townsfolk", townsfolk)

    events = play_turn(game, "recruit")

    assert [removed.silver for removed in all_details(events, e.TaxRemoved)] == [1] * silver
    assert game.t.tax.value == 5 - silver
    assert game.opponent().field.value == 1


def test_paladins_opponent_gains_nothing_to_discard__one_of_two() -> None:
    game = create_game().suspicion(2, 1).display("townsfolk", "acolyte_3")
    events = play_turn(game, "recruit")
    assert [event.name for event in events if event.name in ("SuspicionDiscarded", "TaxRemoved")] == [
        "SuspicionDiscarded",
        "TaxRemoved",
    ]
    assert game.t.tax.value == 4


def test_paladins_opponent_gains_nothing_to_discard__with_the_last_silver() -> None:
    game = create_game().suspicion(2).display("townsfolk", "acolyte_3").at(0, tax=1)
    events = play_turn(game, "recruit")
    assert len(named(events, "InquisitionBegun")) == 1
    assert game.t.tax.value == 4, "the second one comes after the refill"


def test_paladins_opponent_gains_nothing_to_discard__does_not_apply_to_paying_a_debt() -> None:
    """Only discarding is replaced; a space that pays a debt gives nothing without a debt."""
    game = occupy_spaces(create_game(), [space for space in BY_PRIORITY if space not in ("r4e", "r5c")]).debts(2)

    events = play_turn(game, "commission")

    assert all_details(events, e.RewardLapsed) == [e.RewardLapsed("pay_debt")]
    assert not named(events, "TaxRemoved")
    assert game.t.tax.value == 5


@pytest.mark.parametrize(
    ("scheme", "prepare", "names"),
    [
        ("absolve", {}, ["SuspicionDiscarded", "DebtPaid"]),
        ("favour_02", {}, ["SuspicionDiscarded", "TaxRemoved"]),
        ("favour_03", {}, ["SuspicionTaken", "SuspicionTaken"]),
        ("favour_05", {}, ["TargetChosen", "TargetChosen", "DebtPaid"]),
        ("favour_06", {}, ["TargetChosen", "Gained", "DebtTaken"]),
    ],
)
def test_paladins_opponent_gains_order(scheme: str, prepare: dict[str, int], names: list[str]) -> None:
    """Each reward is settled before the next one; the suspicion of a criminal before the next criminal."""
    game = create_game()
    if scheme.startswith("favour"):
        game.favours(scheme)
        scheme = "favour"

    assert [event.name for event in play_turn(game, scheme) if event.name in names] == names


def test_paladins_opponent_gains_order__suspicion_with_each_criminal() -> None:
    game = create_game().favours("favour_03")
    events = play_turn(game, "favour")
    assert [event.name for event in events if event.name in ("Gained", "SuspicionTaken")] == [
        "Gained",
        "SuspicionTaken",
    ] * 2


def test_paladins_opponent_gains_order__of_everything_at_once() -> None:
    """A debt that it takes, discards, payments, taxes, criminals with suspicion, the rest, and options last."""
    names_by_reward = {
        "take_debt": ["DebtTaken"],
        "discard_suspicion": ["SuspicionDiscarded"],
        "destroy_debt": ["DebtDestroyed"],
        "pay_debt": ["DebtPaid"],
        "tax": ["TaxRemoved", "ResourceMarkerMoved"],
        "tax_2": ["TaxRemoved", "ResourceMarkerMoved"],
        "criminal": ["Gained", "SuspicionTaken"],
        "pray": ["SchemesShuffled"],
        "free_recruit": ["TargetChosen", "TownsfolkDiscarded", "Gained"],
        "faith_or_strength_or_influence": ["TargetChosen", "RewardChosen", "Gained"],
    }
    game = create_game().display("townsfolk", "acolyte_1")
    for kind in reversed(names_by_reward):
        game.opponent().due.owe(kind)
    game.opponent().due.owe("suspicion")
    game.play.recorder.clear()

    while game.opponent().due:
        gains.settle(game.t, game.opponent())

    events = game.play.recorder.take()
    assert [event.name for event in events] == [
        "SuspicionTaken",
        *(name for names in names_by_reward.values() for name in names),
    ]
    assert [removed.silver for removed in all_details(events, e.TaxRemoved)] == [1, 2]


# --- events ------------------------------------------------------------------------------------------------------


def test_gains_of_the_opponent_except_goods_have_an_event() -> None:
    """Goods move its marker; gains beyond the end of a track or the supply are lost."""
    card = "mercenary_saracen_1"
    game = create_game().display("outsiders", card)
    events = play_turn(game, "attack")
    assert detail(events, e.Gained) == e.Gained(("influence", "labourer"), card, ())
    assert detail(events, e.ResourceMarkerMoved) == e.ResourceMarkerMoved(1, 2, card)

    game = create_game().display("outsiders", card).at(2, influence=12)
    assert detail(play_turn(limit_supply(game, labourer=0), "attack"), e.Gained).lost == ("influence", "labourer")


def test_the_gain_of_an_action_of_the_opponent_has_an_event() -> None:
    assert detail(play_turn(create_game(), "absolve"), e.Gained) == e.Gained(("faith",), "absolve", ())


@pytest.mark.parametrize("left", [1, 0])
def test_a_criminal_of_the_opponent_has_an_event(left: int) -> None:
    """Without a criminal no suspicion is taken."""
    game = limit_supply(create_game().favours("favour_03"), criminal=left)

    details = [event.detail for event in play_turn(game, "favour") if event.name in ("Gained", "SuspicionTaken")]

    gained: list[Struct] = [e.Gained(("criminal",), "favour", ()), e.SuspicionTaken("suspicion_0", 0, 0, False)]
    assert details == [*gained * left, *[e.Gained(("criminal",), "favour", ("criminal",))] * (2 - left)]
    assert game.opponent().workers.items.get("criminal", 0) == left


def test_any_worker_for_the_opponent_is_no_criminal() -> None:
    """A criminal would bring suspicion, so the opponent gets no worker if only criminals are left."""
    game = block(create_game(supply_limits="as_in_the_box").display("townsfolk"), "pray", "trade", "attack")
    limit_supply(game, **dict.fromkeys(("labourer", "scout", "merchant", "fighter", "cleric"), 0))

    assert turn_scheme(game, "attack").action == "conspire"

    assert game.counts("supply").keys() == {"criminal"}
    assert game.opponent().workers.items == {"labourer": 4}
    assert game.opponent().suspicion.total() == 5


def test_removed_taxes_have_an_event_with_their_reason() -> None:
    """Taxes for a card that it cannot discard do not move the marker."""
    taxed = play_turn(create_game().display("townsfolk", "defender_3"), "recruit")
    assert detail(taxed, e.TaxRemoved) == e.TaxRemoved(2, "tax")
    assert detail(taxed, e.ResourceMarkerMoved) == e.ResourceMarkerMoved(2, 3, "tax")
    for card, reason in (("abbot_3", "destroy_debt"), ("peddler_3", "discard_suspicion")):
        events = play_turn(create_game().debts(2).suspicion(2).display("townsfolk", card), "recruit")
        assert set(all_details(events, e.TaxRemoved)) == {e.TaxRemoved(1, reason)}


# --- options -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wall", ["wall_07", "wall_08", "wall_12"])
@pytest.mark.parametrize("reading", ["right_option", "no_effect"])
def test_paladins_opponent_gains_left_option(wall: str, reading: str) -> None:
    """It pays a debt; without one, the reading ai_left_option_void applies."""
    game = create_game(ai_left_option_void=reading).next_wall(wall)
    assert [chosen.reason for chosen in find_targets(game, "fortify")] == ["left_option"]
    assert (game.opponent().paid.total(), game.opponent().field.value) == (1, 1)

    game = create_game(ai_left_option_void=reading).next_wall(wall).debts(2)
    events = play_turn(game, "fortify")
    if reading == "right_option":
        assert detail(events, e.TargetChosen) == e.TargetChosen("silver+silver", "right_option", 0)
        assert game.opponent().field.value == 3
    else:
        assert detail(events, e.TargetChosen) == e.TargetChosen("pay_debt", "none", 0)
        assert named(events, "RewardLapsed")
        assert game.opponent().field.value == 1


@pytest.mark.parametrize("wall", ["wall_09", "wall_10", "wall_11", "wall_14"])
@pytest.mark.parametrize("cards", [0, 1])
def test_paladins_opponent_gains_left_option__discarding_always_has_an_effect(wall: str, cards: int) -> None:
    """Without suspicion it takes silver from the tax supply instead (page 28), so the left option is never void."""
    game = create_game().next_wall(wall).suspicion(2, *[1] * cards)

    play_turn(game, "fortify")

    assert game.opponent().suspicion.total() == 0
    assert game.t.tax.value == 4 + cards
    assert game.opponent().field.value == 1


@pytest.mark.parametrize(("unpaid", "paid", "suspicion"), [(1, 1, 2), (0, 0, 0)])
def test_paladins_opponent_gains_left_option__of_a_favour(unpaid: int, paid: int, suspicion: int) -> None:
    game = create_game().favours("favour_05").debts(2, unpaid=unpaid).suspicion(2, 1, 1)
    play_turn(game, "favour")
    assert (game.opponent().paid.total(), game.opponent().suspicion.total()) == (paid, suspicion)


@pytest.mark.parametrize(
    ("faith", "strength", "influence", "rises"),
    [(1, 2, 3, "faith"), (3, 2, 1, "influence"), (2, 1, 3, "strength"), (2, 2, 2, "strength"), (2, 3, 2, "faith")],
)
def test_paladins_opponent_gains_lowest_attribute(faith: int, strength: int, influence: int, rises: str) -> None:
    game = create_solo_game().favours("favour_04").at(2, faith=faith, strength=strength, influence=influence)
    before = attribute_levels(game)

    chosen = find_targets(game, "favour")[-1]

    assert (chosen.target, chosen.reason) == (rises, "lowest")
    assert attribute_levels(game) == before | {rises: before[rises] + 1}


def test_paladins_opponent_gains_never_develops() -> None:
    game = create_game().favours("favour_07")
    chosen = find_targets(game, "favour")[-1]
    assert chosen == e.TargetChosen("fighter+cleric", "right_option", 0)
    assert game.opponent().workers.items == {"labourer": 4, "fighter": 1, "cleric": 1}
    assert not any(area.workshop_mask() for area in game.opponent().right)


# --- every card and space ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", sorted(PRINTED["townsfolk"]))
def test_paladins_opponent_actions_recruit(card: str) -> None:
    """The opponent discards townsfolk for free, for the reward at the top, and never hires."""
    game = create_game().display("townsfolk", card)
    before = opponent_state(game)

    events = play_turn(game, "recruit")

    expected = expected_state(before, PRINTED["townsfolk"][card]["discard"])
    assert opponent_state(game) == expected | {"workers": expected["workers"] - 1}
    assert detail(events, e.TownsfolkDiscarded) == e.TownsfolkDiscarded(card, "", 0)
    assert card in game.t.townsfolk_discard.items


def test_paladins_opponent_actions_recruit__by_a_space() -> None:
    """A free recruit also discards, and lapses if the row is empty."""
    game = create_game().display("townsfolk", "defender_1")
    play_turn(game, "commission")
    assert attribute_levels(game)["strength"] == 8
    assert game.opponent().areas["recruit"].is_open()

    game = create_game().display("townsfolk")
    assert all_details(play_turn(game, "commission"), e.RewardLapsed) == [e.RewardLapsed("free_recruit")]

    game = create_game().display("townsfolk", "architect_1")
    assert all_details(play_turn(game, "commission"), e.Gained)[-1] == e.Gained(("criminal",), "free_recruit", ())


@pytest.mark.parametrize("card", sorted(id for id in PRINTED["outsiders"] if id in DATA.outsiders))
def test_paladins_opponent_actions_attack(card: str) -> None:
    game = create_game().display("outsiders", card)
    before = opponent_state(game)

    events = play_turn(game, "attack")

    expected = expected_state(before, PRINTED["outsiders"][card]["attack"])
    assert opponent_state(game) == expected | {"workers": expected["workers"] - 3}
    assert detail(events, e.OutsiderAttacked) == e.OutsiderAttacked(card, 0)
    assert game.opponent().attacked.items == {card: 1}


@pytest.mark.parametrize("card", sorted(id for id in PRINTED["outsiders"] if id in DATA.outsiders))
def test_paladins_opponent_actions_convert(card: str) -> None:
    game = create_game().display("outsiders", card)
    before = opponent_state(game)

    events = play_turn(game, "convert")

    expected = expected_state(before, ["strength"] * PRINTED["outsiders"][card]["strength"])
    assert opponent_state(game) == expected | {"workers": expected["workers"] - 3}
    assert detail(events, e.OutsiderConverted) == e.OutsiderConverted(card, 0)
    assert game.opponent().converted.items == {card: 1}


@pytest.mark.parametrize(
    ("scheme", "attribute", "flags"),
    [("attack", "strength", (2, 3, 5, 7, 9, 11)), ("convert", "faith", (0, 2, 4, 6, 8, 10))],
)
def test_paladins_opponent_actions_attack__within_its_attribute(
    scheme: str, attribute: str, flags: tuple[int, ...]
) -> None:
    """Neither silver nor its marker helps: it skips outsiders beyond its attribute."""
    for level in range(13):
        possible = [at for at, flag in enumerate(flags) if flag <= level]
        for field in (1, 3, 5):
            game = create_game().display("outsiders", *ROW).at(2, field=field, **{attribute: level})
            events = play_turn(game, scheme)
            order = [(field - 1 + at) % 6 for at in range(6)]
            target = next((at for at in order if at in possible), None)
            if target is None:
                assert detail(events, e.SchemeTurned).tried == (Attempt(scheme, "attribute"),)
                continue
            chosen = all_details(events, e.TargetChosen)[0]
            skipped = order[: order.index(target)]
            assert chosen == e.TargetChosen(
                ROW[target], "marker", field, tuple(Attempt(ROW[at], "attribute") for at in skipped)
            )


@pytest.mark.parametrize("wall", sorted(id for id in PRINTED["walls"] if id in DATA.walls))
def test_paladins_opponent_actions_fortify(wall: str) -> None:
    """It gains the reward of the wall with the left option."""
    game = create_game().next_wall(wall)
    before = opponent_state(game)

    events = play_turn(game, "fortify")

    printed = PRINTED["walls"][wall]
    expected = expected_state(before, [*printed["gain"], *printed.get("choice", [[]])[0]])
    assert opponent_state(game) == expected | {"workers": expected["workers"] - 3}
    assert detail(events, e.WallBuilt) == e.WallBuilt(wall, 1, 0)


@pytest.mark.parametrize(("built", "influence"), list(enumerate((0, 1, 3, 5, 7, 9, 11))))
def test_paladins_opponent_actions_fortify__needs_influence(built: int, influence: int) -> None:
    walls = ("wall_01", "wall_02", "wall_03", "wall_04", "wall_05", "wall_06")
    for level in {influence, max(0, influence - 1)}:
        game = create_game().at(2, influence=level)
        game.exactly(game.opponent().walls, **dict.fromkeys(walls[:built], 1)).next_wall("wall_24")
        turned = turn_scheme(game, "fortify")
        assert turned.action == ("fortify" if level == influence else "recruit")


@pytest.mark.parametrize(("choice", "numbers"), [("even", (0, 2, 4, 6, 8, 10, 12)), ("odd", (0, 1, 3, 5, 7, 9, 11))])
def test_paladins_opponent_actions_absolve__needs_influence(choice: str, numbers: tuple[int, ...]) -> None:
    """The number of the next jar (option jar_numbers)."""
    for turned, number in enumerate(numbers):
        for level in {number, max(0, number - 1)}:
            game = create_game(jar_numbers=choice).at(2, influence=level)
            game.exactly(game.opponent().turned, jar=turned).exactly(game.opponent().jars, jar=7 - turned)
            action = turn_scheme(game, "absolve").action
            assert action == ("absolve" if level == number else "recruit")


@pytest.mark.parametrize(
    ("unpaid", "cards", "paid", "left", "tax"),
    [(1, 2, 1, 1, 5), (0, 3, 0, 1, 5), (0, 1, 0, 0, 4), (0, 0, 0, 0, 3), (2, 0, 1, 0, 4)],
)
def test_paladins_opponent_actions_absolve(unpaid: int, cards: int, paid: int, left: int, tax: int) -> None:
    """It turns a jar, gains 1 faith, discards a suspicion card, and pays a debt or discards another card or silver."""
    game = create_game().debts(2, unpaid=unpaid).suspicion(2, *[1] * cards)

    events = play_turn(game, "absolve")

    assert attribute_levels(game)["faith"] == 11
    assert (game.opponent().jars.total(), game.opponent().turned.total()) == (6, 1)
    assert (game.opponent().paid.total(), game.opponent().suspicion.total()) == (paid, left)
    assert game.t.tax.value == tax
    assert game.opponent().field.value == 1
    assert detail(events, e.Absolved) == e.Absolved("", 1, 0)


@pytest.mark.parametrize("card", sorted(id for id in PRINTED["favours"] if id in DATA.favours))
def test_paladins_opponent_actions_favour(card: str) -> None:
    """The favour costs one worker of any colour and nothing else."""
    game = create_game().favours("", "", card).display("townsfolk", "abbot_1")
    before = opponent_state(game)

    events = play_turn(game, "favour")

    printed = PRINTED["favours"][card]
    options: list[list[str]] = printed.get("choice", [[]])
    option = {"favour_04": ["strength"], "favour_07": options[-1]}.get(card, options[0])
    gains_of_favour = [*printed["gain"], *option]
    if card == "favour_01":
        gains_of_favour = PRINTED["townsfolk"]["abbot_1"]["discard"]
    expected = expected_state(before, gains_of_favour)
    assert opponent_state(game) == expected | {"workers": expected["workers"] - 1}
    assert detail(events, e.FavourBegun) == e.FavourBegun(card, 0, 0)
    assert game.t.favour_workers[2].items == {"labourer": 1}


def test_paladins_opponent_actions_favour__as_in_the_example() -> None:
    """Page 30: the fifth and the first are used, so it takes the second; its marker completes a lap."""
    game = create_solo_game().favours("favour_10", "favour_02", "favour_09", "favour_01", "favour_03").suspicion(2, 0)
    game.bring("labourer", game.t.favour_workers[4]).bring("scout", game.t.favour_workers[0])
    game.at(2, field=5, faith=3, strength=4, influence=1)

    events = play_turn(game, "favour")

    assert all_details(events, e.TargetChosen) == [
        e.TargetChosen("favour_02", "marker", 5, (Attempt("favour_03", "used"), Attempt("favour_10", "used")))
    ]
    assert game.opponent().suspicion.total() == 0
    assert game.t.tax.value == 3
    assert game.opponent().field.value == 2
    assert attribute_levels(game) == {"faith": 3, "strength": 4, "influence": 2}


def test_paladins_opponent_actions_favour__only_revealed_ones() -> None:
    game = create_game().favours("favour_08").at(2, field=3)
    assert find_targets(game, "favour")[0].passed_over == tuple(Attempt(str(at), "not_there") for at in (3, 4, 5))

    game = create_game().favours("favour_08")
    game.bring("labourer", game.t.favour_workers[0])
    turned = turn_scheme(game, "favour")
    assert (turned.action, turned.tried) == ("recruit", (Attempt("favour", "no_target"),))


@pytest.mark.parametrize("scheme", ["commission", "garrison"])
@pytest.mark.parametrize("taken", range(23))
def test_paladins_opponent_pieces_priority(scheme: str, taken: int) -> None:
    """If all earlier spaces are taken, it uses the next one in the order of page 29, with its reward."""
    game = occupy_spaces(create_game().display("townsfolk", "abbot_1"), BY_PRIORITY[:taken]).at(
        2, faith=11, strength=11
    )
    before = opponent_state(game)

    events = play_turn(game, scheme)

    space = BY_PRIORITY[taken]
    assert all_details(events, e.TargetChosen)[0] == e.TargetChosen(space, "priority", 0)
    assert ("monk.2" if scheme == "commission" else "outpost.2") in game.t.space[space][1].items
    printed: list[str] = PRINTED["spaces"][space]["gain"]
    if printed == ["free_recruit"]:
        printed = PRINTED["townsfolk"]["abbot_1"]["discard"]
    if printed == ["pray"]:
        printed = []  # its own three workers return, so it gets no worker instead
    expected = expected_state(before, [*printed, "influence" if scheme == "commission" else "faith"])
    assert opponent_state(game) == expected | {"workers": expected["workers"] - 3}


@pytest.mark.parametrize("left", [("r4e", "r5c", "r6a"), ("r5c", "r6a"), ("r6a",)])
def test_paladins_opponent_pieces_priority__if_only_useless_spaces_are_free(left: tuple[str, ...]) -> None:
    """It takes the leftmost of the spaces that pay a debt, without a debt."""
    game = occupy_spaces(create_game(), [space for space in BY_PRIORITY if space not in left]).debts(2).at(2, faith=12)
    assert find_targets(game, "commission")[0].target == left[0]


def test_paladins_opponent_pieces_priority__without_a_debt() -> None:
    """It avoids spaces that pay a debt while another space is free."""
    for taken in range(0, 20, 3):
        others = [space for space in BY_PRIORITY if PRINTED["spaces"][space]["gain"] != ["pay_debt"]]
        game = occupy_spaces(create_game(), others[:taken]).debts(2).at(2, faith=12)
        assert find_targets(game, "commission")[0].target == others[taken]


@pytest.mark.parametrize("scheme", ["commission", "garrison"])
@pytest.mark.parametrize("suspicion", [(), (0, 0)])
def test_paladins_opponent_pieces_no_debt(scheme: str, suspicion: tuple[int, ...]) -> None:
    """Only the piece brings a gain: neither silver nor suspicion is removed instead."""
    game = occupy_spaces(create_game(), [space for space in BY_PRIORITY if space not in ("r4e", "r6a")]).debts(2)
    game.suspicion(2, *suspicion).at(2, faith=11, strength=11)
    before = opponent_state(game)

    events = play_turn(game, scheme)

    assert all_details(events, e.TargetChosen) == [e.TargetChosen("r4e", "priority", 0)]
    assert all_details(events, e.RewardLapsed) == [e.RewardLapsed("pay_debt")]
    assert not named(events, "TaxRemoved")
    expected = expected_state(before, ["influence" if scheme == "commission" else "faith"])
    assert opponent_state(game) == expected | {"workers": expected["workers"] - 3}


def test_paladins_opponent_pieces_no_debt__if_other_free_spaces_are_beyond_its_faith() -> None:
    left = ("r4e", "r5a")
    for faith, space in ((6, "r4e"), (8, "r5a")):
        game = (
            occupy_spaces(create_game(), [each for each in BY_PRIORITY if each not in left]).debts(2).at(2, faith=faith)
        )
        assert find_targets(game, "commission")[0].target == space


@pytest.mark.parametrize(("faith", "space"), [(0, "r1b"), (2, "r2a"), (10, "r2a")])
def test_paladins_opponent_actions_pieces(faith: int, space: str) -> None:
    """It needs the faith of the region; a monk brings 1 influence."""
    game = occupy_spaces(create_game(), ["r1a"]).at(2, faith=faith, influence=3)

    events = play_turn(game, "commission")

    assert detail(events, e.MonkSent) == e.MonkSent(space, int(space[1]), 0)
    assert attribute_levels(game)["influence"] == 4


@pytest.mark.parametrize(("first", "strength", "space"), [("2", 2, "r1b"), ("2", 3, "r2a"), ("1", 1, "r1b")])
def test_paladins_opponent_actions_pieces__outposts(first: str, strength: int, space: str) -> None:
    """It needs the strength of the region (reading first_strength_flag); an outpost brings 1 faith."""
    game = occupy_spaces(create_game(first_strength_flag=first), ["r1a"]).at(2, strength=strength, faith=5)

    events = play_turn(game, "garrison")

    assert detail(events, e.OutpostBuilt) == e.OutpostBuilt(space, int(space[1]), 0)
    assert attribute_levels(game)["faith"] == 6


# --- the left side -----------------------------------------------------------------------------------------------


def test_paladins_opponent_actions_pray() -> None:
    """Workers return only from the right side, workshops stay, and all schemes return to the deck."""
    game = block(create_game().workshop(2, "convert", 1), "recruit", "attack", "convert")
    schemes = game.t.scheme_deck.total() + game.t.scheme_discard.total()

    events = play_turn(game, "attack")

    assert detail(events, e.SchemesShuffled) == e.SchemesShuffled(("labourer", "labourer"))
    assert all(area.is_open() for area in game.opponent().right)
    assert game.opponent().areas["convert"].workshop_mask() == 1
    assert not game.opponent().areas["recruit"].is_open()
    assert game.opponent().workers.total() == 4
    assert (game.t.scheme_deck.total(), game.t.scheme_discard.total()) == (schemes, 0)


def test_paladins_opponent_actions_pray__with_a_clear_right_side() -> None:
    """It receives a worker instead, and still shuffles its schemes."""
    game = block(create_game().at(2, strength=0), "recruit")
    schemes = game.t.scheme_deck.total() + game.t.scheme_discard.total()

    events = play_turn(game, "attack")

    assert detail(events, e.SchemesShuffled) == e.SchemesShuffled(())
    assert game.opponent().workers.total() == 5
    assert game.t.scheme_deck.total() == schemes


def test_paladins_opponent_actions_trade() -> None:
    game = force_trade(create_game())
    before = opponent_state(game)
    play_turn(game, "attack")
    assert opponent_state(game) == before | {"field": 2, "workers": 4}


@pytest.mark.parametrize("tax", [0, 1, 2])
def test_paladins_opponent_actions_conspire(tax: int) -> None:
    game = block(create_game().display("townsfolk").next_suspicion(tax), "pray", "trade", "attack")
    before = opponent_state(game)
    play_turn(game, "attack")
    assert opponent_state(game) == before | {
        "workers": 5 - 1 + 2,
        "suspicion": before["suspicion"] + 1,
        "field": 1 + tax,
        "tax": 5 - tax,
    }


@pytest.mark.parametrize("unused", [1, 2, 3])
def test_paladins_opponent_actions_rest(unused: int) -> None:
    """It moves one field and one for each unused worker, and passes."""
    game = block(create_game(), *LEFT, "attack").workers(2, labourer=unused)

    events = play_turn(game, "attack")

    assert detail(events, e.OpponentRested) == e.OpponentRested(("labourer",) * unused)
    assert detail(events, e.ResourceMarkerMoved) == e.ResourceMarkerMoved(1 + unused, 2 + unused, "rest")
    assert game.opponent().passed.value == 1
    game.table.decisions[1] = "act"
    assert not [event for event in game.workers(1, scout=1).act(1, "conspire", 1) if event.name == "SchemeTurned"]


def test_a_random_scheme_is_discarded_after_its_turn() -> None:
    game = create_game()
    game.empty(game.t.scheme_discard, "schemes.deck")
    schemes = game.t.scheme_deck.total()
    turned = detail(play_random_turn(game), e.SchemeTurned)
    assert turned.scheme in DATA.schemes
    if turned.action != "pray":
        assert game.t.scheme_deck.total() == schemes - 1
