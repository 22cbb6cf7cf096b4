// The limits of the search.

export const searchLimits = {
  /** Hits of one kind: in the search, and in a list of choices. */
  hitsOfKindMax: 5,
  choicesMax: 10,
  /** Receivers that a filter by text finds. */
  listMax: 1_000,
  /** Rows that one word of a search may find: of a single word, and of several, which must all fit. */
  wordRowsMax: 50,
  wordsRowsMax: 250,
  /** Rows that are read and compared at a time. */
  comparedMax: 100,
  /** Newest rows without words that a search scans, and newest rows when no word starts with the text. */
  tailMax: 500,
  scannedMax: 1_000,
  /** Payouts with the very reference that is searched for, of which the newest are shown. */
  referencesMax: 100,
  /** Rows whose words one transaction writes. */
  pageMax: 1_000,
  /** How long the first search of a subaccount waits for the words. */
  waitMs: 800,
  /** Younger rows may not be committed yet. Words are brought up to date when they are older than this. */
  lagMs: 10_000,
  staleMs: 30_000,
  /** How often subaccounts without words are looked for, at most. */
  subaccountsMs: 60_000,
  /** Subaccounts that one statement searches for an id. */
  subaccountsAtOnce: 1_000,
};
