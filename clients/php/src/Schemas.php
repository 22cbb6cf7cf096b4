<?php

declare(strict_types=1);

namespace Disburse;

/**
 * The shapes on the wire, with its names, for editors and checkers: `@phpstan-import-type Payout from Schemas`.
 * Written by npm run generate, from openapi.json.
 *
 * @phpstan-type ReceiversFilter array{
 *   status?: '0'|'1'|'2'|'3'|'4'|'creating'|'pending'|'active'|'inactive'|'failed',
 *   kyc_status?: '0'|'1'|'2'|'pending'|'completed'|'failed', email?: string, reference?: string,
 *   metadata?: array<string, mixed>, limit?: int, cursor?: string,
 * }
 * @phpstan-type ReceiverHistoryFilter array{limit?: int, cursor?: string}
 * @phpstan-type BalanceEntriesFilter array{
 *   currency: string, from?: \DateTimeInterface|int|string, to?: \DateTimeInterface|int|string, limit?: int,
 *   cursor?: string,
 * }
 * @phpstan-type BalanceStatementFilter array{currency: string, month?: string, from?: string, to?: string}
 * @phpstan-type PayoutsFilter array{
 *   status?: 'pending'|'successful'|'failed', receiver_id?: string, receiver_account_id?: string, reference?: string,
 *   batch_id?: string, from?: \DateTimeInterface|int|string, to?: \DateTimeInterface|int|string,
 *   metadata?: array<string, mixed>, limit?: int, cursor?: string,
 * }
 * @phpstan-type EventsFilter array{
 *   type?: 'payoutCreated'|'payoutUpdate'|'payoutFailure'|'receiverKycUpdate'|'receiverAccountUpdate'|'balanceFunded'|'payoutOnHold'|'payoutReleased'|'webhookEndpointUpdate'|'webhookEndpointDisabled'|'payoutReturned'|'payoutCancelled'|'payoutBatchFinished'|'receiverCreated'|'receiverUpdate'|'receiverDeactivated'|'receiverAccountCreated'|'balanceLow'|'monthClosed',
 *   status?: 'waiting'|'delivered'|'undelivered'|'unsent', payout_id?: string, receiver_id?: string,
 *   from?: \DateTimeInterface|int|string, to?: \DateTimeInterface|int|string, limit?: int, cursor?: string,
 * }
 * @phpstan-type Receiver array{
 *   id: string, first_name: string, last_name: string, middle_name: string, email: string, gender: 'M'|'F'|'X'|'',
 *   dob: string, dialcode: string, phone: string, applicant_id: string, kyc_status: 'pending'|'completed'|'failed',
 *   status: 'creating'|'pending'|'active'|'inactive'|'failed', created_at: string,
 *   address_data: array{address: string, address2: string, state: string, city: string, country: string, postcode: string},
 *   metadata?: array<string, mixed>,
 * }
 * @phpstan-type ReceiverChange array{
 *   first_name?: string, last_name?: string, middle_name?: string, email?: string, dob?: string, dialcode?: string,
 *   phone?: string, address?: string, address2?: string, gender?: 'M'|'F'|'X', city?: string, state?: string,
 *   postcode?: string, country?: string, reference?: string, metadata?: array<string, mixed>,
 *   status?: 'active'|'inactive',
 * }
 * @phpstan-type DeletedReceiver array{
 *   receiver_id: string, status: 'creating'|'pending'|'active'|'inactive'|'failed',
 * }
 * @phpstan-type CreatedReceiver array{receiver_id: string, kyc_status: '0'|'1'|'2'}
 * @phpstan-type NewReceiver array{
 *   first_name: string, last_name: string, middle_name?: string, email: string, dob: string, dialcode: string,
 *   phone: string, address: string, address2: string, gender: 'M'|'F'|'X', city: string, state: string,
 *   postcode: string, country: string, reference?: string, metadata?: array<string, mixed>,
 * }
 * @phpstan-type HistoryEntry array{
 *   id: string, when: string, who: string, reason: string,
 *   from: array{status: 'creating'|'pending'|'active'|'inactive'|'failed', kyc_status: 'pending'|'completed'|'failed'}|null,
 *   to: array{status: 'creating'|'pending'|'active'|'inactive'|'failed', kyc_status: 'pending'|'completed'|'failed'},
 * }
 * @phpstan-type KycLink array{receiver_id: string, url: string, expires_at: string}
 * @phpstan-type ErasedReceiver array{
 *   receiver_id: string, status: 'creating'|'pending'|'active'|'inactive'|'failed', erased_at: string,
 * }
 * @phpstan-type ReceiverAccount array{
 *   id: string, first_name: string, last_name: string, email: string, dob: string, gender: 'M'|'F'|'X'|'', aka: string,
 *   occupation: string, reference: string, mobile_international_dialcode: string, mobile: string,
 *   home_phone_international_dialcode: string, home_phone: string, individual_or_business: 'I'|'B', abn: string,
 *   nzbn: string, acn: string, business_name?: string, checking_or_savings?: 'checking'|'savings',
 *   kyc_status: 'pending'|'completed'|'failed', payee_name_check?: 'match'|'close_match'|'no_match'|'unavailable',
 *   address_data: array{address: string, address2: string, city: string, state: string, country: string, postcode: string},
 *   bank_account_data: array{account_number: string, bank_code: string, bsb: string},
 *   account_data: array{receiver_accepted: bool, receiver_address_accepted: bool, receiver_address_outcome: null|string},
 *   metadata?: array<string, mixed>,
 * }
 * @phpstan-type ReceiverAccountChange array{
 *   account_type?: 'I'|'B', account_number?: string, bsb?: string, bank_code?: string, aka?: string,
 *   occupation?: string, homedialcode?: string, homephone?: string, abn?: string, acn?: string, nzbn?: string,
 *   business_name?: string, checking_or_savings?: string, metadata?: array<string, mixed>, address?: string,
 *   address2?: string, city?: string, state?: string, country?: string, postcode?: string, reference?: string,
 * }
 * @phpstan-type DeletedReceiverAccount array{
 *   account_id: string, receiver_account_id: string, receiver_id: string, status: 'inactive',
 * }
 * @phpstan-type AccountSchema array<string, mixed>
 * @phpstan-type CreatedReceiverAccount array{
 *   account_id: string, receiver_account_id: string, receiver_id: string, status: 'active',
 *   warnings: list<array{field: string, message: string}>,
 * }
 * @phpstan-type NewReceiverAccount array{
 *   receiver_id: string, account_type: 'I'|'B', account_number: string, bsb?: string, bank_code?: string, aka?: string,
 *   occupation?: string, homedialcode?: string, homephone?: string, abn?: string, acn?: string, nzbn?: string,
 *   business_name?: string, checking_or_savings?: string, metadata?: array<string, mixed>, address?: string,
 *   address2?: string, city?: string, state?: string, country?: string, postcode?: string, reference?: string,
 * }
 * @phpstan-type ValidatedReceiverAccount array{
 *   bank_name: string, bank_account_data: array{account_number: string, bank_code: string, bsb: string},
 *   checking_or_savings?: 'checking'|'savings',
 *   account_data: array{receiver_accepted: bool, receiver_address_accepted: bool, receiver_address_outcome: null|string},
 *   warnings: list<array{field: string, message: string}>,
 * }
 * @phpstan-type ReceiverAccountToValidate array{
 *   receiver_id?: string, account_type: 'I'|'B', account_number: string, bsb?: string, bank_code?: string,
 *   aka?: string, occupation?: string, homedialcode?: string, homephone?: string, abn?: string, acn?: string,
 *   nzbn?: string, business_name?: string, checking_or_savings?: string, metadata?: array<string, mixed>,
 *   address?: string, address2?: string, city?: string, state?: string, country?: string, postcode?: string,
 *   reference?: string,
 * }
 * @phpstan-type Balance array{currency: string, available: int, held: int, in_transit: int}
 * @phpstan-type BalanceEntry array{
 *   id: string, number: int, when: string,
 *   kind: 'fund'|'hold'|'release'|'submit'|'unsubmit'|'settle'|'reject'|'return'|'credit'|'fee'|'fee_refund'|'reversal',
 *   debit: string, credit: string, amount: int, currency: string, payout_id: null|string, reference: string,
 *   available: int, held: int,
 * }
 * @phpstan-type BalanceStatement array{
 *   currency: string, from: string, to: string, opening: int, closing: int,
 *   lines: list<array{id: string, number: int, date: string, kind: 'fund'|'return'|'suspend'|'fee_refund'|'settle'|'unsuspend'|'fee'|'reversal', description: string, receiver_or_payer: string, reference: string, payout_id: null|string, amount: int, balance: int}>,
 * }
 * @phpstan-type FundingInstructions array{instructions: string, currencies: list<FundingCurrency>}
 * @phpstan-type FundingCurrency array{
 *   currency: string, deposit_reference: string, bank_accounts: list<FundingAccount>,
 * }
 * @phpstan-type FundingAccount array{
 *   bank: string, holder_name: string, account_number: string, bsb: string, bank_code: string, bic: string,
 * }
 * @phpstan-type CreatedPayout array{
 *   payout_id: string, status: 'pending'|'successful'|'failed', process_date?: string,
 * }
 * @phpstan-type NewPayout array{
 *   receiver_id: string, account_id: string, receiver_account_id?: string, amount: int|string, currency: string,
 *   reference?: string, note?: string, allow_duplicate?: bool, send_on?: string, statement_reference?: string,
 *   purpose?: string, metadata?: array<string, mixed>,
 * }
 * @phpstan-type ValidatedPayout array{
 *   accepted: bool, problems: list<array{code: string, message: string, field?: string}>, fee: null|int,
 *   sent_amount: null|int, needs_approval: bool,
 *   approval_rules: list<'payout'|'batch'|'receiver_day'|'account_day'|'bank_details'|'new_account'>,
 *   needs_review: bool, process_date: string, expected_arrival: string,
 * }
 * @phpstan-type CreatedPayoutBatch array{batch_id: string, payouts: list<CreatedPayout>}
 * @phpstan-type PayoutBatch array{
 *   id: string, created_at: string, count: int, totals: list<array{currency: string, count: int, amount: int}>,
 *   statuses: list<array{status: 'pending'|'successful'|'failed', count: int}>, metadata?: array<string, mixed>,
 * }
 * @phpstan-type Payout array{
 *   id: string, receiver_id: string, receiver_account_id: string, batch_id: null|string, amount: int, currency: string,
 *   reference: string, note: string, status: 'pending'|'successful'|'failed',
 *   stage: 'on_hold'|'awaiting_approval'|'queued'|'batched'|'submitted'|'settled'|'rejected'|'cancelled'|'returned',
 *   cause: string, cause_code: string, provider_reference: string, send_on: string, statement_reference: string,
 *   purpose: string, process_date: string, expected_arrival: string, fee?: int, sent_amount?: int,
 *   bank_batch_id: null|string, created_at: string, updated_at: string, hold_reason?: 'review',
 *   metadata?: array<string, mixed>,
 * }
 * @phpstan-type PayoutHistoryEntry array{
 *   id: string, when: string, who: string, reason: string,
 *   from: array{status: 'pending'|'successful'|'failed', stage: 'on_hold'|'awaiting_approval'|'queued'|'batched'|'submitted'|'settled'|'rejected'|'cancelled'|'returned'}|null,
 *   to: array{status: 'pending'|'successful'|'failed', stage: 'on_hold'|'awaiting_approval'|'queued'|'batched'|'submitted'|'settled'|'rejected'|'cancelled'|'returned'},
 * }
 * @phpstan-type TestStatusSet array{id: string, type: 'kyc'|'payout', status: string}
 * @phpstan-type TestStatus array{
 *   id: string, type: 'kyc'|'payout', status: 'success'|'fail'|'return', cause_code?: string,
 * }
 * @phpstan-type TestFunded array{currency: string, available: int, held: int}
 * @phpstan-type TestFunding array{amount: int|string, currency: string, reference?: string}
 * @phpstan-type Subaccount array{
 *   id: string, merchant_id: string, suba_name: string, title: string, first_name: string, last_name: string,
 *   email: string, dob: string, kassi_status: string, business_name: string, business_or_individual: 'B'|'I',
 *   support_email: string, mobile_dialcode: string, mobile: string, home_phone_international_dialcode: string,
 *   home_telephone: string,
 *   address_data: array{address: string, suburb: string, state: string, country: string, postcode: string},
 *   has_passed_kyc: string, kyc_status: 'pending'|'completed'|'failed', postback_url: string, sms_provider: string,
 *   email_provider: string, created_at: string,
 * }
 * @phpstan-type ChangedSubaccount array{
 *   id: string, merchant_id: string, suba_name: string, title: string, first_name: string, last_name: string,
 *   email: string, dob: string, kassi_status: string, business_name: string, business_or_individual: 'B'|'I',
 *   support_email: string, mobile_dialcode: string, mobile: string, home_phone_international_dialcode: string,
 *   home_telephone: string,
 *   address_data: array{address: string, suburb: string, state: string, country: string, postcode: string},
 *   has_passed_kyc: string, kyc_status: 'pending'|'completed'|'failed', postback_url: string, sms_provider: string,
 *   email_provider: string, created_at: string, postback_secret?: string,
 * }
 * @phpstan-type SubaccountChange array{
 *   postback_url?: string,
 *   event_types?: list<'payoutCreated'|'payoutUpdate'|'payoutFailure'|'receiverKycUpdate'|'receiverAccountUpdate'|'balanceFunded'|'payoutOnHold'|'payoutReleased'|'webhookEndpointUpdate'|'webhookEndpointDisabled'|'payoutReturned'|'payoutCancelled'|'payoutBatchFinished'|'receiverCreated'|'receiverUpdate'|'receiverDeactivated'|'receiverAccountCreated'|'balanceLow'|'monthClosed'>,
 *   event_metadata?: bool, balance_levels?: array<string, mixed>, title?: string, first_name?: string,
 *   last_name?: string, email?: string, support_email?: string, mobile_dialcode?: string, mobile?: string,
 *   home_phone_international_dialcode?: string, home_telephone?: string,
 * }
 * @phpstan-type EventRecord array{
 *   id: string,
 *   type: 'payoutCreated'|'payoutUpdate'|'payoutFailure'|'receiverKycUpdate'|'receiverAccountUpdate'|'balanceFunded'|'payoutOnHold'|'payoutReleased'|'webhookEndpointUpdate'|'webhookEndpointDisabled'|'payoutReturned'|'payoutCancelled'|'payoutBatchFinished'|'receiverCreated'|'receiverUpdate'|'receiverDeactivated'|'receiverAccountCreated'|'balanceLow'|'monthClosed',
 *   status: 'waiting'|'delivered'|'undelivered'|'unsent',
 *   data: PayoutCreated|PayoutUpdate|PayoutFailure|ReceiverKycUpdate|ReceiverAccountUpdate|BalanceFunded|PayoutOnHold|PayoutReleased|WebhookEndpointUpdate|WebhookEndpointDisabled|PayoutReturned|PayoutCancelled|PayoutBatchFinished|ReceiverCreated|ReceiverUpdate|ReceiverDeactivated|ReceiverAccountCreated|BalanceLow|MonthClosed,
 *   created_at: string, attempt_count: int, next_attempt_at: string|null,
 * }
 * @phpstan-type PayoutCreated array{
 *   event: 'payoutCreated', amount: int, currency: string, payout_id: string, receiver_account_id: string,
 *   receiver_id: string, reference: string, subccount_id: string, status: 'pending', timestamp: int,
 *   metadata?: array<string, mixed>,
 * }
 * @phpstan-type PayoutUpdate array{
 *   event: 'payoutUpdate', amount: int, currency: string, payout_id: string, receiver_account_id: string,
 *   receiver_id: string, reference: string, subccount_id: string, status: 'successful', timestamp: int,
 *   metadata?: array<string, mixed>,
 * }
 * @phpstan-type PayoutFailure array{
 *   event: 'payoutFailure', amount: int, currency: string, payout_id: string, receiver_account_id: string,
 *   receiver_id: string, reference: string, subccount_id: string, status: 'failed', cause: string, timestamp: string,
 *   metadata?: array<string, mixed>,
 * }
 * @phpstan-type ReceiverKycUpdate array{
 *   event: 'receiverKycUpdate', receiver_id: string, status: 'pending'|'completed'|'failed', subccount_id: string,
 *   timestamp: int, metadata?: array<string, mixed>,
 * }
 * @phpstan-type ReceiverAccountUpdate array{
 *   event: 'receiverAccountUpdate', receiver_account_id: string, receiver_id: string, status: 'updated'|'deleted',
 *   account_number_masked: string, version: int, subccount_id: string, timestamp: int, metadata?: array<string, mixed>,
 * }
 * @phpstan-type BalanceFunded array{
 *   event: 'balanceFunded', transfer_id: string, amount: int, currency: string, reference: string, available: int,
 *   status: 'funded', subccount_id: string, timestamp: int,
 * }
 * @phpstan-type PayoutOnHold array{
 *   event: 'payoutOnHold', amount: int, currency: string, payout_id: string, receiver_account_id: string,
 *   receiver_id: string, reference: string, subccount_id: string, status: 'pending', hold_reason: 'review',
 *   timestamp: int, metadata?: array<string, mixed>,
 * }
 * @phpstan-type PayoutReleased array{
 *   event: 'payoutReleased', amount: int, currency: string, payout_id: string, receiver_account_id: string,
 *   receiver_id: string, reference: string, subccount_id: string, status: 'pending', timestamp: int,
 *   metadata?: array<string, mixed>,
 * }
 * @phpstan-type WebhookEndpointUpdate array{
 *   event: 'webhookEndpointUpdate', endpoint_id: string, status: 'created'|'changed'|'rotated'|'paused'|'deleted',
 *   subccount_id: string, timestamp: int,
 * }
 * @phpstan-type WebhookEndpointDisabled array{
 *   event: 'webhookEndpointDisabled', endpoint_id: string, status: 'disabled', cause: 'failing'|'gone'|'secret',
 *   subccount_id: string, timestamp: int,
 * }
 * @phpstan-type PayoutReturned array{
 *   event: 'payoutReturned', amount: int, currency: string, payout_id: string, receiver_account_id: string,
 *   receiver_id: string, reference: string, subccount_id: string, status: 'failed', cause: string, timestamp: int,
 *   metadata?: array<string, mixed>,
 * }
 * @phpstan-type PayoutCancelled array{
 *   event: 'payoutCancelled', amount: int, currency: string, payout_id: string, receiver_account_id: string,
 *   receiver_id: string, reference: string, subccount_id: string, status: 'failed', cause: string, timestamp: int,
 *   metadata?: array<string, mixed>,
 * }
 * @phpstan-type PayoutBatchFinished array{
 *   event: 'payoutBatchFinished', batch_id: string, count: int, successful: int, failed: int, status: 'finished',
 *   subccount_id: string, timestamp: int,
 * }
 * @phpstan-type ReceiverCreated array{
 *   event: 'receiverCreated', receiver_id: string, status: string, subccount_id: string, timestamp: int,
 *   metadata?: array<string, mixed>,
 * }
 * @phpstan-type ReceiverUpdate array{
 *   event: 'receiverUpdate', fields: list<string>, receiver_id: string, status: string, subccount_id: string,
 *   timestamp: int, metadata?: array<string, mixed>,
 * }
 * @phpstan-type ReceiverDeactivated array{
 *   event: 'receiverDeactivated', receiver_id: string, status: string, subccount_id: string, timestamp: int,
 *   metadata?: array<string, mixed>,
 * }
 * @phpstan-type ReceiverAccountCreated array{
 *   event: 'receiverAccountCreated', receiver_account_id: string, receiver_id: string, status: 'active',
 *   account_number_masked: string, subccount_id: string, timestamp: int, metadata?: array<string, mixed>,
 * }
 * @phpstan-type BalanceLow array{
 *   event: 'balanceLow', transfer_id: string, currency: string, available: int, level: int, status: 'low',
 *   subccount_id: string, timestamp: int,
 * }
 * @phpstan-type MonthClosed array{
 *   event: 'monthClosed', month: string, currency: string, closing: int, status: 'closed', subccount_id: string,
 *   timestamp: int,
 * }
 * @phpstan-type EventDetail array{
 *   id: string,
 *   type: 'payoutCreated'|'payoutUpdate'|'payoutFailure'|'receiverKycUpdate'|'receiverAccountUpdate'|'balanceFunded'|'payoutOnHold'|'payoutReleased'|'webhookEndpointUpdate'|'webhookEndpointDisabled'|'payoutReturned'|'payoutCancelled'|'payoutBatchFinished'|'receiverCreated'|'receiverUpdate'|'receiverDeactivated'|'receiverAccountCreated'|'balanceLow'|'monthClosed',
 *   status: 'waiting'|'delivered'|'undelivered'|'unsent',
 *   data: PayoutCreated|PayoutUpdate|PayoutFailure|ReceiverKycUpdate|ReceiverAccountUpdate|BalanceFunded|PayoutOnHold|PayoutReleased|WebhookEndpointUpdate|WebhookEndpointDisabled|PayoutReturned|PayoutCancelled|PayoutBatchFinished|ReceiverCreated|ReceiverUpdate|ReceiverDeactivated|ReceiverAccountCreated|BalanceLow|MonthClosed,
 *   created_at: string, attempt_count: int, next_attempt_at: string|null, body: string,
 *   further_deliveries?: list<FurtherDelivery>, attempts: list<DeliveryAttempt>,
 * }
 * @phpstan-type FurtherDelivery array{
 *   endpoint_id: string, status: 'waiting'|'delivered'|'undelivered',
 * }
 * @phpstan-type DeliveryAttempt array{
 *   number: int, at: string, timestamp: string, status: int|null, failure: string|null, detail: string, took_ms: int,
 *   answer: string, endpoint_id?: string,
 * }
 * @phpstan-type EventResend array{endpoint_id?: string}
 * @phpstan-type StartedRecovery array{id: string, since: string, until: string}
 * @phpstan-type EventRecovery array{
 *   since: \DateTimeInterface|int|string, until?: \DateTimeInterface|int|string, include_delivered?: bool,
 *   endpoint_id?: string,
 * }
 * @phpstan-type AnnouncedTestEvent array{
 *   id: string,
 *   type: 'payoutCreated'|'payoutUpdate'|'payoutFailure'|'receiverKycUpdate'|'receiverAccountUpdate'|'balanceFunded'|'payoutOnHold'|'payoutReleased'|'webhookEndpointUpdate'|'webhookEndpointDisabled'|'payoutReturned'|'payoutCancelled'|'payoutBatchFinished'|'receiverCreated'|'receiverUpdate'|'receiverDeactivated'|'receiverAccountCreated'|'balanceLow'|'monthClosed',
 *   status: 'waiting'|'delivered'|'undelivered'|'unsent',
 * }
 * @phpstan-type TestEvent array{
 *   type?: 'payoutCreated'|'payoutUpdate'|'payoutFailure'|'receiverKycUpdate'|'receiverAccountUpdate'|'balanceFunded'|'payoutOnHold'|'payoutReleased'|'webhookEndpointUpdate'|'webhookEndpointDisabled'|'payoutReturned'|'payoutCancelled'|'payoutBatchFinished'|'receiverCreated'|'receiverUpdate'|'receiverDeactivated'|'receiverAccountCreated'|'balanceLow'|'monthClosed',
 *   set?: array<string, mixed>,
 * }
 * @phpstan-type Postback array{
 *   postback_url: string, status: 'none'|'working'|'failing'|'disabled', failing_since: string|null,
 *   failing_for: '1h'|'24h'|'7d'|null, disabled_at: string|null, next_attempt_at: string|null,
 *   oldest_waiting_at: string|null, waiting: int, secrets: list<PostbackSecret>,
 *   event_types: list<'payoutCreated'|'payoutUpdate'|'payoutFailure'|'receiverKycUpdate'|'receiverAccountUpdate'|'balanceFunded'|'payoutOnHold'|'payoutReleased'|'webhookEndpointUpdate'|'webhookEndpointDisabled'|'payoutReturned'|'payoutCancelled'|'payoutBatchFinished'|'receiverCreated'|'receiverUpdate'|'receiverDeactivated'|'receiverAccountCreated'|'balanceLow'|'monthClosed'>,
 *   balance_levels?: array<string, mixed>, event_metadata?: bool,
 * }
 * @phpstan-type PostbackSecret array{created_at: string, expires_at: string|null}
 * @phpstan-type RotatedSecret array{secret: string, secrets: list<PostbackSecret>}
 * @phpstan-type SecretRotation array{overlap_s?: int}
 * @phpstan-type WebhookEndpoint array{
 *   id: string, url: string, description: string, is_postback: bool,
 *   event_types: list<'payoutCreated'|'payoutUpdate'|'payoutFailure'|'receiverKycUpdate'|'receiverAccountUpdate'|'balanceFunded'|'payoutOnHold'|'payoutReleased'|'webhookEndpointUpdate'|'webhookEndpointDisabled'|'payoutReturned'|'payoutCancelled'|'payoutBatchFinished'|'receiverCreated'|'receiverUpdate'|'receiverDeactivated'|'receiverAccountCreated'|'balanceLow'|'monthClosed'>,
 *   format: 'full'|'thin', header_names: list<string>, disable_after_days: int|null, created_at: string|null,
 *   status: 'working'|'failing'|'paused'|'disabled', disabled_because: 'failing'|'gone'|'secret'|null,
 *   failing_since: string|null, failing_for: '1h'|'24h'|'7d'|null, disabled_at: string|null,
 *   next_attempt_at: string|null, oldest_waiting_at: string|null, waiting: int, secrets: list<PostbackSecret>,
 *   last_day: WebhookEndpointDay,
 * }
 * @phpstan-type WebhookEndpointDay array{
 *   attempts: int, delivered: int, p50_ms: int|null, p95_ms: int|null,
 * }
 * @phpstan-type ChangedWebhookEndpoint array{
 *   id: string, url: string, description: string, is_postback: bool,
 *   event_types: list<'payoutCreated'|'payoutUpdate'|'payoutFailure'|'receiverKycUpdate'|'receiverAccountUpdate'|'balanceFunded'|'payoutOnHold'|'payoutReleased'|'webhookEndpointUpdate'|'webhookEndpointDisabled'|'payoutReturned'|'payoutCancelled'|'payoutBatchFinished'|'receiverCreated'|'receiverUpdate'|'receiverDeactivated'|'receiverAccountCreated'|'balanceLow'|'monthClosed'>,
 *   format: 'full'|'thin', header_names: list<string>, disable_after_days: int|null, created_at: string|null,
 *   status: 'working'|'failing'|'paused'|'disabled', disabled_because: 'failing'|'gone'|'secret'|null,
 *   failing_since: string|null, failing_for: '1h'|'24h'|'7d'|null, disabled_at: string|null,
 *   next_attempt_at: string|null, oldest_waiting_at: string|null, waiting: int, secrets: list<PostbackSecret>,
 *   last_day: WebhookEndpointDay, secret?: string,
 * }
 * @phpstan-type NewWebhookEndpoint array{
 *   url: string, description?: string,
 *   event_types: list<'payoutCreated'|'payoutUpdate'|'payoutFailure'|'receiverKycUpdate'|'receiverAccountUpdate'|'balanceFunded'|'payoutOnHold'|'payoutReleased'|'webhookEndpointUpdate'|'webhookEndpointDisabled'|'payoutReturned'|'payoutCancelled'|'payoutBatchFinished'|'receiverCreated'|'receiverUpdate'|'receiverDeactivated'|'receiverAccountCreated'|'balanceLow'|'monthClosed'>,
 *   format?: 'full'|'thin', headers?: array<string, mixed>, disable_after_days?: int,
 * }
 * @phpstan-type SourceAddresses array{addresses: list<string>}
 * @phpstan-type WebhookEndpointChange array{
 *   url?: string,
 *   event_types?: list<'payoutCreated'|'payoutUpdate'|'payoutFailure'|'receiverKycUpdate'|'receiverAccountUpdate'|'balanceFunded'|'payoutOnHold'|'payoutReleased'|'webhookEndpointUpdate'|'webhookEndpointDisabled'|'payoutReturned'|'payoutCancelled'|'payoutBatchFinished'|'receiverCreated'|'receiverUpdate'|'receiverDeactivated'|'receiverAccountCreated'|'balanceLow'|'monthClosed'>,
 *   description?: string, format?: 'full'|'thin', headers?: array<string, mixed>, disable_after_days?: int|null,
 * }
 * @phpstan-type DeletedWebhookEndpoint array<string, mixed>
 * @phpstan-type WebhookEndpointRotation array{overlap_s?: int}
 * @phpstan-type WebhookEndpointFill array{since?: \DateTimeInterface|int|string}
 * @phpstan-type DisburseEvent PayoutCreated|PayoutUpdate|PayoutFailure|ReceiverKycUpdate|ReceiverAccountUpdate|BalanceFunded|PayoutOnHold|PayoutReleased|WebhookEndpointUpdate|WebhookEndpointDisabled|PayoutReturned|PayoutCancelled|PayoutBatchFinished|ReceiverCreated|ReceiverUpdate|ReceiverDeactivated|ReceiverAccountCreated|BalanceLow|MonthClosed
 */
final class Schemas
{
}
