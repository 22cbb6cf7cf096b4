// The limits and intervals of sanctions lists.

const mib = 1024 * 1024;
const secondMs = 1000;

export const listLimits = {
  /** All files of one list. The largest has 30 MB. */
  bytesMax: 256 * mib,
  problemsShownMax: 20,
  versionsShownMax: 1_000,
  /** A new version with fewer entries or names than this share of the active one waits for a second user. */
  entriesShareMin: 0.9,
  /** Since a list was published. The alert has the same bound (deploy/prometheus/alerts.yml). */
  oldMs: 7 * 86_400 * secondMs,
  /** Entries that one statement writes. */
  entriesPage: 500,
  /** How often the folder of lists is looked at. A file is read when it has not changed for this long. */
  folderPollMs: 900 * secondMs,
  folderSettleMs: 10 * secondMs,
} as const;
