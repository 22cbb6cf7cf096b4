// Sends a month of payouts, imports generated statements about it, and compares every line with the truth.

import { applyInbound } from "../../src/banking/inbound-files/inbound.ts";
import { generateMonth } from "./statement-generator.ts";
import type { Movement } from "./statement-movements.ts";
import { accountPlans } from "./statement-plan.ts";
import { compareLines, judge, nothingSeen, type StatementsSeen } from "./statements-compare.ts";
import { type SentMonth, type SetupParts, type SetupSize, sendMonth } from "./statements-setup.ts";

export async function runStatements(
  parts: SetupParts,
  size: SetupSize,
  onLines: (lines: number) => void = () => {},
): Promise<StatementsSeen> {
  const seen = nothingSeen();
  for (const index of accountPlans.keys()) {
    const sent = await sendMonth(parts, index, size);
    seen.payouts += sent.account.files.reduce((sum, { payments }) => sum + payments.length, 0);
    const movements = await importMonth(parts, sent, size.seed + index, seen, onLines);
    await compareLines(parts, sent, movements, seen);
  }
  await judge(parts, seen);
  return seen;
}

async function importMonth(
  { db, seal }: SetupParts,
  { account, connection }: SentMonth,
  seed: number,
  seen: StatementsSeen,
  onLines: (lines: number) => void,
): Promise<Movement[]> {
  const { files, movements } = generateMonth(account, seed);
  const before = seen.lines;
  let done = 0;
  for (const { name, kind, text, movements: told } of files) {
    seen.files[kind] = (seen.files[kind] ?? 0) + 1;
    const request = { name, connection, who: "operator:a", atMs: Date.now() };
    const { isNew } = await applyInbound({ db, seal }, Buffer.from(text()), request);
    if (isNew === (kind === "repeat")) seen.complaints.push(`${name} is ${isNew ? "" : "not "}new`);
    if (kind === "statement" || kind === "late" || kind === "overlap") done += told.length;
    onLines(before + Math.min(done, movements.length));
  }
  seen.lines += movements.length;
  return movements;
}
