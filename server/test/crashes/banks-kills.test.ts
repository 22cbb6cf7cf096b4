// kill -9 of senders, clerks and PostgreSQL between the steps of bank files. A slice of
// `npm run prove -- --only banks-kills`.

import { expect, test } from "vitest";
import { killBanks } from "../scenarios/banks-kills-run.ts";
import { masterKey } from "../support/service.ts";

test("after kills every payout is in one bank file, every file is approved, and the books balance", async () => {
  const { complaints, ...seen } = await killBanks({ masterKey, kills: 2, seed: 7 });
  console.info(JSON.stringify(seen));
  expect(complaints).toEqual([]);
  expect(seen.files).toBeGreaterThan(0);
}, 300_000);
