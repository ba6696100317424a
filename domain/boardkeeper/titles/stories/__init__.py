"""Orléans Stories by Reiner Stockhausen: *The Settlers* for 2 to 4, *England vs. France* for two secret teams."""
