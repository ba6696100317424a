"""The command ``boardkeeper demo``."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.output import Output


@cli.command()
@cli.new_game_flags(usual_players=4)
@cli.flag("--seed", metavar="S", type=int, help="seed for all randomness (default: a new one)")
@cli.flag("--record", metavar="FILE", help="save the game record to this file")
@cli.switch("--in-service", help="run the bots inside the server, not as clients")
@cli.switch("--verbose", help=cli.VERBOSE_HELP)
@cli.language_flag
@cli.output_flags
def demo(arguments: cli.Arguments, output: Output) -> int:
    """Let bots play a whole game on a temporary server, and print the game log and the final scores.

    The bots are ordinary clients of the server.

    --seed fixes all randomness: the bots' choices, the dice and the game id. The same arguments then give the same
    game, except for times and signatures. Without --seed a new seed is chosen and shown. Only demo games use dice from
    a seed.

    examples:
      boardkeeper demo
      boardkeeper demo --players 5 --bots sensible,random --seed 7 --language de
      boardkeeper demo --edition dlp-2014 --choose planning=sealed
      boardkeeper demo --record game.jsonl
      boardkeeper demo --json | jq -r .sentence
    """
    from boardkeeper.terminal.demo_game import play_demo

    return play_demo(arguments, output)
