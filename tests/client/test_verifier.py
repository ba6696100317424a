"""The verifier in TypeScript: it shares no code with Python, reads the same records, and has the published dice."""

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


def record(events: Sequence[GameEvent], viewer: int = OPERATOR) -> list[bytes]:
    return list(write_record(ID, events, SECRET, sealer(KEY), viewer))


def evaluate(dist: Path, program: str, value: object) -> Any:
    """Evaluate an expression with the verifier's functions; ``input`` is a JSON value."""
    source = f"""
        import {{ canonical, makeDice }} from "{(dist / "verify.js").as_uri()}";
        import {{ readFileSync }} from "node:fs";
        const input = JSON.parse(readFileSync(0, "utf8"));
        console.log(JSON.stringify({program}));
    """
    command = [str(node()), "--input-type=module", "--eval", source]
    done = subprocess.run(
        command, input=json.dumps(value), capture_output=True, text=True, timeout=60, check=True, encoding="utf-8"
    )
    return json.loads(done.stdout)


# --- records ---------------------------------------------------------------------------------------------------


def count_draws(events: Sequence[GameEvent]) -> int:
    """Return the number of draws and shuffles."""
    return sum(isinstance(effect, Draw | Shuffle) for event in events for effect in event.effects)


@pytest.mark.parametrize(("adapter", "players"), GAMES)
def test_records_of_all_histories_are_checked_as_far_as_they_are_visible(
    verifier: Any, adapter: Adapter, players: int
) -> None:
    """All draws of whole records of finished games; chain and signature of all other records."""
    cases = [
        (history, viewer, events)
        for history, events in histories(adapter, players).items()
        for viewer in (OPERATOR, SPECTATOR, players)
    ]
    for found, (history, viewer, events) in zip(
        verifier([record(events, viewer) for _, viewer, events in cases]), cases, strict=True
    ):
        assert found["holds"], (history, viewer, found)
        assert (found["game"], found["keyId"], found["events"]) == (str(ID), KEY.id, len(events))
        over = events[-1].topic == "game.GameEnded"
        waits = "the whole record" if viewer != OPERATOR else "" if over else "the end of the game"
        assert (found["waits"], found["draws"]) == (waits, 0 if waits else count_draws(events)), (history, viewer)
        assert over or "unfinished" in history


def play_with_looks(seed: int) -> list[GameEvent]:
    """Play a game in which seats look at each other's cards; return its events."""
    game, events = start(b"", b"", b"", b"", title=NATIONS)
    for seat, command in ((1, Wait()), (2, Look(1)), (3, Look(1)), (4, Look(2))):
        events += give(game, seat, command)
    return events + finish_game(game, random.Random(seed))


def test_both_verifiers_agree_on_records_of_format_2(verifier: Any) -> None:
    """Whole records, records of each viewer, and damaged records."""
    records = [record(play_with_looks(seed), viewer) for seed in range(2) for viewer in (OPERATOR, SPECTATOR, 1, 4)]
    whole = b"".join(records[0])
    assert whole.startswith(b'{"format":2,')
    chance = random.Random(8)
    damaged = []
    for _ in range(30):
        at = chance.randrange(whole.index(b"\n") + 1, len(whole))
        damaged.append(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(7)]) + whole[at + 1 :])
    for found, lines in zip(verifier(records), records, strict=True):
        assert found["holds"], found
        assert not audit(lines, load_title, verify).fails
    for found, other in zip(verifier(damaged), damaged, strict=True):
        assert not found["holds"], other
        assert audit(other.splitlines(keepends=True), load_title, verify).fails


@pytest.mark.parametrize("word", ["seats.2.1", "seats.1", "seats.1.1", "seats.1.17", "seats.01.2"])
def test_other_spellings_of_a_set_of_seats_are_rejected(verifier: Any, word: str) -> None:
    events = play_with_looks(1)
    at = next(event.originator_version for event in events if event.topic == "nations.NationSeen")

    def respell(line: Any) -> None:
        line["event"]["effects"][0][3] = word

    forged = forge(events, at, respell)
    (found,) = verifier([forged])
    assert found["problem"] == f"line {at + 1}: the line is not an event, or a field is out of bounds"
    assert audit(forged, load_title, verify).fails


def test_a_record_of_format_1_with_features_of_format_2_is_rejected(verifier: Any) -> None:
    """In an effect, or in the layout of a fork of such a game."""
    fork = fork_game(Game.load(NATIONS, SECRET, play_with_looks(1)[:11]), OPERATOR, b"")
    assert isinstance(fork, Fork)
    _, forked = create_game(ID, NATIONS, Setup("", 4), ["person"] * 4, SECRET, "", "", 1, fork=fork)
    for events, shared in ((play_with_looks(1), b'"seats.1.2"]'), (forked, b'"seats.1.2",')):
        lines = record(events)
        at = next(at for at, line in enumerate(lines, 1) if shared in line)
        as_format_1 = [lines[0].replace(b'"format":2', b'"format":1'), *lines[1:]]
        original, other = verifier([lines, as_format_1])
        assert original["holds"]
        assert other["problem"] == f"line {at}: the line is not an event, or a field is out of bounds"
        assert audit(as_format_1, load_title, verify).problems[0].line == at


@pytest.mark.parametrize("format", [0, 3, 10])
def test_an_unknown_format_is_named(verifier: Any, format: int) -> None:
    lines = record(finished_game())
    lines[0] = lines[0].replace(b'"format":1', b'"format":%d' % format)
    (found,) = verifier([lines])
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
def test_the_conversion_of_a_record_is_named(verifier: Any, convert: Callable[[bytes], bytes]) -> None:
    """The message is that of the command line."""
    converted = convert(b"".join(record(finished_game())))
    (found,) = verifier([[converted]])
    assert describe_conversion(converted)
    assert found["problem"] == f"the record {describe_conversion(converted)}"


@pytest.mark.parametrize("viewer", ["everybody", "seat.0", "seat", "whole.1"])
def test_unknown_viewers_are_rejected(verifier: Any, viewer: str) -> None:
    lines = record(finished_game(), SPECTATOR)
    lines[0] = lines[0].replace(b'"spectator"', b'"%s"' % viewer.encode())
    (found,) = verifier([lines])
    assert found["problem"] == "the file is not a record of format 1 or 2, or its last line has no line end"
    assert audit(lines, load_title, verify).fails


def test_marker_values_may_look_like_a_visibility(verifier: Any) -> None:
    events = finished_game()
    at = next(event.originator_version for event in events if event.topic == "tiny.CoinPassed")

    def set_words(line: Any) -> None:
        line["event"]["effects"].append(["a", 1, "seats.1.2", "seats.1.2"])

    (found,) = verifier([forge(events, at, set_words)])
    assert found["holds"], found


def test_every_draw_of_many_games_is_checked(verifier: Any) -> None:
    games = [finished_game(seed) for seed in range(5)]
    for found, events in zip(verifier(list(map(record, games))), games, strict=True):
        assert found["holds"], found
        assert (found["draws"], found["waits"]) == (count_draws(events), "")


def test_undos_do_not_affect_the_dice(verifier: Any) -> None:
    assert all(found["holds"] for found in verifier([record(game_with_undos(seed)) for seed in range(4)]))


def test_games_with_clocks_bots_and_resignations_are_verified(verifier: Any) -> None:
    table = TimedGame(TimeControl("move", 60, 0, "bot"), 3)
    table.commit(table.game.hand_to_bot(2, "random", "hand", table.now))
    table.commit(table.game.take_seat_back(2, "back", table.now))
    table.commit(table.game.resign(3, "random", "resign", table.now))
    table.wait(60)
    table.commit(table.game.expire(1, "random", "expire", table.now))
    running, of_seat = record(table.events), record(table.events, 1)
    table.commit(table.game.resign(1, "random", "resign 1", table.now))
    whole = record(table.events)
    assert all(found["holds"] for found in verifier([running, of_seat, whole]))
    (expired,) = [event.originator_version for event in table.events if isinstance(event.detail, TimeExpired)]
    wrong = [
        forge(table.events, 1, lambda line: line["event"]["detail"]["time_control"].update(seconds=0)),
        forge(table.events, 1, lambda line: line["event"]["detail"]["time_control"].update(kind="hourglass")),
        forge(table.events, expired, lambda line: line["event"]["detail"].update(resigned=2)),
    ]
    assert not any(found["holds"] for found in verifier(wrong))


def test_exact_forks_with_stand_in_bots_are_verified(verifier: Any) -> None:
    of, past = start()
    fork = fork_game(Game.load(of.title, SECRET, past), OPERATOR, b"")
    assert isinstance(fork, Fork)
    kinds = ["bot.random", "bot.random"]
    game, events = create_game(ID, of.title, of.created.setup, kinds, SECRET, "test", "", 1, fork=fork)
    game.commit(events)
    events += finish_game(game, random.Random(1))
    lines = record(events)
    assert b'"stand_ins":[1,2]' in lines[1]
    (found,) = verifier([lines])
    assert found["holds"], found

    def with_stand_ins(seats: object) -> Any:
        return forge(events, 1, lambda line: line["event"]["detail"].update(stand_ins=seats))

    assert not any(found["holds"] for found in verifier([with_stand_ins(seats) for seats in ([], [0], [17], 1)]))


def test_doubled_undos_of_0_1_0_are_not_too_long(verifier: Any) -> None:
    (found,) = verifier([record(game_with_old_undos(15))])
    assert found["holds"], found
    lines = record(finished_game())
    at = next(at for at, line in enumerate(lines) if b"CoinPassed" in line)
    long = lines[at].replace(b'"detail":{', b'"detail":{"a":"' + b"x" * (1 << 20) + b'",')
    for longer in ([*lines[:at], long, *lines[at + 1 :]], [lines[0] + b" " * (1 << 26), *lines[1:]]):
        (found,) = verifier([longer])
        assert not found["holds"], "other long lines are rejected"


def test_redacted_records_are_checked_as_far_as_possible(verifier: Any) -> None:
    game, events = start()
    events += give(game, 1, PassCoin(2))
    whole, spectator, seat = verifier([record(events), record(events, SPECTATOR), record(finished_game(), 1)])
    assert whole["holds"]
    assert whole["waits"] == "the end of the game"
    assert spectator["holds"]
    assert seat["holds"]
    assert seat["waits"] == spectator["waits"] == "the whole record"


@pytest.mark.parametrize("title", TITLES)
def test_the_verifier_rejects_damaged_records_like_the_audit(verifier: Any, title: Title) -> None:
    lines = record(finished_game(2, title))
    whole = b"".join(lines)
    chance = random.Random(3)
    damaged: list[bytes] = [b"", b"\n", b"null\n", whole[:-1], b"".join(lines[:9] + lines[10:]), b"".join(lines[:-1])]
    for _ in range(40):
        at = chance.randrange(whole.index(b"\n") + 1, len(whole))
        damaged.append(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(7)]) + whole[at + 1 :])
    for found, record_ in zip(verifier(damaged), damaged, strict=True):
        assert not found["holds"], record_
        assert found["problem"]
        assert audit(record_.splitlines(keepends=True), load_title, verify).fails


def forge(events: Sequence[GameEvent], version: int, change: Callable[[Any], None], viewer: int = OPERATOR) -> Any:
    """Return a record with one changed event and valid chain and seal, as an attacker with the key can make it."""
    import msgspec

    from boardkeeper.testkit.games import rewrite_event

    forged = rewrite_event(record(events, viewer), version, change)
    head = msgspec.json.decode(forged[-1])
    forged[-1] = canonical(sealer(KEY)(str(ID), head["events"], head["head"])) + b"\n"
    return forged


def test_swapped_draws_under_a_valid_chain_are_found(verifier: Any) -> None:
    import msgspec

    events = finished_game(4)
    at = next(event.originator_version for event in events if event.topic == "tiny.PearlDrawn")

    def swap(line: Any) -> None:
        text = canonical(line["event"])
        text = text.replace(b"black", b"?").replace(b"white", b"black").replace(b"?", b"white")
        line["event"] = msgspec.json.decode(text)

    (found,) = verifier([forge(events, at, swap)])
    assert f"line {at + 1}: " in found["problem"]
    assert "the dice give" in found["problem"]


@pytest.mark.parametrize("title", TITLES)
def test_any_draw_that_contradicts_the_dice_is_found(verifier: Any, title: Title) -> None:
    """The first, the last, and some in between, of every title."""
    events = finished_game(4, title)
    drawn = [event for event in events if count_draws([event])]

    def swap(line: Any) -> None:
        outcome = next(effect for effect in line["event"]["effects"] if effect[0] in ("d", "r"))[-1]
        outcome[0] = "another"

    versions = [drawn[at].originator_version for at in (0, len(drawn) // 3, len(drawn) // 2, -1)]
    for version, found in zip(versions, verifier([forge(events, it, swap) for it in versions]), strict=True):
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
def test_malformed_events_under_a_valid_chain_are_rejected(verifier: Any, change: Callable[[Any], None]) -> None:
    """A record cannot contain fields outside of the chain, or impossible effects."""
    events = finished_game(4)
    at = next(event.originator_version for event in events if event.given is not None)
    forged = forge(events, at, change)
    (found,) = verifier([forged])
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
def test_a_first_event_out_of_bounds_is_rejected(verifier: Any, more: dict[str, Any]) -> None:
    forged = forge(finished_game(4), 1, lambda line: line["event"]["detail"].update(more))
    (found,) = verifier([forged])
    assert "out of bounds" in found["problem"]
    assert audit(forged, load_title, verify).fails


def test_a_record_of_another_viewer_is_rejected(verifier: Any) -> None:
    """The commitments of events do not include the data of this viewer."""
    lines = record(finished_game(), 2)
    for viewer in (b"seat.3", b"seat.9", b"seat.1", b"nobody", b"foo", b"seat.01", b"seat.x"):
        forged = [lines[0].replace(b"seat.2", viewer), *lines[1:]]
        (found,) = verifier([forged])
        assert not found["holds"], viewer
        assert audit(forged, load_title, verify).fails


def test_invalid_text_is_rejected(verifier: Any) -> None:
    lines = record(finished_game())
    at = next(at for at, line in enumerate(lines) if b"CoinPassed" in line)
    changes = (b"Coin\xff", b"Coin\xed\xa0\x80", b"Coin\\ud800", "Coinä".encode(), b"Coin\x00", b"\xef\xbb\xbfCoin")
    damaged = [[*lines[:at], lines[at].replace(b"Coin", change), *lines[at + 1 :]] for change in changes]
    assert not any(found["holds"] for found in verifier(damaged))


def test_a_signature_of_another_key_is_rejected(verifier: Any) -> None:
    lines = record(finished_game())
    other = canonical(sealer(ServiceKey(Ed25519PrivateKey.generate()))(str(ID), len(lines) - 2, "0" * 64))
    signature = re.search(rb'"signature":"(\w+)"', other)
    assert signature is not None
    lines[-1] = re.sub(rb'"signature":"\w+"', signature[0], lines[-1])
    (found,) = verifier([lines])
    assert "signature" in found["problem"]


def test_a_game_with_a_server_key_must_be_signed_by_it(verifier: Any) -> None:
    def record_with_key(key: str) -> list[bytes]:
        own: list[bytes] = forge(finished_game(), 1, lambda line: line["event"]["detail"].update(server_key=key))
        return own

    own, foreign = verifier([record_with_key(KEY.id), record_with_key("0" * 64)])
    assert own["holds"], own
    assert "another key" in foreign["problem"]


def test_the_verifier_imports_no_other_code_of_the_project(repository: Path) -> None:
    """With shared code, both would have the same faults."""
    folder = repository / "clients" / "typescript" / "src" / "verifier"
    files = sorted(folder.glob("*.ts"))
    assert len(files) == 6
    for file in files:
        imported = re.findall(r'^import .*? from "(.*?)";', file.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        allowed = ("@noble/", "./", *(("node:",) if file.name == "main.ts" else ()))
        assert all(it.startswith(allowed) for it in imported), (file.name, imported)


# --- agreement of both -------------------------------------------------------------------------------------------


def test_the_dice_give_the_published_values(dist: Path, repository: Path) -> None:
    text = (repository / "docs/dice.md").read_text("utf-8")
    (published,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    vectors = json.loads(published)
    key = vectors["keys"][0]
    assert vectors["key"] == key["key"]
    for many in vectors["numbers"]:
        many["bound"], many["number"] = str(many["bound"]), str(many["number"])  # too large for JavaScript's numbers
    for pile in vectors["draws"]:
        pile["lying"] = [kind for kind, count in pile["pile"].items() for _ in range(count)]
    dice = (
        f"makeDice(Buffer.from({key['secret']!r}, 'hex'), {json.dumps(key['entropies'])}.map("
        "(entropy) => Buffer.from(entropy, 'hex')))"
    )
    found = evaluate(
        dist,
        f"((dice) => [input.numbers.map((it) => String(dice.number(it.stream, it.counter, BigInt(it.bound)))),"
        " input.draws.map((it) => dice.draw(it.zone, it.counter, it.lying, it.count)),"
        f" input.shuffles.map((it) => dice.shuffle(it.zone, it.counter, it.before))])({dice})",
        vectors,
    )
    assert found[0] == [it["number"] for it in vectors["numbers"]]
    assert found[1] == [it["drawn"] for it in vectors["draws"]]
    assert found[2] == [it["after"] for it in vectors["shuffles"]]


def test_both_encode_the_same_canonical_bytes(dist: Path) -> None:
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
    assert evaluate(dist, "input.map((it) => canonical(it))", values) == [canonical(it).decode() for it in values]
