"""docs/record.md: its examples, its test vectors, and the schema for real records."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from jsonschema import Draft202012Validator
from tests.game import record_example
from tests.game.records import ORLEANS, finished_game, game_with_undos, load_title
from tests.kit.adapters import adapters

from boardkeeper.game.audit import audit
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import record
from boardkeeper.testkit.histories import histories
from boardkeeper.titlekit.title import Setup
from boardkeeper.wire.signatures import verify


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / "docs/record.md").read_text("utf-8")


@pytest.fixture(scope="module")
def vectors(page: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(re.findall(r"```json\n(.*?)```", page, re.DOTALL)[-1])
    return found


@pytest.fixture(scope="module")
def schema(repository: Path) -> Draft202012Validator:
    content = json.loads((repository / "docs/record.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(content)
    return Draft202012Validator(content)


# --- examples --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [OPERATOR, 2])
def test_the_example_is_up_to_date(repository: Path, viewer: int) -> None:
    published = (repository / "docs" / record_example.FILES[viewer]).read_bytes()
    assert published == b"".join(record_example.lines(viewer)), "format 1 must not change: see section 5"
    report = audit(published.splitlines(keepends=True), load_title, verify)
    assert report.problems == ()
    assert report.holds == (viewer == OPERATOR)


@pytest.mark.parametrize("viewer", [OPERATOR, 2])
def test_the_example_of_format_2_is_up_to_date(repository: Path, schema: Draft202012Validator, viewer: int) -> None:
    published = (repository / "docs" / record_example.FILES_OF_FORMAT_2[viewer]).read_bytes()
    assert published == b"".join(record_example.lines_of_format_2(viewer)), "format 2 must not change: see section 5"
    lines = published.splitlines(keepends=True)
    assert json.loads(lines[0])["format"] == 2
    assert b'"seats.1.2"' in published
    report = audit(lines, load_title, verify)
    assert report.problems == ()
    assert report.holds == (viewer == OPERATOR)
    for line in lines:
        schema.validate(json.loads(line))


def test_the_lines_on_the_page_are_in_the_example(page: str) -> None:
    shown = re.findall(r"```json\n(\{\"command_id.*?)\n```", page)
    assert len(shown) == 2
    for viewer, line in zip((OPERATOR, 2), shown, strict=True):
        pattern = re.escape(line).replace("…", "[0-9a-f]+")
        assert re.fullmatch(pattern, record_example.lines(viewer)[record_example.HIDDEN_EVENT].decode().rstrip())


# --- vectors ---------------------------------------------------------------------------------------------------


def test_the_vectors_agree_with_the_formulas_of_the_page(vectors: dict[str, Any]) -> None:
    def sha(*parts: bytes) -> str:
        return hashlib.sha256(b"".join(parts)).hexdigest()

    def salt(part: str) -> bytes:
        text = f"boardkeeper-record-1:salt:{vectors['version']}:{part}".encode()
        return hmac.new(bytes.fromhex(vectors["secret"]), text, hashlib.sha256).digest()[:16]

    assert vectors == record_example.vectors()
    tag = b"boardkeeper-record-1:"
    assert vectors["first_link"] == sha(tag, b"game:", str(record_example.GAME).encode())
    assert vectors["salt"] == salt("0").hex()
    assert vectors["given_salt"] == salt("given").hex()
    assert vectors["part"] == sha(tag, b"part:", salt("0"), vectors["form"].encode())
    assert vectors["given_commitment"] == sha(tag, b"part:", salt("given"), vectors["given"].encode())
    before = bytes.fromhex(vectors["link_before"])
    assert vectors["link"] == sha(tag, b"link:", before, vectors["link_content"].encode())
    content = json.loads(vectors["link_content"])
    assert (content[4], content[5][0]) == (vectors["given_commitment"], vectors["part"])
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(vectors["private_key"]))
    assert vectors["key_id"] == sha(key.public_key().public_bytes_raw())
    assert key.sign(vectors["signed_message"].encode()).hex() == vectors["signature"]
    Ed25519PublicKey.from_public_bytes(key.public_key().public_bytes_raw()).verify(
        bytes.fromhex(vectors["signature"]), vectors["signed_message"].encode()
    )


# --- the schema ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [OPERATOR, SPECTATOR, 1, 3])
def test_real_records_match_the_schema(schema: Draft202012Validator, viewer: int) -> None:
    sealed = Setup("", 3, {"planning": "sealed"})
    for events in (
        finished_game(1, ORLEANS, setup=sealed),
        finished_game(seats=3),
        *([] if viewer == 3 else [game_with_undos(3)]),
    ):
        lines = [json.loads(line) for line in record(events, viewer)]
        for line in lines if viewer == SPECTATOR else {str(kind(line)): line for line in lines}.values():
            schema.validate(line)


def kind(line: Any) -> object:
    """Return the kind of a line. The tests validate one line of each kind, because validation is slow."""
    event = line.get("event", {})
    detail = event.get("detail")
    fields = sorted(detail) if isinstance(detail, dict) else detail
    return sorted(line), event.get("topic"), str(fields), sorted({it[0] for it in event.get("effects", ())})


@pytest.mark.parametrize(
    ("adapter", "players"),
    [pytest.param(it, it.players[at], id=f"{it.id}-{it.players[at]}") for it in adapters() for at in (0, -1)],
)
def test_records_of_every_title_and_its_forks_match_the_schema(
    schema: Draft202012Validator, adapter: Adapter, players: int
) -> None:
    topics = set()
    seen: set[str] = set()
    for variant, events in histories(adapter, players).items():
        for viewer in (OPERATOR, SPECTATOR, 1):
            lines = [json.loads(line) for line in record(events, viewer)]
            kinds = {f"{viewer} {kind(line)}": line for line in lines}
            for line in (line for known, line in kinds.items() if viewer == OPERATOR or known not in seen):
                wrong = next(schema.iter_errors(line), None)
                assert wrong is None, (variant, viewer, line.get("version"), wrong.message)
            seen |= set(kinds)
            if viewer == OPERATOR:
                topics |= {line["event"]["topic"] for line in lines[1:-1]}
    assert topics >= {"game.GameCreated", "game.SeatJoined", "game.GameEnded", "game.Undone"}
    assert len(topics) > len(adapter.title.events) / 2


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        (0, b'"format":1', b'"format":3'),
        (0, b'"viewer":"whole"', b'"viewer":"seat.0"'),
        (0, b"{", b'{"more":1,'),
        (1, b'"seats":2', b'"seats":0'),
        (1, b'"count"', b'"everybody"'),
        (1, b'"count"', b'"seats.2"'),
        (1, b'"count"', b'"seats.2.1"'),
        (1, b'"count"', b'"seats.1.17"'),
        (1, b'["turn",0,"public"]', b'["turn",0]'),
        (2, b'"entropy":"', b'"entropy":"x'),
        (2, b'"given":null', b'"given":1'),
        (2, b'"parts":[null', b'"parts":["' + b"0" * 64 + b'"'),
        (2, b'"parts":[', b'"parts":[null,'),
        (2, b'"seat":1', b'"seat":17'),
        (2, b'"version":2', b'"version":0'),
        (2, b'"salt":"', b'"salt":"00'),
        (5, b'["a",1,"","turn"]', b'["a",0,"","turn"]'),
        (5, b'["a",1,"","turn"]', b'["z",1,"","turn"]'),
        (5, b'["a",1,"","turn"]', b'["m","coin",0,"a","b"]'),
        (5, b'"topic":"tiny.', b'"topic":".'),
        (-1, b'"events":', b'"events":-'),
        (-1, b'"signature":"', b'"signature":"0'),
    ],
)
def test_other_lines_do_not_match_the_schema(schema: Draft202012Validator, line: int, old: bytes, new: bytes) -> None:
    written = record(finished_game())[line]
    changed = written.replace(old, new, 1)
    assert changed != written, written
    assert schema.is_valid(json.loads(written))
    assert not schema.is_valid(json.loads(changed))
