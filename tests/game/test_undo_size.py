"""The size of undos: an undo has no more effects than the commands that it undoes. The number of undos is limited."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace
from tests.game.games import start
from tests.game.old_undos import busy_game, game_with_old_undos, undo_in_old_format
from tests.game.records import ORLEANS, check
from tests.service.tiny_title import DrawPearl, PassCoin

from boardkeeper.game.events import GameEvent, Undone, UndoRequested
from boardkeeper.game.game import Game
from boardkeeper.game.record import MAX_LINE_BYTES
from boardkeeper.game.undo import MAX_REQUESTS, SPARE_UNDOS, UNDOS_PER_BATCH
from boardkeeper.game.undo_effects import (
    apply_covers,
    cancel_inverses,
    invert,
    shorten,
    shorten_undos,
    visibility_covers,
)
from boardkeeper.table.effects import Ask, Effect, Move, Reveal, Set
from boardkeeper.table.forking import layout_of
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import redact_effect, redact_effects
from boardkeeper.testkit.games import SECRET, finish_game, give, record, statuses

# --- consecutive undos -----------------------------------------------------------------------------------------


def undo(game: Game, history: list[GameEvent], seat: int) -> tuple[GameEvent, int]:
    """Undo the last command of a seat. Return the undo and the number of events that had to be read for it."""
    first = game.first_undo_version(seat)
    assert isinstance(first, int), first
    past = [event for begin, last in game.undo.batches.since(first) for event in history[begin - 1 : last]]
    decided = game.request_undo(seat, past, f"undo at {game.version}", 9)
    assert not isinstance(decided, Rejection), decided
    game.commit(decided)
    history += decided
    return decided[-1], len(past)


def test_consecutive_undos_revert_each_event_once() -> None:
    game, history = busy_game(60, rules="2")
    before, done = history[:-60], history[-60:]
    undone = [undo(game, history, 1) for _ in range(60)]
    assert [len(event.effects) for event, _ in undone] == [len(event.effects) for event in reversed(done)]
    assert sum(read for _, read in undone) == 60
    assert game.table.contents() == Game.load(ORLEANS, SECRET, before).table.contents()
    assert game.table.contents() == Game.load(ORLEANS, SECRET, history).table.contents()


@pytest.mark.parametrize("seed", range(5))
def test_random_undos_have_no_more_effects_than_the_commands(seed: int) -> None:
    chance = Random(seed)
    game, history = busy_game(0, rules="2", planning=("open", "sealed")[seed % 2])
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
            read += undo(game, history, seat)[1]
    undone = [event for event in history if isinstance(event.detail, Undone)]
    assert len(undone) > 10
    assert sum(len(event.effects) for event in undone) <= done
    assert read <= len(history)


def test_undo_before_an_undone_draw_needs_consent() -> None:
    """The players have seen the result of the draw."""
    game, history = start()
    history += give(game, 1, PassCoin(2))
    history += give(game, 2, DrawPearl())
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


# --- limits ----------------------------------------------------------------------------------------------------


def test_the_number_of_undos_of_a_seat_is_limited() -> None:
    game, history = busy_game(1, rules="2")
    undos = 0
    while not isinstance(game.first_undo_version(1), Rejection):
        undo(game, history, 1)
        undos += 1
        history += give(game, 1, game.legal(1)[0])
    rejection = game.first_undo_version(1)
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.rule) == ("TOO_MANY_UNDOS", "table.undo_in_moderation")
    assert undos == SPARE_UNDOS + UNDOS_PER_BATCH
    loaded = Game.load(ORLEANS, SECRET, history)
    assert loaded.first_undo_version(1) == rejection, "also after a restart"
    assert isinstance(game.first_undo_version(1, unlimited=True), int), "audits have no limit"
    history += give(game, 2, next(it for it in game.legal(2) if type(it).__name__ == "PlaceFollower"))
    assert isinstance(game.first_undo_version(2), int), "the limit is per seat"
    give(game, 1, game.legal(1)[0])
    assert isinstance(game.first_undo_version(1), int), "new commands allow more undos"


def test_the_number_of_undo_requests_is_limited() -> None:
    game, history = start()
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
    rejection = game.first_undo_version(1)
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.rule) == ("ASKED_TOO_OFTEN", "table.undo_in_moderation")
    assert isinstance(game.request_undo(1, history, "undo", 9), Rejection)


def test_the_number_of_undone_events_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    game, history = busy_game(4, rules="2")
    history += give(game, 2, next(it for it in game.legal(2) if type(it).__name__ == "PlaceFollower"))
    history += give(game, 1, game.legal(1)[0])
    monkeypatch.setattr("boardkeeper.game.undo.MAX_UNDONE_EVENTS", 1)
    assert isinstance(game.first_undo_version(1), int)
    rejection = game.first_undo_version(2)
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.rule) == ("UNDO_TOO_FAR", "table.undo_within_reach")


# --- shortened undos -------------------------------------------------------------------------------------------

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
def test_inverse_effects_are_combined_unless_that_would_reveal_something(
    back: list[Effect], short: list[Effect]
) -> None:
    assert list(shorten(Table(LAYOUT), back)) == short


_VISIBILITIES = ("public", "seat.1", "seat.2", "seats.1.2", "count")
ZONES = [zone.id for zone in LAYOUT.zones]


def random_effect(table: Table, chance: Random, zones: Sequence[str] = ZONES) -> Effect:
    """Return a possible effect of a table, but no draw and no shuffle. Moves are between the given zones."""
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
                source, target = (table.zones[id] for id in chance.sample(zones, 2))
                kinds = [source.order[-1]] if hasattr(source, "order") and source.order else list(source.counts())
                if kinds:
                    return Move(chance.choice(kinds), 1, source.id, target.id)


def contents_after(table: Table, effects: Sequence[Effect]) -> dict[str, object]:
    """Return the contents of a copy of a table after some effects."""
    copy = Table(layout_of(table))
    copy.apply_all(effects)
    return copy.contents()


@pytest.mark.parametrize("seed", range(60))
def test_a_shortened_undo_has_the_same_result_and_visibility(seed: int) -> None:
    chance = Random(seed)
    table = Table(LAYOUT)
    before = table.contents()
    done: list[Effect] = []
    for _ in range(chance.randrange(1, 60)):
        step = random_effect(table, chance)
        table.apply(step)
        done.append(step)
    back = invert(done)
    short = shorten(table, back)
    assert contents_after(table, short) == contents_after(table, back) == before
    assert len(short) <= len(back)
    assert shorten(table, short) == short
    assert {id: seen for id, seen in visibility_covers(back).items() if seen != table.subject(id).visibility} == {
        id: seen for id, seen in visibility_covers(short).items() if seen != table.subject(id).visibility
    }


@pytest.mark.parametrize(
    ("viewer", "zones"),
    [(0, ("hand", "bag", "open")), (1, ("theirs", "bag", "open")), (2, ("hand", "bag", "secret", "open"))],
)
@pytest.mark.parametrize("seed", range(40))
def test_a_shortened_undo_hides_secrets(seed: int, viewer: int, zones: Sequence[str]) -> None:
    """If the viewer has seen the same effects on two tables, their undos look the same too."""
    chance = Random(seed)
    tables = Table(LAYOUT), Table(LAYOUT)
    done: tuple[list[Effect], list[Effect]] = ([], [])
    for _ in range(50):
        one = random_effect(tables[0], chance, zones)
        tables[0].apply(one)
        seen = redact_effect(tables[0], one, viewer)
        for _ in range(30):
            other = random_effect(tables[1], chance, zones)
            tables[1].apply(other)
            if redact_effect(tables[1], other, viewer) == seen:
                done[0].append(one)
                done[1].append(other)
                break
            tables[1].revert(other)
        else:
            tables[0].revert(one)
    redacted = []
    for table, steps in zip(tables, done, strict=True):
        short = shorten(table, invert(steps))
        with apply_covers(table, short):
            redacted.append(redact_effects(table, short, viewer)[0])
    assert redacted[0] == redacted[1]


# --- undos of 0.1.0 --------------------------------------------------------------------------------------------


def test_records_with_undos_of_0_1_0_are_valid() -> None:
    """The 14th consecutive undo was longer than the limit for lines, so records of the game were invalid in 0.1.0."""
    events = game_with_old_undos(15)
    lines = record(events)
    assert max(map(len, lines)) > 2 * MAX_LINE_BYTES
    report = check(lines)
    assert set(statuses(report).values()) == {"holds"}, report.problems
    for viewer in (0, 1):
        assert not check(record(events[:-40], viewer)).fails


@pytest.mark.soak
def test_soak_a_record_with_eighteen_undos_of_0_1_0_is_valid() -> None:
    report = check(record(game_with_old_undos(18)))
    assert report.holds, report.problems


def test_undos_of_0_1_0_are_valid_only_under_the_old_rules_and_unchanged() -> None:
    events = game_with_old_undos(5)
    assert check(record(events)).holds
    created = events[0].detail
    newer = [replace(events[0], detail=replace(created, rules_version="2")), *events[1:]]
    report = check(record(newer))
    assert statuses(report)["decided"] == "fails", "under new rules, undos are shortened"
    at = max(at for at, event in enumerate(events) if isinstance(event.detail, Undone))
    loop: tuple[Effect, ...] = (Set("seat.2.coins", 5, 5),)
    padded = [*events[:at], replace(events[at], effects=events[at].effects + loop), *events[at + 1 :]]
    assert statuses(check(record(padded)))["decided"] != "holds"


def test_a_game_can_have_undos_of_both_formats() -> None:
    game, events = busy_game(8)
    for number in range(3):
        undo_in_old_format(game, events, 1, f"old {number}")
    for _ in range(3):
        undo(game, events, 1)
    events += finish_game(game, Random(1))
    report = check(record(events))
    assert report.holds, report.problems


def test_undos_of_0_1_0_are_shortened_for_clients() -> None:
    events = game_with_old_undos(12, to_the_end=False)
    short = shorten_undos(events, 2_000)
    long = {event.originator_version: event for event in events if len(event.effects) > 2_000}
    assert len(long) == 3
    assert short.keys() == long.keys()
    table = Table(events[0].detail.layout)  # type: ignore[attr-defined]
    for event in events:
        if event.originator_version in long:
            effects = short[event.originator_version]
            assert len(effects) == 2
            assert list(effects) == cancel_inverses(event.effects)
            assert contents_after(table, effects) == contents_after(table, event.effects)
        table.apply_all(event.effects)
