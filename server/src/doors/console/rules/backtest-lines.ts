// A backtest for the Rules screen, as lines: its progress, then its result. One at a time in each process.

import { findActiveRuleSet, type Rule, runBacktest } from "../../../money/rules/index.ts";
import type { Clock } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { ConsoleAccess } from "../route.ts";
import type { BacktestLine } from "./schema.ts";

export type BacktestParts = { db: Db; clock: Clock; isDraining: () => boolean };

/** The databases on which this process runs a backtest. */
const running = new WeakSet<Db>();

/** Refuses a second one. A user who loses the permission gets no result. */
export async function backtestLines(
  { db, clock, isDraining }: BacktestParts,
  { stillMay }: Pick<ConsoleAccess, "stillMay">,
  proposed: readonly Rule[],
): Promise<AsyncGenerator<BacktestLine>> {
  if (running.has(db)) throw new Refusal("RULE304");
  const active = (await findActiveRuleSet(db))?.rules ?? [];
  return lines();

  async function* lines(): AsyncGenerator<BacktestLine> {
    if (running.has(db)) {
      // Another one started between the request and the first line.
      yield { kind: "stopped" };
      return;
    }
    running.add(db);
    try {
      for await (const step of runBacktest(db, { active, proposed, nowMs: clock() })) {
        if (isDraining() || !(await stillMay())) {
          yield { kind: "stopped" };
          return;
        }
        yield step;
      }
    } finally {
      running.delete(db);
    }
  }
}
