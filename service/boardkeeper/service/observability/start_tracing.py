"""The start of tracing, apart from :mod:`tracing`, whose packages are those of an extra."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from boardkeeper.service.errors import StartupError

if TYPE_CHECKING:
    from boardkeeper.service.observability.tracing import Tracing


def start_tracing(endpoint: str, share: float, build: str) -> Tracing:
    """Trace a ``share`` of calls (0 to 1), and send the traces to the OTLP collector at the URL ``endpoint``.

    This does not check that the collector exists. Raises :class:`StartupError` for invalid arguments or missing
    packages.
    """
    if urlsplit(endpoint).scheme not in ("http", "https") or not urlsplit(endpoint).netloc:
        raise StartupError(f"cannot send traces to {endpoint!r}: use a URL, as in http://127.0.0.1:4317")
    if share > 1:
        raise StartupError(f"the share of traced calls must be 0 to 1, not {share:g}")
    try:
        from boardkeeper.service.observability import tracing  # noqa: PLC0415  # needs the packages of an extra
    except ModuleNotFoundError as error:
        raise StartupError(f"traces need more packages: pip install 'boardkeeper[tracing]' ({error})") from error
    return tracing.Tracing(tracing.otlp_exporter(endpoint), share, build)
