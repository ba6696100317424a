"""What every test may use."""

from __future__ import annotations

import gc
import os
import signal
from functools import partial
from pathlib import Path

import hypothesis
import pytest
from tests import folders
from tests.client.verifier import Verifier, judged

import build_web

# In CI a run is repeatable and a slow machine is no failure; at a desk each run tries something new.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None)
hypothesis.settings.register_profile("desk", deadline=None)
# For tools/mutants.py that a test fails is enough: nobody asks for the smallest example.
hypothesis.settings.register_profile(
    "mutants",
    derandomize=True,
    deadline=None,
    database=None,
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "desk")


# What loading 18,000 tests makes stays until the end. Looking through it for garbage, again and again, takes a third of
# the time in which they are loaded, and a part of that in which they run.
gc.disable()


def pytest_collection_finish() -> None:
    """From here on garbage is collected, of what the tests make, as seldom as in a service."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    gc.enable()


def pytest_configure() -> None:
    """Files are in memory. Ctrl-C counts, also where a shell runs the tests in the background, where it is ignored."""
    folders.use_memory()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def sdk(repository: Path) -> Path:
    """The folder of the SDK in TypeScript, compiled. Skips where npm's packages cannot be had, but never in CI."""
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
    """What the verifier in TypeScript says of records."""
    return partial(judged, dist)
