// The content of a document: a title, facts, and a table if it has columns.

export type PdfColumn = {
  title: string;
  /** Its share of the page: a column of 2 is twice as wide as one of 1. */
  width: number;
  align?: "left" | "right";
};

/** The cells of a row, in the order of the columns. A strong row is bold, such as a total. */
export type PdfRow = readonly string[] | { strong: readonly string[] };

export type TablePdf = {
  title: string;
  /** A PNG without transparency or a JPEG, shown at the top on the right. `name`: for screen readers. */
  logo?: { bytes: Uint8Array; name: string } | undefined;
  /** Shown below the title in large letters. */
  lead?: string;
  /** Shown below it, one per line. */
  facts: readonly (readonly [label: string, value: string])[];
  columns: readonly PdfColumn[];
  rows: AsyncIterable<PdfRow> | Iterable<PdfRow>;
  /** The time that the document says it was made. The clock is not read, so the bytes depend on the input alone. */
  createdAtMs: number;
  /** For tables with many columns. */
  landscape?: boolean;
};
