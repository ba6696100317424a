"""The table kernel: zones, markers, effects, dice, visibility, decisions and rejections.

Every title is written in these words. Nothing here knows a title, a database, a clock or a network.
"""
