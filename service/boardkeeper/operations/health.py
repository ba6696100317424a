"""The command ``boardkeeper health``."""

from __future__ import annotations

import time
from typing import Any

from boardkeeper.operations.support import server_imports
from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.environment import default_server
from boardkeeper.terminal.errors import DONE, FAILED, UNCHECKED, CommandError
from boardkeeper.terminal.output import Output

_POLL_SECONDS = 0.2
_GAMES = "boardkeeper.v1.Games"


@cli.command()
@cli.server_flag(f"server to check {cli.DEFAULT_HELP}")
@cli.flag("--wait", metavar="SECONDS", type=values.positive, default=0, help="wait up to this time until it is SERVING")
@cli.tls_flags
@cli.output_flags
def health(arguments: cli.Arguments, output: Output) -> int:
    """Ask a server for its health, as load balancers and containers do.

    It is SERVING when it accepts calls, and NOT_SERVING while it shuts down or cannot store anything.

    examples:
      boardkeeper health
      boardkeeper health --server localhost:8050 --wait 60     wait up to a minute until it is SERVING

    exit status:
      0  the server is SERVING
      1  the server is NOT_SERVING
      3  no server reached
      5  the server answered, but its health could not be determined
    """
    deadline = time.monotonic() + arguments.wait
    if arguments.wait:
        output.progress(f"Waiting up to {arguments.wait} s for {arguments.server or default_server()} ...")
    while True:
        try:
            status = _request_status(arguments)
        except CommandError as error:
            if time.monotonic() >= deadline:
                raise CommandError(str(error), UNCHECKED if error.status == FAILED else error.status) from error
        else:
            if status == "SERVING" or time.monotonic() >= deadline:
                output.record({"status": status})
                output.line(status)
                return DONE if status == "SERVING" else FAILED
        time.sleep(_POLL_SECONDS)


def _request_status(arguments: cli.Arguments) -> str:
    from boardkeeper.terminal.connections import connect

    with server_imports():
        from grpc_health.v1 import health_pb2, health_pb2_grpc
    with connect(arguments.server or default_server(), "en", retry_timeout=0) as client:
        connection = client._connection
        stub: Any = health_pb2_grpc.HealthStub(connection.stubs.channel)
        answer: Any = connection.call(stub.Check, health_pb2.HealthCheckRequest(service=_GAMES))
    return health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
