"""A title under another id than its own."""

from pebbles_title import PebblesTitle

TITLE = PebblesTitle()
