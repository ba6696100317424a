"""A module without a title."""
