// Reads a file before it is sent. The server reads its columns and rows.

import { ApiProblem } from "../api/problem.ts";

/** The largest file that the server reads. */
const fileBytesMax = 10 * 1024 * 1024;

/** A copy: the file on the disk may be saved again while the user looks at its check. */
export async function readFile(file: File): Promise<Blob> {
  refuse(fileProblem(file.size));
  return new Blob([await file.arrayBuffer()]);
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
