"""Traces of calls for OpenTelemetry, for who asks for them: nothing else in the service needs its packages."""
