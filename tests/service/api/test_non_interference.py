"""Hidden information does not change any response to a viewer who cannot see it.

Twins are two games that differ only in hidden information. They run in two otherwise equal servers
(``twin_services``). Each test sends all RPCs to both and compares the bytes of the responses. The responses to an
operator must differ, which shows that the games do. Only the hashes in records can differ, because they hide data.
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
from tests.service.tiny_title import TINY, SoloTitle, TinyPlay
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

TEST_TITLES = ("tiny", "nations")
KINDS = [
    *(kind for title in TEST_TITLES for kind in edition_groups(load_title(title))),
    *(kind for meta in list_metas() for kind in edition_groups(load_title(meta.id), adapter_of(meta.id).open_draws)),
]


def _with_viewers(groups: list[EditionGroup]) -> list[Any]:
    return [pytest.param(kind, viewer, id=f"{kind}-{viewer}") for kind in groups for viewer in kind.viewers()]


CASES = _with_viewers(KINDS)
"""Edition groups and viewers."""
DRAWING_CASES = _with_viewers([kind for kind in KINDS if kind.hidden_draws])


def _mark_soak(cases: list[Any], last: int) -> list[Any]:
    """Mark the cases of viewers after ``last`` as soak tests."""
    return [
        pytest.param(kind, viewer, id=f"{kind}-{viewer}", marks=[pytest.mark.soak] if viewer > last else [])
        for kind, viewer in (it.values for it in cases)
    ]


MARKED_CASES = _mark_soak(CASES, 1)
MARKED_DRAWING_CASES = _mark_soak(DRAWING_CASES, 0)
OVER_CONNECT = [
    pytest.param(*it.values, id=it.id, marks=[] if title in ("nations", list_metas()[0].id) else [pytest.mark.soak])
    for title, it in {re.split("[:-]", str(it.id))[0]: it for it in reversed(CASES) if it.values[1] == 1}.items()
]
"""One case of each title; only two are not soak tests, because both transports share the code of the responses."""
GAME = str(ID)
Answers = dict[str, bytes]


def only_group(title: Title) -> EditionGroup:
    """Return the only edition group of a test title."""
    (kind,) = edition_groups(title)
    return kind


@pytest.fixture(autouse=True)
def equal_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make values that differ in every game the same."""
    patch_messages_for_test_titles(monkeypatch)
    for module in ("table.dice", "service.storage.application"):
        monkeypatch.setattr(f"boardkeeper.{module}.commitment", lambda _: "c0" * 32)


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    """All log lines."""
    with capture_logs() as lines:
        yield lines


@pytest.mark.parametrize(("kind", "viewer"), MARKED_CASES)
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


@pytest.mark.parametrize(("kind", "viewer"), MARKED_DRAWING_CASES)
async def test_hidden_draws_change_no_later_answer(
    kind: EditionGroup, viewer: int, tmp_path: Path, logged: list[Any]
) -> None:
    await compare(find_twins(kind, viewer, seed=1, lasting=True), tmp_path, logged)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize(("kind", "viewer"), CASES)
async def test_soak_hidden_facts_change_no_answer(
    kind: EditionGroup, viewer: int, seed: int, tmp_path: Path, logged: list[Any]
) -> None:
    """Games of 40 to 220 steps."""
    lasting = seed % 2 == 0 and kind.hidden_draws
    await compare(find_twins(kind, viewer, seed, lasting=lasting, length=20 * seed), tmp_path, logged)


async def compare(twins: Twins, folder: Path, logged: list[Any]) -> None:
    """Compare all responses of both servers: those to an operator must differ, those to the viewer must not."""
    assert twins.differ, "the two games must differ in something"
    viewer = twins.viewer
    async with twin_services(folder, twins) as services:
        whole = []
        for service in services:
            whole.append(await read_record(service, OPERATOR))
            await service.wait_for_log(logged)
            logged.clear()
            service.call_count = 0
        assert whole[0]["GetRecord"] != whole[1]["GetRecord"]
        assert _differing(*whole) - {"GetRecord"}, "the operator sees the difference elsewhere too"
        for service in services:
            await service.change_dice()
        seen, lines = [], []
        for service in services:
            answers = (
                await read_all(service, viewer)
                | await try_commands(service, viewer)
                | await change_game(service, viewer)
            )
            seen.append(answers)
            await service.wait_for_log(logged)
            lines.append(sorted(repr(line | {"ms": 0}) for line in logged))
            check_log(logged, service)
            logged.clear()
    assert _differing(*seen) == set(), _describe_differences(*seen)
    assert len(seen[0]) > 60
    assert lines[0] == lines[1], "the log shows a difference"


def _differing(one: Answers, other: Answers) -> set[str]:
    return {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


def _describe_differences(one: Answers, other: Answers) -> str:
    return "\n".join(f"{key}:\n  {one.get(key)!r}\n  {other.get(key)!r}" for key in sorted(_differing(one, other))[:3])


# --- requests --------------------------------------------------------------------------------------------------


async def read_all(service: TwinService, viewer: int) -> Answers:
    """Return the responses of all RPCs that read."""
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
    answers |= await read_record(service, viewer)
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
        explain = games_pb2.ExplainRefusalsRequest(
            game_id=GAME, seat=1 + number % seats, subjects=chance.sample(subjects, 1 + number % 3)
        )
        answers[f"ExplainRefusals {number}"] = await service.call("ExplainRefusals", explain, token)
    return answers


async def read_record(service: TwinService, viewer: int) -> Answers:
    """Return the table and the record of the game."""
    token = service.token_of(viewer)
    table = await service.call("GetTable", games_pb2.GetTableRequest(game_id=GAME), token)
    record = await service.read_stream("GetRecord", history_pb2.GetRecordRequest(game_id=GAME), token, most=10_000)
    data = b"".join(history_pb2.GetRecordResponse.FromString(it).data for it in record)
    return {
        "GetTable": table,
        "GetRecord": data if viewer == OPERATOR else without_hashes(data, viewer),
        "GetRecord sizes": json.dumps([len(it) for it in record]).encode() if viewer != OPERATOR else b"",
    }


async def try_commands(service: TwinService, viewer: int) -> Answers:
    """Check commands of all kinds, alone and in pairs, and submit those that are rejected."""
    token = service.token_of(viewer)
    live = await service.registry.get(ID)
    game, title = live.game, service.twins.title.meta.id
    version, seats = game.version, range(1, len(live.seats) + 1)
    answers: Answers = {}
    commands = possible_commands(service.twins)
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


def possible_commands(twins: Twins) -> list[Any]:
    """Return commands that are legal at some time in one of the two games, the same list for both."""
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


async def change_game(service: TwinService, viewer: int) -> Answers:
    """Fork the game and undo with the consent of all seats; return the responses, also those afterwards."""
    token = service.token_of(viewer)
    live = await service.registry.get(ID)
    answers: Answers = {}
    seats = [games_pb2.SeatRequest(name=it.name, bot=it.bot) for it in service.plans()]
    fork = games_pb2.ForkGameRequest(game_id=GAME, seats=seats, request_id="a-request-of-the-twins-2")
    answers["ForkGame"] = await service.call("ForkGame", fork, token)
    if not answers["ForkGame"].startswith(b"StatusCode"):
        forked = games_pb2.ForkGameResponse.FromString(answers["ForkGame"])
        # The caller has the tokens of all seats of the fork, so all of it follows from what the viewer knows.
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
    after = await read_all(service, viewer)
    return answers | {f"{key}, afterwards": answer for key, answer in after.items()}


# --- allowed differences ---------------------------------------------------------------------------------------


HASH = re.compile(r"[0-9a-f]{64}")
SALT = re.compile(r"[0-9a-f]{32}")
NAME = re.compile(r"[1-9]:[0-9a-f]{32}")


def without_hashes(record: bytes, viewer: int) -> bytes:
    """Return a record without the values that can differ by docs/record.md 2.3, after a check of their form.

    These are: the hashed command ids (3.5), replaced by numbers; the salt of the shown form; the commitments of other
    viewers and of commands; the links; the head and the signature.
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
    """Check that the log contains no token, no secret and no hidden value of a command."""
    text = json.dumps(lines, default=repr)
    assert len(lines) > 50
    secrets = [*service.tokens.values(), OPERATOR_TOKEN, *(it.hex() for it in service.twins.secrets)]
    for step in service.twins.steps:
        for name in step.commands[service.which].__struct_fields__:
            value = getattr(step.commands[service.which], name)
            secrets += [value] if isinstance(value, str) and len(value) > 3 else []
    assert not [secret for secret in secrets if secret and secret in text]


# --- finished games ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=str)
async def test_finished_games_hide_nothing(kind: EditionGroup, tmp_path: Path) -> None:
    twins = find_twins(kind, SPECTATOR, seed=3)
    chance = random.Random(5)
    async with twin_services(tmp_path, twins) as (service, _):
        before = {viewer: await read_record(service, viewer) for viewer in (SPECTATOR, OPERATOR)}
        assert _differing(before[SPECTATOR], before[OPERATOR]), "something is hidden"
        while (live := await service.registry.get(ID)).game.status == RUNNING:
            seat = chance.choice(live.game.table.deciding())
            command = chance.choice(live.game.legal(seat))
            await service.handler.act(ID, seat, SubmitCommands([command]), f"on-{live.game.version}")
        after = {viewer: await read_finished(service, viewer) for viewer in (*kind.viewers(), OPERATOR)}
        for viewer, answers in after.items():
            assert _differing(answers, after[OPERATOR]) == set(), (
                f"for {viewer}: {_describe_differences(answers, after[OPERATOR])}"
            )


async def read_finished(service: TwinService, viewer: int) -> Answers:
    """Return the responses about the game and its history."""
    token = service.token_of(viewer)
    version = (await service.registry.get(ID)).game.version
    answers: Answers = {}
    for at in range(1, version + 1, max(1, version // 20)):
        request = games_pb2.GetBoardRequest(game_id=GAME, version=at)
        answers[f"GetBoard {at}"] = await service.call("GetBoard", request, token)
        table = games_pb2.GetTableRequest(game_id=GAME, version=at)
        answers[f"GetTable {at}"] = await service.call("GetTable", table, token)
    answers["GetBoard"] = await service.call("GetBoard", games_pb2.GetBoardRequest(game_id=GAME), token)
    watch = games_pb2.WatchGameRequest(game_id=GAME)
    answers["WatchGame"] = b"|".join(await service.read_stream("WatchGame", watch, token, most=100_000))
    events = history_pb2.ListEventsRequest(game_id=GAME, page_size=500)
    answers["ListEvents"] = await service.call("ListEvents", events, token)
    record = await service.read_stream("GetRecord", history_pb2.GetRecordRequest(game_id=GAME), token, most=10_000)
    answers["GetRecord"] = b"".join(record)
    return answers


# --- tests of the twins -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "viewer"), _mark_soak(DRAWING_CASES, 0))
def test_twins_differ_in_hidden_draws(kind: EditionGroup, viewer: int) -> None:
    """Otherwise the comparison of twins would not cover hidden draws."""
    twins = [find_twins(kind, viewer, seed, lasting=seed % 2 == 1) for seed in range(3)]
    assert sum(it.drawn and it.differ for it in twins) >= 2
    assert all(it.secrets[0] != it.secrets[1] for it in twins)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.hidden_draws], ids=str)
def test_every_viewer_sees_draws_of_titles_without_hidden_draws(kind: EditionGroup) -> None:
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
        (leaky_titles.LegalLeak, "ListLegalCommands 1"),
        (leaky_titles.BoardLeak, "GetBoard"),
        (leaky_titles.RejectionLeak, "CheckCommand"),
    ],
)
async def test_a_leak_is_found(rules: type[TinyPlay], where: str, tmp_path: Path, logged: list[Any]) -> None:
    tried = (find_twins(only_group(leaky_titles.LeakyTitle(rules)), 1, seed, length=6) for seed in range(20))
    twins = next(it for it in tried if it.drawn and len(it.steps) % it.setup.players == 0)  # it is the viewer's turn
    with pytest.raises(AssertionError, match=where):
        await compare(twins, tmp_path, logged)


async def test_a_leak_in_previews_is_found(tmp_path: Path, logged: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The patched preview includes the results of draws."""

    def leak_known(table: Table, seat: int, effects: Iterator[Effect]) -> Iterator[Effect]:
        for effect in effects:
            shown = redact_effect(table, effect, seat)
            if shown is not None:
                yield shown

    monkeypatch.setattr(previews, "_known_effects", leak_known)
    kind = only_group(TINY)
    twins = next(it for seed in range(60) if previews_differ(it := find_twins(kind, 1, seed, length=6 + seed)))
    with pytest.raises(AssertionError, match=r"ListLegalCommands 1 .* effects"):
        await compare(twins, tmp_path, logged)


def previews_differ(twins: Twins) -> bool:
    """Return whether a preview of a legal command of seat 1 differs between the games."""
    one, other = (play_twin(twins, which).play for which in range(2))
    assert one is not None
    assert other is not None
    return any(previews.preview(one, 1, it) != previews.preview(other, 1, it) for it in one.legal(1))


def play_twin(twins: Twins, which: int) -> Game:
    """Return one of the two games after all its steps."""
    game = start_twin(twins, which)
    for step in twins.steps:
        events = game.decide(step.seat, [step.commands[which]], "", 1)
        assert isinstance(events, list)
        game.commit(events)
    return game


def find_viewing_twins(viewer: int, *, looks: bool) -> Twins:
    """Find twins in which seats view each other's cards; ``looks``: the viewer has viewed one itself."""
    tried = (find_twins(only_group(NATIONS), viewer, seed, length=5 + seed % 5) for seed in range(60))
    for twins in tried:
        seats = {step.seat for step in twins.steps if isinstance(step.commands[0], Look)}
        if twins.differ and twins.drawn and (viewer in seats) == looks and seats:
            return twins
    raise AssertionError(f"no twins in which {viewer} has{'' if looks else ' not'} viewed a card")


@pytest.mark.parametrize("looks", [True, False])
@pytest.mark.parametrize("viewer", [1, 2])
async def test_views_of_other_seats_change_no_answer(
    viewer: int, looks: bool, tmp_path: Path, logged: list[Any]
) -> None:
    await compare(find_viewing_twins(viewer, looks=looks), tmp_path, logged)


def test_public_draws_give_no_twins() -> None:
    kind = only_group(leaky_titles.LeakyTitle(leaky_titles.EventLeak))
    assert not any(find_twins(kind, SPECTATOR, seed).drawn for seed in range(3))


async def test_hidden_draws_of_an_automaton_change_no_answer(tmp_path: Path, logged: list[Any]) -> None:
    twins = next(
        twins
        for seed in range(20)
        if RIVAL in RIVAL_TITLE.automata((twins := find_twins(only_group(RIVAL_TITLE), 1, seed)).setup)
    )
    assert twins.drawn
    await compare(twins, tmp_path, logged)


async def test_one_seat_is_enough_for_twins(tmp_path: Path, logged: list[Any]) -> None:
    kind = only_group(SoloTitle())
    assert kind.viewers() == [SPECTATOR, 1]
    for viewer in kind.viewers():
        twins = find_twins(kind, viewer, seed=1, length=4)
        assert twins.drawn
        folder = tmp_path / str(viewer)
        folder.mkdir()
        await compare(twins, folder, logged)
