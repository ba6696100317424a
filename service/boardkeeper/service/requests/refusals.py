"""What the service says instead of an answer: one exception per canonical status, each with a stable reason.

They are raised anywhere below the servicers and turned into a gRPC status in one place. Rules refuse
differently: a :class:`~boardkeeper.table.rejections.Rejection` is a value, carried here by
:class:`RejectedError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from grpc import StatusCode

from boardkeeper.service.requests.sentences import Sentence, in_language
from boardkeeper.table.guarded import IncompatibleTitleError
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.title import Title


class Refusal(Exception):  # noqa: N818  # the field's word; not every one is a fault
    """``reason`` is SCREAMING_SNAKE_CASE and stable, ``values`` are short strings for machines.

    ``retry_seconds``: the same request may pass by itself after so long (0: at once); ``None``: it will not.
    ``is_guess``: the caller has shown a key or token that is wrong, which counts for the limit ``failures``.
    """

    code = StatusCode.FAILED_PRECONDITION
    retry_seconds: float | None = None
    is_guess = False

    def __init__(self, reason: str, message: str, values: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.values = dict(values or {})


class InvalidRequestError(Refusal):
    """The request is malformed, whatever the game looks like.

    ``violations`` has a problem for each field, by its path. The problem continues the sentence that the path begins:
    "must be 1 to 16". An empty path stands for the request as a whole; then the problem is a full sentence.
    """

    code = StatusCode.INVALID_ARGUMENT

    def __init__(self, violations: Mapping[str, str]) -> None:
        """What is wrong is a ``Sentence`` wherever it is said here."""
        text = "; ".join(f"`{field}` {problem}" if field else problem for field, problem in violations.items())
        super().__init__("BAD_REQUEST", text)
        self.violations = dict(violations)


class MetadataTooLargeError(Refusal):
    """The call has more metadata entries, or more bytes of metadata, than the server accepts."""

    code = StatusCode.RESOURCE_EXHAUSTED

    def __init__(self, most: int, most_kibibytes: int) -> None:
        super().__init__(
            "METADATA_TOO_LARGE",
            Sentence(
                f"The call has too much metadata: send at most {most} entries and {most_kibibytes} KiB.",
                f"Der Aufruf hat zu viele Metadaten: höchstens {most} Einträge und {most_kibibytes} KiB sind erlaubt.",
            ),
            {"most": str(most)},
        )


class RequestTimeoutError(Refusal):
    """A request's headers came, and its message did not, or the next one of a stream that has to send all."""

    code = StatusCode.DEADLINE_EXCEEDED
    retry_seconds = 0.5

    def __init__(self) -> None:
        super().__init__(
            "REQUEST_TIMEOUT",
            Sentence(
                "The request message did not arrive in time; send the request again.",
                "Die Nachricht der Anfrage kam nicht rechtzeitig an; bitte noch einmal senden.",
            ),
        )


class UnknownGameError(Refusal):
    """No game has that id."""

    code = StatusCode.NOT_FOUND

    def __init__(self, game: UUID) -> None:
        super().__init__("GAME_NOT_FOUND", Sentence(f"There is no game '{game}'.", f"Es gibt kein Spiel '{game}'."))
        self.game = str(game)


class GameRemovedError(Refusal):
    """The operator has removed the game, at a time in milliseconds since 1970."""

    code = StatusCode.NOT_FOUND

    def __init__(self, game: UUID, time: int) -> None:
        message = Sentence(
            "The operator of this server has removed this game.",
            "Der Betreiber dieses Servers hat dieses Spiel entfernt.",
        )
        super().__init__("GAME_REMOVED", message, {"game": str(game), "time": str(time)})


class OperatorOnlyError(Refusal):
    """Only the operator may do this, with the operator's token."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self) -> None:
        message = Sentence(
            "Only the operator may do this: send the operator token, or an API key with the scope 'operate'.",
            "Das darf nur der Betreiber: Dazu gehört sein Token oder ein API-Schlüssel mit der Berechtigung 'operate'.",
        )
        super().__init__("OPERATOR_ONLY", message)


class PlatformOnlyError(Refusal):
    """Only the platform whose game it is, or an operator, may do this or be told it."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self) -> None:
        message = Sentence(
            "Only a platform may do this, with its API key, and only for its own games.",
            "Das darf nur eine Plattform, mit ihrem API-Schlüssel und nur in ihren eigenen Spielen.",
        )
        super().__init__("PLATFORM_ONLY", message)


class SeatTakenError(Refusal):
    """Somebody has the seat."""

    def __init__(self, seat: int) -> None:
        message = Sentence(
            f"Seat {seat} is taken; choose another seat.", f"Platz {seat} ist besetzt; bitte einen anderen wählen."
        )
        super().__init__("SEAT_TAKEN", message, {"seat": str(seat)})


class NoFreeSeatError(Refusal):
    """Somebody has each seat."""

    def __init__(self) -> None:
        message = Sentence("All seats of this game are taken.", "Alle Plätze des Spiels sind besetzt.")
        super().__init__("NO_FREE_SEAT", message)


class InvitationMissingError(Refusal):
    """Free seats of the game are for who is invited."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self) -> None:
        message = Sentence(
            "You need an invitation to join this game: ask its creator or one of its players for one.",
            "Diesem Spiel tritt nur bei, wer eingeladen ist: Einladungen macht, wer es begonnen hat oder mitspielt.",
        )
        super().__init__("INVITATION_MISSING", message)


class InvitationWrongError(Refusal):
    """Nobody was invited to the game with that code."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self) -> None:
        message = Sentence(
            "This invitation code does not belong to this game: check that it is complete.",
            "Das ist keine Einladung zu diesem Spiel: Ist der Code vollständig?",
        )
        super().__init__("INVITATION_WRONG", message)


class InvitationEndedError(Refusal):
    """The invitation was good once; ``state`` is ``used``, ``revoked`` or ``expired``."""

    def __init__(self, state: str) -> None:
        words = {"used": "was already used", "revoked": "was revoked", "expired": "has expired"}
        german = {"used": "wurde schon benutzt", "revoked": "wurde widerrufen", "expired": "ist abgelaufen"}
        message = Sentence(
            f"The invitation {words.get(state, state)}: ask for a new one.",
            f"Die Einladung {german.get(state, state)}: Es braucht eine neue.",
        )
        super().__init__("INVITATION_ENDED", message, {"state": state})


class InvitationNotFoundError(Refusal):
    """The game has no invitation of that id."""

    code = StatusCode.NOT_FOUND

    def __init__(self) -> None:
        message = Sentence(
            "This game has no invitation with that id; ListInvitations returns all of them.",
            "Eine Einladung mit dieser Id hat das Spiel nicht; ListInvitations liefert alle.",
        )
        super().__init__("INVITATION_NOT_FOUND", message)


class TooManyInvitationsError(Refusal):
    """So many invitations were made to a game."""

    code = StatusCode.RESOURCE_EXHAUSTED

    def __init__(self, most: int) -> None:
        message = Sentence(
            f"This game already has {most} invitations, the maximum: use one of those.",
            f"Das Spiel hat schon {most} Einladungen, mehr gehen nicht: Vergib eine davon.",
        )
        super().__init__("TOO_MANY_INVITATIONS", message, {"most": str(most)})


class TokenExpiredError(Refusal):
    """The token was the seat's, until a time (milliseconds since 1970)."""

    code = StatusCode.UNAUTHENTICATED

    def __init__(self, seat: int, time: int) -> None:
        message = Sentence(
            f"The token of seat {seat} has expired: ask the platform or the operator for a new one.",
            f"Das Token von Platz {seat} ist abgelaufen: Ein neues gibt die Plattform des Spiels oder der Betreiber.",
        )
        super().__init__("TOKEN_EXPIRED", message, {"seat": str(seat), "time": str(time)})


class KeyMissingError(Refusal):
    """The service wants the key of a platform, and the call has none."""

    code = StatusCode.UNAUTHENTICATED

    def __init__(self) -> None:
        message = Sentence(
            "The call has no API key: send it as metadata 'authorization: Bearer bk_…', or as 'x-boardkeeper-key' if"
            " 'authorization' has a seat token.",
            "Dem Aufruf fehlt der API-Schlüssel: Er gehört in die Metadaten, als 'authorization: Bearer bk_…' oder"
            " neben dem Token eines Platzes als 'x-boardkeeper-key'.",
        )
        super().__init__("KEY_MISSING", message)


class KeyWrongError(Refusal):
    """The key is nobody's, or the call has two."""

    code = StatusCode.UNAUTHENTICATED
    is_guess = True

    def __init__(self) -> None:
        message = Sentence(
            "The API key is not valid on this server: check that it is complete, and that this server issued it.",
            "Der API-Schlüssel gilt auf diesem Server nicht: Ist er vollständig und von diesem Server?",
        )
        super().__init__("KEY_WRONG", message)


class KeyEndedError(Refusal):
    """The key was good once; its id is told, for whoever sends it has had all of it."""

    code = StatusCode.UNAUTHENTICATED

    def __init__(self, key_id: str) -> None:
        message = Sentence(
            f"The API key {key_id} was revoked or has expired: ask the operator of this server for a new one.",
            f"Der API-Schlüssel {key_id} wurde widerrufen oder ist abgelaufen: Neue macht der Betreiber des Servers.",
        )
        super().__init__("KEY_ENDED", message, {"key": key_id})


class CertificateTakenError(Refusal):
    """The name of a certificate stands for another key already."""

    code = StatusCode.ALREADY_EXISTS

    def __init__(self) -> None:
        message = Sentence(
            "Another API key already uses this certificate name: revoke that key first.",
            "Diesen Namen eines Zertifikats hat schon ein anderer API-Schlüssel, der zuerst zu widerrufen ist.",
        )
        super().__init__("CERTIFICATE_TAKEN", message)


class ScopeMissingError(Refusal):
    """The key is not for what was asked."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self, key_id: str, scope: str) -> None:
        message = Sentence(
            f"The API key {key_id} does not have the scope {scope!r}, which this call needs.",
            f"Dem API-Schlüssel {key_id} fehlt dafür die Berechtigung {scope!r}.",
        )
        super().__init__("SCOPE_MISSING", message, {"key": key_id, "scope": scope})


class NoSpectatorsError(Refusal):
    """Nobody watches this game but who sits there and the platform that it belongs to."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self) -> None:
        message = Sentence(
            "This game does not allow spectators: send the token of one of its seats.",
            "Dieses Spiel lässt keine Zuschauer zu: Dazu gehört das Token eines Platzes.",
        )
        super().__init__("NO_SPECTATORS", message)


class GameDamagedError(Refusal):
    """The stored events of the game were changed from that version on; what comes before can still be read."""

    def __init__(self, version: int) -> None:
        super().__init__(
            "GAME_DAMAGED",
            Sentence(
                f"The stored events of this game are damaged from version {version} on. Earlier versions can still be"
                " read; the game accepts no more commands.",
                f"Die gespeicherten Ereignisse sind ab Version {version} beschädigt. Was davor liegt, ist noch lesbar;"
                " das Spiel nimmt keine Befehle mehr an.",
            ),
            {"version": str(version)},
        )


class LobbyDamagedError(Refusal):
    """The lobby as a whole cannot be read; games can still be asked for by their ids."""

    code = StatusCode.DATA_LOSS

    def __init__(self) -> None:
        super().__init__(
            "LOBBY_DAMAGED",
            Sentence(
                "The stored list of games is damaged; get single games by their ids.",
                "Die Liste der Spiele ist beschädigt; einzelne Spiele gibt es weiterhin über ihre Kennung.",
            ),
        )


class StorageDamagedError(Refusal):
    """What was asked for cannot be read, as what is stored there is damaged: neither a game nor the whole lobby."""

    code = StatusCode.DATA_LOSS

    def __init__(self) -> None:
        super().__init__(
            "STORAGE_DAMAGED",
            Sentence(
                "The stored data for this request is damaged; report this to the operator.",
                "Die gespeicherten Daten dazu sind beschädigt; bitte dem Betreiber melden.",
            ),
        )


class GameExistsError(Refusal):
    """A game of that id is here already."""

    code = StatusCode.ALREADY_EXISTS

    def __init__(self, game: UUID) -> None:
        super().__init__(
            "GAME_EXISTS",
            Sentence(
                f"This server already has this game, as {game}.", f"Dieses Spiel hat der Server schon, als {game}."
            ),
            {"game": str(game)},
        )


class RecordRefusedError(Refusal):
    """A record does not hold; this is the first thing that is wrong with it."""

    code = StatusCode.INVALID_ARGUMENT

    def __init__(self, level: str, line: int, version: int, problem: str) -> None:
        where, wo = (f" in line {line}", f" in Zeile {line}") if line else ("", "")
        german = in_language(problem, "de")
        super().__init__(
            "RECORD_REFUSED",
            Sentence(
                f"The record is not valid: the check {level!r} failed{where}: {problem}",
                f"Die Aufzeichnung stimmt nicht: Die Prüfung {level!r} fand einen Fehler{wo}: {german}",
            ),
            {"level": level, "line": str(line), "version": str(version), "problem": problem},
        )


class UnknownTitleError(Refusal):
    """No title has that id."""

    code = StatusCode.NOT_FOUND

    def __init__(self, title: str) -> None:
        super().__init__(
            "TITLE_NOT_FOUND", Sentence(f"There is no title {title!r}.", f"Es gibt keinen Titel {title!r}.")
        )
        self.title = title


class TitleNotServedError(Refusal):
    """The game is stored here, but the server does not serve its title."""

    code = StatusCode.FAILED_PRECONDITION

    def __init__(self, title: str) -> None:
        super().__init__(
            "TITLE_NOT_SERVED",
            Sentence(
                f"This server does not serve {title!r}, the title of this game.",
                f"Dieser Server bietet den Titel dieser Partie, {title!r}, nicht an.",
            ),
            {"title": title},
        )


class TitleIncompatibleError(Refusal):
    """The installed version of a title's package cannot read a game that another version has played."""

    code = StatusCode.FAILED_PRECONDITION

    def __init__(self, title: str, recorded: str, installed: str) -> None:
        super().__init__(
            "TITLE_INCOMPATIBLE",
            Sentence(
                f"The rules of this game of {title!r} are from {recorded}. This server has {installed}, which cannot"
                f" read the game. Ask the operator to install {recorded}, or a version that can read its games.",
                f"Die Regeln dieser Partie von {title!r} stammen aus {recorded}. Dieser Server hat {installed} und kann"
                f" die Partie damit nicht lesen. Der Betreiber muss {recorded} installieren oder eine Version, die"
                " deren Partien lesen kann.",
            ),
            {"title": title, "title_build": recorded, "installed": installed},
        )


def refusal_of(error: Refusal | IncompatibleTitleError) -> Refusal:
    """Return the refusal that reports an error."""
    if isinstance(error, IncompatibleTitleError):
        return TitleIncompatibleError(error.title, error.recorded, error.build)
    return error


class NoTokenError(Refusal):
    """The call acts for a seat but brings no token."""

    code = StatusCode.UNAUTHENTICATED

    def __init__(self) -> None:
        super().__init__(
            "TOKEN_MISSING",
            Sentence(
                "The call has no seat token: send it as metadata 'authorization: Bearer <token>'.",
                "Dem Aufruf fehlt das Token des Platzes: Es gehört in die Metadaten, als"
                " 'authorization: Bearer <token>'.",
            ),
        )


class WrongTokenError(Refusal):
    """The token belongs to another seat, to another game or to nobody; seat 0 is any of the game."""

    code = StatusCode.PERMISSION_DENIED
    is_guess = True

    def __init__(self, seat: int) -> None:
        whose, wessen = ("any seat of this game", "irgendeines Platzes dieses Spiels")
        if seat:
            whose, wessen = f"seat {seat}", f"von Platz {seat}"
        super().__init__(
            "TOKEN_WRONG",
            Sentence(f"The token does not belong to {whose}.", f"Das Token ist nicht das {wessen}."),
            {"seat": str(seat)},
        )


class VersionConflictError(Refusal):
    """The game has moved on since the version that the caller looked at."""

    code = StatusCode.ABORTED

    def __init__(self, expected: int, version: int) -> None:
        super().__init__(
            "VERSION_CONFLICT",
            Sentence(
                f"The game is at version {version}, not at {expected}: read it again before you decide.",
                f"Das Spiel steht bei Version {version}, nicht bei {expected}: bitte neu lesen und dann entscheiden.",
            ),
        )
        self.expected = expected
        self.version = version


class VersionOutOfRangeError(Refusal):
    """The caller named a version that the game has not reached."""

    code = StatusCode.OUT_OF_RANGE

    def __init__(self, wanted: int, version: int) -> None:
        message = Sentence(
            f"The game is at version {version}; it has no version {wanted}.",
            f"Das Spiel steht bei Version {version}; Version {wanted} hat es nicht.",
        )
        super().__init__("VERSION_OUT_OF_RANGE", message, {"version": str(version)})


class RequestReusedError(Refusal):
    """The id of an idempotent request was used for another request before."""

    code = StatusCode.ALREADY_EXISTS

    def __init__(self) -> None:
        super().__init__(
            "REQUEST_ID_REUSED",
            Sentence(
                "This `request_id` was already used for a request with other contents: use a new one.",
                "Diese `request_id` gehört zu einer Anfrage mit anderem Inhalt: bitte eine neue verwenden.",
            ),
        )


class NoPersonError(Refusal):
    """Nobody has the seat who could have a token of it."""

    def __init__(self, seat: int) -> None:
        message = Sentence(
            f"Seat {seat} has no token: it is open, or a bot or the rules play it.",
            f"Platz {seat} hat kein Token: Er ist frei, oder ein Bot oder die Regeln spielen ihn.",
        )
        super().__init__("NO_PERSON", message, {"seat": str(seat)})


class SeatOfTheRulesError(Refusal):
    """A person or a bot is to have a seat that the rules play."""

    code = StatusCode.INVALID_ARGUMENT

    def __init__(self, seat: int) -> None:
        super().__init__(
            "SEAT_PLAYED_BY_RULES",
            Sentence(
                f"The rules play seat {seat} of this game: set its bot to 'automa', or leave the seat out if it is"
                " the last one.",
                f"Platz {seat} dieses Spiels spielen die Regeln: dort 'automa' als Bot angeben oder ihn weglassen, wenn"
                " es der letzte ist.",
            ),
            {"seat": str(seat)},
        )


class NoSeatOfTheRulesError(Refusal):
    """The rules are to have a seat that they do not play."""

    code = StatusCode.INVALID_ARGUMENT

    def __init__(self, seat: int) -> None:
        super().__init__(
            "SEAT_NOT_PLAYED_BY_RULES",
            Sentence(
                f"The rules do not play seat {seat} of this game: give it to a person or to a bot.",
                f"Platz {seat} dieses Spiels spielen nicht die Regeln: Er ist für einen Menschen oder einen Bot.",
            ),
            {"seat": str(seat)},
        )


class NobodyToPlayAgainstError(Refusal):
    """One person is to play alone, with ``options`` chosen so that the rules play no seat."""

    code = StatusCode.INVALID_ARGUMENT

    def __init__(self, options: Sequence[str]) -> None:
        chosen = ", ".join(options)
        super().__init__(
            "NOBODY_TO_PLAY_AGAINST",
            Sentence(
                f"A game with one seat needs an opponent, and this choice for {chosen} removes it: leave the choice"
                " out, or create two seats.",
                f"Mit dieser Wahl für {chosen} ist niemand da, gegen den gespielt wird: sie weglassen oder zwei Plätze"
                " angeben.",
            ),
            {"options": " ".join(options)},
        )


class OverloadError(Refusal):
    """More work waits than is healthy; it may be less after ``retry_seconds``."""

    code = StatusCode.RESOURCE_EXHAUSTED
    retry_seconds = 0.2

    def __init__(self) -> None:
        super().__init__(
            "OVERLOADED",
            Sentence(
                "The server is overloaded; try again shortly.",
                "Der Server ist überlastet; bitte gleich noch einmal versuchen.",
            ),
        )


_LIMITS = {
    "reads": ("TOO_MANY_READS", "reads", "Lesezugriffe"),
    "commands": ("TOO_MANY_COMMANDS", "commands", "Befehle"),
    "creations": ("TOO_MANY_CREATIONS", "new games", "neue Spiele"),
    "forks": ("TOO_MANY_FORKS", "forks", "Abzweigungen"),
    "imports": ("TOO_MANY_IMPORTS", "imports", "Importe"),
    "history": ("TOO_MANY_HISTORY_READS", "reads of histories and records", "Abrufe von Verläufen und Aufzeichnungen"),
    "failures": ("TOO_MANY_FAILURES", "wrong keys and tokens", "falsche Schlüssel und Token"),
    "bytes_in": ("TOO_MANY_BYTES_IN", "bytes sent to the server", "an den Server gesandte Bytes"),
    "bytes_out": ("TOO_MANY_BYTES_OUT", "bytes sent by the server", "vom Server gesandte Bytes"),
    "work": ("TOO_MUCH_WORK", "milliseconds of computing time", "Millisekunden Rechenzeit"),
    "openings": ("TOO_MANY_STREAMS_OPENED", "newly opened streams", "neu geöffnete Ströme"),
    "webhook_tests": ("TOO_MANY_WEBHOOK_TESTS", "test messages to webhooks", "Testnachrichten an Webhooks"),
    "calls": ("TOO_MANY_CALLS", "calls at the same time", "gleichzeitige Aufrufe"),
    "streams": ("TOO_MANY_STREAMS", "open streams", "offene Ströme"),
    "watchers": ("TOO_MANY_WATCHERS", "watched games", "beobachtete Spiele"),
    "games_per_day": ("TOO_MANY_GAMES_TODAY", "new games today", "neue Spiele heute"),
    "import_bytes_per_day": ("TOO_MANY_BYTES_IMPORTED", "bytes imported today", "heute importierte Bytes"),
    "games": ("TOO_MANY_GAMES", "stored games", "gespeicherte Spiele"),
}
LIMIT_REASONS = tuple(reason for reason, *_ in _LIMITS.values())
"""What is said of limits that were reached, a reason for each."""

_WHOM = {
    "key": ("for this API key", "für diesen API-Schlüssel"),
    "address": ("for this address", "für diese Adresse"),
    "game": ("for this game", "für dieses Spiel"),
    "platform": ("for this platform", "für diese Plattform"),
    "service": ("for all clients together", "für alle zusammen"),
}


class LimitError(Refusal):
    """A limit was reached; it is so for ``retry_seconds``.

    ``limit`` is its name and ``most`` its figure, ``by`` tells whom it holds for: a ``key``, an ``address``, a
    ``platform``, a ``game`` or the ``service``, and ``name`` which of them, where the caller may know.
    """

    code = StatusCode.RESOURCE_EXHAUSTED
    retry_seconds: float = 0.0

    def __init__(self, limit: str, by: str, name: str, most: str, retry_seconds: float) -> None:
        reason, what, was = _LIMITS[limit]
        whom, wen = _WHOM[by]
        seconds = max(1, round(retry_seconds))
        super().__init__(
            reason,
            Sentence(
                f"Too many {what}: the limit is {most} {whom}. Try again in {seconds} s.",
                f"Zu viele {was}: Die Grenze ist {most} {wen}. Bitte in {seconds} s noch einmal.",
            ),
            {"limit": limit, "most": most, "by": by},
        )
        self.subject = f"{by}:{name}" if name else by
        self.retry_seconds = retry_seconds


class TooManyBotGamesError(Refusal):
    """As many games of bots alone wait for their turn as the service takes on."""

    code = StatusCode.RESOURCE_EXHAUSTED

    def __init__(self, most: int) -> None:
        super().__init__(
            "TOO_MANY_BOT_GAMES",
            Sentence(
                f"{most} games with only bots are already waiting to be played: try again later, or play in one seat"
                " yourself.",
                f"Es warten schon {most} Spiele, in denen nur Bots sitzen; bitte später, oder mit einem Menschen.",
            ),
            {"most": str(most)},
        )


class SlowReaderError(Refusal):
    """A stream's reader did not read for too long; it has everything up to ``version``."""

    code = StatusCode.RESOURCE_EXHAUSTED
    retry_seconds = 0.0

    def __init__(self, version: int) -> None:
        super().__init__(
            "TOO_SLOW",
            Sentence(
                f"The client read the events too slowly; watch again after version {version}.",
                f"Die Ereignisse kamen schneller, als sie gelesen wurden; bitte ab Version {version} weiter zusehen.",
            ),
            {"version": str(version)},
        )


class FeedTooSlowError(Refusal):
    """A reader of the feed did not read for too long; it has everything up to ``cursor``."""

    code = StatusCode.RESOURCE_EXHAUSTED
    retry_seconds = 0.0

    def __init__(self, cursor: str) -> None:
        message = Sentence(
            "The client read the feed too slowly; continue after the last cursor that it received.",
            "Der Feed wurde nicht schnell genug gelesen; bitte hinter dem letzten erhaltenen Cursor weiterlesen.",
        )
        super().__init__("TOO_SLOW", message, {"cursor": cursor})


class FeedCursorExpiredError(Refusal):
    """Items behind a cursor are not kept any more."""

    code = StatusCode.OUT_OF_RANGE

    def __init__(self) -> None:
        message = Sentence(
            "Some items after this cursor are no longer stored; start without a cursor, and list the games.",
            "Was hinter diesem Cursor kam, ist nicht mehr da; bitte ohne Cursor beginnen und die Spiele auflisten.",
        )
        super().__init__("FEED_CURSOR_EXPIRED", message)


class FeedCursorLostError(Refusal):
    """A cursor is of another feed, or of what this one was before its database was set back."""

    code = StatusCode.OUT_OF_RANGE

    def __init__(self) -> None:
        message = Sentence(
            "The feed does not know this cursor; start without a cursor, and list the games.",
            "Diesen Cursor kennt der Feed nicht; bitte ohne Cursor beginnen und die Spiele auflisten.",
        )
        super().__init__("FEED_CURSOR_LOST", message)


class UnknownWebhookError(Refusal):
    """There is no endpoint of that id, as far as the caller is concerned."""

    code = StatusCode.NOT_FOUND

    def __init__(self) -> None:
        super().__init__(
            "WEBHOOK_NOT_FOUND",
            Sentence(
                "There is no webhook with that id; ListWebhooks returns all of them.",
                "Einen Webhook mit dieser Id gibt es nicht; ListWebhooks liefert alle.",
            ),
        )


class TooManyWebhooksError(Refusal):
    """A platform has as many endpoints as it can have."""

    code = StatusCode.RESOURCE_EXHAUSTED

    def __init__(self, most: int) -> None:
        message = Sentence(
            f"This platform already has {most} webhooks, the maximum; remove one first.",
            f"Diese Plattform hat schon {most} Webhooks, mehr gehen nicht; bitte erst einen entfernen.",
        )
        super().__init__("TOO_MANY_WEBHOOKS", message, {"most": str(most)})


class WebhooksNotInstalledError(Refusal):
    """The service lacks packages that webhooks need."""

    def __init__(self, package: str) -> None:
        message = Sentence(
            "This server cannot send webhooks: the operator has to install 'boardkeeper[webhooks]'.",
            "Dieser Server kann keine Webhooks senden: Der Betreiber muss 'boardkeeper[webhooks]' installieren.",
        )
        super().__init__("WEBHOOKS_NOT_INSTALLED", message, {"package": package})


class StorageFailedError(Refusal):
    """The commit failed; the game goes on from what is stored. Repeating the command is safe."""

    code = StatusCode.UNAVAILABLE
    retry_seconds = 0.5

    def __init__(self) -> None:
        super().__init__(
            "STORAGE_FAILED",
            Sentence(
                "The server could not store the command; send it again with the same id.",
                "Der Befehl ließ sich nicht speichern; bitte mit derselben Kennung noch einmal senden.",
            ),
        )


class ContendedError(Refusal):
    """Other processes were first again and again. Repeating the command is safe."""

    code = StatusCode.ABORTED
    retry_seconds = 0.1

    def __init__(self) -> None:
        super().__init__(
            "CONTENDED",
            Sentence(
                "Other commands in this game were stored first; send this command again with the same id.",
                "In diesem Spiel waren andere schneller; bitte mit derselben Kennung noch einmal senden.",
            ),
        )


class ReadFailedError(Refusal):
    """Reading failed for a reason that may pass; nothing is wrong with what is stored."""

    code = StatusCode.UNAVAILABLE
    retry_seconds = 0.5

    def __init__(self) -> None:
        super().__init__(
            "READ_FAILED",
            Sentence(
                "The server could not read its stored data; try again.",
                "Der Server konnte seine Daten nicht lesen; bitte noch einmal versuchen.",
            ),
        )


class ArchiveUnreadableError(Refusal):
    """A game was archived, and the archive does not give its events; other games are none the worse."""

    code = StatusCode.UNAVAILABLE

    def __init__(self, game: UUID) -> None:
        super().__init__(
            "ARCHIVE_UNREADABLE",
            Sentence(
                "The game was archived, and its archive file cannot be read; the operator has to restore the file.",
                "Das Spiel ist ausgelagert, und seine Datei lässt sich nicht lesen; der Betreiber muss sie"
                " wiederherstellen.",
            ),
            {"game": str(game)},
        )


class StorageLostError(Refusal):
    """The files of the database were removed or replaced: what is written to them will be lost."""

    code = StatusCode.UNAVAILABLE
    retry_seconds = 5.0

    def __init__(self) -> None:
        super().__init__(
            "STORAGE_LOST",
            Sentence(
                "The server's database files were removed or replaced. It accepts no commands until the operator puts"
                " them back or restarts it.",
                "Die Dateien der Datenbank wurden entfernt oder ersetzt. Der Server nimmt nichts an, bis sie wieder da"
                " sind oder er neu gestartet wird.",
            ),
        )


class ShuttingDownError(Refusal):
    """The service is going down; the next one will answer after about ``retry_seconds``."""

    code = StatusCode.UNAVAILABLE
    retry_seconds = 1.0

    def __init__(self) -> None:
        super().__init__(
            "SHUTTING_DOWN",
            Sentence(
                "The server is shutting down; try again shortly.",
                "Der Server wird beendet; bitte gleich noch einmal versuchen.",
            ),
        )


class RejectedError(Refusal):
    """A rule of the title forbids the command; nothing has changed.

    ``called`` gives the names of the game's seats in a language.
    """

    def __init__(
        self,
        rejection: Rejection,
        title: Title,
        edition: str,
        called: Callable[[str], Sequence[str]] = lambda _language: (),
    ) -> None:
        super().__init__(rejection.code, rejection.rule)
        self.rejection = rejection
        self.title = title
        self.edition = edition
        self.called = called


class RequestTooLargeError(Refusal):
    """A message over HTTP that is larger than gRPC would take, as it came or once it is not compressed any more."""

    code = StatusCode.RESOURCE_EXHAUSTED

    def __init__(self, most: int) -> None:
        message = Sentence(
            f"The message is too large: send at most {most} bytes.",
            f"Die Nachricht ist zu groß: höchstens {most} Bytes sind erlaubt.",
        )
        super().__init__("REQUEST_TOO_LARGE", message, {"most": str(most)})


class UnknownCompressionError(Refusal):
    """A message over HTTP came compressed in a way that is not known."""

    code = StatusCode.UNIMPLEMENTED

    def __init__(self, encoding: str) -> None:
        message = Sentence(
            f"The server does not support the compression {encoding[:40]!r}: use gzip or none.",
            f"Die Kompression {encoding[:40]!r} kennt der Server nicht: bitte gzip oder keine verwenden.",
        )
        super().__init__("COMPRESSION_UNKNOWN", message, {"encoding": encoding})


class UnknownRpcError(Refusal):
    """There is no such rpc, or its content type is wrong for an rpc that ``streams``, or does not."""

    code = StatusCode.UNIMPLEMENTED

    def __init__(self, path: str, *, streams: bool | None = None) -> None:
        message = Sentence(f"There is no method at '{path}'.", f"Unter '{path}' gibt es keine Methode.")
        if streams is True:
            message = Sentence(
                "This method is a stream: use the content type application/connect+json or application/connect+proto,"
                " or gRPC-Web.",
                "Diese Methode ist ein Strom: bitte application/connect+json, application/connect+proto oder gRPC-Web"
                " verwenden.",
            )
        elif streams is False:
            message = Sentence(
                "This method is not a stream: use the content type application/json or application/proto, or gRPC-Web.",
                "Diese Methode ist kein Strom: bitte application/json, application/proto oder gRPC-Web verwenden.",
            )
        super().__init__("RPC_NOT_FOUND", message, {"path": path})


class BothWaysError(Refusal):
    """An rpc that streams in both directions was called with gRPC-Web, or over HTTP/1.1."""

    code = StatusCode.UNIMPLEMENTED

    def __init__(self, path: str) -> None:
        message = Sentence(
            "This method streams in both directions, which requires gRPC, or Connect over HTTP/2: use SubmitCommands"
            " and WatchGame instead.",
            "Diese Methode überträgt in beide Richtungen und braucht dafür gRPC, oder Connect über HTTP/2: bitte"
            " SubmitCommands und WatchGame verwenden.",
        )
        super().__init__("NOT_OVER_HTTP", message, {"path": path})


class ForeignOriginError(Refusal):
    """A page called that is not the service's own, nor one that its settings name."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self, origin: str) -> None:
        message = Sentence(
            "Web pages from this origin may not call this server; the operator can allow the origin with --web-origin.",
            "Seiten dieser Herkunft dürfen diesen Server nicht aufrufen; der Betreiber kann es mit --web-origin"
            " erlauben.",
        )
        super().__init__("ORIGIN_NOT_ALLOWED", message, {"origin": origin})


class ForeignHostError(Refusal):
    """A request to an address of this machine alone, by a name that this machine does not have."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self, host: str) -> None:
        message = Sentence(
            "This server answers requests for localhost only; behind a proxy, the operator allows the host name with"
            " --web-origin.",
            "Dieser Server antwortet nur als localhost; hinter einem Proxy erlaubt der Betreiber den Namen mit"
            " --web-origin.",
        )
        super().__init__("HOST_NOT_ALLOWED", message, {"host": host})
