"""Orléans in a terminal."""
