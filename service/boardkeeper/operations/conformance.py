"""The command ``boardkeeper conformance``."""

from __future__ import annotations

from boardkeeper.operations.setting_flags import endpoint
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.output import Output


def _endpoint(text: str) -> Endpoint:
    """Convert a host and a port to listen on."""
    found = Endpoint.parse(endpoint(text))
    if found.path is not None:
        raise ValueError(f"cannot listen on {text!r}: write HOST:PORT, for example 127.0.0.1:50099")
    return found


@cli.command()
@cli.argument("client", "COMMAND", nargs=-1, help="client command, after --, with {address}")
@cli.switch("--list", help="list the scenarios")
@cli.flag("--scenario", multiple=True, metavar="NAME", help="only this scenario; repeatable")
@cli.flag("--serve", metavar="NAME", help="serve this scenario to one client that you start")
@cli.flag(
    "--listen",
    metavar="HOST:PORT",
    type=_endpoint,
    default="127.0.0.1:0",
    help="with --serve: where to listen (default: any free port)",
)
@cli.flag("--timeout", metavar="SECONDS", type=values.positive, default=60, help="time limit for each scenario")
@cli.flag("--jobs", metavar="N", type=values.positive, default=2, help="number of scenarios to run at a time")
@cli.output_flags
def conformance(arguments: cli.Arguments, output: Output) -> int:
    """Run a client against a server that simulates faults, and report what the client did wrong.

    There is one run for each scenario: lost responses, cut streams, rate limits, stale reads, votes, fields of later
    versions, and others. In the command, {address} is replaced by the address of the server (gRPC without TLS) and
    {web} by its URL for Connect.

    The client has to play one game to its end, print each event as a line 'VERSION  SENTENCE', and exit with status 0,
    as the programs in clients/examples do.

    examples:
      boardkeeper conformance --list                                    list the scenarios
      boardkeeper conformance -- python clients/examples/python/play_with_stubs.py {address}
      boardkeeper conformance --scenario stream-cut -- ./my-client {address}
      boardkeeper conformance --serve stream-cut --listen 127.0.0.1:50099      for a client in a debugger

    exit status:
      0  no scenario failed
      1  a scenario failed
      5  could not check: the tests could not be run
    """
    from boardkeeper.operations.conformance_runs import run_conformance

    return run_conformance(arguments, output)
