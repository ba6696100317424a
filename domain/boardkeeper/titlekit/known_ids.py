"""Whether a command names what there is: an id that nothing has is refused as that, whatever else is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import fields

from boardkeeper.table.rejections import Rejection


class KnownIds:
    """The ids that the fields of a title's commands may name."""

    __slots__ = ("_known", "_said_otherwise")

    def __init__(self, known: Mapping[str, Iterable[str]], said_otherwise: Iterable[str] = ()) -> None:
        """``known`` by the name of the field; ``said_otherwise`` are codes that name what is unknown already.

        Codes that begin with ``UNKNOWN_`` always do. An empty id in ``known`` is for a field without a default in which
        some command names nothing.
        """
        self._known = {field: frozenset(ids) for field, ids in known.items()}
        self._said_otherwise = frozenset(said_otherwise)

    @property
    def by_field(self) -> Mapping[str, frozenset[str]]:
        """What each field may name, an empty id among it where a command may name nothing."""
        return self._known

    def refused(self, command: Struct, rejection: Rejection) -> Rejection:
        """The refusal of a command: for the first of its ids that nothing has, if there is one, else as it was judged.

        It is asked for commands that are refused only, so it costs no command anything that is carried out. A field
        whose default is empty may be left so. Source: table.known_ids.
        """
        if rejection.code.startswith("UNKNOWN_") or rejection.code in self._said_otherwise:
            return rejection
        for field in fields(type(command)):
            id = getattr(command, field.name)
            there = self._known.get(field.name)
            if there is None or id in there or (not id and field.default == ""):
                continue
            values = {"field": field.name, "id": id, "known": ", ".join(sorted(filter(None, there)))}
            return Rejection("UNKNOWN_ID", "table.known_ids", values)
        return rejection
