"""The features in observation spaces do not change: trained programs depend on them."""

from __future__ import annotations

import msgspec
from tests.stability.observation_spaces import FILE, Versions, current


def test_no_feature_has_changed() -> None:
    stored = msgspec.json.decode(FILE.read_bytes(), type=Versions)
    assert current() == stored, (
        "features changed: name the change in the changelog and run python -m tests.stability.observation_spaces"
    )
