"""The command ``boardkeeper watch``."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.errors import DONE, FAILED
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.texts import texts


@cli.command()
@cli.game_argument()
@cli.flag(
    "--after",
    metavar="VERSION",
    type=values.version_before,
    default=0,
    help="start after this version (default: 0, the beginning)",
)
@cli.switch("--verbose", help=cli.VERBOSE_HELP)
@cli.location_flags()
@cli.language_flag
@cli.output_flags
def watch(arguments: cli.Arguments, output: Output) -> int:
    """Print the events of a game as sentences: first the past events, then new ones until the game ends.

    A lost connection is restored without missing or repeating an event.

    examples:
      boardkeeper watch 4f1c…
      boardkeeper watch 4f1c… --after 120 --json
    """
    from boardkeeper.client.cursors import ENDED
    from boardkeeper.terminal.connections import load_viewpoint, warn_of_damage
    from boardkeeper.terminal.locations import open_game
    from boardkeeper.terminal.log import Log

    with open_game(arguments, output, reconnect=True) as found:
        client, game = found.client, found.game
        warn_of_damage(game, arguments.language, output)
        viewpoint = load_viewpoint(client, game, arguments.language)
        log = Log(output, viewpoint, short=not arguments.verbose, versions=True)
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
