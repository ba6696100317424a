"""Tests of the web client in Chromium.

A package, unlike the other folders, so that all its tests share one browser, which is closed before other tests run.
"""
