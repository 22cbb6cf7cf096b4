"""The operations, a class for each resource. Written by npm run generate, from openapi.json."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, cast

from . import schemas
from ._connection import Resource, segment
from ._feed import HeardEvent, listen
from ._paged_list import PagedList
from ._times import with_times


class Receivers(Resource):
    def create(
        self,
        new_receiver: schemas.NewReceiver,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.CreatedReceiver:
        """Create receiver."""
        payload = self._connection.post("/api/receiver", new_receiver, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.CreatedReceiver", payload)

    def get(
        self,
        id: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.Receiver:
        """Get receiver by id."""
        payload = self._connection.get(f"/api/receiver/{segment(id)}", None, timeout_ms, max_retries)
        return cast("schemas.Receiver", payload)

    def list(
        self,
        filter: Optional[schemas.ReceiversFilter] = None,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> PagedList[schemas.Receiver]:
        """List receivers. Newest first. If there is a next page, the link header names it."""
        return self._connection.list("/api/receiver", filter, timeout_ms, max_retries)

    def update(
        self,
        id: str,
        receiver_change: schemas.ReceiverChange,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.Receiver:
        """Change a receiver. Only the fields that you send change. A new name or date of birth resets the identity
        check to pending. `status` deactivates or reactivates a receiver."""
        payload = self._connection.patch(f"/api/receiver/{segment(id)}", receiver_change, timeout_ms, max_retries)
        return cast("schemas.Receiver", payload)

    def delete(
        self,
        id: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.DeletedReceiver:
        """Deactivate a receiver. The receiver becomes inactive and can no longer be paid. Its email stays taken.
        Repeating the request changes nothing."""
        payload = self._connection.delete(f"/api/receiver/{segment(id)}", timeout_ms, max_retries)
        return cast("schemas.DeletedReceiver", payload)

    def erase(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.ErasedReceiver:
        """Erase a receiver. Overwrites every word about the person for good: names, email, date of birth, telephone,
        address and bank details. The receiver stays, inactive and with empty texts. It is refused while a payout is
        in progress, a review is open, or payouts must still be kept by law. Repeating the request changes nothing."""
        payload = self._connection.post(f"/api/receiver/{segment(id)}/erase", {}, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.ErasedReceiver", payload)

    def restart_kyc(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.CreatedReceiver:
        """Restart a failed identity check."""
        payload = self._connection.post(f"/api/receiver/{segment(id)}/kyc", {}, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.CreatedReceiver", payload)

    def kyc_link(
        self,
        id: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.KycLink:
        """Create a link for the person. The person opens it and gives the documents that the identity check needs.
        It is a secret of the person. Every request creates a link; none is stored."""
        payload = self._connection.ask(f"/api/receiver/{segment(id)}/kyc-link", {}, timeout_ms, max_retries)
        return cast("schemas.KycLink", payload)

    def history(
        self,
        id: str,
        filter: Optional[schemas.ReceiverHistoryFilter] = None,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> PagedList[schemas.HistoryEntry]:
        """List the changes of a receiver. Newest first, the creation last. The link header names the next page."""
        return self._connection.list(f"/api/receiver/{segment(id)}/history", filter, timeout_ms, max_retries)


class ReceiverAccounts(Resource):
    def create(
        self,
        new_receiver_account: schemas.NewReceiverAccount,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.CreatedReceiverAccount:
        """Create receiver account. getReceiverAccountSchema describes the fields that a country needs."""
        payload = self._connection.post("/api/receiveraccount", new_receiver_account, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.CreatedReceiverAccount", payload)

    def get(
        self,
        id: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.ReceiverAccount:
        """Get receiver account by id."""
        payload = self._connection.get(f"/api/receiveraccount/{segment(id)}", None, timeout_ms, max_retries)
        return cast("schemas.ReceiverAccount", payload)

    def list(
        self,
        id: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[schemas.ReceiverAccount]:
        """List receiver accounts of a receiver. Newest first, without closed accounts. The list is empty if the
        receiver has no accounts."""
        payload = self._connection.get(f"/api/receiveraccount/receiver/{segment(id)}", None, timeout_ms, max_retries)
        return cast("List[schemas.ReceiverAccount]", payload)

    def update(
        self,
        id: str,
        receiver_account_change: schemas.ReceiverAccountChange,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.ReceiverAccount:
        """Update receiver account."""
        payload = self._connection.patch(f"/api/receiveraccount/{segment(id)}", receiver_account_change, timeout_ms, max_retries)
        return cast("schemas.ReceiverAccount", payload)

    def delete(
        self,
        id: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.DeletedReceiverAccount:
        """Delete receiver account. The account is no longer listed and can no longer be paid. You can still read it
        by its id."""
        payload = self._connection.delete(f"/api/receiveraccount/{segment(id)}", timeout_ms, max_retries)
        return cast("schemas.DeletedReceiverAccount", payload)

    def validate(
        self,
        receiver_account_to_validate: schemas.ReceiverAccountToValidate,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.ValidatedReceiverAccount:
        """Validate a receiver account. Runs the checks of creating an account, and creates nothing."""
        payload = self._connection.post("/api/receiveraccount/validate", receiver_account_to_validate, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.ValidatedReceiverAccount", payload)

    def schema(
        self,
        country: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.AccountSchema:
        """Get the fields of an account in a country. As JSON Schema. Use it to build or check a form."""
        payload = self._connection.get("/api/receiveraccount/schema", {"country": country}, timeout_ms, max_retries)
        return cast("schemas.AccountSchema", payload)


class Payouts(Resource):
    def create(
        self,
        new_payout: schemas.NewPayout,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.CreatedPayout:
        """Create a payout. Holds the amount at once. The order of checks is: receiver, account, bank, currency, fee,
        limits, duplicate, funds."""
        payload = self._connection.post("/api/payout/single", new_payout, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.CreatedPayout", payload)

    def validate(
        self,
        new_payout: schemas.NewPayout,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.ValidatedPayout:
        """Validate a payout. A dry run: decides as `POST /api/payout/single` would now, and writes nothing. The
        response lists every reason for which the payout would be refused, with the codes of the creation, and shows
        its fee."""
        payload = self._connection.ask("/api/payout/validate", new_payout, timeout_ms, max_retries)
        return cast("schemas.ValidatedPayout", payload)

    def create_batch(
        self,
        payouts: List[schemas.NewPayout],
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.CreatedPayoutBatch:
        """Create a payout batch, all or none. Checks every row before it creates any payout. An error names its row:
        `payouts[3].amount`."""
        payload = self._connection.post("/api/payout/batch", {"payouts": payouts}, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.CreatedPayoutBatch", payload)

    def get(self, id: str, *, timeout_ms: Optional[float] = None, max_retries: Optional[int] = None) -> schemas.Payout:
        """Get payout by id."""
        return cast("schemas.Payout", self._connection.get(f"/api/payout/{segment(id)}", None, timeout_ms, max_retries))

    def list(
        self,
        filter: Optional[schemas.PayoutsFilter] = None,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> PagedList[schemas.Payout]:
        """List payouts. Newest first. The link header names the next page. With `accept: text/csv` the response is
        CSV."""
        return self._connection.list("/api/payout", with_times(filter, "from", "to"), timeout_ms, max_retries)

    def batch(
        self,
        id: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.PayoutBatch:
        """Get the state of a payout batch. `GET /api/payout?batch_id=` lists its payouts."""
        payload = self._connection.get(f"/api/payout/batch/{segment(id)}", None, timeout_ms, max_retries)
        return cast("schemas.PayoutBatch", payload)

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.Payout:
        """Cancel a payout that has not been sent."""
        payload = self._connection.post(f"/api/payout/{segment(id)}/cancel", {}, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.Payout", payload)

    def history(
        self,
        id: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[schemas.PayoutHistoryEntry]:
        """List the changes of a payout. Newest first, the creation last."""
        payload = self._connection.get(f"/api/payout/{segment(id)}/history", None, timeout_ms, max_retries)
        return cast("List[schemas.PayoutHistoryEntry]", payload)


class Balance(Resource):
    def get(self, *, timeout_ms: Optional[float] = None, max_retries: Optional[int] = None) -> List[schemas.Balance]:
        """Get the balances, by currency."""
        return cast("List[schemas.Balance]", self._connection.get("/api/balance", None, timeout_ms, max_retries))

    def funding(
        self,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.FundingInstructions:
        """Get the bank accounts and deposit references that fund the balances. For each currency that a bank
        connection can pay for you, and each that you have a balance in. A transfer with the deposit reference funds
        the balance when the bank reports it."""
        payload = self._connection.get("/api/balance/funding", None, timeout_ms, max_retries)
        return cast("schemas.FundingInstructions", payload)

    def entries(
        self,
        filter: schemas.BalanceEntriesFilter,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> PagedList[schemas.BalanceEntry]:
        """List the ledger entries of one currency. Newest first, with the balance after each entry. The link header
        names the next page. With `accept: text/csv` the response is CSV."""
        return self._connection.list("/api/balance/entries", with_times(filter, "from", "to"), timeout_ms, max_retries)

    def statement(
        self,
        filter: schemas.BalanceStatementFilter,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.BalanceStatement:
        """Get the statement of one currency. One line for each movement, oldest first, with the balance after it:
        available, held and in transit. A payout leaves the balance when the bank has paid it. The link header names
        the next page. With `accept: text/csv` or `accept: application/pdf` the response is the whole statement."""
        payload = self._connection.whole("/api/balance/statement", filter, timeout_ms, max_retries)
        return cast("schemas.BalanceStatement", payload)


class Events(Resource):
    def list(
        self,
        filter: Optional[schemas.EventsFilter] = None,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> PagedList[schemas.EventRecord]:
        """List events. Of the last 90 days, newest first. The link header names the next page. With a filter that
        matches few events, a page can be short or empty and still have a next page."""
        return self._connection.list("/api/event", with_times(filter, "from", "to"), timeout_ms, max_retries)

    def get(
        self,
        id: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.EventDetail:
        """Get event by id, with every delivery attempt."""
        payload = self._connection.get(f"/api/event/{segment(id)}", None, timeout_ms, max_retries)
        return cast("schemas.EventDetail", payload)

    def resend(
        self,
        id: str,
        event_resend: Optional[schemas.EventResend] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.EventRecord:
        """Resend an event. With the same id and the same body, to all webhook endpoints that get its type, or to
        one. An event that waits for a retry is sent at once."""
        payload = self._connection.post(f"/api/event/{segment(id)}/resend", event_resend, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.EventRecord", payload)

    def recover(
        self,
        event_recovery: schemas.EventRecovery,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.StartedRecovery:
        """Resend the undelivered events of a time range. In order, about 1,000 a second, in the background, to all
        webhook endpoints or to one. Events that wait for a retry are sent at once."""
        payload = self._connection.post("/api/event/recover", with_times(event_recovery, "since", "until"), idempotency_key, timeout_ms, max_retries)
        return cast("schemas.StartedRecovery", payload)

    def test(
        self,
        test_event: Optional[schemas.TestEvent] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.AnnouncedTestEvent:
        """Send a test event. A sample event with invented ids, delivered like any other event. Its id begins with
        `evt_test_`, also in the signed `webhook-id` header. For a live subaccount, the key also needs the scope
        `payout`."""
        payload = self._connection.post("/api/event/test", test_event, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.AnnouncedTestEvent", payload)

    def listen(self, last_event_id: Optional[str] = None) -> Iterator[HeardEvent]:
        """Stream events as they happen. Server-sent events: `id`, `event` (the type) and `data` (the body). Delivery
        is at least once: after a reconnect with `last-event-id` the stream starts a little before that event, so
        some events can arrive twice. A comment `: resent` precedes an event that was resent."""
        return listen(self._connection, "/api/event/feed", last_event_id)


class Subaccount(Resource):
    def get(self, *, timeout_ms: Optional[float] = None, max_retries: Optional[int] = None) -> schemas.Subaccount:
        """Get current subaccount. The subaccount of the API key."""
        return cast("schemas.Subaccount", self._connection.get("/api/subaccount", None, timeout_ms, max_retries))

    def update(
        self,
        subaccount_change: schemas.SubaccountChange,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.ChangedSubaccount:
        """Change the webhook endpoint, the event types and the contact. Only the fields that you send change.
        Setting the first postback_url creates the secret that verifies events. The response shows it, this once, as
        postback_secret."""
        payload = self._connection.patch("/api/subaccount", subaccount_change, timeout_ms, max_retries)
        return cast("schemas.ChangedSubaccount", payload)

    def get_postback(
        self,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.Postback:
        """Get the state of event delivery."""
        return cast("schemas.Postback", self._connection.get("/api/subaccount/postback", None, timeout_ms, max_retries))

    def rotate_postback_secret(
        self,
        secret_rotation: Optional[schemas.SecretRotation] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.RotatedSecret:
        """Rotate the secret that signs events. The new secret is shown once. During the overlap, events are also
        signed with the previous secrets. At most 3 secrets are live: one more ends the oldest at once."""
        payload = self._connection.post("/api/subaccount/postback-secret", secret_rotation, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.RotatedSecret", payload)


class WebhookEndpoints(Resource):
    def list(
        self,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> List[schemas.WebhookEndpoint]:
        """List webhook endpoints. That of postback_url first, then the oldest."""
        payload = self._connection.get("/api/webhook-endpoint", None, timeout_ms, max_retries)
        return cast("List[schemas.WebhookEndpoint]", payload)

    def get(
        self,
        id: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.WebhookEndpoint:
        """Get webhook endpoint by id, with the attempts of the last day."""
        payload = self._connection.get(f"/api/webhook-endpoint/{segment(id)}", None, timeout_ms, max_retries)
        return cast("schemas.WebhookEndpoint", payload)

    def create(
        self,
        new_webhook_endpoint: schemas.NewWebhookEndpoint,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.ChangedWebhookEndpoint:
        """Create a webhook endpoint. At most 10 of a subaccount, with that of postback_url. The response has the
        secret that verifies its events, this once. It gets the events that happen from now on."""
        payload = self._connection.post("/api/webhook-endpoint", new_webhook_endpoint, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.ChangedWebhookEndpoint", payload)

    def update(
        self,
        id: str,
        webhook_endpoint_change: schemas.WebhookEndpointChange,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.WebhookEndpoint:
        """Change a webhook endpoint. Only the fields that you send change. The url of that of postback_url is
        postback_url."""
        payload = self._connection.patch(f"/api/webhook-endpoint/{segment(id)}", webhook_endpoint_change, timeout_ms, max_retries)
        return cast("schemas.WebhookEndpoint", payload)

    def delete(
        self,
        id: str,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.DeletedWebhookEndpoint:
        """Delete a webhook endpoint. Events that wait for it are not sent. That of postback_url goes as with an
        empty postback_url."""
        payload = self._connection.delete(f"/api/webhook-endpoint/{segment(id)}", timeout_ms, max_retries)
        return cast("schemas.DeletedWebhookEndpoint", payload)

    def rotate(
        self,
        id: str,
        webhook_endpoint_rotation: Optional[schemas.WebhookEndpointRotation] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.ChangedWebhookEndpoint:
        """Rotate the secret of a webhook endpoint. The new secret is shown once. During the overlap, its events are
        also signed with the previous secrets. At most 3 secrets are live: one more ends the oldest at once."""
        payload = self._connection.post(f"/api/webhook-endpoint/{segment(id)}/rotate", webhook_endpoint_rotation, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.ChangedWebhookEndpoint", payload)

    def pause(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.WebhookEndpoint:
        """Pause a webhook endpoint: its events wait."""
        payload = self._connection.post(f"/api/webhook-endpoint/{segment(id)}/pause", {}, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.WebhookEndpoint", payload)

    def enable(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.WebhookEndpoint:
        """Enable a webhook endpoint that is paused or disabled, and send its waiting events."""
        payload = self._connection.post(f"/api/webhook-endpoint/{segment(id)}/enable", {}, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.WebhookEndpoint", payload)

    def fill(
        self,
        id: str,
        webhook_endpoint_fill: Optional[schemas.WebhookEndpointFill] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.StartedRecovery:
        """Send a webhook endpoint the events from before it. Of its types and at most the last 30 days, in order,
        about 1,000 a second, in the background."""
        payload = self._connection.post(f"/api/webhook-endpoint/{segment(id)}/fill", with_times(webhook_endpoint_fill, "since"), idempotency_key, timeout_ms, max_retries)
        return cast("schemas.StartedRecovery", payload)

    def source_addresses(
        self,
        *,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.SourceAddresses:
        """Get the IP addresses that events are sent from. Empty: the operator has not set them."""
        payload = self._connection.get("/api/webhook-endpoint/source-addresses", None, timeout_ms, max_retries)
        return cast("schemas.SourceAddresses", payload)


class TestHelpers(Resource):
    def set_status(
        self,
        test_status: schemas.TestStatus,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.TestStatusSet:
        """Set the outcome of an identity check or a payout. Only transitions that the state allows, and only with a
        key of a test subaccount. Payouts of a test bank connection get their outcome from the bank simulator."""
        payload = self._connection.post("/api/test-helpers/status", test_status, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.TestStatusSet", payload)

    def fund(
        self,
        test_funding: schemas.TestFunding,
        *,
        idempotency_key: Optional[str] = None,
        timeout_ms: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> schemas.TestFunded:
        """Fund a test subaccount. As if a deposit had arrived at the bank. Only with a key of a test subaccount."""
        payload = self._connection.post("/api/test-helpers/fund", test_funding, idempotency_key, timeout_ms, max_retries)
        return cast("schemas.TestFunded", payload)
