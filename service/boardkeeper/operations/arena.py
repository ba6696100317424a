"""The command ``boardkeeper arena``."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.errors import DONE, USAGE, CommandError
from boardkeeper.terminal.output import Output

_COLUMNS = ("bot", "seats", "wins", "share", "95 %", "points", "± 95 %")


@cli.command()
@cli.argument("bots", "BOT", nargs=-1, required=True, help="a kind of bot; 'boardkeeper titles TITLE' lists them")
@cli.flag("--title", default="", metavar="TITLE", help="title to play (default: the first one)")
@cli.flag("--edition", default="", metavar="ID", help="edition (default: that of the title)")
@cli.flag(
    "--choose",
    multiple=True,
    type=values.choice,
    metavar="ID=CHOICE",
    help="set an option or rules interpretation of the title; repeatable",
)
@cli.flag("--players", type=values.positive, metavar="N", help="number of seats (default: the number of bots)")
@cli.flag("--games", type=values.positive, default=20, metavar="N", help="number of games (default: 20)")
@cli.flag("--seed", type=int, default=1, metavar="S", help="seed of the first game (default: 1)")
@cli.flag("--processes", type=values.positive, default=0, metavar="N", help="number of processes (default: all cores)")
@cli.output_flags
def arena(arguments: cli.Arguments, output: Output) -> int:
    """Play a match between bots, and print how often each of them wins.

    The bots take the seats in turn. Consecutive games have the same seed, once for each seating, so that the bots get
    the same luck. The same arguments give the same games.

    columns:
      seats   the number of seats that the bot played
      wins    1 for each victory, divided by the number of seats that share it
      share   wins divided by seats, with its 95 % confidence interval (Wilson)
      points  the mean of the final points, with its 95 % confidence interval

    examples:
      boardkeeper arena hard sensible --games 100
      boardkeeper arena easy medium hard --players 3
      boardkeeper arena sensible random --players 4 --json
    """
    from rich.table import Table

    from boardkeeper.engine import RulesError
    from boardkeeper.operations.matches import Match, play_match, summarize
    from boardkeeper.titles.registry import TITLES, load_meta

    title = arguments.title or next(iter(TITLES))
    try:
        meta = load_meta(title)
    except KeyError:
        raise CommandError(f"there is no title {title!r}. 'boardkeeper titles' lists them", USAGE) from None
    chosen = dict(it.split("=", 1) for it in arguments.choose)
    known = {option.id for option in meta.options}
    match = Match(
        title,
        tuple(arguments.bots),
        arguments.players or max(len(arguments.bots), 2),
        arguments.games,
        arguments.seed,
        arguments.edition,
        {id: choice for id, choice in chosen.items() if id in known},
        {id: choice for id, choice in chosen.items() if id not in known},
    )
    games = []
    try:
        match.start(0)  # in this process, so that wrong arguments are one line
        for game in play_match(match, arguments.processes):
            games.append(game)
            output.progress(f"{len(games)} of {match.games} games")
    except RulesError as error:
        raise CommandError(str(error), USAGE) from error
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column == "bot" else "right")
    for it in summarize(games):
        low, high = it.interval
        output.record(
            {
                "bot": it.bot,
                "seats": it.seats,
                "wins": round(it.wins, 2),
                "share": round(it.share, 4),
                "share_low": round(low, 4),
                "share_high": round(high, 4),
                "points": round(it.points, 2),
                "points_margin": round(it.margin, 2),
            }
        )
        table.add_row(
            it.bot,
            str(it.seats),
            f"{it.wins:.1f}",
            f"{it.share:.0%}",
            f"{low:.0%} to {high:.0%}",
            f"{it.points:.1f}",
            f"{it.margin:.1f}",
        )
    output.show(table)
    output.remark(f"{match.games} games of {meta.text['en']} with {match.players} seats, seeds from {match.seed}.")
    return DONE
