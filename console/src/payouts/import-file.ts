// What is wrong with a file before its rows are looked at. The server says the rest: it knows the columns.

/** What the server takes in one request. */
const bodyBytesMax = 4 * 1024 * 1024;
/** Of the totals, which are sent with the file when it is released. */
const besidesBytes = 16 * 1024;

export function fileProblem(csv: string): string | undefined {
  if (csv.trim() === "")
    return "The file is empty. It needs a header row and a row for each payout.";
  const bytes = new TextEncoder().encode(JSON.stringify(csv)).length + besidesBytes;
  return bytes > bodyBytesMax
    ? "The file is too large (max 4 MB). Split it into several files."
    : undefined;
}

export function rowsProblem(rows: number): string | undefined {
  return rows === 0 ? "The file has only a header. Add a row for each payout." : undefined;
}
