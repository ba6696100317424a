"""Request validation, and the errors of the API."""
