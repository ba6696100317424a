"""Types of options and readings have the choices of the catalogue, and the rules read no others."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
from msgspec.structs import asdict

from boardkeeper.titlekit.choices import Chosen, chosen_type, data_reader
from boardkeeper.titlekit.title import ChoiceMeta, OptionMeta, Setup, TitleMeta
from boardkeeper.titles.registry import TITLES, load_meta

TEXT = {"en": "Owls", "de": "Eulen"}
OWLS = OptionMeta("owls", TEXT, (ChoiceMeta("one", TEXT), ChoiceMeta("many", TEXT)), "one")
META = TitleMeta("box", TEXT, "", "", "playable", (), "", options=(), readings=(OWLS,))

READ = re.compile(r"\bdata\.(?:readings|chosen|options)\.([a-z_0-9]+)")
READ_BY_DATA = re.compile(r"\b(?:readings|options)\.([a-z_0-9]+)(?!\w|\()")


class FamilyReadings(Chosen, frozen=True):
    """Readings of a family of titles."""

    foxes: str = "none"


def test_each_choice_is_a_field_with_the_default_of_the_catalogue() -> None:
    readings = chosen_type("Readings", META.readings, Chosen)
    assert asdict(readings()) == {"owls": "one"}
    assert readings(owls="many").owls == "many"
    with pytest.raises(AttributeError):
        _ = readings().moles


def test_choices_of_a_family_keep_their_defaults() -> None:
    readings = chosen_type("Readings", META.readings, FamilyReadings)
    assert asdict(readings()) == {"foxes": "none", "owls": "one"}
    assert issubclass(readings, FamilyReadings)


def test_games_with_the_same_choices_share_their_data() -> None:
    meta = load_meta("orleans")
    readings, options = chosen_type("R", meta.readings, Chosen), chosen_type("O", meta.options, Chosen)
    data_for = data_reader(meta, readings, options, lambda edition, *chosen: [edition, *chosen])
    one, same_choices = Setup("dlp-8th", 2), Setup("dlp-8th", 4, {"bathhouse": options().bathhouse})
    assert data_for(one) is data_for(same_choices)
    assert data_for(one) is not data_for(Setup("dlp-8th", 2, {"bathhouse": "passive"}))
    all_options = asdict(options())
    assert data_for(one) is data_for(Setup("dlp-8th", 2, dict(reversed(all_options.items()))))
    with pytest.raises(ValueError, match="orleans has no reading 'moles'"):
        data_for(Setup("dlp-8th", 2, {}, {"moles": "all"}))


@pytest.mark.parametrize("title", TITLES)
def test_rules_read_only_existing_choices(title: str) -> None:
    """The type checker accepts any name of a choice, so this test looks for misspelt ones."""
    data = import_module(f"{TITLES[title]}.data")
    known = {*data.Readings.__struct_fields__, *data.Options.__struct_fields__}
    folder = Path(str(import_module(TITLES[title]).__file__)).parent
    read = {id for path in folder.rglob("*.py") for id in READ.findall(path.read_text("utf-8"))}
    for module in ("data", "variants"):
        path = folder / f"{module}.py"
        read |= set(READ_BY_DATA.findall(path.read_text("utf-8"))) if path.exists() else set()
    assert len(read) > 5
    assert read - known == set()
