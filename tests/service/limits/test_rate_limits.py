"""Limits of clients: rates, open calls and streams, and how clients are identified."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from hypothesis import given
from hypothesis import strategies as st
from tests.service.api_server import Api, Metadata, bearer, error_details, grpc_error, run_server
from tests.service.keys import OPERATOR_TOKEN, create_key_in, key_metadata
from tests.service.platforms import METHODS
from tests.service.scraping import run_measured_server

from boardkeeper.service.auth.scopes import RPC_SCOPES
from boardkeeper.service.config import Config
from boardkeeper.service.errors import SettingError
from boardkeeper.service.limits.addresses import Peers
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.limits.clients import BY_ADDRESS, CURRENT_CLIENT, ClientLimiter, ClientLimiters
from boardkeeper.service.limits.fair_queue import FairQueue
from boardkeeper.service.limits.limits import (
    ADDRESS_LIMITS,
    BYTES_IN,
    COMMANDS,
    CREATIONS,
    FORKS,
    HISTORY,
    IMPORTS,
    KEY_LIMITS,
    READS,
    WEBHOOK_TESTS,
    WORK,
    InvalidLimitError,
    Rate,
    parse_limits,
)
from boardkeeper.service.limits.rpc_rates import Kind, classify_call
from boardkeeper.service.requests.errors import LimitError
from boardkeeper.service.transport.pacing import wait_for_rate
from boardkeeper.v1 import games_pb2, history_pb2, players_pb2

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
LIST = games_pb2.ListGamesRequest()


def limiter(text: str) -> ClientLimiter:
    return ClientLimiter(BY_ADDRESS, "", parse_limits(text))


def try_to_take(by: ClientLimiter, rate: int, now: float) -> float:
    """Take one call. Return the time to wait if the rate is used up, else 0."""
    try:
        by.take(rate, now)
    except LimitError as error:
        return error.retry_seconds
    return 0.0


# --- rates ------------------------------------------------------------------------------------------------------


@given(
    st.integers(1, 1000),
    st.sampled_from(["s", "min", "h", "d"]),
    st.integers(1, 50),
    st.lists(st.floats(0, 10), max_size=80),
)
def test_a_client_that_waits_as_long_as_required_gets_a_call(
    number: int, unit: str, most: int, pauses: list[float]
) -> None:
    by, now = limiter(f"reads={number}/{unit}:{most}"), 1000.0
    rate = by.limits.rates[READS]
    assert rate is not None
    got = 0
    for pause in pauses:
        now += pause * rate.seconds
        wait = try_to_take(by, READS, now)
        if wait:
            assert wait <= rate.seconds * 1.001
            assert try_to_take(by, READS, now + wait * 0.99) > 0, "not before"
            now += wait
            assert try_to_take(by, READS, now + 1e-6) == 0
        got += 1
    assert got <= most + (now - 1000.0) / rate.seconds + 1


def test_a_burst_and_then_the_rate() -> None:
    by = limiter("reads=2/s:5")
    assert [try_to_take(by, READS, 100.0) for _ in range(5)] == [0] * 5
    assert try_to_take(by, READS, 100.0) == pytest.approx(0.5)
    assert try_to_take(by, COMMANDS, 100.0) == 0, "other rates are separate"


def test_bytes_are_charged_afterwards_and_the_next_call_waits() -> None:
    by = limiter("bytes_in=100/s:1k")
    by.charge(BYTES_IN, 1500, 10.0)
    assert by.wait(BYTES_IN, 10.0) == pytest.approx(5.01)
    assert by.wait(BYTES_IN, 15.02) == 0


@pytest.mark.parametrize(
    "text",
    [
        "reads",
        "reads=5",
        "reads=0/s",
        "reads=5/s:0",
        "reads=5/week",
        "calls=5/s",
        "nothing=5",
        "calls=-1",
        "reads=1/s reads=2/s",
    ],
)
def test_invalid_limits_are_rejected(text: str) -> None:
    with pytest.raises(InvalidLimitError):
        parse_limits(text)
    with pytest.raises(SettingError, match="key_limits"):
        Admission(Config(key_limits=text))


def test_limits_that_are_not_named_keep_their_defaults() -> None:
    limits = parse_limits("reads=1/min, calls=off", KEY_LIMITS)
    assert (limits.rates[READS], limits.calls) == (Rate(60, 1, "1/min"), None)
    assert (limits.rates[COMMANDS], limits.streams) == (KEY_LIMITS.rates[COMMANDS], KEY_LIMITS.streams)


async def test_long_work_is_charged_when_it_is_done() -> None:
    by = limiter("work=1/s:1k")
    CURRENT_CLIENT.set(by)
    turns = FairQueue(1)
    async with turns.turn("a game"):
        by.charge(WORK, 800, time.monotonic())
    async with turns.turn("another"):
        by.charge(WORK, 800, time.monotonic())
    with pytest.raises(LimitError, match="computing time") as caught:
        async with turns.turn("a third"):
            raise AssertionError
    assert 500 < caught.value.retry_seconds <= 602
    async with turns.turn("shared work", is_shared=True):
        pass
    CURRENT_CLIENT.set(limiter("work=1/s:1k"))
    async with turns.turn("a game"):
        pass


async def test_a_turn_is_charged_by_its_duration() -> None:
    by = limiter("work=1/h:1")
    CURRENT_CLIENT.set(by)
    async with FairQueue(1).turn("a game"):
        await asyncio.sleep(0.005)
    assert by.wait(WORK, time.monotonic()) > 4 * 3600


async def test_turns_alternate_between_clients_and_then_between_games() -> None:
    turns, had = FairQueue(1), list[str]()

    async def ask(by: ClientLimiter, name: str) -> None:
        CURRENT_CLIENT.set(by)
        async with turns.turn(name[:-1]):
            had.append(name)
            await asyncio.sleep(0)

    many, few = limiter(""), limiter("")
    wanted = [(many, "a1"), (many, "b1"), (many, "b2"), (many, "c1"), (few, "x1"), (few, "y1"), (many, "a2")]
    await asyncio.gather(*(asyncio.create_task(ask(by, name)) for by, name in wanted))
    assert had == ["a1", "b1", "x1", "c1", "y1", "a2", "b2"]


def test_errors_of_a_client_that_keeps_calling_are_delayed_longer_each_time() -> None:
    by = limiter("")
    assert {by.penalize(100.0) for _ in range(20)} == {0.25}, "the first ones have the shortest delay"
    waits = [by.penalize(100.0) for _ in range(100)]
    assert waits == sorted(waits)
    assert (waits[1], waits[-1]) == (0.5, 5.0)
    assert by.penalize(200.0) == 0.25, "the delay is reset after a pause"


async def test_delayed_errors_are_sent_when_the_server_stops() -> None:
    service = Admission(Config())
    by, error = limiter(""), LimitError("reads", "address", "", "1/s", 3600.0)
    by.penalized_until = service.now() + 1e9
    delayed = [asyncio.create_task(service.delay_rejection(error, by)) for _ in range(5)]
    await asyncio.sleep(0)  # all of them wait now
    service.release()
    await asyncio.gather(*delayed)
    await service.delay_rejection(error, by)


# --- stored clients --------------------------------------------------------------------------------------------


def test_many_addresses_use_bounded_memory_and_reset_no_limit() -> None:
    limiters = ClientLimiters(BY_ADDRESS, 100, lambda _limit, _by: None)
    limits = parse_limits("reads=1/h:1 streams=1")
    guilty = limiters.get("guilty", limits, 1.0)
    guilty.take(READS, 1.0)
    for at in range(10_000):
        other = limiters.get(f"10.0.{at >> 8}.{at & 255}", limits, 1.0)
        if not try_to_take(other, READS, 1.0):
            assert len(limiters) <= 100 + 64
    assert limiters.get("guilty", limits, 1.0) is guilty
    assert try_to_take(guilty, READS, 1.0) > 0
    later = 1.0 + 2 * 3600
    for at in range(1000):
        limiters.get(f"later {at}", limits, later)
    assert len(limiters) <= 100 + 64, "clients with unused limits are removed"


def test_clients_with_open_streams_are_not_removed() -> None:
    limiters = ClientLimiters(BY_ADDRESS, 10, lambda _limit, _by: None)
    limits = parse_limits("streams=1")
    watching = limiters.get("watching", limits, 1.0)
    watching.streams += 1
    for at in range(1000):
        limiters.get(str(at), limits, float(at))
    assert limiters.get("watching", limits, 2000.0) is watching


# --- addresses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("ipv4:203.0.113.9:4711", [], "203.0.113.9"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:4711", [], "2001:db8:1:2::/64"),
        ("ipv6:%5B2001:db8:1:2:ffff::1%5D:4712", [], "2001:db8:1:2::/64"),
        ("ipv6:%5B::ffff:203.0.113.9%5D:1", [], "203.0.113.9"),
        ("ipv4:203.0.113.9:4711", ["198.51.100.1"], "203.0.113.9"),  # the header of an untrusted peer is ignored
        ("ipv4:10.0.0.1:80", ["198.51.100.1"], "198.51.100.1"),
        ("ipv4:10.0.0.1:80", ["1.2.3.4, 198.51.100.1"], "198.51.100.1"),  # the first address is from the client itself
        ("ipv4:10.0.0.1:80", ["1.2.3.4", "198.51.100.1, 10.9.9.9"], "198.51.100.1"),  # two proxies
        ("ipv4:10.0.0.1:80", ["10.1.1.1"], "10.1.1.1"),
        ("ipv4:10.0.0.1:80", ["[2001:db8::1]:443"], "2001:db8::/64"),
        ("ipv4:10.0.0.1:80", ["198.51.100.1:9999"], "198.51.100.1"),
        ("ipv4:10.0.0.1:80", ["nonsense"], "unknown"),
        ("unix:", ["198.51.100.1"], "198.51.100.1"),
        ("unix:/run/x.sock", [], "unix"),
    ],
)
def test_the_address_that_is_counted(peer: str, forwarded: list[str], address: str) -> None:
    assert Peers("10.0.0.0/8, unix").address(peer, forwarded) == address


def test_without_trusted_proxies_the_header_is_ignored() -> None:
    assert Peers("").address("ipv4:10.0.0.1:80", ["198.51.100.1"]) == "10.0.0.1"
    assert Peers("").address("unix:", ["198.51.100.1"]) == "unix"
    with pytest.raises(SettingError, match="trusted_proxies"):
        Peers("proxy.example")


# --- rates of RPCs ----------------------------------------------------------------------------------------------


def test_every_rpc_has_a_rate() -> None:
    kinds = {
        name: classify_call(name, scope, own=True, is_stream=METHODS[name].server_streaming)
        for name, scope in RPC_SCOPES.items()
    }
    rates = {READS, COMMANDS, CREATIONS, FORKS, IMPORTS, HISTORY, WEBHOOK_TESTS}
    assert {kind.rate for kind in kinds.values()} == rates
    assert kinds["Games.ForkGame"].rate == FORKS
    assert kinds["Games.ListLegalCommands"].rate == READS
    assert classify_call("Later.WatchAll", "watch", own=True, is_stream=True).rate == READS
    assert classify_call("Health.Watch", "", own=False, is_stream=True) == (None, True, False)


# --- a server ---------------------------------------------------------------------------------------------------

pytestmark = pytest.mark.socket


async def test_reads_beyond_the_rate_are_rejected_with_details(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db", address_limits="reads=1/h:3") as api:
        await api.create()
        for _ in range(3):
            await api.games.ListGames(LIST)
        async with grpc_error(EXHAUSTED, "TOO_MANY_READS") as problems:
            await api.games.ListGames(LIST, metadata=(("accept-language", "de"),))
        (problem,) = problems
        assert problem.values == {"limit": "reads", "most": "1/h", "by": "address"}
        assert 3500 < problem.retry_after <= 3600
        assert problem.text.startswith("Zu viele Lesezugriffe: Die Grenze ist 1/h für diese Adresse.")
        await api.create()  # other calls are not limited
        scrape = await api.scrape()
        assert scrape.get("limited_total", limit="reads", by="address") == 1
        assert scrape.get("refusals_total", reason="TOO_MANY_READS") == 1
        assert scrape.get("limit_callers", by="address") == 1


async def test_loopback_without_keys_has_no_rates(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db") as api:
        for _ in range(300):
            await api.games.ListGames(LIST)
        scrape = await api.scrape()
        assert not any(sample.value for sample in scrape.families["boardkeeper_limited"].samples)


async def test_servers_that_need_keys_have_rates(tmp_path: Path) -> None:
    assert Admission(Config(), requires_keys=True).address_limiter("ipv4:1.2.3.4:5", ()).limits == ADDRESS_LIMITS
    assert Admission(Config(trusted_proxies="unix")).key_limiter("k").limits == KEY_LIMITS
    assert Admission(Config(limits="on")).key_limiter("k").limits == KEY_LIMITS
    assert Admission(Config(limits="off"), requires_keys=True).key_limiter("k").limits.rates[READS] is None


async def test_keys_are_counted_separately_from_addresses(tmp_path: Path) -> None:
    one, two = create_key_in(tmp_path / "games.db", "one"), create_key_in(tmp_path / "games.db", "two")
    limits = {"key_limits": "reads=1/h:2", "address_limits": "reads=1/h:1"}
    async with run_server(tmp_path / "games.db", **limits) as api:
        for key in (one, two):
            for _ in range(2):
                await api.games.ListGames(LIST, metadata=key_metadata(key))
            async with grpc_error(EXHAUSTED, "TOO_MANY_READS"):
                await api.games.ListGames(LIST, metadata=key_metadata(key))
        await api.games.ListGames(LIST)
        async with grpc_error(EXHAUSTED, "TOO_MANY_READS"):
            await api.games.ListGames(LIST)


async def test_clients_behind_a_trusted_proxy_are_counted_separately(tmp_path: Path) -> None:
    limits = {"address_limits": "reads=1/h:1", "trusted_proxies": "127.0.0.0/8"}
    async with run_server(tmp_path / "games.db", **limits) as api:
        for client in ("203.0.113.1", "203.0.113.2"):
            metadata = (("x-forwarded-for", f"9.9.9.9, {client}"),)
            await api.games.ListGames(LIST, metadata=metadata)
            async with grpc_error(EXHAUSTED, "TOO_MANY_READS"):
                await api.games.ListGames(LIST, metadata=metadata)


async def open_stream(stub: Any, request: Any, metadata: Metadata = ()) -> Any:
    """Open a stream and read its first message."""
    call = stub(request, metadata=metadata)
    assert await call.read() is not grpc.aio.EOF
    return call


async def open_when_possible(stub: Any, request: Any) -> Any:
    """Open a stream as soon as the limit allows it."""
    while True:
        try:
            return await open_stream(stub, request)
        except grpc.aio.AioRpcError as error:
            check_reason(error, "TOO_MANY_STREAMS")
            await asyncio.sleep(0.01)


async def is_rejected(api: Api) -> bool:
    """Return whether the limit of open calls rejects another call."""
    try:
        await api.games.ListGames(LIST)
    except grpc.aio.AioRpcError as error:
        check_reason(error, "TOO_MANY_CALLS")
        return True
    return False


def check_reason(error: grpc.aio.AioRpcError, reason: str) -> None:
    assert error_details(error).reason == reason


async def test_open_streams_of_all_rpcs_are_counted(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", address_limits="streams=2") as api:
        game, _ = await api.create()
        watch = games_pb2.WatchGameRequest(game_id=game.game_id)
        health: Any = health_pb2_grpc.HealthStub(api.channel)
        first = await open_stream(health.Watch, health_pb2.HealthCheckRequest())
        second = await open_stream(api.games.WatchGame, watch)
        for stub, request in (
            (api.games.WatchGame, watch),
            (health.Watch, health_pb2.HealthCheckRequest(service="boardkeeper.v1.Games")),
            (api.history.GetRecord, history_pb2.GetRecordRequest(game_id=game.game_id)),
        ):
            async with grpc_error(EXHAUSTED, "TOO_MANY_STREAMS") as problems:
                await open_stream(stub, request)
            assert problems[0].values["by"] == "address"
        await api.games.ListGames(LIST)
        first.cancel()
        third = await open_when_possible(api.games.WatchGame, watch)
        second.cancel()
        third.cancel()


async def test_the_limit_of_all_streams_does_not_affect_calls(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", streams=1) as api:
        game, _ = await api.create()
        watch = games_pb2.WatchGameRequest(game_id=game.game_id)
        first = await open_stream(api.games.WatchGame, watch)
        async with grpc_error(EXHAUSTED, "TOO_MANY_STREAMS") as problems:
            await open_stream(api.games.WatchGame, watch)
        assert problems[0].values == {"limit": "streams", "most": "1", "by": "service"}
        await api.games.ListGames(LIST)
        first.cancel()
        (await open_when_possible(api.games.WatchGame, watch)).cancel()


async def test_the_rate_of_opened_streams_is_limited(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", address_limits="openings=1/h:2") as api:
        game, _ = await api.create()
        record = history_pb2.GetRecordRequest(game_id=game.game_id)
        for _ in range(2):
            async for _ in api.history.GetRecord(record):
                pass
        async with grpc_error(EXHAUSTED, "TOO_MANY_STREAMS_OPENED"):
            await open_stream(api.history.GetRecord, record)
        await api.games.ListGames(LIST)


async def test_open_calls_are_counted(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", address_limits="calls=1", wait_seconds=60) as api:
        game, _ = await api.create()
        waiting = api.games.GetGame(games_pb2.GetGameRequest(game_id=game.game_id, min_version=999))
        while not await is_rejected(api):
            pass
        waiting.cancel()
        while await is_rejected(api):
            pass


async def test_watchers_of_a_game_and_of_a_client_are_limited_also_on_play_streams(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", watchers_of_a_game=1, address_limits="watchers=2") as api:
        games = [(await api.create())[0].game_id for _ in range(3)]
        play = api.games.Play()
        for game in games:
            await play.write(games_pb2.PlayRequest(subscription=games_pb2.PlaySubscription(game_id=game)))
        while (answer := await play.read()).WhichOneof("response") != "rejection":
            pass
        assert answer.rejection.game_id == games[2]
        assert "TOO_MANY_WATCHERS" in str(answer.rejection.status)
        async with grpc_error(EXHAUSTED, "TOO_MANY_WATCHERS") as problems:
            await open_stream(api.games.WatchGame, games_pb2.WatchGameRequest(game_id=games[0]))
        assert problems[0].values["by"] == "game"
        play.cancel()


async def test_an_address_that_guesses_is_blocked_except_with_a_valid_key(tmp_path: Path) -> None:
    key = create_key_in(tmp_path / "games.db", "lobby")
    async with run_server(tmp_path / "games.db", address_limits="failures=1/h:3") as api:
        game, tokens = await api.create()
        wrong_key = key.secret[:-1] + ("0" if key.secret[-1] != "0" else "1")
        async with grpc_error(grpc.StatusCode.UNAUTHENTICATED, "KEY_WRONG"):
            await api.games.ListGames(LIST, metadata=key_metadata(wrong_key))
        request = games_pb2.ListLegalCommandsRequest(game_id=game.game_id, seat=1)
        for _ in range(2):
            async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG"):
                await api.games.ListLegalCommands(request, metadata=bearer("a guess"))
        for metadata in (bearer("a guess"), bearer(tokens[1]), key_metadata(wrong_key)):
            async with grpc_error(EXHAUSTED, "TOO_MANY_FAILURES") as problems:
                await api.games.ListLegalCommands(request, metadata=metadata)
            assert 3500 < problems[0].retry_after <= 3600
        play = api.games.Play(metadata=())
        guess = games_pb2.PlayCommands(game_id=game.game_id, seat=1, command_id="c", token=tokens[1])
        await play.write(games_pb2.PlayRequest(commands=guess))
        assert "TOO_MANY_FAILURES" in str((await play.read()).rejection.status)
        play.cancel()
        await api.games.ListGames(LIST, metadata=key_metadata(key))
        await api.games.ListGames(LIST)


async def test_wrong_operator_tokens_count_as_failures(tmp_path: Path) -> None:
    limits = {"address_limits": "failures=1/h:4", "operator_token": OPERATOR_TOKEN}
    async with run_server(tmp_path / "games.db", **limits) as api:
        game, _ = await api.create()
        remove = games_pb2.RemoveGameRequest(game_id=game.game_id)
        for _ in range(6):  # without a token nothing can be wrong
            async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "OPERATOR_ONLY"):
                await api.games.RemoveGame(remove)
        erase = players_pb2.ErasePlayerRequest(player_id="anna")
        for rpc, request in ((api.games.RemoveGame, remove), (api.players.ErasePlayer, erase)):
            for _ in range(2):
                async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "OPERATOR_ONLY"):
                    await rpc(request, metadata=bearer("a guess"))
        async with grpc_error(EXHAUSTED, "TOO_MANY_FAILURES"):
            await api.games.RemoveGame(remove, metadata=bearer("a guess"))
        await api.games.RemoveGame(remove, metadata=bearer(OPERATOR_TOKEN))


async def test_tokens_of_no_seat_count_as_failures_where_keys_are_needed(tmp_path: Path) -> None:
    key = create_key_in(tmp_path / "games.db", "lobby")
    limits = {"address_limits": "failures=1/h:3", "operator_token": OPERATOR_TOKEN}
    async with run_server(tmp_path / "games.db", need_keys=True, **limits) as api:
        seats = [games_pb2.SeatRequest(name=name) for name in ("Ada", "Bob")]
        made = await api.games.CreateGame(
            games_pb2.CreateGameRequest(title="orleans", seats=seats), metadata=key_metadata(key)
        )
        async with grpc_error(grpc.StatusCode.UNAUTHENTICATED, "KEY_MISSING"):
            await api.games.ListGames(LIST, metadata=bearer("a guess"))
        for game in (made.game.game_id, "4f1c0000-0000-0000-0000-000000000000"):
            async with grpc_error(grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND"):
                await api.games.GetGame(games_pb2.GetGameRequest(game_id=game), metadata=bearer("a guess"))
        async with grpc_error(EXHAUSTED, "TOO_MANY_FAILURES"):
            await api.games.ListGames(LIST, metadata=bearer("a guess"))
        async with grpc_error(grpc.StatusCode.UNAUTHENTICATED, "KEY_MISSING"):
            await api.games.ListGames(LIST)
        await api.games.ListGames(LIST, metadata=key_metadata(key))


async def test_the_operator_has_no_limits(tmp_path: Path) -> None:
    limits = {"address_limits": "reads=1/h:1 failures=1/h:1", "operator_token": OPERATOR_TOKEN}
    async with run_server(tmp_path / "games.db", **limits) as api:
        await api.games.ListGames(LIST)
        async with grpc_error(EXHAUSTED, "TOO_MANY_READS"):
            await api.games.ListGames(LIST)
        for _ in range(3):
            await api.games.ListGames(LIST, metadata=bearer(OPERATOR_TOKEN))


async def test_messages_of_a_stream_have_the_rate_of_calls(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db", address_limits="commands=50/s:2") as api:
        play = api.games.Play()
        for at in range(8):
            await play.write(games_pb2.PlayRequest(commands=games_pb2.PlayCommands(game_id="?", command_id=str(at))))
        answers = [(await play.read()).rejection.command_id for _ in range(8)]
        await play.done_writing()
        assert answers == [str(at) for at in range(8)], "all are answered in order"
        assert (await api.scrape()).get("limited_total", limit="commands", by="address") > 0


async def test_calls_beyond_the_rate_of_bytes_are_rejected(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", address_limits="bytes_out=1/h:1") as api:
        await api.create()
        async with grpc_error(EXHAUSTED, "TOO_MANY_BYTES_OUT"):
            await api.games.ListGames(LIST)
    async with run_server(tmp_path / "games.db", address_limits="bytes_in=1/h:1") as api:
        await api.create()
        async with grpc_error(EXHAUSTED, "TOO_MANY_BYTES_IN"):
            await api.games.ListGames(LIST)


async def test_waiting_for_a_rate() -> None:
    by = limiter("bytes_out=1M/s:1")
    now = asyncio.get_running_loop().time()
    by.charge(8, 20_000, now)
    await wait_for_rate(by, 8)
    assert by.wait(8, asyncio.get_running_loop().time()) == 0


async def test_ended_calls_are_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[ClientLimiter] = []
    leave = Admission.leave

    def left(self: Admission, caller: ClientLimiter, kind: Kind) -> None:
        leave(self, caller, kind)
        found.append(caller)

    monkeypatch.setattr(Admission, "leave", left)
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create()
        watching = await open_stream(api.games.WatchGame, games_pb2.WatchGameRequest(game_id=game.game_id))
        watching.cancel()
        async with grpc_error(grpc.StatusCode.NOT_FOUND):
            await api.game("00000000-0000-4000-8000-000000000000")
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT):
            await api.game("?")
    assert len(found) == 4
    assert {(one.calls, one.streams, one.watchers) for one in found} == {(0, 0, 0)}
    assert len(set(map(id, found))) == 1
