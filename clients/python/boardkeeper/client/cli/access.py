"""``boardkeeper access``: the keys of platforms, on a database itself or at the service that has it open."""

from __future__ import annotations

import re
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from boardkeeper.client.cli.output import DONE, USAGE, CommandError, Output

if TYPE_CHECKING:
    from boardkeeper.service.access.making import Made
    from boardkeeper.service.storage.access import KeyRow
    from boardkeeper.service.storage.database import Database

_HOUR = 3_600_000
_FOR_HOW_LONG = re.compile(r"(\d{1,5})([hdwy])")
_HOURS = {"h": 1, "d": 24, "w": 168, "y": 8766}


def run(arguments: Namespace, output: Output) -> int:
    """Make, list, replace or end keys. What is secret is shown once, when it is made."""
    try:
        from boardkeeper.service.access.making import KeyMistake  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise CommandError(f"the service is not installed: pip install 'boardkeeper[service]' ({error})") from error
    with _opened(arguments) as database:
        try:
            return _DEEDS[arguments.deed](database, arguments, output)
        except KeyMistake as error:
            raise CommandError(f"{error}.", USAGE) from error


@contextmanager
def _opened(arguments: Namespace) -> Iterator[Database]:
    from boardkeeper.client.cli.databases import configured  # noqa: PLC0415
    from boardkeeper.service.errors import FileInUseError, StartupError  # noqa: PLC0415
    from boardkeeper.service.storage.opening import is_postgres, open_database  # noqa: PLC0415

    try:
        config = configured(arguments.db, arguments.key_file)
        if not (arguments.deed == "create" or is_postgres(config.database) or config.database_path.exists()):
            raise CommandError(f"there is no file {config.database_path}.")
        database = open_database(config.database, key_file=config.key_file)
    except FileInUseError as error:
        raise CommandError(
            f"{error}. One process has a file: stop that service for a moment, or keep games in PostgreSQL."
        ) from error
    except StartupError as error:
        raise CommandError(f"{error}.") from error
    try:
        yield database
    finally:
        database.close()


def _create(database: Database, arguments: Namespace, output: Output) -> int:
    from boardkeeper.service.access import making  # noqa: PLC0415

    now = _now()
    made = making.make(
        arguments.name,
        arguments.scopes,
        now,
        platform=arguments.platform,
        expire_time=expire_time(arguments.expires, now),
        certificate=arguments.certificate,
    )
    _store(database, made, output)
    return DONE


def _rotate(database: Database, arguments: Namespace, output: Output) -> int:
    from boardkeeper.service.access import making  # noqa: PLC0415

    overlap = round(arguments.overlap * _HOUR)
    made = making.rotate(database.access.all_keys(), arguments.key, _now(), overlap)
    _store(database, made, output)
    old = arguments.key if len(arguments.key) == len(made.row.key_id) else "the other one"
    output.line(f"{old} holds for {arguments.overlap:g} more hours" if overlap else f"{old} holds no more")
    return DONE


def _revoke(database: Database, arguments: Namespace, output: Output) -> int:
    from boardkeeper.service.access import making  # noqa: PLC0415

    row, changes = making.revoke(database.access.all_keys(), arguments.key, _now())
    database.log.writer.store(changes)
    output.record({"key_id": row.key_id, "state": "revoked"})
    output.line(f"revoked: key {row.key_id} ({row.name})")
    return DONE


def _list(database: Database, _: Namespace, output: Output) -> int:
    from boardkeeper.service.access import making  # noqa: PLC0415

    rows, now = database.access.all_keys(), _now()
    for row in rows:
        output.record(record(row, now))
        until = f", until {_day(row.expire_time)}" if row.expire_time is not None else ""
        used = f", last used {_day(row.use_time)}" if row.use_time is not None else ", never used"
        certificate = f", certificate {row.certificate}" if row.certificate else ""
        state = making.state(row, now)
        output.line(
            f"{row.key_id}  {state:<7}  {row.platform}  {','.join(row.scopes)}  {row.name}{certificate}{until}{used}",
            "" if state == "active" else "dim",
        )
    if not rows:
        output.remark("There are no keys. 'boardkeeper access create NAME --scopes create,play,watch' makes one.")
    return DONE


def _store(database: Database, made: Made, output: Output) -> None:
    database.log.writer.store(made.changes)
    row = made.row
    output.record(record(row, row.create_time) | ({"key": made.secret} if made.secret else {}))
    output.line(f"key {row.key_id} for platform {row.platform}: {', '.join(row.scopes)}")
    if made.secret:
        output.command(made.secret)
        output.remark("This is shown once and kept nowhere: put it away now, as BOARDKEEPER_KEY for clients of ours.")
    else:
        output.line(
            f"It is any certificate with the name {row.certificate} that the service's tls_client_ca vouches for."
        )


def record(row: KeyRow, now: int) -> dict[str, Any]:
    """A key as a record for programs, without anything secret."""
    from boardkeeper.service.access import making  # noqa: PLC0415

    times = {"create_time": row.create_time, "expire_time": row.expire_time, "use_time": row.use_time}
    return {
        "key_id": row.key_id,
        "name": row.name,
        "platform": row.platform,
        "scopes": list(row.scopes),
        "certificate": row.certificate,
        "state": making.state(row, now),
        **{name: None if at is None else _moment(at) for name, at in times.items()},
    }


def expire_time(text: str, now: int) -> int | None:
    """When a key is to expire: after a while, as in 90d, or at the end of a day, 2031-12-31. Nothing: never."""
    if not text:
        return None
    found = _FOR_HOW_LONG.fullmatch(text)
    if found is not None:
        return now + int(found[1]) * _HOURS[found[2]] * _HOUR
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError) as error:
        raise CommandError(
            f"--expires {text!r}: give a time such as 12h, 90d, 1y, or a day such as 2031-12-31", USAGE
        ) from error
    return round(day.timestamp() * 1000)


def _now() -> int:
    return time.time_ns() // 1_000_000


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _day(at: int) -> str:
    return _moment(at)[:10]


_DEEDS = {"create": _create, "list": _list, "rotate": _rotate, "revoke": _revoke}
