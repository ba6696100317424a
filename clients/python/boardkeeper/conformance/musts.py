"""What must be seen of a client: each looks at what was seen, and says in one sentence what was not right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from boardkeeper.conformance.playing import COMMANDS
from boardkeeper.conformance.sightings import Seen, Sighting, id_of
from boardkeeper.conformance.unknown import kept

Must = Callable[[Seen], Iterable[str]]

_READS = (
    "ListLegalCommands", "CheckCommand", "ExplainRefusals", "GetBoard", "GetTable", "GetScores", "GetGame",
    "ListEvents",
)  # fmt: skip
_STREAMS = ("WatchGame", "Play", COMMANDS)
_LONGEST_WAIT = 300.0
"""A deadline that is longer than this many seconds is none."""
_LEAST_PAUSES = 0.5
"""So many seconds must pass in all between five streams that end at once: who does not wait needs milliseconds."""
_MOST_LINES = 4
"""So much is told of what a client said last: what started it may have the last word."""
_LINE = re.compile(r"\s*([0-9]+)\s{1,8}\S?")
_NEARLY = 0.95
"""A timer may end a little early, by another clock than ours."""


# --- in every scenario ---------------------------------------------------------------------------------------------


def goes_on(seen: Seen) -> Iterator[str]:
    """The client plays on until its game is over, and ends well."""
    if seen.ran is not None and seen.ran.status is None:
        yield f"the client did not exit; {_last(seen)}"
    elif seen.ran is not None and seen.ran.status != 0:
        yield f"the client exited with status {seen.ran.status}; {_last(seen)}"
    elif not seen.last:
        yield f"the client exited before its game was over; {_last(seen)}"


def tells_each_once(seen: Seen) -> Iterator[str]:
    """The client prints each event of its game once, in order."""
    if seen.ran is None:
        return
    printed = [int(found[1]) for line in seen.ran.out.splitlines() if (found := _LINE.match(line))]
    if seen.last and printed != list(range(1, seen.last + 1)):
        yield f"the client printed {len(printed)} lines for {seen.last} events: {_first_wrong(printed, seen.last)}"


def _first_wrong(printed: list[int], last: int) -> str:
    for at, (one, right) in enumerate(zip(printed, range(1, last + 1), strict=False)):
        if one != right:
            return f"event {one}{' again' if one in printed[:at] else ''} instead of event {right}"
    return (
        f"event {len(printed) + 1} is missing" if len(printed) < last else f"event {printed[last]} after the last one"
    )


def _last(seen: Seen) -> str:
    said = _said(seen)
    call = seen.calls[-1] if seen.calls else None
    code = "" if call is None else {"": "still open", "LOST": "connection lost"}.get(call.code, call.code)
    did = "it made no call" if call is None else f"its last call was {call.name} ({code})"
    return did + (f", and it printed: {said}" if said else "")


def _said(seen: Seen) -> str:
    lines = [line.strip() for line in (seen.ran.err if seen.ran is not None else "").splitlines()]
    words = [line for line in lines if any(letter.isalpha() for letter in line)]
    return " / ".join(line[:120] for line in words[-_MOST_LINES:])


# --- ids ---------------------------------------------------------------------------------------------------------


def same_id_again(seen: Seen) -> Iterator[str]:
    """What got no answer is sent again, the same under the same id."""
    for call in seen.harmed("lose", "drop", "refuse", "hold", "restart"):
        if not hasattr(call.request, "command_id") and not hasattr(call.request, "request_id"):
            continue
        again = next(iter(seen.after(call, call.rpc)), None)
        outcome = f"ended with {call.code} and a RetryInfo" if call.is_harmed("refuse") else "got no response"
        if again is None:
            yield f"{call.name} {outcome} and was not sent again"
        elif not id_of(call.request):
            yield f"{call.name} had no id, so it cannot be sent again safely"
        elif id_of(again.request) != id_of(call.request):
            yield f"{call.name} {outcome}, and {again.name} had another id, so both could be carried out"
        elif again.request != call.request:
            yield f"{again.name} had the id of {call.name}, but was another request"


def one_game(seen: Seen) -> Iterator[str]:
    """Each thing that it asks for makes one game: a new one, and a fork."""
    for rpc, made in seen.games.items():
        if len(made) > 1:
            yield f"{rpc} made {len(made)} games instead of one: send every attempt with the same `request_id`"


# --- waiting -----------------------------------------------------------------------------------------------------


def waits_as_asked(seen: Seen) -> Iterator[str]:
    """It asks again, and not before the time that the service has asked for is over."""
    for call in seen.harmed("refuse", "end"):
        seconds = max(each.seconds for each in call.harms)
        again = next(iter(seen.after(call, call.rpc)), None)
        if again is None:
            yield f"{call.name} was not sent again; its RetryInfo said {seconds:g} s"
        elif again.began - call.ended < seconds * _NEARLY:
            waited = again.began - call.ended
            yield f"{call.name} was sent again after {waited:.2f} s; its RetryInfo said {seconds:g} s"


def has_deadlines(seen: Seen) -> Iterator[str]:
    """Each call that has one answer has a deadline."""
    for call in seen.calls:
        if call.rpc not in _STREAMS and (call.seconds is None or call.seconds > _LONGEST_WAIT):
            yield f"{call.name} had no deadline, so it would wait without end for a lost response"
            return


def asks_again(seen: Seen) -> Iterator[str]:
    """What is not answered in time is asked again."""
    for call in seen.harmed("hold"):
        if call.seconds is not None and not seen.after(call, call.rpc):
            yield f"{call.name} got no response before its deadline and was not sent again"


# --- reads -------------------------------------------------------------------------------------------------------


def sees_its_own_writes(seen: Seen) -> Iterator[str]:
    """It never acts on a board that is older than what it did last."""
    for call in seen.harmed("lag"):
        if not call.at:  # it said how new the answer has to be
            continue
        for later in seen.after(call, "SubmitCommands", "ListLegalCommands"):
            if later.rpc == "SubmitCommands" and not later.request.HasField("expected_version"):
                yield (
                    f"{call.name}, after the client's own move at version {call.at}, had no min_version and got an"
                    f" older board; {later.name} acted on it"
                )
            break


def looks_again(seen: Seen) -> Iterator[str]:
    """After a conflict of versions it looks at the board before it acts again, and expects another version."""
    for call in seen.harmed("conflict"):
        again = next(iter(seen.after(call, "SubmitCommands")), None)
        if again is None:
            yield f"{call.name} failed with a version conflict, and the client did not act again"
        elif again.request.HasField("expected_version") and (
            again.request.expected_version == call.request.expected_version
        ):
            yield f"{again.name} expected version {call.request.expected_version} again, which is past"
        elif not _between(seen, call, again, _READS):
            yield f"{again.name} acted after a version conflict without reading the game again"


# --- goodbyes ----------------------------------------------------------------------------------------------------


def lets_calls_finish(seen: Seen) -> Iterator[str]:
    """What is under way on a connection that takes no more calls is waited for: it is answered there."""
    for call in seen.harmed("goodbye"):
        again = next(iter(seen.after(call, call.rpc)), None)
        if call.code == "CANCELLED" and again is not None:
            yield f"{call.name} was cancelled when the connection announced its end; it would have been answered"


# --- refusals ----------------------------------------------------------------------------------------------------


def does_not_insist(seen: Seen) -> Iterator[str]:
    """What was refused for good is not sent again, unless the client has looked again before."""
    for call in seen.harmed("refuse"):
        again = next(iter(seen.after(call, "SubmitCommands")), None)
        if again is None:
            continue
        if id_of(again.request) == id_of(call.request):
            yield f"{call.name} failed permanently ({call.code}) and was sent again unchanged"
        elif not _between(seen, call, again, _READS):
            yield f"{call.name} failed permanently ({call.code}); {again.name} came without reading the game again"


def says_why(seen: Seen) -> Iterator[str]:
    """A client that gives up says why: the service's reason, or its sentence."""
    if seen.ran is None or seen.ran.status == 0:
        return
    said = f"{seen.ran.out}\n{seen.ran.err}"
    for call in seen.harmed("refuse"):
        words = [word for each in call.harms for word in (each.reason, each.text) if word]
        if not any(word in said for word in words):
            yield f"the client gave up after {call.name} ({call.code}) without printing why: {' or '.join(words)}"


def _between(seen: Seen, first: Sighting, last: Sighting, rpcs: tuple[str, ...]) -> bool:
    for call in seen.after(first):
        if call is last:
            return False
        if call.rpc in rpcs:
            return True
    return False


# --- streams -----------------------------------------------------------------------------------------------------


def resumes(seen: Seen) -> Iterator[str]:
    """A stream that broke is taken up behind the last event that it told."""
    for call in seen.harmed("end", "hang_up"):
        again = next(iter(seen.after(call, "WatchGame")), None)
        had = call.sent[-1] if call.sent else call.request.after_version
        if again is None:
            yield f"{call.name} broke after version {had} and was not reopened"
            continue
        after = again.request.after_version
        if call.is_harmed("end") and after != had:
            yield f"{call.name} broke after version {had}, but {again.name} continued after version {after}"
        elif after > had:
            yield f"{again.name} skipped the events between versions {had} and {after}"


def pauses(seen: Seen) -> Iterator[str]:
    """Who is told nothing, time after time, asks less and less often."""
    ended = [call for call in seen.harmed("end") if not call.sent]
    again = [next(iter(seen.after(call, call.rpc)), None) for call in ended]
    waited = sum(it.began - call.ended for call, it in zip(ended, again, strict=True) if it is not None)
    if len(ended) > 1 and None not in again and waited < _LEAST_PAUSES:
        yield f"{len(ended)} streams in a row ended at once; the client reopened them within {waited:.2f} s"


# --- manners -----------------------------------------------------------------------------------------------------


def keeps_its_token(seen: Seen) -> Iterator[str]:
    """The seat's token goes with each call for its seat, in ``authorization``, and nowhere else."""
    for call in seen.of("SubmitCommands", "ListLegalCommands", "WatchGame"):
        token = call.metadata.get("authorization", "").removeprefix("Bearer ").removeprefix("bearer ")
        if token not in seen.tokens:
            yield f"{call.name} had no seat token: it {_without(call)}"
            return
    for call in seen.calls:
        if call.rpc in ("ListTitles", "GetTitle", "GetSchema") and "authorization" in call.metadata:
            yield f"{call.name} sent the seat token to the catalogue, which does not need it"
            return
        others = [value for key, value in call.metadata.items() if key != "authorization"]
        if any(token in value for token in seen.tokens for value in [*others, str(call.request)]):
            yield f"{call.name} had the seat token outside the authorization header, where logs may record it"
            return


def _without(call: Sighting) -> str:
    return "shows only what a spectator sees" if call.rpc == "WatchGame" else "is rejected"


def keeps_its_language(seen: Seen) -> Iterator[str]:
    """Each call says the language in which it wants its sentences, the same one."""
    said: dict[str, Sighting] = {}
    for call in seen.of("CreateGame", "SubmitCommands", "ListLegalCommands", "WatchGame"):
        language = call.metadata.get("accept-language", "")
        if language in ("", "*"):
            yield f"{call.name} had no accept-language"
            return
        said.setdefault(language, call)
    if len(said) > 1:
        yield " and ".join(f"{call.name} asked for {language}" for language, call in said.items())


# --- what comes later ----------------------------------------------------------------------------------------------


def sends_back_what_it_got(seen: Seen) -> Iterator[str]:
    """A command is sent back as it came, with what the client does not know of it."""
    offered = {
        kept(legal.command): legal.command for call in seen.harmed("strange_commands") for legal in call.answer.commands
    }
    for call in seen.of("SubmitCommands") if offered else ():
        for command in call.request.commands:
            if kept(command) not in offered:
                yield f"{call.name} sent a legal command back without its unknown fields"
                return


MUSTS: dict[str, Must] = {
    must.__name__: must
    for must in (
        goes_on, tells_each_once, same_id_again, one_game, waits_as_asked, has_deadlines, asks_again,
        sees_its_own_writes, looks_again, lets_calls_finish, does_not_insist, says_why, resumes, pauses,
        keeps_its_token, keeps_its_language, sends_back_what_it_got,
    )
}  # fmt: skip
"""All of them by name."""
