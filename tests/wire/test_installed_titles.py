"""Messages of a title are loaded on first use, and a title that is not installed is an error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardkeeper.game.events import GAME_EVENTS, GameStarted
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import InvalidRequestError
from boardkeeper.titles import registry
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import board_pb2, command_pb2, event_pb2
from boardkeeper.wire import envelopes, messages
from boardkeeper.wire.envelopes import Envelope
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.plans import NOT_SET, Plan, field_name
from boardkeeper.wire.title import TitleWire

ENVELOPES: dict[str, tuple[Any, Any]] = {
    "_COMMANDS": (command_pb2.Command, messages._plan_commands),
    "_BOARDS": (board_pb2.Board, messages._plan_board),
    "_DETAILS": (event_pb2.EventDetail, messages._plan_detail),
}
MEMBERS = [(name, title) for name in ENVELOPES for title in registry.TITLES]


@pytest.fixture
def nothing_is_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, (message, plan) in ENVELOPES.items():
        monkeypatch.setattr(messages, name, Envelope(message, plan))


@pytest.fixture
def no_title_is_installed(nothing_is_planned: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "TITLES", {})
    monkeypatch.setattr(registry, "load_title", {}.__getitem__)


def of_title(name: str, title: str) -> Any:
    """Return an envelope with content of a title."""
    envelope = ENVELOPES[name][0]()
    getattr(envelope, title).SetInParent()
    return envelope


# --- titles that are missing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "title"), MEMBERS)
def test_content_of_a_title_that_is_not_installed_is_an_error(
    name: str, title: str, no_title_is_installed: None
) -> None:
    envelope: Envelope[Any] = vars(messages)[name]
    with pytest.raises(ConversionError, match="is of a title that is not installed") as received:
        envelope.from_message(of_title(name, title))
    with pytest.raises(ConversionError, match="is of a title that is not installed") as sent:
        envelope.to_message(title, GameStarted())
    assert (received.value.field, sent.value.field) == (title, title)


@pytest.mark.parametrize("title", registry.TITLES)
def test_a_command_of_a_title_that_is_not_installed_is_an_error_with_its_field(
    title: str, no_title_is_installed: None
) -> None:
    with pytest.raises(InvalidRequestError) as command:
        validation.parse_commands([of_title("_COMMANDS", title)], "another")
    assert list(command.value.violations) == [f"commands[0].{title}"]


def test_events_of_all_games_need_no_title(no_title_is_installed: None) -> None:
    messages.prepare()
    message = messages.detail_to_message("game", GameStarted())
    assert messages.detail_from_message(message) == ("game", GameStarted())
    assert vars(messages)["_DETAILS"].planned == {field_name(event) for event in GAME_EVENTS}


@pytest.mark.parametrize("title", registry.TITLES)
def test_an_added_title_can_be_sent(title: str, no_title_is_installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConversionError):
        messages.prepare([title])
    monkeypatch.setattr(registry, "TITLES", {title: f"boardkeeper.titles.{title}"})
    monkeypatch.setattr(registry, "load_title", load_title)
    messages.prepare([title])
    assert all(title in vars(messages)[name].planned for name in ENVELOPES)


# --- loading -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["service.process.server", "terminal.main", "wire.messages"])
def test_no_title_is_loaded_before_its_first_use(repository: Path, module: str) -> None:
    """In a new interpreter. The envelopes name the messages of all titles; structs and rules are loaded later."""
    program = (
        f"import sys, boardkeeper.{module}\n"
        "from boardkeeper.titles import registry\n"
        "places = registry.TITLES.values()\n"
        "print(*(name for name in sys.modules for place in places if (name + '.').startswith(place + '.')))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=repository, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr, ran.stdout.split()) == (0, "", [])


@pytest.mark.parametrize("title", registry.TITLES)
def test_a_title_is_planned_alone(title: str, nothing_is_planned: None) -> None:
    messages.prepare([title])
    assert [vars(messages)[name].planned for name in ("_COMMANDS", "_BOARDS")] == [{title}, {title}]


class FakeLock:
    """A lock that records whether it is held."""

    def __init__(self) -> None:
        self.held = False
        self.entered: Callable[[], object] = lambda: None

    def __enter__(self) -> None:
        self.held = True
        self.entered()

    def __exit__(self, *_: object) -> None:
        self.held = False


def test_plans_are_made_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    lock, held = FakeLock(), []
    monkeypatch.setattr(envelopes, "_one_at_a_time", lock)

    def plan(_name: str) -> Plan:
        held.append(lock.held)
        return Plan()

    envelope = Envelope(event_pb2.EventDetail, plan)
    for _ in range(2):
        envelope.plan("game_started")
    assert held == [True]


def test_a_plan_that_another_thread_made_meanwhile_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lock, made = FakeLock(), []
    monkeypatch.setattr(envelopes, "_one_at_a_time", lock)

    def plan(name: str) -> Plan:
        made.append(name)
        return Plan()

    envelope = Envelope(event_pb2.EventDetail, plan)

    def plan_in_other_thread() -> None:
        lock.entered = lambda: None
        envelope.plan("game_started")

    lock.entered = plan_in_other_thread
    envelope.plan("game_started")
    assert made == ["game_started"]


# --- mismatches --------------------------------------------------------------------------------------------------


def test_mismatched_messages_of_a_title_are_found_on_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = TitleWire(
        commands=(GameStarted,),
        command_message=event_pb2.EventDetail,
        events=(),
        event_message=event_pb2.EventDetail,
        board=GameStarted,
        board_message=board_pb2.Board,
    )
    (member, *_) = (field.name for field in command_pb2.Command.DESCRIPTOR.fields)
    monkeypatch.setattr(messages, "load_title_wire", lambda _id: wrong)
    with pytest.raises(TypeError, match="fields without a type"):
        Envelope(command_pb2.Command, messages._plan_commands).plan(member)
    with pytest.raises(TypeError, match="GameStarted is not"):
        Envelope(board_pb2.Board, messages._plan_board).plan(member)


def test_an_empty_envelope_is_an_error() -> None:
    with pytest.raises(ConversionError, match=NOT_SET):
        messages.board_from_message(board_pb2.Board())
