"""Conversion of structs to messages by field name."""

from __future__ import annotations

import pytest
from msgspec import Struct

from boardkeeper.service.api.struct_messages import message_of
from boardkeeper.v1 import access_pb2, catalog_pb2


class Option(Struct):
    id: str
    text: dict[str, str]


def test_a_text_is_in_the_requested_language_or_in_english() -> None:
    both, english = Option("fair", {"en": "Fair", "de": "Gerecht"}), Option("fair", {"en": "Fair"})
    assert message_of(catalog_pb2.Bot, both, "de").text == "Gerecht"
    assert message_of(catalog_pb2.Bot, english, "de").text == "Fair"


def test_a_field_without_a_value_is_an_error() -> None:
    with pytest.raises(AttributeError, match="key_id"):
        message_of(access_pb2.AccessKey, Option("fair", {}))
