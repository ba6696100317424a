"""The start of a round: cards are revealed, players choose paladins in secret, and take tavern cards."""

from __future__ import annotations

import pytest
from tests.titles.paladins.holdings import TABLES, change, holdings, ids_of, place_workers
from tests.titles.paladins.kit import PaladinsGame, detail, details, named

from boardkeeper.table.effects import Draw, Event, Move
from boardkeeper.table.visibility import redact_effects
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.scoring import sheet


def begin_first_round(game: PaladinsGame, start: int = 1) -> list[Event]:
    """Begin the first round without townsfolk, and return its events. ``start`` is the start player's seat."""
    for seat in game.t.people:
        game.townsfolk(seat.number)
    game.at(0, acting_seat=0)
    return game.enter("dawn", start)


def choose_paladins(game: PaladinsGame, start: int = 1) -> list[Event]:
    """Begin the first round, let every seat choose its paladins, and return the events of the last choice."""
    begin_first_round(game, start)
    events: list[Event] = []
    while game.t.phase.value == "paladins":
        seat = game.deciding()[0]
        events = game.do(seat, game.legal(seat)[0])
    return events


def test_paladins_round_seven() -> None:
    game = PaladinsGame(2)
    events = game.idle_until("over")

    assert [event.detail.round for event in events if isinstance(event.detail, e.RoundBegun)] == [1, 2, 3, 4, 5, 6, 7]
    assert game.play.is_over()
    assert len(named(events, "SeatScored")) == 2


@pytest.mark.parametrize("players", [2, 3])
def test_paladins_round_start_player(players: int) -> None:
    game = PaladinsGame(players)
    first = game.t.start.value
    events = game.idle_until("over")

    starts = [event.detail.start_seat for event in events if isinstance(event.detail, e.RoundBegun)]
    assert starts == [(first - 1 + round) % players + 1 for round in range(7)]


def test_paladins_round_start_player__acts_first() -> None:
    game = PaladinsGame(3)
    game.idle_until("actions")
    assert game.deciding() == [game.t.start.value]


def test_paladins_round_revealed() -> None:
    """The three orders give 4, 6 and 8 points; the five favours fill their places from left to right."""
    game = PaladinsGame(2)
    revealed: dict[int, list[str]] = {round: [] for round in range(1, 8)}
    points = []
    places = []
    for event in game.idle_until("over"):
        if isinstance(event.detail, e.RoundBegun):
            round = event.detail.round
        if event.name in ("OrderRevealed", "FavourRevealed"):
            revealed[round].append(event.name)
        if isinstance(event.detail, e.OrderRevealed):
            points.append(event.detail.points)
        if isinstance(event.detail, e.FavourRevealed):
            places.append(event.detail.place)
            assert game.counts(f"favour.{event.detail.place}") == {event.detail.favour: 1}

    order, favour = "OrderRevealed", "FavourRevealed"
    assert list(revealed.values()) == [[order], [order], [order, favour], [favour], [favour], [favour], [favour]]
    assert points == [4, 6, 8]
    assert places == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_paladins_round_tavern(players: int) -> None:
    game = PaladinsGame(players)
    opened = detail(begin_first_round(game), e.TavernOpened)

    assert len(opened.tavern) == game.t.tavern.total() == players + 1
    assert not opened.reshuffled


def test_paladins_round_tavern__has_two_cards_in_a_solo_game() -> None:
    game = PaladinsGame(2, opponent="easy")
    assert len(detail(begin_first_round(game), e.TavernOpened).tavern) == 2


def test_paladins_round_tavern_reshuffle() -> None:
    """The last card of the deck is revealed before the discarded cards are shuffled."""
    game = PaladinsGame(4)
    last, *others = ids_of("tavern")
    for card in others:
        game.bring(card, game.t.tavern_discard)

    opened = detail(begin_first_round(game), e.TavernOpened)

    assert opened.reshuffled
    assert opened.tavern[0] == last
    assert len(set(opened.tavern)) == 5
    assert (game.t.tavern_deck.total(), game.t.tavern_discard.total()) == (19, 0)


def test_paladins_round_tavern_reshuffle__only_when_a_card_is_missing() -> None:
    game = PaladinsGame(2)
    for card in ids_of("tavern")[3:]:
        game.bring(card, game.t.tavern_discard)

    opened = detail(begin_first_round(game), e.TavernOpened)

    assert not opened.reshuffled
    assert game.t.tavern_deck.total() == 0
    game.idle_until("actions")
    assert game.t.tavern_discard.total() == 23
    assert detail(game.idle_round(), e.TavernOpened).reshuffled


# --- paladins -----------------------------------------------------------------------------------------------------


def test_paladins_round_three_paladins() -> None:
    game = PaladinsGame(3)
    drawn = details(begin_first_round(game), e.PaladinsDrawn)

    assert game.deciding() == [1, 2, 3], "they choose at the same time"
    for seat in game.t.people:
        assert seat.hand.items == dict.fromkeys(drawn[seat.number].paladins, 1)
        assert (seat.hand.total(), seat.deck.total()) == (3, 9)
        assert len(game.legal(seat.number)) == 6, "one of three, and one of the two others on top"


def test_paladins_round_revealing() -> None:
    """All paladins are revealed after the last choice, in turn order; each brings two workers."""
    game = PaladinsGame(3)
    begin_first_round(game, start=2)
    for seat in (1, 3):
        events = game.do(seat, game.legal(seat)[0])
        assert not named(events, "PaladinRevealed")
        assert not game.counts(f"seat.{seat}.workers")

    events = game.do(2, game.legal(2)[0])

    revealed = details(events, e.PaladinRevealed)
    assert list(revealed) == [2, 3, 1]
    for number, paladin in revealed.items():
        workers = TABLES["paladins"][paladin.paladin]["workers"]
        assert list(paladin.workers) == workers
        assert game.counts(f"seat.{number}.workers") == {worker: workers.count(worker) for worker in workers}
        assert game.counts(f"seat.{number}.paladin") == {paladin.paladin: 1}


@pytest.mark.parametrize("paladin", ids_of("paladins"))
def test_paladins_round_revealing__brings_the_workers_of_each_paladin(paladin: str) -> None:
    game = PaladinsGame(2)
    begin_first_round(game)
    own = game.seat(1)
    if paladin not in own.hand.items:
        game.t.move(next(iter(own.hand.items)), own.hand, own.deck)
        game.t.move(paladin, own.deck, own.hand)
        game.play.recorder.clear()

    game.do(1, next(command for command in game.legal(1) if command.paladin == paladin))  # type: ignore[attr-defined]
    game.idle(2)

    workers = TABLES["paladins"][paladin]["workers"]
    assert game.counts("seat.1.workers") == {worker: workers.count(worker) for worker in workers}


def test_paladins_paladins_from_the_hand() -> None:
    game = PaladinsGame(2)
    begin_first_round(game)
    one, other, _ = game.seat(1).hand.items
    elsewhere = next(iter(game.seat(1).deck.items))

    for command in (c.ChoosePaladin(elsewhere, one), c.ChoosePaladin(one, elsewhere)):
        game.reject(1, command, "paladins.paladins.from_the_hand", "NOT_ON_HAND")
    game.reject(1, c.ChoosePaladin("nobody", one), "table.known_ids", "UNKNOWN_ID")
    game.do(1, c.ChoosePaladin(one, other))
    game.reject(1, c.ChoosePaladin(one, other), "table.not_deciding", "NOT_DECIDING")


def test_paladins_paladins_one_for_the_round() -> None:
    game = PaladinsGame(2)
    begin_first_round(game)
    one, other, third = game.seat(1).hand.items
    events = game.do(1, c.ChoosePaladin(one, other))

    assert detail(events, e.PaladinsSorted) == e.PaladinsSorted(one, other, third)
    assert named(events, "PaladinLaid")
    assert game.counts("seat.1.chosen") == {one: 1}
    assert not game.counts("seat.1.hand")
    game.idle_until("tavern")
    assert game.counts("seat.1.paladin") == {one: 1}


def test_paladins_paladins_one_on_top() -> None:
    game = PaladinsGame(2)
    begin_first_round(game)
    one, other, third = game.seat(1).hand.items
    game.reject(1, c.ChoosePaladin(one, one), "paladins.paladins.one_on_top", "SAME_PALADIN")

    game.do(1, c.ChoosePaladin(one, other))
    events = game.idle_round()

    hand = game.seat(1).hand.items
    drawn = details(events, e.PaladinsDrawn)[1].paladins
    assert other == drawn[0]
    assert sorted(drawn) == sorted(hand)
    assert not {one, third} & hand.keys()
    assert game.seat(1).deck.total() == 7


def test_paladins_paladins_one_under() -> None:
    """The deck is used up in round 6. Then the seat draws the cards that it put under the deck, the oldest first."""
    game = PaladinsGame(2)
    begin_first_round(game)
    under: list[str] = []
    top, drawn = "", set()
    for round in range(1, 8):
        own = game.seat(1)
        hand = list(own.hand.items)
        assert len(hand) == 3
        if round < 6:
            assert not {*under} & {*hand}
            assert {*hand} - {top} not in drawn
        elif round == 6:
            (last,) = {*hand} - {top, under[0]}
            assert last not in drawn, "the last card of the deck"
        else:
            assert {*hand} == {top, under[1], under[2]}
        drawn |= {*hand}
        if round == 5:
            assert own.deck.total() == 1
        if round > 5:
            assert own.deck.total() == 0
        laid, top, third = sorted(hand)
        game.do(1, c.ChoosePaladin(laid, top))
        assert game.counts(f"seat.1.under.{round}") == {third: 1}
        under.append(third)
        game.idle_round()
    assert len(drawn) == 12
    assert game.play.is_over()
    assert game.seat(1).retired.total() == 7


def test_paladins_paladins_one_under__is_known_only_to_its_seat() -> None:
    game = PaladinsGame(2)
    begin_first_round(game)
    hand = list(game.seat(1).hand.items)
    mine, others = game.board(1).seats[0], (game.board(2).seats[0], game.board(0).seats[0])
    assert sorted(mine.hand) == sorted(hand)
    assert len(mine.deck) == 9
    assert [(other.hand, other.hand_count, other.deck) for other in others] == [((), 3, ())] * 2

    game.do(1, c.ChoosePaladin(hand[0], hand[1]))

    mine, others = game.board(1).seats[0], (game.board(2).seats[0], game.board(0).seats[0])
    assert (mine.chosen, mine.again, mine.under) == (hand[0], hand[1], (hand[2],))
    for other in others:
        assert (other.has_chosen, other.chosen, other.again, other.under) == (True, "", "", ())
        assert other.deck_count == mine.deck_count == 11


def test_paladins_paladins_one_for_the_round__does_not_depend_on_the_order_of_seats() -> None:
    """A choice changes no legal commands of other seats, and the order of choices does not change the table."""
    games = [PaladinsGame(3, seed="the same") for _ in range(2)]
    for game in games:
        begin_first_round(game)
    choices = {seat: games[0].legal(seat)[-1] for seat in (1, 2, 3)}

    for game, order in zip(games, ((1, 2, 3), (3, 1, 2)), strict=True):
        for seat in order:
            before = game.legal(seat)
            assert choices[seat] in before
            game.do(seat, choices[seat])
    one, other = (game.table.contents() for game in games)
    assert one == other
    for viewer in range(4):
        assert games[0].board(viewer) == games[1].board(viewer)


def test_paladins_paladins_one_for_the_round__is_hidden_from_the_others() -> None:
    """Until the paladins are revealed, the choice of seat 1 changes the board of no other viewer."""
    games = [PaladinsGame(2, seed="the same") for _ in range(2)]
    for game, at in zip(games, (0, -1), strict=True):
        begin_first_round(game)
        game.do(1, game.legal(1)[at])
    for viewer in (0, 2):
        assert games[0].board(viewer) == games[1].board(viewer)
    assert games[0].board(1) != games[1].board(1)


def test_paladins_paladins_one_for_the_round__is_an_event_whose_cards_only_its_seat_sees() -> None:
    game = PaladinsGame(2)
    drawn = named(begin_first_round(game), "PaladinsDrawn")[0]
    sorting, laid = game.do(1, game.legal(1)[0])[:2]
    assert (sorting.name, laid.name) == ("PaladinsSorted", "PaladinLaid")

    for event in (drawn, sorting):
        assert redact_effects(game.table, event.effects, 1) == (event.effects, True)
        for viewer in (0, 2):
            effects, whole = redact_effects(game.table, event.effects, viewer)
            known = [effect.component for effect in effects if isinstance(effect, Move)]
            known += [card for effect in effects if isinstance(effect, Draw) for card in effect.drawn]
            assert set(known) == {"?"}
            assert not whole, "the detail is hidden too"
    for viewer in (0, 1, 2):
        assert redact_effects(game.table, laid.effects, viewer) == (laid.effects, True)


COSTLY = {
    "absolve": ("ivoire", "silver", 1),
    "commission": ("ivon", "provision", 1),
    "convert": ("gerier", "silver", 1),
    "fortify": ("anseis", "provision", 1),
    "garrison": ("berengier", "provision", 1),
    "pray": ("oliver", "silver", 2),
    "recruit": ("roland", "silver", 3),
}


@pytest.mark.parametrize("action", COSTLY)
def test_paladins_paladins_free(action: str) -> None:
    """A free action costs no silver or provisions. With another paladin, the same action has its price."""
    paladin, word, price = COSTLY[action]
    for card, paid in ((paladin, 0), ("otton", price)):
        game = PaladinsGame(2).turn().paladin(1, card).at(1, silver=6, provisions=3, faith=6, strength=6, influence=6)
        game.display("townsfolk", "defender_1").display("outsiders", "mercenary_viking").next_wall("wall_05")
        game.bring("warrior_saracen", game.seat(1).converted)
        before = holdings(game)
        place_workers(game, action, 2)
        for command in (
            c.HireTownsfolk("defender_1", "silver"),
            c.PlaceJar("faith"),
            c.PlaceMonk("r2c"),
            c.PlaceOutpost("r2c"),
        ):
            if command in game.legal(1):
                game.do(1, command)
        if action == "convert":
            game.do(1, c.ConvertOutsider("mercenary_viking"))
        assert before[word] - holdings(game)[word] == paid, card


def test_paladins_paladins_free__for_every_paladin_with_this_ability() -> None:
    free = {
        table["free"]: id for id, table in TABLES["paladins"].items() if isinstance(table, dict) and "free" in table
    }
    assert free == {action: paladin for action, (paladin, _, _) in COSTLY.items()}


def test_paladins_paladins_free__still_needs_the_attribute() -> None:
    game = PaladinsGame(2).turn().paladin(1, "anseis").workers(1, merchant=1, labourer=1, scout=1)
    for wall in ("wall_01", "wall_02", "wall_03", "wall_04"):
        game.bring(wall, game.seat(1).walls)
    rejection = game.reject(1, c.BeginAction("fortify", 3), "paladins.fortify.influence", "ATTRIBUTE_TOO_LOW")
    assert (rejection.values["has"], rejection.values["needs"]) == ("3", "7")


@pytest.mark.parametrize("action", COSTLY)
def test_paladins_paladins_free__for_a_seat_that_cannot_pay(action: str) -> None:
    paladin, _, _ = COSTLY[action]
    for card, possible in ((paladin, True), ("otton", False)):
        game = PaladinsGame(2).turn().paladin(1, card).at(1, silver=0, provisions=0).many_workers()
        game.display("townsfolk", "defender_1").debts(1).run_out("debt", game.t.debts)
        game.bring("warrior_saracen", game.seat(1).converted)
        actions = {command.action for command in game.legal(1) if isinstance(command, c.BeginAction)}
        assert (action in actions) is possible, card


def test_paladins_paladins_cheaper() -> None:
    """With Samson, a workshop costs 2 silver instead of 4."""
    for card, paid in (("samson", 2), ("otton", 4)):
        game = PaladinsGame(2).turn().paladin(1, card).at(1, silver=4)
        place_workers(game, "develop")
        developed = detail(game.do(1, c.PlaceWorkshop("attack", 1)), e.Developed)
        assert (game.seat(1).silver.value, developed.silver) == (4 - paid, paid)
    game = PaladinsGame(2).turn().paladin(1, "samson").at(1, silver=1).workers(1, labourer=2)
    rejection = game.reject(1, c.BeginAction("develop", 2), "paladins.develop.cost", "NOT_ENOUGH_SILVER")
    assert rejection.values["needs"] == "2"


def test_paladins_paladins_cheaper__for_no_other_action() -> None:
    game = PaladinsGame(2).turn().paladin(1, "samson").at(1, silver=2)
    place_workers(game, "pray")
    assert game.seat(1).silver.value == 0


@pytest.mark.parametrize(
    ("paladin", "action", "word", "received"),
    [
        ("engelier", "attack", "silver", 2),
        ("gerin", "conspire", "silver", 2),
        ("girard", "hunt", "provision", 2 + 3),
        ("otton", "trade", "silver", 2 + 3),
    ],
)
def test_paladins_paladins_bonus(paladin: str, action: str, word: str, received: int) -> None:
    game = PaladinsGame(2).turn().paladin(1, paladin).at(1, strength=2, silver=0, provisions=0).next_suspicion(0)
    game.display("outsiders", "mercenary_viking", "guardian_byzantine")

    for outsider in ("mercenary_viking", "guardian_byzantine"):
        before = holdings(game)[word]
        place_workers(game, action, 2)
        if action == "attack":
            game.do(1, c.AttackOutsider(outsider))
        assert holdings(game)[word] - before == received, "the bonus comes with every such action"
        for space in game.seat(1).areas[action].spaces:
            game.empty(space)
        game.turn(1)


def test_paladins_paladins_bonus__also_for_one_worker() -> None:
    game = PaladinsGame(2).turn().paladin(1, "otton").at(1, silver=0)
    place_workers(game, "trade", 1)
    assert game.seat(1).silver.value == 3


# --- the tavern ---------------------------------------------------------------------------------------------------


def test_paladins_tavern_in_turn() -> None:
    game = PaladinsGame(3)
    choose_paladins(game, start=3)

    seats = []
    while game.t.phase.value == "tavern":
        (seat,) = game.deciding()
        seats.append(seat)
        game.do(seat, game.legal(seat)[0])

    assert seats == [3, 1, 2]
    assert game.t.tavern.total() == 1, "a card is left"
    assert game.deciding() == [3]


def test_paladins_tavern_open_card() -> None:
    game = PaladinsGame(2)
    choose_paladins(game)
    taken, other = game.legal(1)[:2]
    elsewhere = next(iter(game.t.tavern_deck.items))

    game.reject(1, c.TakeTavernCard(elsewhere), "paladins.tavern.open_card", "NOT_IN_THE_TAVERN")
    game.do(1, taken)
    game.reject(2, taken, "paladins.tavern.open_card", "NOT_IN_THE_TAVERN")
    assert other in game.legal(2)


@pytest.mark.parametrize("card", ids_of("tavern"))
def test_paladins_tavern_four_workers(card: str) -> None:
    game = PaladinsGame(2)
    choose_paladins(game)
    game.workers(1).next_suspicion(0)
    if card not in game.t.tavern.items:
        game.bring(card, game.t.tavern)

    events = game.do(1, c.TakeTavernCard(card))

    workers = TABLES["tavern"][card]["workers"]
    assert game.counts("seat.1.workers") == {worker: workers.count(worker) for worker in workers}
    assert len(workers) == 4
    assert game.seat(1).suspicion.total() == workers.count("criminal")
    assert sorted(detail(events, e.TavernCardTaken).workers) == sorted(workers)


def test_paladins_tavern_four_workers__and_silver_for_the_suspicion_of_criminals() -> None:
    game = PaladinsGame(2)
    choose_paladins(game)
    game.next_suspicion(2)
    if "tavern_12" not in game.t.tavern.items:
        game.bring("tavern_12", game.t.tavern)
    before = holdings(game)

    game.do(1, c.TakeTavernCard("tavern_12"))

    more = change(before, holdings(game))
    assert (more["suspicion"], more["silver"], more["in the tax supply"]) == (2, 4, -4)
    assert game.decision(2) == "tavern"


# --- attributes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paladin", ids_of("paladins"))
def test_paladins_attributes_paladin_adds(paladin: str) -> None:
    """A paladin adds to its seat's attributes until the end of the round, but does not change the score."""
    game = PaladinsGame(2).turn(round=7).at(1, faith=2, strength=2, influence=2)
    own = game.seat(1)
    before = sheet(game.t, own)
    game.paladin(1, paladin)

    adds = {attribute: TABLES["paladins"][paladin][attribute] for attribute in ("faith", "strength", "influence")}
    assert {attribute: own.level(attribute) - 2 for attribute in adds} == adds
    assert sum(adds.values()) == 4
    assert game.board(2).seats[0].bonus == {attribute: more for attribute, more in adds.items() if more}
    after = sheet(game.t, own)
    assert (after.faith, after.strength, after.influence) == (before.faith, before.strength, before.influence)
    game.end_round()
    assert [own.level(attribute) for attribute in adds] == [2, 2, 2]


def test_paladins_attributes_end_of_track() -> None:
    game = PaladinsGame(2).turn().next_wall("wall_01").at(1, strength=11, provisions=1)

    gained = detail(place_workers(game, "fortify"), e.Gained)

    assert game.seat(1).attributes["strength"].value == 12
    assert (gained.gains, gained.lost) == (("strength", "strength"), ("strength",))
