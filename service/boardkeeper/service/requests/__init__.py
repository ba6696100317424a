"""Checks of requests, and the errors of the API."""
