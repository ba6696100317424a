"""Compiled rules: which modules are compiled, how, and that compiled files never shadow the sources.

`make test-compiled` runs these and the tests that compilation can break on compiled rules. It sets RULES_BUILD.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import hatch_build
import pytest

import check_wheel
import compile_rules
import with_compiled_rules
from boardkeeper.service.process.server import rules_build
from boardkeeper.table import zones
from boardkeeper.titles.registry import TITLES, load_title
from compile_rules import (
    NAMESPACE,
    OPEN_CLASSES,
    allow_subclasses,
    compiled_tree,
    extensions,
    folders_named_like_modules,
    groups,
    matching,
)

COMPILED = os.environ.get("RULES_BUILD") == "compiled"


@pytest.fixture(scope="module")
def listed(repository: Path) -> list[str]:
    """The names of the modules that are compiled."""
    paths = [path for group in groups(repository / "domain").values() for path in group]
    return [".".join((NAMESPACE, *Path(path).with_suffix("").parts)) for path in paths]


def test_the_tests_run_on_the_expected_build(listed: list[str]) -> None:
    origins = {name: str(spec.origin) for name in listed if (spec := find_spec(name)) is not None}
    assert list(origins) == listed
    assert {name.split(".")[2] for name in listed if name.startswith("boardkeeper.titles.")} == set(TITLES)
    assert [name for name, origin in origins.items() if origin.endswith(".py") is COMPILED] == []
    assert rules_build() == ("compiled" if COMPILED else "interpreted")


def test_every_title_can_be_loaded(listed: list[str]) -> None:
    for name in listed:
        import_module(name)
    assert {load_title(id).meta.id for id in TITLES} == set(TITLES)


def test_no_compiled_file_is_in_the_source_folders(repository: Path) -> None:
    assert [
        path
        for root in ("domain", "service", "clients/python", "clients/terminal")
        for path in extensions(repository / root)
    ] == []


def test_other_packages_can_subclass_open_classes(repository: Path) -> None:
    for module, names in OPEN_CLASSES.items():
        of = import_module(".".join((NAMESPACE, *Path(module).with_suffix("").parts)))
        for name in names:
            assert type("Own", (getattr(of, name),), {}).__mro__[1] is getattr(of, name)


# --- the compilation -------------------------------------------------------------------------------------------------


def test_a_pattern_without_files_is_an_error(repository: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no table/nothing"):
        matching(repository / "domain", "table/nothing*.py")


def test_a_data_folder_does_not_hide_a_module_of_the_same_name(tmp_path: Path) -> None:
    for name in ("sets/one.toml", "rules/rule.py", "texts/en.toml"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    for name in ("sets.py", "rules.py"):
        (tmp_path / name).touch()
    assert folders_named_like_modules(tmp_path) == [tmp_path / "sets"]


def test_allowing_subclasses_moves_no_line(repository: Path) -> None:
    for module, names in OPEN_CLASSES.items():
        source = (repository / "domain" / NAMESPACE / module).read_text("utf-8")
        changed = allow_subclasses(source, names)
        pairs = list(zip(source.splitlines(), changed.splitlines(), strict=True))
        assert {before for before, after in pairs if before != after} == {"from __future__ import annotations", ""}


def test_allowing_subclasses_of_a_missing_class_is_an_error() -> None:
    source = "from __future__ import annotations\n\nimport os\n\n\nclass There:\n    pass\n"
    assert "allow_interpreted_subclasses" in allow_subclasses(source, ["There"])
    with pytest.raises(ValueError, match="no class Gone"):
        allow_subclasses(source, ["Gone"])
    with pytest.raises(ValueError, match="from the future"):
        allow_subclasses("class There:\n    pass\n", ["There"])


@pytest.fixture
def hook(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> hatch_build.GenerateProtos:
    """The build hook of a wheel, with a fake compiler that creates one module, without a built web client."""
    made = tmp_path / NAMESPACE / "table" / "zones.cpython.so"
    made.parent.mkdir(parents=True)
    made.touch()
    monkeypatch.setattr(compile_rules, "compile_rules", lambda _: tmp_path)
    monkeypatch.setattr("generate_protos.generate", lambda *_, **__: None)
    monkeypatch.setattr("pack_client.FOLDERS", ())
    metadata: Any = None
    return hatch_build.GenerateProtos(str(repository), {}, None, metadata, str(tmp_path), "wheel")


def empty() -> dict[str, Any]:
    return {"pure_python": True, "infer_tag": False, "force_include": {}}


@pytest.mark.parametrize("value", [None, "", "0"])
def test_a_build_is_pure_by_default(
    hook: hatch_build.GenerateProtos, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("BOARDKEEPER_COMPILE", raising=False)
    if value is not None:
        monkeypatch.setenv("BOARDKEEPER_COMPILE", value)
    data = empty()
    hook.initialize("standard", data)
    assert data == empty()
    assert hook.dependencies() == []


def test_a_compiled_wheel_is_for_this_platform_and_has_the_compiled_modules(
    hook: hatch_build.GenerateProtos, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BOARDKEEPER_COMPILE", "1")
    data = empty()
    hook.initialize("standard", data)
    made = "boardkeeper/table/zones.cpython.so"
    assert data == {"pure_python": False, "infer_tag": True, "force_include": {str(tmp_path / made): made}}
    assert any("mypyc" in name for name in hook.dependencies())


def test_an_editable_install_is_never_compiled(
    hook: hatch_build.GenerateProtos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDKEEPER_COMPILE", "1")
    with pytest.raises(RuntimeError, match="make compiled"):
        hook.initialize("editable", empty())


# --- compiled trees of `make run` ------------------------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with one module of rules."""
    (tmp_path / "domain").mkdir()
    (tmp_path / "domain" / "rules.py").write_text("A = 1\n")
    (tmp_path / "build").mkdir()
    return tmp_path


def test_edited_sources_are_never_hidden_by_a_compiled_tree(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def translate(root: Path, work: Path) -> None:
        shutil.copytree(root / "domain", work / "tree")

    monkeypatch.setattr(compile_rules, "translate", translate)
    tree = compile_rules.compile_rules(checkout)
    assert (tree / "rules.py").read_text() == "A = 1\n"
    assert with_compiled_rules.usable_tree(checkout) == tree == compile_rules.compile_rules(checkout)
    source = checkout / "domain" / "rules.py"
    os.utime(tree, (0, 0))
    for number in range(2, 6):
        source.write_text(f"A = {number}\n")
        assert not compiled_tree(checkout).exists()
        newest = compile_rules.compile_rules(checkout)
    assert not tree.exists()
    assert len(list(tree.parent.iterdir())) == compile_rules.KEPT
    source.rename(source.with_name("other.py"))
    assert not compiled_tree(checkout).exists()
    source.with_name("other.py").rename(source)
    assert compiled_tree(checkout) == newest


def test_rules_run_interpreted_without_a_compiler_and_after_a_failure(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[Path] = []
    monkeypatch.setattr(with_compiled_rules, "start_compiling", lambda _, failed: started.append(failed))
    monkeypatch.setattr(with_compiled_rules, "missing", lambda: "a C compiler (cc) is missing")
    assert with_compiled_rules.usable_tree(checkout) is None
    assert not started
    monkeypatch.setattr(with_compiled_rules, "missing", lambda: "")
    assert with_compiled_rules.usable_tree(checkout) is None
    (failed,) = started
    monkeypatch.setattr(compile_rules, "main", lambda _: 1)
    monkeypatch.setattr("os.nice", lambda _: 0)
    failed.parent.mkdir()
    assert with_compiled_rules.compile_in_background(failed) == 1
    assert with_compiled_rules.usable_tree(checkout) is None
    assert started == [failed]
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if "COMPILED=0" in line] == lines
    assert [reason in line for reason, line in zip(("cc", "background", "failed"), lines, strict=True)] == [True] * 3


# --- wheels ----------------------------------------------------------------------------------------------------------


def test_wheels_are_built_for_the_python_versions_of_the_classifiers(repository: Path) -> None:
    contents = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))
    wheels, project = contents["tool"]["cibuildwheel"], contents["project"]
    versions = [it.rpartition(" ")[2] for it in project["classifiers"] if re.search(r"Python :: 3\.\d+$", it)]
    assert wheels["build"] == [f"cp{version.replace('.', '')}-*" for version in versions]
    assert project["requires-python"] == f">={versions[0]}"
    assert wheels["environment"] == {"BOARDKEEPER_COMPILE": "1"}
    script = wheels["test-command"].removeprefix("python {project}/")
    assert (repository / script).is_file()


def test_the_check_of_a_wheel_rejects_interpreted_rules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(zones, "__file__", "zones.py")
    assert check_wheel.main() == 1
    monkeypatch.setattr(zones, "__file__", "zones.so")
    assert check_wheel.main() == 0
    assert {line.partition(":")[0] for line in capsys.readouterr().out.splitlines()} == set(TITLES)
