"""Rewards that are due to a seat: taken one after the other, chosen, forgone, or without effect."""

from __future__ import annotations

import pytest
from tests.titles.paladins.holdings import change, enrich, holdings, place_workers, take_all
from tests.titles.paladins.kit import PaladinsGame, all_details, detail, named

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e


def add_due(game: PaladinsGame, **kinds: int) -> PaladinsGame:
    """Make rewards due to seat 1, and continue to its decision."""
    game.table.decisions[:] = [""] * len(game.table.decisions)
    for kind, count in kinds.items():
        game.table.markers[f"due.{kind}"].value = count
    game.t.advance()
    game.play.recorder.clear()
    return game


def create_game(**choices: str) -> PaladinsGame:
    """Create a game in the middle of an action of seat 1, with suspicion, debts and a worker on Hunt."""
    game = enrich(PaladinsGame(2, **choices).turn()).occupy(1, "hunt", "labourer")
    return game.at(0, action="trade").display("townsfolk", "architect_2", "abbot_1")


def test_paladins_rewards_any_order() -> None:
    """Here the prayer and the debt, in either order."""
    for first in (c.ClearArea("hunt"), c.TakeReward("pay_debt")):
        game = add_due(create_game(), pray=1, pay_debt=1)
        assert game.legal(1) == [
            c.TakeReward("pay_debt"),
            c.ForgoReward("pay_debt"),
            c.ClearArea("hunt"),
            c.ForgoReward("pray"),
        ]
        game.do(1, first)
        take_all(game)
        assert game.deciding() == [2]
        assert game.seat(1).paid.total() == 1
        assert game.seat(1).areas["hunt"].is_open()


def test_paladins_rewards_any_order__and_only_what_is_due() -> None:
    game = add_due(create_game(), pay_debt=1, destroy_debt=1)
    rule = "paladins.rewards.any_order"
    for command, reward in (
        (c.TakeReward("tax"), "tax"),
        (c.ForgoReward("pray"), "pray"),
        (c.ChooseReward("pay_debt_or_2_silver", 1), "pay_debt_or_2_silver"),
        (c.ClearArea("hunt"), "pray"),
        (c.HireTownsfolk("abbot_1"), "free_recruit"),
        (c.PlaceWorkshop("attack", 1), "free_develop"),
    ):
        assert game.reject(1, command, rule, "NOT_DUE").values["reward"] == reward
    game.reject(1, c.TakeReward("castle"), "table.known_ids", "UNKNOWN_ID")
    with_both = add_due(create_game(free_recruit="hire_or_discard"), pay_debt=1, destroy_debt=1)
    with_both.reject(1, c.DiscardTownsfolk("abbot_1"), rule, "NOT_DUE")


def test_paladins_rewards_any_order__around_an_inquisition() -> None:
    """The seat may discard a suspicion card before or after it takes the last silver."""
    for first, condemned in (("discard_suspicion", False), ("tax_2", True)):
        game = add_due(create_game().suspicion(1, 0).suspicion(2).at(0, tax=2), discard_suspicion=1, tax_2=1)
        assert game.legal(1) == [
            c.TakeReward("tax_2"),
            c.TakeReward("discard_suspicion"),
            c.ForgoReward("discard_suspicion"),
        ]
        events = game.do(1, c.TakeReward(first))
        assert bool(named(events, "SeatCondemned")) is condemned
        events += take_all(game)
        assert named(events, "InquisitionEnded")
        assert (game.seat(1).suspicion.total(), game.t.tax.value) == (0, 6)


@pytest.mark.parametrize(("kind", "silver"), [("tax", 1), ("tax_2", 2), ("take_debt", 0)])
def test_paladins_rewards_any_order__is_a_decision_only_if_an_inquisition_may_come(kind: str, silver: int) -> None:
    """If silver remains after all taxes, the time of mandatory rewards makes no difference."""
    game = add_due(create_game().at(0, tax=silver + 1), **{kind: 1, "pray": 1})
    assert game.legal(1) == [c.ClearArea("hunt"), c.ForgoReward("pray")]
    assert (game.t.tax.value, game.seat(1).silver.value) == (1, 5 + silver)
    assert game.seat(1).unpaid.total() == 3 + (kind == "take_debt")


def test_paladins_rewards_any_order__also_of_mandatory_rewards() -> None:
    """A seat may take a debt before or after the criminal, which may cause an inquisition."""
    for first in ("take_debt", "criminal"):
        game = add_due(create_game(), take_debt=1, criminal=1)
        assert game.legal(1) == [c.TakeReward("take_debt"), c.TakeReward("criminal")]
        game.do(1, c.TakeReward(first))
        assert (game.seat(1).unpaid.total(), game.seat(1).workers.items, game.deciding()) == (4, {"criminal": 1}, [2])


def test_paladins_rewards_any_order__of_several_with_options() -> None:
    attributes, faith = "faith_or_strength_or_influence", c.ChooseReward("faith_or_strength_or_influence", 1)
    game = add_due(create_game(), **{"pay_debt_or_2_silver": 1, attributes: 1})
    assert game.legal(1) == [
        *(c.ChooseReward(attributes, option) for option in (1, 2, 3)),
        *(c.ChooseReward("pay_debt_or_2_silver", option) for option in (1, 2)),
    ]
    game.do(1, faith, c.ChooseReward("pay_debt_or_2_silver", 2))
    assert game.deciding() == [2]


def test_paladins_rewards_any_order__if_discarded_townsfolk_may_bring_suspicion() -> None:
    """A seat that may discard townsfolk can take the criminal first; no hired townsfolk bring suspicion."""
    hiring = add_due(PaladinsGame(2).turn().display("townsfolk", "architect_1"), discard_suspicion=1, free_recruit=1)
    assert c.ForgoReward("discard_suspicion") not in hiring.legal(1)
    game = PaladinsGame(2, free_recruit="hire_or_discard").turn().display("townsfolk", "architect_1").at(0, tax=6)
    assert not game.seat(1).suspicion.total()
    add_due(game, discard_suspicion=1, free_recruit=1)
    game.do(1, c.DiscardTownsfolk("architect_1"))
    events = game.do(1, c.TakeReward("criminal")) + take_all(game)
    assert [bool(named(events, name)) for name in ("SuspicionTaken", "SuspicionDiscarded")] == [True, True]
    assert (game.seat(1).suspicion.total(), game.deciding()) == (0, [2])


@pytest.mark.parametrize(
    ("action", "source"),
    [
        *(("absolve", "free_recruit"), ("recruit", "recruit"), ("attack", "attack")),
        *(("favour_01", "free_recruit"), ("favour_03", "favour_03")),
    ],
)
def test_paladins_rewards_free_recruit__is_the_source_of_a_criminal_unless_the_action_can_bring_one(
    action: str, source: str
) -> None:
    game = PaladinsGame(2, free_recruit="hire_or_discard").turn().display("townsfolk", "architect_1")
    add_due(game.at(0, action=action), free_recruit=1)
    assert detail(game.do(1, c.DiscardTownsfolk("architect_1")), e.Gained) == e.Gained(("criminal",), source, ())


def test_paladins_rewards_target() -> None:
    game = add_due(create_game(), pray=1, free_recruit=1, free_develop=1, pay_debt_or_2_silver=1)
    for kind in ("pray", "free_recruit", "free_develop", "pay_debt_or_2_silver"):
        game.reject(1, c.TakeReward(kind), "paladins.rewards.target", "NEEDS_TARGET")
    game.do(1, c.ClearArea("hunt"), c.HireTownsfolk("abbot_1"), c.PlaceWorkshop("attack", 1))
    game.do(1, c.ChooseReward("pay_debt_or_2_silver", 2))
    assert game.deciding() == [2]


@pytest.mark.parametrize(
    "kind", ["discard_suspicion", "destroy_debt", "pay_debt", "pray", "free_recruit", "free_develop"]
)
def test_paladins_rewards_void(kind: str) -> None:
    """A void reward is no decision: alone it lapses, beside others it cannot be taken."""
    void = PaladinsGame(2).turn().display("townsfolk").at(0, action="trade")
    void.empty(void.seat(1).workshops)
    add_due(void, **{kind: 2})
    assert void.deciding() == [2]
    assert not void.table.markers[f"due.{kind}"].value

    game = PaladinsGame(2).turn().display("townsfolk").at(0, action="trade")
    game.empty(game.seat(1).workshops)
    add_due(game, **{kind: 1, "criminal": 1})
    assert c.ForgoReward(kind) in game.legal(1)
    if kind in ("discard_suspicion", "destroy_debt", "pay_debt"):
        game.reject(1, c.TakeReward(kind), "paladins.rewards.void", "NOTHING_TO_ACT_ON")
    assert set(game.legal(1)) == {c.TakeReward("criminal"), c.ForgoReward(kind)}


def test_paladins_rewards_void__has_an_event() -> None:
    game = PaladinsGame(2).turn().display("townsfolk", "", "", "", "", "debt_collector_2").workers(1, labourer=1)
    events = game.do(1, c.BeginAction("recruit", 1), c.DiscardTownsfolk("debt_collector_2", "silver"))
    assert detail(events, e.RewardLapsed).reward == "destroy_debt"


def test_paladins_rewards_void__has_one_event() -> None:
    """The card would discard two suspicion cards, and the seat has none."""
    game = PaladinsGame(2).turn().display("townsfolk", "", "", "", "", "peddler_3").workers(1, labourer=1).suspicion(1)
    events = game.do(1, c.BeginAction("recruit", 1), c.DiscardTownsfolk("peddler_3", "silver"))
    assert all_details(events, e.RewardLapsed) == [e.RewardLapsed("discard_suspicion")]
    assert game.deciding() == [2]


@pytest.mark.parametrize("reading", ["allowed_without_effect", "refused"])
@pytest.mark.parametrize("wall", ["wall_07", "wall_09"])
def test_paladins_rewards_void_choice(wall: str, reading: str) -> None:
    """The left option of a wall, for a seat without suspicion and debts."""
    game = PaladinsGame(2, void_choice=reading).turn().next_wall(wall).at(1, provisions=1, silver=0)
    place_workers(game, "fortify")
    ((kind, _), *_) = [(command.reward, 0) for command in game.legal(1)]  # type: ignore[attr-defined]
    left = c.ChooseReward(kind, 1)

    if reading == "refused":
        game.reject(1, left, "paladins.rewards.void_choice", "NOTHING_TO_ACT_ON")
        assert game.legal(1) == [c.ChooseReward(kind, 2)]
    else:
        events = game.do(1, left)
        assert named(events, "RewardLapsed")
        assert (game.seat(1).silver.value, game.deciding()) == (0, [2])


def test_paladins_rewards_void_choice__if_no_option_has_an_effect() -> None:
    """The seat may choose any option, because it must choose one."""
    game = PaladinsGame(2, void_choice="refused").turn().favours("favour_05").workers(1, fighter=1)
    game.do(1, c.UseFavour("favour_05"))
    assert [command.option for command in game.legal(1)] == [1, 2]  # type: ignore[attr-defined]


def test_paladins_rewards_one_option() -> None:
    game = PaladinsGame(2).turn().next_wall("wall_07").at(1, provisions=1, silver=0).debts(1, unpaid=1)
    place_workers(game, "fortify")
    for option in (0, 3, -1):
        command = c.ChooseReward("pay_debt_or_2_silver", option)
        game.reject(1, command, "paladins.rewards.one_option", "NO_SUCH_OPTION")
    before = holdings(game)
    game.do(1, c.ChooseReward("pay_debt_or_2_silver", 2))
    assert change(before, holdings(game)) == {"silver": 2}, "from the general supply"
    assert game.deciding() == [2]


@pytest.mark.parametrize(("option", "gains"), [(1, ("faith",)), (2, ("strength",)), (3, ("influence",))])
def test_paladins_rewards_one_option__has_an_event(option: int, gains: tuple[str, ...]) -> None:
    kind = "faith_or_strength_or_influence"
    game = add_due(create_game(), **{kind: 1})
    events = game.do(1, c.ChooseReward(kind, option))
    assert detail(events, e.RewardChosen) == e.RewardChosen(kind, gains)
    assert detail(events, e.Gained).gains == gains


def test_paladins_rewards_one_option__needs_a_reward_with_options() -> None:
    game = add_due(create_game(), pay_debt=1, pray=1)
    game.reject(1, c.ChooseReward("pay_debt", 1), "paladins.rewards.one_option", "NO_SUCH_OPTION")


@pytest.mark.parametrize(
    "kind", ["discard_suspicion", "destroy_debt", "pay_debt", "pray", "free_recruit", "free_develop"]
)
def test_paladins_rewards_may_be_forgone(kind: str) -> None:
    game = add_due(create_game(), **{kind: 1, "faith_or_strength_or_influence": 1})
    before = holdings(game)
    events = game.do(1, c.ForgoReward(kind))
    assert detail(events, e.RewardForgone).reward == kind
    assert change(before, holdings(game)) == {}


@pytest.mark.parametrize(
    ("card", "has_decision"), [("peddler_1", True), ("squire_1", False), ("conspirator_1", False), ("abbot_1", False)]
)
def test_paladins_rewards_may_be_forgone__suspicion_for_a_card_that_uses_it(card: str, has_decision: bool) -> None:
    """A Peddler uses suspicion, because it needs two cards in an inquisition; the other cards do not."""
    game = add_due(
        create_game(suspicion_kept_for="open_cards").townsfolk(1, card).display("outsiders"), discard_suspicion=1
    )
    assert (game.decision(1) == "reward") is has_decision
    assert game.seat(1).suspicion.total() == (3 if has_decision else 2)
    if has_decision:
        assert game.legal(1) == [c.TakeReward("discard_suspicion"), c.ForgoReward("discard_suspicion")]


# --- debts --------------------------------------------------------------------------------------------------------

DEBT_KINDS = [("destroy_debt", 0), ("pay_debt", 1)]
"""Rewards that end a debt, and how many paid debts they leave."""


@pytest.mark.parametrize(("kind", "paid"), DEBT_KINDS)
@pytest.mark.parametrize("others", [{}, {"pray": 1}])
def test_paladins_rewards_debts_kept(kind: str, paid: int, others: dict[str, int]) -> None:
    """A seat decides whether it pays or destroys a debt, with or without another reward."""
    game = add_due(create_game().debts(1, unpaid=1), **{kind: 1}, **others)
    assert {c.TakeReward(kind), c.ForgoReward(kind)} <= set(game.legal(1))
    game.do(1, c.TakeReward(kind))
    assert (game.seat(1).unpaid.total(), game.seat(1).paid.total()) == (0, paid)

    game = add_due(create_game().debts(1, unpaid=1), **{kind: 1}, **others)
    assert named(game.do(1, c.ForgoReward(kind)), "RewardForgone")
    assert (game.seat(1).unpaid.total(), game.seat(1).paid.total()) == (1, 0)


@pytest.mark.parametrize(("kind", "paid"), DEBT_KINDS)
def test_paladins_rewards_debts_kept__or_not(kind: str, paid: int) -> None:
    """Alone the reward is taken automatically; beside another one the seat only chooses when."""
    game = add_due(create_game(debts_kept="forbidden").debts(1, unpaid=1), **{kind: 1})
    assert (game.seat(1).unpaid.total(), game.seat(1).paid.total(), game.deciding()) == (0, paid, [2])

    game = add_due(create_game(debts_kept="forbidden").debts(1, unpaid=1), **{kind: 1, "pray": 1})
    assert game.legal(1) == [c.TakeReward(kind), c.ClearArea("hunt"), c.ForgoReward("pray")]
    game.reject(1, c.ForgoReward(kind), "paladins.rewards.debts_kept", "MANDATORY")
    game.do(1, c.ClearArea("hunt"))
    assert (game.seat(1).unpaid.total(), game.deciding()) == (0, [2])


def test_paladins_rewards_debts_kept__or_not__lapses_without_a_debt() -> None:
    """Two rewards without effect still need a decision."""
    game = add_due(create_game(debts_kept="forbidden").debts(1), pay_debt=1, destroy_debt=1)
    assert game.legal(1) == [c.ForgoReward("destroy_debt"), c.ForgoReward("pay_debt")]
    events = game.do(1, c.ForgoReward("pay_debt"))
    assert named(events, "RewardLapsed")
    assert game.deciding() == [2]


@pytest.mark.parametrize(("kind", "paid"), DEBT_KINDS)
def test_paladins_rewards_debts_kept__beside_other_rewards_only(kind: str, paid: int) -> None:
    """This holds even if a Debt Collector and a Protector would make it better to pay the debt later."""
    game = create_game(debts_kept="beside_other_rewards").townsfolk(1, "debt_collector_1").debts(1, unpaid=1)
    game.bring("protector_saracen", game.seat(1).converted)
    add_due(game, **{kind: 1})
    assert (game.seat(1).unpaid.total(), game.seat(1).paid.total(), game.deciding()) == (0, paid, [2])

    game = add_due(create_game(debts_kept="beside_other_rewards"), **{kind: 1, "pray": 1})
    assert c.ForgoReward(kind) in game.legal(1)


def test_paladins_rewards_debts_kept__in_an_absolution() -> None:
    """The jar's debt and the suspicion card may both stay; the faith comes in any case."""
    game = PaladinsGame(2).turn().workers(1, cleric=1, labourer=1, merchant=1).debts(1, unpaid=1).suspicion(1, 0)
    game.act(1, "absolve", 3, c.PlaceJar("pay_debt"))
    game.do(1, c.ForgoReward("discard_suspicion"), c.ForgoReward("pay_debt"))
    assert (game.seat(1).unpaid.total(), game.seat(1).suspicion.total(), game.deciding()) == (1, 1, [2])
    assert game.seat(1).attributes["faith"].value == 1


# --- cards that use suspicion -------------------------------------------------------------------------------------

KEPT = [
    ("outsiders", "thief_viking", True),
    ("outsiders", "thief_byzantine", True),
    ("outsiders", "traitor_viking", False),
    ("townsfolk", "peddler_1", True),
    ("townsfolk", "peddler_3", True),
    ("townsfolk", "squire_1", False),
    ("townsfolk", "conspirator_1", False),
]
"""Cards on display, and whether they use suspicion."""


def create_game_with_display(row: str, card: str, **choices: str) -> PaladinsGame:
    """Create a game in which seat 1 has suspicion but no card that uses it, with only this card on display."""
    return create_game(**choices).townsfolk(1).display("townsfolk").display("outsiders").display(row, "", card)


@pytest.mark.parametrize("reading", ["any_reason", "open_cards", "own_cards"])
@pytest.mark.parametrize(("row", "card", "uses_suspicion"), KEPT)
def test_paladins_rewards_suspicion_kept(row: str, card: str, uses_suspicion: bool, reading: str) -> None:
    """The reading suspicion_kept_for: whether keeping suspicion needs a card that uses it, and which cards count."""
    has_decision = reading == "any_reason" or (uses_suspicion and reading == "open_cards")
    game = add_due(create_game_with_display(row, card, suspicion_kept_for=reading), discard_suspicion=1)
    assert (game.decision(1) == "reward") is has_decision
    assert game.seat(1).suspicion.total() == (3 if has_decision else 2)
    if has_decision:
        assert game.legal(1) == [c.TakeReward("discard_suspicion"), c.ForgoReward("discard_suspicion")]
        assert named(game.do(1, c.ForgoReward("discard_suspicion")), "RewardForgone")
        assert (game.seat(1).suspicion.total(), game.deciding()) == (3, [2])


@pytest.mark.parametrize("reading", ["any_reason", "open_cards", "own_cards"])
@pytest.mark.parametrize("own", ["thief_viking", "peddler_2"])
def test_paladins_rewards_suspicion_kept__for_own_cards_under_every_reading(own: str, reading: str) -> None:
    game = create_game_with_display("townsfolk", "", suspicion_kept_for=reading)
    game.bring(own, game.seat(1).converted if own.startswith("thief") else game.seat(1).townsfolk)
    assert add_due(game, discard_suspicion=1).decision(1) == "reward"


@pytest.mark.parametrize("reading", ["any_reason", "open_cards", "own_cards"])
def test_paladins_rewards_suspicion_kept__only_with_suspicion(reading: str) -> None:
    game = create_game_with_display("townsfolk", "peddler_2", suspicion_kept_for=reading).suspicion(1)
    game.bring("thief_viking", game.seat(1).converted)
    assert add_due(game, discard_suspicion=1).deciding() == [2]


@pytest.mark.parametrize("converted", [6, 7])
def test_paladins_rewards_suspicion_kept__while_the_thief_can_still_be_converted(converted: int) -> None:
    """No seat converts an eighth outsider, but it can still hire a Peddler."""
    for row, card, has_decision in (("outsiders", "thief_viking", converted < 7), ("townsfolk", "peddler_1", True)):
        game = create_game_with_display(row, card, suspicion_kept_for="open_cards")
        others = [each for each in sorted(game.t.data.outsiders) if not each.startswith("thief")][:converted]
        game.exactly(game.seat(1).converted, **dict.fromkeys(others, 1))
        assert (add_due(game, discard_suspicion=1).decision(1) == "reward") is has_decision


@pytest.mark.parametrize("reading", ["any_reason", "open_cards", "own_cards"])
def test_paladins_rewards_suspicion_kept__before_a_free_recruit(reading: str) -> None:
    """The jar's reward hires the Peddler, and the card of the same absolution could be kept for it."""
    game = create_game_with_display("townsfolk", "peddler_3", suspicion_kept_for=reading).suspicion(1, 0, 0)
    game.turn(1).occupy(1, "hunt", "labourer").workers(1, cleric=1, labourer=1, merchant=1)
    game.act(1, "absolve", 3, c.PlaceJar("free_recruit"))
    kept = reading != "own_cards"
    assert (c.ForgoReward("discard_suspicion") in game.legal(1)) is kept
    game.do(1, *[c.ForgoReward("discard_suspicion")] * kept, c.HireTownsfolk("peddler_3"))
    assert game.seat(1).suspicion.total() == (2 if kept else 1)
    assert game.deciding() == [2]


@pytest.mark.parametrize("kind", ["tax", "tax_2", "criminal", "take_debt", "pay_debt_or_2_silver"])
def test_paladins_rewards_may_be_forgone__but_not_all(kind: str) -> None:
    """Another criminal makes it a decision, because an inquisition may come in between."""
    game = add_due(
        create_game().next_suspicion(0), **({kind: 1, "pray": 1} | ({"criminal": 1} if kind != "criminal" else {}))
    )
    game.reject(1, c.ForgoReward(kind), "paladins.rewards.may_be_forgone", "MANDATORY")


def test_paladins_rewards_free_recruit() -> None:
    """Without workers, silver and debts, from any place of the row."""
    game = add_due(create_game().at(1, silver=0), free_recruit=1)
    assert game.legal(1) == [c.HireTownsfolk("architect_2"), c.HireTownsfolk("abbot_1"), c.ForgoReward("free_recruit")]
    for payment in ("silver", "debt"):
        command = c.HireTownsfolk("abbot_1", payment)
        game.reject(1, command, "paladins.rewards.free_recruit", "NOTHING_TO_PAY")
    game.reject(1, c.HireTownsfolk("abbot_2"), "paladins.recruit.on_display", "NOT_ON_DISPLAY")
    before = holdings(game)
    hired = detail(game.do(1, c.HireTownsfolk("architect_2")), e.TownsfolkHired)
    assert hired == e.TownsfolkHired("architect_2", "", 0)
    assert change(before, holdings(game)) == {"provision": 1}, "the card's instant reward"


@pytest.mark.parametrize("reading", ["hire", "hire_or_discard"])
def test_paladins_rewards_free_recruit_hires(reading: str) -> None:
    game = add_due(create_game(free_recruit=reading), free_recruit=1)
    discard = c.DiscardTownsfolk("abbot_1")
    assert c.HireTownsfolk("abbot_1") in game.legal(1)
    if reading == "hire":
        game.reject(1, discard, "paladins.rewards.free_recruit_hires", "HIRE_ONLY")
    else:
        before = holdings(game)
        game.do(1, discard)
        assert change(before, holdings(game)) == {"cleric": 1, "labourer": 1}
        assert "abbot_1" in game.t.townsfolk_discard.items
        assert game.deciding() == [2]


def test_paladins_rewards_free_develop() -> None:
    """Without workers and silver, with the worker below the workshop."""
    game = PaladinsGame(2).turn().favours("favour_07").at(1, silver=0, provisions=1).workers(1, merchant=1)
    game.do(1, c.UseFavour("favour_07"), c.ChooseReward("free_develop_or_fighter_cleric", 1))
    assert len(game.legal(1)) == 12 + 1
    developed = detail(game.do(1, c.PlaceWorkshop("absolve", 2)), e.Developed)
    assert developed == e.Developed("absolve", 2, 0, "scout", "")
    assert game.counts("seat.1.workers") == {"scout": 1}
    assert game.seat(1).areas["develop"].is_open()
