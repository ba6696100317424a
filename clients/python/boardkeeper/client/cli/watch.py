"""``boardkeeper watch``: follow a game."""

from __future__ import annotations

from argparse import Namespace

from boardkeeper.client.cli.log import Log
from boardkeeper.client.cli.output import DONE, Output
from boardkeeper.client.cli.session import find_game, look_at, stay_connected
from boardkeeper.client.drawing.drawing import drawing_of
from boardkeeper.client.watching import ENDED


def run(arguments: Namespace, output: Output) -> int:
    """Print events until the game is over."""
    with stay_connected(arguments.server, arguments.language) as client:
        game = find_game(client, arguments.game)
        look = look_at(client, game, arguments.language)
        log = Log(output, drawing_of(game.title), look, short=not arguments.verbose, versions=True)
        for event in client.watch(game.game_id, after_version=arguments.after):
            log.show(event)
            if event.name == ENDED:
                break
    return DONE
