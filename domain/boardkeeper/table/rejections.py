"""Rejections are values: why a command cannot be carried out, with nothing changed."""

from __future__ import annotations

from msgspec import Struct


class Rejection(Struct, frozen=True):
    """A refused command.

    ``code`` is stable and in SCREAMING_SNAKE_CASE, ``rule`` the id of the rule that forbids it
    (``title.topic.rule``) and ``values`` what failed the predicate, as short strings.
    """

    code: str
    rule: str
    values: dict[str, str] = {}
