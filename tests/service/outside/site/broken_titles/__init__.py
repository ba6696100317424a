"""Titles that cannot be loaded, each in its own way."""
