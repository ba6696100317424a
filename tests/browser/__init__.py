"""The browser client as people have it.

A package, unlike the other folders, so that one browser serves all of its tests and is gone before those of others.
"""
