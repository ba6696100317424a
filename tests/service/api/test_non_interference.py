"""What a viewer cannot see makes no difference to anything that it is answered.

Two games that differ only in that (``twins``) stand in two services that are alike in all else (``twin_services``). All
rpcs are asked of both, and the bytes that come back must be the same. An operator is asked too: it does see the
difference, so there is one. The only thing that may differ is what has to hide it: hashes in records.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.game.records import load_title
from tests.kit.adapters import adapter_of
from tests.service import leaky_titles
from tests.service.log_capture import capture_logs
from tests.service.nations_title import NATIONS, Look
from tests.service.rival_title import RIVAL, RIVAL_TITLE
from tests.service.tiny_title import TINY, TinyPlay
from tests.service.twin_services import (
    OPERATOR_TOKEN,
    TwinService,
    command_message,
    known_commands,
    patch_messages_for_test_titles,
    twin_services,
)

from boardkeeper.game.game import RUNNING, Game
from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.table.effects import Draw, Effect, Shuffle
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR, redact_effect, redact_effects
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.setups import random_setup
from boardkeeper.testkit.twin_games import ID, EditionGroup, Twins, edition_groups, find_twins, start_twin
from boardkeeper.titlekit import previews
from boardkeeper.titlekit.title import Title
from boardkeeper.titles.registry import list_metas
from boardkeeper.v1 import games_pb2, history_pb2

pytestmark = [pytest.mark.socket, pytest.mark.timeout(600)]

OF_TESTS = ("tiny", "nations")
KINDS = [
    *(kind for title in OF_TESTS for kind in edition_groups(load_title(title))),
    *(kind for meta in list_metas() for kind in edition_groups(load_title(meta.id), adapter_of(meta.id).open_draws)),
]


def _seen(groups: list[EditionGroup]) -> list[Any]:
    return [pytest.param(kind, viewer, id=f"{kind}-{viewer}") for kind in groups for viewer in kind.viewers()]


SEEN = _seen(KINDS)
"""Kinds of games and viewers."""
SEEN_DRAWING = _seen([kind for kind in KINDS if kind.hidden_draws])


def _few(seen: list[Any], last: int) -> list[Any]:
    """Those that every change is tried on, up to this viewer; the soak has all."""
    return [
        pytest.param(kind, viewer, id=f"{kind}-{viewer}", marks=[pytest.mark.soak] if viewer > last else [])
        for kind, viewer in (it.values for it in seen)
    ]


FEW = _few(SEEN, 1)
FEW_DRAWING = _few(SEEN_DRAWING, 0)
OVER_CONNECT = [
    pytest.param(*it.values, id=it.id, marks=[] if title in ("nations", list_metas()[0].id) else [pytest.mark.soak])
    for title, it in {re.split("[:-]", str(it.id))[0]: it for it in reversed(SEEN) if it.values[1] == 1}.items()
]
"""One of each title, and two at every change: what is told is made in one place for all who ask."""
GAME = str(ID)
Answers = dict[str, bytes]


def only(title: Title) -> EditionGroup:
    """The one kind of a title of tests."""
    (kind,) = edition_groups(title)
    return kind


@pytest.fixture(autouse=True)
def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is by its nature another in every game is made the same."""
    patch_messages_for_test_titles(monkeypatch)
    for module in ("table.dice", "service.storage.application"):
        monkeypatch.setattr(f"boardkeeper.{module}.commitment", lambda _: "c0" * 32)


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    """Everything that is logged."""
    with capture_logs() as lines:
        yield lines


@pytest.mark.parametrize(("kind", "viewer"), FEW)
async def test_hidden_facts_change_no_answer(
    kind: EditionGroup, viewer: int, tmp_path: Path, logged: list[Any]
) -> None:
    await compare(find_twins(kind, viewer, seed=1), tmp_path, logged)


@pytest.mark.parametrize(("kind", "viewer"), OVER_CONNECT)
async def test_hidden_facts_change_no_answer_to_a_browser(
    kind: EditionGroup, viewer: int, tmp_path: Path, logged: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TwinService, "uses_connect", True)
    await compare(find_twins(kind, viewer, seed=1), tmp_path, logged)


@pytest.mark.parametrize(("kind", "viewer"), FEW_DRAWING)
async def test_what_was_drawn_changes_no_answer_later(
    kind: EditionGroup, viewer: int, tmp_path: Path, logged: list[Any]
) -> None:
    await compare(find_twins(kind, viewer, seed=1, lasting=True), tmp_path, logged)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize(("kind", "viewer"), SEEN)
async def test_soak_hidden_facts_change_no_answer(
    kind: EditionGroup, viewer: int, seed: int, tmp_path: Path, logged: list[Any]
) -> None:
    """From the first turns of a game to far into it."""
    lasting = seed % 2 == 0 and kind.hidden_draws
    await compare(find_twins(kind, viewer, seed, lasting=lasting, length=20 * seed), tmp_path, logged)


async def compare(twins: Twins, folder: Path, logged: list[Any]) -> None:
    """Ask both services all there is, first as an operator, then as the viewer, and last what changes the games."""
    assert twins.differ, "the two games must differ in something"
    viewer = twins.viewer
    async with twin_services(folder, twins) as services:
        whole = []
        for service in services:
            whole.append(await stored(service, OPERATOR))
            await service.wait_for_log(logged)
            logged.clear()
            service.call_count = 0
        assert whole[0]["GetRecord"] != whole[1]["GetRecord"]
        assert _differing(*whole) - {"GetRecord"}, "the operator sees the difference elsewhere too"
        for service in services:
            await service.change_dice()
        seen, lines = [], []
        for service in services:
            answers = await looks(service, viewer) | await tries(service, viewer) | await changes(service, viewer)
            seen.append(answers)
            await service.wait_for_log(logged)
            lines.append(sorted(repr(line | {"ms": 0}) for line in logged))
            check_log(logged, service)
            logged.clear()
    assert _differing(*seen) == set(), _first(*seen)
    assert len(seen[0]) > 60
    assert lines[0] == lines[1], "the log tells the two games apart"


def _differing(one: Answers, other: Answers) -> set[str]:
    return {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


def _first(one: Answers, other: Answers) -> str:
    return "\n".join(f"{key}:\n  {one.get(key)!r}\n  {other.get(key)!r}" for key in sorted(_differing(one, other))[:3])


# --- what is asked ---------------------------------------------------------------------------------------------


async def looks(service: TwinService, viewer: int) -> Answers:
    """Everything that can be read."""
    token = service.token_of(viewer)
    live = await service.registry.get(ID)
    version, seats = live.game.version, len(live.seats)
    answers: Answers = {}

    async def ask(key: str, rpc: str, request: Any, **metadata: str) -> None:
        answers[key] = await service.call(rpc, request, token, **metadata)

    await ask("GetGame", "GetGame", games_pb2.GetGameRequest(game_id=GAME))
    await ask("GetGame min", "GetGame", games_pb2.GetGameRequest(game_id=GAME, min_version=version))
    await ask("GetGame too much", "GetGame", games_pb2.GetGameRequest(game_id=GAME, min_version=version + 1))
    await ask("ListGames", "ListGames", games_pb2.ListGamesRequest(page_size=1))
    await ask("GetBoard", "GetBoard", games_pb2.GetBoardRequest(game_id=GAME))
    for at in {1, 2, *range(version, 0, -max(1, version // 12))}:
        await ask(f"GetBoard {at}", "GetBoard", games_pb2.GetBoardRequest(game_id=GAME, version=at))
    await ask("GetBoard too much", "GetBoard", games_pb2.GetBoardRequest(game_id=GAME, version=version + 1))
    for at in {1, 2, *range(version, 0, -max(1, version // 12))}:
        await ask(f"GetTable {at}", "GetTable", games_pb2.GetTableRequest(game_id=GAME, version=at))
        await ask(f"GetScores {at}", "GetScores", games_pb2.GetScoresRequest(game_id=GAME, version=at))
    for language in ("en", "de"):
        page = ""
        for number in range(1000):
            request = history_pb2.ListEventsRequest(game_id=GAME, page_size=17, page_token=page)
            key = f"ListEvents {language} {number}"
            await ask(key, "ListEvents", request, **{"accept-language": language})
            assert not answers[key].startswith(b"StatusCode"), answers[key]
            page = history_pb2.ListEventsResponse.FromString(answers[key]).next_page_token
            if not page:
                break
    for after in (0, version // 2, version - 1):
        watch = games_pb2.WatchGameRequest(game_id=GAME, after_version=after)
        answers[f"WatchGame {after}"] = b"|".join(
            await service.read_stream("WatchGame", watch, token, most=version - after)
        )
    answers |= await stored(service, viewer)
    subscription = games_pb2.PlaySubscription(game_id=GAME, after_version=1)
    requests = [games_pb2.PlayRequest(subscription=subscription)]
    answers["Play"] = b"|".join(await service.send_play(requests, token, most=version - 1))
    verified = await service.call("VerifyGame", history_pb2.VerifyGameRequest(game_id=GAME), token)
    verification = history_pb2.VerifyGameResponse.FromString(verified).verification
    for level in verification.levels:
        level.note = re.sub(r"head [0-9a-f]{16}", "head #", level.note)
    answers["VerifyGame"] = verification.SerializeToString(deterministic=True)
    for seat in range(seats + 2):
        for at in (None, version // 2, version):
            legal = games_pb2.ListLegalCommandsRequest(game_id=GAME, seat=seat, version=at)
            await ask(f"ListLegalCommands {seat} {at}", "ListLegalCommands", legal)
            legal.with_effects = True
            await ask(f"ListLegalCommands {seat} {at} effects", "ListLegalCommands", legal)
    chance = random.Random(version)
    subjects = [*live.game.table.zones, *live.game.table.markers]
    for number in range(12):
        why = games_pb2.ExplainRefusalsRequest(
            game_id=GAME, seat=1 + number % seats, subjects=chance.sample(subjects, 1 + number % 3)
        )
        answers[f"ExplainRefusals {number}"] = await service.call("ExplainRefusals", why, token)
    return answers


async def stored(service: TwinService, viewer: int) -> Answers:
    """The table, and the record of how it came about."""
    token = service.token_of(viewer)
    table = await service.call("GetTable", games_pb2.GetTableRequest(game_id=GAME), token)
    record = await service.read_stream("GetRecord", history_pb2.GetRecordRequest(game_id=GAME), token, most=10_000)
    data = b"".join(history_pb2.GetRecordResponse.FromString(it).data for it in record)
    return {
        "GetTable": table,
        "GetRecord": data if viewer == OPERATOR else unhashed(data, viewer),
        "GetRecord sizes": json.dumps([len(it) for it in record]).encode() if viewer != OPERATOR else b"",
    }


async def tries(service: TwinService, viewer: int) -> Answers:
    """Commands of all kinds, one by one and in pairs, most of which cannot be given, and none of which is."""
    token = service.token_of(viewer)
    live = await service.registry.get(ID)
    game, title = live.game, service.twins.title.meta.id
    version, seats = game.version, range(1, len(live.seats) + 1)
    answers: Answers = {}
    commands = guesses(service.twins)
    chance = random.Random(0)
    pairs = [[chance.choice(commands), chance.choice(commands)] for _ in range(30)]
    for number, batch in enumerate([*([it] for it in commands), *pairs]):
        messages = [command_message(title, it) for it in batch]
        for seat in [viewer] if viewer in seats and number > 3 else seats:
            check = games_pb2.CheckCommandRequest(game_id=GAME, seat=seat, commands=messages)
            key = f"CheckCommand {seat} {number}"
            answers[key] = await service.call("CheckCommand", check, token)
            if not answers[key].startswith(b"StatusCode"):
                continue
            submit = games_pb2.SubmitCommandsRequest(
                game_id=GAME, seat=seat, commands=messages, command_id=f"try-{number}"
            )
            answers[f"SubmitCommands {seat} {number}"] = await service.call("SubmitCommands", submit, token)
            submit.expected_version = version - 1
            answers[f"SubmitCommands old {seat} {number}"] = await service.call("SubmitCommands", submit, token)
    assert game.version == version
    return answers


def guesses(twins: Twins) -> list[Any]:
    """Commands that somebody could give at some time in one of the two games, the same list for both."""
    found: dict[str, Any] = {}
    for which in range(2):
        game = start_twin(twins, which)
        for number, step in enumerate(twins.steps):
            if number % 5 == 0:
                for command in known_commands(game, twins.viewer or 1):
                    found.setdefault(repr(command), command)
            events = game.decide(step.seat, [step.commands[which]], "", 1)
            assert isinstance(events, list)
            game.commit(events)
        for command in known_commands(game, twins.viewer or 1):
            found.setdefault(repr(command), command)
    ordered = [found[key] for key in sorted(found)]
    return random.Random(0).sample(ordered, min(len(ordered), 60))


async def changes(service: TwinService, viewer: int) -> Answers:
    """A fork, and an undo with everybody's consent: as the viewer is answered, and as it sees what has come of them."""
    token = service.token_of(viewer)
    live = await service.registry.get(ID)
    answers: Answers = {}
    seats = [games_pb2.SeatRequest(name=it.name, bot=it.bot) for it in service.plans()]
    fork = games_pb2.ForkGameRequest(game_id=GAME, seats=seats, request_id="a-request-of-the-twins-2")
    answers["ForkGame"] = await service.call("ForkGame", fork, token)
    if not answers["ForkGame"].startswith(b"StatusCode"):
        forked = games_pb2.ForkGameResponse.FromString(answers["ForkGame"])
        # Whoever forks has the tokens of all seats: all of the new game follows from what was known.
        for holder in ("", *(it.token for it in forked.seat_tokens), OPERATOR_TOKEN):
            for rpc, request in (
                ("GetBoard", games_pb2.GetBoardRequest(game_id=forked.game.game_id)),
                ("GetTable", games_pb2.GetTableRequest(game_id=forked.game.game_id)),
                ("ListEvents", history_pb2.ListEventsRequest(game_id=forked.game.game_id)),
            ):
                answers[f"fork {rpc} {holder}"] = await service.call(rpc, request, holder)
    for seat in range(1, len(live.seats) + 1):
        undo = games_pb2.RequestUndoRequest(game_id=GAME, seat=seat, command_id="undo")
        answers[f"RequestUndo {seat}"] = await service.call("RequestUndo", undo, token)
    if live.game.undo.vote is None:
        last = max(range(1, len(live.seats) + 1), key=live.game.undo.batches.last_of)
        undo = games_pb2.RequestUndoRequest(game_id=GAME, seat=last, command_id="undo last")
        await service.call("RequestUndo", undo, service.tokens[last])
    answers["GetGame voting"] = await service.call("GetGame", games_pb2.GetGameRequest(game_id=GAME), token)
    for seat in range(1, len(live.seats) + 1):
        vote = live.game.undo.vote
        if vote is not None and live.game.status == RUNNING:
            consent = games_pb2.AnswerUndoRequest(
                game_id=GAME, seat=seat, request_version=vote.version, consent=True, command_id="answer"
            )
            if seat == viewer or seat not in vote.waiting:
                answers[f"AnswerUndo {seat}"] = await service.call("AnswerUndo", consent, token)
            else:
                await service.call("AnswerUndo", consent, service.tokens[seat])
    after = await looks(service, viewer)
    return answers | {f"{key}, afterwards": answer for key, answer in after.items()}


# --- what may differ -------------------------------------------------------------------------------------------


HASH = re.compile(r"[0-9a-f]{64}")
SALT = re.compile(r"[0-9a-f]{32}")
NAME = re.compile(r"[1-9]:[0-9a-f]{32}")


def unhashed(record: bytes, viewer: int) -> bytes:
    """A record for a viewer without what docs/record.md 2.3 says may differ, each of which is checked for its form.

    That is: the names of commands (3.5; which events have the same stays), the salt of the shown form, the commitments
    of the others and of the commands, the links, and the head and signature that follow from them.
    """
    header, *lines, seal = [json.loads(line) for line in record.splitlines()]
    names: dict[str, int] = {}
    for line in lines:
        name = line["command_id"]
        if name:
            assert NAME.fullmatch(name)
            line["command_id"] = [name.partition(":")[0], names.setdefault(name, len(names))]
        assert SALT.fullmatch(line.pop("salt"))
        assert HASH.fullmatch(line.pop("link"))
        parts = line.pop("parts")
        assert [place for place, part in enumerate(parts) if part is None] == [viewer + 1]
        assert all(part is None or HASH.fullmatch(part) for part in parts)
        line["parts"] = len(parts)
        line["given"] = line["given"] is not None and bool(HASH.fullmatch(line["given"]))
    assert HASH.fullmatch(seal.pop("head"))
    assert re.fullmatch(r"[0-9a-f]{128}", seal.pop("signature"))
    return json.dumps([header, *lines, seal]).encode()


def check_log(lines: list[Any], service: TwinService) -> None:
    """No line of the log has a token, a secret, or what somebody has hidden."""
    text = json.dumps(lines, default=repr)
    assert len(lines) > 50
    secrets = [*service.tokens.values(), OPERATOR_TOKEN, *(it.hex() for it in service.twins.secrets)]
    for step in service.twins.steps:
        for name in (field for field in step.commands[service.which].__struct_fields__):
            value = getattr(step.commands[service.which], name)
            secrets += [value] if isinstance(value, str) and len(value) > 3 else []
    assert not [secret for secret in secrets if secret and secret in text]


# --- what is revealed -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=str)
async def test_at_the_end_everything_is_open_to_everybody(kind: EditionGroup, tmp_path: Path) -> None:
    twins = find_twins(kind, SPECTATOR, seed=3)
    chance = random.Random(5)
    async with twin_services(tmp_path, twins) as (service, _):
        before = {viewer: await stored(service, viewer) for viewer in (SPECTATOR, OPERATOR)}
        assert _differing(before[SPECTATOR], before[OPERATOR]), "something is hidden"
        while (live := await service.registry.get(ID)).game.status == RUNNING:
            seat = chance.choice(live.game.table.deciding())
            command = chance.choice(live.game.legal(seat))
            await service.handler.act(ID, seat, SubmitCommands([command]), f"on-{live.game.version}")
        after = {viewer: await open_looks(service, viewer) for viewer in (*kind.viewers(), OPERATOR)}
        for viewer, answers in after.items():
            assert _differing(answers, after[OPERATOR]) == set(), f"for {viewer}: {_first(answers, after[OPERATOR])}"


async def open_looks(service: TwinService, viewer: int) -> Answers:
    """What can be seen of the game and its past."""
    token = service.token_of(viewer)
    version = (await service.registry.get(ID)).game.version
    answers: Answers = {}
    for at in range(1, version + 1, max(1, version // 20)):
        request = games_pb2.GetBoardRequest(game_id=GAME, version=at)
        answers[f"GetBoard {at}"] = await service.call("GetBoard", request, token)
        looked = games_pb2.GetTableRequest(game_id=GAME, version=at)
        answers[f"GetTable {at}"] = await service.call("GetTable", looked, token)
    answers["GetBoard"] = await service.call("GetBoard", games_pb2.GetBoardRequest(game_id=GAME), token)
    watch = games_pb2.WatchGameRequest(game_id=GAME)
    answers["WatchGame"] = b"|".join(await service.read_stream("WatchGame", watch, token, most=100_000))
    events = history_pb2.ListEventsRequest(game_id=GAME, page_size=500)
    answers["ListEvents"] = await service.call("ListEvents", events, token)
    record = await service.read_stream("GetRecord", history_pb2.GetRecordRequest(game_id=GAME), token, most=10_000)
    answers["GetRecord"] = b"".join(record)
    return answers


# --- what the twins are worth -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "viewer"), _few(SEEN_DRAWING, 1))
def test_twins_differ_in_what_chance_drew(kind: EditionGroup, viewer: int) -> None:
    """Else nothing would be known of hidden draws: either there are none, or whatever is drawn shows."""
    twins = [find_twins(kind, viewer, seed, lasting=seed % 2 == 1) for seed in range(3)]
    assert sum(it.drawn and it.differ for it in twins) >= 2
    assert all(it.secrets[0] != it.secrets[1] for it in twins)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.hidden_draws], ids=str)
def test_where_no_draw_is_hidden_everybody_is_shown_what_is_drawn(kind: EditionGroup) -> None:
    """Every event in which chance has a hand is told to everybody as it was."""
    adapter = adapter_of(kind.title.meta.id)
    for seed, players in enumerate(kind.players()):
        drawn = 0
        with playout(adapter, seed, random_setup(kind.title, seed, players, kind.editions)) as game:
            game.finish()
            table = game.at(0)
            for event in game.events:
                table.apply_all(event.effects)
                if any(isinstance(effect, Draw | Shuffle) for effect in event.effects):
                    drawn += 1
                    _, whole = redact_effects(table, event.effects, SPECTATOR)
                    assert whole, event
        assert drawn


@pytest.mark.parametrize(
    ("rules", "where"),
    [
        (leaky_titles.LegalPlay, "ListLegalCommands 1"),
        (leaky_titles.BoardPlay, "GetBoard"),
        (leaky_titles.RejectionPlay, "CheckCommand"),
    ],
)
async def test_a_leak_is_found(rules: type[TinyPlay], where: str, tmp_path: Path, logged: list[Any]) -> None:
    tried = (find_twins(only(leaky_titles.LeakyTitle(rules)), 1, seed, length=6) for seed in range(20))
    twins = next(it for it in tried if it.drawn and len(it.steps) % it.setup.players == 0)  # it is the viewer's turn
    with pytest.raises(AssertionError, match=where):
        await compare(twins, tmp_path, logged)


async def test_a_leak_in_previews_is_found(tmp_path: Path, logged: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one that tells what the command would show its seat, chance and all."""

    def told(table: Table, seat: int, effects: Iterator[Effect]) -> Iterator[Effect]:
        for effect in effects:
            shown = redact_effect(table, effect, seat)
            if shown is not None:
                yield shown

    monkeypatch.setattr(previews, "_known", told)
    twins = next(it for seed in range(60) if told_apart(it := find_twins(only(TINY), 1, seed, length=6 + seed)))
    with pytest.raises(AssertionError, match=r"ListLegalCommands 1 .* effects"):
        await compare(twins, tmp_path, logged)


def told_apart(twins: Twins) -> bool:
    """Whether a preview of what seat 1 can do now is not the same in both games."""
    one, other = (led(twins, which).play for which in range(2))
    assert one is not None
    assert other is not None
    return any(previews.preview(one, 1, it) != previews.preview(other, 1, it) for it in one.legal(1))


def led(twins: Twins, which: int) -> Game:
    """One of the two games as it is now."""
    game = start_twin(twins, which)
    for step in twins.steps:
        events = game.decide(step.seat, [step.commands[which]], "", 1)
        assert isinstance(events, list)
        game.commit(events)
    return game


def looking(viewer: int, *, looks: bool) -> Twins:
    """Twins in which seats look at each other's cards, for a seat that has looked itself or one that has not."""
    tried = (find_twins(only(NATIONS), viewer, seed, length=5 + seed % 5) for seed in range(60))
    for twins in tried:
        seats = {step.seat for step in twins.steps if isinstance(step.commands[0], Look)}
        if twins.differ and twins.drawn and (viewer in seats) == looks and seats:
            return twins
    raise AssertionError(f"no twins in which {viewer} has{'' if looks else ' not'} looked")


@pytest.mark.parametrize("looks", [True, False])
@pytest.mark.parametrize("viewer", [1, 2])
async def test_looks_of_others_change_no_answer(viewer: int, looks: bool, tmp_path: Path, logged: list[Any]) -> None:
    """For a seat that has looked at a card itself, and for one that has not."""
    await compare(looking(viewer, looks=looks), tmp_path, logged)


def test_a_draw_that_everybody_is_told_leaves_no_twins() -> None:
    kind = only(leaky_titles.LeakyTitle(leaky_titles.EventPlay))
    assert not any(find_twins(kind, SPECTATOR, seed).drawn for seed in range(3))


async def test_what_the_rules_draw_for_a_seat_of_theirs_changes_no_answer(tmp_path: Path, logged: list[Any]) -> None:
    twins = next(
        twins
        for seed in range(20)
        if RIVAL in RIVAL_TITLE.automata((twins := find_twins(only(RIVAL_TITLE), 1, seed)).setup)
    )
    assert twins.drawn
    await compare(twins, tmp_path, logged)


async def test_one_seat_is_enough_for_twins(tmp_path: Path, logged: list[Any]) -> None:
    kind = only(leaky_titles.SoloTitle())
    assert kind.viewers() == [SPECTATOR, 1]
    for viewer in kind.viewers():
        twins = find_twins(kind, viewer, seed=1, length=4)
        assert twins.drawn
        folder = tmp_path / str(viewer)
        folder.mkdir()
        await compare(twins, folder, logged)
