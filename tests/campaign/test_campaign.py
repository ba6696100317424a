"""Thousands of games on real services: played, undone, forked, exported, imported by another service and verified.

``make soak`` runs all batches, each with its own seed, which a failure reports. Other runs play a few games.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import grpc
import pytest
from tests.campaign.running_service import OPERATOR, POLICIES, RunningService, raise_unless, run_service
from tests.client.verifier import Verifier

from boardkeeper.game.audit import Report, audit
from boardkeeper.game.record_reading import split_lines
from boardkeeper.testkit.setups import player_counts
from boardkeeper.titles.registry import list_metas, load_title
from boardkeeper.v1 import game_pb2, games_pb2, history_pb2
from boardkeeper.wire.signatures import verify

pytestmark = pytest.mark.socket

BATCHES = 100
GAMES = 10
"""The number of games in each batch. Each game has one or two forks."""

MIXED = ("wild", "eager", "wild", "sensible", "wild")
"""The policies of the games of a batch, in turn."""

HOLDS = history_pb2.VERIFICATION_STATUS_HOLDS


@dataclass
class Plan:
    """One game of the campaign. Its seed determines all choices."""

    title: str
    seed: int
    players: int
    policy: str

    def __str__(self) -> str:
        return f"{self.title}, seed {self.seed}, {self.players} players, {self.policy}"


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("title", [meta.id for meta in list_metas()])
async def test_soak_campaign(title: str, batch: int, tmp_path: Path, verifier: Verifier) -> None:
    sizes = player_counts(load_title(title).meta)
    plans = [Plan(title, batch * 1000 + at, sizes[at % len(sizes)], MIXED[at % len(MIXED)]) for at in range(GAMES)]
    counts = await run_campaign(plans, tmp_path, verifier)
    assert counts["exported"] == counts["imported"] == counts["played"] >= 2 * GAMES
    assert counts["undone"] > 0


@pytest.mark.parametrize(
    ("title", "players", "policy"),
    [
        (meta.id, players, policy)
        for meta in list_metas()
        for players, policy in ((player_counts(meta)[0], "eager"), (player_counts(meta)[-1], "sensible"))
    ],
)
async def test_small_campaign(title: str, players: int, policy: str, tmp_path: Path, verifier: Verifier) -> None:
    counts = await run_campaign([Plan(title, 4, players, policy)], tmp_path, verifier)
    assert counts["exported"] == counts["imported"] == counts["played"] >= 2
    assert sum(count for name, count in counts.items() if name.startswith("forked by ")) >= 1  # the viewer is random


async def run_campaign(plans: list[Plan], folder: Path, verifier: Verifier) -> Counter[str]:
    """Play every plan and check its records with all verifiers; return counts of what was done."""
    counts: Counter[str] = Counter()
    records: list[tuple[Plan, bytes]] = []
    first_folder, second_folder = (Path(mkdtemp(dir=folder)) for _ in range(2))
    async with run_service(first_folder) as first, run_service(second_folder) as second:

        async def run_one(plan: Plan) -> None:
            try:
                records.extend([(plan, it) for it in await play_game_and_forks(plan, first, second, counts)])
            except Exception as error:
                raise AssertionError(f"campaign: {plan}: {error}") from error

        await asyncio.gather(*map(run_one, plans))
    found_by_verifier = verifier([record for _, record in records])
    for (plan, _), found in zip(records, found_by_verifier, strict=True):
        assert found["holds"], (plan, found)
        assert not found["waits"], (plan, found)
    return counts


async def play_game_and_forks(
    plan: Plan, first: RunningService, second: RunningService, counts: Counter[str]
) -> list[bytes]:
    """Play one game and its forks; return their records."""
    chance = random.Random(f"{plan}")
    created, tokens = await create(plan, first, chance)
    game = created.game_id
    played = [(game, tokens)]
    await play_with_undos(plan, first, game, tokens, chance, counts)
    now = await first.api.game(game)
    latest = now if now.status == game_pb2.GAME_STATUS_RUNNING else created  # a short game may be over
    for _ in range(chance.choice([1, 1, 2])):
        token, viewer = chance.choice([(OPERATOR, "the operator"), (tokens[1], "a seat"), ("", "a spectator")])
        try:
            fork, fork_tokens = await first.fork(game, chance.randint(1 + len(tokens), now.version), token, len(tokens))
        except grpc.aio.AioRpcError as error:  # not started, during secret planning, or ended
            raise_unless(grpc.StatusCode.FAILED_PRECONDITION, error)
            token, viewer = OPERATOR, "the operator"
            fork, fork_tokens = await first.fork(game, latest.version, token, len(tokens))
        counts[f"forked by {viewer}"] += 1
        played.append((fork.game_id, fork_tokens))
        await play_with_undos(plan, first, fork.game_id, fork_tokens, chance, counts)
    return [await finish_and_export(plan, first, second, id, seats, chance, counts) for id, seats in played]


async def create(plan: Plan, service: RunningService, chance: random.Random) -> tuple[game_pb2.Game, dict[int, str]]:
    """Create a game with random options and readings; try again if they cannot be combined."""
    meta = load_title(plan.title).meta
    while True:
        edition = chance.choice(meta.editions)
        request = games_pb2.CreateGameRequest(
            title=plan.title,
            edition=edition.id,
            seats=[
                games_pb2.SeatRequest(name=f"P{seat}", entropy=chance.randbytes(chance.choice([0, 16])))
                for seat in range(plan.players)
            ],
            options={
                it.id: chance.choice(it.choices).id
                for it in meta.options
                if it.is_for(edition.id) and chance.random() < 0.5
            },
            readings={
                it.id: chance.choice(it.choices).id
                for it in meta.readings
                if it.is_for(edition.id) and chance.random() < 0.3
            },
        )
        try:
            answer = await service.api.games.CreateGame(request)
        except grpc.aio.AioRpcError as error:
            raise_unless(grpc.StatusCode.INVALID_ARGUMENT, error)
            continue
        return answer.game, {it.seat: it.token for it in answer.seat_tokens}


async def play_with_undos(
    plan: Plan, service: RunningService, game: str, tokens: dict[int, str], chance: random.Random, counts: Counter[str]
) -> None:
    """Play some moves with undos, and check the record of the running game."""
    for _ in range(chance.randint(2, 5)):
        await service.play(game, chance, chance.randint(1, 40), POLICIES[plan.policy])
        outcome = await service.undo(game, tokens, chance)
        counts["undone" if outcome.startswith("undone") else outcome] += 1
    seat = chance.choice(list(tokens))
    token, viewer = chance.choice([(tokens[seat], f"seat.{seat}"), ("", "spectator"), (OPERATOR, "whole")])
    report = audit_record(await service.record(game, token))
    assert not report.fails, (viewer, report.problems)
    ended = (await service.api.game(game)).status == game_pb2.GAME_STATUS_ENDED
    assert report.viewer == ("whole" if ended else viewer)


async def finish_and_export(
    plan: Plan,
    first: RunningService,
    second: RunningService,
    game: str,
    tokens: dict[int, str],
    chance: random.Random,
    counts: Counter[str],
) -> bytes:
    """Play to the end and import the record into the other service, which must export the same record."""
    await first.play(game, chance, policy=POLICIES[plan.policy])
    counts["played"] += 1
    record = await first.record(game, chance.choice(["", OPERATOR, *tokens.values()]))
    report = audit_record(record)
    assert report.holds, report.problems
    counts["exported"] += 1
    answer = await second.import_record(record)
    original = await first.api.game(game)
    assert answer.game.standings == original.standings
    assert answer.game.version == original.version
    assert await second.record(game) == record
    verification = await chance.choice([first, second]).verify(game)
    assert all(level.status == HOLDS for level in verification.levels), verification
    assert await some_boards(second, game) == await some_boards(first, game)
    counts["imported"] += 1
    return record


async def some_boards(service: RunningService, game: str) -> list[Any]:
    """Return the first board of a game, the last one and one in between."""
    version = (await service.api.game(game)).version
    requests = [games_pb2.GetBoardRequest(game_id=game, version=it) for it in {1, version // 2, version}]
    return [(await service.api.games.GetBoard(request)).board for request in requests]


def audit_record(record: bytes) -> Report:
    return audit(split_lines([record]), load_title, verify)
