"""The command ``boardkeeper film``."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.output import Output


@cli.command()
@cli.game_argument(f"{cli.GAME_HELP}; or a record file")
@cli.file_flag(
    "--out", metavar="FOLDER", required=True, help="new or empty folder, or the folder of the film to continue"
)
@cli.flag("--apng", metavar="FILE", help="also save all frames as an animated PNG; - for standard output")
@cli.switch("--svg", help="draw SVG frames instead of PNG")
@cli.flag(
    "--every",
    choices=("event", "command", "round"),
    default="command",
    help="draw a frame after every event, command or round",
)
@cli.flag("--from", "first", metavar="VERSION", type=values.version_number, help="first version to draw")
@cli.flag("--to", "last", metavar="VERSION", type=values.version_number, help="last version to draw (default: now)")
@cli.flag("--seconds", type=values.frame_seconds, default=0.8, help="duration of a frame")
@cli.picture_flags
@cli.location_flags()
@cli.language_flag
@cli.output_flags
def film(arguments: cli.Arguments, output: Output) -> int:
    """Draw a game, or a record in a file, as a series of pictures.

    The pictures are saved in FOLDER as frame-0001.png, frame-0002.png and so on, all of the same size, with film.json,
    which contains the version, sentences and duration of each frame. --apng also combines them into one animated PNG
    file, which browsers play.

    To continue after an interruption, run the same command again: finished frames are not drawn twice. This
    command needs: pip install 'boardkeeper[pictures]'

    examples:
      boardkeeper film 4f1c… --out film --every round
      boardkeeper film game.jsonl --out film --from 100 --to 200 --boards map
      boardkeeper film game.jsonl --out film --apng film.png && xdg-open film.png
      ffmpeg -framerate 2 -i film/frame-%04d.png -pix_fmt yuv420p film.mp4
    """
    from boardkeeper.terminal.film_frames import draw_film

    return draw_film(arguments, output)
