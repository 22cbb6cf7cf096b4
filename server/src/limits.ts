// Every limit by its name. What an operator may change is in config.ts; these are part of the interface.

const kib = 1024;
const secondMs = 1000;

export const limits = {
  bodyBytesMax: 64 * kib,
  headerBytesMax: 16 * kib,
  /** A larger body is read only for a live key, and counted against the memory for bodies of all connections. */
  smallBodyBytes: 4 * kib,
  bodiesBufferedBytesMax: 32 * 1024 * kib,
  /** The rest of a refused body is read and dropped: for so long, and of so many requests at once. */
  discardedBodyMs: 10 * secondMs,
  discardedBodiesMax: 100,
  /** Longer than any header line may be, so that an overlong id is "not found", not "no route". */
  pathParameterCharsMax: 16 * kib,
  /** Problems in one answer. */
  problemsMax: 100,
  /** Of the JSON of a body: how deep it is nested, fields of one object, and values in all. */
  jsonDepthMax: 32,
  jsonFieldsMax: 10_000,
  jsonValuesMax: 100_000,

  headersTimeoutMs: 10 * secondMs,
  requestTimeoutMs: 30 * secondMs,
  /** Node looks at these two only so often. */
  timeoutCheckMs: secondMs,
  keepAliveTimeoutMs: 72 * secondMs,
  shutdownMs: 30 * secondMs,
  /** A second signal within this time is taken for an echo of the first. */
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
  /** How long a request waits for another one with its key before it is told to come back. */
  idempotencyWaitMs: 2 * secondMs,
  /** How often it looks, about. */
  idempotencyPauseMs: 20,

  /** One call to a provider of identity checks; the lease of the step that makes it is longer. */
  kycCallMs: 10 * secondMs,
  kycLeaseMs: 15 * secondMs,
  /** After a failed step: doubled each time, up to the second of these. */
  kycRetryMs: secondMs,
  kycRetryMaxMs: 600 * secondMs,
  /** Subaccounts of which it is looked at once whether something is due: a payout or an identity check. */
  dueSubaccountsMax: 500,
  /** How often a process looks for steps that are due. Its own creations wake it at once. */
  kycLookMs: 500,
  /** Steps that one process takes on at once. */
  kycStepsMax: 64,

  /** One call to a bank; the lease of the step that makes it is longer. */
  railCallMs: 10 * secondMs,
  railLeaseMs: 15 * secondMs,
  /** How often a process looks for payouts that are due. Its own creations wake it at once. */
  railLookMs: 500,
  railBatchMax: 64,
  /** After a failed step, and after the bank knew nothing: doubled each time, up to the second of these. */
  railRetryMs: 15 * secondMs,
  railRetryMaxMs: 3600 * secondMs,
  /** Payouts that are set aside are counted up to here for the metrics. */
  setAsideCountedMax: 10_000,

  // The delivery of an event, by one POST.
  /** From the first byte of the question to the DNS to the last one of the answer. */
  postTotalMs: 15 * secondMs,
  postDnsMs: 2 * secondMs,
  postConnectMs: 3 * secondMs,
  postTlsMs: 5 * secondMs,
  /** A longer answer is cut off, and what was read counts. */
  answerReadBytesMax: 16 * kib,
  answerKeptBytesMax: 4 * kib,
  answerHeaderBytesMax: 16 * kib,
  /** Answers such as "103 Early Hints", which come before the real one. */
  answersInterimMax: 16,
  connectionsPerLaneMax: 8,
  /** Lanes with connections of their own; beyond it, the one longest unused loses them. */
  lanesConnectedMax: 2_000,
  laneIdleMs: 30 * secondMs,

  /** For how long an event is tried, and the longest pause that an endpoint may ask for. */
  deliveryTriedMs: 30 * 24 * 3600 * secondMs,
  retryAfterMaxMs: 12 * 3600 * secondMs,
  /** A lane belongs to one process for this long, which extends it while it lives. */
  laneLeaseMs: 60 * secondMs,
  laneRenewMs: 10 * secondMs,
  /** Nothing is sent with less left of the lease: it must be over before somebody else may send it. */
  laneSendMarginMs: 20 * secondMs,
  /** Events that one lane has under way at once, each of another payout or receiver. */
  laneWidth: 8,
  laneFetchMax: 100,
  /** Lanes that one process takes at once. */
  lanesMax: 2_000,
  lanesClaimedMax: 256,
  /** How often a process looks for lanes of which nobody told it, and for workers that have died. */
  laneLookMs: secondMs,
  laneWatchMs: 500,
  /** A lane on which nothing could be sent, because all of it is held back, is not looked at again for this long. */
  laneQuietMs: 250,
  /** Other processes are told of what is new at most this often. */
  noticeMs: 100,
  noticeIdsMax: 200,

  /** Live secrets of one endpoint. */
  endpointSecretsMax: 3,
  /** An endpoint that fails this part of its attempts in 24 hours, of so many at least, fails sometimes. */
  endpointFailingShare: 0.05,
  endpointFailingAttemptsMin: 20,
  /** What waits for an endpoint is counted up to here. */
  waitingCountedMax: 10_000,

  /** However seldom a filter fits, a page looks at so many events and no more: the next one goes on. */
  eventsLookedAtMax: 10_000,
  payoutsLookedAtMax: 5_000,
  /** Of payouts that lie apart in the table, which takes longer for each. */
  payoutsApartLookedAtMax: 2_000,
  /** A reference that more payouts have is looked for among all, newest first. */
  payoutsOfReferenceMax: 1_000,
  /** Events of one subaccount that a recovery brings back at a time, and how often it does. */
  recoverBatch: 1_000,
  recoverEveryMs: 950,
  /** For a preview of a recovery: so many events are looked at, and counted up to here. */
  recoveryLookedAtMax: 20_000,
  recoveryCountedMax: 1_000,
  /** Events that a person may have told again without proving anew who it is. */
  recoveryUnprovenMax: 100,

  /** However seldom a filter fits, a page looks at so many attempts and no more: the next one goes on. */
  attemptsLookedAtMax: 10_000,

  /** Open feeds of one process, and of one subaccount among them. */
  feedsMax: 1_000,
  feedsOfSubaccountMax: 10,
  /** How often events are looked for; those of this process are told at once, but not more often than this. */
  feedLookMs: 500,
  feedGapMs: 50,
  /** An event may be committed this much later than one with a younger id. */
  feedLookBackMs: 30 * secondMs,
  feedCommentMs: 15 * secondMs,
  feedPage: 200,
  /** The key that a developer's terminal listens with ends by then, whatever happened to the terminal. */
  listenKeyMs: 12 * 3600 * secondMs,
  /** An import or an export whose reader takes nothing for this long is ended. */
  streamStallMs: 30 * secondMs,
  /** A feed with more than this unread gets nothing new, and is cut when it stays so. */
  feedUnreadBytesMax: 64 * kib,
  feedStallMs: 30 * secondMs,
  feedKeyCheckMs: secondMs,

  /** How long events can be read, and the attempts to deliver them. */
  eventKeptDays: 90,
  attemptKeptDays: 30,
  partitionsKeptMs: 3600 * secondMs,

  /** How long the log of requests can be read. */
  requestKeptDays: 30,
  /** Lines of the log gather for so long, in so much memory, and go to the database so many chunks at a time. */
  requestFlushMs: 200,
  requestChunkBytes: 64 * kib,
  requestChunksMax: 128,
  requestChunksWritten: 4,
  /** While the database is away. */
  requestRetryMs: secondMs,
  /** The fields of a body that came so often are written down once for all; so many kinds of bodies, and no more. */
  requestShapeUses: 16,
  requestShapesMax: 1_000,
  /** Requests without a good signature: so many of one key, and of all together, are written down each second. */
  unprovenPerKey: 10,
  unprovenPerProcess: 100,
  /** However seldom a filter fits, a page looks at so many requests and no more: the next one goes on. */
  requestsLookedAtMax: 10_000,
  errorGroupsMax: 200,

  /** A payout that says the same as one of this time is taken for a mistake. */
  duplicateWindowMs: 24 * 3600 * secondMs,
  payoutBatchMax: 10_000,
  batchBodyBytesMax: 4 * 1024 * kib,
  /** Of the problems of a file that somebody wants to import, so many are shown. */
  importProblemsMax: 1_000,
  /** The largest whole number that JSON carries exactly everywhere. */
  amountMax: 9_007_199_254_740_991n,

  /** Our keys have 32; nothing longer is looked for or remembered. */
  keyCharsMax: 100,
  keyCacheMax: 10_000,
  /** The cache is believed for this long after the database last confirmed it. */
  keyCacheBelievedMs: 900,
  keyCacheCheckMs: 400,
  /** That a secret was used for the first time is written this soon; that it was used again, by the housekeeping. */
  firstUseToldMs: 200,

  /** For how long it counts that a person at the console has proved who it is. */
  stepUpMs: 5 * 60 * secondMs,
  /** How long a person stays logged in: at most, and without doing anything. */
  sessionMs: 12 * 3600 * secondMs,
  sessionIdleMs: 30 * 60 * secondMs,
  /** When a session was last used is written down this exactly. */
  sessionSeenMs: 60 * secondMs,
  /** How long the link of an invitation works. */
  invitationMs: 24 * 3600 * secondMs,
  /** How long a person counts as one with the person who invited or reset them, or changed their role. */
  vouchMs: 24 * 3600 * secondMs,
  /** Keys of one subaccount that work or wait, at most. */
  liveKeysMax: 50,
  /** How long the overview names new keys and people. */
  newsMs: 24 * 3600 * secondMs,
  /** In live subaccounts without limits of their own, more than so many units of a currency wait for a second person. */
  liveThresholdUnits: 1_000,
  /** When an admin may loosen limits without a second admin. */
  loosenAloneMs: 24 * 3600 * secondMs,
  /**
   * Attempts to sign in that may fail in this time: for one email from one network, in a known browser, or in one
   * session; for all emails from one network; and for one email from all networks.
   */
  logInWindowMs: 15 * 60 * secondMs,
  logInFailuresOfEmail: 10,
  logInFailuresOfAddress: 50,
  logInFailuresAnywhere: 100,
  /** A browser is known for this long after the last sign-in. */
  knownBrowserMs: 180 * 24 * 3600 * secondMs,
  /** How long a sign-in by passkey may take. */
  passkeyChallengeMs: 5 * 60 * secondMs,
  /** A proof at the company's identity provider counts as fresh for this long; clocks may differ by as much. */
  oidcProofMs: 60 * secondMs,
  /** One answer of the company's identity provider. */
  oidcCallMs: 10 * secondMs,
  passwordCharsMin: 12,
  passwordCharsMax: 128,
  /** Rows of a page of the console's lists. */
  rowsDefault: 50,
  rowsMax: 500,
  /** However seldom a filter fits, a page looks at so many receivers and no more: the next one goes on. */
  receiversLookedAtMax: 2_000,
  /** In the order of names they lie scattered, and each one looked at costs more. */
  namesLookedAtMax: 300,
  /** A receiver's accounts and payouts are counted up to here, and reviews that wait. */
  consoleCountedMax: 100,
  /** What a receiver's page and a case show of each list: the rest has a page of its own. */
  receiverShownMax: 50,
  /** Others that a case is compared with, of each kind. */
  duplicatesShownMax: 5,
  /** Accounts with the same end whose whole numbers are compared. */
  accountsComparedMax: 50,
  /** A case that waits for longer than these is shown as soon due, and as late. */
  reviewSoonMs: 4 * 3600 * secondMs,
  reviewLateMs: 24 * 3600 * secondMs,
  /** Whoever takes a case has it for this long; then it is anybody's again. */
  reviewClaimMs: 8 * 3600 * secondMs,
  searchHitsMax: 20,
  searchHitsOfKindMax: 5,
  /** The console gets so many subaccounts with the user, and asks for the names of so many at once. */
  subaccountsOfMeMax: 50,
  subaccountsNamedMax: 50,
  /** An id is looked for in all subaccounts, in so many with one statement. */
  searchSubaccountsAtOnce: 1_000,

  /** Entries that a verification of the audit reads at a time. */
  auditPage: 2_000,
  /** How often the end of the audit's chain is noted outside the database. */
  auditAnchorMs: 60 * secondMs,
  /** Lines on a page of the console's lists. */
  consolePage: 50,
  consolePageMax: 200,
  /** What waits for a second person is counted up to here, and so many are released with one click. */
  approvalsCountedMax: 1_000,
  approvalsAtOnceMax: 100,

  /** Open live streams of one process, and of one person among them. */
  liveStreamsMax: 1_000,
  liveOfPersonMax: 20,
  /** A stream tells of changes at most this often. */
  liveGapMs: 250,
  /** How often it is looked for what other processes have changed, and whether sessions still last. */
  liveLookMs: secondMs,
  liveSessionMs: 400,
  /** What nobody told and no look can see is asked for anew this often. */
  liveAllMs: 30 * secondMs,
  liveCommentMs: 15 * secondMs,
  liveUnreadBytesMax: 16 * kib,

  /** Transfers or attempts that are added up in one transaction. */
  tallyChunk: 10_000,
  /** How long a page waits for what is not added up yet, before it is shown what is. */
  tallyWaitMs: secondMs,
  /** An attempt is written at the latest so long after its id was made: then it can be added up. */
  attemptLagMs: 120 * secondMs,
  /** What is counted for the console is counted up to here, and receivers by state up to there. */
  countedMax: 1_000,
  funnelCountedMax: 20_000,
  /** From this share and number of failed payouts on, the overview says so. */
  failingShareMin: 0.1,
  failingPayoutsMin: 3,
  /** From when on somebody should look at it. */
  payoutLateMs: 30 * 60 * secondMs,
  kycLateMs: 24 * 3600 * secondMs,
  keyEndsSoonMs: 7 * 24 * 3600 * secondMs,
  /** A month can be closed so long after its end: what was under way then is in the books. */
  monthClosableMs: 3600 * secondMs,
  reconcileDaysMax: 366,
  /** What one payout's page shows of its events, and of what people did to it. */
  eventsShownMax: 50,
  actsShownMax: 100,

  batchSizeMax: 256,

  // What one subaccount may use of a process, so that it is in nobody else's way.
  /** Payout batches of one subaccount under way, and the bytes of those that wait for their turn. */
  payoutBatchesAtOnce: 1,
  payoutBatchesWaitingBytesMax: 4 * 1024 * kib,
  /** A large body that is refused for lack of memory, turns or tokens is answered this late: a loop may ignore Retry-After. */
  largeBodyRefusalMs: secondMs,
  /** Payout batches of all subaccounts under way in one process. */
  payoutBatchesOfAllAtOnce: 2,
  /** Rows of a payout batch that are checked and written before the next request has its turn. */
  payoutBatchChunk: 100,
  /** While another subaccount has called within this time, a batch pauses as long as it works. */
  batchPaceMs: secondMs,
  /** Rows of payout batches a second, for each call a second that RATE_LIMIT_PER_S allows. */
  rowsPerCall: 50,
  /** Transactions of one subaccount under way, and calls that wait for one. */
  transactionsAtOnce: 2,
  transactionsWaitingMax: 500,
  /** A statement that serves several subaccounts waits for a lock no longer than this. */
  sharedLockWaitMs: 100,
  /** A subaccount whose lock was not free is served apart: at most this many at once, with this pause, up to this time. */
  apartAtOnce: 2,
  apartPauseMs: 20,
  apartMaxMs: 10 * secondMs,
  apartWaitingMax: 1_000,

  statementTimeoutMs: 10 * secondMs,
  /** A statement that PostgreSQL undid for the sake of another is run this often. */
  collisionTriesMax: 5,
  readinessTimeoutMs: 2 * secondMs,
  housekeepingMs: 60 * secondMs,
} as const;
