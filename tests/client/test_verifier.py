"""The verifier in TypeScript: it shares no code with ours, reads the same records, and has the published dice."""

from __future__ import annotations

import codecs
import gzip
import json
import random
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.client.verifier import Verifier
from tests.game.games import start
from tests.game.old_undos import game_with_old_undos
from tests.game.records import finished_game, game_with_undos, load_title
from tests.game.test_clocks import TimedGame
from tests.kit.adapters import adapters
from tests.service.nations_title import NATIONS, Look, Wait
from tests.service.tiny_title import TINY, PassCoin

from boardkeeper.game.audit import audit
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent, TimeExpired
from boardkeeper.game.forking import Fork, fork_game
from boardkeeper.game.game import Game
from boardkeeper.game.record import canonical, sealer, write_record
from boardkeeper.game.record_reading import describe_conversion
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table.effects import Draw, Shuffle
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import ID, SECRET, finish_game, give
from boardkeeper.testkit.histories import histories
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.wire.signatures import verify
from build_web import node

KEY = ServiceKey(Ed25519PrivateKey.generate())

GAMES = [
    pytest.param(it, players, id=f"{it.id}-{players}", marks=[pytest.mark.soak] if players in it.players[1:-1] else [])
    for it in adapters()
    for players in it.players
]
TITLES = [pytest.param(it, id=it.meta.id) for it in (TINY, *(adapter.title for adapter in adapters()))]


@pytest.fixture
def judge(verifier: Verifier) -> Verifier:
    """What the verifier says of records."""
    return verifier


def record(events: Sequence[GameEvent], viewer: int = OPERATOR) -> list[bytes]:
    return list(write_record(ID, events, SECRET, sealer(KEY), viewer))


def evaluated(dist: Path, program: str, value: object) -> Any:
    """What a module that imports the verifier prints, given a value as JSON."""
    source = f"""
        import {{ canonical, makeDice }} from "{(dist / "verify.js").as_uri()}";
        import {{ readFileSync }} from "node:fs";
        const given = JSON.parse(readFileSync(0, "utf8"));
        console.log(JSON.stringify({program}));
    """
    command = [str(node()), "--input-type=module", "--eval", source]
    done = subprocess.run(
        command, input=json.dumps(value), capture_output=True, text=True, timeout=60, check=True, encoding="utf-8"
    )
    return json.loads(done.stdout)


# --- records ---------------------------------------------------------------------------------------------------


def draws_of(events: Sequence[GameEvent]) -> int:
    """How often chance decided."""
    return sum(isinstance(effect, Draw | Shuffle) for event in events for effect in event.effects)


@pytest.mark.parametrize(("adapter", "players"), GAMES)
def test_whatever_became_of_a_game_its_record_is_checked_as_far_as_it_is_told(
    judge: Any, adapter: Adapter, players: int
) -> None:
    """Every draw of what is over and shown as a whole; the chain and the signature of all else."""
    told = [
        (became, viewer, events)
        for became, events in histories(adapter, players).items()
        for viewer in (OPERATOR, SPECTATOR, players)
    ]
    for found, (became, viewer, events) in zip(
        judge([record(events, viewer) for _, viewer, events in told]), told, strict=True
    ):
        assert found["holds"], (became, viewer, found)
        assert (found["game"], found["keyId"], found["events"]) == (str(ID), KEY.id, len(events))
        over = events[-1].topic == "game.GameEnded"
        waits = "the whole record" if viewer != OPERATOR else "" if over else "the end of the game"
        assert (found["waits"], found["draws"]) == (waits, 0 if waits else draws_of(events)), (became, viewer)
        assert over or "unfinished" in became


def looks(seed: int) -> list[GameEvent]:
    """The events of a game in which seats look at each other's cards."""
    game, events = start(b"", b"", b"", b"", title=NATIONS)
    for seat, command in ((1, Wait()), (2, Look(1)), (3, Look(1)), (4, Look(2))):
        events += give(game, seat, command)
    return events + finish_game(game, random.Random(seed))


def test_both_verifiers_find_the_same_of_records_of_format_2(judge: Any) -> None:
    """Of whole ones and of each viewer's, and of whatever is changed in them."""
    told = [record(looks(seed), viewer) for seed in range(2) for viewer in (OPERATOR, SPECTATOR, 1, 4)]
    whole = b"".join(told[0])
    assert whole.startswith(b'{"format":2,')
    chance = random.Random(8)
    damaged = []
    for _ in range(30):
        at = chance.randrange(whole.index(b"\n") + 1, len(whole))
        damaged.append(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(7)]) + whole[at + 1 :])
    for found, lines in zip(judge(told), told, strict=True):
        assert found["holds"], found
        assert not audit(lines, load_title, verify).fails
    for found, other in zip(judge(damaged), damaged, strict=True):
        assert not found["holds"], other
        assert audit(other.splitlines(keepends=True), load_title, verify).fails


@pytest.mark.parametrize("word", ["seats.2.1", "seats.1", "seats.1.1", "seats.1.17", "seats.01.2"])
def test_it_refuses_another_spelling_of_a_set_of_seats(judge: Any, word: str) -> None:
    events = looks(1)
    at = next(event.originator_version for event in events if event.topic == "nations.NationSeen")

    def respell(line: Any) -> None:
        line["event"]["effects"][0][3] = word

    forged = changed(events, at, respell)
    (found,) = judge([forged])
    assert found["problem"] == f"line {at + 1}: the line is not an event, or a field is out of bounds"
    assert audit(forged, load_title, verify).fails


def test_it_refuses_a_record_of_format_1_with_what_only_format_2_has(judge: Any) -> None:
    """In an effect, or in the layout that a fork of such a game begins with."""
    fork = fork_game(Game.load(NATIONS, SECRET, looks(1)[:11]), OPERATOR, b"")
    assert isinstance(fork, Fork)
    _, forked = create_game(ID, NATIONS, Setup("", 4), ["person"] * 4, SECRET, "", "", 1, fork=fork)
    for events, shared in ((looks(1), b'"seats.1.2"]'), (forked, b'"seats.1.2",')):
        lines = record(events)
        at = next(at for at, line in enumerate(lines, 1) if shared in line)
        as_format_1 = [lines[0].replace(b'"format":2', b'"format":1'), *lines[1:]]
        as_it_is, other = judge([lines, as_format_1])
        assert as_it_is["holds"]
        assert other["problem"] == f"line {at}: the line is not an event, or a field is out of bounds"
        assert audit(as_format_1, load_title, verify).problems[0].line == at


@pytest.mark.parametrize("format", [0, 3, 10])
def test_it_says_which_format_it_does_not_know(judge: Any, format: int) -> None:
    lines = record(finished_game())
    lines[0] = lines[0].replace(b'"format":1', b'"format":%d' % format)
    (found,) = judge([lines])
    assert found["problem"] == f"the record has the format {format}; this verifier reads the formats 1 and 2"
    assert audit(lines, load_title, verify).fails


@pytest.mark.parametrize(
    "convert",
    [
        gzip.compress,
        lambda data: codecs.BOM_UTF8 + data,
        lambda data: data.decode().encode("utf-16"),
        lambda data: data.decode().encode("utf-16-be"),
        lambda data: data.replace(b"\n", b"\r\n"),
    ],
)
def test_it_says_how_another_program_converted_a_record(judge: Any, convert: Callable[[bytes], bytes]) -> None:
    """In the same words as the command line."""
    converted = convert(b"".join(record(finished_game())))
    (found,) = judge([[converted]])
    assert describe_conversion(converted)
    assert found["problem"] == f"the record {describe_conversion(converted)}"


@pytest.mark.parametrize("viewer", ["everybody", "seat.0", "seat", "whole.1"])
def test_it_knows_no_other_viewers(judge: Any, viewer: str) -> None:
    lines = record(finished_game(), SPECTATOR)
    lines[0] = lines[0].replace(b'"spectator"', b'"%s"' % viewer.encode())
    (found,) = judge([lines])
    assert found["problem"] == "the file is not a record of format 1 or 2, or its last line has no line end"
    assert audit(lines, load_title, verify).fails


def test_in_format_1_too_other_words_may_read_like_a_visibility(judge: Any) -> None:
    events = finished_game()
    at = next(event.originator_version for event in events if event.topic == "tiny.CoinPassed")

    def say(line: Any) -> None:
        line["event"]["effects"].append(["a", 1, "seats.1.2", "seats.1.2"])

    (found,) = judge([changed(events, at, say)])
    assert found["holds"], found


def test_every_draw_of_many_games_is_checked(judge: Any) -> None:
    games = [finished_game(seed) for seed in range(5)]
    for found, events in zip(judge(list(map(record, games))), games, strict=True):
        assert found["holds"], found
        assert (found["draws"], found["waits"]) == (draws_of(events), "")


def test_undos_change_nothing_about_the_dice(judge: Any) -> None:
    assert all(found["holds"] for found in judge([record(game_with_undos(seed)) for seed in range(4)]))


def test_games_with_clocks_in_which_seats_change_hands_are_known(judge: Any) -> None:
    table = TimedGame(TimeControl("move", 60, 0, "bot"), 3)
    table.commit(table.game.hand_to_bot(2, "random", "hand", table.now))
    table.commit(table.game.take_seat_back(2, "back", table.now))
    table.commit(table.game.resign(3, "random", "resign", table.now))
    table.wait(60)
    table.commit(table.game.expire(1, "random", "expire", table.now))
    running, told = record(table.events), record(table.events, 1)
    table.commit(table.game.resign(1, "random", "resign 1", table.now))
    whole = record(table.events)
    assert all(found["holds"] for found in judge([running, told, whole]))
    (expired,) = [event.originator_version for event in table.events if isinstance(event.detail, TimeExpired)]
    wrong = [
        changed(table.events, 1, lambda line: line["event"]["detail"]["time_control"].update(seconds=0)),
        changed(table.events, 1, lambda line: line["event"]["detail"]["time_control"].update(kind="hourglass")),
        changed(table.events, expired, lambda line: line["event"]["detail"].update(resigned=2)),
    ]
    assert not any(found["holds"] for found in judge(wrong))


def test_exact_forks_in_which_bots_stand_in_for_people_are_known(judge: Any) -> None:
    of, past = start()
    fork = fork_game(Game.load(of.title, SECRET, past), OPERATOR, b"")
    assert isinstance(fork, Fork)
    kinds = ["bot.random", "bot.random"]
    game, events = create_game(ID, of.title, of.created.setup, kinds, SECRET, "test", "", 1, fork=fork)
    game.commit(events)
    events += finish_game(game, random.Random(1))
    lines = record(events)
    assert b'"stand_ins":[1,2]' in lines[1]
    (found,) = judge([lines])
    assert found["holds"], found

    def with_stand_ins(seats: object) -> Any:
        return changed(events, 1, lambda line: line["event"]["detail"].update(stand_ins=seats))

    assert not any(found["holds"] for found in judge([with_stand_ins(seats) for seats in ([], [0], [17], 1)]))


def test_undos_that_0_1_0_let_double_are_no_longer_too_long(judge: Any) -> None:
    (found,) = judge([record(game_with_old_undos(15))])
    assert found["holds"], found
    lines = record(finished_game())
    at = next(at for at, line in enumerate(lines) if b"CoinPassed" in line)
    long = lines[at].replace(b'"detail":{', b'"detail":{"a":"' + b"x" * (1 << 20) + b'",')
    for longer in ([*lines[:at], long, *lines[at + 1 :]], [lines[0] + b" " * (1 << 26), *lines[1:]]):
        (found,) = judge([longer])
        assert not found["holds"], "all else still is"


def test_other_forms_are_checked_as_far_as_they_go(judge: Any) -> None:
    game, events = start()
    events += give(game, 1, PassCoin(2))
    whole, spectator, seat = judge([record(events), record(events, SPECTATOR), record(finished_game(), 1)])
    assert whole["holds"]
    assert whole["waits"] == "the end of the game"
    assert spectator["holds"]
    assert seat["holds"]
    assert seat["waits"] == spectator["waits"] == "the whole record"


@pytest.mark.parametrize("title", TITLES)
def test_it_refuses_what_the_audit_refuses(judge: Any, title: Title) -> None:
    lines = record(finished_game(2, title))
    whole = b"".join(lines)
    chance = random.Random(3)
    damaged: list[bytes] = [b"", b"\n", b"null\n", whole[:-1], b"".join(lines[:9] + lines[10:]), b"".join(lines[:-1])]
    for _ in range(40):
        at = chance.randrange(whole.index(b"\n") + 1, len(whole))
        damaged.append(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(7)]) + whole[at + 1 :])
    for found, record_ in zip(judge(damaged), damaged, strict=True):
        assert not found["holds"], record_
        assert found["problem"]
        assert audit(record_.splitlines(keepends=True), load_title, verify).fails


def changed(events: Sequence[GameEvent], version: int, change: Callable[[Any], None], viewer: int = OPERATOR) -> Any:
    """A record in which somebody who has the key changed one event: chained and sealed anew."""
    import msgspec

    from boardkeeper.testkit.games import rewrite_event

    forged = rewrite_event(record(events, viewer), version, change)
    head = msgspec.json.decode(forged[-1])
    forged[-1] = canonical(sealer(KEY)(str(ID), head["events"], head["head"])) + b"\n"
    return forged


def test_it_finds_loaded_dice_under_a_sound_chain(judge: Any) -> None:
    import msgspec

    events = finished_game(4)
    at = next(event.originator_version for event in events if event.topic == "tiny.PearlDrawn")

    def swap(line: Any) -> None:
        text = canonical(line["event"])
        text = text.replace(b"black", b"?").replace(b"white", b"black").replace(b"?", b"white")
        line["event"] = msgspec.json.decode(text)

    (found,) = judge([changed(events, at, swap)])
    assert f"line {at + 1}: " in found["problem"]
    assert "the dice give" in found["problem"]


@pytest.mark.parametrize("title", TITLES)
def test_it_finds_any_draw_that_is_another_than_that_of_the_dice(judge: Any, title: Title) -> None:
    """The first, the last, and some between, of whatever title."""
    events = finished_game(4, title)
    drawn = [event for event in events if draws_of([event])]

    def swap(line: Any) -> None:
        outcome = next(effect for effect in line["event"]["effects"] if effect[0] in ("d", "r"))[-1]
        outcome[0] = "another"

    versions = [drawn[at].originator_version for at in (0, len(drawn) // 3, len(drawn) // 2, -1)]
    for version, found in zip(versions, judge([changed(events, it, swap) for it in versions]), strict=True):
        assert f"line {version + 1}: the dice give" in found["problem"]


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line.update(note="more"),
        lambda line: line["event"].update(note="more"),
        lambda line: line["parts"].append("0" * 64),
        lambda line: line["parts"].__setitem__(1, ["0" * 64]),
        lambda line: line["parts"].__setitem__(1, "0" * 63),
        lambda line: line.update(salt=line["salt"][:-2]),
        lambda line: line["event"]["effects"].append(["m", "coin", 1, "purse.1", "purse.2", 0]),
        lambda line: line["event"]["effects"].append(["x", "coin", 1]),
        lambda line: line["event"]["effects"].append(["m", "coin", -5, "purse.1", "purse.2"]),
        lambda line: line["event"]["effects"].append(["m", "coin", 1, "nowhere", "purse.2"]),
        lambda line: line["event"]["effects"].append(["m", "gold", 1, "purse.1", "purse.2"]),
        lambda line: line["event"]["effects"].append(["d", "pile", 0, ["black"] * 9]),
        lambda line: line["event"]["effects"].append(["d", "pile", 2, []]),
        lambda line: line["event"].update(topic="game.GameCreated"),
        lambda line: line["given"].update(note="more"),
        lambda line: line["event"].update(topic="game.GameEnded", detail={"secret": "00", "ranks": [1, 2]}),
        lambda line: line.update(time=9_007_199_254_740_991),
        lambda line: line.update(seat=17),
        lambda line: line.update(command_id="\x1b[2J"),
        lambda line: line["event"]["effects"].append(["s", "turn", 1, "\x1b[2J"]),
        lambda line: line["event"]["effects"].append(["s", "turn", 1, 10**9]),
        lambda line: line["event"]["effects"].append(["v", "pile", "count", "everybody"]),
        lambda line: line["given"].update(seat=0),
    ],
)
def test_it_refuses_other_forms_under_a_sound_chain(judge: Any, change: Callable[[Any], None]) -> None:
    """Nothing can stand in a record that the chain does not cover, and no effect that does not fit."""
    events = finished_game(4)
    at = next(event.originator_version for event in events if event.given is not None)
    forged = changed(events, at, change)
    (found,) = judge([forged])
    assert not found["holds"]
    assert found["problem"]
    assert audit(forged, load_title, verify).fails


@pytest.mark.parametrize(
    "more",
    [
        {"seats": ["person", "bot." + "x" * 65]},
        {"seats": ["person", "\x1b[2J"]},
        {"server_build": "x" * 201},
        {"rules_version": "1\n2"},
        {"forked_game": "x" * 36},
        {"title": "\u202eorleans"},
        {"more": 1},
    ],
)
def test_a_game_that_begins_out_of_bounds_is_refused(judge: Any, more: dict[str, Any]) -> None:
    forged = changed(finished_game(4), 1, lambda line: line["event"]["detail"].update(more))
    (found,) = judge([forged])
    assert "out of bounds" in found["problem"]
    assert audit(forged, load_title, verify).fails


def test_a_viewer_that_the_game_has_not_is_refused(judge: Any) -> None:
    """What is shown must be among what was committed to."""
    lines = record(finished_game(), 2)
    for viewer in (b"seat.3", b"seat.9", b"seat.1", b"nobody", b"foo", b"seat.01", b"seat.x"):
        forged = [lines[0].replace(b"seat.2", viewer), *lines[1:]]
        (found,) = judge([forged])
        assert not found["holds"], viewer
        assert audit(forged, load_title, verify).fails


def test_bytes_that_are_no_text_are_refused(judge: Any) -> None:
    lines = record(finished_game())
    at = next(at for at, line in enumerate(lines) if b"CoinPassed" in line)
    changes = (b"Coin\xff", b"Coin\xed\xa0\x80", b"Coin\\ud800", "Coinä".encode(), b"Coin\x00", b"\xef\xbb\xbfCoin")
    damaged = [[*lines[:at], lines[at].replace(b"Coin", change), *lines[at + 1 :]] for change in changes]
    assert not any(found["holds"] for found in judge(damaged))


def test_a_foreign_signature_does_not_hold(judge: Any) -> None:
    lines = record(finished_game())
    other = canonical(sealer(ServiceKey(Ed25519PrivateKey.generate()))(str(ID), len(lines) - 2, "0" * 64))
    signature = re.search(rb'"signature":"(\w+)"', other)
    assert signature is not None
    lines[-1] = re.sub(rb'"signature":"\w+"', signature[0], lines[-1])
    (found,) = judge([lines])
    assert "signature" in found["problem"]


def test_a_game_that_tells_its_key_is_signed_by_no_other(judge: Any) -> None:
    def said(key: str) -> list[bytes]:
        own: list[bytes] = changed(finished_game(), 1, lambda line: line["event"]["detail"].update(server_key=key))
        return own

    own, foreign = judge([said(KEY.id), said("0" * 64)])
    assert own["holds"], own
    assert "another key" in foreign["problem"]


def test_it_is_apart_from_all_else(repository: Path) -> None:
    """It could not find what we made wrong if it were made of the same."""
    folder = repository / "clients" / "typescript" / "src" / "verifier"
    files = sorted(folder.glob("*.ts"))
    assert len(files) == 6
    for file in files:
        imported = re.findall(r'^import .*? from "(.*?)";', file.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        allowed = ("@noble/", "./", *(("node:",) if file.name == "main.ts" else ()))
        assert all(it.startswith(allowed) for it in imported), (file.name, imported)


# --- what both must agree on -----------------------------------------------------------------------------------


def test_its_dice_are_the_published_ones(dist: Path, repository: Path) -> None:
    text = (repository / "docs/dice.md").read_text("utf-8")
    (published,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    vectors = json.loads(published)
    key = vectors["keys"][0]
    assert vectors["key"] == key["key"]
    for many in vectors["numbers"]:
        many["bound"], many["number"] = str(many["bound"]), str(many["number"])  # more than JavaScript's numbers hold
    for pile in vectors["draws"]:
        pile["lying"] = [kind for kind, count in pile["pile"].items() for _ in range(count)]
    dice = (
        f"makeDice(Buffer.from({key['secret']!r}, 'hex'), {json.dumps(key['entropies'])}.map("
        "(entropy) => Buffer.from(entropy, 'hex')))"
    )
    found = evaluated(
        dist,
        f"((dice) => [given.numbers.map((it) => String(dice.number(it.stream, it.counter, BigInt(it.bound)))),"
        " given.draws.map((it) => dice.draw(it.zone, it.counter, it.lying, it.count)),"
        f" given.shuffles.map((it) => dice.shuffle(it.zone, it.counter, it.before))])({dice})",
        vectors,
    )
    assert found[0] == [it["number"] for it in vectors["numbers"]]
    assert found[1] == [it["drawn"] for it in vectors["draws"]]
    assert found[2] == [it["after"] for it in vectors["shuffles"]]


def test_both_write_the_same_canonical_bytes(dist: Path) -> None:
    chance = random.Random(1)

    def value(depth: int) -> object:
        kind = chance.randrange(7 if depth < 4 else 4)
        match kind:
            case 0:
                return chance.choice([0, -1, 1, 2**53 - 1, -(2**53) + 1, chance.randrange(10**9)])
            case 1 | 2:
                alphabet = 'az09 "\\/\b\f\n\r\t\x00\x1f\x7f\x80é€ß\u2028\u2029\ufeff\uffff😀'
                return "".join(chance.choice(alphabet) for _ in range(chance.randrange(8)))
            case 3:
                return chance.choice([None, True, False])
            case 4 | 5:
                return [value(depth + 1) for _ in range(chance.randrange(5))]
            case _:
                keys = ["a", "A", "_", "10", "9", "ab", "__proto__", "constructor", ""]
                return {chance.choice(keys): value(depth + 1) for _ in range(chance.randrange(6))}

    values = [value(0) for _ in range(500)]
    assert evaluated(dist, "given.map((it) => canonical(it))", values) == [canonical(it).decode() for it in values]
