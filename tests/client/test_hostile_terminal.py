"""Whatever a service or a record says, no terminal obeys it, and no command ends in a traceback."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, LocalizedMessage, PreconditionFailure
from google.rpc.status_pb2 import Status
from tests.game.records import finished, record, rewritten

from boardkeeper.client.cli import main
from boardkeeper.client.cli.plain import moment, plain_json, plain_lines
from boardkeeper.v1 import catalog_pb2, game_pb2, games_pb2, history_pb2

pytestmark = pytest.mark.socket

HOSTILE = "\x1b[2J\x1b]0;evil\x07\x9b31m\u202egnol\u2066\rboardkeeper: fine\nforged\x00\x7f\ufeff\U000e0041"
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\U000e0041]")
GAME = "4f1c0000-0000-4000-8000-000000000000"
YEAR_287396 = 9_007_199_254_740


# --- a service that says nothing else --------------------------------------------------------------------------


def hostile(kind: type[Message], depth: int = 0) -> Any:
    """A message with hostile texts in every field, and times that no calendar has."""
    message: Any = kind()
    if isinstance(message, Timestamp):
        message.seconds = YEAR_287396
        return message
    taken: set[str] = set()
    for field in kind.DESCRIPTOR.fields:
        if field.containing_oneof is not None:
            if field.containing_oneof.name in taken:
                continue
            taken.add(field.containing_oneof.name)
        _fill(message, field, depth)
    return message


def _fill(message: Any, field: Any, depth: int) -> None:
    own = getattr(message, field.name)
    if field.message_type is not None:
        if field.message_type.GetOptions().map_entry:
            if field.message_type.fields_by_name["value"].type == FieldDescriptor.TYPE_STRING:
                own[HOSTILE] = HOSTILE
            return
        if depth < 8:
            made = hostile(GetMessageClass(field.message_type), depth + 1)
            if field.is_repeated:
                own.append(made)
            else:
                own.CopyFrom(made)
        return
    value: Any = {
        FieldDescriptor.TYPE_STRING: GAME if field.name == "game_id" else HOSTILE,
        FieldDescriptor.TYPE_BYTES: HOSTILE.encode("utf-8", "replace"),
        FieldDescriptor.TYPE_BOOL: True,
        FieldDescriptor.TYPE_ENUM: 2,
    }.get(field.type, 1)
    if field.name == "next_page_token":
        return
    if field.is_repeated:
        own.append(value)
    else:
        setattr(message, field.name, value)


class Everything(grpc.GenericRpcHandler):
    """Answers every rpc with hostile messages, or refuses every one in hostile words."""

    def __init__(self, refuses: grpc.StatusCode | None) -> None:
        self._refuses = refuses

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        method = METHODS.get(details.method.rpartition("/")[2])
        if method is None:
            return None
        question, answer = GetMessageClass(method.input_type), GetMessageClass(method.output_type)

        def once(_asked: Any, context: grpc.ServicerContext) -> Message:
            self._refuse(context)
            made: Message = hostile(answer)
            return made

        def several(_asked: Any, context: grpc.ServicerContext) -> Iterator[Message]:
            self._refuse(context)
            made = hostile(answer)
            if method.name == "WatchGame":
                made.event.version, made.event.name, made.event.sentence = 1, "GameEnded", HOSTILE
            yield made

        if method.client_streaming:
            make = (
                grpc.stream_stream_rpc_method_handler
                if method.server_streaming
                else grpc.stream_unary_rpc_method_handler
            )
        else:
            make = (
                grpc.unary_stream_rpc_method_handler if method.server_streaming else grpc.unary_unary_rpc_method_handler
            )
        behaviour: Any = several if method.server_streaming else once
        handler: grpc.RpcMethodHandler[Any, Any] = make(behaviour, question.FromString, answer.SerializeToString)
        return handler

    def _refuse(self, context: grpc.ServicerContext) -> None:
        if self._refuses is None:
            return
        status = Status(code=self._refuses.value[0], message=HOSTILE)
        for detail in (
            ErrorInfo(domain="boardkeeper", reason=HOSTILE, metadata={"rule": HOSTILE, HOSTILE: HOSTILE}),
            BadRequest(field_violations=[BadRequest.FieldViolation(field=HOSTILE, description=HOSTILE)]),
            PreconditionFailure(violations=[PreconditionFailure.Violation(type=HOSTILE, description=HOSTILE)]),
            LocalizedMessage(locale="en", message=HOSTILE),
        ):
            packed = Packed()
            packed.Pack(detail)
            status.details.append(packed)
        context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
        context.abort(self._refuses, "refused")


METHODS: dict[str, MethodDescriptor] = {
    method.name: method
    for file in (catalog_pb2, games_pb2, history_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
REFUSALS = (
    None,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNKNOWN,
)


@pytest.fixture(scope="module", params=REFUSALS, ids=lambda code: code.name if code else "answers")
def evil(request: pytest.FixtureRequest) -> Iterator[str]:
    server = grpc.server(ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers((Everything(request.param),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


COMMANDS = (
    ("games",),
    ("titles",),
    ("titles", "orleans"),
    ("watch", GAME),
    ("show", GAME),
    ("show", GAME, "--position"),
    ("export", GAME, "--out", "game.jsonl"),
    ("import", "record.jsonl"),
    ("remove", GAME),
    ("fork", GAME),
    ("undo", GAME),
)


MUST_MAKE_SENSE = {("show", GAME), ("remove", GAME)}


@pytest.mark.parametrize("as_json", [False, True], ids=["people", "json"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_terminal_obeys_a_service(
    request: pytest.FixtureRequest,
    evil: str,
    command: tuple[str, ...],
    as_json: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOARDKEEPER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BOARDKEEPER_OPERATOR_TOKEN", "x" * 40)
    (tmp_path / "record.jsonl").write_bytes(b"".join(record(finished())))
    if request.node.callspec.params["evil"] is None and command in MUST_MAKE_SENSE:
        pytest.skip("the client wants a table of the game, or a time")
    if as_json and command[0] in ("export", "fork", "undo"):
        pytest.skip("the command has no JSON of its own")
    try:
        main([*command, "--server", evil, *(["--json"] if as_json else [])])
    except SystemExit as ended:
        pytest.fail(f"the test asks wrongly: {ended}")
    said = capsys.readouterr()
    assert OBEYED.search(said.out + said.err) is None
    assert "Traceback" not in said.err
    if as_json:
        for value in [said.out] if "--position" in command and said.out else said.out.splitlines():
            json.loads(value)
    if "forged" in said.err:
        assert not any(line.startswith(("forged", "boardkeeper: fine")) for line in said.err.splitlines())


# --- records ---------------------------------------------------------------------------------------------------


def test_no_terminal_obeys_a_record(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = record(finished())
    changes: list[Any] = [
        lambda line: line["event"]["detail"].update(title="orleans" + HOSTILE),
        lambda line: line["event"]["detail"].update(rules_version=HOSTILE),
        lambda line: line["event"]["detail"]["setup"].update(edition=HOSTILE),
        lambda line: line.update(command_id=HOSTILE),
        lambda line: line["event"].update(topic="tiny." + HOSTILE),
        lambda line: line.update(time=9_007_199_254_740_991),
    ]
    for change in changes:
        for version in (1, 5):
            try:
                data = b"".join(rewritten(lines, version, change))
            except KeyError:
                continue
            file = tmp_path / "record.jsonl"
            file.write_bytes(data)
            for arguments in ([], ["--json"]):
                assert main(["verify", str(file), *arguments]) == 1
                said = capsys.readouterr()
                assert OBEYED.search(said.out + said.err) is None


def test_the_name_of_a_file_is_a_text_of_others_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "game\x1b[2J\u202e.jsonl"
    file.write_bytes(b"hello")
    for name in (str(file), str(file) + "\x9bmissing"):
        for arguments in ([], ["--json"]):
            assert main(["verify", name, *arguments]) == 1
            said = capsys.readouterr()
            assert OBEYED.search(said.out + said.err) is None


# --- the one place -----------------------------------------------------------------------------------------------


def test_texts_are_made_plain() -> None:
    assert plain_lines("Zoë ⚙ 日本 ■") == "Zoë ⚙ 日本 ■"
    assert OBEYED.search(plain_lines(HOSTILE)) is None
    assert plain_lines("a\nb\x1bc") == "a\nb\N{REPLACEMENT CHARACTER}c"


def test_json_says_the_same_in_plain_characters() -> None:
    value = {"text": HOSTILE, HOSTILE: [HOSTILE, 1]}
    text = plain_json(json.dumps(value, ensure_ascii=False))
    assert OBEYED.search(text) is None
    assert json.loads(text) == value


@pytest.mark.parametrize(
    ("time", "says"),
    [
        (Timestamp(seconds=1_800_000_000), "2027-01-15 08:00 UTC"),
        (Timestamp(seconds=YEAR_287396), "?"),
        (Timestamp(seconds=-(2**62)), "?"),
        (Timestamp(seconds=2**62, nanos=-5), "?"),
    ],
)
def test_times_that_no_calendar_has_are_told_as_such(time: Timestamp, says: str) -> None:
    assert moment(time) == says
    assert game_pb2.Game(update_time=time).update_time == time
