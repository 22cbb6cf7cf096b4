// Reads a file and checks it before it is sent. The server checks its columns and rows.

import { ApiProblem } from "../api/problem.ts";
import { importsTexts } from "../texts/imports.ts";

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
  if (csv.trim() === "") return importsTexts.theFileIsEmptyItNeeds;
  const bytes = new TextEncoder().encode(JSON.stringify(csv)).length + besidesBytes;
  return bytes > bodyBytesMax ? importsTexts.theFileIsTooLargeMax : undefined;
}

export function rowsProblem(rows: number): string | undefined {
  return rows === 0 ? importsTexts.theFileHasOnlyAHeader : undefined;
}

export function refuse(message: string | undefined): void {
  if (message) throw new ApiProblem(400, message, [{ code: "", message }]);
}
