"""Audits of records: each level finds and reports its kind of error, and valid records hold on all levels."""

from __future__ import annotations

import tracemalloc
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.game.games import create, join_all, start
from tests.game.records import ORLEANS, check, finished_game, game_with_undos, load_title
from tests.service.tiny_title import TINY, PassCoin

from boardkeeper.game.audit import LEVELS, Report, audit
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameCreated
from boardkeeper.game.forking import Fork, fork_game
from boardkeeper.game.game import Game
from boardkeeper.game.record import MAX_LINE_BYTES, canonical, derive_salt, key_id, sealer, write_record
from boardkeeper.game.record_reading import split_lines
from boardkeeper.game.record_replay import ReadingChange
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.table.visible_table import visible_table
from boardkeeper.testkit.games import (
    ID,
    SECRET,
    Signer,
    finish_game,
    give,
    record,
    rewrite_event,
    statuses,
    verify_signature,
)
from boardkeeper.titlekit.title import Setup

ALL_HOLD = dict.fromkeys(LEVELS, "holds")


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return record(finished_game())


def failing(report: Report) -> set[str]:
    return {level.name for level in report.levels if level.status == "fails"}


# --- valid records ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("id", ["tiny", "orleans"])
def test_a_finished_game_holds_on_every_level(id: str, seed: int) -> None:
    report = check(record(finished_game(seed, load_title(id))))
    assert statuses(report) == ALL_HOLD, report.problems
    assert report.holds
    assert not report.fails
    assert report.title == id
    assert report.standings[0].rank == 1
    assert report.other_readings is None, "it was played under today's defaults"


@pytest.mark.parametrize("seed", range(8))
def test_a_game_with_undos_holds_on_every_level(seed: int) -> None:
    events = game_with_undos(seed)
    assert statuses(check(record(events))) == ALL_HOLD


def test_a_game_of_orleans_with_undos_holds_on_every_level() -> None:
    events = game_with_undos(1, ORLEANS)
    assert any(event.topic == "game.Undone" for event in events)
    report = check(record(events))
    assert statuses(report) == ALL_HOLD, report.problems


def test_a_game_of_bots_only_holds_on_every_level() -> None:
    game, events = create("bot.random", "bot.random")
    events += finish_game(game, Random(1))
    assert statuses(check(record(events))) == ALL_HOLD


@pytest.mark.parametrize("seats", [0, 1, 2])
def test_a_running_game_is_not_yet_fair_and_decided(seats: int) -> None:
    game, events = create()
    for seat in range(1, seats + 1):
        joined = game.join([seat], b"", "", 2)
        game.commit(joined)
        events += joined
    if seats == 2:
        events += give(game, 1, PassCoin(2))
    report = check(record(events))
    assert statuses(report) == ALL_HOLD | {"fair": "not yet", "decided": "not yet"}
    assert not report.holds
    assert not report.fails


def test_a_game_from_a_position_holds_on_every_level() -> None:
    game, events = start(title=ORLEANS)
    chance = Random(2)
    while len(events) < 200:
        seat = chance.choice(game.table.deciding())
        events += give(game, seat, chance.choice(game.legal(seat)))
    table = visible_table(game.table, OPERATOR)
    setup = game.created.setup
    second, again = create_game(ID, ORLEANS, setup, ["person"] * 2, SECRET, "test", "", 1, table)
    second.commit(again)
    join_all(second, again)
    again += finish_game(second, chance)
    report = check(record(again))
    assert statuses(report) == ALL_HOLD, report.problems

    def more_coins(line: Any) -> None:
        markers = line["event"]["detail"]["layout"]["markers"]
        next(marker for marker in markers if marker[0] == "seat.1.coins")[1] = 10**8

    forged = check(rewrite_event(record(again), 1, more_coins))
    assert "decided" in failing(forged)


@pytest.mark.parametrize("viewer", [OPERATOR, 1])
@pytest.mark.parametrize("id", ["tiny", "orleans"])
def test_a_fork_holds_on_every_level(id: str, viewer: int) -> None:
    title = load_title(id)
    original, history = start(title=title)
    chance = Random(5)
    for _ in range(6 if id == "tiny" else 120):
        seat = chance.choice(original.table.deciding())
        history += give(original, seat, chance.choice(original.legal(seat)))
    fork = fork_game(Game.load(title, SECRET, history), viewer, b"chance")
    assert isinstance(fork, Fork), fork
    game, events = create_game(ID, title, original.created.setup, ["bot.random"] * 2, SECRET, "test", "", 1, fork=fork)
    game.commit(events)
    events += finish_game(game, chance)
    report = check(record(events))
    assert statuses(report) == ALL_HOLD, report.problems


# --- invalid records -------------------------------------------------------------------------------------------


def test_a_changed_event_breaks_the_chain_at_its_line(lines: list[bytes]) -> None:
    changed = list(lines)
    at = next(at for at, line in enumerate(lines) if b"CoinPassed" in line and b'"to":2' in line)
    changed[at] = lines[at].replace(b'"detail":{"to":2}', b'"detail":{"to":1}')
    report = check(changed)
    assert {"chained", "decided"} <= failing(report)
    assert report.problems[0].level == "chained"
    assert report.problems[0].line == at + 1
    assert report.problems[0].version == at
    assert statuses(report)["signed"] == "holds", "the seal is unchanged"


@pytest.mark.parametrize("at", [1, 2, 9, -3, -2])
def test_a_dropped_line_is_found_where_it_was(lines: list[bytes], at: int) -> None:
    at %= len(lines)
    report = check([*lines[:at], *lines[at + 1 :]])
    assert "well-formed" in failing(report)
    assert {problem.line for problem in report.problems if problem.level in ("well-formed", "chained")} >= {at + 1}


def test_reordered_and_repeated_lines_are_found(lines: list[bytes]) -> None:
    swapped = [*lines[:5], lines[6], lines[5], *lines[7:]]
    report = check(swapped)
    assert {"well-formed", "chained"} <= failing(report)
    assert report.problems[0].line == 6
    assert "the line has event 6 instead of event 5" in report.problems[0].message
    assert check([*lines[:5], lines[4], *lines[5:]]).problems[0].line == 6


def test_a_missing_seal_and_lines_after_the_seal_are_found(lines: list[bytes]) -> None:
    report = check(lines[:-1])
    assert failing(report) == {"well-formed"}
    assert "without its seal" in report.problems[0].message
    assert statuses(report)["signed"] == "not checked"
    assert "the record continues after its seal" in check([*lines, b"\n"]).problems[0].message


def test_data_that_is_not_a_record_is_not_well_formed() -> None:
    for lines in ([], [b""], [b"\n"], [b"hello\n"], [b"{}\n"], [b"\x00" * 100], [b"[" * 100_000]):
        report = check(lines)
        assert statuses(report) == dict.fromkeys(LEVELS, "not checked") | {"well-formed": "fails"}


def test_a_signature_by_another_key_or_of_another_game_is_invalid(lines: list[bytes]) -> None:
    seal = msgspec.json.decode(lines[-1])
    other = Signer("other").public_key.hex()
    for field, value, message in (
        ("signature", "0" * 128, "the signature is not"),
        ("key", other, "does not match the key"),
        ("key_id", "1" * 64, "does not match the key"),
    ):
        report = check([*lines[:-1], canonical(seal | {field: value}) + b"\n"])
        assert failing(report) == {"signed"}
        assert message in report.problems[0].message
    header = msgspec.json.decode(lines[0])
    header["game"] = header["game"].replace("1", "2")
    report = check([canonical(header) + b"\n", *lines[1:]])
    assert failing(report) == {"chained", "signed"}


def test_a_game_that_names_its_key_must_be_signed_with_it() -> None:
    signer = Signer()
    game, events = create_game(
        ID, TINY, Setup("", 2), ["bot.random"] * 2, SECRET, "test", "", 1, server_key=key_id(signer.public_key)
    )
    game.commit(events)
    events += finish_game(game, Random(1))
    assert statuses(check(record(events))) == ALL_HOLD
    report = check(list(write_record(ID, events, SECRET, sealer(Signer("another")), OPERATOR)))
    assert failing(report) == {"signed"}
    assert "another key than the game's" in report.problems[0].message


def test_a_missing_end_is_found_although_there_is_a_seal(lines: list[bytes]) -> None:
    report = check([*lines[:8], lines[-1]])
    assert {"well-formed", "chained"} <= failing(report)
    assert "the seal is for" in report.problems[0].message


def test_a_forged_move_is_found_although_the_server_signed_it(lines: list[bytes]) -> None:
    at = next(at for at, line in enumerate(lines) if b'["m","coin",1,' in line)

    def move_more(line: Any) -> None:
        move = next(effect for effect in line["event"]["effects"] if effect[0] == "m")
        move[2] = 5

    report = check(rewrite_event(lines, at, move_more))
    assert {"conserved", "decided"} <= failing(report)
    assert statuses(report)["signed"] == "holds"
    assert statuses(report)["fair"] == "not checked"
    problem = next(problem for problem in report.problems if problem.level == "conserved")
    assert (problem.line, problem.version) == (at + 1, at)
    assert "does not hold 5 × coin" in problem.message


def test_forged_dice_are_found() -> None:
    events = finished_game(4)
    at = next(event.originator_version for event in events if event.topic == "tiny.PearlDrawn")

    def swap(line: Any) -> None:
        text = canonical(line["event"])
        other = text.replace(b"black", b"WHITE").replace(b"white", b"black").replace(b"WHITE", b"white")
        line["event"] = msgspec.json.decode(other)

    report = check(rewrite_event(record(events), at, swap))
    problem = next(problem for problem in report.problems if problem.level == "fair")
    assert (problem.line, problem.version) == (at + 1, at)
    assert "but the dice give" in problem.message
    assert "decided" in failing(report)


def test_another_secret_than_the_committed_one_is_found(lines: list[bytes]) -> None:
    def other(line: Any) -> None:
        line["event"]["detail"]["secret"] = "00" * 32

    report = check(rewrite_event(lines, len(lines) - 2, other))
    assert "fair" in failing(report)
    problem = next(problem for problem in report.problems if problem.level == "fair")
    assert "does not match the commitment" in problem.message


def test_an_event_that_a_seat_saw_differently_is_found(lines: list[bytes]) -> None:
    def change_part(line: Any) -> None:
        line["parts"][2] = "0" * 64

    report = check(rewrite_event(lines, 6, change_part))
    assert failing(report) == {"chained"}
    assert report.problems[0].version == 6
    assert "seat.1" in report.problems[0].message


def test_salts_that_are_not_derived_from_the_secret_are_found(lines: list[bytes]) -> None:
    def resalt(line: Any) -> None:
        line["salt"] = derive_salt(bytes(32), 6, 0).hex()

    report = check(rewrite_event(lines, 6, resalt))
    assert failing(report) == {"chained"}
    assert "salt" in report.problems[0].message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda line: line["given"].update(seat=2 if line["given"]["seat"] == 1 else 1),
            "the rules reject the command",
        ),
        (lambda line: line["given"].update(commands=[["Nonsense", {}]]), "no such command"),
        (lambda line: line["given"].update(commands=[["Spill", {}]]), "the rules cannot continue the game"),
        (lambda line: line["given"].update(commands=[["PassCoin", {"to": 1, "more": 1}]]), "unknown fields"),
        (lambda line: line.update(given=None), "the record has no command or event that causes"),
        (lambda line: line.update(time=99), ""),
        (lambda line: line["event"]["detail"].update(extra=1), "is different"),
    ],
)
def test_commands_that_do_not_cause_the_events_are_found(lines: list[bytes], change: Any, message: str) -> None:
    at = next(at for at, line in enumerate(lines) if b'"commands":[["PassCoin"' in line)
    report = check(rewrite_event(lines, at, change))
    if not message:
        assert statuses(report) == ALL_HOLD, "times are not checked"
        return
    assert failing(report) - {"chained"} == {"decided"}
    problem = report.problems[-1]
    assert (problem.version, problem.line) == (at, at + 1)
    assert message in problem.message


def test_an_unknown_title_is_not_a_failure(lines: list[bytes]) -> None:
    def load_no_title(id: str) -> Any:
        raise KeyError(id)

    report = audit(lines, load_no_title, verify_signature)
    assert statuses(report) == ALL_HOLD | {"decided": "not checked"}
    assert not report.fails


def test_an_unknown_version_of_the_rules_is_not_a_failure(lines: list[bytes]) -> None:
    report = check(rewrite_event(lines, 1, lambda line: line["event"]["detail"].update(rules_version="0")))
    assert statuses(report)["decided"] == "not checked"


# --- readings that are not the defaults --------------------------------------------------------------------------


def test_other_readings_are_reported_but_not_a_failure() -> None:
    report = check(record(finished_game(0, ORLEANS, setup=Setup("", 2, {}, {"event_order": "simultaneous"}))))
    assert report.holds, report.problems
    other = report.other_readings
    assert other is not None
    assert other.readings == (ReadingChange("event_order", "simultaneous", "clockwise"),)
    assert other.version > 1
    assert "PhaseBegun" in other.difference
    assert other.rejected > 0
    assert other.scores == (), "under the defaults, many commands are rejected and the game has no end"


def test_the_score_under_the_default_readings_is_reported() -> None:
    report = check(record(finished_game(4, ORLEANS, setup=Setup("", 2, {}, {"torture_nothing_left": "carried"}))))
    assert report.holds, report.problems
    assert report.other_readings is not None
    scores = report.other_readings.scores
    assert [score.seat for score in scores] == [1, 2]
    own = {standing.seat: standing.points for standing in report.standings}
    assert {score.seat: score.points for score in scores} == own
    assert any(score.points != score.otherwise for score in scores)


def test_readings_that_made_no_difference_are_reported_too() -> None:
    setup = Setup("dlp-2014", 2, {}, {"first_technology": "first_placed"})
    report = check(record(finished_game(1, ORLEANS, setup=setup)))
    assert report.holds, report.problems
    assert report.other_readings is not None
    assert [change.id for change in report.other_readings.readings] == ["first_technology"]


def record_without(reading: str) -> list[bytes]:
    """Return a record whose first event does not contain a reading."""
    first, *others = finished_game(1, ORLEANS, setup=Setup("dlp-8th", 2))
    assert isinstance(first.detail, GameCreated)
    setup = first.detail.setup
    readings = {id: choice for id, choice in setup.readings.items() if id != reading}
    detail = replace(first.detail, setup=replace(setup, readings=readings))
    return record([replace(first, detail=detail), *others])


def test_a_game_that_is_older_than_a_reading_has_its_legacy_choice() -> None:
    report = check(record_without("taking_back"))
    assert statuses(report) == ALL_HOLD, report.problems
    assert report.other_readings is None


def test_a_missing_reading_without_a_legacy_choice_is_found() -> None:
    assert failing(check(record_without("event_order"))) == {"decided"}


# --- hostile lines ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda line: line.replace(b'{"command_id"', b'{ "command_id"'), "the canonical form, from byte 1 on"),
        (lambda line: line.replace(b'"seat":0', b'"seat":0,"seat":0'), "canonical"),
        (lambda line: line.replace(b'"seat":0', b'"seat":0.0'), "integer"),
        (lambda line: line.replace(b'"seat":0', b'"seat":-0'), "canonical"),
        (lambda line: line.replace(b'"seat":0', b'"seat":1e0'), ""),
        (lambda line: line.replace(b'"seat":0', b'"seat":9007199254740993'), "53 bits"),
        (lambda line: line.replace(b'"seat":0', b'"seat":' + b"9" * 5000), ""),
        (lambda line: line.replace(b'"seat":0', b'"seat":true'), ""),
        (lambda line: line.replace(b'"seat":0', b'"seat":77'), "<= 16 - at `$.seat`"),
        (lambda line: line.replace(b'"seat":0', b'"aaa":0,"seat":0'), "canonical"),
        (lambda line: line.replace(b'"event":{', b'"event":{"deep":' + b"[" * 50 + b"]" * 50 + b","), "deep"),
        (lambda line: line.replace(b"GameStarted", b"Game\\u0053tarted"), "canonical"),
        (lambda line: line.replace(b"GameStarted", b"Game\xffStarted"), "UTF-8"),
        (lambda line: line.replace(b"GameStarted", "GäåStarted".encode()), "topic"),
        (lambda line: line.replace(b"\n", b"\r\n"), "end with CR LF"),
        (lambda line: line.replace(b"\n", b""), "line end"),
        (lambda line: b" " + line, "canonical"),
        (lambda line: b"\xef\xbb\xbf" + line, "byte order mark"),
        (lambda _: b"null\n", "object"),
        (lambda line: line[: len(line) // 2] + b"\n", ""),
        (lambda line: line.replace(b'"parts":[null,', b'"parts":[null,null,'), "parts"),
        (lambda line: line.replace(b'"detail":{}', b'"detail":{"secret":1}'), "unknown fields"),
        (lambda line: line.replace(b'"detail":{}', b'"detail":[]'), "`object | null`, got `array`"),
        (lambda line: line.replace(b'"detail":{}', b'"detail":{"\xc3\xa9":1}'), "ASCII"),
        (lambda line: line.replace(b'"effects":[]', b'"effects":[["m","coin",1]]'), ""),
        (lambda line: line.replace(b'"effects":[]', b'"effects":[["x",1]]'), ""),
        (lambda line: line.replace(b'"effects":[]', b'"effects":[["a",1,"","",7]]'), "canonical"),
    ],
)
def test_lines_that_are_not_canonical_are_rejected(lines: list[bytes], change: Any, message: str) -> None:
    at = next(at for at, line in enumerate(lines) if b"game.GameStarted" in line)
    changed = change(lines[at])
    assert changed != lines[at]
    report = check([*lines[:at], changed, *lines[at + 1 :]])
    problem = report.problems[0]
    assert (problem.level, problem.line) == ("well-formed", at + 1)
    assert message in problem.message
    assert len(problem.message) < 400


@pytest.mark.parametrize(
    "effect",
    [
        ["m", "coin", 100_000, "purse.1", "purse.2"],
        ["m", "coin", 1, "nowhere", "purse.2"],
        ["m", "coin", 1, "purse.1", "nowhere"],
        ["m", "gold", 1, "purse.1", "purse.2"],
        ["s", "turn", 99, 1],
        ["s", "turn", 0, "one"],
        ["s", "nothing", 0, 1],
        ["a", 16, "", "turn"],
        ["a", 2, "plan", "turn"],
        ["d", "purse.1", 7, ["coin"]],
        ["d", "pile", 0, ["coin"]],
        ["d", "pile", 0, ["black"] * 1000],
        ["d", "nowhere", 0, []],
        ["r", "pile", 0, [], []],
        ["v", "pile", "public", "count"],
        ["v", "pile", "count", "as:nothing"],
        ["v", "nothing", "count", "public"],
    ],
)
def test_impossible_effects_are_found(lines: list[bytes], effect: list[Any]) -> None:
    at = next(at for at, line in enumerate(lines) if b"game.GameStarted" in line)
    report = check(rewrite_event(lines, at, lambda line: line["event"]["effects"].append(effect)))
    assert "conserved" in failing(report)
    assert next(it for it in report.problems if it.level == "conserved").line == at + 1


def test_audits_of_huge_records_end_early_and_need_little_memory(lines: list[bytes]) -> None:
    def endless() -> Any:
        yield lines[0]
        while True:
            yield b"x" * MAX_LINE_BYTES

    repeated = [lines[0], *([lines[1]] * 100)]
    tracemalloc.start()
    assert failing(check(endless())) == {"well-formed"}
    assert failing(check(repeated)) >= {"well-formed"}
    assert failing(check([b'{"a":' + b"9" * (MAX_LINE_BYTES - 10) + b"}\n"])) == {"well-formed"}
    assert failing(check([b"[" * MAX_LINE_BYTES])) == {"well-formed"}
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 * MAX_LINE_BYTES


def test_the_number_of_reported_problems_is_limited(lines: list[bytes]) -> None:
    report = check([*lines[:2], *([b"{}\n"] * 500), lines[-1]])
    assert 10 < len(report.problems) < 100


@pytest.mark.parametrize(
    "contents",
    [{"coin": 10**12}, {"coin": 0}, {"coin": -5}, {f"{at:0>9}": 1 for at in range(200_000)}],
    ids=["huge", "zero", "negative", "many"],
)
def test_layouts_with_extreme_contents_are_rejected(lines: list[bytes], contents: dict[str, int]) -> None:
    def fill(line: Any) -> None:
        line["event"]["detail"]["layout"]["zones"][0][2] = contents

    assert "well-formed" in failing(check(rewrite_event(lines, 1, fill)))


def test_quotes_from_a_record_are_short_and_printable(lines: list[bytes]) -> None:
    at = next(at for at, line in enumerate(lines) if b"game.GameStarted" in line)
    escape = "\x1b[2J" + "x" * 100_000
    report = check(
        rewrite_event(lines, at, lambda line: line["event"]["effects"].append(["m", escape, 1, escape, "pile"]))
    )
    assert failing(report) == {"well-formed"}
    report = check(
        rewrite_event(lines, at, lambda line: line["event"]["effects"].append(["m", "x" * 200, 1, "pile", "y"]))
    )
    assert "conserved" in failing(report)
    assert all(len(problem.message) <= 300 and problem.message.isprintable() for problem in report.problems)
    report = check(rewrite_event(lines, 1, lambda line: line["event"]["detail"].update(title=escape)))
    assert failing(report) == {"well-formed"}
    assert report.title == ""
    report = check(rewrite_event(lines, 1, lambda line: line["event"]["detail"].update(rules_version=escape)))
    assert all(len(level.note) <= 300 and level.note.isprintable() for level in report.levels)


# --- random damage ---------------------------------------------------------------------------------------------


@given(data=st.data())
@settings(max_examples=400)
def test_the_line_of_any_changed_dropped_inserted_or_moved_byte_is_reported(
    lines: list[bytes], data: st.DataObject
) -> None:
    whole = b"".join(lines)
    at = data.draw(st.integers(0, len(whole) - 2))
    before, byte, after = whole[:at], whole[at : at + 1], whole[at + 1 :]
    other = bytes([data.draw(st.integers(0, 255).filter(lambda other: other != byte[0]))])
    variants = [
        before + other + after,
        before + after,
        before + other + byte + after,
        before + after[:1] + byte + after[1:],
    ]
    damaged = data.draw(st.sampled_from(variants))
    if damaged == whole:
        return
    report = check(list(split_lines([damaged])))
    assert report.fails
    line = before.count(b"\n") + 1
    reported = report.problems[0].line
    # The first link contains the game id of line 1.
    assert reported in ({line} if line > 1 else {1, 2}), (line, report.problems)


@given(data=st.data())
@settings(max_examples=150)
def test_any_cut_splice_or_repetition_is_found(lines: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(lines)
    other = b"".join(record(finished_game(2)))
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(0, len(other)))
    spliced = data.draw(st.sampled_from([whole[:start] + other[end:], whole[:start] + whole[end:], whole[start:]]))
    if spliced not in (whole, other):
        assert check(list(split_lines([spliced]))).fails


@given(blob=st.binary(max_size=2000), at=st.integers(0, 21))
@settings(max_examples=150)
def test_any_inserted_bytes_are_found(lines: list[bytes], blob: bytes, at: int) -> None:
    if blob:
        damaged = b"".join([*lines[:at], blob, *lines[at:]])
        report = check(list(split_lines([damaged])))
        assert report.fails
        assert report.problems[0].line == min(at, len(lines)) + 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(data=st.data(), value=JSON)
@settings(max_examples=300)
def test_audits_of_records_with_any_value_in_any_field_do_not_raise(
    lines: list[bytes], data: st.DataObject, value: object
) -> None:
    """Also if the forger computes the chain and the signature again."""
    at = data.draw(st.integers(1, len(lines) - 2))

    def put(line: Any) -> None:
        place = line
        for _ in range(6):
            keys = list(place) if isinstance(place, dict) else range(len(place))
            if not keys:
                return
            key = data.draw(st.sampled_from(keys))
            if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
                place = place[key]
            else:
                place[key] = value
                return

    plain = [msgspec.json.decode(line) for line in lines]
    put(plain[at])
    damaged = [canonical(line) + b"\n" for line in plain]
    report = check(damaged)
    assert report.fails or damaged == lines
    try:
        resealed = rewrite_event(damaged, 1, lambda _: None)
    except (TypeError, ValueError, KeyError, AttributeError, msgspec.MsgspecError):
        return
    report = check(resealed)
    assert {level.name for level in report.levels} == set(LEVELS)


# --- soak ------------------------------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40))
def test_soak_games_of_every_edition_hold(seed: int) -> None:
    chance = Random(seed)
    for _ in range(15):
        edition = chance.choice(ORLEANS.meta.editions)
        players = chance.randint(*edition.players)
        options = {it.id: chance.choice(it.choices).id for it in ORLEANS.meta.options}
        readings = {it.id: chance.choice(it.choices).id for it in ORLEANS.meta.readings}
        try:
            events = finished_game(
                chance.randrange(10**6), ORLEANS, setup=Setup(edition.id, players, options, readings)
            )
        except ValueError:
            continue  # an impossible combination of choices
        report = check(record(events))
        assert report.holds, report.problems
        viewer = chance.randint(0, players)
        assert not check(record(events, viewer)).fails


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_soak_audits_of_damaged_records_do_not_raise(seed: int) -> None:
    chance = Random(seed)
    whole = b"".join(record(finished_game(seed, ORLEANS)))
    for _ in range(100):
        damaged = bytearray(whole)
        for _ in range(chance.choice([1, 1, 2, 5, 50])):
            at = chance.randrange(len(damaged))
            match chance.randrange(5):
                case 0:
                    damaged[at] ^= 1 << chance.randrange(8)
                case 1:
                    del damaged[at : at + chance.randrange(1, 5000)]
                case 2:
                    damaged[at:at] = chance.randbytes(chance.randrange(1, 100))
                case 3:
                    start = chance.randrange(len(damaged))
                    damaged[at:at] = damaged[start : start + chance.randrange(1, 5000)]
                case _:
                    damaged[at:at] = chance.choice([b"[" * 10_000, b"9" * 10_000, b"\n" * 100, b'{"', b"\x00" * 9])
        if bytes(damaged) != whole:
            assert check(list(split_lines([bytes(damaged)]))).fails


def test_a_seal_contains_the_number_of_events_and_the_key() -> None:
    seal = sealer(Signer())("game", 3, "0" * 64)
    assert (seal.events, seal.key) == (3, Signer().public_key.hex())
