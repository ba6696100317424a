"""The commands ``boardkeeper check``, ``migrate``, ``move`` and ``rebuild``."""

from __future__ import annotations

from pathlib import Path

from boardkeeper.operations.support import server_imports
from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.errors import DONE, FAILED, UNCHECKED, CommandError, count_noun
from boardkeeper.terminal.output import Output


@cli.command()
@cli.file_flag("--db", metavar="URL", help=cli.DATABASE_HELP)
@cli.file_flag("--archive", metavar="FOLDER", help="also check the archived games in this folder")
@cli.file_flag("--checkpoint", help="compare with this checkpoint instead of the one beside the file")
@cli.file_flag("--key-file", help="key to which a PostgreSQL database must belong")
@cli.output_flags
def check(arguments: cli.Arguments, output: Output) -> int:
    """Check whether stored events in a database were changed, removed, added or moved.

    The check verifies the hash chains of all games and changes nothing; a server may use the database at the same time.
    Each damaged game is listed with its first damaged event.

    A file is also compared with the newest checkpoint of its server (FILE.checkpoint beside it), to detect that
    it was replaced by an older copy. An attacker could replace that checkpoint too: name one that you stored elsewhere
    with --checkpoint. An attacker who can write the file could also compute new hash chains; compare with records that
    were exported earlier.

    examples:
      boardkeeper check --db games.db
      boardkeeper check --db games.db --checkpoint /elsewhere/games.db.checkpoint
      boardkeeper check --db sqlite:////var/lib/boardkeeper/games.db --json
      boardkeeper check --db postgresql://db.internal/games --key-file /etc/boardkeeper.key

    exit status:
      0  no change found
      1  a change was found
      5  could not check: the database cannot be opened or read
    """
    from boardkeeper.operations.support import Progress

    with server_imports():
        from boardkeeper.operations.support import read_config
        from boardkeeper.service.errors import AlteredError, StartupError
        from boardkeeper.service.storage.admin import check_database
        from boardkeeper.service.storage.sqlite.file_check import CheckedFile
    games = events = damaged = archived = 0
    older = ""
    progress = Progress(output)
    output.progress("Checking ...")
    try:
        database = read_config(arguments.db).database
        files = (arguments.checkpoint, arguments.archive, arguments.key_file)
        for game in check_database(database, *(Path(file) if file else None for file in files)):
            if isinstance(game, CheckedFile):
                older = game.problem
                if older:
                    output.record({"checkpoint": str(game.checkpoint), "problem": older})
                    output.line(f"{database} {older}", "red")
                continue
            games, events = game.number, events + game.events
            archived += game.is_archived
            if game.damage is not None:
                damaged += 1
                version, problem = game.damage
                output.record({"game": game.game_id, "version": version, "problem": problem})
                output.line(f"{game.game_id}: damaged from event {version} on: {problem}", "red")
            progress(game.number, game.games)
    except AlteredError as error:
        raise CommandError(str(error)) from error
    except StartupError as error:
        raise CommandError(str(error), UNCHECKED) from error
    not_checked = {"not_looked_at": archived} if archived else {}
    output.record({"games": games, "events": events, "damaged": damaged} | not_checked)
    verdict = f"{damaged} damaged" if damaged else "no change found"
    if archived:
        output.remark(f"{count_noun(archived, 'games')} archived and not checked: check them with --archive FOLDER")
    output.line(
        f"{count_noun(games, 'games')}, {count_noun(events, 'events')}: {verdict}",
        "bold red" if damaged or older else "bold",
    )
    return FAILED if damaged or older else DONE


@cli.command()
@cli.file_flag("--db", metavar="URL", help="postgresql://… (default: BOARDKEEPER_DATABASE)")
@cli.flag("--grant", metavar="ROLE", help="database user of the server")
def migrate(arguments: cli.Arguments, output: Output) -> int:
    """Create the tables of a PostgreSQL database, or update them to this release.

    Run it as the database user who owns the tables. --grant gives another user what the server needs; that user cannot
    change or remove stored events or alter tables. You do not need this command if the server's own user owns the
    tables. Stop servers of earlier releases first.

    examples:
      boardkeeper migrate --db postgresql://owner@db.example/boardkeeper --grant boardkeeper
    """
    with server_imports():
        from boardkeeper.operations.support import read_config
        from boardkeeper.service.errors import StartupError
        from boardkeeper.service.storage.admin import create_tables
    try:
        name = create_tables(read_config(arguments.db).database, arguments.grant or "")
    except StartupError as error:
        raise CommandError(str(error)) from error
    granted = f"; {arguments.grant} can now run the server" if arguments.grant else ""
    output.line(f"the tables of {name} are up to date{granted}")
    return DONE


@cli.command()
@cli.file_flag("--from", "source", metavar="URL", required=True, help="database with the games")
@cli.file_flag("--to", "target", metavar="URL", required=True, help="target database; a file is created if missing")
@cli.file_flag("--key-file", help=cli.KEY_FILE_HELP)
@cli.file_flag("--archive", metavar="FOLDER", help="folder with archived games of the source, which move too")
@cli.output_flags
def move(arguments: cli.Arguments, output: Output) -> int:
    """Copy everything from one database to another, for example from a SQLite file to PostgreSQL or back.

    This includes events, seats with names and tokens, secrets, and the ids of removed games. Clients notice only the
    pause. The source is only read; it must have the tables of this release. The signing key is copied to the key file
    of the target, unless that exists.

    Stop the server first. To continue after an interruption, run the same command again: games that are already there
    are skipped. Damaged games are not copied but reported. Archived games are only copied with --archive.

    examples:
      boardkeeper move --from games.db --to postgresql://boardkeeper@db.internal/games --key-file /etc/boardkeeper.key
      boardkeeper move --from games.db --to other.db --archive /srv/archive

    exit status:
      0  all games were copied
      1  the move failed, or some games were not copied: damaged games, or archived games without --archive
    """
    from boardkeeper.operations.support import Progress

    with server_imports():
        from boardkeeper.service.errors import StartupError
        from boardkeeper.service.storage.database_move import NOT_COPIED, move_database
    key_file = Path(arguments.key_file) if arguments.key_file else None
    try:
        archive = Path(arguments.archive) if arguments.archive else None
        moved = move_database(arguments.source, arguments.target, key_file, Progress(output), archive)
    except StartupError as error:
        raise CommandError(f"the move did not finish: {error}") from error
    for game, damage in moved.damages.items():
        output.record({"game_id": str(game), "damaged_version": damage.version, "problem": damage.problem})
        output.line(f"{game}: damaged from event {damage.version} on, not copied: {damage.problem}", "red")
    counts = {
        "games": moved.games,
        "events": moved.events,
        "there before": moved.existing,
        "removed": moved.tombstones,
        "damaged": len(moved.damages),
        "webhooks": moved.webhooks,
    }
    output.record({what.replace(" ", "_"): count for what, count in counts.items()} | {"archived": moved.archived})
    output.line(", ".join(count_noun(count, what) for what, count in counts.items()), "bold")
    if moved.webhooks:
        output.remark("The webhooks are disabled in the new database. Enable each with: boardkeeper webhooks enable ID")
    if moved.other_feed:
        output.remark(
            "The event feed was not copied, because the new database has one already: old cursors are not valid there."
            f" Its webhooks ({moved.webhooks_left}) were not copied either: create them again."
        )
    if moved.archived:
        output.remark(
            f"{count_noun(moved.archived, 'archived games')} not copied. To copy the archived games too, run"
            " the command again with --archive FOLDER."
        )
    output.remark(f"Not copied: {'; '.join(NOT_COPIED)}.")
    return FAILED if moved.damages or moved.archived else DONE


@cli.command()
@cli.database_flags()
@cli.output_flags
def rebuild(arguments: cli.Arguments, output: Output) -> int:
    """Recompute everything that follows from the stored events.

    This includes the game list, the results, which seats are taken, and snapshots. Each difference is reported.
    Everything happens in one transaction; running it twice changes nothing. Names, tokens and secrets are not in the
    events and are not touched. Damaged games are skipped (see 'boardkeeper check').

    Stop the server of a SQLite file first; a PostgreSQL database may be in use.

    The exit status is 0 if no game is damaged, 1 if one is, 5 if the database cannot be opened.

    examples:
      boardkeeper rebuild --db games.db
      boardkeeper rebuild --db games.db --json
    """
    import msgspec

    from boardkeeper.operations.support import Progress

    with server_imports():
        from boardkeeper.operations.support import read_config
        from boardkeeper.service.errors import StartupError
        from boardkeeper.service.storage.projection_rebuild import rebuild
        from boardkeeper.titles.registry import allow_listed, load_title
    try:
        config = read_config(arguments.db, arguments.key_file)
        allow_listed(config.titles)  # a game of a title that cannot be loaded stops the command, with its id
        rebuilt = rebuild(config.database, load_title, Progress(output), key_file=config.key_file)
    except StartupError as error:
        raise CommandError(f"nothing was rebuilt: {error}", UNCHECKED) from error
    for it in rebuilt.differences:
        output.record(msgspec.to_builtins(it))
        stored = "missing" if it.stored is None else _plain(it.stored)
        output.line(f"{it.game_id}: {it.field} was {stored}, is {_plain(it.rebuilt)}")
    for game, damage in rebuilt.damages.items():
        output.record({"game_id": str(game), "damaged_version": damage.version, "problem": damage.problem})
        output.line(f"{game}: damaged from event {damage.version} on, not changed: {damage.problem}", "red")
    for game, reason in rebuilt.incompatible.items():
        output.record({"game_id": str(game), "incompatible": reason})
        output.line(f"{game}: not changed: {reason}", "red")
    counts = {"games": rebuilt.games, "differences": len(rebuilt.differences), "damaged": len(rebuilt.damages)}
    if rebuilt.incompatible:
        counts["not readable"] = len(rebuilt.incompatible)
    output.record(counts)
    output.line(", ".join(count_noun(count, what) for what, count in counts.items()), "bold")
    if rebuilt.damages:
        return FAILED
    return UNCHECKED if rebuilt.incompatible else DONE


def _plain(value: object) -> str:
    import msgspec

    return msgspec.json.encode(value).decode()
