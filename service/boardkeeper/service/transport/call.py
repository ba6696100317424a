"""One call as the servicers see it: metadata, caller, limits, and fields for its line in the log."""

from __future__ import annotations

from typing import Any

from google.rpc.status_pb2 import Status
from grpc import StatusCode
from grpc.aio import ServicerContext

from boardkeeper.service.auth.access_control import AccessControl
from boardkeeper.service.auth.caller import Caller
from boardkeeper.service.limits.addresses import FORWARDED
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.observability import logs
from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.requests.errors import ApiError, RejectedError
from boardkeeper.service.requests.texts import preferred_language
from boardkeeper.service.transport import call_ids
from boardkeeper.service.transport.call_limits import CallLimits
from boardkeeper.service.transport.statuses import status_of
from boardkeeper.titlekit.rules_catalogue import LANGUAGES

KEY_HEADER = "x-boardkeeper-key"
"""The header for an API key if ``authorization`` contains a seat token."""

VIEW_HEADER = "x-boardkeeper-view"
"""The header for the view of a caller with a key: the number of a seat, or ``operator``."""

Context = ServicerContext[Any, Any]


class Call:
    """One call.

    ``view`` is the view that the caller requests with :data:`VIEW_HEADER`. ``log_fields`` are
    fields of the call's line in the log. The guard sets the result: ``code``, and the ``reason`` of an error.
    """

    code = StatusCode.OK
    reason = ""
    id = ""
    language = LANGUAGES[0]
    view = ""

    def __init__(
        self, context: Context, access_control: AccessControl | None, counters: CallCounters, admission: Admission
    ) -> None:
        """Read the metadata, and add the call's id to its lines of the log and to the trailers of its answer."""
        authorization = key = ""
        forwarded: tuple[str, ...] = ()
        for name, value in context.invocation_metadata() or ():
            if name == "authorization":
                authorization = str(value)
            elif name == "accept-language":
                self.language = preferred_language(str(value))
            elif name == call_ids.HEADER:
                self.id = call_ids.accept_call_id(str(value))
            elif name == KEY_HEADER:
                key = str(value)
            elif name == VIEW_HEADER:
                self.view = str(value)
            elif name == FORWARDED:
                forwarded += (str(value),)
        if not self.id:
            self.id = call_ids.new_call_id()
        self.context = context
        self.log_fields: dict[str, object] = {}
        self.caller = Caller(context, access_control, authorization, key)
        self.limits = CallLimits(self.caller, context, forwarded, admission)
        self._counters = counters
        logs.call_id.set(self.id)
        context.set_trailing_metadata(((call_ids.HEADER, self.id),))

    def status_of(self, error: ApiError) -> Status:
        """Return an error with its details, in the caller's language."""
        return status_of(error, self.language, self.id)

    def count_stream_command(self, seconds: float) -> None:
        """Count a command of a stream, and its duration in seconds."""
        self._counters.play.observe(seconds)

    def count_stream_error(self, error: ApiError) -> ApiError:
        """Count an error of a request in a stream, and return the error to send."""
        error = self.limits.error_to_send(error)
        self._counters.count_error(counted_reason(error))
        return error


def counted_reason(error: ApiError) -> str:
    """Return the reason under which an error is counted: one for all rejections, because titles have very many."""
    return "RULES" if isinstance(error, RejectedError) else error.reason
