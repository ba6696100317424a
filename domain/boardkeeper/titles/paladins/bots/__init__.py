"""Bots of Paladins."""
