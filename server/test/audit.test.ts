// The audit: one order, no gaps, and nothing changed without being found out.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type Act, recordAct } from "../src/audit/record.ts";
import type { Db } from "../src/db/connect.ts";
import type { Seal } from "../src/seal.ts";
import { newDatabase } from "./service.ts";

let db: Db;
let seal: Seal;
beforeAll(async () => {
  ({ db, seal } = await newDatabase());
});
afterAll(() => db.close());

function act(changes: Partial<Act> = {}): Act {
  return {
    ...{ who: "operator:ada@example.com", action: "payout.approve" },
    object: { kind: "payout", id: "1" },
    subaccountId: undefined,
    ...{ ip: "127.0.0.1", requestId: "r" },
    ...changes,
  };
}

test("entries of many writers are numbered in one order, without a gap", async () => {
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const failing = db.transaction(async (tx) => {
        await recordAct({ tx, seal }, act());
        if (index % 4 === 0) throw new Error("rolled back");
      });
      await failing.catch(() => {});
    }),
  );
  const { rows } = await db.pool.query("select * from audit_entry order by number");
  expect(rows.map(({ number }) => Number(number))).toEqual(
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
});
