"""What the opponent receives and goes for: its resource track, every card and space by construction (pp. 28–30)."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest
from msgspec import Struct
from tests.titles.paladins.adapter import DATA
from tests.titles.paladins.kit import PaladinsGame, detail, every, named
from tests.titles.paladins.solo import LEFT, after, any_turn, blocked, levels, occupy, scarce, solo, state, turn

from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.events import Attempt
from boardkeeper.titles.paladins.opponent import gains

PRINTED: dict[str, Any] = tomllib.loads(
    files("boardkeeper.titles.paladins").joinpath("components.toml").read_text("utf-8")
)
"""What cards and spaces say, as it is printed on them."""

BY_PRIORITY = (
    "r1a", "r2a",  # recruit
    "r4e", "r5c", "r6a",  # pay a debt
    "r3d", "r4b", "r5a",  # pray
    "r4f", "r5b", "r5d", "r5e",  # two workers
    "r2c", "r3a", "r3b", "r3e", "r3f", "r4a", "r4c", "r4d",  # one worker
    "r1b", "r2b", "r3c", "r4g",  # silver
    "r2d",  # suspicion
)  # fmt: skip
"""All spaces of the main board for one player in the order of page 29, with a debt to pay."""


ROW = (
    "archer_saracen",
    "archer_byzantine",
    "adventurer_saracen",
    "guardian_viking",
    "lookout_viking",
    "hunter_saracen",
)
"""Six outsiders in a row."""


def rich(**choices: str) -> PaladinsGame:
    """An opponent that can do everything, with debts and suspicion enough, whose next suspicion cards take nothing."""
    game = solo(5, **choices).at(2, faith=10, strength=7, influence=8).at(1, silver=0)
    return game.debts(2, unpaid=3).suspicion(2, 1, 1, 1, 1).next_suspicion(0)


# --- the resource track ------------------------------------------------------------------------------------------


def trading(game: PaladinsGame) -> PaladinsGame:
    """Let the opponent have nothing to do but trade."""
    return blocked(game.display("townsfolk"), "pray", "attack")


@pytest.mark.parametrize("field", [1, 2, 3, 4])
def test_paladins_opponent_track_instead_of_goods(field: int) -> None:
    game = rich().at(2, field=field)
    before = levels(game)

    events = turn(trading(game), "attack")

    assert detail(events, e.ResourceMarkerMoved) == e.ResourceMarkerMoved(1, field + 1, "trade")
    assert levels(game) == before


@pytest.mark.parametrize(("townsfolk", "steps"), [("acolyte_2", 0), ("defender_2", 1), ("peddler_2", 1)])
def test_paladins_opponent_track_instead_of_goods__of_townsfolk(townsfolk: str, steps: int) -> None:
    game = rich().display("townsfolk", townsfolk)
    turn(game, "recruit")
    assert game.opponent().field.value == 1 + steps


@pytest.mark.parametrize(
    ("faith", "strength", "influence", "rises"), [(3, 2, 1, "influence"), (1, 2, 3, "faith"), (3, 1, 2, "strength")]
)
def test_paladins_opponent_track_end(faith: int, strength: int, influence: int, rises: str) -> None:
    game = trading(rich()).at(2, field=5, faith=faith, strength=strength, influence=influence)

    events = turn(game, "attack")

    assert detail(events, e.ResourceMarkerMoved).field == 1
    assert detail(events, e.OpponentAdvanced) == e.OpponentAdvanced(rises, 2, (rises,), lost=False)
    assert levels(game)[rises] == 2
    assert sum(levels(game).values()) == 7


@pytest.mark.parametrize(
    ("field", "workers", "reached", "laps"), [(1, 3, 5, 0), (1, 4, 1, 1), (3, 11, 5, 2), (5, 15, 1, 4), (2, 13, 1, 3)]
)
def test_paladins_opponent_track_end__more_than_once(field: int, workers: int, reached: int, laps: int) -> None:
    """Rest with many workers; the lowest is looked for anew each time."""
    game = blocked(rich(), *LEFT, "attack").workers(2, labourer=workers).at(2, field=field)
    game.at(2, faith=1, strength=5, influence=2)

    events = turn(game, "attack")

    assert game.opponent().field.value == reached
    rises = ["faith", "faith", "influence", "influence"]  # of equal ones the marker that came last lies on top
    assert [advanced.attribute for advanced in every(events, e.OpponentAdvanced)] == rises[:laps]


def test_paladins_opponent_track_end__nothing_rises_beyond_12() -> None:
    game = trading(rich()).at(2, field=5, faith=12, strength=12, influence=12)

    events = turn(game, "attack")

    assert detail(events, e.OpponentAdvanced).lost
    assert set(levels(game).values()) == {12}
    assert game.opponent().field.value == 1


def test_paladins_opponent_track_tie() -> None:
    """At first strength lies on top, then faith; a marker that is moved lies on top of those that it meets."""
    game = blocked(solo(19), *LEFT, "attack").at(2, field=2)

    events = turn(game, "attack")

    advanced = every(events, e.OpponentAdvanced)
    assert [(each.attribute, each.level) for each in advanced] == [
        ("strength", 1),
        ("faith", 1),
        ("influence", 1),
        ("influence", 2),
    ]
    assert [len(each.tied) for each in advanced] == [3, 2, 1, 3]


def test_paladins_opponent_track_tie__with_what_cards_raised() -> None:
    """Strength came to 1 before faith did, so faith lies on top of it."""
    game = solo().display("townsfolk", "defender_1", "missionary_2").at(2, influence=5)
    turn(game, "recruit")
    blocked(game.at(2, field=2), "attack").exactly(game.opponent().areas["recruit"].spaces[0])
    turn(game, "recruit")
    assert levels(game) == {"faith": 1, "strength": 1, "influence": 5}

    events = turn(trading(game.at(2, field=5)), "attack")

    assert detail(events, e.OpponentAdvanced) == e.OpponentAdvanced("faith", 2, ("faith", "strength"), lost=False)


@pytest.mark.parametrize("field", [1, 2, 3, 4, 5])
def test_paladins_opponent_track_selects(field: int) -> None:
    """The example on page 28: at the third field it takes the third card, then the fourth, the fifth, and the first."""
    row = ("abbot_1", "acolyte_1", "architect_1", "debt_collector_1", "watchman_3")
    order = [(field - 1 + at) % 5 for at in range(5)]
    for missing in range(5):
        game = rich().at(2, field=field)
        game.display("townsfolk", *("" if at in order[:missing] else card for at, card in enumerate(row)))
        chosen = every(turn(game, "recruit"), e.TargetChosen)[0]
        assert chosen == e.TargetChosen(
            row[order[missing]],
            "marker",
            field,
            tuple(Attempt(str(at + 1), "not_there") for at in order[:missing]),
        )


@pytest.mark.parametrize("scheme", ["attack", "convert"])
@pytest.mark.parametrize("field", [1, 2, 3, 4, 5])
def test_paladins_opponent_track_selects__the_sixth_outsider_after_the_fifth(field: int, scheme: str) -> None:
    order = [(field - 1 + at) % 6 for at in range(6)]
    for missing in range(6):
        game = rich().at(2, field=field, faith=12, strength=12)
        game.display("outsiders", *("" if at in order[:missing] else card for at, card in enumerate(ROW)))
        assert every(turn(game, scheme), e.TargetChosen)[0].target == ROW[order[missing]]


# --- taxes and what it cannot discard ----------------------------------------------------------------------------


@pytest.mark.parametrize(("tax", "there", "left"), [(0, 5, 5), (1, 5, 4), (2, 5, 3)])
def test_paladins_opponent_gains_tax(tax: int, there: int, left: int) -> None:
    """It has no silver: what it takes is gone, and the marker moves as far (page 29, Conspire)."""
    game = blocked(rich().display("townsfolk"), "pray", "trade", "attack").at(0, tax=there).next_suspicion(tax)

    events = turn(game, "attack")

    assert detail(events, e.SuspicionTaken) == e.SuspicionTaken(f"suspicion_{tax}", tax, 0, reshuffled=False)
    assert game.t.tax.value == left
    assert game.opponent().field.value == 1 + tax


def test_paladins_opponent_gains_tax__more_than_there_is() -> None:
    """The rest would come from the general supply, so the marker moves for that too; then there is an inquisition."""
    game = rich().at(0, tax=1).display("townsfolk", "defender_3")

    events = turn(game, "recruit")

    assert detail(events, e.TaxRemoved) == e.TaxRemoved(1, "tax")
    assert game.opponent().field.value == 3
    assert named(events, "InquisitionBegun")
    assert game.t.tax.value == 5


@pytest.mark.parametrize(("townsfolk", "silver"), [("abbot_3", 1), ("acolyte_3", 2)])
def test_paladins_opponent_gains_nothing_to_discard(townsfolk: str, silver: int) -> None:
    game = rich().debts(2).suspicion(2).display("townsfolk", townsfolk)

    events = turn(game, "recruit")

    assert [removed.silver for removed in every(events, e.TaxRemoved)] == [1] * silver
    assert game.t.tax.value == 5 - silver
    assert game.opponent().field.value == 1


def test_paladins_opponent_gains_nothing_to_discard__one_of_two() -> None:
    game = rich().suspicion(2, 1).display("townsfolk", "acolyte_3")
    events = turn(game, "recruit")
    assert [event.name for event in events if event.name in ("SuspicionDiscarded", "TaxRemoved")] == [
        "SuspicionDiscarded",
        "TaxRemoved",
    ]
    assert game.t.tax.value == 4


def test_paladins_opponent_gains_nothing_to_discard__and_it_was_the_last_silver() -> None:
    game = rich().suspicion(2).display("townsfolk", "acolyte_3").at(0, tax=1)
    events = turn(game, "recruit")
    assert len(named(events, "InquisitionBegun")) == 1
    assert game.t.tax.value == 4, "the second one comes after the supply has been filled"


def test_paladins_opponent_gains_nothing_to_discard__a_debt_that_cannot_be_paid_is_none_to_discard() -> None:
    """Only discarding is replaced: a space that pays a debt gives nothing to who has none."""
    game = occupy(rich(), [space for space in BY_PRIORITY if space not in ("r4e", "r5c")]).debts(2)

    events = turn(game, "commission")

    assert every(events, e.RewardLapsed) == [e.RewardLapsed("pay_debt")]
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
    """Each thing due is settled before the next; the suspicion of a criminal before the next criminal."""
    game = rich()
    if scheme.startswith("favour"):
        game.favours(scheme)
        scheme = "favour"

    told = [event.name for event in turn(game, scheme) if event.name in names]

    assert told == names


def test_paladins_opponent_gains_order__suspicion_with_each_criminal() -> None:
    game = rich().favours("favour_03")
    events = turn(game, "favour")
    assert [event.name for event in events if event.name in ("Gained", "SuspicionTaken")] == [
        "Gained",
        "SuspicionTaken",
    ] * 2


def test_paladins_opponent_gains_order__of_everything_at_once() -> None:
    """What it must take, what it discards and pays, taxes, criminals with their suspicion, the rest; options last."""
    told = {
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
    game = rich().display("townsfolk", "acolyte_1")
    for kind in reversed(told):
        game.opponent().due.owe(kind)
    game.opponent().due.owe("suspicion")
    game.play.recorder.clear()

    while game.opponent().due:
        gains.settle(game.t, game.opponent())

    events = game.play.recorder.take()
    assert [event.name for event in events] == ["SuspicionTaken", *(name for names in told.values() for name in names)]
    assert [removed.silver for removed in every(events, e.TaxRemoved)] == [1, 2]


# --- what is told ------------------------------------------------------------------------------------------------


def test_what_the_opponent_receives_is_told_but_for_goods() -> None:
    """For goods its marker moves; what a track or the supply has no room or nothing for is lost."""
    card = "mercenary_saracen_1"
    game = rich().display("outsiders", card)
    events = turn(game, "attack")
    assert detail(events, e.Gained) == e.Gained(("influence", "labourer"), card, ())
    assert detail(events, e.ResourceMarkerMoved) == e.ResourceMarkerMoved(1, 2, card)

    game = rich().display("outsiders", card).at(2, influence=12)
    assert detail(turn(scarce(game, labourer=0), "attack"), e.Gained).lost == ("influence", "labourer")


def test_what_uncovers_a_flag_says_so_of_the_opponents_gain_too() -> None:
    assert detail(turn(rich(), "absolve"), e.Gained) == e.Gained(("faith",), "absolve", ())


@pytest.mark.parametrize("left", [1, 0])
def test_what_the_opponent_receives_is_told__also_of_a_criminal(left: int) -> None:
    """Without a criminal there is no suspicion either."""
    game = scarce(rich().favours("favour_03"), criminal=left)

    told = [event.detail for event in turn(game, "favour") if event.name in ("Gained", "SuspicionTaken")]

    came: list[Struct] = [e.Gained(("criminal",), "favour", ()), e.SuspicionTaken("suspicion_0", 0, 0, False)]
    assert told == [*came * left, *[e.Gained(("criminal",), "favour", ("criminal",))] * (2 - left)]
    assert game.opponent().workers.items.get("criminal", 0) == left


def test_any_worker_that_the_opponent_receives_is_no_criminal() -> None:
    """A criminal would bring it suspicion besides: where the box has nobody else left, nobody comes."""
    game = blocked(rich(supply_limits="as_in_the_box").display("townsfolk"), "pray", "trade", "attack")
    scarce(game, **dict.fromkeys(("labourer", "scout", "merchant", "fighter", "cleric"), 0))

    assert detail(turn(game, "attack"), e.SchemeTurned).action == "conspire"

    assert game.counts("supply").keys() == {"criminal"}
    assert game.opponent().workers.items == {"labourer": 4}
    assert game.opponent().suspicion.total() == 5


def test_taxes_that_leave_are_told_with_their_reason() -> None:
    """Those for a card that it cannot discard leave the marker where it is."""
    taxed = turn(rich().display("townsfolk", "defender_3"), "recruit")
    assert detail(taxed, e.TaxRemoved) == e.TaxRemoved(2, "tax")
    assert detail(taxed, e.ResourceMarkerMoved) == e.ResourceMarkerMoved(2, 3, "tax")
    for card, reason in (("abbot_3", "destroy_debt"), ("peddler_3", "discard_suspicion")):
        events = turn(rich().debts(2).suspicion(2).display("townsfolk", card), "recruit")
        assert set(every(events, e.TaxRemoved)) == {e.TaxRemoved(1, reason)}


# --- options -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wall", ["wall_07", "wall_08", "wall_12"])
@pytest.mark.parametrize("reading", ["right_option", "no_effect"])
def test_paladins_opponent_gains_left_option(wall: str, reading: str) -> None:
    """It pays a debt; without one the reading ai_left_option_void says what it does."""
    game = rich(ai_left_option_void=reading).next_wall(wall)
    assert [chosen.reason for chosen in every(turn(game, "fortify"), e.TargetChosen)] == ["left_option"]
    assert (game.opponent().paid.total(), game.opponent().field.value) == (1, 1)

    game = rich(ai_left_option_void=reading).next_wall(wall).debts(2)
    events = turn(game, "fortify")
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
    game = rich().next_wall(wall).suspicion(2, *[1] * cards)

    turn(game, "fortify")

    assert game.opponent().suspicion.total() == 0
    assert game.t.tax.value == 4 + cards
    assert game.opponent().field.value == 1


@pytest.mark.parametrize(("unpaid", "paid", "suspicion"), [(1, 1, 2), (0, 0, 0)])
def test_paladins_opponent_gains_left_option__of_a_favour(unpaid: int, paid: int, suspicion: int) -> None:
    game = rich().favours("favour_05").debts(2, unpaid=unpaid).suspicion(2, 1, 1)
    turn(game, "favour")
    assert (game.opponent().paid.total(), game.opponent().suspicion.total()) == (paid, suspicion)


@pytest.mark.parametrize(
    ("faith", "strength", "influence", "rises"),
    [(1, 2, 3, "faith"), (3, 2, 1, "influence"), (2, 1, 3, "strength"), (2, 2, 2, "strength"), (2, 3, 2, "faith")],
)
def test_paladins_opponent_gains_lowest_attribute(faith: int, strength: int, influence: int, rises: str) -> None:
    game = solo().favours("favour_04").at(2, faith=faith, strength=strength, influence=influence)
    before = levels(game)

    chosen = every(turn(game, "favour"), e.TargetChosen)[-1]

    assert (chosen.target, chosen.reason) == (rises, "lowest")
    assert levels(game) == before | {rises: before[rises] + 1}


def test_paladins_opponent_gains_never_develops() -> None:
    game = rich().favours("favour_07")
    chosen = every(turn(game, "favour"), e.TargetChosen)[-1]
    assert chosen == e.TargetChosen("fighter+cleric", "right_option", 0)
    assert game.opponent().workers.items == {"labourer": 4, "fighter": 1, "cleric": 1}
    assert not any(area.workshop_mask() for area in game.opponent().right)


# --- every card and space ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", sorted(PRINTED["townsfolk"]))
def test_paladins_opponent_actions_recruit(card: str) -> None:
    """Each is discarded for what stands at its top, for nothing, and never hired."""
    game = rich().display("townsfolk", card)
    before = state(game)

    events = turn(game, "recruit")

    assert state(game) == after(before, PRINTED["townsfolk"][card]["discard"]) | {
        "workers": after(before, PRINTED["townsfolk"][card]["discard"])["workers"] - 1
    }
    assert detail(events, e.TownsfolkDiscarded) == e.TownsfolkDiscarded(card, "", 0)
    assert card in game.t.townsfolk_discard.items


def test_paladins_opponent_actions_recruit__free_and_nobody_there() -> None:
    """A space that recruits for free discards as well; in an empty row there is nobody."""
    game = rich().display("townsfolk", "defender_1")
    turn(game, "commission")
    assert levels(game)["strength"] == 8
    assert game.opponent().areas["recruit"].is_open()

    game = rich().display("townsfolk")
    assert every(turn(game, "commission"), e.RewardLapsed) == [e.RewardLapsed("free_recruit")]

    game = rich().display("townsfolk", "architect_1")
    assert every(turn(game, "commission"), e.Gained)[-1] == e.Gained(("criminal",), "free_recruit", ())


@pytest.mark.parametrize("card", sorted(id for id in PRINTED["outsiders"] if id in DATA.outsiders))
def test_paladins_opponent_actions_attack(card: str) -> None:
    game = rich().display("outsiders", card)
    before = state(game)

    events = turn(game, "attack")

    expected = after(before, PRINTED["outsiders"][card]["attack"])
    assert state(game) == expected | {"workers": expected["workers"] - 3}
    assert detail(events, e.OutsiderAttacked) == e.OutsiderAttacked(card, 0)
    assert game.opponent().attacked.items == {card: 1}


@pytest.mark.parametrize("card", sorted(id for id in PRINTED["outsiders"] if id in DATA.outsiders))
def test_paladins_opponent_actions_convert(card: str) -> None:
    game = rich().display("outsiders", card)
    before = state(game)

    events = turn(game, "convert")

    expected = after(before, ["strength"] * PRINTED["outsiders"][card]["strength"])
    assert state(game) == expected | {"workers": expected["workers"] - 3}
    assert detail(events, e.OutsiderConverted) == e.OutsiderConverted(card, 0)
    assert game.opponent().converted.items == {card: 1}


@pytest.mark.parametrize(
    ("scheme", "attribute", "flags"),
    [("attack", "strength", (2, 3, 5, 7, 9, 11)), ("convert", "faith", (0, 2, 4, 6, 8, 10))],
)
def test_paladins_opponent_actions_attack__within_its_attribute(
    scheme: str, attribute: str, flags: tuple[int, ...]
) -> None:
    """Silver helps it as little as its marker: it passes over those that it does not reach."""
    for level in range(13):
        reached = [at for at, flag in enumerate(flags) if flag <= level]
        for field in (1, 3, 5):
            game = rich().display("outsiders", *ROW).at(2, field=field, **{attribute: level})
            events = turn(game, scheme)
            order = [(field - 1 + at) % 6 for at in range(6)]
            target = next((at for at in order if at in reached), None)
            if target is None:
                assert detail(events, e.SchemeTurned).tried == (Attempt(scheme, "attribute"),)
                continue
            chosen = every(events, e.TargetChosen)[0]
            missed = order[: order.index(target)]
            assert chosen == e.TargetChosen(
                ROW[target], "marker", field, tuple(Attempt(ROW[at], "attribute") for at in missed)
            )


@pytest.mark.parametrize("wall", sorted(id for id in PRINTED["walls"] if id in DATA.walls))
def test_paladins_opponent_actions_fortify(wall: str) -> None:
    """It takes what the wall shows and the left of its options."""
    game = rich().next_wall(wall)
    before = state(game)

    events = turn(game, "fortify")

    printed = PRINTED["walls"][wall]
    expected = after(before, [*printed["gain"], *printed.get("choice", [[]])[0]])
    assert state(game) == expected | {"workers": expected["workers"] - 3}
    assert detail(events, e.WallBuilt) == e.WallBuilt(wall, 1, 0)


@pytest.mark.parametrize(("built", "influence"), list(enumerate((0, 1, 3, 5, 7, 9, 11))))
def test_paladins_opponent_actions_fortify__needs_influence(built: int, influence: int) -> None:
    walls = ("wall_01", "wall_02", "wall_03", "wall_04", "wall_05", "wall_06")
    for level in {influence, max(0, influence - 1)}:
        game = rich().at(2, influence=level)
        game.exactly(game.opponent().walls, **dict.fromkeys(walls[:built], 1)).next_wall("wall_24")
        turned = detail(turn(game, "fortify"), e.SchemeTurned)
        assert turned.action == ("fortify" if level == influence else "recruit")


@pytest.mark.parametrize(("choice", "numbers"), [("even", (0, 2, 4, 6, 8, 10, 12)), ("odd", (0, 1, 3, 5, 7, 9, 11))])
def test_paladins_opponent_actions_absolve__needs_influence(choice: str, numbers: tuple[int, ...]) -> None:
    """As much as the next jar says (option jar_numbers)."""
    for turned, number in enumerate(numbers):
        for level in {number, max(0, number - 1)}:
            game = rich(jar_numbers=choice).at(2, influence=level)
            game.exactly(game.opponent().turned, jar=turned).exactly(game.opponent().jars, jar=7 - turned)
            action = detail(turn(game, "absolve"), e.SchemeTurned).action
            assert action == ("absolve" if level == number else "recruit")


@pytest.mark.parametrize(
    ("unpaid", "cards", "paid", "left", "tax"),
    [(1, 2, 1, 1, 5), (0, 3, 0, 1, 5), (0, 1, 0, 0, 4), (0, 0, 0, 0, 3), (2, 0, 1, 0, 4)],
)
def test_paladins_opponent_actions_absolve(unpaid: int, cards: int, paid: int, left: int, tax: int) -> None:
    """Its jar is turned over; 1 faith, a suspicion card, and a debt or another card, or silver where it has none."""
    game = rich().debts(2, unpaid=unpaid).suspicion(2, *[1] * cards)

    events = turn(game, "absolve")

    assert levels(game)["faith"] == 11
    assert (game.opponent().jars.total(), game.opponent().turned.total()) == (6, 1)
    assert (game.opponent().paid.total(), game.opponent().suspicion.total()) == (paid, left)
    assert game.t.tax.value == tax
    assert game.opponent().field.value == 1
    assert detail(events, e.Absolved) == e.Absolved("", 1, 0)


@pytest.mark.parametrize("card", sorted(id for id in PRINTED["favours"] if id in DATA.favours))
def test_paladins_opponent_actions_favour(card: str) -> None:
    """For one worker of any colour and for nothing else; each gives what it shows."""
    game = rich().favours("", "", card).display("townsfolk", "abbot_1")
    before = state(game)

    events = turn(game, "favour")

    printed = PRINTED["favours"][card]
    options: list[list[str]] = printed.get("choice", [[]])
    option = {"favour_04": ["strength"], "favour_07": options[-1]}.get(card, options[0])
    received = [*printed["gain"], *option]
    if card == "favour_01":
        received = PRINTED["townsfolk"]["abbot_1"]["discard"]
    expected = after(before, received)
    assert state(game) == expected | {"workers": expected["workers"] - 1}
    assert detail(events, e.FavourBegun) == e.FavourBegun(card, 0, 0)
    assert game.t.favour_workers[2].items == {"labourer": 1}


def test_paladins_opponent_actions_favour__as_in_the_example() -> None:
    """Page 30: the fifth is used, the first too, so it takes the second; its marker wraps and the lowest rises."""
    game = solo().favours("favour_10", "favour_02", "favour_09", "favour_01", "favour_03").suspicion(2, 0)
    game.bring("labourer", game.t.favour_workers[4]).bring("scout", game.t.favour_workers[0])
    game.at(2, field=5, faith=3, strength=4, influence=1)

    events = turn(game, "favour")

    assert every(events, e.TargetChosen) == [
        e.TargetChosen("favour_02", "marker", 5, (Attempt("favour_03", "used"), Attempt("favour_10", "used")))
    ]
    assert game.opponent().suspicion.total() == 0
    assert game.t.tax.value == 3
    assert game.opponent().field.value == 2
    assert levels(game) == {"faith": 3, "strength": 4, "influence": 2}


def test_paladins_opponent_actions_favour__only_open_ones() -> None:
    game = rich().favours("favour_08").at(2, field=3)
    assert every(turn(game, "favour"), e.TargetChosen)[0].passed_over == tuple(
        Attempt(str(at), "not_there") for at in (3, 4, 5)
    )

    game = rich().favours("favour_08")
    game.bring("labourer", game.t.favour_workers[0])
    turned = detail(turn(game, "favour"), e.SchemeTurned)
    assert (turned.action, turned.tried) == ("recruit", (Attempt("favour", "no_target"),))


@pytest.mark.parametrize("scheme", ["commission", "garrison"])
@pytest.mark.parametrize("taken", range(23))
def test_paladins_opponent_pieces_priority(scheme: str, taken: int) -> None:
    """Where all before it are taken, the next in the order of page 29; and it receives what stands there."""
    game = occupy(rich().display("townsfolk", "abbot_1"), BY_PRIORITY[:taken]).at(2, faith=11, strength=11)
    before = state(game)

    events = turn(game, scheme)

    space = BY_PRIORITY[taken]
    assert every(events, e.TargetChosen)[0] == e.TargetChosen(space, "priority", 0)
    assert ("monk.2" if scheme == "commission" else "outpost.2") in game.t.space[space][1].items
    printed: list[str] = PRINTED["spaces"][space]["gain"]
    if printed == ["free_recruit"]:
        printed = PRINTED["townsfolk"]["abbot_1"]["discard"]
    if printed == ["pray"]:
        printed = []  # its own three workers leave the right side again, so there is none for nothing
    expected = after(before, [*printed, "influence" if scheme == "commission" else "faith"])
    assert state(game) == expected | {"workers": expected["workers"] - 3}


@pytest.mark.parametrize("left", [("r4e", "r5c", "r6a"), ("r5c", "r6a"), ("r6a",)])
def test_paladins_opponent_pieces_priority__where_nothing_is_free_but_what_is_of_no_use(left: tuple[str, ...]) -> None:
    """It pays no debt, but it takes the leftmost of these spaces."""
    game = occupy(rich(), [space for space in BY_PRIORITY if space not in left]).debts(2).at(2, faith=12)
    assert every(turn(game, "commission"), e.TargetChosen)[0].target == left[0]


def test_paladins_opponent_pieces_priority__without_a_debt() -> None:
    """Then it goes nowhere to pay one, while anything else is free."""
    for taken in range(0, 20, 3):
        others = [space for space in BY_PRIORITY if PRINTED["spaces"][space]["gain"] != ["pay_debt"]]
        game = occupy(rich(), others[:taken]).debts(2).at(2, faith=12)
        assert every(turn(game, "commission"), e.TargetChosen)[0].target == others[taken]


@pytest.mark.parametrize("scheme", ["commission", "garrison"])
@pytest.mark.parametrize("suspicion", [(), (0, 0)])
def test_paladins_opponent_pieces_no_debt(scheme: str, suspicion: tuple[int, ...]) -> None:
    """It goes there for nothing but what the piece itself brings: neither silver nor suspicion leaves instead."""
    game = occupy(rich(), [space for space in BY_PRIORITY if space not in ("r4e", "r6a")]).debts(2)
    game.suspicion(2, *suspicion).at(2, faith=11, strength=11)
    before = state(game)

    events = turn(game, scheme)

    assert every(events, e.TargetChosen) == [e.TargetChosen("r4e", "priority", 0)]
    assert every(events, e.RewardLapsed) == [e.RewardLapsed("pay_debt")]
    assert not named(events, "TaxRemoved")
    expected = after(before, ["influence" if scheme == "commission" else "faith"])
    assert state(game) == expected | {"workers": expected["workers"] - 3}


def test_paladins_opponent_pieces_no_debt__while_another_space_is_free_but_out_of_reach() -> None:
    """What its faith does not reach is no other space for it."""
    left = ("r4e", "r5a")
    for faith, space in ((6, "r4e"), (8, "r5a")):
        game = occupy(rich(), [each for each in BY_PRIORITY if each not in left]).debts(2).at(2, faith=faith)
        assert every(turn(game, "commission"), e.TargetChosen)[0].target == space


@pytest.mark.parametrize(("faith", "space"), [(0, "r1b"), (2, "r2a"), (10, "r2a")])
def test_paladins_opponent_actions_pieces(faith: int, space: str) -> None:
    """Only where its faith reaches, and 1 influence for a monk."""
    game = occupy(rich(), ["r1a"]).at(2, faith=faith, influence=3)

    events = turn(game, "commission")

    assert detail(events, e.MonkSent) == e.MonkSent(space, int(space[1]), 0)
    assert levels(game)["influence"] == 4


@pytest.mark.parametrize(("first", "strength", "space"), [("2", 2, "r1b"), ("2", 3, "r2a"), ("1", 1, "r1b")])
def test_paladins_opponent_actions_pieces__outposts(first: str, strength: int, space: str) -> None:
    """Only where its strength reaches (reading first_strength_flag), and 1 faith for an outpost."""
    game = occupy(rich(first_strength_flag=first), ["r1a"]).at(2, strength=strength, faith=5)

    events = turn(game, "garrison")

    assert detail(events, e.OutpostBuilt) == e.OutpostBuilt(space, int(space[1]), 0)
    assert levels(game)["faith"] == 6


# --- the left side -----------------------------------------------------------------------------------------------


def test_paladins_opponent_actions_pray() -> None:
    """The whole right side is cleared, not the left one; workshops stay, and all schemes lie in the deck again."""
    game = blocked(rich().workshop(2, "convert", 1), "recruit", "attack", "convert")
    schemes = game.t.scheme_deck.total() + game.t.scheme_discard.total()

    events = turn(game, "attack")

    assert detail(events, e.SchemesShuffled) == e.SchemesShuffled(("labourer", "labourer"))
    assert all(area.is_open() for area in game.opponent().right)
    assert game.opponent().areas["convert"].workshop_mask() == 1
    assert not game.opponent().areas["recruit"].is_open()
    assert game.opponent().workers.total() == 4
    assert (game.t.scheme_deck.total(), game.t.scheme_discard.total()) == (schemes, 0)


def test_paladins_opponent_actions_pray__with_a_clear_right_side() -> None:
    """It receives a worker instead, and shuffles all the same."""
    game = blocked(rich().at(2, strength=0), "recruit")
    schemes = game.t.scheme_deck.total() + game.t.scheme_discard.total()

    events = turn(game, "attack")

    assert detail(events, e.SchemesShuffled) == e.SchemesShuffled(())
    assert game.opponent().workers.total() == 5
    assert game.t.scheme_deck.total() == schemes


def test_paladins_opponent_actions_trade() -> None:
    game = trading(rich())
    before = state(game)
    turn(game, "attack")
    assert state(game) == before | {"field": 2, "workers": 4}


@pytest.mark.parametrize("tax", [0, 1, 2])
def test_paladins_opponent_actions_conspire(tax: int) -> None:
    game = blocked(rich().display("townsfolk").next_suspicion(tax), "pray", "trade", "attack")
    before = state(game)
    turn(game, "attack")
    assert state(game) == before | {
        "workers": 5 - 1 + 2,
        "suspicion": before["suspicion"] + 1,
        "field": 1 + tax,
        "tax": 5 - tax,
    }


@pytest.mark.parametrize("unused", [1, 2, 3])
def test_paladins_opponent_actions_rest(unused: int) -> None:
    """One field, one for each unused worker, and it passes."""
    game = blocked(rich(), *LEFT, "attack").workers(2, labourer=unused)

    events = turn(game, "attack")

    assert detail(events, e.OpponentRested) == e.OpponentRested(("labourer",) * unused)
    assert detail(events, e.ResourceMarkerMoved) == e.ResourceMarkerMoved(1 + unused, 2 + unused, "rest")
    assert game.opponent().passed.value == 1
    game.table.decisions[1] = "act"
    assert not [event for event in game.workers(1, scout=1).act(1, "conspire", 1) if event.name == "SchemeTurned"]


def test_a_turn_by_chance_is_like_any_other() -> None:
    """With the whole deck to draw from: what is turned lies among the discarded schemes."""
    game = rich()
    game.empty(game.t.scheme_discard, "schemes.deck")
    schemes = game.t.scheme_deck.total()
    turned = detail(any_turn(game), e.SchemeTurned)
    assert turned.scheme in DATA.schemes
    if turned.action != "pray":
        assert game.t.scheme_deck.total() == schemes - 1
