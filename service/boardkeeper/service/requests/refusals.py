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

    ``violations`` says what is wrong with each field, by its path; an empty path stands for the request as a whole.
    """

    code = StatusCode.INVALID_ARGUMENT

    def __init__(self, violations: Mapping[str, str]) -> None:
        """What is wrong is a ``Sentence`` wherever it is said here."""
        text = "; ".join(f"{field}: {problem}" if field else problem for field, problem in violations.items())
        super().__init__("BAD_REQUEST", text)
        self.violations = dict(violations)


class MetadataTooLargeError(Refusal):
    """The call's metadata have more entries than any client of ours sends."""

    code = StatusCode.RESOURCE_EXHAUSTED

    def __init__(self, most: int) -> None:
        super().__init__(
            "METADATA_TOO_LARGE",
            Sentence(
                f"The metadata of a call may have {most} entries.",
                f"Die Metadaten eines Aufrufs dürfen {most} Einträge haben.",
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
                "The request's message did not arrive in time.", "Die Nachricht der Anfrage kam nicht rechtzeitig an."
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
            "The operator of this service has removed this game.",
            "Der Betreiber dieses Dienstes hat dieses Spiel entfernt.",
        )
        super().__init__("GAME_REMOVED", message, {"game": str(game), "time": str(time)})


class OperatorOnlyError(Refusal):
    """Only the operator may do this, with the operator's token."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self) -> None:
        message = Sentence(
            "Only the operator of this service may do this, with the operator's token.",
            "Das darf nur der Betreiber dieses Dienstes, mit seinem Token.",
        )
        super().__init__("OPERATOR_ONLY", message)


class PlatformOnlyError(Refusal):
    """Only the platform whose game it is, or an operator, may do this or be told it."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self) -> None:
        message = Sentence(
            "Only the platform that the game belongs to may do this, with its key and about its own games.",
            "Das darf nur die Plattform, der das Spiel gehört, mit ihrem Schlüssel und in ihren eigenen Spielen.",
        )
        super().__init__("PLATFORM_ONLY", message)


class SeatTakenError(Refusal):
    """Somebody has the seat."""

    def __init__(self, seat: int) -> None:
        message = Sentence(f"Seat {seat} is taken.", f"Platz {seat} ist besetzt.")
        super().__init__("SEAT_TAKEN", message, {"seat": str(seat)})


class NoFreeSeatError(Refusal):
    """Somebody has each seat."""

    def __init__(self) -> None:
        message = Sentence("Every seat of the game is taken.", "Alle Plätze des Spiels sind besetzt.")
        super().__init__("NO_FREE_SEAT", message)


class InvitationMissingError(Refusal):
    """Free seats of the game are for who is invited."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self) -> None:
        message = Sentence(
            "This game is joined with an invitation only: ask whoever made it, or sits there, for one.",
            "Diesem Spiel tritt nur bei, wer eingeladen ist: Einladungen macht, wer es begonnen hat oder mitspielt.",
        )
        super().__init__("INVITATION_MISSING", message)


class InvitationWrongError(Refusal):
    """Nobody was invited to the game with that code."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self) -> None:
        message = Sentence(
            "That is no invitation to this game: was its code copied whole?",
            "Das ist keine Einladung zu diesem Spiel: Ist der Code vollständig?",
        )
        super().__init__("INVITATION_WRONG", message)


class InvitationEndedError(Refusal):
    """The invitation was good once; ``state`` is ``used``, ``revoked`` or ``expired``."""

    def __init__(self, state: str) -> None:
        words = {"used": "schon benutzt", "revoked": "widerrufen", "expired": "abgelaufen"}
        message = Sentence(
            f"The invitation is {state}: ask for another one.",
            f"Die Einladung ist {words.get(state, state)}: Es braucht eine neue.",
        )
        super().__init__("INVITATION_ENDED", message, {"state": state})


class InvitationNotFoundError(Refusal):
    """The game has no invitation of that id."""

    code = StatusCode.NOT_FOUND

    def __init__(self) -> None:
        message = Sentence("The game has no such invitation.", "Das Spiel hat keine solche Einladung.")
        super().__init__("INVITATION_NOT_FOUND", message)


class TooManyInvitationsError(Refusal):
    """So many invitations were made to a game."""

    code = StatusCode.RESOURCE_EXHAUSTED

    def __init__(self, most: int) -> None:
        message = Sentence(
            f"A game has at most {most} invitations: hand out one of those that there are.",
            f"Ein Spiel hat höchstens {most} Einladungen: Vergib eine von denen, die es gibt.",
        )
        super().__init__("TOO_MANY_INVITATIONS", message, {"most": str(most)})


class TokenExpiredError(Refusal):
    """The token was the seat's, until a time (milliseconds since 1970)."""

    code = StatusCode.UNAUTHENTICATED

    def __init__(self, seat: int, time: int) -> None:
        message = Sentence(
            f"The token of seat {seat} has expired: the platform of the game, or the operator, gives another one.",
            f"Das Token von Platz {seat} ist abgelaufen: Ein neues gibt die Plattform des Spiels oder der Betreiber.",
        )
        super().__init__("TOKEN_EXPIRED", message, {"seat": str(seat), "time": str(time)})


class KeyMissingError(Refusal):
    """The service wants the key of a platform, and the call has none."""

    code = StatusCode.UNAUTHENTICATED

    def __init__(self) -> None:
        message = Sentence(
            "Send a platform's key as metadata 'authorization: Bearer bk_…', or as 'x-boardkeeper-key' beside a seat's"
            " token.",
            "Der Schlüssel einer Plattform gehört in die Metadaten, als 'authorization: Bearer bk_…' oder neben dem"
            " Token eines Platzes als 'x-boardkeeper-key'.",
        )
        super().__init__("KEY_MISSING", message)


class KeyWrongError(Refusal):
    """The key is nobody's, or the call has two."""

    code = StatusCode.UNAUTHENTICATED
    is_guess = True

    def __init__(self) -> None:
        message = Sentence(
            "This service does not know that key: was it copied whole, and made for this service?",
            "Diesen Schlüssel kennt der Dienst nicht: Ist er vollständig und für diesen Dienst gemacht?",
        )
        super().__init__("KEY_WRONG", message)


class KeyEndedError(Refusal):
    """The key was good once; its id is told, for whoever sends it has had all of it."""

    code = StatusCode.UNAUTHENTICATED

    def __init__(self, key_id: str) -> None:
        message = Sentence(
            f"The key {key_id} was revoked or has expired: ask the operator of this service for a new one.",
            f"Der Schlüssel {key_id} wurde widerrufen oder ist abgelaufen: Der Betreiber dieses Dienstes macht neue.",
        )
        super().__init__("KEY_ENDED", message, {"key": key_id})


class CertificateTakenError(Refusal):
    """The name of a certificate stands for another key already."""

    code = StatusCode.ALREADY_EXISTS

    def __init__(self) -> None:
        message = Sentence(
            "Another key has that name of a certificate: revoke it first.",
            "Diesen Namen eines Zertifikats hat schon ein anderer Schlüssel, der zuerst zu widerrufen ist.",
        )
        super().__init__("CERTIFICATE_TAKEN", message)


class ScopeMissingError(Refusal):
    """The key is not for what was asked."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self, key_id: str, scope: str) -> None:
        message = Sentence(
            f"The key {key_id} lacks the scope {scope!r}, which this needs.",
            f"Dem Schlüssel {key_id} fehlt dafür die Berechtigung {scope!r}.",
        )
        super().__init__("SCOPE_MISSING", message, {"key": key_id, "scope": scope})


class NoSpectatorsError(Refusal):
    """Nobody watches this game but who sits there and the platform that it belongs to."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self) -> None:
        message = Sentence(
            "This game has no spectators: send the token of a seat in it.",
            "Diesem Spiel sieht niemand zu: Dazu gehört das Token eines Platzes.",
        )
        super().__init__("NO_SPECTATORS", message)


class GameDamagedError(Refusal):
    """The stored events of the game were changed from that version on; what comes before can still be read."""

    def __init__(self, version: int) -> None:
        super().__init__(
            "GAME_DAMAGED",
            Sentence(
                f"The stored events of this game are damaged from version {version} on; nothing more is accepted.",
                f"Die gespeicherten Ereignisse sind ab Version {version} beschädigt; das Spiel nimmt nichts mehr an.",
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
                "The list of games is damaged; games can still be asked for by their ids.",
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
                "What is stored there is damaged.",
                "Was dort gespeichert ist, ist beschädigt.",
            ),
        )


class GameExistsError(Refusal):
    """A game of that id is here already."""

    code = StatusCode.ALREADY_EXISTS

    def __init__(self, game: UUID) -> None:
        super().__init__(
            "GAME_EXISTS",
            Sentence(f"This game is here already, as {game}.", f"Dieses Spiel ist schon hier, als {game}."),
            {"game": str(game)},
        )


class RecordRefusedError(Refusal):
    """A record does not hold; this is the first thing that is wrong with it."""

    code = StatusCode.INVALID_ARGUMENT

    def __init__(self, level: str, line: int, version: int, problem: str) -> None:
        where, wo = (f" (line {line})", f" (Zeile {line})") if line else ("", "")
        super().__init__(
            "RECORD_REFUSED",
            Sentence(
                f"The record does not hold on the level {level!r}{where}: {problem}",
                f"Die Aufzeichnung hält auf der Stufe {level!r} nicht{wo}: {in_language(problem, 'de')}",
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


class NoPositionsHereError(Refusal):
    """The title's boards are not read back, so no game of it begins from one."""

    code = StatusCode.INVALID_ARGUMENT

    def __init__(self, title: str) -> None:
        message = Sentence(
            f"Games of {title!r} do not begin from positions; fork a game instead.",
            f"Partien von {title!r} beginnen nicht mit Stellungen; zweigen Sie stattdessen von einer Partie ab.",
        )
        super().__init__("NO_POSITIONS", message, {"title": title})


class NoTokenError(Refusal):
    """The call acts for a seat but brings no token."""

    code = StatusCode.UNAUTHENTICATED

    def __init__(self) -> None:
        super().__init__(
            "TOKEN_MISSING",
            Sentence(
                "Send the seat's token as metadata 'authorization: Bearer <token>'.",
                "Das Token des Platzes gehört in die Metadaten, als 'authorization: Bearer <token>'.",
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
            Sentence(f"The token is not that of {whose}.", f"Das Token ist nicht das {wessen}."),
            {"seat": str(seat)},
        )


class VersionConflictError(Refusal):
    """The game has moved on since the version that the caller looked at."""

    code = StatusCode.ABORTED

    def __init__(self, expected: int, version: int) -> None:
        super().__init__(
            "VERSION_CONFLICT",
            Sentence(
                f"The game is at version {version}, not {expected}.",
                f"Das Spiel steht bei Version {version}, nicht {expected}.",
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
            f"Das Spiel steht bei Version {version}; eine Version {wanted} hat es nicht.",
        )
        super().__init__("VERSION_OUT_OF_RANGE", message, {"version": str(version)})


class RequestReusedError(Refusal):
    """The id of an idempotent request was used for another request before."""

    code = StatusCode.ALREADY_EXISTS

    def __init__(self) -> None:
        super().__init__(
            "REQUEST_ID_REUSED",
            Sentence(
                "This request_id belongs to a request with other contents.",
                "Diese request_id gehört zu einer Anfrage mit anderem Inhalt.",
            ),
        )


class NoPersonError(Refusal):
    """Nobody has the seat who could have a token of it."""

    def __init__(self, seat: int) -> None:
        message = Sentence(
            f"Seat {seat} is free, a bot's or the rules' own: it has no token.",
            f"Platz {seat} ist frei oder gehört einem Bot oder den Regeln: Er hat kein Token.",
        )
        super().__init__("NO_PERSON", message, {"seat": str(seat)})


class SeatOfTheRulesError(Refusal):
    """A person or a bot is to have a seat that the rules play."""

    code = StatusCode.INVALID_ARGUMENT

    def __init__(self, seat: int) -> None:
        super().__init__(
            "SEAT_PLAYED_BY_RULES",
            Sentence(
                f"The rules play seat {seat} of this game: ask for 'automa' there, or for nobody if it is the last.",
                f"Platz {seat} dieses Spiels spielen die Regeln: dort 'automa' angeben, oder niemanden, wenn es der"
                " letzte ist.",
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
                f"The rules do not play seat {seat} of this game: it is for a person or a bot.",
                f"Platz {seat} dieses Spiels spielen nicht die Regeln: er ist für einen Menschen oder einen Bot.",
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
                f"With this choice for {chosen} there is nobody to play against: leave it out, or ask for two seats.",
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
            Sentence("The service has more to do than it takes on.", "Der Dienst hat mehr zu tun, als er annimmt."),
        )


_LIMITS = {
    "reads": ("TOO_MANY_READS", "reads", "Lesezugriffe"),
    "commands": ("TOO_MANY_COMMANDS", "commands", "Befehle"),
    "creations": ("TOO_MANY_CREATIONS", "new games", "neue Spiele"),
    "forks": ("TOO_MANY_FORKS", "forks", "Abzweigungen"),
    "imports": ("TOO_MANY_IMPORTS", "imports", "Importe"),
    "history": ("TOO_MANY_HISTORY_READS", "reads of histories and records", "Abrufe von Verläufen und Aufzeichnungen"),
    "failures": ("TOO_MANY_FAILURES", "wrong keys and tokens", "falsche Schlüssel und Token"),
    "bytes_in": ("TOO_MANY_BYTES_IN", "bytes sent to the service", "an den Dienst gesandte Bytes"),
    "bytes_out": ("TOO_MANY_BYTES_OUT", "bytes sent by the service", "vom Dienst gesandte Bytes"),
    "work": ("TOO_MUCH_WORK", "milliseconds of long work", "Millisekunden langer Arbeit"),
    "openings": ("TOO_MANY_STREAMS_OPENED", "streams opened one after the other", "nacheinander geöffnete Ströme"),
    "webhook_tests": ("TOO_MANY_WEBHOOK_TESTS", "test messages to webhooks", "Testnachrichten an Webhooks"),
    "calls": ("TOO_MANY_CALLS", "calls at once", "gleichzeitige Aufrufe"),
    "streams": ("TOO_MANY_STREAMS", "open streams", "offene Ströme"),
    "watchers": ("TOO_MANY_WATCHERS", "watched games", "beobachtete Spiele"),
    "games_per_day": ("TOO_MANY_GAMES_TODAY", "new games today", "neue Spiele heute"),
    "import_bytes_per_day": ("TOO_MANY_BYTES_IMPORTED", "bytes imported today", "heute importierte Bytes"),
    "games": ("TOO_MANY_GAMES", "stored games", "gespeicherte Spiele"),
}
LIMIT_REASONS = tuple(reason for reason, *_ in _LIMITS.values())
"""What is said of limits that were reached, a reason for each."""

_WHOM = {
    "key": ("for this key", "für diesen Schlüssel"),
    "address": ("for this address", "für diese Adresse"),
    "game": ("for this game", "für dieses Spiel"),
    "platform": ("for this platform", "für diese Plattform"),
    "service": ("for all together", "für alle zusammen"),
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
                f"Too many {what}: {most} {whom}. Try again in {seconds} s.",
                f"Zu viele {was}: {most} {wen}. Bitte in {seconds} s noch einmal.",
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
                f"{most} games of bots alone wait for their turn already; try again later, or take a seat.",
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
                f"The events came faster than they were read; watch again after version {version}.",
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
            "What happened was not read fast enough; go on behind the last cursor.",
            "Was geschah, wurde nicht schnell genug gelesen; bitte hinter dem letzten Cursor weiterlesen.",
        )
        super().__init__("TOO_SLOW", message, {"cursor": cursor})


class FeedCursorExpiredError(Refusal):
    """Items behind a cursor are not kept any more."""

    code = StatusCode.OUT_OF_RANGE

    def __init__(self) -> None:
        message = Sentence(
            "What came behind that cursor is not kept any more; begin without a cursor, and list the games.",
            "Was hinter diesem Cursor kam, ist nicht mehr da; bitte ohne Cursor beginnen und die Spiele auflisten.",
        )
        super().__init__("FEED_CURSOR_EXPIRED", message)


class FeedCursorLostError(Refusal):
    """A cursor is of another feed, or of what this one was before its database was set back."""

    code = StatusCode.OUT_OF_RANGE

    def __init__(self) -> None:
        message = Sentence(
            "The feed does not have that cursor; begin without one, and list the games.",
            "Diesen Cursor hat der Feed nicht; bitte ohne Cursor beginnen und die Spiele auflisten.",
        )
        super().__init__("FEED_CURSOR_LOST", message)


class UnknownWebhookError(Refusal):
    """There is no endpoint of that id, as far as the caller is concerned."""

    code = StatusCode.NOT_FOUND

    def __init__(self) -> None:
        super().__init__(
            "WEBHOOK_NOT_FOUND", Sentence("There is no such webhook.", "Einen solchen Webhook gibt es nicht.")
        )


class TooManyWebhooksError(Refusal):
    """A platform has as many endpoints as it can have."""

    code = StatusCode.RESOURCE_EXHAUSTED

    def __init__(self, most: int) -> None:
        message = Sentence(
            f"A platform has {most} webhooks at the most; remove one first.",
            f"Eine Plattform hat höchstens {most} Webhooks; bitte erst einen entfernen.",
        )
        super().__init__("TOO_MANY_WEBHOOKS", message, {"most": str(most)})


class WebhooksNotInstalledError(Refusal):
    """The service lacks packages that webhooks need."""

    def __init__(self, package: str) -> None:
        message = Sentence(
            "This service sends no webhooks: its operator has to install 'boardkeeper[webhooks]'.",
            "Dieser Dienst sendet keine Webhooks: sein Betreiber muss 'boardkeeper[webhooks]' installieren.",
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
                "The command could not be stored; send it again with the same id.",
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
                "Others acted in this game at the same time, again and again; send the command again with the same id.",
                "In diesem Spiel waren andere immer wieder schneller; bitte mit derselben Kennung noch einmal senden.",
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
                "The service could not read what it has stored; ask again.",
                "Der Dienst konnte nicht lesen, was er gespeichert hat; bitte noch einmal fragen.",
            ),
        )


class ArchiveUnreadableError(Refusal):
    """A game was archived, and the archive does not give its events; other games are none the worse."""

    code = StatusCode.UNAVAILABLE

    def __init__(self, game: UUID) -> None:
        super().__init__(
            "ARCHIVE_UNREADABLE",
            Sentence(
                "The game was archived, and its file cannot be read; whoever runs the service has to bring it back.",
                "Das Spiel ist ausgelagert, und seine Datei lässt sich nicht lesen; wer den Dienst betreibt, muss sie"
                " zurückbringen.",
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
                "The files of the service's database were removed or replaced; nothing is accepted until they are back,"
                " or the service is started again.",
                "Die Dateien der Datenbank des Dienstes wurden entfernt oder ersetzt; er nimmt nichts an, bis sie"
                " wieder da sind oder er neu gestartet wird.",
            ),
        )


class ShuttingDownError(Refusal):
    """The service is going down; the next one will answer after about ``retry_seconds``."""

    code = StatusCode.UNAVAILABLE
    retry_seconds = 1.0

    def __init__(self) -> None:
        super().__init__("SHUTTING_DOWN", Sentence("The service is shutting down.", "Der Dienst wird beendet."))


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
        message = Sentence(f"A message may have {most} bytes.", f"Eine Nachricht darf {most} Bytes haben.")
        super().__init__("REQUEST_TOO_LARGE", message, {"most": str(most)})


class UnknownCompressionError(Refusal):
    """A message over HTTP came compressed in a way that is not known."""

    code = StatusCode.UNIMPLEMENTED

    def __init__(self, encoding: str) -> None:
        message = Sentence(
            "Messages may be compressed with gzip alone.", "Nachrichten dürfen nur mit gzip komprimiert sein."
        )
        super().__init__("COMPRESSION_UNKNOWN", message, {"encoding": encoding})


class UnknownRpcError(Refusal):
    """There is no such rpc at the port for browsers, or it is one that ``streams``, or does not."""

    code = StatusCode.UNIMPLEMENTED

    def __init__(self, path: str, *, streams: bool | None = None) -> None:
        message = Sentence(f"There is no rpc at '{path}'.", f"Unter '{path}' gibt es keinen Aufruf.")
        if streams is True:
            message = Sentence(
                "That rpc is a stream: send it as application/connect+json, application/connect+proto or gRPC-Web.",
                "Dieser Aufruf ist ein Strom: als application/connect+json, application/connect+proto oder gRPC-Web"
                " zu senden.",
            )
        elif streams is False:
            message = Sentence(
                "That rpc is no stream: send it as application/json, application/proto or gRPC-Web.",
                "Dieser Aufruf ist kein Strom: als application/json, application/proto oder gRPC-Web zu senden.",
            )
        super().__init__("RPC_NOT_FOUND", message, {"path": path})


class BothWaysError(Refusal):
    """An rpc that streams both ways cannot be called over HTTP/1.1."""

    code = StatusCode.UNIMPLEMENTED

    def __init__(self, path: str) -> None:
        message = Sentence(
            "Browsers cannot stream both ways: use SubmitCommands for what a seat does, and WatchGame beside it.",
            "Browser können nicht in beide Richtungen strömen: SubmitCommands tut, was ein Platz tut, und WatchGame"
            " sieht zu.",
        )
        super().__init__("NOT_OVER_HTTP", message, {"path": path})


class ForeignOriginError(Refusal):
    """A page called that is not the service's own, nor one that its settings name."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self, origin: str) -> None:
        message = Sentence(
            "Pages of that origin may not call this service; its operator can let them, with --web-origin.",
            "Seiten dieser Herkunft dürfen diesen Dienst nicht aufrufen; der Betreiber kann es mit --web-origin"
            " erlauben.",
        )
        super().__init__("ORIGIN_NOT_ALLOWED", message, {"origin": origin})


class ForeignHostError(Refusal):
    """A request to a port of this machine alone, by a name that this machine does not have."""

    code = StatusCode.PERMISSION_DENIED

    def __init__(self, host: str) -> None:
        message = Sentence(
            "This service is asked for as localhost; behind a proxy its operator names the host with --web-origin.",
            "Dieser Dienst wird als localhost gerufen; hinter einem Proxy nennt der Betreiber den Namen mit"
            " --web-origin.",
        )
        super().__init__("HOST_NOT_ALLOWED", message, {"host": host})
