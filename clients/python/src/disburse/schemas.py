"""The shapes on the wire, with its names. Written by npm run generate, from openapi.json."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

Time = Union[datetime, int, str]
"""A datetime with its zone, milliseconds since the Unix epoch, or ISO 8601."""

EventType = Literal[
    "payoutCreated",
    "payoutUpdate",
    "payoutFailure",
    "receiverKycUpdate",
    "receiverAccountUpdate",
    "balanceFunded",
    "payoutOnHold",
    "payoutReleased",
    "webhookEndpointUpdate",
    "webhookEndpointDisabled",
    "payoutReturned",
    "payoutCancelled",
    "payoutBatchFinished",
    "receiverCreated",
    "receiverUpdate",
    "receiverDeactivated",
    "receiverAccountCreated",
    "balanceLow",
    "monthClosed",
]


class ReceiversFilter(TypedDict, total=False):
    status: Literal["0", "1", "2", "3", "4", "creating", "pending", "active", "inactive", "failed"]
    kyc_status: Literal["0", "1", "2", "pending", "completed", "failed"]
    email: str
    reference: str
    metadata: Dict[str, Any]
    limit: int
    cursor: str


class ReceiverHistoryFilter(TypedDict, total=False):
    limit: int
    cursor: str


class _BalanceEntriesFilter(TypedDict):
    currency: str


_BalanceEntriesFilterOptionalWords = TypedDict("_BalanceEntriesFilterOptionalWords", {"from": "Time"}, total=False)


class BalanceEntriesFilter(_BalanceEntriesFilterOptionalWords, _BalanceEntriesFilter, total=False):
    to: Time
    limit: int
    cursor: str


class _BalanceStatementFilter(TypedDict):
    currency: str


_BalanceStatementFilterOptionalWords = TypedDict("_BalanceStatementFilterOptionalWords", {"from": "str"}, total=False)


class BalanceStatementFilter(_BalanceStatementFilterOptionalWords, _BalanceStatementFilter, total=False):
    month: str
    to: str


_PayoutsFilterOptionalWords = TypedDict("_PayoutsFilterOptionalWords", {"from": "Time"}, total=False)


class PayoutsFilter(_PayoutsFilterOptionalWords, total=False):
    status: Literal["pending", "successful", "failed"]
    receiver_id: str
    receiver_account_id: str
    reference: str
    batch_id: str
    to: Time
    metadata: Dict[str, Any]
    limit: int
    cursor: str


_EventsFilterOptionalWords = TypedDict("_EventsFilterOptionalWords", {"from": "Time"}, total=False)


class EventsFilter(_EventsFilterOptionalWords, total=False):
    type: EventType
    status: Literal["waiting", "delivered", "undelivered", "unsent"]
    payout_id: str
    receiver_id: str
    to: Time
    limit: int
    cursor: str


class ReceiverAddressData(TypedDict):
    address: str
    address2: str
    state: str
    city: str
    country: str
    postcode: str


class _Receiver(TypedDict):
    id: str
    first_name: str
    last_name: str
    middle_name: str
    email: str
    gender: Literal["M", "F", "X", ""]
    dob: str
    dialcode: str
    phone: str
    applicant_id: str
    kyc_status: Literal["pending", "completed", "failed"]
    status: Literal["creating", "pending", "active", "inactive", "failed"]
    created_at: str
    address_data: ReceiverAddressData


class Receiver(_Receiver, total=False):
    metadata: Dict[str, Any]


class ReceiverChange(TypedDict, total=False):
    first_name: str
    last_name: str
    middle_name: str
    email: str
    dob: str
    dialcode: str
    phone: str
    address: str
    address2: str
    gender: Literal["M", "F", "X"]
    city: str
    state: str
    postcode: str
    country: str
    reference: str
    metadata: Dict[str, Any]
    status: Literal["active", "inactive"]


class DeletedReceiver(TypedDict):
    receiver_id: str
    status: Literal["creating", "pending", "active", "inactive", "failed"]


class CreatedReceiver(TypedDict):
    receiver_id: str
    kyc_status: Literal["0", "1", "2"]


class _NewReceiver(TypedDict):
    first_name: str
    last_name: str
    email: str
    dob: str
    dialcode: str
    phone: str
    address: str
    address2: str
    gender: Literal["M", "F", "X"]
    city: str
    state: str
    postcode: str
    country: str


class NewReceiver(_NewReceiver, total=False):
    middle_name: str
    reference: str
    metadata: Dict[str, Any]


class HistoryEntryFrom(TypedDict):
    status: Literal["creating", "pending", "active", "inactive", "failed"]
    kyc_status: Literal["pending", "completed", "failed"]


class HistoryEntryTo(TypedDict):
    status: Literal["creating", "pending", "active", "inactive", "failed"]
    kyc_status: Literal["pending", "completed", "failed"]


_HistoryEntryRequiredWords = TypedDict("_HistoryEntryRequiredWords", {"from": "Optional[HistoryEntryFrom]"})


class HistoryEntry(_HistoryEntryRequiredWords):
    id: str
    when: str
    who: str
    reason: str
    to: HistoryEntryTo


class KycLink(TypedDict):
    receiver_id: str
    url: str
    expires_at: str


class ErasedReceiver(TypedDict):
    receiver_id: str
    status: Literal["creating", "pending", "active", "inactive", "failed"]
    erased_at: str


class ReceiverAccountAddressData(TypedDict):
    address: str
    address2: str
    city: str
    state: str
    country: str
    postcode: str


class ReceiverAccountBankAccountData(TypedDict):
    account_number: str
    bank_code: str
    bsb: str


class ReceiverAccountAccountData(TypedDict):
    receiver_accepted: bool
    receiver_address_accepted: bool
    receiver_address_outcome: Optional[str]


class _ReceiverAccount(TypedDict):
    id: str
    first_name: str
    last_name: str
    email: str
    dob: str
    gender: Literal["M", "F", "X", ""]
    aka: str
    occupation: str
    reference: str
    mobile_international_dialcode: str
    mobile: str
    home_phone_international_dialcode: str
    home_phone: str
    individual_or_business: Literal["I", "B"]
    abn: str
    nzbn: str
    acn: str
    kyc_status: Literal["pending", "completed", "failed"]
    address_data: ReceiverAccountAddressData
    bank_account_data: ReceiverAccountBankAccountData
    account_data: ReceiverAccountAccountData


class ReceiverAccount(_ReceiverAccount, total=False):
    business_name: str
    checking_or_savings: Literal["checking", "savings"]
    payee_name_check: Literal["match", "close_match", "no_match", "unavailable"]
    metadata: Dict[str, Any]


class ReceiverAccountChange(TypedDict, total=False):
    account_type: Literal["I", "B"]
    account_number: str
    bsb: str
    bank_code: str
    aka: str
    occupation: str
    homedialcode: str
    homephone: str
    abn: str
    acn: str
    nzbn: str
    business_name: str
    checking_or_savings: str
    metadata: Dict[str, Any]
    address: str
    address2: str
    city: str
    state: str
    country: str
    postcode: str
    reference: str


class DeletedReceiverAccount(TypedDict):
    account_id: str
    receiver_account_id: str
    receiver_id: str
    status: Literal["inactive"]


AccountSchema = Dict[str, Any]


class CreatedReceiverAccountWarnings(TypedDict):
    field: str
    message: str


class CreatedReceiverAccount(TypedDict):
    account_id: str
    receiver_account_id: str
    receiver_id: str
    status: Literal["active"]
    warnings: List[CreatedReceiverAccountWarnings]


class _NewReceiverAccount(TypedDict):
    receiver_id: str
    account_type: Literal["I", "B"]
    account_number: str


class NewReceiverAccount(_NewReceiverAccount, total=False):
    bsb: str
    bank_code: str
    aka: str
    occupation: str
    homedialcode: str
    homephone: str
    abn: str
    acn: str
    nzbn: str
    business_name: str
    checking_or_savings: str
    metadata: Dict[str, Any]
    address: str
    address2: str
    city: str
    state: str
    country: str
    postcode: str
    reference: str


class ValidatedReceiverAccountBankAccountData(TypedDict):
    account_number: str
    bank_code: str
    bsb: str


class ValidatedReceiverAccountAccountData(TypedDict):
    receiver_accepted: bool
    receiver_address_accepted: bool
    receiver_address_outcome: Optional[str]


class ValidatedReceiverAccountWarnings(TypedDict):
    field: str
    message: str


class _ValidatedReceiverAccount(TypedDict):
    bank_name: str
    bank_account_data: ValidatedReceiverAccountBankAccountData
    account_data: ValidatedReceiverAccountAccountData
    warnings: List[ValidatedReceiverAccountWarnings]


class ValidatedReceiverAccount(_ValidatedReceiverAccount, total=False):
    checking_or_savings: Literal["checking", "savings"]


class _ReceiverAccountToValidate(TypedDict):
    account_type: Literal["I", "B"]
    account_number: str


class ReceiverAccountToValidate(_ReceiverAccountToValidate, total=False):
    receiver_id: str
    bsb: str
    bank_code: str
    aka: str
    occupation: str
    homedialcode: str
    homephone: str
    abn: str
    acn: str
    nzbn: str
    business_name: str
    checking_or_savings: str
    metadata: Dict[str, Any]
    address: str
    address2: str
    city: str
    state: str
    country: str
    postcode: str
    reference: str


class Balance(TypedDict):
    currency: str
    available: int
    held: int
    in_transit: int


class BalanceEntry(TypedDict):
    id: str
    number: int
    when: str
    kind: Literal["fund", "hold", "release", "submit", "unsubmit", "settle", "reject", "return", "credit", "fee", "fee_refund", "reversal"]
    debit: str
    credit: str
    amount: int
    currency: str
    payout_id: Optional[str]
    reference: str
    available: int
    held: int


class BalanceStatementLines(TypedDict):
    id: str
    number: int
    date: str
    kind: Literal["fund", "return", "suspend", "fee_refund", "settle", "unsuspend", "fee", "reversal"]
    description: str
    receiver_or_payer: str
    reference: str
    payout_id: Optional[str]
    amount: int
    balance: int


_BalanceStatementRequiredWords = TypedDict("_BalanceStatementRequiredWords", {"from": "str"})


class BalanceStatement(_BalanceStatementRequiredWords):
    currency: str
    to: str
    opening: int
    closing: int
    lines: List[BalanceStatementLines]


class FundingInstructions(TypedDict):
    instructions: str
    currencies: List[FundingCurrency]


class FundingCurrency(TypedDict):
    currency: str
    deposit_reference: str
    bank_accounts: List[FundingAccount]


class FundingAccount(TypedDict):
    bank: str
    holder_name: str
    account_number: str
    bsb: str
    bank_code: str
    bic: str


class _CreatedPayout(TypedDict):
    payout_id: str
    status: Literal["pending", "successful", "failed"]


class CreatedPayout(_CreatedPayout, total=False):
    process_date: str


class _NewPayout(TypedDict):
    receiver_id: str
    account_id: str
    amount: Union[int, str]
    currency: str


class NewPayout(_NewPayout, total=False):
    receiver_account_id: str
    reference: str
    note: str
    allow_duplicate: bool
    send_on: str
    statement_reference: str
    purpose: str
    metadata: Dict[str, Any]


class _ValidatedPayoutProblems(TypedDict):
    code: str
    message: str


class ValidatedPayoutProblems(_ValidatedPayoutProblems, total=False):
    field: str


class ValidatedPayout(TypedDict):
    accepted: bool
    problems: List[ValidatedPayoutProblems]
    fee: Optional[int]
    sent_amount: Optional[int]
    needs_approval: bool
    approval_rules: List[Literal["payout", "batch", "receiver_day", "account_day", "bank_details", "new_account"]]
    needs_review: bool
    process_date: str
    expected_arrival: str


class CreatedPayoutBatch(TypedDict):
    batch_id: str
    payouts: List[CreatedPayout]


class PayoutBatchTotals(TypedDict):
    currency: str
    count: int
    amount: int


class PayoutBatchStatuses(TypedDict):
    status: Literal["pending", "successful", "failed"]
    count: int


class _PayoutBatch(TypedDict):
    id: str
    created_at: str
    count: int
    totals: List[PayoutBatchTotals]
    statuses: List[PayoutBatchStatuses]


class PayoutBatch(_PayoutBatch, total=False):
    metadata: Dict[str, Any]


class _Payout(TypedDict):
    id: str
    receiver_id: str
    receiver_account_id: str
    batch_id: Optional[str]
    amount: int
    currency: str
    reference: str
    note: str
    status: Literal["pending", "successful", "failed"]
    stage: Literal["on_hold", "awaiting_approval", "queued", "batched", "submitted", "settled", "rejected", "cancelled", "returned"]
    cause: str
    cause_code: str
    provider_reference: str
    send_on: str
    statement_reference: str
    purpose: str
    process_date: str
    expected_arrival: str
    bank_batch_id: Optional[str]
    created_at: str
    updated_at: str


class Payout(_Payout, total=False):
    fee: int
    sent_amount: int
    hold_reason: Literal["review"]
    metadata: Dict[str, Any]


class PayoutHistoryEntryFrom(TypedDict):
    status: Literal["pending", "successful", "failed"]
    stage: Literal["on_hold", "awaiting_approval", "queued", "batched", "submitted", "settled", "rejected", "cancelled", "returned"]


class PayoutHistoryEntryTo(TypedDict):
    status: Literal["pending", "successful", "failed"]
    stage: Literal["on_hold", "awaiting_approval", "queued", "batched", "submitted", "settled", "rejected", "cancelled", "returned"]


_PayoutHistoryEntryRequiredWords = TypedDict("_PayoutHistoryEntryRequiredWords", {"from": "Optional[PayoutHistoryEntryFrom]"})


class PayoutHistoryEntry(_PayoutHistoryEntryRequiredWords):
    id: str
    when: str
    who: str
    reason: str
    to: PayoutHistoryEntryTo


class TestStatusSet(TypedDict):
    id: str
    type: Literal["kyc", "payout"]
    status: str


class _TestStatus(TypedDict):
    id: str
    type: Literal["kyc", "payout"]
    status: Literal["success", "fail", "return"]


class TestStatus(_TestStatus, total=False):
    cause_code: str


class TestFunded(TypedDict):
    currency: str
    available: int
    held: int


class _TestFunding(TypedDict):
    amount: Union[int, str]
    currency: str


class TestFunding(_TestFunding, total=False):
    reference: str


class SubaccountAddressData(TypedDict):
    address: str
    suburb: str
    state: str
    country: str
    postcode: str


class Subaccount(TypedDict):
    id: str
    merchant_id: str
    suba_name: str
    title: str
    first_name: str
    last_name: str
    email: str
    dob: str
    kassi_status: str
    business_name: str
    business_or_individual: Literal["B", "I"]
    support_email: str
    mobile_dialcode: str
    mobile: str
    home_phone_international_dialcode: str
    home_telephone: str
    address_data: SubaccountAddressData
    has_passed_kyc: str
    kyc_status: Literal["pending", "completed", "failed"]
    postback_url: str
    sms_provider: str
    email_provider: str
    created_at: str


class ChangedSubaccountAddressData(TypedDict):
    address: str
    suburb: str
    state: str
    country: str
    postcode: str


class _ChangedSubaccount(TypedDict):
    id: str
    merchant_id: str
    suba_name: str
    title: str
    first_name: str
    last_name: str
    email: str
    dob: str
    kassi_status: str
    business_name: str
    business_or_individual: Literal["B", "I"]
    support_email: str
    mobile_dialcode: str
    mobile: str
    home_phone_international_dialcode: str
    home_telephone: str
    address_data: ChangedSubaccountAddressData
    has_passed_kyc: str
    kyc_status: Literal["pending", "completed", "failed"]
    postback_url: str
    sms_provider: str
    email_provider: str
    created_at: str


class ChangedSubaccount(_ChangedSubaccount, total=False):
    postback_secret: str


class SubaccountChange(TypedDict, total=False):
    postback_url: str
    event_types: List[EventType]
    event_metadata: bool
    balance_levels: Dict[str, Any]
    title: str
    first_name: str
    last_name: str
    email: str
    support_email: str
    mobile_dialcode: str
    mobile: str
    home_phone_international_dialcode: str
    home_telephone: str


class EventRecord(TypedDict):
    id: str
    type: EventType
    status: Literal["waiting", "delivered", "undelivered", "unsent"]
    data: DisburseEvent
    created_at: str
    attempt_count: int
    next_attempt_at: Optional[str]


class _PayoutCreated(TypedDict):
    event: Literal["payoutCreated"]
    amount: int
    currency: str
    payout_id: str
    receiver_account_id: str
    receiver_id: str
    reference: str
    subccount_id: str
    status: Literal["pending"]
    timestamp: int


class PayoutCreated(_PayoutCreated, total=False):
    metadata: Dict[str, Any]


class _PayoutUpdate(TypedDict):
    event: Literal["payoutUpdate"]
    amount: int
    currency: str
    payout_id: str
    receiver_account_id: str
    receiver_id: str
    reference: str
    subccount_id: str
    status: Literal["successful"]
    timestamp: int


class PayoutUpdate(_PayoutUpdate, total=False):
    metadata: Dict[str, Any]


class _PayoutFailure(TypedDict):
    event: Literal["payoutFailure"]
    amount: int
    currency: str
    payout_id: str
    receiver_account_id: str
    receiver_id: str
    reference: str
    subccount_id: str
    status: Literal["failed"]
    cause: str
    timestamp: str


class PayoutFailure(_PayoutFailure, total=False):
    metadata: Dict[str, Any]


class _ReceiverKycUpdate(TypedDict):
    event: Literal["receiverKycUpdate"]
    receiver_id: str
    status: Literal["pending", "completed", "failed"]
    subccount_id: str
    timestamp: int


class ReceiverKycUpdate(_ReceiverKycUpdate, total=False):
    metadata: Dict[str, Any]


class _ReceiverAccountUpdate(TypedDict):
    event: Literal["receiverAccountUpdate"]
    receiver_account_id: str
    receiver_id: str
    status: Literal["updated", "deleted"]
    account_number_masked: str
    version: int
    subccount_id: str
    timestamp: int


class ReceiverAccountUpdate(_ReceiverAccountUpdate, total=False):
    metadata: Dict[str, Any]


class BalanceFunded(TypedDict):
    event: Literal["balanceFunded"]
    transfer_id: str
    amount: int
    currency: str
    reference: str
    available: int
    status: Literal["funded"]
    subccount_id: str
    timestamp: int


class _PayoutOnHold(TypedDict):
    event: Literal["payoutOnHold"]
    amount: int
    currency: str
    payout_id: str
    receiver_account_id: str
    receiver_id: str
    reference: str
    subccount_id: str
    status: Literal["pending"]
    hold_reason: Literal["review"]
    timestamp: int


class PayoutOnHold(_PayoutOnHold, total=False):
    metadata: Dict[str, Any]


class _PayoutReleased(TypedDict):
    event: Literal["payoutReleased"]
    amount: int
    currency: str
    payout_id: str
    receiver_account_id: str
    receiver_id: str
    reference: str
    subccount_id: str
    status: Literal["pending"]
    timestamp: int


class PayoutReleased(_PayoutReleased, total=False):
    metadata: Dict[str, Any]


class WebhookEndpointUpdate(TypedDict):
    event: Literal["webhookEndpointUpdate"]
    endpoint_id: str
    status: Literal["created", "changed", "rotated", "paused", "deleted"]
    subccount_id: str
    timestamp: int


class WebhookEndpointDisabled(TypedDict):
    event: Literal["webhookEndpointDisabled"]
    endpoint_id: str
    status: Literal["disabled"]
    cause: Literal["failing", "gone", "secret"]
    subccount_id: str
    timestamp: int


class _PayoutReturned(TypedDict):
    event: Literal["payoutReturned"]
    amount: int
    currency: str
    payout_id: str
    receiver_account_id: str
    receiver_id: str
    reference: str
    subccount_id: str
    status: Literal["failed"]
    cause: str
    timestamp: int


class PayoutReturned(_PayoutReturned, total=False):
    metadata: Dict[str, Any]


class _PayoutCancelled(TypedDict):
    event: Literal["payoutCancelled"]
    amount: int
    currency: str
    payout_id: str
    receiver_account_id: str
    receiver_id: str
    reference: str
    subccount_id: str
    status: Literal["failed"]
    cause: str
    timestamp: int


class PayoutCancelled(_PayoutCancelled, total=False):
    metadata: Dict[str, Any]


class PayoutBatchFinished(TypedDict):
    event: Literal["payoutBatchFinished"]
    batch_id: str
    count: int
    successful: int
    failed: int
    status: Literal["finished"]
    subccount_id: str
    timestamp: int


class _ReceiverCreated(TypedDict):
    event: Literal["receiverCreated"]
    receiver_id: str
    status: str
    subccount_id: str
    timestamp: int


class ReceiverCreated(_ReceiverCreated, total=False):
    metadata: Dict[str, Any]


class _ReceiverUpdate(TypedDict):
    event: Literal["receiverUpdate"]
    fields: List[str]
    receiver_id: str
    status: str
    subccount_id: str
    timestamp: int


class ReceiverUpdate(_ReceiverUpdate, total=False):
    metadata: Dict[str, Any]


class _ReceiverDeactivated(TypedDict):
    event: Literal["receiverDeactivated"]
    receiver_id: str
    status: str
    subccount_id: str
    timestamp: int


class ReceiverDeactivated(_ReceiverDeactivated, total=False):
    metadata: Dict[str, Any]


class _ReceiverAccountCreated(TypedDict):
    event: Literal["receiverAccountCreated"]
    receiver_account_id: str
    receiver_id: str
    status: Literal["active"]
    account_number_masked: str
    subccount_id: str
    timestamp: int


class ReceiverAccountCreated(_ReceiverAccountCreated, total=False):
    metadata: Dict[str, Any]


class BalanceLow(TypedDict):
    event: Literal["balanceLow"]
    transfer_id: str
    currency: str
    available: int
    level: int
    status: Literal["low"]
    subccount_id: str
    timestamp: int


class MonthClosed(TypedDict):
    event: Literal["monthClosed"]
    month: str
    currency: str
    closing: int
    status: Literal["closed"]
    subccount_id: str
    timestamp: int


class _EventDetail(TypedDict):
    id: str
    type: EventType
    status: Literal["waiting", "delivered", "undelivered", "unsent"]
    data: DisburseEvent
    created_at: str
    attempt_count: int
    next_attempt_at: Optional[str]
    body: str
    attempts: List[DeliveryAttempt]


class EventDetail(_EventDetail, total=False):
    further_deliveries: List[FurtherDelivery]


class FurtherDelivery(TypedDict):
    endpoint_id: str
    status: Literal["waiting", "delivered", "undelivered"]


class _DeliveryAttempt(TypedDict):
    number: int
    at: str
    timestamp: str
    status: Optional[int]
    failure: Optional[str]
    detail: str
    took_ms: int
    answer: str


class DeliveryAttempt(_DeliveryAttempt, total=False):
    endpoint_id: str


class EventResend(TypedDict, total=False):
    endpoint_id: str


class StartedRecovery(TypedDict):
    id: str
    since: str
    until: str


class _EventRecovery(TypedDict):
    since: Time


class EventRecovery(_EventRecovery, total=False):
    until: Time
    include_delivered: bool
    endpoint_id: str


class AnnouncedTestEvent(TypedDict):
    id: str
    type: EventType
    status: Literal["waiting", "delivered", "undelivered", "unsent"]


class TestEvent(TypedDict, total=False):
    type: EventType
    set: Dict[str, Any]


class _Postback(TypedDict):
    postback_url: str
    status: Literal["none", "working", "failing", "disabled"]
    failing_since: Optional[str]
    failing_for: Optional[Literal["1h", "24h", "7d"]]
    disabled_at: Optional[str]
    next_attempt_at: Optional[str]
    oldest_waiting_at: Optional[str]
    waiting: int
    secrets: List[PostbackSecret]
    event_types: List[EventType]


class Postback(_Postback, total=False):
    balance_levels: Dict[str, Any]
    event_metadata: bool


class PostbackSecret(TypedDict):
    created_at: str
    expires_at: Optional[str]


class RotatedSecret(TypedDict):
    secret: str
    secrets: List[PostbackSecret]


class SecretRotation(TypedDict, total=False):
    overlap_s: int


class WebhookEndpoint(TypedDict):
    id: str
    url: str
    description: str
    is_postback: bool
    event_types: List[EventType]
    format: Literal["full", "thin"]
    header_names: List[str]
    disable_after_days: Optional[int]
    created_at: Optional[str]
    status: Literal["working", "failing", "paused", "disabled"]
    disabled_because: Optional[Literal["failing", "gone", "secret"]]
    failing_since: Optional[str]
    failing_for: Optional[Literal["1h", "24h", "7d"]]
    disabled_at: Optional[str]
    next_attempt_at: Optional[str]
    oldest_waiting_at: Optional[str]
    waiting: int
    secrets: List[PostbackSecret]
    last_day: WebhookEndpointDay


class WebhookEndpointDay(TypedDict):
    attempts: int
    delivered: int
    p50_ms: Optional[int]
    p95_ms: Optional[int]


class _ChangedWebhookEndpoint(TypedDict):
    id: str
    url: str
    description: str
    is_postback: bool
    event_types: List[EventType]
    format: Literal["full", "thin"]
    header_names: List[str]
    disable_after_days: Optional[int]
    created_at: Optional[str]
    status: Literal["working", "failing", "paused", "disabled"]
    disabled_because: Optional[Literal["failing", "gone", "secret"]]
    failing_since: Optional[str]
    failing_for: Optional[Literal["1h", "24h", "7d"]]
    disabled_at: Optional[str]
    next_attempt_at: Optional[str]
    oldest_waiting_at: Optional[str]
    waiting: int
    secrets: List[PostbackSecret]
    last_day: WebhookEndpointDay


class ChangedWebhookEndpoint(_ChangedWebhookEndpoint, total=False):
    secret: str


class _NewWebhookEndpoint(TypedDict):
    url: str
    event_types: List[EventType]


class NewWebhookEndpoint(_NewWebhookEndpoint, total=False):
    description: str
    format: Literal["full", "thin"]
    headers: Dict[str, Any]
    disable_after_days: int


class SourceAddresses(TypedDict):
    addresses: List[str]


class WebhookEndpointChange(TypedDict, total=False):
    url: str
    event_types: List[EventType]
    description: str
    format: Literal["full", "thin"]
    headers: Dict[str, Any]
    disable_after_days: Optional[int]


DeletedWebhookEndpoint = Dict[str, Any]


class WebhookEndpointRotation(TypedDict, total=False):
    overlap_s: int


class WebhookEndpointFill(TypedDict, total=False):
    since: Time


DisburseEvent = Union[
    PayoutCreated,
    PayoutUpdate,
    PayoutFailure,
    ReceiverKycUpdate,
    ReceiverAccountUpdate,
    BalanceFunded,
    PayoutOnHold,
    PayoutReleased,
    WebhookEndpointUpdate,
    WebhookEndpointDisabled,
    PayoutReturned,
    PayoutCancelled,
    PayoutBatchFinished,
    ReceiverCreated,
    ReceiverUpdate,
    ReceiverDeactivated,
    ReceiverAccountCreated,
    BalanceLow,
    MonthClosed,
]
