"""The client: one connection, and an object for each kind of resource."""

from __future__ import annotations

import ssl
from typing import Optional

from . import resources
from ._connection import Connection
from ._settings import read_settings


class Disburse:
    """Options that are left out are read from DISBURSE_API_KEY, DISBURSE_API_SECRET and DISBURSE_BASE_URL.

    `timeout_ms` is how long one attempt may take, and `max_retries` how often a call is repeated. A `ssl_context`
    replaces the default one, as for an authority of your own.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        api_secret: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout_ms: float = 30_000,
        max_retries: int = 2,
        user_agent: Optional[str] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        connection = Connection(
            read_settings(
                api_key, api_secret, base_url, timeout_ms, max_retries, user_agent, ssl_context
            )
        )
        self.receivers = resources.Receivers(connection)
        self.receiver_accounts = resources.ReceiverAccounts(connection)
        self.payouts = resources.Payouts(connection)
        self.balance = resources.Balance(connection)
        self.events = resources.Events(connection)
        self.subaccount = resources.Subaccount(connection)
        self.webhook_endpoints = resources.WebhookEndpoints(connection)
        self.test_helpers = resources.TestHelpers(connection)
