"""Which rate each rpc counts for. What is not named here counts for what its scope suggests: none is forgotten."""

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
    """How calls of an rpc are counted.

    ``rate`` is one of those of :mod:`~boardkeeper.service.limits.limits`, ``None`` for services that are not ours, such
    as health, whose answers must not depend on how often somebody asks. ``is_stream`` tells whether it answers with a
    stream. ``of_each_message`` tells whether each message of a client's stream takes one, as on ``Play``.
    """

    rate: int | None
    is_stream: bool
    of_each_message: bool


def kind_of(rpc: str, scope: str, *, own: bool, is_stream: bool) -> Kind:
    """How calls of an rpc are counted that needs a scope."""
    rate = _BY_NAME.get(rpc, _BY_SCOPE.get(scope, READS)) if own else None
    return Kind(rate, is_stream, rate is not None and rate != IMPORTS)
