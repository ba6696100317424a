"""The documentation site has every page once, its links work, and the reference is complete."""

from __future__ import annotations

import os
import posixpath
import re
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import click
import pytest
from google.protobuf import descriptor_pool
from tests.kit.coverage import DOMAIN

import build_docs
import build_web
from boardkeeper.game.choices import complete
from boardkeeper.service.auth.scopes import RPC_SCOPES
from boardkeeper.table.dice import SECRET_BYTES, Dice
from boardkeeper.table.table import Table
from boardkeeper.terminal.main import parse
from boardkeeper.testkit.coverage import rejection_codes
from boardkeeper.titlekit.command_candidates import known_ids
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import TITLES, load_title
from documentation import site
from documentation.assembling import FENCE, IMAGE, LINK
from documentation.reference import command_line, typescript


@pytest.fixture(scope="module")
def assembled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All pages as Sphinx gets them, by path."""
    folder = tmp_path_factory.mktemp("docs") / "pages"
    build_docs.assemble(folder)
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()}


def test_every_page_of_docs_is_on_the_site_once(repository: Path) -> None:
    sources = [page.source for page in site.pages() if page.source]
    assert len(set(sources)) == len(sources)
    pages = {f"docs/{path.name}" for path in repository.glob("docs/*.md")}
    assert pages - set(sources) == set()
    assert [source for source in sources if not (repository / source).exists()] == []


def test_no_page_installs_from_an_index_before_the_first_release(repository: Path) -> None:
    if "dev" not in version("boardkeeper"):
        pytest.skip("this is a release")
    places = ("README.md", "docs/*.md", "clients/*/README.md", "clients/examples/*/README.md")
    pages = [page for place in places for page in repository.glob(place)]
    install = re.compile(r"pip install [^`\n]*?(?<![\w./])'?boardkeeper\b")
    assert [path.name for path in pages if install.search(path.read_text("utf-8"))] == []


def test_pages_for_users_and_for_maintainers_are_separate() -> None:
    readers = [section.readers for section in site.sections()]
    assert set(readers) == {site.USERS, site.MAINTAINERS}
    assert readers == sorted(readers, reverse=True)


def test_links_lead_to_pages(assembled: dict[str, str]) -> None:
    broken = []
    for place, text in assembled.items():
        for found in [*LINK.finditer(prose(text)), *IMAGE.finditer(prose(text))]:
            target = found["target"].partition("#")[0]
            if target and "://" not in target and not target.startswith("mailto:"):
                path = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
                if path not in assembled:
                    broken.append((place, found["target"]))
        broken += [
            (place, image)
            for image in re.findall(r"^```\{image\} (\S+)", text, re.MULTILINE)
            if posixpath.normpath(posixpath.join(posixpath.dirname(place), image)) not in assembled
        ]
    assert broken == []


def test_the_front_page_has_a_picture_for_light_and_for_dark_pages(assembled: dict[str, str]) -> None:
    front = assembled["index.md"]
    assert re.findall(r"^:class: (.*)$", front, re.MULTILINE) == ["only-light", "only-dark"]
    assert "<img" not in front


def prose(text: str) -> str:
    return "".join(FENCE.split(text)[::2])


def test_the_reference_names_every_rpc_message_and_field(assembled: dict[str, str]) -> None:
    text = "\n".join(text for place, text in assembled.items() if place.startswith("reference/api"))
    pool = descriptor_pool.Default()
    for rpc in RPC_SCOPES:
        assert f"(boardkeeper.v1.{rpc})=" in text
        service, _, name = rpc.partition(".")
        import_module(f"boardkeeper.v1.{service.lower()}_pb2")
        method = pool.FindServiceByName(f"boardkeeper.v1.{service}").methods_by_name[name]
        for message in (method.input_type, method.output_type):
            assert f"({message.full_name})=" in text
            assert all(f"| `{field.name}` |" in text for field in message.fields)


def test_the_reference_names_every_rule_choice_and_component(assembled: dict[str, str]) -> None:
    for id in TITLES:
        title = load_title(id)
        rules, components = (assembled[f"reference/titles/{id}/{page}.md"] for page in ("rules", "components"))
        assert [rule.id for rule in title.rules() if f"({rule.id})=" not in rules] == []
        overview = assembled[f"reference/titles/{id}.md"]
        for option in (*title.meta.options, *title.meta.readings):
            assert f"`{option.id}`" in overview
            assert all(f"`{choice.id}`" in overview for choice in option.choices)
        for edition in title.meta.editions:
            found = title.components(complete(title.meta, Setup(edition.id, edition.players[1])))
            assert [each.id for each in found if f"| `{each.id}` |" not in components] == []


def test_the_reference_names_every_id_in_commands_and_every_reason(assembled: dict[str, str]) -> None:
    for id, package in TITLES.items():
        title = load_title(id)
        tables, errors = (assembled[f"reference/titles/{id}/{page}.md"] for page in ("tables", "errors"))
        for edition in title.meta.editions:
            setup = complete(title.meta, Setup(edition.id, edition.players[1]))
            play = title.play(Table(title.layout(setup)), Dice(bytes(SECRET_BYTES)), setup)
            components = {component.id for component in title.components(setup)}
            for field, ids in known_ids(play).items():
                assert f"| `{field}` |" in tables
                assert [each for each in ids if each and f"`{each}`" not in tables] == []
                assert [each for each in ids if each and each not in components and f"| `{each}` |" not in tables] == []
        folder = Path(import_module(package).__file__ or "").parent
        assert [code for code in rejection_codes(folder) if f"| `{code}`" not in errors] == []
    every = assembled["reference/titles/every-table.md"]
    assert [code for code in rejection_codes(DOMAIN / "game") if f"| `{code}`" not in every] == []


def test_the_reference_describes_every_export_of_the_typescript_sdk(assembled: dict[str, str]) -> None:
    if "was left out" in assembled["reference/typescript.md"]:
        assert not os.environ.get("CI")
        pytest.skip("the packages of npm are not available")
    client, verifier = (assembled[f"reference/typescript/{name}.md"] for name in ("client", "verifier"))
    assert "(typescript.client.function.connect)=\n### connect\n" in client
    for name in ("Connect", "Client", "Seat", "Rejected", "KnownTable", "Timeline"):
        assert f"(typescript.client.{name})=\n### {name}\n" in client
    assert "(typescript.verifier.function.verifyRecord)=" in verifier
    assert "#### Seat.legalCommands" in client
    assert "| `commandId?` | `string` | Default: a new id." in client
    assert "[`Command`](#boardkeeper.v1.Command)" in client
    assert "{@link" not in client + verifier
    for text in (client, verifier):
        exports = re.split(r"^### .*\n\n", text, flags=re.MULTILINE)[1:]
        assert [it for it in exports if not re.match(r"```ts\n(.|\n)*?\n```\n\n[^#`|\n]", it)] == []  # each has a text


def test_a_site_built_without_npm_packages_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise build_web.NotInstalledError("npm cannot install its packages (no registry)")

    monkeypatch.setattr(build_web, "build", missing)
    monkeypatch.delenv("CI", raising=False)
    ((place, text),) = typescript.pages()
    assert place == "typescript"
    assert "left out when the site was built: npm cannot install its packages (no registry)." in text
    monkeypatch.setenv("CI", "true")
    with pytest.raises(SystemExit, match="was not built: npm cannot"):
        next(typescript.pages())


def test_the_reference_has_every_command() -> None:
    ((_, text),) = command_line.pages()
    names = set(re.findall(r"^## (\S+)$", text, re.MULTILINE))
    assert "serve" in names
    for name in names:
        with pytest.raises(click.exceptions.Exit):
            parse([name, "--help"])
