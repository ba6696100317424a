"""Records: forms for viewers that can be verified and leak nothing, and reading records."""

from __future__ import annotations

import re
from random import Random

import msgspec
import pytest
from tests.game.games import create, start
from tests.game.records import KEY_ID, ORLEANS, check, finished_game, game_with_undos, load_title
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


def mask(lines: list[bytes]) -> list[bytes]:
    """Replace the hashes and salts of a record."""
    return [NO_HASH.sub(b"#", line) for line in lines]


@pytest.mark.parametrize("viewer", [OPERATOR, SPECTATOR, 1, 2])
def test_every_form_of_a_finished_game_has_the_same_signed_head(viewer: int) -> None:
    events = finished_game(title=ORLEANS, setup=SEALED)
    report = check(record(events, viewer))
    assert report.problems == ()
    assert report.viewer == viewer_name(viewer)
    assert report.events == len(events)
    assert report.key_id == KEY_ID
    assert {name: status for name, status in statuses(report).items() if status != "holds"} == (
        {} if viewer == OPERATOR else dict.fromkeys(("conserved", "fair", "decided"), "not yet")
    )
    assert record(events, viewer)[-1] == record(events)[-1]


@pytest.mark.parametrize("viewer", [SPECTATOR, 1, 2, 3])
def test_a_form_is_redacted_like_the_events_for_its_viewer(viewer: int) -> None:
    events = finished_game(seed=5, title=ORLEANS, setup=SEALED)
    created = events[0].detail
    assert isinstance(created, GameCreated)
    table = Table(created.layout)
    hidden = 0
    for line, event in zip(record(events, viewer)[1:-1], events, strict=True):
        form = msgspec.json.decode(line)
        table.apply_all(event.effects)
        shown, whole = redact_effects(table, event.effects, viewer)
        assert form["event"]["effects"] == msgspec.json.decode(canonical(shown))
        assert (form["event"]["detail"] is not None) == whole
        assert form["event"]["topic"] == (event.topic if whole or shown else "")
        assert form["given"] is None or isinstance(form["given"], str), "commands are hidden"
        hidden += not whole
    assert hidden > 20


def test_records_differ_only_in_hashes_if_hidden_contents_differ() -> None:
    def draw(pearl: str) -> list[GameEvent]:
        for seed in range(100):
            game, events = start(secret=bytes([seed] * 32))
            events += give(game, 1, DrawPearl(), id="draw")
            events += give(game, 2, PassCoin(1), id="pass")
            if game.table.pile("hand.1").items == {pearl: 1}:
                return [event if at else without_commitment(event) for at, event in enumerate(events)]
        raise AssertionError(pearl)

    def without_commitment(event: GameEvent) -> GameEvent:
        assert isinstance(event.detail, GameCreated)
        return msgspec.structs.replace(event, detail=msgspec.structs.replace(event.detail, commitment="0" * 64))

    black, white = draw("black"), draw("white")
    for viewer in (SPECTATOR, 2):
        assert mask(record(black, viewer)) == mask(record(white, viewer))
        assert b"black" not in record(black, viewer)[-3]
    assert mask(record(black, 1)) != mask(record(white, 1))
    assert b"black" in record(black, 1)[-3]


def test_commitments_to_the_same_outcome_differ_between_games_and_forms() -> None:
    game, events = start()
    events += give(game, 1, DrawPearl())
    lines = [record(events, SPECTATOR, bytes([secret] * 32))[-2] for secret in (1, 2)]
    parts = [part for line in lines for part in msgspec.json.decode(line)["parts"] if part is not None]
    assert len(set(parts)) == len(parts) == 6


def test_a_viewer_cannot_guess_an_outcome_without_the_salt() -> None:
    game, events = start()
    events += give(game, 1, DrawPearl())
    shown = msgspec.json.decode(record(events, 2)[-2])
    whole = msgspec.json.decode(record(events)[-2])
    candidates = [bytes.fromhex(shown["salt"]), bytes(16), bytes.fromhex(shown["link"])[:16]]
    assert all(commitment(salt, canonical(whole["event"])) not in shown["parts"] for salt in candidates)
    assert commitment(bytes.fromhex(whole["salt"]), canonical(whole["event"])) == shown["parts"][0]


def test_the_layout_of_a_position_is_redacted() -> None:
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
    shown = spectator.detail.layout
    bag = ZoneSpec("bag", "seat.1", {"?": 3}, False, 7)
    assert shown.zones == (bag, ZoneSpec("vault", "secret.1"), layout.zones[2])
    assert shown.markers == (MarkerSpec("plan", "?", "seat.1"), MarkerSpec("round", 4))
    assert shown.decisions == ("turn", "")


def test_forms_of_games_with_undos_are_valid() -> None:
    events = game_with_undos(3)
    assert any(event.topic == "game.Undone" for event in events)
    for viewer in (SPECTATOR, 1, 2):
        report = check(record(events, viewer))
        assert not report.fails, report.problems


def test_salts_are_different_and_depend_on_the_secret() -> None:
    salts = {derive_salt(SECRET, version, part) for version in range(1, 20) for part in (0, 1, 2, "given")}
    assert len(salts) == 19 * 4
    assert {len(salt) for salt in salts} == {16}
    assert derive_salt(bytes(32), 1, 0) not in salts


@pytest.mark.parametrize("id", ["tiny", "orleans"])
def test_a_record_can_be_read_and_written_again(id: str) -> None:
    title = load_title(id)
    events = finished_game(title=title)
    read = read_events(record(events), lambda id: load_title(id).events)
    assert list(write_record(ID, read, SECRET, sealer(Signer()), imported=True)) == record(events)
    for found, stored in zip(read, events, strict=True):
        id = public_command_id(SECRET, stored.command_id)
        assert msgspec.structs.replace(found, given=None) == msgspec.structs.replace(stored, given=None, command_id=id)
        assert (found.given is None) == (stored.given is None)
        if found.given is not None and stored.given is not None:
            assert found.given.seat == stored.given.seat
            assert found.given.structs(title.commands) == stored.given.structs(title.commands)


def test_records_of_a_game_differ_only_in_the_seal_of_another_key() -> None:
    events = finished_game()
    assert record(events) == record(events)
    other = list(write_record(ID, events, SECRET, sealer(Signer("other"))))
    assert other[:-1] == record(events)[:-1]
    assert other[-1] != record(events)[-1]


def test_events_without_the_first_one_have_no_record() -> None:
    _, events = create()
    with pytest.raises(ValueError, match="begin"):
        list(write_record(ID, events[1:], SECRET, sealer(Signer())))
    with pytest.raises(ValueError, match="begin"):
        record([])


def test_streams_are_split_into_lines_for_any_block_sizes() -> None:
    whole = b"".join(record(finished_game()))
    chance = Random(4)
    for _ in range(50):
        cuts = sorted(chance.randrange(len(whole)) for _ in range(chance.randrange(20)))
        blocks = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
        assert list(split_lines(blocks)) == record(finished_game())
    assert list(split_lines([b"a\nb"])) == [b"a\n", b"b"]
    assert list(split_lines([])) == []


def test_the_lines_of_a_running_game_do_not_change() -> None:
    game, events = start()
    events += give(game, 1, PassCoin(2))
    early = record(events)
    events += finish_game(game, Random(1))
    assert record(events)[: len(early) - 1] == early[:-1]
