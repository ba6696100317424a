"""Webhooks: every item is delivered at least once, signed, and in order for each game, despite failing endpoints."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import ssl
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from eventsourcing.persistence import IntegrityError
from msgspec.structs import replace
from standardwebhooks import Webhook, WebhookVerificationError
from tests.databases import database_access
from tests.service.api_server import Api, grpc_error, run_server
from tests.service.cache.test_game_registry import GameService, open_service, take_turn
from tests.service.feeds import database_at, deliveries, run_feed, stored_items
from tests.service.keys import create_key_in, key_metadata
from tests.service.receivers import Receiver, WebhookMessage, run_receiver
from tests.waiting import until

from boardkeeper.service.api.webhooks import MAX_WEBHOOKS
from boardkeeper.service.observability import logs
from boardkeeper.service.storage.database_move import move_games
from boardkeeper.service.storage.feed import FeedRow
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.service.storage.webhooks import (
    DeliveryRow,
    EndLease,
    EndpointRow,
    NewEndpoint,
    RetryDeadLetters,
    SaveDeliveries,
    SetDisabled,
    TakeLease,
)
from boardkeeper.service.webhooks import retry_schedule
from boardkeeper.service.webhooks.dead_letter_ids import DeadLetterIds
from boardkeeper.service.webhooks.dispatcher import Backlog, WebhookDispatcher, measure_backlog
from boardkeeper.service.webhooks.signing import Secret, SecretSealer, new_secret
from boardkeeper.terminal.main import main
from boardkeeper.v1 import feed_pb2, games_pb2, webhooks_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

ID = "wh_0123456789ab"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[GameService]:
    async with open_service(tmp_path / "games.db") as server:
        yield server


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with run_receiver() as receiver:
        yield receiver


@pytest.fixture(autouse=True)
def short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry failed deliveries twice, after short delays."""
    monkeypatch.setattr(retry_schedule, "DELAYS", (1, 1))


def create_endpoint(server: GameService, url: str, id: str = ID, *secrets: Secret, **more: Any) -> list[Secret]:
    """Create an endpoint that gets all items from the beginning. Return its secrets."""
    sealed_secrets = list(secrets) or [new_secret()]
    sealed = SecretSealer(server.application.database.key).seal(id, sealed_secrets)
    fields: dict[str, Any] = {"platform": "*", "url": url, "title": "", "kinds": (), "create_time": 1} | more
    row = EndpointRow(id, **fields, secrets=sealed)
    server.application.writer.store([NewEndpoint(row)])
    return sealed_secrets


@asynccontextmanager
async def run_dispatcher(server: GameService, **settings: Any) -> AsyncIterator[WebhookDispatcher]:
    """Run the dispatcher of webhooks for a server."""
    async with run_feed(server) as feed:
        chosen = {"insecure": True, "search_seconds": 0.02, "tick": 0.02} | settings
        dispatcher = WebhookDispatcher(server.application, feed, **chosen)
        running = asyncio.create_task(dispatcher.run())
        try:
            yield dispatcher
        finally:
            running.cancel()
            await asyncio.wait([running])


def list_deliveries(server: GameService, *, dead: bool, id: str = ID) -> list[DeliveryRow]:
    return server.application.database.webhooks.deliveries(id, dead=dead, limit=1000)


def numbers(messages: Sequence[WebhookMessage], game: UUID) -> list[tuple[str, int]]:
    data = [(message.json["type"], message.json["data"]) for message in messages]
    return [(kind, it["version"]) for kind, it in data if it["game_id"] == str(game)]


def expected_numbers(rows: Sequence[FeedRow], game: UUID) -> list[tuple[str, int]]:
    return [(f"game.{row.kind}", row.version) for row in rows if row.game == game]


# --- messages -------------------------------------------------------------------------------------------------


async def test_every_item_is_posted_once_signed_and_in_order(server: GameService, receiver: Receiver) -> None:
    (secret,) = create_endpoint(server, receiver.url)
    async with run_dispatcher(server):
        games = [await server.game() for _ in range(3)]
        for number in range(3):
            for game in games:
                await take_turn(server, game, number)
        rows = stored_items(server)
        await receiver.wait_until(lambda: len(receiver.received) >= len(rows))
    assert len(set(receiver.ids)) == len(receiver.ids) == len(rows)
    for game in games:
        assert numbers(receiver.received, game) == expected_numbers(rows, game)
    for message in receiver.received:
        assert message.path == "/hook"
        assert message.headers["content-type"] == "application/json"
        Webhook(secret.value).verify(message.body, message.headers)
        with pytest.raises(WebhookVerificationError):
            Webhook(new_secret().value).verify(message.body, message.headers)
    turn = next(message.json for message in receiver.received if message.json["type"] == "game.turn")
    assert turn["data"]["seats"]
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", turn["timestamp"])


async def test_the_example_of_the_documentation_verifies_signatures(
    server: GameService, receiver: Receiver, repository: Path
) -> None:
    text = (repository / "docs/feed.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(import base64.*?)^```$", text, re.MULTILINE | re.DOTALL)
    found: dict[str, Any] = {}
    exec(code, found)
    (secret,) = create_endpoint(server, receiver.url)
    async with run_dispatcher(server):
        await server.game()
        await receiver.wait_until(lambda: bool(receiver.received))
    message = receiver.received[0]
    found["verify"](secret.value, message.headers, message.body)
    for headers, body in (
        (message.headers, message.body + b" "),
        (message.headers | {"webhook-id": "msg_other"}, message.body),
        (message.headers | {"webhook-timestamp": "1"}, message.body),
    ):
        with pytest.raises(ValueError, match=r"old|signed"):
            found["verify"](secret.value, headers, body)


async def test_only_the_chosen_items_are_sent(server: GameService, receiver: Receiver) -> None:
    create_endpoint(server, receiver.url, kinds=("created",), title="tiny")
    create_endpoint(server, receiver.url, "wh_of_others", platform="others")
    async with run_dispatcher(server):
        for _ in range(3):
            await server.game()
        await receiver.wait_until(lambda: len(receiver.received) == 3)
    assert {message.json["type"] for message in receiver.received} == {"game.created"}


async def test_during_a_rotation_messages_are_signed_with_both_secrets(server: GameService, receiver: Receiver) -> None:
    new, old, dead = new_secret(), Secret(new_secret().value, 1 << 50), Secret(new_secret().value, 1)
    create_endpoint(server, receiver.url, ID, new, old, dead)
    async with run_dispatcher(server):
        await server.game()
        await receiver.wait_until(lambda: bool(receiver.received))
    message = receiver.received[0]
    for secret in (new, old):
        Webhook(secret.value).verify(message.body, message.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(dead.value).verify(message.body, message.headers)


# --- failures ---------------------------------------------------------------------------------------------------


async def test_a_failed_message_is_retried_with_its_id_and_blocks_only_its_game(
    server: GameService, receiver: Receiver
) -> None:
    create_endpoint(server, receiver.url)
    first, other = await server.game(), await server.game()
    times = 0

    def answer(message: WebhookMessage) -> str:
        nonlocal times
        if message.json["data"]["game_id"] == str(first) and message.json["data"]["version"] == 1:
            times += 1
            return "500 Oh" if times < 3 else "204 No Content"
        return "200 OK"

    receiver.answer = answer
    async with run_dispatcher(server):
        rows = stored_items(server)
        await receiver.wait_until(lambda: len(set(receiver.ids)) == len(rows))
        await until(lambda: not list_deliveries(server, dead=False))
    assert times == 3
    assert len(receiver.ids) == len(rows) + 2
    assert numbers(receiver.received, first) == [expected_numbers(rows, first)[0]] * 2 + expected_numbers(rows, first)
    assert numbers(receiver.received, other) == expected_numbers(rows, other)
    done = [message.json["data"]["game_id"] for message in receiver.received]
    assert done.index(str(other)) < len(done) - 1 - done[::-1].index(str(first)), "the other game did not wait"


async def test_after_the_last_attempt_a_message_is_a_dead_letter_that_can_be_resent(
    server: GameService, receiver: Receiver
) -> None:
    create_endpoint(server, receiver.url, kinds=("created", "turn"))
    game = await server.game()
    receiver.answer = lambda message: "503 No" if message.json["type"] == "game.created" else "200 OK"
    async with run_dispatcher(server):
        await until(lambda: len(list_deliveries(server, dead=True)) == 1)
        await receiver.wait_until(lambda: numbers(receiver.received, game)[-1][0] == "game.turn")
        (letter,) = list_deliveries(server, dead=True)
        assert (letter.tries, letter.problem, letter.game) == (3, "it answered 503", game)
        receiver.answer = lambda _: "200 OK"
        server.application.writer.store([RetryDeadLetters(ID, (letter.number + 5,))])
        assert list_deliveries(server, dead=True) == [letter], "the number is of another letter"
        server.application.writer.store([RetryDeadLetters(ID)])
        await receiver.wait_until(lambda: numbers(receiver.received, game)[-1][0] == "game.created")
        await until(lambda: not list_deliveries(server, dead=False))
        assert not list_deliveries(server, dead=True)


@pytest.mark.sqlite_only  # the PostgreSQL connection pool uses the shared random state
async def test_the_shared_random_state_is_not_used(server: GameService, receiver: Receiver) -> None:
    """Delays are random, but other code, such as Hypothesis, may seed the shared random state."""
    create_endpoint(server, receiver.url, kinds=("created",))
    receiver.answer = lambda _: "503 No"
    before = random.getstate()
    async with run_dispatcher(server):
        await server.game()
        await until(lambda: len(list_deliveries(server, dead=True)) == 1)
    assert random.getstate() == before


@pytest.mark.parametrize(
    "answer",
    [
        "302 Found\r\nlocation: /elsewhere",
        "404 Not Found",
        "500 Broken",
        pytest.param(
            "199 Odd", marks=pytest.mark.soak
        ),  # after status 199 the sender waits for another response until the timeout
    ],
)
async def test_only_2xx_counts_and_redirects_are_not_followed(
    server: GameService, receiver: Receiver, answer: str
) -> None:
    create_endpoint(server, receiver.url, kinds=("created",))
    receiver.answer = lambda _: answer
    await server.game()
    async with run_dispatcher(server):
        await until(lambda: len(list_deliveries(server, dead=True)) == 1)
    assert {message.path for message in receiver.received} == {"/hook"}
    assert len(receiver.received) == 3


async def test_410_disables_an_endpoint(server: GameService, receiver: Receiver) -> None:
    create_endpoint(server, receiver.url)
    receiver.answer = lambda _: "410 Gone"
    await server.game()
    tables = server.application.database.webhooks
    async with run_dispatcher(server) as dispatcher:

        def is_disabled() -> bool:
            row = tables.endpoint(ID)
            return row is not None and row.disable_time is not None and dispatcher.endpoints == 0

        await until(is_disabled)
        sent = len(receiver.received)
        await server.game()
        await asyncio.sleep(0.1)
        assert len(receiver.received) == sent


async def test_retry_after_is_respected(server: GameService, receiver: Receiver) -> None:
    create_endpoint(server, receiver.url, kinds=("created",))
    receiver.answer = lambda _: "429 Slow\r\nretry-after: 600"
    await server.game()
    async with run_dispatcher(server, now=lambda: 1_000):
        await until(lambda: bool(list_deliveries(server, dead=False)))
        (row,) = list_deliveries(server, dead=False)
        assert row.next_time == 601_000


async def test_a_broken_endpoint_does_not_block_other_endpoints(server: GameService, receiver: Receiver) -> None:
    async with run_receiver() as stuck:
        hanging = asyncio.Event()

        async def hang() -> str:
            await hanging.wait()
            return "200 OK"

        stuck.answer = lambda _: hang()
        create_endpoint(server, stuck.url, "wh_stuck")
        create_endpoint(server, "http://127.0.0.1:1/", "wh_nobody")
        create_endpoint(server, receiver.url)
        async with run_dispatcher(server) as dispatcher:
            for _ in range(5):
                await server.game()
            rows = stored_items(server)
            await receiver.wait_until(lambda: len(receiver.received) == len(rows))
            assert dispatcher.endpoints == 3
        hanging.set()


async def test_items_of_removed_games_are_not_retried(server: GameService, receiver: Receiver) -> None:
    create_endpoint(server, receiver.url)
    receiver.answer = lambda message: "200 OK" if message.json["type"] == "game.removed" else "500 No"
    game = await server.game()
    async with run_dispatcher(server, now=lambda: 1_000):
        await until(lambda: bool(list_deliveries(server, dead=False)))
        await server.handler.changes.remove(game)
        await receiver.wait_until(lambda: any(it.json["type"] == "game.removed" for it in receiver.received))
        await until(lambda: not list_deliveries(server, dead=False))


# --- several processes and restarts -----------------------------------------------------------------------------


async def test_a_restart_continues_at_the_stored_position(server: GameService, receiver: Receiver) -> None:
    create_endpoint(server, receiver.url)
    for _ in range(3):
        async with run_dispatcher(server):
            await server.game()
            await receiver.wait_until(lambda: len(set(receiver.ids)) == len(stored_items(server)))
            await until(lambda: position(server) == stored_items(server)[-1].number)
    assert len(receiver.ids) == len(stored_items(server)), "without failures nothing is sent twice"


def position(server: GameService) -> int:
    row = server.application.database.webhooks.endpoint(ID)
    assert row is not None
    return row.position


async def test_after_a_database_move_webhooks_are_disabled_and_then_continue(
    tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    async with open_service(old) as server:
        create_endpoint(server, receiver.url)
        sent, waiting = await server.game(), await server.game()
        receiver.answer = lambda it: "503 No" if it.json["data"]["game_id"] == str(waiting) else "200 OK"
        async with run_dispatcher(server):
            await until(
                lambda: (
                    len(list_deliveries(server, dead=True)) == sum(row.game == waiting for row in stored_items(server))
                )
            )
            await until(lambda: position(server) == stored_items(server)[-1].number)
        rows = stored_items(server)
    shutil.copy(database_access.key_path(old), database_access.key_path(new))
    with database_at(old) as source, database_at(new) as target:
        assert move_games(source, target).webhooks == 1
    receiver.answer = lambda _: "200 OK"
    before = len(receiver.received)
    async with open_service(new) as server, run_dispatcher(server) as dispatcher:
        assert position(server) == rows[-1].number
        later = await server.game()
        measurements = 0
        measure = dispatcher._measure

        async def count_measurement(found: Any) -> None:
            nonlocal measurements
            measurements += 1
            await measure(found)

        monkeypatch.setattr(dispatcher, "_measure", count_measurement)
        await until(lambda: measurements > 2)
        assert (dispatcher.endpoints, len(receiver.received)) == (0, before)
        server.application.writer.store([SetDisabled(ID, None), RetryDeadLetters(ID)])
        expected = sorted((str(row.game), f"game.{row.kind}") for row in stored_items(server) if row.game != sent)
        await receiver.wait_until(lambda: len(receiver.received) >= before + len(expected))
        sent_later = [(it.json["data"]["game_id"], it.json["type"]) for it in receiver.received[before:]]
        assert sorted(sent_later) == expected
        assert {game for game, _ in sent_later} == {str(waiting), str(later)}


async def test_one_of_several_delivers_and_another_takes_over(server: GameService, receiver: Receiver) -> None:
    create_endpoint(server, receiver.url)
    async with run_dispatcher(server) as first, run_dispatcher(server) as second:
        await until(lambda: first.endpoints + second.endpoints == 1)
        for _ in range(4):
            await server.game()
        await receiver.wait_until(lambda: len(receiver.received) == len(stored_items(server)))
        holder = first if first.endpoints else second
        # As if it had been blocked for longer than its lease: its later writes have no effect.
        server.application.writer.store([EndLease(ID, holder.owner)])
        await server.game()
        await receiver.wait_until(lambda: len(set(receiver.ids)) == len(stored_items(server)))
        await until(lambda: first.endpoints + second.endpoints == 1)
    assert set(receiver.ids) >= set(receiver.ids[: len(stored_items(server))])


async def test_writes_after_the_end_of_a_lease_have_no_effect(server: GameService) -> None:
    create_endpoint(server, "http://127.0.0.1:1/")
    writer = server.application.writer
    writer.store([TakeLease(ID, "mine", 60_000)])
    writer.store([TakeLease(ID, "yours", 60_000)])
    row = DeliveryRow(ID, 3, UUID(int=1))
    writer.store([SaveDeliveries(ID, "yours", 7, (), (row,))])
    assert position(server) == 0
    assert not list_deliveries(server, dead=False)
    writer.store([SaveDeliveries(ID, "mine", 7, (), (row,))])
    assert position(server) == 7
    assert list_deliveries(server, dead=False) == [row]
    writer.store([SaveDeliveries(ID, "yours", 9, (3,), ())])
    assert list_deliveries(server, dead=False) == [row]
    writer.store([TakeLease(ID, "mine", -1)])
    writer.store([TakeLease(ID, "yours", 60_000)])
    writer.store([SaveDeliveries(ID, "yours", 9, (3,), ())])
    assert (position(server), list_deliveries(server, dead=False)) == (9, [])


# --- the server ---------------------------------------------------------------------------------------------------


async def create(api: Api, url: str, metadata: Any = (), **more: Any) -> webhooks_pb2.CreateWebhookResponse:
    request = webhooks_pb2.CreateWebhookRequest(url=url, **more)
    response: webhooks_pb2.CreateWebhookResponse = await api.webhooks.CreateWebhook(request, metadata=metadata)
    return response


async def test_a_platform_gets_its_own_games_and_sees_its_own_endpoints(tmp_path: Path, receiver: Receiver) -> None:
    path = tmp_path / "games.db"
    ours, theirs = create_key_in(path, "ours"), create_key_in(path, "theirs")
    watching = create_key_in(path, "watching", "watch", platform="ours")
    async with run_server(path, webhooks_insecure=True) as api:
        async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "SCOPE_MISSING"):
            await create(api, receiver.url, key_metadata(watching))
        made = await create(api, receiver.url, key_metadata(ours), kinds=[feed_pb2.FEED_ITEM_KIND_CREATED])
        id = made.webhook.webhook_id
        assert made.webhook.platform == "ours"
        for key in (theirs, ours):
            request = games_pb2.CreateGameRequest(title="orleans", seats=[games_pb2.SeatRequest(name=n) for n in "ab"])
            game = (await api.games.CreateGame(request, metadata=key_metadata(key))).game
        await receiver.wait_until(lambda: bool(receiver.received))
        (message,) = receiver.received
        assert message.json["data"]["game_id"] == game.game_id
        Webhook(made.secret).verify(message.body, message.headers)

        listing = webhooks_pb2.ListWebhooksRequest()
        assert [
            it.webhook_id for it in (await api.webhooks.ListWebhooks(listing, metadata=key_metadata(ours))).webhooks
        ] == [id]
        assert not (await api.webhooks.ListWebhooks(listing, metadata=key_metadata(theirs))).webhooks
        for name, about in (
            ("DeleteWebhook", webhooks_pb2.DeleteWebhookRequest(webhook_id=id)),
            ("TestWebhook", webhooks_pb2.TestWebhookRequest(webhook_id=id)),
            ("RotateWebhookSecret", webhooks_pb2.RotateWebhookSecretRequest(webhook_id=id)),
            ("ListDeadLetters", webhooks_pb2.ListDeadLettersRequest(webhook_id=id)),
        ):
            async with grpc_error(grpc.StatusCode.NOT_FOUND, "WEBHOOK_NOT_FOUND"):
                await getattr(api.webhooks, name)(about, metadata=key_metadata(theirs))
        for _ in range(19):
            await create(api, receiver.url, key_metadata(ours))
        async with grpc_error(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WEBHOOKS"):
            await create(api, receiver.url, key_metadata(ours))


async def test_endpoints_that_are_created_together_keep_the_quota(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", webhooks_insecure=True) as api:
        tried = await asyncio.gather(
            *(create(api, "http://127.0.0.1:1/") for _ in range(MAX_WEBHOOKS + 12)), return_exceptions=True
        )
        wrong = [it for it in tried if isinstance(it, BaseException)]
        assert len(wrong) == 12
        for error in wrong:
            assert isinstance(error, grpc.aio.AioRpcError)
            assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        listed = await api.webhooks.ListWebhooks(webhooks_pb2.ListWebhooksRequest())
        assert len(listed.webhooks) == MAX_WEBHOOKS


async def test_databases_limit_the_endpoints_of_a_platform(server: GameService) -> None:
    store = server.application.writer.store
    create_endpoint(server, "https://a.example", "wh_a", platform="ours")
    create_endpoint(server, "https://b.example", "wh_b", platform="theirs")
    row = server.application.database.webhooks.endpoint("wh_a")
    assert row is not None
    with pytest.raises(IntegrityError):
        store([NewEndpoint(replace(row, endpoint_id="wh_c"), 1)])
    store([NewEndpoint(replace(row, endpoint_id="wh_c"), 2)])
    store([NewEndpoint(replace(row, endpoint_id="wh_d"))])
    assert [it.endpoint_id for it in server.application.database.webhooks.endpoints()] == [
        "wh_a",
        "wh_b",
        "wh_c",
        "wh_d",
    ]


@pytest.mark.parametrize(
    "url", ["http://example.org/", "https://127.0.0.1/", "https://[::1]/", "https://a:b@example.org/", "nonsense", ""]
)
async def test_urls_of_private_addresses_are_rejected(tmp_path: Path, url: str) -> None:
    async with run_server(tmp_path / "games.db") as api, grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST"):
        await create(api, url)


async def test_nothing_is_sent_to_a_name_with_a_private_address(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        made = await create(api, "https://localhost:1/")
        found = await api.webhooks.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook_id=made.webhook.webhook_id))
        assert (found.status, found.problem) == (0, "localhost is a private address")


async def test_all_senders_share_one_tls_context_that_a_thread_builds(
    tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Building a context takes 50 ms, so concurrent tests of webhooks would block the loop."""
    built_in: list[threading.Thread] = []
    build = ssl.create_default_context

    def record_thread(*arguments: Any, **more: Any) -> ssl.SSLContext:
        built_in.append(threading.current_thread())
        return build(*arguments, **more)

    monkeypatch.setattr(ssl, "create_default_context", record_thread)
    async with run_server(tmp_path / "games.db", webhooks_insecure=True) as api:
        ids = [(await create(api, receiver.url)).webhook.webhook_id for _ in range(4)]
        asked = [webhooks_pb2.TestWebhookRequest(webhook_id=id) for id in ids * 4]
        answers = await asyncio.gather(*(api.webhooks.TestWebhook(it) for it in asked))
    assert {answer.status for answer in answers} == {200}
    assert len(built_in) == 1
    assert built_in[0] is not threading.current_thread()


async def test_tests_of_webhooks_have_a_separate_limit(tmp_path: Path, receiver: Receiver) -> None:
    async with run_server(tmp_path / "games.db", webhooks_insecure=True, address_limits="webhook_tests=1/h:2") as api:
        made = await create(api, receiver.url)
        asked = webhooks_pb2.TestWebhookRequest(webhook_id=made.webhook.webhook_id)
        for _ in range(2):
            assert (await api.webhooks.TestWebhook(asked)).status == 200
        async with grpc_error(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WEBHOOK_TESTS"):
            await api.webhooks.TestWebhook(asked)
        await create(api, receiver.url)


async def test_numbers_of_dead_letters_reveal_no_counts_and_name_one_letter_each(tmp_path: Path) -> None:
    ids = "wh_0123456789aa", "wh_0123456789bb"
    async with open_service(tmp_path / "games.db") as server:
        for id in ids:
            create_endpoint(server, "http://127.0.0.1:1/", id, platform="", disable_time=1)
        rows = [DeliveryRow(id, number, UUID(int=number), dead_time=5) for id in ids for number in range(1, 6)]
        server.application.writer.store([deliveries(*rows)])
    async with run_server(tmp_path / "games.db", webhooks_insecure=True) as api:

        async def listed(id: str) -> list[webhooks_pb2.DeadLetter]:
            answer = await api.webhooks.ListDeadLetters(webhooks_pb2.ListDeadLettersRequest(webhook_id=id))
            return list(answer.letters)

        async def resend(id: str, *numbers: int) -> None:
            await api.webhooks.ResendDeadLetters(webhooks_pb2.ResendDeadLettersRequest(webhook_id=id, numbers=numbers))

        ours, theirs = [await listed(id) for id in ids]
        assert [letter.game_id for letter in ours] == [str(UUID(int=number)) for number in range(1, 6)]
        sealed = [letter.number for letter in (*ours, *theirs)]
        assert len(set(sealed)) == 10
        assert 1 << 20 < min(sealed) < max(sealed) < 1 << 52
        for nonsense in (-1, 1 << 60):
            async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST") as problems:
                await resend(ids[0], ours[0].number, nonsense)
            assert list(problems[0].violations) == ["numbers[1]"]
        assert len(await listed(ids[0])) == 5
        await resend(ids[0], ours[1].number, ours[3].number)
        assert await listed(ids[0]) == [ours[0], ours[2], ours[4]]
        assert await listed(ids[1]) == theirs


def test_numbers_of_dead_letters_from_older_releases_are_not_mistaken() -> None:
    numbers = DeadLetterIds(ServiceKey(Ed25519PrivateKey.from_private_bytes(bytes(32))))
    for number in (0, 1, 7, 123_456_789, (1 << 40) - 1):
        sealed = numbers.seal(ID, number)
        assert numbers.open(ID, sealed) == number
        assert numbers.open(f"{ID}0", sealed) != number
    assert [numbers.open(ID, number) for number in range(100)] == [None] * 100


def read_all_files(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())


async def test_secrets_are_neither_logged_nor_stored_in_plain_text(
    tmp_path: Path, receiver: Receiver, capfd: pytest.CaptureFixture[str]
) -> None:
    async with run_server(tmp_path / "games.db", webhooks_insecure=True, log="json") as api:
        made = await create(api, receiver.url)
        id = made.webhook.webhook_id
        rotated = await api.webhooks.RotateWebhookSecret(webhooks_pb2.RotateWebhookSecretRequest(webhook_id=id))
        assert rotated.secret != made.secret
        assert (await api.webhooks.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook_id=id))).status == 200
        for secret in (made.secret, rotated.secret):
            Webhook(secret).verify(receiver.received[-1].body, receiver.received[-1].headers)
        row = (await api.webhooks.ListWebhooks(webhooks_pb2.ListWebhooksRequest())).webhooks[0]
        assert row.webhook_id == id
    logs._writer.flush()
    output = "".join(capfd.readouterr())
    files = read_all_files(tmp_path)
    for secret in (made.secret, rotated.secret):
        value = secret.removeprefix("whsec_")
        assert value not in output
        assert value.encode() not in files


async def test_the_command_line_manages_webhooks(
    tmp_path: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    async with run_server(tmp_path / "games.db", webhooks_insecure=True) as api:

        async def run(*arguments: str) -> str:
            assert await asyncio.to_thread(main, ["webhooks", *arguments, "--server", api.address]) == 0, arguments
            return capsys.readouterr().out

        made = await run("create", receiver.url, "--kinds", "created,turn")
        (id,) = set(re.findall(r"wh_[0-9a-f]{12}", made))
        assert "whsec_" in made
        listed = await run("list")
        assert id in listed
        assert "created,turn" in listed
        assert "whsec_" not in listed
        assert "answered 200" in await run("test", id)
        assert "whsec_" in await run("rotate", id, "--overlap", "1")
        assert await run("dead", id) == ""
        await run("resend", id)
        assert "active" in await run("enable", id)
        await run("remove", id)
        assert id not in await run("list")


def test_delays_of_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    planned = [retry_schedule.retry_delay(tries, lambda: 0.5) for tries in range(1, 11)]
    assert planned[:3] == [5_000, 300_000, 1_800_000]
    assert planned[-1] is None
    assert sum(filter(None, planned)) > 3 * 24 * 3_600_000
    assert (retry_schedule.retry_delay(1, lambda: 0.0), retry_schedule.retry_delay(1, lambda: 1.0)) == (4_000, 6_000)
    assert retry_schedule.retry_delay(1, lambda: 0.5, requested=60_000) == 60_000
    assert retry_schedule.retry_delay(1, lambda: 0.5, requested=10**12) == retry_schedule.MAX_WAIT


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("120", 120_000),
        ("", 0),
        ("soon", 0),
        ("-5", 0),
        ("9" * 400, 86_400_000),
        ("Thu, 01 Jan 1970 00:01:00 GMT", 59_000),
    ],
)
def test_retry_after_headers(header: str, wait: int) -> None:
    assert retry_schedule.parse_retry_after(header, 1_000) == wait


# --- the backlog ----------------------------------------------------------------------------------------------


async def test_the_backlog_of_webhooks_is_measured(server: GameService, receiver: Receiver) -> None:
    database = server.application.database
    assert measure_backlog(database, 10**14) == Backlog()
    create_endpoint(server, receiver.url)
    create_endpoint(server, receiver.url, "wh_disabled0000", disable_time=1)
    game = await server.game()
    rows = stored_items(server)
    assert measure_backlog(database, rows[0].time + 90_000) == Backlog(items=len(rows), seconds=90.0)
    receiver.answer = lambda _: "503 No"
    async with run_dispatcher(server, measure_seconds=0) as dispatcher:
        await until(lambda: dispatcher.backlog.dead == len(rows))
        await until(lambda: (dispatcher.backlog.items, dispatcher.backlog.seconds) == (0, 0.0))
    database.log.writer.store([RetryDeadLetters(ID)])
    assert measure_backlog(database, rows[0].time + 60_000) == Backlog(failed_seconds=60.0)
    database.log.writer.store([SetDisabled(ID, 7)])
    assert measure_backlog(database, 10**14) == Backlog()
    assert {row.game for row in list_deliveries(server, dead=False)} == {game}


async def test_dead_letters_of_removed_endpoints_do_not_count(server: GameService) -> None:
    database = server.application.database
    create_endpoint(server, "https://elsewhere.example")
    game = await server.game()
    database.log.writer.store(
        [deliveries(DeliveryRow(ID, 1, game, dead_time=5), DeliveryRow("gone", 1, game, dead_time=5))]
    )
    assert measure_backlog(database, 10**14).dead == 1
