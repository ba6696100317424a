"""Fixtures and settings of all tests."""

from __future__ import annotations

import gc
import os
import signal
from functools import partial
from pathlib import Path

import hypothesis
import pytest
from tests import folders
from tests.client.verifier import Verifier, verify_records

import build_web

# In CI a run is repeatable, and a slow machine is no failure. On a desk each run tries new examples.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None)
hypothesis.settings.register_profile("desk", deadline=None)
# tools/mutants.py only needs to know that a test fails, not the smallest example.
hypothesis.settings.register_profile(
    "mutants",
    derandomize=True,
    deadline=None,
    database=None,
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "desk")


# The objects that loading 18,000 tests creates stay until the end. Collecting garbage among them takes a third of the
# loading time, and slows the tests down.
gc.disable()


def pytest_collection_finish() -> None:
    """Collect garbage of the tests from here on, as rarely as a server does."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    gc.enable()


def pytest_configure() -> None:
    """Put temporary files into memory, and accept Ctrl-C also where a shell runs the tests in the background."""
    folders.use_memory()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def sdk(repository: Path) -> Path:
    """The folder of the compiled TypeScript SDK. Skips without npm's packages, but never in CI."""
    try:
        build_web.build(build_web.COMPILED)
    except build_web.NotInstalledError as missing:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"tests in TypeScript: {missing}")
    return repository / "clients" / "typescript"


@pytest.fixture(scope="session")
def dist(sdk: Path) -> Path:
    """The compiled verifier in TypeScript."""
    return sdk / "dist" / "verifier"


@pytest.fixture
def verifier(dist: Path) -> Verifier:
    """A function that verifies records with the TypeScript verifier."""
    return partial(verify_records, dist)
