"""What a client has done itself, so that whatever it reads afterwards has seen it."""

from __future__ import annotations

from google.protobuf.message import Message

MOST_GAMES = 1000


class OwnWrites:
    """The versions of a client's last writes, by game.

    A service may be several processes, and the one that is asked may not have heard yet of what another one was told.
    May be used from several threads: what is forgotten, or noted a moment late, is what nobody has said to be needed.
    """

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}

    def ask(self, request: Message) -> None:
        """Have a read wait for what was written last, unless it says a version, or how new it has to be, itself."""
        fields = request.DESCRIPTOR.fields_by_name
        if "min_version" not in fields or request.HasField("min_version"):
            return
        if "version" in fields and request.HasField("version"):
            return
        written = self._versions.get(getattr(request, "game_id", ""))
        if written is not None:
            request.min_version = written  # type: ignore[attr-defined]

    def note(self, request: Message, answer: object) -> None:
        """Remember what came of a write; what came of anything else is none."""
        version = getattr(answer, "version", 0)
        if "command_id" not in request.DESCRIPTOR.fields_by_name or not version:
            return
        game = getattr(request, "game_id", "")
        if len(self._versions) >= MOST_GAMES and game not in self._versions:
            self._versions.clear()
        self._versions[game] = max(version, self._versions.get(game, 0))
