// The journal of erasures as a file: written where receivers were erased, and applied to a restored backup, which has
// their data again.

import { createHash } from "node:crypto";
import { isUuid } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { defaultRetention } from "../../platform/retention/index.ts";
import { eraseReceiver } from "./erase.ts";
import { type ErasureRow, insertErasure, listErasures } from "./erasure-queries.ts";

const firstId = "00000000-0000-0000-0000-000000000000";

/** One line of JSON for each erasure. The last line has their count and hash. */
export async function* writeErasures(db: Db): AsyncGenerator<string> {
  const digest = createHash("sha256");
  let count = 0;
  let after = { subaccount_id: firstId, receiver_id: firstId };
  for (;;) {
    const rows = await listErasures(db, after, limits.listMax);
    const last = rows.at(-1);
    if (!last) break;
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    digest.update(text);
    count += rows.length;
    yield text;
    after = last;
  }
  yield `${JSON.stringify({ kind: "end", count, sha256: digest.digest("hex") })}\n`;
}

export class JournalError extends Error {}

/** Refuses a file that was cut off or changed, before anything is applied. */
export function readErasures(text: string): ErasureRow[] {
  const lines = text.split("\n").filter((line) => line !== "");
  const end = lines.pop();
  const digest = createHash("sha256").update(lines.map((line) => `${line}\n`).join(""));
  const { kind, count, sha256 } = parsed<{ kind: string; count: number; sha256: string }>(end);
  if (kind !== "end" || count !== lines.length || sha256 !== digest.digest("hex")) {
    throw new JournalError("The file is not a whole journal of erasures. Export it again.");
  }
  return lines.map((line) => {
    const row = parsed<ErasureRow>(line);
    const isWhole =
      isUuid(row.subaccount_id ?? "") &&
      isUuid(row.receiver_id ?? "") &&
      Number.isSafeInteger(row.erased_at_ms) &&
      typeof row.erased_by === "string" &&
      typeof row.email_hash === "string";
    if (!isWhole) throw new JournalError("The file has a line that is no erasure.");
    return row;
  });
}

function parsed<Value extends object>(line: string | undefined): Partial<Value> & Value {
  try {
    const value: unknown = JSON.parse(line ?? "");
    if (typeof value === "object" && value !== null) return value as Value;
  } catch {}
  throw new JournalError("The file is not a journal of erasures: a line is no JSON object.");
}

export type AppliedErasures = { erased: number; known: number; absent: number };

/**
 * Erases the receivers of a journal that are not erased here. Nothing refuses it: it was decided before. Applying a
 * journal again changes nothing.
 */
export async function applyErasures(
  { db, seal }: { db: Db; seal: Seal },
  rows: readonly ErasureRow[],
): Promise<AppliedErasures> {
  const applied: AppliedErasures = { erased: 0, known: 0, absent: 0 };
  for (const row of rows) {
    const outcome = await db.transaction(async (tx): Promise<keyof AppliedErasures> => {
      const key = { subaccountId: row.subaccount_id, id: row.receiver_id };
      try {
        const { isNew } = await eraseReceiver({ tx, seal }, key, {
          who: row.erased_by,
          atMs: row.erased_at_ms,
          retention: defaultRetention,
          isRepeated: true,
        });
        return isNew ? "erased" : "known";
      } catch (error) {
        if (!(error instanceof Refusal) || error.problems[0]?.code !== "REVR101") throw error;
      }
      // The receiver is younger than the backup. The journal keeps the erasure, for the next one.
      await insertErasure(tx, row);
      return "absent";
    });
    applied[outcome] += 1;
  }
  return applied;
}
