"""``boardkeeper keys``: by which keys records are signed. Ids alone are told, and nothing that is secret."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from boardkeeper.client.cli.arguments import default_server
from boardkeeper.client.cli.output import DONE, FAILED, UNREACHABLE, CommandError, Output
from boardkeeper.client.cli.places import Place, given, open_place, own_places, usual_service
from boardkeeper.game.record import LONGEST_LINE, Seal

_decode_seal = msgspec.json.Decoder(Seal).decode

SIGNS = "signs"
SIGNED = "signed"


@dataclass(frozen=True)
class Found:
    """A key, and where: one that ``signs`` what is played at a place, or that ``signed`` records that lie there."""

    key_id: str
    where: str
    does: str
    records: int
    algorithm: str = ""

    def sentence(self) -> str:
        """What it is for, for people."""
        count = f"{self.records} record" + ("" if self.records == 1 else "s")
        if self.does == SIGNS:
            return f"signs what is played at {self.where}: {count}"
        return f"signed {count} at {self.where}"


def run(arguments: Namespace, output: Output) -> int:
    """A key each: of places, or of the files that are named."""
    status = DONE
    if arguments.files:
        for file in arguments.files:
            key = _of_file(file)
            if key:
                _tell(Found(key, file, SIGNED, 1, "ed25519"), output)
            else:
                output.record({"file": file, "error": "no record"})
                output.error(f"{file} is no whole record: its last line has no signature.")
                status = FAILED
        return status
    for place in _places(arguments):
        for found in _of_place(place, arguments, output):
            _tell(found, output)
    return status


def _tell(found: Found, output: Output) -> None:
    output.record(msgspec.to_builtins(found))
    output.line(found.key_id, "bold")
    output.line(f"  {found.sentence()}")


def _places(arguments: Namespace) -> list[Place]:
    named = given(arguments)
    if named is not None:
        return [named]
    usual = usual_service()
    places = ([usual] if usual else []) + own_places()
    if not places:
        raise CommandError(
            f"no service listens at {default_server()}, and you have no games of your own: name a place with --server"
            " or --db, or a record.",
            UNREACHABLE,
        )
    return places


def _of_place(place: Place, arguments: Namespace, output: Output) -> Iterator[Found]:
    """The key that signs there, and those that signed the records that were brought there."""
    with open_place(place, arguments.language, output, at_rest=True) as (client, _):
        keys = client.record_keys()
        brought = Counter(game.imported_key_id for game in client.games())
    played = brought.pop("", 0)
    for at, key in enumerate(keys):
        yield Found(key.key_id, str(place), SIGNS, 0 if at else played, key.algorithm)
    for id, count in sorted(brought.items()):
        yield Found(id, str(place), SIGNED, count, "ed25519")


def _of_file(file: str) -> str:
    """The key that signed a record, by its last line alone: whether it holds, 'boardkeeper verify' says."""
    try:
        with Path(file).open("rb") as stream:
            stream.seek(0, 2)
            stream.seek(max(0, stream.tell() - LONGEST_LINE))
            lines = stream.read().splitlines()
        return _decode_seal(lines[-1]).key_id if lines else ""
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror}.") from error
    except msgspec.DecodeError:
        return ""
