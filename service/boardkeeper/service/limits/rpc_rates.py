"""The rate that each RPC is charged to, by its name or else by its scope."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from boardkeeper.service.limits.limits import COMMANDS, CREATIONS, FORKS, HISTORY, IMPORTS, READS, WEBHOOK_TESTS

_BY_SCOPE: Mapping[str, int] = {
    "create": CREATIONS,
    "play": COMMANDS,
    "watch": READS,
    "history": HISTORY,
    "import": IMPORTS,
    "operate": COMMANDS,
}
_BY_NAME: Mapping[str, int] = {
    "Games.ForkGame": FORKS,
    "Games.CheckCommand": READS,
    "Games.ListLegalCommands": READS,
    "Games.ExplainRefusals": READS,
    "Webhooks.TestWebhook": WEBHOOK_TESTS,
}


class Kind(NamedTuple):
    """How calls of an RPC are counted.

    ``rate`` is a rate of :mod:`~boardkeeper.service.limits.limits`, or ``None`` for standard services such as health,
    which must not be limited. ``is_stream``: the RPC answers with a stream. ``charges_messages``: each message
    of a client's stream is charged, as on ``Play``.
    """

    rate: int | None
    is_stream: bool
    charges_messages: bool


def classify_call(rpc: str, scope: str, *, own: bool, is_stream: bool) -> Kind:
    """Return how calls of an RPC with this scope are counted. ``own``: the RPC is Boardkeeper's."""
    rate = _BY_NAME.get(rpc, _BY_SCOPE.get(scope, READS)) if own else None
    return Kind(rate, is_stream, rate is not None and rate != IMPORTS)
