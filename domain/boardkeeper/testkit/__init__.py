"""Tests for titles: derive from :class:`boardkeeper.testkit.toy.TitleTests`, or from the tests of full titles.

It needs pytest: ``pip install 'boardkeeper[testkit]'``. docs/adding-a-title.md explains the two levels.
"""

from pkgutil import iter_modules

import pytest

# Failed assertions in these modules then show the compared values, as those of test modules do.
pytest.register_assert_rewrite(*(f"{__name__}.{module.name}" for module in iter_modules(__path__)))
