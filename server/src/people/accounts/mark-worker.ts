// Gives bank details that a version before wrote the keyed hash of one form of their account number.

import { type Clock, systemClock } from "../../platform/base/index.ts";
import { type Db, type Poller, startPoller } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { openNumberIfReadable } from "../person/index.ts";
import { accountMark, markVersion } from "./mark.ts";
import { type DetailsToMark, listDetailsToMark, updateMark } from "./mark-queries.ts";

const everyMs = 600_000;
const page = 200;

type MarkWorkerParts = {
  db: Db;
  seal: Seal;
  log: { warn(context: object, message: string): void };
  clock?: Clock;
};

export function startMarkWorker({ db, seal, log, clock = systemClock }: MarkWorkerParts): Poller {
  return startPoller({
    everyMs,
    onError: (error) => log.warn({ err: error }, "account numbers: will try again"),
    poll: () => markAgain({ db, seal }, clock()),
  });
}

/** Those that can't be decrypted stay as they are. */
export async function markAgain(
  { db, seal }: { db: Db; seal: Seal },
  nowMs: number,
): Promise<void> {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  let after: DetailsToMark | undefined;
  do {
    const found = await listDetailsToMark(db, { after, today, limit: page });
    for (const details of found) {
      const accountNumber = openNumberIfReadable(seal, details);
      if (accountNumber === undefined) continue;
      const { subaccount_id: subaccountId, country } = details;
      const mark = accountMark(seal, { subaccountId, country, accountNumber });
      await updateMark(db, details, { mark, markVersion });
    }
    after = found.length < page ? undefined : found.at(-1);
  } while (after);
}
