"""Read-your-writes consistency: reads wait for the versions that this client wrote."""

from __future__ import annotations

from google.protobuf.message import Message

MAX_GAMES = 1000


class OwnWrites:
    """The versions of a client's last writes, by game.

    Several server processes may share a database, and a process may not have seen a write that another one committed.
    Threads may share this object without a lock: a lost entry only makes a read wait for less.
    """

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}

    def set_min_version(self, request: Message) -> None:
        """Set ``min_version`` of a read to this client's last write, unless the request sets a version."""
        fields = request.DESCRIPTOR.fields_by_name
        if "min_version" not in fields or request.HasField("min_version"):
            return
        if "version" in fields and request.HasField("version"):
            return
        written = self._versions.get(getattr(request, "game_id", ""))
        if written is not None:
            request.min_version = written  # type: ignore[attr-defined]

    def record(self, request: Message, response: object) -> None:
        """Store the version of a response if the request was a write."""
        version = getattr(response, "version", 0)
        if "command_id" not in request.DESCRIPTOR.fields_by_name or not version:
            return
        game = getattr(request, "game_id", "")
        if len(self._versions) >= MAX_GAMES and game not in self._versions:
            self._versions.clear()
        self._versions[game] = max(version, self._versions.get(game, 0))
