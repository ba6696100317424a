"""Bots of Orléans Stories."""
