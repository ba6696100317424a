"""Orléans Stories by Reiner Stockhausen: *The Settlers* (2 to 4 players), *England vs. France* (two secret teams)."""
