"""The command ``boardkeeper play``."""

from __future__ import annotations

import click

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.output import Output


@cli.command()
@cli.argument("resumed", "GAME", required=False, help="continue this game instead of starting one")
@cli.location_flags("play on this server", "store the game in this database file (default: a new file of your own)")
@cli.new_game_flags(usual_players=3)
@cli.flag("--open", metavar="N", type=values.seat_count, default=0, help="leave N seats open for other people")
@cli.flag(
    "--time",
    metavar="TIME",
    type=values.time_control,
    help="time limit for people: per move (90s/move, 3d/move), per game (20m), or per game with extra time for each"
    " turn (20m+10s) (default: no limit)",
)
@cli.flag(
    "--on-expiry",
    choices=("bot", "resign"),
    default="bot",
    help="with --time: what happens when a player's time runs out: a bot takes over, or the player resigns",
)
@cli.flag("--name", default="", help="your name in the game (default: your login name)")
@cli.flag("--game", metavar="GAME", help="same as GAME")
@cli.file_flag("--position", help="start from this position; it sets title, edition and number of seats")
@cli.switch("--resume", help="continue the game that you played last")
@cli.flag(
    "--entropy",
    metavar="HEX",
    type=values.entropy,
    help="your entropy for the dice, up to 64 bytes (default: random bytes)",
)
@cli.switch("--join", help="with GAME: join the game in an open seat")
@cli.switch(
    "--no-auto-pass", "auto_pass", flag_value=False, default=True, help="ask for a move even if passing is the only one"
)
@cli.language_flag
@cli.color_flag
def play(arguments: cli.Arguments, output: Output) -> int:
    """Play a game in this terminal, against bots or other people.

    With --server the game is stored on that server. Without it, the game is stored in a file of your own, and a server
    for it runs while you play. Other commands find the game by its id, also while you play. Your seat is saved, so you
    can leave and continue later.

    examples:
      boardkeeper play                                          start a game against two bots
      boardkeeper play --players 4 --bots random                start a game against three random bots
      boardkeeper play --position position.json                 start from a position (see 'show --position')
      boardkeeper play 4f1c…                                    continue a game
      boardkeeper play --resume                                 continue the game that you played last
      boardkeeper play --server host:8050 --open 1             leave a seat open for a friend, who then types:
      boardkeeper play 4f1c… --server host:8050 --join
      boardkeeper play --time 20m+10s --on-expiry resign        play with a turn timer
    """
    from boardkeeper.terminal.play_game import play_game

    if arguments.resumed:
        if arguments.game and arguments.game != arguments.resumed:
            raise click.UsageError("Name only one game to continue, as GAME or with --game.")
        arguments.game = arguments.resumed
    return play_game(arguments, output)
