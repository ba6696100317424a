"""Rules that several titles share: one package a family, beside the titles and below them.

A family knows no title, and no other family. A title that belongs to one brings its own tables, editions, words and
whatever is its own in play.
"""
