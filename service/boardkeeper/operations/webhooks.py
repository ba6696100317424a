"""The command ``boardkeeper webhooks``: URLs to which a server sends the event feed of a platform."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.environment import OPERATOR_TOKEN, default_server
from boardkeeper.terminal.errors import DONE, FAILED, USAGE, CommandError
from boardkeeper.terminal.output import Output

if TYPE_CHECKING:
    from boardkeeper.client.webhooks import WebhookClient
    from boardkeeper.v1 import webhooks_pb2

_TIMEOUT_SECONDS = 30.0

_shared_flags = cli.combine(cli.server_flag(), cli.tls_flags, cli.output_flags)
_webhook_argument = cli.argument("webhook", "ID", help="webhook id, see 'boardkeeper webhooks list'")


@cli.group
def webhooks() -> None:
    """Manage webhooks: URLs to which the server sends the event feed of your platform.

    This needs an API key with scope 'webhooks' in BOARDKEEPER_KEY. Messages are signed as in the Standard Webhooks
    specification. A message that cannot be delivered is retried for about three days and then listed as a dead letter.

    examples:
      boardkeeper webhooks create https://lobby.example.org/hook --kinds turn,result
      boardkeeper webhooks list
      boardkeeper webhooks test wh_1f0c9a3b77de
      boardkeeper webhooks rotate wh_1f0c9a3b77de --overlap 24
      boardkeeper webhooks dead wh_1f0c9a3b77de
      boardkeeper webhooks resend wh_1f0c9a3b77de
      boardkeeper webhooks remove wh_1f0c9a3b77de
    """


@webhooks.command()
@cli.argument("url", "URL", help="where to send messages: https:// and a public host")
@cli.flag("--title", default="", metavar="ID", help="only games of this title")
@cli.flag(
    "--kinds",
    type=values.words,
    default=(),
    metavar="KIND,…",
    help="only items of these kinds; 'boardkeeper feed --help' lists them",
)
@_shared_flags
def create(arguments: cli.Arguments, output: Output) -> int:
    """Create a webhook and show its secret once."""
    from boardkeeper.terminal.connections import as_record

    with _connect(arguments) as service:
        created = service.create(arguments.url, title=arguments.title, kinds=arguments.kinds)
    output.record(as_record(created.webhook) | {"secret": created.secret})
    output.line(f"webhook {created.webhook.webhook_id} to {created.webhook.url}")
    _show_secret(created.secret, output)
    return DONE


@webhooks.command("list")
@_shared_flags
def list_webhooks(arguments: cli.Arguments, output: Output) -> int:
    """List all webhooks, without secrets."""
    from boardkeeper.client.feed import name_of
    from boardkeeper.terminal.connections import as_record

    with _connect(arguments) as service:
        found = service.all_webhooks()
    for webhook in found:
        output.record(as_record(webhook))
        kinds, platform = ",".join(map(name_of, webhook.kinds)) or "all", webhook.platform or "(no platform)"
        output.line(f"{webhook.webhook_id}  {_state(webhook)}  {platform}  {kinds}  {webhook.url}")
    if not found:
        output.remark("There are no webhooks. Create one with: boardkeeper webhooks create URL")
    return DONE


@webhooks.command()
@_webhook_argument
@_shared_flags
def test(arguments: cli.Arguments, output: Output) -> int:
    """Send a test message now."""
    with _connect(arguments) as service:
        answer = service.test(arguments.webhook)
    output.record({"webhook_id": arguments.webhook, "status": answer.status, "problem": answer.problem})
    output.line(f"answered {answer.status}" if answer.status else f"not sent: {answer.problem}")
    return DONE if 200 <= answer.status < 300 else FAILED


@webhooks.command()
@_webhook_argument
@cli.flag(
    "--overlap",
    type=values.hours,
    default=24,
    metavar="HOURS",
    help="how long messages are also signed with the old secret",
)
@_shared_flags
def rotate(arguments: cli.Arguments, output: Output) -> int:
    """Create a new secret and show it once."""
    with _connect(arguments) as service:
        secret = service.rotate(arguments.webhook, timedelta(hours=arguments.overlap))
    output.record({"webhook_id": arguments.webhook, "secret": secret})
    _show_secret(secret, output)
    output.line(f"For {arguments.overlap:g} hours, messages are also signed with the old secret.")
    return DONE


@webhooks.command()
@_webhook_argument
@_shared_flags
def dead(arguments: cli.Arguments, output: Output) -> int:
    """List messages that could not be delivered (dead letters)."""
    from boardkeeper.client.timestamps import to_datetime
    from boardkeeper.terminal.connections import as_record

    with _connect(arguments) as service:
        letters = service.dead_letters(arguments.webhook)
    for letter in letters:
        output.record(as_record(letter))
        when = f"{to_datetime(letter.dead_time):%Y-%m-%d %H:%M} UTC"
        output.line(f"{letter.number}  {when}  {letter.game_id}  {letter.tries} tries: {letter.problem}")
    if not letters:
        output.remark("There are no dead letters.")
    return DONE


@webhooks.command()
@_webhook_argument
@cli.argument("numbers", "NUMBER", nargs=-1, type=int, help="dead letters (default: all)")
@_shared_flags
def resend(arguments: cli.Arguments, output: Output) -> int:
    """Send dead letters again."""
    with _connect(arguments) as service:
        service.resend(arguments.webhook, arguments.numbers)
    output.record({"webhook_id": arguments.webhook, "state": "resent"})
    output.line("The messages are being sent again.")
    return DONE


@webhooks.command()
@_webhook_argument
@_shared_flags
def enable(arguments: cli.Arguments, output: Output) -> int:
    """Enable a disabled webhook."""
    from boardkeeper.terminal.connections import as_record

    with _connect(arguments) as service:
        webhook = service.enable(arguments.webhook)
    output.record(as_record(webhook))
    output.line(f"{_state(webhook)}: webhook {webhook.webhook_id}")
    return DONE


@webhooks.command()
@_webhook_argument
@_shared_flags
def remove(arguments: cli.Arguments, output: Output) -> int:
    """Remove a webhook."""
    with _connect(arguments) as service:
        service.remove(arguments.webhook)
    output.record({"webhook_id": arguments.webhook, "state": "removed"})
    output.line(f"removed: webhook {arguments.webhook}")
    return DONE


@contextmanager
def _connect(arguments: cli.Arguments) -> Iterator[WebhookClient]:
    from boardkeeper.client.webhooks import WebhookClient
    from boardkeeper.terminal.connections import connect

    with connect(arguments.server or default_server(), "en", _TIMEOUT_SECONDS) as client:
        try:
            yield WebhookClient(client, os.environ.get(OPERATOR_TOKEN, ""))
        except ValueError as error:
            raise CommandError(f"{error}.", USAGE) from error


def _show_secret(secret: str, output: Output) -> None:
    output.command(secret)
    output.remark("Copy the secret now: it cannot be shown again. Receivers verify signatures with it.")


def _state(webhook: webhooks_pb2.Webhook) -> str:
    return f"disabled ({webhook.problem})" if webhook.HasField("disable_time") else "active"
