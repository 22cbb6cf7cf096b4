// The progress that a command prints, on a terminal and elsewhere.

import { expect, test } from "vitest";
import { Progress } from "../../../src/doors/cli/progress.ts";

function shown(isTTY: boolean): string[] {
  const written: string[] = [];
  let nowMs = 0;
  const output = { isTTY, columns: 80, write: (text: string) => written.push(text) };
  const progress = new Progress({ what: "importing", total: 50_000, output, now: () => nowMs });
  for (nowMs = 50; nowMs <= 5_000; nowMs += 50) progress.at(nowMs * 5, nowMs / 10_000);
  nowMs = 5_000;
  progress.end(25_000);
  return written;
}

test("without a terminal, progress is a line every two seconds", () => {
  expect(shown(false)).toEqual([
    "importing: 20%, 10,000 of 50,000 rows, 5,000 rows/s, 8.0 s left\n",
    "importing: 40%, 20,000 of 50,000 rows, 5,000 rows/s, 6.0 s left\n",
    "importing: 25,000 of 50,000 rows in 5.0 s, 5,000 rows/s\n",
  ]);
});

test("on a terminal, progress is one line that is rewritten and never wraps", () => {
  const lines = shown(true);
  expect(lines).toHaveLength(51);
  expect(lines[49]).toBe(
    "\r\u001B[Kimporting █████░░░░░  50%  25,000 of 50,000 rows, 5,000 rows/s, 5.0 s left",
  );
  expect(lines.filter((line) => line.length > 3 + 80)).toEqual([]);
  expect(lines.slice(0, -1).join("")).not.toContain("\n");
});
