"""Failures that are meant for people: what stops a service from starting."""

from __future__ import annotations


class StartupError(Exception):
    """The service cannot start; the message tells the person at the terminal why, in one sentence."""
