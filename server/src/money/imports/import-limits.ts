// The limits of imports and payout batches.

export const importLimits = {
  /** Rows that a page shows before it imports a file. */
  previewMax: 1_000,
  /** An import that has reported nothing for so long has stopped. */
  silentMs: 60_000,
  /** Each batch of a page is summed up, so pages are short. */
  batchesPageMax: 20,
  /** Payouts of each batch that the list adds up. The page of a batch has all of them. */
  batchSummedMax: 1_000,
  /**
   * The payouts of a file with more rows are no payout batch, because the page of a batch reads all of its payouts. Only
   * the command line imports such files.
   */
  batchRowsMax: 50_000,
  fileNameCharsMax: 200,
  columnsMax: 200,
  /** Cells that a user corrects on the page. */
  editsMax: 2_000,
  /** A file, with the columns and cells that the user chose. */
  bodyBytesMax: 13 * 1024 * 1024,
};
