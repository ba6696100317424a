"""Records of games for tests, with signatures that need no cryptography."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.game.games import join_all, start
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
    test_titles: dict[str, Title] = {"tiny": TINY, "nations": NATIONS}
    return test_titles[id] if id in test_titles else load_registered(id)


def check(lines: Sequence[bytes]) -> Report:
    """Audit a record."""
    return audit(lines, load_title, verify_signature)


def finished_game(seed: int = 1, title: Title = TINY, seats: int = 2, setup: Setup | None = None) -> list[GameEvent]:
    """Return the events of a finished game."""
    if setup is None:
        game, events = start(*[b"mine", b"", b"yours", b""][:seats], title=title)
    else:
        game, events = create_game(ID, title, setup, ["person"] * setup.players, SECRET, "test", "", 1)
        game.commit(events)
        join_all(game, events)
    return events + finish_game(game, Random(seed))


def game_with_undos(seed: int, title: Title = TINY) -> list[GameEvent]:
    """Return the events of a finished game with free undos and undos after a vote."""
    game, events = start(b"a", b"b", title=title)
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
