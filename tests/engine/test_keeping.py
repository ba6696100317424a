"""Saves, records, forks, undo and the past: a game is kept whole, and told as each may know it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.engine.playing import played

from boardkeeper import engine
from boardkeeper.game.events import GameCreated
from boardkeeper.game.record_reading import parse_line
from boardkeeper.table.effects import Draw
from boardkeeper.wire.signatures import verify

GAMES = [("orleans", "", 2), ("paladins", "", 3), ("paladins", "", 1), ("stories", "england-vs-france", 4)]


class Signer:
    """A key that follows from nothing but its name."""

    def __init__(self, name: str) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32))

    @property
    def public_key(self) -> bytes:
        return self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


def over(title: str, edition: str, players: int) -> engine.Game:
    return played(engine.create(title, players, edition=edition, seed=4), Random(4), 10_000)


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_a_save_goes_on_as_the_game_would(title: str, edition: str, players: int) -> None:
    game = played(engine.create(title, players, edition=edition, seed="save"), Random(1), 30)
    loaded = engine.load(game.save())
    assert loaded.save() == game.save()
    assert loaded.seats == game.seats
    played(game, Random(2), 30)
    played(loaded, Random(2), 30)
    assert loaded.save() == game.save()
    assert loaded.events(engine.OPERATOR) == game.events(engine.OPERATOR)


def test_names_are_kept_in_saves() -> None:
    game = engine.create("orleans", ["Änne", engine.Bot(name="Deep")], seed=1)
    assert [seat.name for seat in engine.load(game.save()).seats] == ["Änne", "Deep"]


CREATED: dict[str, dict[str, Any]] = {
    "letters of all kinds": {"seats": ["Änne 😀", 'quoted "name"\n\u2028\0'], "seed": "\u2028ß"},
    "no names": {"seats": ["", ""], "seed": b"\xff\0"},
    "a name for two": {"seats": ("Anna", "Anna"), "seed": -(10**40)},
    "bots": {"seats": [engine.Bot(name="Deep"), engine.Bot("random")], "seed": 0},
    "a clock": {"seats": 2, "clock": lambda: 1_763_926_633_512, "seed": ""},
    "the last time": {"seats": 2, "clock": lambda: 253_402_300_799_999, "options": {}, "readings": {}},
}


@pytest.mark.parametrize("kind", CREATED)
def test_whatever_can_be_created_can_be_kept(kind: str) -> None:
    game = played(engine.create("orleans", **CREATED[kind]), Random(1), 3)
    loaded = engine.load(bytearray(game.save()))
    assert loaded.save() == game.save()
    assert loaded.seats == game.seats
    assert not engine.verify(memoryview(game.record())).fails


def test_a_damaged_save_is_refused_wherever_it_is() -> None:
    data = engine.create("orleans", 2, seed=1).save()
    damaged = [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in range(0, len(data), 4001)]
    for bad in (*damaged, b"", b"\n", data[:-1], data[: len(data) // 2], data + b"\n"):
        with pytest.raises(engine.BadSaveError):
            engine.load(bad)


def saved_anew(data: bytes, events: slice = slice(None), **head: object) -> bytes:
    """A save that somebody changed who knows how its hash is made."""
    first, *lines = data.splitlines()[:-1]
    lines = lines[events]
    told = {**msgspec.json.decode(first), "events": len(lines), **head}
    body = b"".join(line + b"\n" for line in (msgspec.json.encode(told), *lines))
    return body + sha256(body).hexdigest().encode() + b"\n"


def test_a_save_that_does_not_fit_together_is_refused() -> None:
    game = played(engine.create("paladins", ["Anna", "Ben"], seed=1), Random(1), 5)
    data = game.save()
    assert engine.load(saved_anew(data, names=["Cleo"])).seats[0].name == "Cleo"
    for changed, message in (
        ({"secret": "00" * 32}, "does not match the commitment of its game"),
        ({"secret": "no hex"}, "cannot be read"),
        ({"names": ["A", "B", "C"]}, "the number of seats"),
        ({"events": slice(0)}, "no events"),
        ({"events": slice(1)}, "no seat can act"),
    ):
        with pytest.raises(engine.BadSaveError, match=message):
            engine.load(saved_anew(data, **changed))
    fewer = data.replace(b'"seats":["person","person"]', b'"seats":["person"]')
    with pytest.raises(engine.BadSaveError, match="the number of seats"):
        engine.load(saved_anew(fewer))
    with pytest.raises(engine.BadSaveError, match="is not the creation of a game"):
        engine.load(saved_anew(data.replace(b'["game.GameCreated",', b'["game.GameStarted",', 1)))


def test_a_save_that_is_not_utf_8_is_refused() -> None:
    data = played(engine.create("paladins", ["Anna", "Ben"], seed=1), Random(1), 5).save()
    for text in (b"boardkeeper-save", b"paladins", b"commitment", b"GameStarted", b"public"):
        body = data.replace(text, b"\xff" + text[1:], 1)[:-65]
        with pytest.raises(engine.BadSaveError):
            engine.load(body + sha256(body).hexdigest().encode() + b"\n")


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_no_game_begins_where_nobody_can_go_on(title: str, edition: str, players: int) -> None:
    """From every version of a game, also amid what a command caused, where the rules know no table."""
    game = played(engine.create(title, players, edition=edition, seed=2), Random(4), 12)
    data, amid = game.save(), 0
    started = next(event.version for event in game.events(engine.OPERATOR) if event.name == "GameStarted")
    for version in range(1, game.version):
        ends, past = game._game.end_of_command(version), game.at(version)
        assert bool(past.to_move) == any(past.legal(seat.number) for seat in game.seats)
        if version == ends:
            continue
        amid += 1
        assert past.to_move == ()
        with suppress(engine.BadSaveError):
            loaded = engine.load(saved_anew(data, slice(version)))
            assert all(map(loaded.legal, loaded.to_move))
        if ends < started:
            continue
        fork, world = game.fork(seed=1, at=version), game.determinised(engine.SPECTATOR, seed=1, at=version)
        assert fork.digest() == game.at(ends).digest()
        assert fork.to_move == world.to_move != ()
        assert all(map(fork.legal, fork.to_move))
        assert all(map(world.legal, world.to_move))
    assert amid


def edited(data: bytes, change: Callable[[Any], object]) -> bytes:
    """A save whose events are changed, with a hash that matches."""
    lines = data.splitlines()[:-1]
    events = [msgspec.json.decode(line) for line in lines[1:]]
    change(events)
    body = b"\n".join([lines[0], *map(msgspec.json.encode, events)]) + b"\n"
    return body + sha256(body).hexdigest().encode() + b"\n"


@pytest.mark.parametrize("title", ["orleans", "paladins", "stories"])
def test_a_save_with_an_impossible_table_is_refused_with_all_problems(title: str) -> None:
    game = engine.create(title, 2, seed=1)
    for _ in range(20):
        game.submit(game.to_move[0], game.suggest(game.to_move[0]))

    def impossible(events: Any) -> None:
        for marker in game.table(engine.OPERATOR).markers:
            if marker.id in ("round", "start_seat"):
                events[-1][5].append(["s", marker.id, marker.value, -5])

    with pytest.raises(engine.BadSaveError, match=r"`markers\[round\]` must be .*`markers\[start_seat\]` must be "):
        engine.load(edited(game.save(), impossible))


def test_a_save_that_began_from_an_impossible_position_is_refused() -> None:
    game = engine.create("paladins", 2, seed=1)
    begun = engine.create("paladins", 2, seed=2, position=game.table(engine.OPERATOR))
    assert engine.load(begun.save()).digest() == begun.digest()

    def forged(events: Any) -> None:
        markers = events[0][4]["layout"]["markers"]
        next(marker for marker in markers if marker[0] == "seat.1.silver")[1] = 10**6

    with pytest.raises(engine.BadSaveError, match=r"`markers\[seat\.1\.silver\]` must be 0 to 999"):
        engine.load(edited(begun.save(), forged))


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_a_record_verifies_and_comes_back(title: str, edition: str, players: int) -> None:
    game, signer = over(title, edition, players), Signer("ours")
    record = game.record(signer=signer)
    assert engine.verify(record, verify).holds
    loaded = engine.load_record(record, verify_signature=verify)
    assert loaded.digest() == game.digest()
    assert loaded.standings == game.standings
    assert loaded.record() == record  # with the seal that it came with
    assert engine.load(loaded.save()).record(signer=Signer("theirs")) == record
    assert loaded.at(20).digest() == game.at(20).digest()
    assert not loaded.fork(seed=1, at=30).is_over


def test_a_record_without_a_key_can_be_checked_but_for_its_signature() -> None:
    game = over("paladins", "", 1)
    record = game.record()
    levels = {level.name: level.status for level in engine.verify(record).levels}
    assert levels.pop("signed") == "not checked"
    assert set(levels.values()) == {"holds"}
    assert engine.load_record(record, ["Anna"]).seats[0].name == "Anna"
    assert engine.verify(record, verify).fails
    with pytest.raises(engine.BadRecordError, match="signature"):
        engine.load_record(record, verify_signature=verify)


def test_no_game_is_made_of_a_record_that_does_not_hold_or_tells_too_little() -> None:
    game = over("orleans", "", 2)
    record = game.record()
    with pytest.raises(engine.BadRecordError, match="chained"):
        engine.load_record(record.replace(b'"seat":1', b'"seat":2', 1))
    with pytest.raises(engine.BadRecordError):
        engine.load_record(game.record(1))
    running = engine.create("orleans", 2, seed=1)
    with pytest.raises(engine.BadRecordError, match="not the whole record of a finished game"):
        engine.load_record(running.record())


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_the_past_is_there_at_every_version(title: str, edition: str, players: int) -> None:
    game = engine.create(title, players, edition=edition, seed=2)
    random, were = Random(2), {}
    while game.version < 150 and not game.is_over:
        viewer = random.choice(range(engine.OPERATOR, len(game.seats) + 1))
        were[game.version] = (viewer, game.board(viewer), game.table(viewer), game.to_move, game.digest())
        played(game, random, 1)
    for version in random.sample(sorted(were), len(were)):
        viewer, *was = were[version]
        past = game.at(version)
        assert [past.board(viewer), past.table(viewer), past.to_move, past.digest()] == was


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_events_are_told_as_records_tell_them(title: str, edition: str, players: int) -> None:
    """What each may know of an event is one rule: the façade's events say what the lines of his record say."""
    game = played(engine.create(title, players, edition=edition, seed=6), Random(6), 200)
    for viewer in range(engine.SPECTATOR, len(game.seats) + 1):
        lines = game.record(viewer).splitlines(keepends=True)[1:-1]
        seats, format = len(game.seats), 1 + (b'"format":2' in game.record(viewer))
        told = game.events(viewer)
        assert len(told) == len(lines)
        for at, (event, line) in enumerate(zip(told, lines, strict=True)):
            read = parse_line(line, viewer, seats if at else 0, format).event
            assert event.name == read.topic.partition(".")[2]
            assert event.effects == read.effects
            assert (event.detail is None) == (read.detail is None)
        for after in (0, 1, 7, game.version):
            assert game.events(viewer, after) == told[after:]


def test_where_a_fork_begins_is_told_to_nobody_by_its_first_event() -> None:
    fork = played(engine.create("paladins", 2, seed=1), Random(1), 40).fork(seed=2)
    for viewer in range(engine.SPECTATOR, 3):
        first = fork.events(viewer)[0].detail
        assert isinstance(first, GameCreated)
        assert first.layout.zones == ()


def test_forks_go_on_from_any_version_with_dice_of_their_own() -> None:
    game = played(engine.create("orleans", ["Anna", "Ben"], seed=1), Random(1), 60)
    for version in (game.version, 30, 45):
        fork, again = game.fork(seed=5, at=version), game.fork(seed=5, at=version)
        settled = game._game.end_of_command(version)  # nothing begins amid what a command caused
        assert fork.digest() == again.digest() == game.at(settled).digest()
        assert [seat.name for seat in fork.seats] == ["Anna", "Ben"]
        played(fork, Random(3), 10_000)
        assert fork.is_over
        assert fork.id != game.id
    with pytest.raises(engine.Rejected, match="GAME_NOT_STARTED"):
        game.fork(at=1)


def test_undo_takes_back_or_asks() -> None:
    game = engine.create("orleans", 2, options={"planning": "sealed"}, seed=1)
    while not any(type(command).__name__ == "PlaceFollower" for command in game.legal(1)):
        game.submit(game.to_move[0], game.legal(game.to_move[0])[0])
    before = game.digest()
    game.submit(1, next(it for it in game.legal(1) if type(it).__name__ == "PlaceFollower"))
    assert game.digest() != before
    (undone,) = game.undo(1)
    assert (undone.name, game.digest(), game.vote) == ("Undone", before, None)


def test_what_told_somebody_something_needs_everybodys_consent() -> None:
    game, random = engine.create("paladins", 2, seed=1), Random(1)
    while True:
        seat, before = random.choice(game.to_move), game.digest()
        events = game.submit(seat, random.choice(game.legal(seat)))
        if any(isinstance(effect, Draw) for event in events for effect in event.effects):
            break
    other = 3 - seat
    assert [event.name for event in game.undo(seat)] == ["UndoRequested"]
    vote = game.vote
    assert vote is not None
    assert vote.waiting == (other,)
    with pytest.raises(engine.Rejected, match="UNDO_OPEN"):
        game.undo(other)
    assert game.answer_undo(other, consent=False)[0].name == "UndoDeclined"
    assert game.vote is None
    game.undo(seat)
    assert [event.name for event in game.answer_undo(other, consent=True)] == ["UndoConsented", "Undone"]
    assert game.digest() != before  # draws count on: the same dice never come twice


def _draw(game: engine.Game, wanted: int = 0) -> int:
    """Play on until a seat that a person plays has drawn something, that seat if one is wanted."""
    while True:
        game.play_bots()
        seat = game.to_move[0]
        events = game.submit(seat, game.suggest(seat))
        drawn = any(isinstance(effect, Draw) for event in events for effect in event.effects)
        if drawn and seat == (wanted or seat):
            return seat


def test_a_bot_that_plays_for_a_person_does_not_consent() -> None:
    game = engine.create("stories", 2, seed=1)
    seat = _draw(game)
    other = 3 - seat
    game.hand_over(other)
    fork = game.fork(seed=2)
    game.undo(seat)
    for kept in (game, engine.load(game.save())):
        assert kept.vote is not None
        assert kept.vote.waiting == (other,)
        assert kept.play_bots() == ()
        with pytest.raises(engine.Rejected, match="SEAT_PLAYED_BY_BOT"):
            kept.answer_undo(other, consent=True)
        kept.take_seat_back(other)
        assert [event.name for event in kept.answer_undo(other, consent=True)] == ["UndoConsented", "Undone"]
    _draw(fork, seat)
    with pytest.raises(engine.Rejected, match="CONSENT_IMPOSSIBLE") as refused:
        fork.undo(seat)
    assert refused.value.values == {"seat": str(other)}


def test_in_a_game_with_clocks_bots_do_not_wait_for_absent_people_to_vote() -> None:
    """No clock would end that wait, so the seat that asks could keep the game from ending."""
    control = engine.TimeControl("move", 60, 0, "bot")
    game = engine.create("stories", 2, seed=1, clock=lambda: 1_763_926_633_512, time_control=control)
    seat = _draw(game)
    other = 3 - seat
    game.undo(seat)
    assert other in game.to_move
    assert game.play_bots() == (), "both people are present"
    game.answer_undo(other, consent=False)
    game.hand_over(other)
    game.undo(seat)
    assert {event.seat for event in game.play_bots()} == {other}
    assert game.vote is None


@pytest.mark.parametrize("seed", [2, 7])
def test_who_asks_in_vain_leaves_every_pile_as_it_lay(seed: int) -> None:
    """Down to the order of kinds, which rules may list: whoever reads the game again has no trace of it either."""
    game, random, asked = engine.create("paladins", 2, seed=seed), Random(seed), 0

    def orders() -> list[list[str]]:
        return [list(zone.counts()) for zone in game._game.table.zones.values()]

    for _ in range(150):
        if game.is_over:
            break
        seat = random.choice(game.to_move)
        game.submit(seat, random.choice(game.legal(seat)))
        before, trial = orders(), game.clone()
        with suppress(engine.Rejected):
            trial.undo(seat)
        if trial.vote is not None:
            game.undo(seat)
            assert orders() == before
            game.answer_undo(3 - seat, consent=False)
            asked += 1
    assert asked


def test_all_is_said_in_two_languages() -> None:
    for title in ("orleans", "paladins", "stories"):
        game = played(engine.create(title, 2, seed=1), Random(1), 100)
        for language in ("en", "de"):
            for event in game.events(engine.OPERATOR):
                assert game.sentence(event, language)
            for command in game.legal(game.to_move[0]):
                assert game.sentence(command, language, seat=game.to_move[0])
    hidden = [event for event in game.events(engine.SPECTATOR) if event.detail is None]
    assert all(game.sentence(event) == "" for event in hidden)
