"""Records of games for tests, and a signature that needs no cryptography: whoever knows the public key can sign."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.game.games import started
from tests.service.nations_title import NATIONS
from tests.service.tiny_title import TINY

from boardkeeper.game.audit import Report, audit
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.record import key_id
from boardkeeper.testkit.games import ID, SECRET, Signer, finish_game, give, undo, verify_signature
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titles.registry import load_title as load_registered

ORLEANS = load_registered("orleans")


def load_title(id: str) -> Title:
    own: dict[str, Title] = {"tiny": TINY, "nations": NATIONS}  # they are in no registry
    return own[id] if id in own else load_registered(id)


def check(lines: Sequence[bytes]) -> Report:
    """What an audit says."""
    return audit(lines, load_title, verify_signature)


def finished(seed: int = 1, title: Title = TINY, seats: int = 2, setup: Setup | None = None) -> list[GameEvent]:
    """The events of a game that was played to its end."""
    if setup is None:
        game, events = started(*[b"mine", b"", b"yours", b""][:seats], title=title)
    else:
        game, events = create_game(ID, title, setup, ["person"] * setup.players, SECRET, "test", "", 1)
        game.commit(events)
        for seat in range(1, setup.players + 1):
            joined = game.join([seat], b"", "", 1)
            game.commit(joined)
            events += joined
    return events + finish_game(game, Random(seed))


def with_undos(seed: int, title: Title = TINY) -> list[GameEvent]:
    """A finished game in which commands were taken back, freely and by vote."""
    game, events = started(b"a", b"b", title=title)
    random = Random(seed)
    undos = 0
    while game.status == "running":
        seat = random.choice(game.table.deciding())
        events += give(game, seat, random.choice(game.legal(seat)))
        if game.status == "running" and undos < 6 and random.random() < 0.3:
            first = game.first_undo_version(seat)
            if isinstance(first, int):
                undos += 1
                undo(game, events, seat, f"undo {undos}")
    return events


KEY_ID = key_id(Signer().public_key)
