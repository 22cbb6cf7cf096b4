// One user alone, in every role: a small part of `npm run prove -- --only four-eyes`.

import { afterAll, beforeAll, expect, test } from "vitest";
import { tryAlone } from "../../scenarios/four-eyes-run.ts";
import { newDatabase } from "../../support/service.ts";

let parts: Awaited<ReturnType<typeof newDatabase>>;
beforeAll(async () => {
  parts = await newDatabase();
});
afterAll(() => parts.db.close());

test("no sequence of actions by one user releases a payout above the threshold", async () => {
  const seen = await tryAlone(parts, { sequences: 36, seed: 20_261_115 });
  expect(seen.complaints).toEqual([]);
  // Checks that the run did enough: keys are created, users invited and limits loosened, and some payouts are sent.
  for (const act of [
    ...["make a key", "invite a person", "pay at the console", "loosen limits"],
    ...["make a token", "sign in a command line"],
  ]) {
    expect(seen.done[act], act).toBeGreaterThan(0);
  }
  expect(seen.left.payouts).toBeGreaterThan(0);
  const { rows } = await parts.db.pool.query("select distinct decision from payout_hold");
  expect(rows, "some payouts stay on hold").toContainEqual({ decision: null });
});
