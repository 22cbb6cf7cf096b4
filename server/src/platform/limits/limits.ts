// All limits, timeouts and intervals by name. Settings that an operator can change are in config.ts.

import { amountMax } from "../../../../packages/bank-formats/src/money.ts";
import { retentionTable } from "../retention/index.ts";
import { bankLimits } from "./bank-limits.ts";
import { endpointLimits } from "./endpoint-limits.ts";
import { metadataLimits } from "./metadata-limits.ts";
import { operatorLimits } from "./operator-limits.ts";

const kib = 1024;
const secondMs = 1000;

export const limits = {
  bodyBytesMax: 64 * kib,
  headerBytesMax: 16 * kib,
  /** A larger body is read only for a key, a user or a provider, and what arrives of it counts against the memory for all bodies. */
  smallBodyBytes: 4 * kib,
  bodiesBufferedBytesMax: 32 * 1024 * kib,
  /** The rest of a refused body is read and dropped, for at most this time and this many requests at once. */
  discardedBodyMs: 10 * secondMs,
  discardedBodiesMax: 100,
  /** Longer than any header line may be, so that an overlong id is "not found", not "no route". */
  pathParameterCharsMax: 16 * kib,
  /** Problems in one response. */
  problemsMax: 100,
  /** JSON body: nesting depth, fields of one object, and total values. */
  jsonDepthMax: 32,
  jsonFieldsMax: 10_000,
  jsonValuesMax: 100_000,

  headersTimeoutMs: 10 * secondMs,
  requestTimeoutMs: 30 * secondMs,
  /** Interval in which Node checks the two timeouts above. */
  timeoutCheckMs: secondMs,
  keepAliveTimeoutMs: 72 * secondMs,
  shutdownMs: 30 * secondMs,
  /** A second signal within this time is the same Ctrl-C, which arrived twice. */
  signalEchoMs: 500,
  /** The port stays open for this long into a shutdown: connections may be waiting to be accepted. */
  acceptMs: 100,
  /** After the port is closed, a kept-alive connection may still send for this long. */
  drainMs: secondMs,

  listDefault: 100,
  listMax: 1000,

  signatureWindowMaxMs: 900 * secondMs,
  nonceCharsMin: 16,
  nonceCharsMax: 64,
  /** A nonce is kept this much longer than its signature, for processes whose clock is behind. */
  nonceMarginMs: 900 * secondMs,
  rotationGraceDefaultMs: 24 * 3600 * secondMs,
  rotationGraceMaxMs: 7 * 24 * 3600 * secondMs,

  idempotencyKeptMs: 30 * 24 * 3600 * secondMs,
  /** How long a request waits for another one with the same key before it is refused. */
  idempotencyWaitMs: 2 * secondMs,
  /** Pause between its checks. */
  idempotencyPauseMs: 20,

  /** Timeout of a call to a KYC provider; the lease of the step is longer. */
  kycCallMs: 10 * secondMs,
  kycLeaseMs: 15 * secondMs,
  /** Backoff after a failed step: doubled each time, up to the maximum. */
  kycRetryMs: secondMs,
  kycRetryMaxMs: 600 * secondMs,
  /** Subaccounts that one poll checks for due payouts or identity checks. */
  dueSubaccountsMax: 500,
  /** How often a process polls for due steps. Its own creations wake it at once. */
  kycPollMs: 500,
  /** Steps that one process runs at once. */
  kycStepsMax: 64,
  /** How long the link for the person works, and how many one subaccount may make each second and at once. */
  personLinkMs: 24 * 3600 * secondMs,
  personLinksPerS: 10,
  personLinksBurst: 50,

  /** Timeout of a call to a payee name check; the lease is longer. */
  payeeCheckCallMs: 10 * secondMs,
  payeeCheckLeaseMs: 15 * secondMs,
  payeeCheckPollMs: secondMs,
  /** Checks that one process runs at once. */
  payeeChecksMax: 64,
  /** Backoff after a failed check: doubled each time, up to the maximum. */
  payeeCheckRetryMs: secondMs,
  payeeCheckRetryMaxMs: 600 * secondMs,

  /** Timeout of a call to a bank; the lease of the step is longer. */
  railCallMs: 10 * secondMs,
  railLeaseMs: 15 * secondMs,
  /** How often a process polls for due payouts. Its own creations wake it at once. */
  railPollMs: 500,
  railBatchMax: 64,
  /** Backoff after a failed step, and while the bank has no result: doubled each time, up to the maximum. */
  railRetryMs: 15 * secondMs,
  railRetryMaxMs: 3600 * secondMs,
  /** A payout that is on hold without a decision for this long fails. */
  holdExpiresMs: 30 * 24 * 3600 * secondMs,
  holdPollMs: 60 * secondMs,
  /** Payouts that one statement holds or expires. */
  holdsPageMax: 200,
  holdsCountedMax: 1000,
  /** A balance with more transfers in 31 days is counted before rules are switched on, this many at a time. */
  countFillAbove: 5_000,
  countFillPage: 5_000,
  /** Rules of one version. */
  rulesMax: 100,
  /** How far ahead a payout can be scheduled. */
  sendOnMaxMs: 366 * 24 * 3600 * secondMs,
  ...bankLimits,
  ...metadataLimits,
  ...operatorLimits,
  /** The metric of payouts that are set aside counts up to here. */
  setAsideCountedMax: 10_000,

  /** How often a process polls for a newer set of list entries. A notification wakes it at once. */
  screeningPollMs: 5 * secondMs,
  /** Records that one transaction screens again, and groups of records that one round visits. */
  screeningPageMax: 1_000,
  screeningGroupsMax: 500,
  /** How often a process polls for records behind the current set. */
  rescreenPollMs: 5 * secondMs,
  /** Younger receivers may not be committed yet, so the walk for missing records leaves them for later. */
  screeningWalkLagMs: 60 * secondMs,
  /** A payout may be created while a hit is opened. The hits of this time are checked for such payouts. */
  hitSweepMs: 120 * secondMs,
  /** The metric of records behind the current set counts up to here. */
  recordsCountedMax: 100_000,

  // One delivery attempt: a POST to a webhook endpoint.
  /** From the DNS lookup to the last byte of the response. */
  postTotalMs: 15 * secondMs,
  postDnsMs: 2 * secondMs,
  postConnectMs: 3 * secondMs,
  postTlsMs: 5 * secondMs,
  /** A longer response is cut off; the part that was read is used. */
  answerReadBytesMax: 16 * kib,
  answerKeptBytesMax: 4 * kib,
  answerHeaderBytesMax: 16 * kib,
  /** Interim responses such as "103 Early Hints". */
  answersInterimMax: 16,
  connectionsPerLaneMax: 8,
  /** Lanes with open connections; beyond it, the least recently used one loses them. */
  lanesConnectedMax: 2_000,
  laneIdleMs: 30 * secondMs,

  /** How long a delivery is retried, and the longest Retry-After that is followed. */
  deliveryTriedMs: 30 * 24 * 3600 * secondMs,
  retryAfterMaxMs: 12 * 3600 * secondMs,
  /** Lease of a lane. The process that holds it renews it. */
  laneLeaseMs: 60 * secondMs,
  laneRenewMs: 10 * secondMs,
  /** With less than this left of the lease nothing is sent: the attempt must end before another process may send. */
  laneSendMarginMs: 20 * secondMs,
  /** Events that one lane sends at once, each about another payout or receiver. */
  laneWidth: 8,
  laneFetchMax: 100,
  /** Lanes that one process holds at once. */
  lanesMax: 2_000,
  lanesClaimedMax: 256,
  /** How often a process polls for lanes of other processes' events, and for lost workers. */
  lanePollMs: secondMs,
  laneWatchMs: 500,
  /** A lane with only blocked events is not checked again for this long. */
  laneQuietMs: 250,
  /** A lane whose newest secret can't be decrypted is not claimed again for this long. */
  unreadableSecretPauseMs: 60 * secondMs,
  /** Other processes are woken at most this often. */
  wakeUpGapMs: 100,
  wakeUpIdsMax: 200,

  ...endpointLimits,

  /** Events that one page of a filtered list scans; the next page continues. */
  eventsScannedMax: 10_000,
  payoutsScannedMax: 5_000,
  /** The same for payouts that are scattered in the table, where each read takes longer. */
  scatteredPayoutsScannedMax: 2_000,
  /** When more payouts share a reference, all payouts are scanned for it, newest first. */
  payoutsOfReferenceMax: 1_000,
  /** Events of one subaccount that a recovery resends at a time, and its interval. */
  recoverBatch: 1_000,
  recoverEveryMs: 950,
  /** Preview of a recovery: events that are scanned, and the highest count. */
  recoveryScannedMax: 20_000,
  recoveryCountedMax: 1_000,
  /** Events that a user may resend without signing in again. */
  recoveryUnprovenMax: 100,

  /** Attempts that one page of a filtered list scans; the next page continues. */
  attemptsScannedMax: 10_000,

  /** Open feeds of one process, and of one subaccount among them. */
  feedsMax: 1_000,
  feedsOfSubaccountMax: 10,
  /** How often a feed polls for events, and the shortest gap between wake-ups by this process. */
  feedPollMs: 500,
  feedGapMs: 50,
  /** An event may be committed this much later than one with a higher id. */
  feedLookBackMs: 30 * secondMs,
  feedCommentMs: 15 * secondMs,
  feedPage: 200,
  /** The key of `events listen` expires after this time, in case the command can't revoke it. */
  listenKeyMs: 12 * 3600 * secondMs,
  /** An import or export is ended when its reader takes nothing for this long. */
  streamStallMs: 30 * secondMs,
  /** A feed with more unread bytes gets no new events, and is closed after feedStallMs. */
  feedUnreadBytesMax: 64 * kib,
  feedStallMs: 30 * secondMs,
  feedKeyCheckMs: secondMs,

  /** Events are kept for this long by default; delivery attempts always. */
  eventKeptDays: retentionTable.events.days,
  attemptKeptDays: 30,
  partitionsKeptMs: 3600 * secondMs,

  /** Buffering of the request log: interval, size of a chunk, chunks in memory, chunks per write. */
  requestFlushMs: 200,
  requestChunkBytes: 64 * kib,
  requestChunksMax: 128,
  requestChunksWritten: 4,
  /** Pause between retries while the database is down. */
  requestRetryMs: secondMs,
  /** The list of fields of a body is stored once when it has occurred this often, for at most this many lists. */
  requestShapeUses: 16,
  requestShapesMax: 1_000,
  /** Requests without a valid signature that are logged each second: for one key, and in total. */
  unprovenPerKey: 10,
  unprovenPerSecond: 100,
  /** Requests that one page of a filtered list scans; the next page continues. */
  requestsScannedMax: 10_000,
  errorGroupsMax: 200,

  /** An identical payout within this time is refused as a duplicate. */
  duplicateWindowMs: 24 * 3600 * secondMs,
  payoutBatchMax: 10_000,
  batchBodyBytesMax: 4 * 1024 * kib,
  /** Problems of an imported file that are shown. */
  importProblemsMax: 1_000,
  amountMax,

  /** Our keys have 32 characters; a longer one is neither looked up nor cached. */
  keyCharsMax: 100,
  keyCacheMax: 10_000,
  /** The cache is valid for this long after the database last confirmed it. */
  keyCacheBelievedMs: 900,
  keyCacheCheckMs: 400,
  /** The first use of a secret is recorded after this time; later uses are recorded with the periodic cleanup. */
  firstUseRecordedMs: 200,

  /** How long a fresh sign-in at the console (step-up) is valid. */
  stepUpMs: 5 * 60 * secondMs,
  /** How long a session lasts: at most, and when idle. */
  sessionMs: 12 * 3600 * secondMs,
  sessionIdleMs: 30 * 60 * secondMs,
  /** The last use of a session is recorded with this precision. */
  sessionSeenMs: 60 * secondMs,
  /** How long the link of an invitation works. */
  invitationMs: 24 * 3600 * secondMs,
  /** Active and waiting keys of one subaccount. */
  liveKeysMax: 50,
  /** How long the overview lists new keys. */
  newsMs: 24 * 3600 * secondMs,
  /** In live subaccounts without their own limits, payouts above this many units of the currency need approval. */
  liveThresholdUnits: 1_000,
  /**
   * Failed sign-ins that are allowed in this time: for one email from one network, in a known browser or in one session;
   * for all emails from one network; and for one email from all networks.
   */
  logInWindowMs: 15 * 60 * secondMs,
  logInFailuresOfEmail: 10,
  logInFailuresOfAddress: 50,
  logInFailuresAnywhere: 100,
  /** A browser is known for this long after the last sign-in. */
  knownBrowserMs: 180 * 24 * 3600 * secondMs,
  /** How long a sign-in with a passkey may take. */
  passkeyChallengeMs: 5 * 60 * secondMs,
  /** A sign-in at the identity provider counts as fresh for this long; clocks may differ by as much. */
  oidcProofMs: 60 * secondMs,
  /** Timeout of a call to the identity provider. */
  oidcCallMs: 10 * secondMs,
  passwordCharsMin: 12,
  passwordCharsMax: 128,
  /** Rows on a page of the console's lists. */
  rowsDefault: 50,
  rowsMax: 500,
  /** Receivers that one page of a filtered list scans; the next page continues. */
  receiversScannedMax: 2_000,
  /** Accounts and payouts of a receiver, and waiting reviews, are counted up to here. */
  consoleCountedMax: 100,
  /** Rows of each list on the page of a receiver or a review; the rest has its own page. */
  receiverShownMax: 50,
  /** Possible duplicates that a review shows, of each kind. */
  duplicatesShownMax: 5,
  /** Accounts with the same last digits whose full numbers are compared. */
  accountsComparedMax: 50,
  /** A review that waits longer than these is shown as due soon, and as late. */
  reviewSoonMs: 4 * 3600 * secondMs,
  reviewLateMs: 24 * 3600 * secondMs,
  /** How long a claimed review belongs to one user. */
  reviewClaimMs: 8 * 3600 * secondMs,
  /** Subaccounts that the console gets with the user, and subaccounts in one request for names. */
  subaccountsOfMeMax: 50,
  subaccountsNamedMax: 50,

  /** Audit entries that the verification reads at a time. */
  auditPage: 2_000,
  /** How often a verification that a user waits for says how far it is. */
  auditProgressMs: 500,
  /** Audit entries that one page of a filtered list scans; the next page continues. */
  auditScannedMax: 10_000,
  /** How often the head of the audit chain is recorded outside the database. */
  auditAnchorMs: 60 * secondMs,
  /** Rows on a page of the audit log, of approvals and of changes of bank details. */
  consolePageMax: 200,
  /** Waiting approvals are counted up to here, and this many can be approved with one click. */
  approvalsCountedMax: 1_000,
  approvalsAtOnceMax: 100,

  /** Open live streams of one process, and of one user. */
  liveStreamsMax: 1_000,
  liveStreamsOfUserMax: 20,
  /** A stream reports changes at most this often. */
  liveGapMs: 250,
  /** How often a stream polls for changes of other processes, and checks its session. */
  livePollMs: secondMs,
  liveSessionMs: 400,
  /** How often pages reload data whose changes no poll can see. */
  liveAllMs: 30 * secondMs,
  liveCommentMs: 15 * secondMs,
  liveUnreadBytesMax: 16 * kib,

  /** Transfers or attempts that one transaction rolls up. */
  rollUpChunk: 10_000,
  /** How long a page waits for the roll-up before it shows the existing figures. */
  rollUpWaitMs: secondMs,
  /** An attempt is written at most this long after its id was created; then it can be rolled up. */
  attemptLagMs: 120 * secondMs,
  /** Counts of the console stop here, and counts of receivers by state at the second value. */
  countedMax: 1_000,
  funnelCountedMax: 20_000,
  /** The overview warns from this share and number of failed payouts on. */
  failingShareMin: 0.1,
  failingPayoutsMin: 3,
  /** When the overview shows these as needing attention. */
  payoutLateMs: 30 * 60 * secondMs,
  kycLateMs: 24 * 3600 * secondMs,
  keyEndsSoonMs: 7 * 24 * 3600 * secondMs,
  /** A month can be closed this long after its end, when its last payouts are in the ledger. */
  monthClosableMs: 3600 * secondMs,
  reconcileDaysMax: 366,
  /** Transfers that one page of a balance's lines reads; the next page continues. */
  balanceLinesScanned: 10_000,
  /** An export stays this far behind: an id is made before its row is committed, and clocks differ. */
  exportLagMs: 60 * secondMs,
  /** Lines of a PDF document. Each takes up to a millisecond, and people read no more pages. */
  pdfRowsMax: 20_000,
  /** Events and audit entries on the page of a payout. */
  eventsShownMax: 50,
  actsShownMax: 100,

  batchSizeMax: 256,
  /** How long a shared statement waits at most for the callers of the last one to call again. */
  batchPatienceMs: 8,
  // Resources of a process that one subaccount may use, so that it does not slow down others.
  /** Payout batches of one subaccount that run at once, and total bytes of those that wait. */
  payoutBatchesAtOnce: 1,
  payoutBatchesWaitingBytesMax: 4 * 1024 * kib,
  /** Delay of the refusal of a large body, because a caller may ignore Retry-After. */
  largeBodyRefusalMs: secondMs,
  /** Payout batches of all subaccounts that run at once in one process. */
  payoutBatchesOfAllAtOnce: 2,
  /** Rows of a payout batch that are checked and written before other requests run. */
  payoutBatchChunk: 100,
  /** When another subaccount has called within this time, a batch pauses as long as it works. */
  batchPaceMs: secondMs,
  /** Allowed batch rows per second, for each request per second of RATE_LIMIT_PER_S. */
  rowsPerCall: 50,
  /** Transactions of one subaccount that run at once, and calls that wait for one. */
  transactionsAtOnce: 2,
  transactionsWaitingMax: 500,
  /** Lock timeout of a statement that serves several subaccounts. */
  sharedLockWaitMs: 100,
  /** A subaccount whose lock was taken is served separately: this many at once, with this pause, up to this time. */
  apartAtOnce: 2,
  apartPauseMs: 20,
  apartMaxMs: 10 * secondMs,
  apartWaitingMax: 1_000,
  statementTimeoutMs: 10 * secondMs,
  /** Attempts for a statement that fails with a deadlock or serialization failure. */
  collisionTriesMax: 5,
  readinessTimeoutMs: 2 * secondMs,
  housekeepingMs: 60 * secondMs,
} as const;
