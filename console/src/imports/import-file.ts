// Reads a file and checks it before it is sent. The server checks its columns and rows.

import { ApiProblem } from "../api/problem.ts";

/** The largest request that the server accepts. */
const bodyBytesMax = 4 * 1024 * 1024;
/** Room for the totals, which are sent with the file. */
const besidesBytes = 16 * 1024;

export async function readFile(file: File): Promise<string> {
  const csv = await file.text();
  refuse(fileProblem(csv));
  return csv;
}

export function fileProblem(csv: string): string | undefined {
  if (csv.trim() === "")
    return "The file is empty. It needs a header row and at least one more row.";
  const bytes = new TextEncoder().encode(JSON.stringify(csv)).length + besidesBytes;
  return bytes > bodyBytesMax
    ? "The file is too large (max 4 MB). Split it into several files."
    : undefined;
}

export function rowsProblem(rows: number): string | undefined {
  return rows === 0 ? "The file has only a header. Add at least one row." : undefined;
}

export function refuse(message: string | undefined): void {
  if (message) throw new ApiProblem(400, message, [{ code: "", message }]);
}
