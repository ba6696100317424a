"""Rules that several titles share, one package per family.

A family imports no title and no other family. A title adds its own tables, editions, words and rules.
"""
