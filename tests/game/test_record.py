"""Writing records: forms for viewers that verify and leak nothing, the same head for all, and reading them back."""

from __future__ import annotations

import re
from random import Random

import msgspec
import pytest
from tests.game.games import create, started
from tests.game.records import KEY_ID, ORLEANS, check, finished, load_title, with_undos
from tests.service.tiny_title import DrawPearl, PassCoin

from boardkeeper.game.events import GameCreated, GameEvent
from boardkeeper.game.record import (
    canonical,
    commitment,
    derive_salt,
    event_forms,
    public_command_id,
    sealer,
    write_record,
)
from boardkeeper.game.record_reading import read_events, split_lines
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR, redact_effects, viewer_name
from boardkeeper.testkit.games import ID, SECRET, Signer, finish_game, give, record, statuses
from boardkeeper.titlekit.title import Setup

SEALED = Setup("", 3, {"planning": "sealed"})
NO_HASH = re.compile(rb'"[0-9a-f]{64}"|"salt":"[0-9a-f]{32}"|"signature":"[0-9a-f]{128}"')


def masked(lines: list[bytes]) -> list[bytes]:
    """A record without its hashes and salts: all else that a viewer is told."""
    return [NO_HASH.sub(b"#", line) for line in lines]


@pytest.mark.parametrize("viewer", [OPERATOR, SPECTATOR, 1, 2])
def test_every_form_of_a_finished_game_is_chained_to_the_same_signed_head(viewer: int) -> None:
    events = finished(title=ORLEANS, setup=SEALED)
    report = check(record(events, viewer))
    assert report.problems == ()
    assert report.viewer == viewer_name(viewer)
    assert report.events == len(events)
    assert report.key_id == KEY_ID
    assert {name: status for name, status in statuses(report).items() if status != "holds"} == (
        {} if viewer == OPERATOR else dict.fromkeys(("conserved", "fair", "decided"), "not yet")
    )
    assert record(events, viewer)[-1] == record(events)[-1], "one seal for all"


@pytest.mark.parametrize("viewer", [SPECTATOR, 1, 2, 3])
def test_a_form_tells_exactly_what_its_viewer_is_told_elsewhere(viewer: int) -> None:
    events = finished(seed=5, title=ORLEANS, setup=SEALED)
    created = events[0].detail
    assert isinstance(created, GameCreated)
    table = Table(created.layout)
    hidden = 0
    for line, event in zip(record(events, viewer)[1:-1], events, strict=True):
        told = msgspec.json.decode(line)
        table.apply_all(event.effects)
        shown, whole = redact_effects(table, event.effects, viewer)
        assert told["event"]["effects"] == msgspec.json.decode(canonical(shown))
        assert (told["event"]["detail"] is not None) == whole
        assert told["event"]["topic"] == (event.topic if whole or shown else "")
        assert told["given"] is None or isinstance(told["given"], str), "nobody is shown commands"
        hidden += not whole
    assert hidden > 20


def test_games_that_differ_in_what_a_viewer_cannot_see_give_it_records_of_the_same_shape() -> None:
    def drawn(pearl: str) -> list[GameEvent]:
        for seed in range(100):
            game, events = started(secret=bytes([seed] * 32))
            events += give(game, 1, DrawPearl(), id="draw")
            events += give(game, 2, PassCoin(1), id="pass")
            if game.table.pile("hand.1").items == {pearl: 1}:
                return [event if at else without_commitment(event) for at, event in enumerate(events)]
        raise AssertionError(pearl)

    def without_commitment(event: GameEvent) -> GameEvent:
        assert isinstance(event.detail, GameCreated)
        return msgspec.structs.replace(event, detail=msgspec.structs.replace(event.detail, commitment="0" * 64))

    black, white = (list(drawn(pearl)) for pearl in ("black", "white"))
    for viewer in (SPECTATOR, 2):
        assert masked(record(black, viewer)) == masked(record(white, viewer))
        assert b"black" not in record(black, viewer)[-3]
    assert masked(record(black, 1)) != masked(record(white, 1))
    assert b"black" in record(black, 1)[-3]


def test_commitments_to_the_same_outcome_differ_from_game_to_game_and_from_form_to_form() -> None:
    game, events = started()
    events += give(game, 1, DrawPearl())
    lines = [record(events, SPECTATOR, bytes([secret] * 32))[-2] for secret in (1, 2)]
    parts = [part for line in lines for part in msgspec.json.decode(line)["parts"] if part is not None]
    assert len(set(parts)) == len(parts) == 6


def test_a_viewer_who_tries_every_outcome_finds_none_without_the_salt() -> None:
    game, events = started()
    events += give(game, 1, DrawPearl())
    shown = msgspec.json.decode(record(events, 2)[-2])
    whole = msgspec.json.decode(record(events)[-2])
    candidates = [bytes.fromhex(shown["salt"]), bytes(16), bytes.fromhex(shown["link"])[:16]]
    assert all(commitment(salt, canonical(whole["event"])) not in shown["parts"] for salt in candidates)
    assert commitment(bytes.fromhex(whole["salt"]), canonical(whole["event"])) == shown["parts"][0], "with it, it is so"


def test_the_layout_of_a_position_hides_what_lies_where_nobody_looks() -> None:
    _, events = create()
    created = events[0].detail
    assert isinstance(created, GameCreated)
    layout = TableLayout(
        2,
        (
            ZoneSpec("bag", "seat.1", {"pearl": 2, "coin": 1}, False, 7),
            ZoneSpec("vault", "secret.1", {"gold": 5}, False, 3),
            ZoneSpec("open", "public", {"coin": 1}),
        ),
        (MarkerSpec("plan", "attack", "seat.1"), MarkerSpec("round", 4)),
        ("turn", ""),
    )
    event = msgspec.structs.replace(events[0], detail=msgspec.structs.replace(created, layout=layout, position=True))
    whole, spectator, first, second = event_forms(Table(layout), event)
    assert first == whole
    assert second == spectator
    assert isinstance(spectator.detail, GameCreated)
    told = spectator.detail.layout
    assert told.zones == (ZoneSpec("bag", "seat.1", {"?": 3}, False, 7), ZoneSpec("vault", "secret.1"), layout.zones[2])
    assert told.markers == (MarkerSpec("plan", "?", "seat.1"), MarkerSpec("round", 4))
    assert told.decisions == ("turn", "")


def test_an_undo_is_told_as_it_is_elsewhere() -> None:
    events = with_undos(3)
    assert any(event.topic == "game.Undone" for event in events)
    for viewer in (SPECTATOR, 1, 2):
        report = check(record(events, viewer))
        assert not report.fails, report.problems


def test_salts_follow_from_the_secret_and_say_nothing_about_each_other() -> None:
    salts = {derive_salt(SECRET, version, part) for version in range(1, 20) for part in (0, 1, 2, "given")}
    assert len(salts) == 19 * 4
    assert {len(salt) for salt in salts} == {16}
    assert derive_salt(bytes(32), 1, 0) not in salts


@pytest.mark.parametrize("id", ["tiny", "orleans"])
def test_what_was_written_is_read_back_as_it_was_stored(id: str) -> None:
    title = load_title(id)
    events = finished(title=title)
    read = read_events(record(events), lambda id: load_title(id).events)
    assert list(write_record(ID, read, SECRET, sealer(Signer()), imported=True)) == record(events)
    for found, stored in zip(read, events, strict=True):
        called = public_command_id(SECRET, stored.command_id)
        assert msgspec.structs.replace(found, given=None) == msgspec.structs.replace(
            stored, given=None, command_id=called
        )
        assert (found.given is None) == (stored.given is None)
        if found.given is not None and stored.given is not None:
            assert found.given.seat == stored.given.seat
            assert found.given.structs(title.commands) == stored.given.structs(title.commands)


def test_a_record_is_the_same_however_often_it_is_written() -> None:
    events = finished()
    assert record(events) == record(events)
    other = list(write_record(ID, events, SECRET, sealer(Signer("other"))))
    assert other[:-1] == record(events)[:-1]
    assert other[-1] != record(events)[-1]


def test_only_a_game_from_its_beginning_is_written() -> None:
    _, events = create()
    with pytest.raises(ValueError, match="begin"):
        list(write_record(ID, events[1:], SECRET, sealer(Signer())))
    with pytest.raises(ValueError, match="begin"):
        record([])


def test_streams_are_cut_into_lines_wherever_their_blocks_end() -> None:
    whole = b"".join(record(finished()))
    chance = Random(4)
    for _ in range(50):
        cuts = sorted(chance.randrange(len(whole)) for _ in range(chance.randrange(20)))
        blocks = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
        assert list(split_lines(blocks)) == record(finished())
    assert list(split_lines([b"a\nb"])) == [b"a\n", b"b"]
    assert list(split_lines([])) == []


def test_a_running_game_has_a_record_that_grows() -> None:
    game, events = started()
    events += give(game, 1, PassCoin(2))
    early = record(events)
    events += finish_game(game, Random(1))
    assert record(events)[: len(early) - 1] == early[:-1]
