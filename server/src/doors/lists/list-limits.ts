// The limits of the console's lists.

export const consoleListLimits = {
  /** Payouts that are sorted by something else than their age, or added up: the newest ones of a filter. */
  payoutsSortedMax: 10_000,
  /** At least this many of each range, where a filter reads several ranges of an index. */
  payoutsSortedOfRangeMin: 1_000,
  /** Receivers that one page scans by name, where rows are scattered; the next page continues. */
  receiversByNameMax: 300,
  /** Payouts of one stage and currency that the pipeline adds up, before it takes the sum from the books. */
  boardSummedMax: 300,
  /** Objects of a list that one request acts on. */
  selectedMax: 100,
  /** Views that a user can save of one list. */
} as const;
