// Reads a file before it is sent. The server reads its columns and rows.

import { ApiProblem } from "../api/problem.ts";
import { base64Of } from "../state/base64.ts";

/** The largest file that the server reads. */
const fileBytesMax = 10 * 1024 * 1024;

/** Its bytes in Base64. */
export async function readFile(file: File): Promise<string> {
  refuse(fileProblem(file.size));
  return base64Of(new Uint8Array(await file.arrayBuffer()));
}

export function contentOf(text: string): string {
  return base64Of(new TextEncoder().encode(text));
}

export function fileProblem(bytes: number): string | undefined {
  if (bytes === 0) return "The file is empty. It needs a header row and at least one more row.";
  return bytes > fileBytesMax
    ? "The file is too large (max 10 MB). Split it into several files."
    : undefined;
}

export function rowsProblem(rows: number): string | undefined {
  return rows === 0 ? "The file has only a header. Add at least one row." : undefined;
}

export function refuse(message: string | undefined): void {
  if (message) throw new ApiProblem(400, message, [{ code: "", message }]);
}
