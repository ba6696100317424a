"""Webhooks: each item at least once, signed, in order for each game, whatever the endpoints do."""

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
from tests.databases import places
from tests.service.api_server import Api, grpc_error, run_server
from tests.service.cache.test_game_registry import GameService, open_service, take_turn
from tests.service.feeds import database_at, deliveries, run_feed, stored_items
from tests.service.keys import create_key_in, key_metadata
from tests.service.receivers import Receiver, WebhookMessage, run_receiver
from tests.waiting import until

from boardkeeper.service.api.webhooks import MOST_OF_A_PLATFORM
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
async def house(tmp_path: Path) -> AsyncIterator[GameService]:
    async with open_service(tmp_path / "games.db") as house:
        yield house


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with run_receiver() as receiver:
        yield receiver


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed is tried again soon, twice."""
    monkeypatch.setattr(retry_schedule, "DELAYS", (1, 1))


def endpoint(house: GameService, url: str, id: str = ID, *secrets: Secret, **more: Any) -> list[Secret]:
    """An endpoint that is told of everything from the beginning; gives its secrets."""
    given = list(secrets) or [new_secret()]
    sealed = SecretSealer(house.application.database.key).seal(id, given)
    given_row: dict[str, Any] = {"platform": "*", "url": url, "title": "", "kinds": (), "create_time": 1} | more
    row = EndpointRow(id, **given_row, secrets=sealed)
    house.application.writer.store([NewEndpoint(row)])
    return given


@asynccontextmanager
async def dispatcher_of(house: GameService, **settings: Any) -> AsyncIterator[WebhookDispatcher]:
    """What delivers for a house."""
    async with run_feed(house) as feed:
        chosen = {"insecure": True, "search_seconds": 0.02, "tick": 0.02} | settings
        dispatcher = WebhookDispatcher(house.application, feed, **chosen)
        running = asyncio.create_task(dispatcher.run())
        try:
            yield dispatcher
        finally:
            running.cancel()
            await asyncio.wait([running])


def aside(house: GameService, *, dead: bool, id: str = ID) -> list[DeliveryRow]:
    return house.application.database.webhooks.deliveries(id, dead=dead, limit=1000)


def cursors(messages: Sequence[WebhookMessage]) -> list[str]:
    return [message.json["data"]["cursor"] for message in messages]


def numbers(messages: Sequence[WebhookMessage], game: UUID) -> list[tuple[str, int]]:
    data = [(message.json["type"], message.json["data"]) for message in messages]
    return [(kind, it["version"]) for kind, it in data if it["game_id"] == str(game)]


def due(rows: Sequence[FeedRow], game: UUID) -> list[tuple[str, int]]:
    return [(f"game.{row.kind}", row.version) for row in rows if row.game == game]


# --- what is sent ---------------------------------------------------------------------------------------------


async def test_every_item_is_posted_once_signed_and_in_order(house: GameService, receiver: Receiver) -> None:
    (secret,) = endpoint(house, receiver.url)
    async with dispatcher_of(house):
        games = [await house.game() for _ in range(3)]
        for number in range(3):
            for game in games:
                await take_turn(house, game, number)
        rows = stored_items(house)
        await receiver.wait_until(lambda: len(receiver.received) >= len(rows))
    assert len(set(receiver.ids)) == len(receiver.ids) == len(rows)
    for game in games:
        assert numbers(receiver.received, game) == due(rows, game)
    for message in receiver.received:
        assert message.path == "/hook"
        assert message.headers["content-type"] == "application/json"
        Webhook(secret.value).verify(message.body, message.headers)
        with pytest.raises(WebhookVerificationError):
            Webhook(new_secret().value).verify(message.body, message.headers)
    turn = next(message.json for message in receiver.received if message.json["type"] == "game.turn")
    assert turn["data"]["seats"]
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", turn["timestamp"])


async def test_signatures_are_verified_as_the_docs_say(
    house: GameService, receiver: Receiver, repository: Path
) -> None:
    text = (repository / "docs/feed.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(import base64.*?)^```$", text, re.MULTILINE | re.DOTALL)
    found: dict[str, Any] = {}
    exec(code, found)
    (secret,) = endpoint(house, receiver.url)
    async with dispatcher_of(house):
        await house.game()
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


async def test_only_what_is_asked_for_is_sent(house: GameService, receiver: Receiver) -> None:
    endpoint(house, receiver.url, kinds=("created",), title="tiny")
    endpoint(house, receiver.url, "wh_of_others", platform="others")
    async with dispatcher_of(house):
        for _ in range(3):
            await house.game()
        await receiver.wait_until(lambda: len(receiver.received) == 3)
    assert {message.json["type"] for message in receiver.received} == {"game.created"}


async def test_while_a_secret_is_changed_messages_are_signed_with_both(house: GameService, receiver: Receiver) -> None:
    new, old, dead = new_secret(), Secret(new_secret().value, 1 << 50), Secret(new_secret().value, 1)
    endpoint(house, receiver.url, ID, new, old, dead)
    async with dispatcher_of(house):
        await house.game()
        await receiver.wait_until(lambda: bool(receiver.received))
    message = receiver.received[0]
    for secret in (new, old):
        Webhook(secret.value).verify(message.body, message.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(dead.value).verify(message.body, message.headers)


# --- what fails -------------------------------------------------------------------------------------------------


async def test_what_fails_is_sent_again_with_its_id_and_holds_up_its_own_game_alone(
    house: GameService, receiver: Receiver
) -> None:
    endpoint(house, receiver.url)
    first, other = await house.game(), await house.game()
    times = 0

    def answer(message: WebhookMessage) -> str:
        nonlocal times
        if message.json["data"]["game_id"] == str(first) and message.json["data"]["version"] == 1:
            times += 1
            return "500 Oh" if times < 3 else "204 No Content"
        return "200 OK"

    receiver.answer = answer
    async with dispatcher_of(house):
        rows = stored_items(house)
        await receiver.wait_until(lambda: len(set(receiver.ids)) == len(rows))
        await until(lambda: not aside(house, dead=False))
    assert times == 3
    assert len(receiver.ids) == len(rows) + 2
    told = numbers(receiver.received, first)
    assert told == [due(rows, first)[0]] * 2 + due(rows, first)
    assert numbers(receiver.received, other) == due(rows, other)
    done = [message.json["data"]["game_id"] for message in receiver.received]
    assert done.index(str(other)) < len(done) - 1 - done[::-1].index(str(first)), "the other one did not wait"


async def test_after_the_last_try_it_is_a_dead_letter_that_can_be_sent_again(
    house: GameService, receiver: Receiver
) -> None:
    endpoint(house, receiver.url, kinds=("created", "turn"))
    game = await house.game()
    receiver.answer = lambda message: "503 No" if message.json["type"] == "game.created" else "200 OK"
    async with dispatcher_of(house):
        await until(lambda: len(aside(house, dead=True)) == 1)
        await receiver.wait_until(lambda: numbers(receiver.received, game)[-1][0] == "game.turn")
        (letter,) = aside(house, dead=True)
        assert (letter.tries, letter.problem, letter.game) == (3, "it answered 503", game)
        receiver.answer = lambda _: "200 OK"
        house.application.writer.store([RetryDeadLetters(ID, (letter.number + 5,))])
        assert aside(house, dead=True) == [letter], "that was another one"
        house.application.writer.store([RetryDeadLetters(ID)])
        await receiver.wait_until(lambda: numbers(receiver.received, game)[-1][0] == "game.created")
        await until(lambda: not aside(house, dead=False))
        assert not aside(house, dead=True)


@pytest.mark.sqlite_only  # the pool of connections to PostgreSQL has its waits from there
async def test_the_chance_that_a_whole_process_shares_is_left_alone(house: GameService, receiver: Receiver) -> None:
    """How long it waits is up to chance, but somebody else may have set that to a seed, as Hypothesis does."""
    endpoint(house, receiver.url, kinds=("created",))
    receiver.answer = lambda _: "503 No"
    before = random.getstate()
    async with dispatcher_of(house):
        await house.game()
        await until(lambda: len(aside(house, dead=True)) == 1)
    assert random.getstate() == before


@pytest.mark.parametrize(
    "answer",
    [
        "302 Found\r\nlocation: /elsewhere",
        "404 Not Found",
        "500 Broken",
        pytest.param("199 Odd", marks=pytest.mark.soak),  # behind it an answer is still waited for, as long as may be
    ],
)
async def test_only_2xx_counts_and_redirects_are_not_followed(
    house: GameService, receiver: Receiver, answer: str
) -> None:
    endpoint(house, receiver.url, kinds=("created",))
    receiver.answer = lambda _: answer
    await house.game()
    async with dispatcher_of(house):
        await until(lambda: len(aside(house, dead=True)) == 1)
    assert {message.path for message in receiver.received} == {"/hook"}
    assert len(receiver.received) == 3


async def test_410_disables_an_endpoint(house: GameService, receiver: Receiver) -> None:
    endpoint(house, receiver.url)
    receiver.answer = lambda _: "410 Gone"
    await house.game()
    tables = house.application.database.webhooks
    async with dispatcher_of(house) as dispatcher:

        def is_disabled() -> bool:
            row = tables.endpoint(ID)
            return row is not None and row.disable_time is not None and dispatcher.endpoints == 0

        await until(is_disabled)
        sent = len(receiver.received)
        await house.game()
        await asyncio.sleep(0.1)
        assert len(receiver.received) == sent


async def test_retry_after_is_heeded(house: GameService, receiver: Receiver) -> None:
    endpoint(house, receiver.url, kinds=("created",))
    receiver.answer = lambda _: "429 Slow\r\nretry-after: 600"
    await house.game()
    async with dispatcher_of(house, now=lambda: 1_000):
        await until(lambda: bool(aside(house, dead=False)))
        (row,) = aside(house, dead=False)
        assert row.next_time == 601_000


async def test_a_broken_endpoint_holds_nobody_else_up(house: GameService, receiver: Receiver) -> None:
    async with run_receiver() as stuck:
        hanging = asyncio.Event()

        async def hang() -> str:
            await hanging.wait()
            return "200 OK"

        stuck.answer = lambda _: hang()
        endpoint(house, stuck.url, "wh_stuck")
        endpoint(house, "http://127.0.0.1:1/", "wh_nobody")
        endpoint(house, receiver.url)
        async with dispatcher_of(house) as dispatcher:
            for _ in range(5):
                await house.game()
            rows = stored_items(house)
            await receiver.wait_until(lambda: len(receiver.received) == len(rows))
            assert dispatcher.endpoints == 3
        hanging.set()


async def test_what_was_removed_is_not_sent_again(house: GameService, receiver: Receiver) -> None:
    endpoint(house, receiver.url)
    receiver.answer = lambda message: "200 OK" if message.json["type"] == "game.removed" else "500 No"
    game = await house.game()
    async with dispatcher_of(house, now=lambda: 1_000):
        await until(lambda: bool(aside(house, dead=False)))
        await house.handler.changes.remove(game)
        await receiver.wait_until(lambda: any(it.json["type"] == "game.removed" for it in receiver.received))
        await until(lambda: not aside(house, dead=False))


# --- several processes and restarts -----------------------------------------------------------------------------


async def test_a_restart_goes_on_where_it_was(house: GameService, receiver: Receiver) -> None:
    endpoint(house, receiver.url)
    for _ in range(3):
        async with dispatcher_of(house):
            await house.game()
            await receiver.wait_until(lambda: len(set(receiver.ids)) == len(stored_items(house)))
            await until(lambda: position(house) == stored_items(house)[-1].number)
    assert len(receiver.ids) == len(stored_items(house)), "nothing twice where nothing broke"


def position(house: GameService) -> int:
    row = house.application.database.webhooks.endpoint(ID)
    assert row is not None
    return row.position


async def test_after_a_move_nothing_is_sent_until_it_is_enabled_and_then_it_goes_on(
    tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    async with open_service(old) as house:
        endpoint(house, receiver.url)
        sent, waiting = await house.game(), await house.game()
        receiver.answer = lambda it: "503 No" if it.json["data"]["game_id"] == str(waiting) else "200 OK"
        async with dispatcher_of(house):
            await until(lambda: len(aside(house, dead=True)) == sum(row.game == waiting for row in stored_items(house)))
            await until(lambda: position(house) == stored_items(house)[-1].number)
        rows = stored_items(house)
    shutil.copy(places.key_of(old), places.key_of(new))
    with database_at(old) as source, database_at(new) as target:
        assert move_games(source, target).webhooks == 1
    receiver.answer = lambda _: "200 OK"
    before = len(receiver.received)
    async with open_service(new) as house, dispatcher_of(house) as dispatcher:
        assert position(house) == rows[-1].number
        later = await house.game()
        looks = 0
        measure = dispatcher._measure

        async def counted(found: Any) -> None:
            nonlocal looks
            looks += 1
            await measure(found)

        monkeypatch.setattr(dispatcher, "_measure", counted)
        await until(lambda: looks > 2)
        assert (dispatcher.endpoints, len(receiver.received)) == (0, before)
        house.application.writer.store([SetDisabled(ID, None), RetryDeadLetters(ID)])
        due = sorted((str(row.game), f"game.{row.kind}") for row in stored_items(house) if row.game != sent)
        await receiver.wait_until(lambda: len(receiver.received) >= before + len(due))
        told = [(it.json["data"]["game_id"], it.json["type"]) for it in receiver.received[before:]]
        assert sorted(told) == due
        assert {game for game, _ in told} == {str(waiting), str(later)}


async def test_one_of_several_delivers_and_another_takes_over(house: GameService, receiver: Receiver) -> None:
    endpoint(house, receiver.url)
    async with dispatcher_of(house) as first, dispatcher_of(house) as second:
        await until(lambda: first.endpoints + second.endpoints == 1)
        for _ in range(4):
            await house.game()
        await receiver.wait_until(lambda: len(receiver.received) == len(stored_items(house)))
        holder = first if first.endpoints else second
        # As if it had stood still for longer than its lease: what it writes from now on counts no more.
        house.application.writer.store([EndLease(ID, holder.owner)])
        await house.game()
        await receiver.wait_until(lambda: len(set(receiver.ids)) == len(stored_items(house)))
        await until(lambda: first.endpoints + second.endpoints == 1)
    assert set(receiver.ids) >= set(receiver.ids[: len(stored_items(house))])


async def test_what_who_lost_the_lease_writes_does_not_count(house: GameService) -> None:
    endpoint(house, "http://127.0.0.1:1/")
    writer = house.application.writer
    writer.store([TakeLease(ID, "mine", 60_000)])
    writer.store([TakeLease(ID, "yours", 60_000)])
    row = DeliveryRow(ID, 3, UUID(int=1))
    writer.store([SaveDeliveries(ID, "yours", 7, (), (row,))])
    assert position(house) == 0
    assert not aside(house, dead=False)
    writer.store([SaveDeliveries(ID, "mine", 7, (), (row,))])
    assert position(house) == 7
    assert aside(house, dead=False) == [row]
    writer.store([SaveDeliveries(ID, "yours", 9, (3,), ())])
    assert aside(house, dead=False) == [row]
    writer.store([TakeLease(ID, "mine", -1)])
    writer.store([TakeLease(ID, "yours", 60_000)])
    writer.store([SaveDeliveries(ID, "yours", 9, (3,), ())])
    assert (position(house), aside(house, dead=False)) == (9, [])


# --- the service --------------------------------------------------------------------------------------------------


async def create(api: Api, url: str, metadata: Any = (), **more: Any) -> webhooks_pb2.CreateWebhookResponse:
    request = webhooks_pb2.CreateWebhookRequest(url=url, **more)
    made: webhooks_pb2.CreateWebhookResponse = await api.webhooks.CreateWebhook(request, metadata=metadata)
    return made


async def test_a_platform_has_its_games_sent_and_sees_its_own_endpoints(tmp_path: Path, receiver: Receiver) -> None:
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
            *(create(api, "http://127.0.0.1:1/") for _ in range(MOST_OF_A_PLATFORM + 12)), return_exceptions=True
        )
        wrong = [it for it in tried if isinstance(it, BaseException)]
        assert len(wrong) == 12
        for error in wrong:
            assert isinstance(error, grpc.aio.AioRpcError)
            assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        listed = await api.webhooks.ListWebhooks(webhooks_pb2.ListWebhooksRequest())
        assert len(listed.webhooks) == MOST_OF_A_PLATFORM


async def test_databases_count_the_endpoints_of_a_platform(house: GameService) -> None:
    store = house.application.writer.store
    endpoint(house, "https://a.example", "wh_a", platform="ours")
    endpoint(house, "https://b.example", "wh_b", platform="theirs")
    row = house.application.database.webhooks.endpoint("wh_a")
    assert row is not None
    with pytest.raises(IntegrityError):
        store([NewEndpoint(replace(row, endpoint_id="wh_c"), 1)])
    store([NewEndpoint(replace(row, endpoint_id="wh_c"), 2)])
    store([NewEndpoint(replace(row, endpoint_id="wh_d"))])
    assert [it.endpoint_id for it in house.application.database.webhooks.endpoints()] == [
        "wh_a",
        "wh_b",
        "wh_c",
        "wh_d",
    ]


@pytest.mark.parametrize(
    "url", ["http://example.org/", "https://127.0.0.1/", "https://[::1]/", "https://a:b@example.org/", "nonsense", ""]
)
async def test_urls_that_lead_elsewhere_are_refused(tmp_path: Path, url: str) -> None:
    async with run_server(tmp_path / "games.db") as api, grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST"):
        await create(api, url)


async def test_a_name_for_a_private_address_gets_nothing(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        made = await create(api, "https://localhost:1/")
        found = await api.webhooks.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook_id=made.webhook.webhook_id))
        assert (found.status, found.problem) == (0, "localhost is a private address")


async def test_all_senders_share_one_tls_context_that_a_thread_has_built(
    tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Building one takes 50 ms of CPU, so that many tests of webhooks at once would stop everything else."""
    built_in: list[threading.Thread] = []
    build = ssl.create_default_context

    def noting(*arguments: Any, **more: Any) -> ssl.SSLContext:
        built_in.append(threading.current_thread())
        return build(*arguments, **more)

    monkeypatch.setattr(ssl, "create_default_context", noting)
    async with run_server(tmp_path / "games.db", webhooks_insecure=True) as api:
        ids = [(await create(api, receiver.url)).webhook.webhook_id for _ in range(4)]
        asked = [webhooks_pb2.TestWebhookRequest(webhook_id=id) for id in ids * 4]
        answers = await asyncio.gather(*(api.webhooks.TestWebhook(it) for it in asked))
    assert {answer.status for answer in answers} == {200}
    assert len(built_in) == 1
    assert built_in[0] is not threading.current_thread()


async def test_tests_of_webhooks_have_a_limit_of_their_own(tmp_path: Path, receiver: Receiver) -> None:
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
    async with open_service(tmp_path / "games.db") as house:
        for id in ids:
            endpoint(house, "http://127.0.0.1:1/", id, platform="", disable_time=1)
        rows = [DeliveryRow(id, number, UUID(int=number), dead_time=5) for id in ids for number in range(1, 6)]
        house.application.writer.store([deliveries(*rows)])
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


def everything_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())


async def test_a_secret_is_shown_once_and_stands_nowhere(
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
    told = "".join(capfd.readouterr())
    files = everything_in(tmp_path)
    for secret in (made.secret, rotated.secret):
        value = secret.removeprefix("whsec_")
        assert value not in told
        assert value.encode() not in files


async def test_the_command_line_does_it_all(
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


def test_tries_come_as_planned_and_no_more_than_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    planned = [retry_schedule.retry_delay(tries, lambda: 0.5) for tries in range(1, 11)]
    assert planned[:3] == [5_000, 300_000, 1_800_000]
    assert planned[-1] is None
    assert sum(filter(None, planned)) > 3 * 24 * 3_600_000
    assert (retry_schedule.retry_delay(1, lambda: 0.0), retry_schedule.retry_delay(1, lambda: 1.0)) == (4_000, 6_000)
    assert retry_schedule.retry_delay(1, lambda: 0.5, requested=60_000) == 60_000
    assert retry_schedule.retry_delay(1, lambda: 0.5, requested=10**12) == retry_schedule.LONGEST_WAIT


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
def test_how_long_to_wait_is_read_from_the_answer(header: str, wait: int) -> None:
    assert retry_schedule.parse_retry_after(header, 1_000) == wait


# --- how far it is behind -------------------------------------------------------------------------------------


async def test_how_far_webhooks_are_behind_is_told(house: GameService, receiver: Receiver) -> None:
    database = house.application.database
    assert measure_backlog(database, 10**14) == Backlog()
    endpoint(house, receiver.url)
    endpoint(house, receiver.url, "wh_disabled0000", disable_time=1)
    game = await house.game()
    rows = stored_items(house)
    assert measure_backlog(database, rows[0].time + 90_000) == Backlog(items=len(rows), seconds=90.0)
    receiver.answer = lambda _: "503 No"
    async with dispatcher_of(house, measure_seconds=0) as dispatcher:
        await until(lambda: dispatcher.backlog.dead == len(rows))
        await until(lambda: (dispatcher.backlog.items, dispatcher.backlog.seconds) == (0, 0.0))
    database.log.writer.store([RetryDeadLetters(ID)])
    assert measure_backlog(database, rows[0].time + 60_000) == Backlog(failed_seconds=60.0)
    database.log.writer.store([SetDisabled(ID, 7)])
    assert measure_backlog(database, 10**14) == Backlog()
    assert {row.game for row in aside(house, dead=False)} == {game}


async def test_dead_letters_of_endpoints_that_were_removed_do_not_count(house: GameService) -> None:
    database = house.application.database
    endpoint(house, "https://elsewhere.example")
    game = await house.game()
    database.log.writer.store(
        [deliveries(DeliveryRow(ID, 1, game, dead_time=5), DeliveryRow("gone", 1, game, dead_time=5))]
    )
    assert measure_backlog(database, 10**14).dead == 1
