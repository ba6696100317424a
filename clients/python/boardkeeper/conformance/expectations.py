"""Expectations of clients. Each function yields a sentence for everything that a client did wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from boardkeeper.conformance.observations import Observations, ObservedCall, id_of
from boardkeeper.conformance.play_stream import COMMANDS
from boardkeeper.conformance.unknown_fields import read_unknown_field

Expectation = Callable[[Observations], Iterable[str]]

_READS = (
    "ListLegalCommands", "CheckCommand", "ExplainRefusals", "GetBoard", "GetTable", "GetScores", "GetGame",
    "ListEvents",
)  # fmt: skip
_STREAMS = ("WatchGame", "Play", COMMANDS)
_MAX_DEADLINE_SECONDS = 300.0
_MIN_BACK_OFF_SECONDS = 0.5
"""The minimum of all pauses together between five streams that end at once. Without pauses they take milliseconds."""
_MAX_QUOTED_LINES = 4
_EVENT_LINE = re.compile(r"\s*([0-9]+)\s{1,8}\S?")
_TIMER_TOLERANCE = 0.95
"""Clients' timers use another clock and may end a little early."""


# --- in every scenario ---------------------------------------------------------------------------------------------


def finishes_the_game(observations: Observations) -> Iterator[str]:
    """The client plays until its game is over, and exits with status 0."""
    if observations.exit is not None and observations.exit.status is None:
        yield f"the client did not exit; {_describe_last_action(observations)}"
    elif observations.exit is not None and observations.exit.status != 0:
        yield f"the client exited with status {observations.exit.status}; {_describe_last_action(observations)}"
    elif not observations.final_version:
        yield f"the client exited before its game was over; {_describe_last_action(observations)}"


def prints_each_event_once(observations: Observations) -> Iterator[str]:
    """The client prints each event of its game once, in order."""
    if observations.exit is None:
        return
    last = observations.final_version
    printed = [int(match[1]) for line in observations.exit.out.splitlines() if (match := _EVENT_LINE.match(line))]
    if last and printed != list(range(1, last + 1)):
        yield f"the client printed {len(printed)} lines for {last} events: {_describe_first_wrong_line(printed, last)}"


def _describe_first_wrong_line(printed: list[int], last: int) -> str:
    for index, (event, expected) in enumerate(zip(printed, range(1, last + 1), strict=False)):
        if event != expected:
            return f"event {event}{' again' if event in printed[:index] else ''} instead of event {expected}"
    if len(printed) < last:
        return f"event {len(printed) + 1} is missing"
    return f"event {printed[last]} after the last one"


def _describe_last_action(observations: Observations) -> str:
    output = _quote_errors(observations)
    call = observations.calls[-1] if observations.calls else None
    code = "" if call is None else {"": "still open", "LOST": "connection lost"}.get(call.code, call.code)
    action = "it made no call" if call is None else f"its last call was {call.name} ({code})"
    return action + (f", and it printed: {output}" if output else "")


def _quote_errors(observations: Observations) -> str:
    lines = [line.strip() for line in (observations.exit.err if observations.exit is not None else "").splitlines()]
    with_words = [line for line in lines if any(letter.isalpha() for letter in line)]
    return " / ".join(line[:120] for line in with_words[-_MAX_QUOTED_LINES:])


# --- ids ---------------------------------------------------------------------------------------------------------


def retries_with_same_id(observations: Observations) -> Iterator[str]:
    """The client retries requests without a response unchanged and with the same id."""
    for call in observations.with_fault("lose_response", "lose_command", "fail", "delay_response", "restart"):
        if not hasattr(call.request, "command_id") and not hasattr(call.request, "request_id"):
            continue
        retry = observations.next(call)
        outcome = f"ended with {call.code} and a RetryInfo" if call.has_fault("fail") else "got no response"
        if retry is None:
            yield f"{call.name} {outcome} and was not sent again"
        elif not id_of(call.request):
            yield f"{call.name} had no id, so it cannot be sent again safely"
        elif id_of(retry.request) != id_of(call.request):
            yield f"{call.name} {outcome}, and {retry.name} had another id, so both could be carried out"
        elif retry.request != call.request:
            yield f"{retry.name} had the id of {call.name}, but was another request"


def creates_one_game(observations: Observations) -> Iterator[str]:
    """The client creates one game, and at most one fork."""
    for rpc, games in observations.games.items():
        if len(games) > 1:
            yield f"{rpc} made {len(games)} games instead of one: send every attempt with the same `request_id`"


# --- waiting -----------------------------------------------------------------------------------------------------


def waits_before_retry(observations: Observations) -> Iterator[str]:
    """The client retries, but not before the time of the ``RetryInfo``."""
    for call in observations.with_fault("fail", "end"):
        seconds = max(fault.seconds for fault in call.faults)
        retry = observations.next(call)
        if retry is None:
            yield f"{call.name} was not sent again; its RetryInfo said {seconds:g} s"
        elif retry.start - call.end < seconds * _TIMER_TOLERANCE:
            waited = retry.start - call.end
            yield f"{call.name} was sent again after {waited:.2f} s; its RetryInfo said {seconds:g} s"


def sets_deadlines(observations: Observations) -> Iterator[str]:
    """Each unary call has a deadline."""
    for call in observations.calls:
        if call.rpc not in _STREAMS and (call.timeout is None or call.timeout > _MAX_DEADLINE_SECONDS):
            yield f"{call.name} had no deadline, so it would wait without end for a lost response"
            return


def retries_after_deadline(observations: Observations) -> Iterator[str]:
    """The client retries calls whose deadline expired."""
    for call in observations.with_fault("delay_response"):
        if call.timeout is not None and observations.next(call) is None:
            yield f"{call.name} got no response before its deadline and was not sent again"


# --- reads -------------------------------------------------------------------------------------------------------


def reads_own_writes(observations: Observations) -> Iterator[str]:
    """The client does not act on a board that is older than its own last command."""
    for call in observations.with_fault("stale_read"):
        if not call.current_version:  # the client set min_version
            continue
        following = observations.next(call, "SubmitCommands", "ListLegalCommands")
        if following is None or following.rpc != "SubmitCommands" or following.request.HasField("expected_version"):
            continue
        yield (
            f"{call.name}, after the client's own move at version {call.current_version}, had no min_version and got an"
            f" older board; {following.name} acted on it"
        )


def reads_after_conflict(observations: Observations) -> Iterator[str]:
    """After a version conflict the client reads the game, and then expects another version."""
    for call in observations.with_fault("conflict"):
        following = observations.next(call, "SubmitCommands")
        if following is None:
            yield f"{call.name} failed with a version conflict, and the client did not act again"
        elif following.request.HasField("expected_version") and (
            following.request.expected_version == call.request.expected_version
        ):
            yield f"{following.name} expected version {call.request.expected_version} again, which is past"
        elif not _reads_between(observations, call, following):
            yield f"{following.name} acted after a version conflict without reading the game again"


# --- shutdown ----------------------------------------------------------------------------------------------------


def lets_calls_finish(observations: Observations) -> Iterator[str]:
    """The client waits for running calls on a connection that accepts no new ones."""
    for call in observations.with_fault("announce_shutdown"):
        if call.code == "CANCELLED" and observations.next(call) is not None:
            yield f"{call.name} was cancelled when the connection announced its end; it would have been answered"


# --- permanent errors --------------------------------------------------------------------------------------------


def does_not_repeat_rejected(observations: Observations) -> Iterator[str]:
    """The client does not repeat permanently failed commands, and reads the game before it acts again."""
    for call in observations.with_fault("fail"):
        following = observations.next(call, "SubmitCommands")
        if following is None:
            continue
        if id_of(following.request) == id_of(call.request):
            yield f"{call.name} failed permanently ({call.code}) and was sent again unchanged"
        elif not _reads_between(observations, call, following):
            yield f"{call.name} failed permanently ({call.code}); {following.name} came without reading the game again"


def prints_why(observations: Observations) -> Iterator[str]:
    """A client that gives up prints the server's reason or sentence."""
    if observations.exit is None or observations.exit.status == 0:
        return
    output = f"{observations.exit.out}\n{observations.exit.err}"
    for call in observations.with_fault("fail"):
        texts = [text for fault in call.faults for text in (fault.reason, fault.text) if text]
        if not any(text in output for text in texts):
            yield f"the client gave up after {call.name} ({call.code}) without printing why: {' or '.join(texts)}"


def _reads_between(observations: Observations, first: ObservedCall, last: ObservedCall) -> bool:
    for call in observations.after(first):
        if call is last:
            return False
        if call.rpc in _READS:
            return True
    return False


# --- streams -----------------------------------------------------------------------------------------------------


def resumes_streams(observations: Observations) -> Iterator[str]:
    """The client reopens a broken stream after the last event that it received."""
    for call in observations.with_fault("end", "disconnect"):
        reopened = observations.next(call, "WatchGame")
        sent = call.sent[-1] if call.sent else call.request.after_version
        if reopened is None:
            yield f"{call.name} broke after version {sent} and was not reopened"
            continue
        after = reopened.request.after_version
        if call.has_fault("end") and after != sent:
            yield f"{call.name} broke after version {sent}, but {reopened.name} continued after version {after}"
        elif after > sent:
            yield f"{reopened.name} skipped the events between versions {sent} and {after}"


def backs_off(observations: Observations) -> Iterator[str]:
    """The client pauses longer and longer when streams end without an event."""
    ended = [call for call in observations.with_fault("end") if not call.sent]
    reopened = [observations.next(call) for call in ended]
    paused = sum(it.start - call.end for call, it in zip(ended, reopened, strict=True) if it is not None)
    if len(ended) > 1 and None not in reopened and paused < _MIN_BACK_OFF_SECONDS:
        yield f"{len(ended)} streams in a row ended at once; the client reopened them within {paused:.2f} s"


# --- metadata ----------------------------------------------------------------------------------------------------


def sends_token_correctly(observations: Observations) -> Iterator[str]:
    """Each call for a seat has its token in ``authorization``, and no call has it anywhere else."""
    for call in observations.of("SubmitCommands", "ListLegalCommands", "WatchGame"):
        token = call.metadata.get("authorization", "").removeprefix("Bearer ").removeprefix("bearer ")
        if token not in observations.tokens:
            effect = "shows only what a spectator sees" if call.rpc == "WatchGame" else "is rejected"
            yield f"{call.name} had no seat token: it {effect}"
            return
    for call in observations.calls:
        if call.rpc in ("ListTitles", "GetTitle", "GetSchema") and "authorization" in call.metadata:
            yield f"{call.name} sent the seat token to the catalogue, which does not need it"
            return
        others = [value for key, value in call.metadata.items() if key != "authorization"]
        if any(token in value for token in observations.tokens for value in [*others, str(call.request)]):
            yield f"{call.name} had the seat token outside the authorization header, where logs may record it"
            return


def sends_language(observations: Observations) -> Iterator[str]:
    """Each call has the same ``accept-language``."""
    languages: dict[str, ObservedCall] = {}
    for call in observations.of("CreateGame", "SubmitCommands", "ListLegalCommands", "WatchGame"):
        language = call.metadata.get("accept-language", "")
        if language in ("", "*"):
            yield f"{call.name} had no accept-language"
            return
        languages.setdefault(language, call)
    if len(languages) > 1:
        yield " and ".join(f"{call.name} asked for {language}" for language, call in languages.items())


# --- newer servers -----------------------------------------------------------------------------------------------


def returns_commands_unchanged(observations: Observations) -> Iterator[str]:
    """The client submits legal commands with their unknown fields."""
    offered = {
        read_unknown_field(legal.command)
        for call in observations.with_fault("unknown_commands")
        for legal in call.response.commands
    }
    for call in observations.of("SubmitCommands") if offered else ():
        for command in call.request.commands:
            if read_unknown_field(command) not in offered:
                yield f"{call.name} sent a legal command back without its unknown fields"
                return


EXPECTATIONS: dict[str, Expectation] = {
    expectation.__name__: expectation
    for expectation in (
        finishes_the_game, prints_each_event_once, retries_with_same_id, creates_one_game, waits_before_retry,
        sets_deadlines, retries_after_deadline, reads_own_writes, reads_after_conflict, lets_calls_finish,
        does_not_repeat_rejected, prints_why, resumes_streams, backs_off, sends_token_correctly, sends_language,
        returns_commands_unchanged,
    )
}  # fmt: skip
"""All expectations by name."""
