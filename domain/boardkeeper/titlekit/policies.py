"""Cheap policies for searches and rollouts: a score for each legal command, and an evaluation of a running game.

A title brings a :class:`CommandPolicy` beside its bots. It is optional: without one, searches play at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from msgspec import Struct

from boardkeeper.titlekit.title import Title


class CommandPolicy(NamedTuple):
    """The policy of a title. Both functions take a play on a redacted or determinised table and do not change it.

    The results depend only on what the seat sees: on a determinised table, the functions do not read the components
    that stand for hidden ones.
    """

    scores: Callable[[Any, int, Sequence[Struct]], list[float]]
    """Takes a play, the deciding seat and its legal commands. Returns a score for each command, in their order: the
    expected gain in points. Higher is better. Scores are comparable within one decision only. Divided by a temperature,
    they are the logits of a softmax distribution: 0.3 plays nearly as well as the best command, 1 suits the prior of a
    search."""

    evaluate: Callable[[Any], list[float]]
    """Takes a play and returns the expected final points of each seat, that of seat 1 first."""

    stage: Callable[[Any], int] | None = None
    """Takes a play and returns a number that grows during the game, usually the round. Searches evaluate at its
    changes, because the evaluation is most reliable there. ``None``: searches play to the end of the game."""


@runtime_checkable
class PolicyTitle(Protocol):
    """A title that can have a policy."""

    @property
    def policy(self) -> CommandPolicy | None:
        """The policy, or ``None``."""


def policy_of(title: Title) -> CommandPolicy | None:
    """Return the policy of a title, or ``None`` if it has none."""
    return title.policy if isinstance(title, PolicyTitle) else None
