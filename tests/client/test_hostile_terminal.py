"""Texts of a hostile server or record never control the terminal, and no command ends with a traceback."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import sys
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
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
from rich.columns import Columns
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from tests.game.records import finished_game

from boardkeeper.client.timestamps import to_datetime, with_clamped_timestamps
from boardkeeper.terminal.escaping import escape, escape_json, escape_lines
from boardkeeper.terminal.main import main
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.record_files import save, show
from boardkeeper.terminal.saved_seats import SavedSeat, SeatFile
from boardkeeper.testkit.games import record, rewrite_event
from boardkeeper.v1 import catalog_pb2, event_pb2, games_pb2, history_pb2, players_pb2

pytestmark = pytest.mark.socket

HOSTILE = "\x1b[2J\x1b]0;evil\x07\x9b31m\u202egnol\u2066\rboardkeeper: fine\nforged\x00\x7f\ufeff\U000e0041"
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\U000e0041]")
BIDI = frozenset({"LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
VISIBLE = ("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN")
OUR_STYLES = re.compile(r"\x1b\[[0-9;]*m")
"""Our own styles, such as dim and bold."""
GAME = "4f1c0000-0000-4000-8000-000000000000"
YEAR_287396 = 9_007_199_254_740


# --- a hostile server ------------------------------------------------------------------------------------------


def hostile_message(kind: type[Message], depth: int = 0) -> Any:
    """Return a message with hostile texts in every field, and times outside of the calendar."""
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
            message = hostile_message(GetMessageClass(field.message_type), depth + 1)
            if field.is_repeated:
                own.append(message)
            else:
                own.CopyFrom(message)
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


class HostileServer(grpc.GenericRpcHandler):
    """Answers every rpc with hostile messages, or with an error with hostile texts."""

    def __init__(self, code: grpc.StatusCode | None) -> None:
        self._code = code

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        method = METHODS.get(details.method.rpartition("/")[2])
        if method is None:
            return None
        request_type, response_type = GetMessageClass(method.input_type), GetMessageClass(method.output_type)

        def once(_request: Any, context: grpc.ServicerContext) -> Message:
            self._maybe_fail(context)
            message: Message = hostile_message(response_type)
            return message

        def several(_request: Any, context: grpc.ServicerContext) -> Iterator[Message]:
            self._maybe_fail(context)
            message = hostile_message(response_type)
            if method.name == "WatchGame":
                message.event.version, message.event.name, message.event.sentence = 1, "GameEnded", HOSTILE
            yield message

        asks, says = ("stream" if it else "unary" for it in (method.client_streaming, method.server_streaming))
        make = getattr(grpc, f"{asks}_{says}_rpc_method_handler")
        behaviour: Any = several if method.server_streaming else once
        handler: grpc.RpcMethodHandler[Any, Any] = make(
            behaviour, request_type.FromString, response_type.SerializeToString
        )
        return handler

    def _maybe_fail(self, context: grpc.ServicerContext) -> None:
        if self._code is None:
            return
        status = Status(code=self._code.value[0], message=HOSTILE)
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
        context.abort(self._code, "rejected")


METHODS: dict[str, MethodDescriptor] = {
    method.name: method
    for file in (catalog_pb2, games_pb2, history_pb2, players_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
ERRORS = (
    None,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
)


@pytest.fixture(scope="module", params=ERRORS, ids=lambda code: code.name if code else "answers")
def hostile_server(request: pytest.FixtureRequest) -> Iterator[str]:
    server = grpc.server(ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers((HostileServer(request.param),))
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
    ("undo", GAME, "--answer", "no"),
    ("verify", GAME),
    ("play", GAME),
)


@pytest.mark.parametrize("as_json", [False, True], ids=["people", "json"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_texts_of_a_server_do_not_control_the_terminal(
    hostile_server: str,
    command: tuple[str, ...],
    as_json: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOARDKEEPER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BOARDKEEPER_OPERATOR_TOKEN", "x" * 40)
    monkeypatch.setattr(sys, "stdin", io.StringIO("b\nq\n"))
    SeatFile(tmp_path / "home").add(SavedSeat(GAME, 1, "secret", hostile_server, ""))
    (tmp_path / "record.jsonl").write_bytes(b"".join(record(finished_game())))
    try:
        main([*command, "--server", hostile_server, *(["--json"] if as_json else [])])
    except SystemExit as exit:
        if not as_json:
            pytest.fail(f"wrong usage in this test: {exit}")
        pytest.skip("the command has no --json")
    captured = capsys.readouterr()
    assert captured.out + captured.err
    if command != ("export", GAME):  # outside of a terminal, a record is written unchanged
        assert CONTROL.search(captured.out + captured.err) is None
    if as_json:
        for line in [captured.out] if "--position" in command else captured.out.splitlines():
            assert not line or json.loads(line)


# --- records ---------------------------------------------------------------------------------------------------


def test_texts_of_a_record_do_not_control_the_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = record(finished_game())
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
                data = b"".join(rewrite_event(lines, version, change))
            except KeyError:
                continue
            file = tmp_path / "record.jsonl"
            file.write_bytes(data)
            for arguments in ([], ["--json"]):
                assert main(["verify", str(file), *arguments]) == 1
                captured = capsys.readouterr()
                assert CONTROL.search(captured.out + captured.err) is None


def test_file_names_do_not_control_the_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "game\x1b[2J\u202e.jsonl"
    file.write_bytes(b"hello")
    for name in (str(file), str(file) + "\x9bmissing"):
        for arguments in ([], ["--json"]):
            assert main(["verify", name, *arguments]) == 5
            captured = capsys.readouterr()
            assert CONTROL.search(captured.out + captured.err) is None


@pytest.mark.skipif(os.name != "posix", reason="no pseudoterminals")
@pytest.mark.parametrize("by_name", [True, False])
def test_a_record_on_a_terminal_is_escaped(by_name: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    line = json.dumps({"text": HOSTILE}, ensure_ascii=False).encode() + b"\n"
    save(line, str(tmp_path / "record"))
    assert (tmp_path / "record").read_bytes() == line  # files are not escaped
    controller, terminal = pty.openpty()
    with os.fdopen(terminal, "w") as opened, os.fdopen(controller, "rb", buffering=0) as read:
        if by_name:
            save(line, os.ttyname(terminal))
        else:
            monkeypatch.setattr(sys, "stdout", opened)
            show(line)
            monkeypatch.undo()
        shown = b""
        while not shown.endswith(b"\n"):
            shown += read.read(4096)
    text = shown.decode().removesuffix("\r\n")
    assert CONTROL.search(text) is None
    assert json.loads(text) == {"text": HOSTILE}


# --- escaping ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("terminal", [True, False])
def test_all_output_is_escaped(
    terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: terminal)
    prompts: list[str] = []
    monkeypatch.setattr("builtins.input", prompts.append)
    output = Output(color=False)
    table = Table(HOSTILE)
    table.add_column(Text(HOSTILE))
    table.add_row(HOSTILE, Text(HOSTILE))
    output.show(HOSTILE, Text(HOSTILE), table, Padding(Group(HOSTILE, Columns([HOSTILE])), 1))
    for write in (
        output.line,
        output.command,
        output.prompt,
        output.remark,
        output.remark_over_prompt,
        output.error,
        output.ask,
    ):
        write(HOSTILE)
        output.line("")
    output.lines(HOSTILE)
    output.text(Text.assemble(("   1  ", "dim"), (HOSTILE * 9, "red")), 6)
    captured = capsys.readouterr()
    assert len(prompts) == 1
    assert CONTROL.search(OUR_STYLES.sub("", captured.out + captured.err + prompts[0])) is None
    assert captured.out.count(r"\x1b[2J\x1b]0;evil\x07\x9b31m\u202egnol\u2066\x0dboardkeeper: fine") >= 2
    assert not re.search("^(forged|boardkeeper: fine)", captured.err, re.MULTILINE)


def test_texts_without_control_characters_are_unchanged() -> None:
    names = ["Zoë ⚙ 日本 ■", "e\u0301", "שרה לוי", "محمد", "می\u200cخواهم", "क्\u200dष"]
    for text in [*names, "👩\u200d🚀", "❤\ufe0f", "葛\U000e0100", "C:\\x1b"]:
        assert escape(text) == text
    assert escape("a\u200db\x1b[2J\u202e\n\U000e0041") == r"a\u200db\x1b[2J\u202e\x0a\U000e0041"
    assert escape_lines("a\nb\x1bc") == "a\nb\\x1bc"


def test_exactly_control_and_invisible_characters_are_escaped() -> None:
    every = [chr(code) for code in (*range(0x32400), *range(0xE0000, 0xE1000)) if chr(code) != "ß"]
    shown = escape("ß" + "ß".join(every)).removeprefix("ß").split("ß")
    kept = {character for character, text in zip(every, shown, strict=True) if character == text}
    category = unicodedata.category
    control = {"Cc", "Cs", "Zl", "Zp"}
    assert not [hex(ord(it)) for it in kept if category(it) in control or unicodedata.bidirectional(it) in BIDI]
    invisible = {it for it in kept if category(it) == "Cf" and not unicodedata.name(it).startswith(VISIBLE)}
    assert invisible == {"\u200c", "\u200d"}
    letters = {it for it in every if category(it)[0] in "LNPS" or it == " "}
    assert letters - kept == set("\u115f\u1160\u3164\uffa0")  # fillers: invisible letters


def test_markup_and_emoji_codes_in_texts_are_shown_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output(color=False)
    table = Table("[red]x[/red]", title="[bold]t")
    table.add_row("[red]:smile:")
    output.show(table, "[red]:smile:")
    output.error("[red]:smile:")
    captured = capsys.readouterr()
    assert captured.out.count("[red]:smile:") == 2
    assert "[red]x[/red]" in captured.out
    assert "[bold]t" in captured.out
    assert captured.err == "boardkeeper: [red]:smile:\n"


def test_json_is_escaped_without_a_change_of_its_values() -> None:
    value = {"text": HOSTILE, HOSTILE: [HOSTILE, 1, "\ud800"], "name": "שרה"}
    text = escape_json(json.dumps(value, ensure_ascii=False))
    assert CONTROL.search(text) is None
    assert "שרה" in text
    assert json.loads(text) == value


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (Timestamp(seconds=1_800_000_000, nanos=5_000), datetime(2027, 1, 15, 8, 0, 0, 5, tzinfo=UTC)),
        (Timestamp(seconds=1_800_000_000, nanos=-5), datetime(2027, 1, 15, 8, tzinfo=UTC)),
        (Timestamp(seconds=YEAR_287396), datetime.max.replace(tzinfo=UTC)),
        (Timestamp(seconds=2**63 - 1, nanos=2**31 - 1), datetime.max.replace(tzinfo=UTC)),
        (Timestamp(seconds=-(2**63)), datetime.min.replace(tzinfo=UTC)),
    ],
)
def test_times_outside_of_the_calendar_are_clamped(time: Timestamp, expected: datetime) -> None:
    assert to_datetime(time) == expected
    event = event_pb2.Event(version=3, time=time)
    clamped = with_clamped_timestamps(event)
    assert isinstance(clamped, event_pb2.Event)
    assert clamped.version == 3
    assert to_datetime(clamped.time) == expected
    assert clamped.time.ToJsonString()
    assert event.time == time  # the original is unchanged
