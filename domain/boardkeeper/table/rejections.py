"""Rejections: the result of a command that the rules do not allow."""

from __future__ import annotations

from msgspec import Struct


class Rejection(Struct, frozen=True):
    """Why the rules reject a command; the table is unchanged.

    ``code`` is stable and in SCREAMING_SNAKE_CASE. ``rule`` is the id of the rule that forbids the command
    (``title.topic.rule``). ``values`` are the facts that the explanation mentions, as short strings.
    """

    code: str
    rule: str
    values: dict[str, str] = {}
