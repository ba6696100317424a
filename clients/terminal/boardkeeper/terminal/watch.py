"""``boardkeeper watch``: follow a game."""

from __future__ import annotations

from argparse import Namespace

from boardkeeper.client.cursors import ENDED
from boardkeeper.terminal.locations import open_game
from boardkeeper.terminal.log import Log
from boardkeeper.terminal.output import DONE, FAILED, Output
from boardkeeper.terminal.session import look_at, tell_of_damage
from boardkeeper.terminal.texts import texts


def run(arguments: Namespace, output: Output) -> int:
    """Print events until the game is over, or to the last one of a game that nobody can go on with meanwhile."""
    with open_game(arguments, output, patient=True) as found:
        client, game = found.client, found.game
        tell_of_damage(game, arguments.language, output)
        look = look_at(client, game, arguments.language)
        log = Log(output, look, short=not arguments.verbose, versions=True)
        follow = client.watch if found.is_live and not game.damaged_version else client.events
        for event in follow(game.game_id, after_version=arguments.after):
            log.show(event)
            if event.name == ENDED:
                break
        else:
            if game.damaged_version:
                return FAILED
            output.remark(texts(arguments.language)["at_rest"].format(game=game.game_id))
    return DONE
