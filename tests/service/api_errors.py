"""Expected errors of the API, by reason."""

from __future__ import annotations

import pytest

from boardkeeper.service.requests.errors import ApiError


def api_error(reason: str) -> pytest.RaisesExc[ApiError]:
    """Return a context that fails unless its body raises the error with this reason."""
    return pytest.raises(ApiError, check=lambda error: error.reason == reason)
