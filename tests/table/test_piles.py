"""Piles share dictionaries with equal contents, which must never be noticeable."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

from boardkeeper.table import interning
from boardkeeper.table.interning import EMPTY, intern_contents
from boardkeeper.table.zones import FreeSpaces, Pile, free_spaces

KINDS = ("red", "blue", "green")


def test_piles_with_equal_contents_of_one_kind_share_a_dictionary() -> None:
    one, other = Pile("one", "public"), Pile("other", "public")
    assert one.items is other.items is EMPTY
    for pile in (one, other):
        pile.put("red", 2)
    assert one.items is other.items
    one.take("red", 1)
    assert (one.items, other.items) == ({"red": 1}, {"red": 2})
    one.take("red", 1)
    assert one.items is EMPTY


def test_piles_never_affect_each_other() -> None:
    """Compare three piles with three plain dictionaries after the same changes, also in the order of kinds."""
    choose = random.Random(3)
    piles = [Pile(str(number), "public") for number in range(3)]
    models: list[dict[str, int]] = [{} for _ in piles]
    sizes = set()
    for _ in range(5_000):
        at, kind, count = choose.randrange(3), choose.choice(KINDS), choose.randint(1, 3)
        pile, model = piles[at], models[at]
        if choose.random() < 0.5:
            pile.put(kind, count)
            model[kind] = model.get(kind, 0) + count
        elif model.get(kind, 0) < count:
            with pytest.raises(ValueError, match=f"does not hold {count} × {kind}"):
                pile.take(kind, count)
        else:
            pile.take(kind, count)
            model[kind] -= count
            if not model[kind]:
                del model[kind]
        sizes.add(len(model))
        assert [list(it.items.items()) for it in piles] == [list(it.items()) for it in models]
        assert pile.total() == sum(model.values())
    assert sizes == {0, 1, 2, 3}


@pytest.mark.parametrize("contents", [{}, {"red": 2}, {"red": 2, "blue": 1}], ids=["nothing", "one kind", "two kinds"])
def test_a_pile_copies_its_new_contents(contents: dict[str, int]) -> None:
    pile = Pile("bag", "public")
    pile.put("green", 1)
    source = dict(contents)
    pile.set_contents(source)
    assert pile.items == contents
    pile.put("red", 1)
    assert source == contents


@pytest.mark.parametrize(
    "shared", [EMPTY, intern_contents("red", 1), intern_contents("red", 4)], ids=["nothing", "one", "four"]
)
def test_a_shared_dictionary_cannot_be_changed(shared: dict[str, int]) -> None:
    before = dict(shared)
    with pytest.raises(TypeError, match="by putting and taking"):
        shared["red"] = 3
    with pytest.raises(TypeError, match="by putting and taking"):
        del shared["red"]
    with pytest.raises(TypeError, match="by putting and taking"):
        shared |= {"blue": 1}
    for change in (shared.clear, shared.popitem, lambda: shared.pop("red"), lambda: shared.setdefault("blue", 1)):
        with pytest.raises(TypeError, match="by putting and taking"):
            change()
    with pytest.raises(TypeError, match="by putting and taking"):
        shared.update(blue=1)
    assert shared == before


def test_a_shared_dictionary_can_be_copied() -> None:
    shared = intern_contents("red", 4)
    assert copy.deepcopy(shared) is shared
    assert pickle.loads(pickle.dumps(shared)) == shared
    mine = shared.copy()
    mine["blue"] = 1
    assert shared == {"red": 4}


def test_the_number_of_shared_dictionaries_is_limited() -> None:
    for number in range(interning._MAX_CACHED + 1):
        intern_contents(f"odd {number}", 1 + number % 2)
    assert intern_contents.cache_info().currsize <= interning._MAX_CACHED
    assert intern_contents("red", 1) is intern_contents("red", 1)


def test_moving_zero_components_changes_nothing() -> None:
    one, other = Pile("one", "public"), Pile("other", "public")
    for _ in range(3):  # with 0, 1 and 2 kinds in the pile
        one.take("green", 0)
        other.put("green", 0)
        other.take("green", 0)
        assert "green" not in other.items
        other.put(KINDS[len(other.items)], 1)


def test_the_first_free_space_is_the_next_one_in_order() -> None:
    spaces = [Pile(f"space.{number}", "public") for number in range(1, 5)]
    for space in (spaces[0], spaces[2]):
        space.put("monk", 1)
    assert [space.id for space in free_spaces(spaces)] == ["space.2", "space.4"]
    assert free_spaces(spaces[:1]) == []


def test_a_group_has_the_bits_of_its_empty_piles_after_any_change() -> None:
    choose = random.Random(5)
    piles = [Pile(str(number), "public") for number in range(4)]
    piles[0].put("red", 1)
    group = FreeSpaces()
    for at, pile in enumerate(piles):
        assert pile.join(group, 1 << at) is group
        assert pile.join(FreeSpaces(), 1 << 9) is group, "a pile stays in its first group"
    masks = set()
    for _ in range(1_000):
        pile, kind = choose.choice(piles), choose.choice(KINDS)
        match choose.randrange(4):
            case 0:
                pile.put(kind, choose.randrange(3))
            case 1:
                pile.take(kind, pile.items.get(kind, 0))
            case 2:
                pile.set_contents({kind: 1} if choose.random() < 0.5 else {})
            case _:
                pile.replace_items({"red": 1, "blue": 2} if choose.random() < 0.3 else EMPTY)
        assert group.mask == sum(1 << at for at, it in enumerate(piles) if not it.items)
        masks.add(group.mask)
    assert len(masks) == 1 << len(piles)
