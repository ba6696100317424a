"""``boardkeeper health``: whether a service takes calls, for programs that start and watch it."""

from __future__ import annotations

import time
from argparse import Namespace
from typing import Any

from boardkeeper.operations.installed import from_the_service
from boardkeeper.terminal.arguments import default_server
from boardkeeper.terminal.output import DONE, FAILED, UNCHECKED, CommandError, Output
from boardkeeper.terminal.session import connect

_LOOK_SECONDS = 0.2
_GAMES = "boardkeeper.v1.Games"


def run(arguments: Namespace, output: Output) -> int:
    """Ask until it is SERVING, for as long as that may take."""
    give_up = time.monotonic() + arguments.wait
    if arguments.wait:
        output.progress(f"Waiting up to {arguments.wait} s for {arguments.server or default_server()} ...")
    while True:
        try:
            status = _asked(arguments)
        except CommandError as error:
            if time.monotonic() >= give_up:
                raise CommandError(str(error), UNCHECKED if error.status == FAILED else error.status) from error
        else:
            if status == "SERVING" or time.monotonic() >= give_up:
                output.record({"status": status})
                output.line(status)
                return DONE if status == "SERVING" else FAILED
        time.sleep(_LOOK_SECONDS)


def _asked(arguments: Namespace) -> str:
    with from_the_service():
        from grpc_health.v1 import health_pb2, health_pb2_grpc  # noqa: PLC0415
    with connect(arguments.server or default_server(), "en", retry_timeout=0) as client:
        connection = client._connection
        stub: Any = health_pb2_grpc.HealthStub(connection.stubs.channel)
        answer: Any = connection.call(stub.Check, health_pb2.HealthCheckRequest(service=_GAMES))
    return health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
