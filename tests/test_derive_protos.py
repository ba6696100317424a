"""The .proto files of titles are written from structs, with their comments, and compile to the derived schema."""

from __future__ import annotations

import importlib
import textwrap
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc
from msgspec import Struct
from tests.service.tiny_title import CoinPassed, TinyTitle

import derive_protos
from boardkeeper.titles.registry import TITLES
from boardkeeper.wire.comments import add_comments
from boardkeeper.wire.schema import schema_of
from boardkeeper.wire.title import load_schema

SOURCE = '''
"""A command of Toy.

Ids are those of ``toy.toml``.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Card: TypeAlias = str  #: The id of a card.


class Base(Struct, frozen=True):
    seat: int  #: The seat number, from 1.


class Take(Base, frozen=True):
    """Take a card: the one named.

    It leaves ``pile``.
    """

    card: Card
    #: Number of coins to pay. The bank gives change for every note, and a seat without coins
    #: pays later.
    coins: int = 2
    others: dict[str, int] = {}  #: Cards of "others", by id.


class Board(Struct, frozen=True):
    """The table."""

    last: Take | None = None  #: The last command.
'''


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module with the structs of a title, imported from a separate file."""
    name = f"toy_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(SOURCE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module(name)


def comments(*structs: type[Struct]) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for struct in structs:
        add_comments(struct, found)
    return found


def test_the_committed_files_are_up_to_date() -> None:
    assert derive_protos.main(["--check"]) == 0


def test_comments_come_from_docstrings_and_comments_of_fields_and_aliases(toy: ModuleType) -> None:
    assert comments(toy.Board) == {
        ("Board", ""): "The table.",
        ("Board", "last"): "The last command.",
        ("Take", ""): "Take a card: the one named.\n\nIt leaves ``pile``.",
        ("Take", "seat"): "The seat number, from 1.",
        ("Take", "card"): "The id of a card.",
        (
            "Take",
            "coins",
        ): "Number of coins to pay. The bank gives change for every note, and a seat without coins pays later.",
        ("Take", "others"): 'Cards of "others", by id.',
    }


def test_structs_without_comments_have_empty_texts() -> None:
    assert comments(CoinPassed) == {("CoinPassed", ""): "", ("CoinPassed", "to"): ""}


def test_a_field_without_a_comment_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derive_protos, "read_comments", lambda _title: {("Pass", "why"): ""})
    with pytest.raises(SystemExit, match=r"Pass\.why of orleans needs a comment"):
        derive_protos.main(["--check"])


@pytest.mark.parametrize("id", TITLES)
def test_schemas_of_titles_have_the_comments_of_their_protos(id: str, repository: Path, tmp_path: Path) -> None:
    root = repository / "proto"
    image = tmp_path / "image.binpb"
    sources = [str(path) for path in sorted((root / f"boardkeeper/{id}/v1").glob("*.proto"))]
    assert protoc.main(["", f"-I{root}", "--include_source_info", f"--descriptor_set_out={image}", *sources]) == 0
    compiled = {file.name: file for file in FileDescriptorSet.FromString(image.read_bytes()).file}
    for file in load_schema(id).file:
        expected = {tuple(it.path): it.leading_comments for it in compiled[file.name].source_code_info.location}
        found = {tuple(it.path): it.leading_comments for it in file.source_code_info.location}
        assert {path: " ".join(text.split()) for path, text in found.items()} == {
            path: " ".join(text.split()) for path, text in expected.items() if text
        }


def test_a_file_has_the_comments_and_compiles_to_the_schema(toy: ModuleType, tmp_path: Path) -> None:
    title = TinyTitle()
    title.commands, title.events, title.board_type = {"Take": toy.Take}, {"CoinPassed": CoinPassed}, toy.Board
    before = schema_of(title)
    title.commands = {"Take": toy.Take, "Leave": type("Leave", (Struct,), {})}
    before.file[0].message_type[1].field[0].name = "removed"
    before.file[0].message_type[1].field[0].number = 9
    schema = schema_of(title, before)
    texts = {file.name: derive_protos.render(file, comments(toy.Board)) for file in schema.file}
    assert (
        textwrap.dedent("""
        // Take a card: the one named.
        //
        // It leaves ``pile``.
        message Take {
          reserved 9;
          reserved "removed";
          // The id of a card.
          string card = 2;
          // Number of coins to pay. The bank gives change for every note, and a seat without coins pays later.
          optional int32 coins = 3;
          // Cards of "others", by id.
          map<string, int32> others = 4;
          // The seat number, from 1.
          int32 seat = 10;
        }

        message Leave {}
        """)
        in "\n" + texts["boardkeeper/tiny/v1/commands.proto"]
    )
    assert 'import "boardkeeper/tiny/v1/commands.proto";' in texts["boardkeeper/tiny/v1/board.proto"]
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    image = tmp_path / "image.binpb"
    assert protoc.main(["", f"-I{tmp_path}", f"--descriptor_set_out={image}", *texts]) == 0
    assert FileDescriptorSet.FromString(image.read_bytes()) == schema


def test_an_envelope_gets_a_field_for_a_new_title_and_keeps_the_numbers_of_the_others() -> None:
    before = textwrap.dedent("""
        import "boardkeeper/v1/effect.proto";
        import "boardkeeper/yew/v1/board.proto";

        message Board {
          oneof title {
            // A board of the Yew.
            boardkeeper.yew.v1.Board yew = 10;
            // A board of a title from another package.
            google.protobuf.Any outside = 11;
          }
        }
        """)
    names = {"yew": "Yew", "ash": "Ash"}
    after = derive_protos.add_title_fields(before, "Board", "A board of", names)
    assert after == textwrap.dedent("""
        import "boardkeeper/ash/v1/board.proto";
        import "boardkeeper/v1/effect.proto";
        import "boardkeeper/yew/v1/board.proto";

        message Board {
          oneof title {
            // A board of Yew.
            boardkeeper.yew.v1.Board yew = 10;
            // A board of Ash.
            boardkeeper.ash.v1.Board ash = 12;
            // A board of a title from another package.
            google.protobuf.Any outside = 11;
          }
        }
        """)
    assert derive_protos.add_title_fields(after, "Board", "A board of", names) == after
