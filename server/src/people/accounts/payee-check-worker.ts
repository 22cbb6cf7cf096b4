// The worker of payee name checks: asks whether banks know the payees of new and changed accounts by their names. A
// check has a due time; claiming it moves that time ahead, which is the lease. So a process that dies loses nothing.

import { backoffMs, type Clock, type Mode, systemClock } from "../../platform/base/index.ts";
import { combinePollers, type Db, type Poller, startPoller } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { PayeeNameChecker, PayeeNameCheckers } from "../payee-checks/index.ts";
import { openNumber, payeeOf } from "../person/index.ts";
import {
  type ClaimedPayeeCheck,
  claimPayeeChecks,
  payeeCheckTurns,
  retryPayeeCheck,
  updatePayeeNameOutcome,
} from "./payee-check-queries.ts";

type PayeeCheckWorkerParts = {
  db: Db;
  seal: Seal;
  checkers: PayeeNameCheckers;
  log: { warn(context: object, message: string): void };
  clock?: Clock;
};

/** Closing it resolves when the running checks have ended. */
export function startPayeeCheckWorker(parts: PayeeCheckWorkerParts): Poller {
  const { checkers } = parts;
  const modes = (Object.keys(checkers) as Mode[]).filter((mode) => checkers[mode]);
  return combinePollers(
    modes.map((mode) => startMode(parts, mode, checkers[mode] as PayeeNameChecker)),
  );
}

function startMode(
  { db, seal, log, clock = systemClock }: PayeeCheckWorkerParts,
  mode: Mode,
  checker: PayeeNameChecker,
): Poller {
  const nextTurn = payeeCheckTurns(db, mode);
  const closing = new AbortController();

  async function poll(): Promise<void> {
    const nowMs = clock();
    const limit = limits.payeeChecksMax;
    const turn = await nextTurn(nowMs, limit);
    if (turn.isMore) poller.wake();
    if (turn.subaccountIds.length === 0) return;
    const leaseUntilMs = nowMs + limits.payeeCheckLeaseMs;
    const claimed = await claimPayeeChecks(db, { mode, nowMs, leaseUntilMs, limit, turn });
    await Promise.all(claimed.map(take));
    if (claimed.length === limit) poller.wake();
  }

  async function take(check: ClaimedPayeeCheck): Promise<void> {
    try {
      const signal = AbortSignal.any([
        AbortSignal.timeout(limits.payeeCheckCallMs),
        closing.signal,
      ]);
      const outcome = await checker.check(toPayee(check), signal);
      await updatePayeeNameOutcome(db, check, outcome, clock());
    } catch (error) {
      const { subaccount_id, account_id, attempts } = check;
      const context = { checker: checker.name, subaccount_id, account_id, attempts };
      log.warn({ err: error, ...context }, "payee name check: will try again");
      // If this fails as well, the check becomes due again when its lease ends.
      const waitMs = backoffMs(limits.payeeCheckRetryMs, limits.payeeCheckRetryMaxMs, attempts);
      await retryPayeeCheck(db, check, clock() + waitMs).catch(() => {});
    }
  }

  function toPayee(check: ClaimedPayeeCheck) {
    return {
      name: payeeOf(check),
      isBusiness: check.individual_or_business === "B",
      country: check.country,
      bsb: check.bsb,
      bankCode: check.bank_code,
      accountNumber: openNumber(seal, check),
    };
  }

  const poller = startPoller({
    poll,
    everyMs: limits.payeeCheckPollMs,
    onError: (error) => log.warn({ err: error, checker: checker.name }, "payee name checks"),
  });
  return {
    wake: poller.wake,
    async close() {
      closing.abort();
      await poller.close();
    },
  };
}
