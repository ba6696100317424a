"""The modules that ``make mutants`` mutates and the tests that it runs: titles with families, families with titles."""

from __future__ import annotations

import pytest
from tests.kit import families

from boardkeeper.testkit.mutants import chosen
from boardkeeper.titles.registry import TITLES
from mutants import (
    FAMILIES,
    KERNEL,
    RULES,
    TESTS,
    arguments,
    cached,
    families_of,
    known,
    project,
    rules_modules,
    scope,
    settings_of,
)
from mutants import TITLES as BELOW_TITLES
from mutants import members as members_of

EVERY_TITLE = known(BELOW_TITLES)
EVERY_FAMILY = sorted(path.parent.name for path in (RULES / FAMILIES).glob("*/__init__.py"))
PACKAGES = [*(f"{BELOW_TITLES}/{title}" for title in EVERY_TITLE), *(f"{FAMILIES}/{family}" for family in EVERY_FAMILY)]


def test_every_title_and_every_family_has_settings_for_mutants() -> None:
    assert set(TITLES) <= set(EVERY_TITLE)
    assert known(FAMILIES) == EVERY_FAMILY
    assert EVERY_FAMILY


@pytest.mark.parametrize("package", PACKAGES)
def test_files_that_settings_name_exist(package: str) -> None:
    settings = settings_of(package)
    assert settings.rules
    for pattern in settings.rules:
        assert list((RULES / package).glob(pattern)), pattern
    for module in settings.cached:
        assert (RULES / package / module).exists()
    for test in settings.slow:
        assert list((TESTS / package).rglob(test))


@pytest.mark.parametrize("title", EVERY_TITLE)
def test_a_title_is_mutated_and_tested_with_its_families(title: str) -> None:
    own_families = families.families_of(RULES / BELOW_TITLES / title)
    assert list(families_of(title)) == own_families
    found = scope(title)
    assert found.mutated == found.tested == (f"titles/{title}", *(f"families/{family}" for family in own_families))
    modules = rules_modules(found)
    assert {module.split("/")[1] for module in modules} == {title, *own_families}
    assert not set(modules) & set(KERNEL)


@pytest.mark.parametrize("family", EVERY_FAMILY)
def test_a_family_is_mutated_alone_and_tested_by_all_its_titles(family: str) -> None:
    titles = members_of(family)
    assert set(families.members(family)) <= set(titles)
    found = scope(family=family)
    assert found.tested == (*(f"titles/{title}" for title in titles), f"families/{family}")
    modules = rules_modules(found)
    assert modules
    assert all(module.startswith(f"families/{family}/") for module in modules)
    assert f"tests/families/{family}" in arguments(found.tested)
    assert {f"tests/titles/{title}" for title in titles} <= set(arguments(found.tested))


def test_everything_is_mutated_once() -> None:
    everything = scope()
    assert set(everything.mutated) == set(everything.tested) == set(PACKAGES)
    modules = rules_modules(everything)
    assert len(set(modules)) == len(modules)
    assert set(KERNEL) <= set(modules)
    assert all((RULES / module).exists() for module in modules)
    assert chosen(modules, ["table/table.py"]) == ["table/table.py"]


def test_slow_tests_are_left_out() -> None:
    for package in PACKAGES:
        slow = {f"--ignore-glob=*/{test}" for test in settings_of(package).slow}
        assert slow <= set(arguments([package]))


def test_caches_of_titles_are_cleared_for_mutants_of_their_families() -> None:
    """Titles cache data of families, so a mutant of either has no effect until the cache is cleared."""
    for family in EVERY_FAMILY:
        found = cached(scope(family=family).tested)
        assert f"boardkeeper.families.{family}.data." in found
        for title in members_of(family):
            assert f"boardkeeper.titles.{title}.data." in found


def test_justified_mutants_are_in_modules_that_are_mutated() -> None:
    everything = project(scope())
    assert everything.justified
    assert {module for module, _ in everything.justified} <= set(everything.modules)
