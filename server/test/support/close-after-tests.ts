// What a test file starts before its tests, and closes after them.

import { afterAll, expect } from "vitest";
import { verifyLedger } from "../../src/money/ledger/verify.ts";
import type { Db } from "../../src/platform/db/connect.ts";

/** After the tests of the file, `check` looks at what they left, and it is closed. */
export function closeAfterTests<Running extends { close(): unknown }>(
  starting: Promise<Running>,
  check?: (running: Running) => Promise<void>,
): Promise<Running> {
  afterAll(async () => {
    const running = await starting;
    try {
      await check?.(running);
    } finally {
      await running.close();
    }
  });
  return starting;
}

export async function expectBalancedLedger({ db }: { db: Db }): Promise<void> {
  expect((await verifyLedger(db)).differences).toEqual([]);
}
