// The limits, timeouts and intervals of banks. They are part of `limits`.

const kib = 1024;
const secondMs = 1000;

export const bankLimits = {
  /** Names that bank files carry: of the business that holds an account, and of the payer. */
  businessNameChars: 140,
  statementNameChars: 70,
  /** How often a process loads the bank connections again, and polls for files to freeze and payouts to settle. */
  bankPollMs: 2 * secondMs,
  /** Payouts that a freeze locks, writes and moves at once. */
  bankPageMax: 1_000,
  bankFileChunkChars: 256 * kib,
  bankBatchesListedMax: 200,
  /** The Banks screen counts the payouts of the next file up to here. */
  bankQueuedCountedMax: 10_000,
  /** Of a file's payments, the largest ones that are compared with earlier payouts. */
  bankUnusualLookedMax: 5_000,
  /** Examples of each kind of unusual payment. */
  bankUnusualShown: 5,
  /** This many times the median of a file is an unusual amount. */
  bankUnusualTimes: 10,
  /** The largest file from a bank that is read: it is held in memory. */
  bankInboundBytesMax: 256 * 1024 * kib,
  /** A bank's clock may be ahead of ours by this when it signs a file. */
  bankSignatureSkewMs: 5 * 60 * secondMs,
  /** Lines of a statement file that are kept in memory. A longer file is read twice. */
  statementRecordsKeptMax: 200_000,
  /** A file from a bank is read in a thread, and its records come in pages of at most this. */
  bankReadPageMax: 500,
  bankReadPageChars: 256 * kib,
  /** All texts of an entry together, the statements of a file, and the names of our accounts in it that are compared. */
  bankRecordChars: 64 * kib,
  bankStatementsMax: 5_000,
  bankOwnNamesMax: 1_000,
  /** Threads that read files at the same time; one that read a larger file than this is not kept. */
  bankThreadsMax: 2,
  /** Until a file must be read and applied. */
  bankReadMs: 1_800 * secondMs,
  bankThreadKeptBytes: 8 * 1024 * kib,
  /** What is hashed or copied between two turns of the event loop. */
  bankFilePartBytes: 1024 * kib,
  /** Of the words and codes that a bank sends. */
  bankTextMax: 500,
  bankProblemsShownMax: 50,
  /** Payments of one account, amount and reference among which a return is matched by its day. */
  inboundCandidatesMax: 100,
  bankInboundListedMax: 200,
  suspenseListedMax: 500,
  /** In banking days: until then a debit or a statement is only expected. */
  bankOverdueDays: 3,
  suspenseCandidatesMax: 20,
  suspenseCountedMax: 10_000,
  /** Timeout of one call to a bank's SFTP server. The lease of a file that is being sent is longer. */
  sftpCallMs: 10 * secondMs,
  bankSendLeaseMs: 15 * secondMs,
  /** A process renews its lease when less than this is left, and before it renames the file. */
  bankSendRenewMs: 12 * secondMs,
  /** Backoff after a file could not be sent: doubled each time, up to the maximum. */
  bankSendRetryMs: 15 * secondMs,
  bankSendRetryMaxMs: 600 * secondMs,
  /** How often the folder of a bank's SFTP server is polled for files. */
  bankFolderPollMs: 300 * secondMs,
  /** A file is read when it has not changed for this long; while one waits for that, its folder is polled this soon. */
  bankFolderSettleMs: 10 * secondMs,
  /** Lease of a poll. The process renews it while bytes flow and before each file, when less than the second is left. */
  bankFolderLeaseMs: 60 * secondMs,
  bankFolderRenewMs: 45 * secondMs,
  /** Files of a folder that are looked at; refused files are counted up to here. */
  bankFolderFilesMax: 10_000,
} as const;
