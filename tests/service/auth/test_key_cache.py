"""The cache of API keys: one read serves all waiting calls."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

from boardkeeper.service.auth.key_cache import KeyCache
from boardkeeper.service.storage.access import KeyRow


async def test_a_cancelled_caller_does_not_cancel_the_read_of_others() -> None:
    reading, release = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def all_keys() -> list[KeyRow]:
        loop.call_soon_threadsafe(reading.set)
        assert release.wait(60)
        return []

    with ThreadPoolExecutor(1) as readers:
        application: Any = SimpleNamespace(
            database=SimpleNamespace(access=SimpleNamespace(all_keys=all_keys)), submit_read=readers.submit
        )
        cache = KeyCache(application)
        first = asyncio.create_task(cache.refresh())
        await reading.wait()
        second = asyncio.create_task(cache.find_by_certificate(list))
        await asyncio.sleep(0)
        first.cancel()
        release.set()
        assert await second is None
