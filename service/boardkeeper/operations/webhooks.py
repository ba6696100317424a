"""``boardkeeper webhooks``: where a platform wants its feed sent."""

from __future__ import annotations

import os
from argparse import Namespace
from datetime import timedelta

from boardkeeper.client.feed import name_of
from boardkeeper.client.timestamps import to_datetime
from boardkeeper.client.webhooks import WebhookClient
from boardkeeper.terminal.arguments import default_server
from boardkeeper.terminal.output import DONE, FAILED, USAGE, CommandError, Output
from boardkeeper.terminal.positions import VARIABLE
from boardkeeper.terminal.session import as_record, connect
from boardkeeper.v1 import webhooks_pb2

_RETRY_SECONDS = 30.0


def run(arguments: Namespace, output: Output) -> int:
    """Make, list, change, try or remove endpoints. A secret is shown once, when it is made."""
    with connect(arguments.server or default_server(), "en", _RETRY_SECONDS) as client:
        desk = WebhookClient(client, os.environ.get(VARIABLE, ""))
        try:
            return _DEEDS[arguments.deed](desk, arguments, output)
        except ValueError as error:
            raise CommandError(f"{error}.", USAGE) from error


def _create(desk: WebhookClient, arguments: Namespace, output: Output) -> int:
    made = desk.create(arguments.url, title=arguments.title, kinds=arguments.kinds)
    output.record(as_record(made.webhook) | {"secret": made.secret})
    output.line(f"webhook {made.webhook.webhook_id} to {made.webhook.url}")
    _show_secret(made.secret, output)
    return DONE


def _rotate(desk: WebhookClient, arguments: Namespace, output: Output) -> int:
    secret = desk.rotate(arguments.webhook, timedelta(hours=arguments.overlap))
    output.record({"webhook_id": arguments.webhook, "secret": secret})
    _show_secret(secret, output)
    output.line(f"For {arguments.overlap:g} hours, messages are also signed with the old secret.")
    return DONE


def _show_secret(secret: str, output: Output) -> None:
    output.command(secret)
    output.remark("Copy the secret now: it cannot be shown again. Receivers verify signatures with it.")


def _list(desk: WebhookClient, _: Namespace, output: Output) -> int:
    webhooks = desk.all_webhooks()
    for webhook in webhooks:
        output.record(as_record(webhook))
        kinds, platform = ",".join(map(name_of, webhook.kinds)) or "all", webhook.platform or "(no platform)"
        output.line(f"{webhook.webhook_id}  {_state(webhook)}  {platform}  {kinds}  {webhook.url}")
    if not webhooks:
        output.remark("There are no webhooks. Create one with: boardkeeper webhooks create URL")
    return DONE


def _state(webhook: webhooks_pb2.Webhook) -> str:
    return f"disabled ({webhook.problem})" if webhook.HasField("disable_time") else "active"


def _remove(desk: WebhookClient, arguments: Namespace, output: Output) -> int:
    desk.remove(arguments.webhook)
    output.record({"webhook_id": arguments.webhook, "state": "removed"})
    output.line(f"removed: webhook {arguments.webhook}")
    return DONE


def _enable(desk: WebhookClient, arguments: Namespace, output: Output) -> int:
    webhook = desk.enable(arguments.webhook)
    output.record(as_record(webhook))
    output.line(f"{_state(webhook)}: webhook {webhook.webhook_id}")
    return DONE


def _test(desk: WebhookClient, arguments: Namespace, output: Output) -> int:
    found = desk.test(arguments.webhook)
    output.record({"webhook_id": arguments.webhook, "status": found.status, "problem": found.problem})
    output.line(f"answered {found.status}" if found.status else f"not sent: {found.problem}")
    return DONE if 200 <= found.status < 300 else FAILED


def _dead(desk: WebhookClient, arguments: Namespace, output: Output) -> int:
    letters = desk.dead_letters(arguments.webhook)
    for letter in letters:
        output.record(as_record(letter))
        when = f"{to_datetime(letter.dead_time):%Y-%m-%d %H:%M} UTC"
        output.line(f"{letter.number}  {when}  {letter.game_id}  {letter.tries} tries: {letter.problem}")
    if not letters:
        output.remark("There are no dead letters.")
    return DONE


def _resend(desk: WebhookClient, arguments: Namespace, output: Output) -> int:
    desk.resend(arguments.webhook, arguments.numbers)
    output.record({"webhook_id": arguments.webhook, "state": "resent"})
    output.line("The messages are being sent again.")
    return DONE


_DEEDS = {
    "create": _create,
    "list": _list,
    "rotate": _rotate,
    "remove": _remove,
    "enable": _enable,
    "test": _test,
    "dead": _dead,
    "resend": _resend,
}
