"""Games by the thousand through the real service: played, undone, forked, exported, imported elsewhere and verified.

``make soak`` runs all batches, each with a seed of its own that a failure tells; the ordinary tests run one small game.
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
from tests.campaign.house import MANNERS, OPERATOR, House, house, only
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
"""Of each batch; each game has a fork or two, so a campaign has thousands of records."""

MIXED = ("wild", "eager", "wild", "sensible", "wild")
"""How the games of a batch are played, in turn."""

HOLDS = history_pb2.VERIFICATION_STATUS_HOLDS


@dataclass
class Plan:
    """One game of the campaign, all of it decided by its seed."""

    title: str
    seed: int
    players: int
    manner: str

    def __str__(self) -> str:
        return f"{self.title}, seed {self.seed}, {self.players} players, {self.manner}"


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("title", [meta.id for meta in list_metas()])
async def test_soak_a_campaign(title: str, batch: int, tmp_path: Path, verifier: Verifier) -> None:
    counts = player_counts(load_title(title).meta)
    plans = [Plan(title, batch * 1000 + at, counts[at % len(counts)], MIXED[at % len(MIXED)]) for at in range(GAMES)]
    told = await campaign(plans, tmp_path, verifier)
    assert told["exported"] == told["imported"] == told["played"] >= 2 * GAMES
    assert told["undone"] > 0


@pytest.mark.parametrize(
    ("title", "players", "manner"),
    [
        (meta.id, players, manner)
        for meta in list_metas()
        for players, manner in ((player_counts(meta)[0], "eager"), (player_counts(meta)[-1], "sensible"))
    ],
)
async def test_a_small_campaign(title: str, players: int, manner: str, tmp_path: Path, verifier: Verifier) -> None:
    told = await campaign([Plan(title, 4, players, manner)], tmp_path, verifier)
    assert told["exported"] == told["imported"] == told["played"] >= 2
    assert sum(times for what, times in told.items() if what.startswith("forked by ")) >= 1, "by whom is left to chance"


async def campaign(plans: list[Plan], folder: Path, verifier: Verifier) -> Counter[str]:
    """Play every plan, and check every record of it in all ways that there are; answers how much of what was done."""
    told: Counter[str] = Counter()
    records: list[tuple[Plan, bytes]] = []
    here_folder, there_folder = (Path(mkdtemp(dir=folder)) for _ in range(2))
    async with house(here_folder) as here, house(there_folder) as there:

        async def one(plan: Plan) -> None:
            try:
                records.extend([(plan, it) for it in await adventure(plan, here, there, told)])
            except Exception as error:
                raise AssertionError(f"campaign: {plan}: {error}") from error

        await asyncio.gather(*map(one, plans))
    whole = [record for _, record in records]
    for (plan, _), found in zip(records, verifier(whole), strict=True):
        assert found["holds"], (plan, found)
        assert not found["waits"], (plan, found)
    return told


async def adventure(plan: Plan, here: House, there: House, told: Counter[str]) -> list[bytes]:
    """The life of one game; answers its record and those of its forks."""
    chance = random.Random(f"{plan}")
    created, tokens = await create(plan, here, chance)
    game = created.game_id
    played = [(game, tokens)]
    await mid_game(plan, here, game, tokens, chance, told)
    now = await here.api.game(game)
    latest = now if now.status == game_pb2.GAME_STATUS_RUNNING else created  # a short game may be over
    for _ in range(chance.choice([1, 1, 2])):
        token, who = chance.choice([(OPERATOR, "the operator"), (tokens[1], "a seat"), ("", "a spectator")])
        try:
            fork, fork_tokens = await here.fork(game, chance.randint(1 + len(tokens), now.version), token, len(tokens))
        except grpc.aio.AioRpcError as error:  # before it has started, while others plan in secret, or when it is over
            only(error, grpc.StatusCode.FAILED_PRECONDITION)
            token, who = OPERATOR, "the operator"
            fork, fork_tokens = await here.fork(game, latest.version, token, len(tokens))
        told[f"forked by {who}"] += 1
        played.append((fork.game_id, fork_tokens))
        await mid_game(plan, here, fork.game_id, fork_tokens, chance, told)
    return [await finish(plan, here, there, id, seats, chance, told) for id, seats in played]


async def create(plan: Plan, here: House, chance: random.Random) -> tuple[game_pb2.Game, dict[int, str]]:
    """A game of persons, or of one against the rules, under chosen options and readings.

    What does not go together is chosen again.
    """
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
            answer = await here.api.games.CreateGame(request)
        except grpc.aio.AioRpcError as error:
            only(error, grpc.StatusCode.INVALID_ARGUMENT)
            continue
        return answer.game, {it.seat: it.token for it in answer.seat_tokens}


async def mid_game(
    plan: Plan, here: House, game: str, tokens: dict[int, str], chance: random.Random, told: Counter[str]
) -> None:
    """Play on a while, with undos, and check the records of a running game."""
    for _ in range(chance.randint(2, 5)):
        await here.play(game, chance, chance.randint(1, 40), MANNERS[plan.manner])
        outcome = await here.undo(game, tokens, chance)
        told["undone" if outcome.startswith("taken") else outcome] += 1
    seat = chance.choice(list(tokens))
    token, viewer = chance.choice([(tokens[seat], f"seat.{seat}"), ("", "spectator"), (OPERATOR, "whole")])
    report = audited(await here.record(game, token))
    assert not report.fails, (viewer, report.problems)
    ended = (await here.api.game(game)).status == game_pb2.GAME_STATUS_ENDED
    assert report.viewer == ("whole" if ended else viewer)


async def finish(
    plan: Plan, here: House, there: House, game: str, tokens: dict[int, str], chance: random.Random, told: Counter[str]
) -> bytes:
    """To the end; then the record goes to a service that never saw the game, and comes back the same."""
    await here.play(game, chance, how=MANNERS[plan.manner])
    told["played"] += 1
    record = await here.record(game, chance.choice(["", OPERATOR, *tokens.values()]))
    report = audited(record)
    assert report.holds, report.problems
    told["exported"] += 1
    answer = await there.take_in(record)
    own = await here.api.game(game)
    assert answer.game.standings == own.standings
    assert answer.game.version == own.version
    assert await there.record(game) == record
    verification = await chance.choice([here, there]).verification(game)
    assert all(level.status == HOLDS for level in verification.levels), verification
    assert await boards(there, game) == await boards(here, game)
    told["imported"] += 1
    return record


async def boards(service: House, game: str) -> list[Any]:
    """Some boards of a game, from its first to its last."""
    version = (await service.api.game(game)).version
    requests = [games_pb2.GetBoardRequest(game_id=game, version=it) for it in {1, version // 2, version}]
    return [(await service.api.games.GetBoard(request)).board for request in requests]


def audited(record: bytes) -> Report:
    return audit(split_lines([record]), load_title, verify)
