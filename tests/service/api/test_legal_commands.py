"""Encoded legal commands equal those of the shared conversion and its sentences."""

from __future__ import annotations

from itertools import product

import pytest
from tests.kit.adapters import adapter_of

from boardkeeper.game.sentences import offered_command, offered_commands, sentence
from boardkeeper.service.api.legal_commands import encode_legal_commands
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.setups import random_setup
from boardkeeper.titles.registry import TITLES
from boardkeeper.v1.command_pb2 import LegalCommand
from boardkeeper.v1.games_pb2 import ListLegalCommandsResponse
from boardkeeper.wire.convert import serialize
from boardkeeper.wire.messages import command_to_message, effect_to_message

NAMES = [("Ada", "Béa", "Cem", "Dora", "Eli"), ("Bot 1", "Seat 2", "A", "\U0001f3b2", "Z")]


@pytest.mark.parametrize("id", TITLES)
def test_encoding_in_every_language_and_with_every_name(id: str) -> None:
    adapter = adapter_of(id)
    sentences = set()
    for seed, players in enumerate(adapter.players):
        with playout(adapter, seed, random_setup(adapter.title, seed, players)) as game:
            while not game.play.is_over():
                effects = game.events[-1].effects
                if len(game.commands) % 7 == 0:
                    for seat, language, player_names in product(game.table.deciding(), ("en", "de"), NAMES):
                        names = player_names[: len(game.table.decisions) - 1]
                        legal = game.play.legal(seat)
                        shown = offered_commands(game.play, seat, legal)
                        assert shown == [offered_command(game.play, seat, command) for command in legal]
                        texts = [sentence(language, adapter.title, names, 0, offer) for offer in shown]
                        sentences.update(texts)
                        expected = [
                            LegalCommand(command=command_to_message(id, command), sentence=text)
                            for command, text in zip(legal, texts, strict=True)
                        ]
                        encoded = encode_legal_commands(language, adapter.title, names, legal, shown)
                        assert encoded == serialize(ListLegalCommandsResponse(commands=expected))
                        for message in expected[::2]:
                            message.effects.extend(map(effect_to_message, effects))
                        changes = [() if at % 2 else effects for at in range(len(legal))]
                        encoded = encode_legal_commands(language, adapter.title, names, legal, shown, changes)
                        assert encoded == serialize(ListLegalCommandsResponse(commands=expected))
                game.step()
    assert len(sentences) > 50
