"""Properties of the whole code base."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import generate_blocking_client
from generate_protos import is_current, sources

HEAVY = (
    "eventsourcing",
    "grpc",
    "google",
    "sqlite3",
    "psycopg",
    "rich",
    "structlog",
    "prometheus_client",
    "opentelemetry",
)
DOMAIN = ("table", "titlekit", "families", "titles", "game", "engine", "rules")


def test_import_contracts_hold(repository: Path) -> None:
    result = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-logo", "--no-cache"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("package", DOMAIN)
def test_the_rules_load_without_grpc_protobuf_or_sql(repository: Path, package: str) -> None:
    """Import every module of the package in a fresh interpreter that has all extras installed."""
    root = repository / "domain"
    modules = sorted(
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        for path in (root / "boardkeeper" / package).rglob("*.py")
    )
    assert modules
    program = (
        "import importlib, sys\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        f"print(*sorted(set({HEAVY!r}) & set(sys.modules)))\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == []


def test_the_base_install_is_light(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    names = {requirement.split(">")[0] for requirement in project["dependencies"]}
    assert names == {"msgspec"}


def test_every_package_is_typed(repository: Path) -> None:
    """A namespace has no `py.typed`, so each package carries one."""
    roots = [repository / root / "boardkeeper" for root in ("domain", "service", "clients/python", "clients/terminal")]
    packages = [package for root in roots for package in root.iterdir() if (package / "__init__.py").exists()]
    assert [package.name for package in packages if not (package / "py.typed").exists()] == []


def test_the_namespace_has_no_module(repository: Path) -> None:
    """An `__init__.py` in any of the four roots would hide the other three."""
    assert [
        *repository.glob("*/boardkeeper/__init__.py"),
        *repository.glob("clients/*/boardkeeper/__init__.py"),
    ] == []


def test_generated_code_is_up_to_date(repository: Path) -> None:
    root = repository / "proto"
    assert is_current(root), f"run `make proto` for {sources(root)}"
    assert generate_blocking_client.is_current(), "run `make proto`"


def test_the_lock_names_no_host_and_no_path(repository: Path) -> None:
    lines = (repository / "requirements.lock").read_text().splitlines()
    assert [line for line in lines if "://" in line or " @ " in line or "--index" in line or "--find" in line] == []
