"""What undos cost: no more than what they take back, however many follow each other, and never without end."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace
from tests.game.games import started
from tests.game.old_undos import busy, with_old_undos
from tests.game.records import ORLEANS, check
from tests.service.tiny_title import DrawPearl, PassCoin

from boardkeeper.game.events import GameEvent, Undone, UndoRequested
from boardkeeper.game.game import Game
from boardkeeper.game.record import LONGEST_LINE
from boardkeeper.game.undo import MAX_REQUESTS, SPARE_UNDOS, UNDOS_PER_BATCH
from boardkeeper.game.undo_effects import cancel_inverses, invert, shorten, shorten_undos, visibility_covers
from boardkeeper.table.effects import Ask, Effect, Move, Reveal, Set
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import redact_effect, redact_effects
from boardkeeper.testkit.games import SECRET, give, record, statuses

# --- in a row --------------------------------------------------------------------------------------------------


def take_back(game: Game, history: list[GameEvent], seat: int) -> tuple[GameEvent, int]:
    """Undo freely with no more events than it asks for; also how many those were."""
    first = game.first_undo_version(seat)
    assert isinstance(first, int), first
    past = [event for begin, last in game.undo.batches.since(first) for event in history[begin - 1 : last]]
    decided = game.request_undo(seat, past, f"undo at {game.version}", 9)
    assert not isinstance(decided, Rejection), decided
    game.commit(decided)
    history += decided
    return decided[-1], len(past)


def test_undos_in_a_row_take_back_each_event_once() -> None:
    game, history = busy(60, rules="2")
    begun = history[:-60]
    done = history[-60:]
    undone = [take_back(game, history, 1) for _ in range(60)]
    assert [len(event.effects) for event, _ in undone] == [len(event.effects) for event in reversed(done)]
    assert sum(read for _, read in undone) == 60
    assert game.table.contents() == Game.load(ORLEANS, SECRET, begun).table.contents()
    assert game.table.contents() == Game.load(ORLEANS, SECRET, history).table.contents()


@pytest.mark.parametrize("seed", range(5))
def test_doing_and_undoing_at_random_stores_no_more_than_twice_what_was_done(seed: int) -> None:
    chance = Random(seed)
    game, history = busy(0, rules="2", planning=("open", "sealed")[seed % 2])
    done, read = 0, 0
    for _ in range(120):
        seat = chance.choice(game.table.deciding())
        legal = [it for it in game.legal(seat) if type(it).__name__ in ("PlaceFollower", "WithdrawFollower")]
        if chance.random() < 0.55 and legal:
            events = give(game, seat, chance.choice(legal))
            done += sum(len(event.effects) for event in events)
            history += events
        elif isinstance(game.first_undo_version(seat), int) and game.undo.batches.is_last(
            game.undo.batches.last_of(seat)
        ):
            read += take_back(game, history, seat)[1]
    undone = [event for event in history if isinstance(event.detail, Undone)]
    assert len(undone) > 10
    assert sum(len(event.effects) for event in undone) <= done
    assert read <= len(history)


def test_a_draw_that_was_taken_back_still_needs_consent_for_what_came_before() -> None:
    """Who has seen what chance would give does not go back behind it without asking."""
    game, history = started()
    give_and_keep(game, history, 1, PassCoin(2))
    give_and_keep(game, history, 2, DrawPearl())
    for seat in (2, 1):
        first = game.first_undo_version(seat)
        assert isinstance(first, int)
        decided = game.request_undo(seat, history[first - 1 :], f"undo {seat}", 9)
        assert not isinstance(decided, Rejection)
        assert isinstance(decided[0].detail, UndoRequested), seat
        game.commit(decided)
        history += decided
        vote = game.undo.vote
        assert vote is not None
        answered = game.answer_undo(3 - seat, vote.version, True, history[first - 1 :], f"yes {seat}", 9)
        assert not isinstance(answered, Rejection)
        game.commit(answered)
        history += answered


def give_and_keep(game: Game, history: list[GameEvent], seat: int, command: PassCoin | DrawPearl) -> None:
    history += give(game, seat, command)


# --- limits ----------------------------------------------------------------------------------------------------


def test_a_seat_cannot_fill_the_log_with_undos() -> None:
    game, history = busy(1, rules="2")
    undos = 0
    while not isinstance(game.first_undo_version(1), Rejection):
        take_back(game, history, 1)
        undos += 1
        history += give(game, 1, game.legal(1)[0])
    refused = game.first_undo_version(1)
    assert isinstance(refused, Rejection)
    assert (refused.code, refused.rule) == ("TOO_MANY_UNDOS", "table.undo_in_moderation")
    assert undos == SPARE_UNDOS + UNDOS_PER_BATCH
    again = Game.load(ORLEANS, SECRET, history)
    assert again.first_undo_version(1) == refused, "also after a restart"
    assert isinstance(game.first_undo_version(1, unlimited=True), int), "an audit decides it"
    history += give(game, 2, next(it for it in game.legal(2) if type(it).__name__ == "PlaceFollower"))
    assert isinstance(game.first_undo_version(2), int), "each seat has its own"
    give(game, 1, game.legal(1)[0])
    assert isinstance(game.first_undo_version(1), int), "who plays on may take back again"


def test_the_others_are_not_asked_for_ever() -> None:
    game, history = started()
    history += give(game, 1, DrawPearl())
    for _ in range(MAX_REQUESTS):
        first = game.first_undo_version(1)
        assert isinstance(first, int)
        asked = game.request_undo(1, history[first - 1 :], "undo", 9)
        assert not isinstance(asked, Rejection)
        game.commit(asked)
        declined = game.answer_undo(2, game.version, False, [], "no", 9)
        assert not isinstance(declined, Rejection)
        game.commit(declined)
        history += [*asked, *declined]
    refused = game.first_undo_version(1)
    assert isinstance(refused, Rejection)
    assert (refused.code, refused.rule) == ("ASKED_TOO_OFTEN", "table.undo_in_moderation")
    assert isinstance(game.request_undo(1, history, "undo", 9), Rejection)


def test_an_undo_reaches_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    game, history = busy(4, rules="2")
    history += give(game, 2, next(it for it in game.legal(2) if type(it).__name__ == "PlaceFollower"))
    history += give(game, 1, game.legal(1)[0])
    monkeypatch.setattr("boardkeeper.game.undo.MAX_UNDONE_EVENTS", 1)
    assert isinstance(game.first_undo_version(1), int)
    refused = game.first_undo_version(2)
    assert isinstance(refused, Rejection)
    assert (refused.code, refused.rule) == ("UNDO_TOO_FAR", "table.undo_within_reach")


# --- in short --------------------------------------------------------------------------------------------------

LAYOUT = TableLayout(
    2,
    (
        ZoneSpec("open", "public", {"a": 3, "b": 3}),
        ZoneSpec("also", "public", {"a": 3, "b": 3}),
        ZoneSpec("third", "public", {"a": 3, "b": 3}),
        ZoneSpec("deck", "public", stack=True),
        ZoneSpec("hand", "seat.1", {"a": 3, "b": 3}),
        ZoneSpec("theirs", "seat.2", {"a": 3, "b": 3}),
        ZoneSpec("bag", "count", {"a": 3, "b": 3}),
        ZoneSpec("secret", "secret.1", {"a": 3, "b": 3}),
        ZoneSpec("plan", "as:screen", {"a": 3, "b": 3}),
    ),
    (MarkerSpec("coins", 0), MarkerSpec("screen", 0, "seat.1"), MarkerSpec("bid", 0, "secret.1")),
)


@pytest.mark.parametrize(
    ("back", "short"),
    [
        ([Set("coins", 0, 1), Set("coins", 1, 2)], [Set("coins", 0, 2)]),
        ([Set("coins", 0, 1), Set("coins", 1, 0)], []),
        ([Set("bid", 0, 1), Set("bid", 1, 0)], [Set("bid", 0, 1), Set("bid", 1, 0)]),
        ([Ask(1, "", "turn"), Ask(2, "", "plan"), Ask(1, "turn", "")], [Ask(2, "", "plan")]),
        ([Move("a", 1, "open", "also"), Move("a", 2, "open", "also")], [Move("a", 3, "open", "also")]),
        ([Move("a", 1, "open", "also"), Move("b", 2, "also", "open"), Move("a", 1, "also", "open")],
         [Move("b", 2, "also", "open")]),
        ([Move("a", 1, "open", "also"), Move("a", 2, "also", "open")], [Move("a", 1, "also", "open")]),
        ([Move("a", 1, "open", "deck"), Move("a", 1, "deck", "open")],
         [Move("a", 1, "open", "deck"), Move("a", 1, "deck", "open")]),
        ([Move("a", 1, "bag", "open"), Move("a", 1, "open", "bag")],
         [Move("a", 1, "bag", "open"), Move("a", 1, "open", "bag")]),
        ([Move("a", 1, "open", "also"), Move("a", 1, "also", "bag"), Move("a", 1, "also", "open")],
         [Move("a", 1, "open", "also"), Move("a", 1, "also", "bag"), Move("a", 1, "also", "open")]),
        ([Reveal("screen", "seat.1", "public"), Reveal("screen", "public", "seat.1")], []),
        ([Reveal("open", "public", "seat.1"), Reveal("open", "seat.1", "public")],
         [Reveal("open", "public", "seat.1"), Reveal("open", "seat.1", "public")]),
        ([Reveal("hand", "seat.1", "seat.2"), Reveal("hand", "seat.2", "seat.1")],
         [Reveal("hand", "seat.1", "nobody"), Reveal("hand", "nobody", "seat.1")]),
        ([Reveal("hand", "seat.1", "seats.1.2"), Reveal("hand", "seats.1.2", "seat.1")], []),
        ([Reveal("hand", "seat.1", "seats.1.2"), Reveal("hand", "seats.1.2", "seat.2")],
         [Reveal("hand", "seat.1", "seat.2")]),
        ([Reveal("hand", "seats.1.2", "seat.1"), Reveal("hand", "seat.1", "seats.1.2")],
         [Reveal("hand", "seats.1.2", "seat.1"), Reveal("hand", "seat.1", "seats.1.2")]),
        ([Move("a", 2, "hand", "hand"), Reveal("hand", "seats.1.2", "seat.1")],
         [Move("a", 2, "hand", "hand"), Reveal("hand", "seats.1.2", "seat.1")]),
        ([Move("a", 2, "open", "open"), Move("a", 2, "open", "also"), Set("coins", 4, 4)],
         [Move("a", 2, "open", "open"), Move("a", 2, "open", "also")]),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_netted_and_what_goes_back_step_by_step(back: list[Effect], short: list[Effect]) -> None:
    assert list(shorten(Table(LAYOUT), back)) == short


_VISIBILITIES = ("public", "seat.1", "seat.2", "seats.1.2", "count")


ZONES = [zone.id for zone in LAYOUT.zones]


def a_step(table: Table, chance: Random, among: Sequence[str] = ZONES) -> Effect:
    """Any effect but chance that fits a table; moves are among some zones."""
    match chance.randrange(10):
        case 0:
            marker = table.markers[chance.choice(["coins", "bid"])]
            return Set(marker.id, marker.value, chance.randrange(3))
        case 1:
            seat = chance.choice([1, 2])
            return Ask(seat, table.decisions[seat], chance.choice(["", "turn", "plan"]))
        case 2:
            subject = table.subject(chance.choice(["screen", "hand", "open"]))
            return Reveal(subject.id, subject.visibility, chance.choice(_VISIBILITIES))
        case _:
            while True:
                source, target = (table.zones[id] for id in chance.sample(among, 2))
                kinds = [source.order[-1]] if hasattr(source, "order") and source.order else list(source.counts())
                if kinds:
                    return Move(chance.choice(kinds), 1, source.id, target.id)


def applied(table: Table, effects: Sequence[Effect]) -> dict[str, object]:
    """The contents that a copy of a table would have."""
    from boardkeeper.table.forking import layout_of

    copy = Table(layout_of(table))
    copy.apply_all(effects)
    return copy.contents()


@pytest.mark.parametrize("seed", range(60))
def test_in_short_leads_to_the_same_table_and_cannot_be_shorter_by_its_rules(seed: int) -> None:
    chance = Random(seed)
    table = Table(LAYOUT)
    before = table.contents()
    done: list[Effect] = []
    for _ in range(chance.randrange(1, 60)):
        step = a_step(table, chance)
        table.apply(step)
        done.append(step)
    back = invert(done)
    short = shorten(table, back)
    assert applied(table, short) == applied(table, back) == before
    assert len(short) <= len(back)
    assert shorten(table, short) == short
    assert {id: seen for id, seen in visibility_covers(back).items() if seen != table.subject(id).visibility} == {
        id: seen for id, seen in visibility_covers(short).items() if seen != table.subject(id).visibility
    }, "who may see what over the undo is the same"


@pytest.mark.parametrize(
    ("viewer", "among"),
    [(0, ("hand", "bag", "open")), (1, ("theirs", "bag", "open")), (2, ("hand", "bag", "secret", "open"))],
)
@pytest.mark.parametrize("seed", range(40))
def test_in_short_tells_nobody_what_is_hidden(seed: int, viewer: int, among: Sequence[str]) -> None:
    """Two tables on which the viewer has seen the same go back in a way that looks the same to it."""
    from boardkeeper.game.undo_effects import apply_covers

    chance = Random(seed)
    tables = Table(LAYOUT), Table(LAYOUT)
    done: tuple[list[Effect], list[Effect]] = ([], [])
    for _ in range(50):
        one = a_step(tables[0], chance, among)
        tables[0].apply(one)
        seen = redact_effect(tables[0], one, viewer)
        for _ in range(30):
            other = a_step(tables[1], chance, among)
            tables[1].apply(other)
            if redact_effect(tables[1], other, viewer) == seen:
                done[0].append(one)
                done[1].append(other)
                break
            tables[1].revert(other)
        else:
            tables[0].revert(one)
    told = []
    for table, steps in zip(tables, done, strict=True):
        short = shorten(table, invert(steps))
        with apply_covers(table, short):
            told.append(redact_effects(table, short, viewer)[0])
    assert told[0] == told[1]


# --- as of old -------------------------------------------------------------------------------------------------


def test_undos_that_0_1_0_stored_are_still_decided() -> None:
    """The 14th in a row was longer than a line of a record could be, and so no record of its game held ever again."""
    events = with_old_undos(15)
    lines = record(events)
    assert max(map(len, lines)) > 2 * LONGEST_LINE
    report = check(lines)
    assert set(statuses(report).values()) == {"holds"}, report.problems
    for viewer in (0, 1):
        assert not check(record(events[:-40], viewer)).fails


@pytest.mark.soak
def test_soak_eighteen_undos_that_0_1_0_stored_are_decided() -> None:
    report = check(record(with_old_undos(18)))
    assert report.holds, report.problems


def test_only_under_the_old_rules_and_only_as_it_was() -> None:
    events = with_old_undos(5)
    assert check(record(events)).holds
    created = events[0].detail
    newer = [replace(events[0], detail=replace(created, rules_version="2")), *events[1:]]
    report = check(record(newer))
    assert statuses(report)["decided"] == "fails", "new rules store what is in force and nothing else"
    at = max(at for at, event in enumerate(events) if isinstance(event.detail, Undone))
    loop: tuple[Effect, ...] = (Set("seat.2.coins", 5, 5),)
    padded = [*events[:at], replace(events[at], effects=events[at].effects + loop), *events[at + 1 :]]
    assert statuses(check(record(padded)))["decided"] != "holds"


def test_a_game_that_goes_on_under_new_rules_has_both_forms() -> None:
    from tests.game.old_undos import take_back_as_of_old

    from boardkeeper.testkit.games import finish_game

    game, events = busy(8)
    for number in range(3):
        take_back_as_of_old(game, events, 1, f"old {number}")
    for _ in range(3):
        take_back(game, events, 1)
    events += finish_game(game, Random(1))
    report = check(record(events))
    assert report.holds, report.problems


def test_old_undos_are_told_in_short() -> None:
    events = with_old_undos(12, to_the_end=False)
    short = shorten_undos(events, 2_000)
    long = {event.originator_version: event for event in events if len(event.effects) > 2_000}
    assert len(long) == 3
    assert short.keys() == long.keys()
    table = Table(events[0].detail.layout)  # type: ignore[attr-defined]
    for event in events:
        if event.originator_version in long:
            told = short[event.originator_version]
            assert len(told) == 2
            assert list(told) == cancel_inverses(event.effects)
            assert applied(table, told) == applied(table, event.effects)
        table.apply_all(event.effects)
