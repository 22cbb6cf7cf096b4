// Screens a page of subjects, and holds the payouts of those with a new hit.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Tx } from "../../platform/db/index.ts";
import type {
  HoldPayouts,
  OpenedHit,
  Screened,
  ScreeningIndex,
  Subject,
} from "../screening/index.ts";

/** Subjects that are screened before other work of the process has its turn. */
const subjectsPerTurn = 50;

/** Those with hits. */
export async function screenAll(
  index: ScreeningIndex,
  subjects: readonly Subject[],
  setId: number,
): Promise<Screened[]> {
  const screened: Screened[] = [];
  for (let from = 0; from < subjects.length; from += subjectsPerTurn) {
    await nextTurn();
    const portion = subjects.slice(from, from + subjectsPerTurn);
    for (const [at, hits] of index.screen(portion).entries()) {
      if (hits.length > 0) screened.push({ subject: portion[at] as Subject, setId, hits });
    }
  }
  return screened;
}

/** In the transaction that opened the hits. */
export async function holdReceivers(
  tx: Tx,
  hold: HoldPayouts,
  opened: readonly OpenedHit[],
  atMs: number,
): Promise<void> {
  const firstOf = new Map(opened.toReversed().map((hit) => [hit.receiver_id, hit]));
  for (const { subaccount_id: subaccountId, receiver_id: receiverId, id } of firstOf.values()) {
    await hold(tx, { subaccountId, receiverId }, { id, atMs });
  }
}
