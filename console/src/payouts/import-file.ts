// Checks a file before it is sent. The server checks its columns and rows.

import { payoutsTexts } from "../texts/payouts.ts";

/** The largest request that the server accepts. */
const bodyBytesMax = 4 * 1024 * 1024;
/** Room for the totals, which are sent with the file. */
const besidesBytes = 16 * 1024;

export function fileProblem(csv: string): string | undefined {
  if (csv.trim() === "") return payoutsTexts.theFileIsEmptyItNeeds;
  const bytes = new TextEncoder().encode(JSON.stringify(csv)).length + besidesBytes;
  return bytes > bodyBytesMax ? payoutsTexts.theFileIsTooLargeMax : undefined;
}

export function rowsProblem(rows: number): string | undefined {
  return rows === 0 ? payoutsTexts.theFileHasOnlyAHeader : undefined;
}
