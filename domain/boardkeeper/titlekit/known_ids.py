"""Report unknown ids in rejected commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import fields

from boardkeeper.table.rejections import Rejection


class KnownIds:
    """The ids that the fields of a title's commands may name."""

    __slots__ = ("_codes", "by_field")

    def __init__(self, known: Mapping[str, Iterable[str]], codes: Iterable[str] = ()) -> None:
        """``known`` has the ids that each field may name; an empty id means that the field may be empty.

        ``codes`` are codes of rejections that already report unknown ids, like all that begin with ``UNKNOWN_``.
        """
        self.by_field = {field: frozenset(ids) for field, ids in known.items()}
        self._codes = frozenset(codes)

    def check(self, command: Struct, rejection: Rejection) -> Rejection:
        """Return a rejection for the first unknown id in a rejected command, or ``rejection`` if all ids are known.

        A field whose default is empty may be empty. Source: table.known_ids.
        """
        if rejection.code.startswith("UNKNOWN_") or rejection.code in self._codes:
            return rejection
        for field in fields(type(command)):
            id = getattr(command, field.name)
            known = self.by_field.get(field.name)
            if known is None or id in known or (not id and field.default == ""):
                continue
            values = {"field": field.name, "id": id, "known": ", ".join(sorted(filter(None, known)))}
            return Rejection("UNKNOWN_ID", "table.known_ids", values)
        return rejection
