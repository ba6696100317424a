"""The table kernel: zones, markers, effects, dice, visibility, decisions and rejections.

It knows no title, database, clock or network.
"""
