"""Saves, records, forks, undo and past versions of games."""

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
from tests.engine.playing import play

from boardkeeper import engine
from boardkeeper.game.events import GameCreated
from boardkeeper.game.record_reading import parse_line
from boardkeeper.table.effects import Draw
from boardkeeper.wire.signatures import verify

GAMES = [("orleans", "", 2), ("paladins", "", 3), ("paladins", "", 1), ("stories", "england-vs-france", 4)]


class Signer:
    """A signing key that is derived from a name."""

    def __init__(self, name: str) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32))

    @property
    def public_key(self) -> bytes:
        return self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


def finished_game(title: str, edition: str, players: int) -> engine.Game:
    return play(engine.create(title, players, edition=edition, seed=4), Random(4), 10_000)


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_a_loaded_game_continues_like_the_original(title: str, edition: str, players: int) -> None:
    game = play(engine.create(title, players, edition=edition, seed="save"), Random(1), 30)
    loaded = engine.load(game.save())
    assert loaded.save() == game.save()
    assert loaded.seats == game.seats
    play(game, Random(2), 30)
    play(loaded, Random(2), 30)
    assert loaded.save() == game.save()
    assert loaded.events(engine.OPERATOR) == game.events(engine.OPERATOR)


def test_saves_contain_names() -> None:
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
def test_every_valid_game_can_be_saved(kind: str) -> None:
    game = play(engine.create("orleans", **CREATED[kind]), Random(1), 3)
    loaded = engine.load(bytearray(game.save()))
    assert loaded.save() == game.save()
    assert loaded.seats == game.seats
    assert not engine.verify(memoryview(game.record())).fails


def test_a_damaged_save_is_rejected() -> None:
    data = engine.create("orleans", 2, seed=1).save()
    damaged = [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in range(0, len(data), 4001)]
    for bad in (*damaged, b"", b"\n", data[:-1], data[: len(data) // 2], data + b"\n"):
        with pytest.raises(engine.BadSaveError):
            engine.load(bad)


def change_save(data: bytes, events: slice = slice(None), **header: object) -> bytes:
    """Return a save with other events and header fields, and a valid hash."""
    first, *lines = data.splitlines()[:-1]
    lines = lines[events]
    changed = {**msgspec.json.decode(first), "events": len(lines), **header}
    body = b"".join(line + b"\n" for line in (msgspec.json.encode(changed), *lines))
    return body + sha256(body).hexdigest().encode() + b"\n"


def test_an_inconsistent_save_is_rejected() -> None:
    game = play(engine.create("paladins", ["Anna", "Ben"], seed=1), Random(1), 5)
    data = game.save()
    assert engine.load(change_save(data, names=["Cleo"])).seats[0].name == "Cleo"
    for changed, message in (
        ({"secret": "00" * 32}, "does not match the commitment of its game"),
        ({"secret": "no hex"}, "cannot be read"),
        ({"names": ["A", "B", "C"]}, "the number of seats"),
        ({"events": slice(0)}, "no events"),
        ({"events": slice(1)}, "no seat can act"),
    ):
        with pytest.raises(engine.BadSaveError, match=message):
            engine.load(change_save(data, **changed))
    fewer = data.replace(b'"seats":["person","person"]', b'"seats":["person"]')
    with pytest.raises(engine.BadSaveError, match="the number of seats"):
        engine.load(change_save(fewer))
    with pytest.raises(engine.BadSaveError, match="is not the creation of a game"):
        engine.load(change_save(data.replace(b'["game.GameCreated",', b'["game.GameStarted",', 1)))


def test_a_save_that_is_not_utf_8_is_rejected() -> None:
    data = play(engine.create("paladins", ["Anna", "Ben"], seed=1), Random(1), 5).save()
    for text in (b"boardkeeper-save", b"paladins", b"commitment", b"GameStarted", b"public"):
        body = data.replace(text, b"\xff" + text[1:], 1)[:-65]
        with pytest.raises(engine.BadSaveError):
            engine.load(body + sha256(body).hexdigest().encode() + b"\n")


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_games_from_any_version_have_legal_commands(title: str, edition: str, players: int) -> None:
    """Also from versions between the events of one command, which the rules do not know."""
    game = play(engine.create(title, players, edition=edition, seed=2), Random(4), 12)
    data, between = game.save(), 0
    started = next(event.version for event in game.events(engine.OPERATOR) if event.name == "GameStarted")
    for version in range(1, game.version):
        ends, past = game._game.end_of_command(version), game.at(version)
        assert bool(past.to_move) == any(past.legal(seat.number) for seat in game.seats)
        if version == ends:
            continue
        between += 1
        assert past.to_move == ()
        with suppress(engine.BadSaveError):
            loaded = engine.load(change_save(data, slice(version)))
            assert all(map(loaded.legal, loaded.to_move))
        if ends < started:
            continue
        fork, world = game.fork(seed=1, at=version), game.determinised(engine.SPECTATOR, seed=1, at=version)
        assert fork.digest() == game.at(ends).digest()
        assert fork.to_move == world.to_move != ()
        assert all(map(fork.legal, fork.to_move))
        assert all(map(world.legal, world.to_move))
    assert between


def change_events(data: bytes, change: Callable[[Any], object]) -> bytes:
    """Return a save with changed events and a valid hash."""
    lines = data.splitlines()[:-1]
    events = [msgspec.json.decode(line) for line in lines[1:]]
    change(events)
    body = b"\n".join([lines[0], *map(msgspec.json.encode, events)]) + b"\n"
    return body + sha256(body).hexdigest().encode() + b"\n"


@pytest.mark.parametrize("title", ["orleans", "paladins", "stories"])
def test_a_save_with_an_impossible_table_is_rejected_with_all_problems(title: str) -> None:
    game = engine.create(title, 2, seed=1)
    for _ in range(20):
        game.submit(game.to_move[0], game.suggest(game.to_move[0]))

    def break_markers(events: Any) -> None:
        for marker in game.table(engine.OPERATOR).markers:
            if marker.id in ("round", "start_seat"):
                events[-1][5].append(["s", marker.id, marker.value, -5])

    with pytest.raises(engine.BadSaveError, match=r"`markers\[round\]` must be .*`markers\[start_seat\]` must be "):
        engine.load(change_events(game.save(), break_markers))


def test_a_save_with_an_impossible_initial_position_is_rejected() -> None:
    game = engine.create("paladins", 2, seed=1)
    begun = engine.create("paladins", 2, seed=2, position=game.table(engine.OPERATOR))
    assert engine.load(begun.save()).digest() == begun.digest()

    def forge(events: Any) -> None:
        markers = events[0][4]["layout"]["markers"]
        next(marker for marker in markers if marker[0] == "seat.1.silver")[1] = 10**6

    with pytest.raises(engine.BadSaveError, match=r"`markers\[seat\.1\.silver\]` must be 0 to 999"):
        engine.load(change_events(begun.save(), forge))


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_a_record_can_be_verified_and_loaded(title: str, edition: str, players: int) -> None:
    game, signer = finished_game(title, edition, players), Signer("ours")
    record = game.record(signer=signer)
    assert engine.verify(record, verify).holds
    loaded = engine.load_record(record, verify_signature=verify)
    assert loaded.digest() == game.digest()
    assert loaded.standings == game.standings
    assert loaded.record() == record  # with the original signature
    assert engine.load(loaded.save()).record(signer=Signer("theirs")) == record
    assert loaded.at(20).digest() == game.at(20).digest()
    assert not loaded.fork(seed=1, at=30).is_over


def test_everything_but_the_signature_of_an_unsigned_record_is_verified() -> None:
    game = finished_game("paladins", "", 1)
    record = game.record()
    levels = {level.name: level.status for level in engine.verify(record).levels}
    assert levels.pop("signed") == "not checked"
    assert set(levels.values()) == {"holds"}
    assert engine.load_record(record, ["Anna"]).seats[0].name == "Anna"
    assert engine.verify(record, verify).fails
    with pytest.raises(engine.BadRecordError, match="signature"):
        engine.load_record(record, verify_signature=verify)


def test_an_invalid_or_incomplete_record_cannot_be_loaded() -> None:
    game = finished_game("orleans", "", 2)
    record = game.record()
    with pytest.raises(engine.BadRecordError, match="chained"):
        engine.load_record(record.replace(b'"seat":1', b'"seat":2', 1))
    with pytest.raises(engine.BadRecordError):
        engine.load_record(game.record(1))
    running = engine.create("orleans", 2, seed=1)
    with pytest.raises(engine.BadRecordError, match="not the whole record of a finished game"):
        engine.load_record(running.record())


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_every_past_version_can_be_viewed(title: str, edition: str, players: int) -> None:
    game = engine.create(title, players, edition=edition, seed=2)
    random, views = Random(2), {}
    while game.version < 150 and not game.is_over:
        viewer = random.choice(range(engine.OPERATOR, len(game.seats) + 1))
        views[game.version] = (viewer, game.board(viewer), game.table(viewer), game.to_move, game.digest())
        play(game, random, 1)
    for version in random.sample(sorted(views), len(views)):
        viewer, *view = views[version]
        past = game.at(version)
        assert [past.board(viewer), past.table(viewer), past.to_move, past.digest()] == view


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_events_are_redacted_like_the_lines_of_records(title: str, edition: str, players: int) -> None:
    game = play(engine.create(title, players, edition=edition, seed=6), Random(6), 200)
    for viewer in range(engine.SPECTATOR, len(game.seats) + 1):
        lines = game.record(viewer).splitlines(keepends=True)[1:-1]
        seats, format = len(game.seats), 1 + (b'"format":2' in game.record(viewer))
        events = game.events(viewer)
        assert len(events) == len(lines)
        for at, (event, line) in enumerate(zip(events, lines, strict=True)):
            read = parse_line(line, viewer, seats if at else 0, format).event
            assert event.name == read.topic.partition(".")[2]
            assert event.effects == read.effects
            assert (event.detail is None) == (read.detail is None)
        for after in (0, 1, 7, game.version):
            assert game.events(viewer, after) == events[after:]


def test_the_first_event_of_a_fork_hides_its_initial_position() -> None:
    fork = play(engine.create("paladins", 2, seed=1), Random(1), 40).fork(seed=2)
    for viewer in range(engine.SPECTATOR, 3):
        first = fork.events(viewer)[0].detail
        assert isinstance(first, GameCreated)
        assert first.layout.zones == ()


def test_forks_continue_from_any_version_with_separate_dice() -> None:
    game = play(engine.create("orleans", ["Anna", "Ben"], seed=1), Random(1), 60)
    for version in (game.version, 30, 45):
        fork, again = game.fork(seed=5, at=version), game.fork(seed=5, at=version)
        settled = game._game.end_of_command(version)  # a fork starts after all events of a command
        assert fork.digest() == again.digest() == game.at(settled).digest()
        assert [seat.name for seat in fork.seats] == ["Anna", "Ben"]
        play(fork, Random(3), 10_000)
        assert fork.is_over
        assert fork.id != game.id
    with pytest.raises(engine.Rejected, match="GAME_NOT_STARTED"):
        game.fork(at=1)


def test_a_command_without_new_information_is_undone_at_once() -> None:
    game = engine.create("orleans", 2, options={"planning": "sealed"}, seed=1)
    while not any(type(command).__name__ == "PlaceFollower" for command in game.legal(1)):
        game.submit(game.to_move[0], game.legal(game.to_move[0])[0])
    before = game.digest()
    game.submit(1, next(it for it in game.legal(1) if type(it).__name__ == "PlaceFollower"))
    assert game.digest() != before
    (undone,) = game.undo(1)
    assert (undone.name, game.digest(), game.vote) == ("Undone", before, None)


def test_undo_of_a_draw_needs_consent() -> None:
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
    assert game.digest() != before  # the number of draws is not reset, so dice results never repeat


def _play_until_draw(game: engine.Game, wanted: int = 0) -> int:
    """Play until a person has drawn components, for the seat ``wanted`` if it is not 0. Return the seat."""
    while True:
        game.play_bots()
        seat = game.to_move[0]
        events = game.submit(seat, game.suggest(seat))
        drawn = any(isinstance(effect, Draw) for event in events for effect in event.effects)
        if drawn and seat == (wanted or seat):
            return seat


def test_a_bot_that_plays_for_a_person_does_not_consent() -> None:
    game = engine.create("stories", 2, seed=1)
    seat = _play_until_draw(game)
    other = 3 - seat
    game.hand_over(other)
    fork = game.fork(seed=2)
    game.undo(seat)
    for each in (game, engine.load(game.save())):
        assert each.vote is not None
        assert each.vote.waiting == (other,)
        assert each.play_bots() == ()
        with pytest.raises(engine.Rejected, match="SEAT_PLAYED_BY_BOT"):
            each.answer_undo(other, consent=True)
        each.take_seat_back(other)
        assert [event.name for event in each.answer_undo(other, consent=True)] == ["UndoConsented", "Undone"]
    _play_until_draw(fork, seat)
    with pytest.raises(engine.Rejected, match="CONSENT_IMPOSSIBLE") as rejected:
        fork.undo(seat)
    assert rejected.value.values == {"seat": str(other)}


def test_in_a_game_with_clocks_bots_do_not_wait_for_absent_people_to_vote() -> None:
    """No clock runs during the vote, so a seat could prevent the end of the game with an undo request."""
    control = engine.TimeControl("move", 60, 0, "bot")
    game = engine.create("stories", 2, seed=1, clock=lambda: 1_763_926_633_512, time_control=control)
    seat = _play_until_draw(game)
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
def test_a_declined_undo_leaves_the_order_of_piles_unchanged(seed: int) -> None:
    """Rules may list components in this order, and a reloaded game must have the same order."""
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


def test_events_and_commands_have_sentences_in_two_languages() -> None:
    for title in ("orleans", "paladins", "stories"):
        game = play(engine.create(title, 2, seed=1), Random(1), 100)
        for language in ("en", "de"):
            for event in game.events(engine.OPERATOR):
                assert game.sentence(event, language)
            for command in game.legal(game.to_move[0]):
                assert game.sentence(command, language, seat=game.to_move[0])
    hidden = [event for event in game.events(engine.SPECTATOR) if event.detail is None]
    assert all(game.sentence(event) == "" for event in hidden)
