"""The dice match their published description and its test vectors, and are fair."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations, repeat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardkeeper.table import dice as provable
from boardkeeper.table.dice import Dice, commitment, key

SPAN = 2**64
KEY = hashlib.sha256(b"a fixed key").digest()

# --- the published description -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / "docs" / "dice.md").read_text("utf-8")


@pytest.fixture(scope="module")
def vectors(page: str) -> dict[str, Any]:
    """Return the test vectors of the page."""
    (block,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    found: dict[str, Any] = json.loads(block)
    return found


@pytest.fixture(scope="module")
def published(page: str) -> dict[str, Any]:
    """Return the functions of the page's program, which shares no code with ours."""
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    return names


def test_keys_match_the_vectors(vectors: dict[str, Any]) -> None:
    for vector in vectors["keys"]:
        secret = bytes.fromhex(vector["secret"])
        assert commitment(secret) == vector["commitment"]
        assert key(secret, map(bytes.fromhex, vector["entropies"])).hex() == vector["key"]
    assert vectors["key"] == vectors["keys"][0]["key"]


def test_numbers_match_the_vectors(vectors: dict[str, Any]) -> None:
    dice = Dice(bytes.fromhex(vectors["key"]))
    for vector in vectors["numbers"]:
        assert dice.number(vector["stream"], vector["counter"], vector["bound"]) == vector["number"], vector
        assert int(vector["value"], 16) % vector["bound"] == vector["number"], vector
    assert {vector["attempt"] for vector in vectors["numbers"]} == {0, 1, 2, 3}


def test_draws_match_the_vectors(vectors: dict[str, Any]) -> None:
    dice = Dice(bytes.fromhex(vectors["key"]))
    for vector in vectors["draws"]:
        pile = vector["pile"]
        assert dice.picks(vector["zone"], vector["counter"], pile, vector["count"]) == vector["drawn"], vector
        backwards = dict(reversed(pile.items()))
        assert dice.picks(vector["zone"], vector["counter"], backwards, vector["count"]) == vector["drawn"], vector


def test_shuffles_match_the_vectors(vectors: dict[str, Any]) -> None:
    dice = Dice(bytes.fromhex(vectors["key"]))
    for vector in vectors["shuffles"]:
        assert dice.shuffled(vector["zone"], vector["counter"], vector["before"]) == vector["after"], vector


def test_the_stored_name_of_the_algorithm_is_the_described_one(page: str) -> None:
    assert f"`{provable.ALGORITHM}`" in page
    assert provable.SECRET_BYTES == 32


@pytest.mark.parametrize("length", [0, 8, 32, 63, 64, 65, 200])
def test_numbers_are_hmacs_for_keys_of_any_length(length: int) -> None:
    long = bytes(range(length))
    expected = hmac.digest(long, b"pile:7:0", "sha256")[:8]
    assert Dice(long).number("pile", 7, SPAN) == int.from_bytes(expected, "big")


STREAMS = st.text(min_size=1, max_size=20)
COUNTERS = st.integers(0, 2**32)
KEYS = st.binary(min_size=32, max_size=32)


@given(
    secret=KEYS,
    entropies=st.lists(st.binary(max_size=40), max_size=5),
    stream=STREAMS,
    counter=COUNTERS,
    bound=st.integers(1, 200) | st.integers(1, SPAN),
)
def test_numbers_are_as_published(
    published: dict[str, Any], secret: bytes, entropies: list[bytes], stream: str, counter: int, bound: int
) -> None:
    mixed = key(secret, entropies)
    assert mixed == published["make_key"](secret, entropies)
    assert commitment(secret) == published["commitment"](secret)
    number = Dice(mixed).number(stream, counter, bound)
    assert number == published["number"](mixed, stream, counter, bound)
    assert 0 <= number < bound


@given(
    mixed=KEYS,
    stream=STREAMS,
    counter=COUNTERS,
    pile=st.dictionaries(st.text(min_size=1, max_size=6), st.integers(1, 9), max_size=8),
    share=st.floats(0, 1),
)
def test_draws_are_as_published(
    published: dict[str, Any], mixed: bytes, stream: str, counter: int, pile: dict[str, int], share: float
) -> None:
    components = [component for component, count in pile.items() for _ in range(count)]
    count = round(share * len(components))
    before = dict(pile)
    drawn = Dice(mixed).picks(stream, counter, pile, count)
    assert drawn == published["draw"](mixed, stream, counter, components, count)
    assert pile == before, "a pick changes nothing"
    assert not Counter(drawn) - Counter(pile), "no component is drawn more often than the pile contains it"


@given(mixed=KEYS, stream=STREAMS, counter=COUNTERS, order=st.lists(st.sampled_from("ABCDEF"), max_size=30))
def test_shuffles_are_as_published(
    published: dict[str, Any], mixed: bytes, stream: str, counter: int, order: list[str]
) -> None:
    before = list(order)
    after = Dice(mixed).shuffled(stream, counter, order)
    assert after == published["shuffle"](mixed, stream, counter, order)
    assert Counter(after) == Counter(before)
    assert order == before


# --- what the key depends on -----------------------------------------------------------------------------------


def test_the_key_depends_on_the_secret_and_on_each_seats_own_entropy() -> None:
    secret = bytes(32)
    keys = [
        key(secret, [b"ab", b"c"]),
        key(secret, [b"a", b"bc"]),
        key(secret, [b"abc", b""]),
        key(secret, [b"", b"abc"]),
        key(secret, [b"abc"]),
        key(secret, [b"c", b"ab"]),
        key(bytes(31) + b"\1", [b"ab", b"c"]),
    ]
    assert len(set(keys)) == len(keys)


def test_the_commitment_is_neither_the_key_nor_a_bare_hash() -> None:
    secret = bytes(32)
    assert commitment(secret) != key(secret, []).hex()
    assert commitment(secret) != hashlib.sha256(secret).hexdigest(), "a bare hash could be looked up elsewhere"


# --- no bias ---------------------------------------------------------------------------------------------------


def fake_hashes(monkeypatch: pytest.MonkeyPatch, *values: int) -> list[str]:
    """Let the HMACs of the next dice begin with these values; return the hashed texts."""
    texts: list[str] = []

    class Hash:
        """The inner or outer hash of an HMAC."""

        def __init__(self, texts: list[str], digests: Iterator[int]) -> None:
            self.texts = texts
            self.digests = digests

        def copy(self) -> Hash:
            return self

        def update(self, text: bytes) -> None:
            self.texts.append(text.decode())

        def digest(self) -> bytes:
            return next(self.digests).to_bytes(8, "big") + bytes(24)

    hashes = iter([Hash(texts, repeat(0)), Hash([], iter(values))])
    monkeypatch.setattr(hashlib, "sha256", lambda _: next(hashes))
    return texts


@pytest.mark.parametrize("bound", [3, 6, 7, 90, 2**63 + 1, SPAN - 1])
def test_values_of_the_incomplete_last_block_are_rejected(monkeypatch: pytest.MonkeyPatch, bound: int) -> None:
    """The largest accepted value ends a complete block; larger ones lead to another attempt."""
    limit = SPAN // bound * bound
    texts = fake_hashes(monkeypatch, limit - 1)
    assert Dice(KEY).number("pile", 4, bound) == bound - 1
    assert texts == ["pile:4:0"]
    texts = fake_hashes(monkeypatch, limit, SPAN - 1, 0)
    assert Dice(KEY).number("pile", 4, bound) == 0
    assert texts == ["pile:4:0", "pile:4:1", "pile:4:2"]


@pytest.mark.parametrize("bound", [1, 2, 64, 2**63, SPAN])
def test_no_value_is_rejected_if_all_blocks_are_complete(monkeypatch: pytest.MonkeyPatch, bound: int) -> None:
    texts = fake_hashes(monkeypatch, SPAN - 1)
    assert Dice(KEY).number("pile", 0, bound) == bound - 1
    assert len(texts) == 1


def chi_square(found: Counter[Any], weights: dict[Any, int]) -> float:
    """Return how far the counts differ from the expected ones."""
    total, weight = sum(found.values()), sum(weights.values())
    assert set(found) <= set(weights)
    return sum((found[kind] - total * w / weight) ** 2 / (total * w / weight) for kind, w in weights.items())


CRITICAL = {5: 20.5, 11: 31.3, 14: 36.1, 23: 49.7}
"""Chi-square values that chance exceeds once in a thousand, by degrees of freedom. The keys are fixed."""

DICE = [Dice(hashlib.sha256(str(seed).encode()).digest()) for seed in range(4)]


def check_distribution(sample: Callable[[Dice], Iterable[Any]], weights: dict[Any, int]) -> None:
    """Fail if the samples from the dice of several keys do not follow the weights."""
    for dice in DICE:
        assert chi_square(Counter(sample(dice)), weights) < CRITICAL[len(weights) - 1]


def test_numbers_are_uniform() -> None:
    check_distribution(
        lambda dice: (dice.number("die", counter, 6) for counter in range(3000)), dict.fromkeys(range(6), 1)
    )


def test_the_remainder_does_not_favour_small_numbers() -> None:
    """Without rejected values, the lowest third of this range would come twice as often as the others."""
    bound = 3 * 2**62
    check_distribution(
        lambda dice: (dice.number("wide", c, bound) * 6 // bound for c in range(3000)), dict.fromkeys(range(6), 1)
    )


def test_picks_are_uniform_over_components_not_kinds() -> None:
    """Two picks from 1, 2, 3 and 6 components: each kind is as likely as the count of it that remains."""
    pile = {"a": 1, "b": 2, "c": 3, "d": 6}
    pairs = {x + y: pile[x] * (pile[y] - (x == y)) for x in pile for y in pile}
    del pairs["aa"]
    check_distribution(lambda dice: ("".join(dice.picks("bag", 2 * turn, pile, 2)) for turn in range(3000)), pairs)


def test_shuffles_are_uniform() -> None:
    orders = ["".join(order) for order in permutations("ABCD")]
    check_distribution(
        lambda dice: ("".join(dice.shuffled("deck", 3 * turn, "ABCD")) for turn in range(3000)),
        dict.fromkeys(orders, 1),
    )


def test_streams_and_counters_are_independent() -> None:
    """The same counter of two zones, and neighbouring counters of one zone."""
    weights = {(a, b): 1 for a in range(3) for b in range(4)}
    check_distribution(
        lambda dice: ((dice.number("one", c, 3), dice.number("two", c, 4)) for c in range(3000)), weights
    )
    check_distribution(
        lambda dice: ((dice.number("one", c, 3), dice.number("one", c + 1, 4)) for c in range(3000)), weights
    )
