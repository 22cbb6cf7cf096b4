// Writes down what a person did, in the transaction that does it.

import { changedKinds, type Tx } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import { type AuditEntry, hashOf, headMarkOf, plainJson, plainText } from "./entry.ts";
import { appendEntry, lockHead } from "./queries.ts";

export type Act = {
  /** As histories name the person. */
  who: string;
  /** What was done, such as `payout.approve`. */
  action: string;
  /** What it was done to. */
  object: { kind: string; id: string };
  /** Undefined where it concerns no single subaccount. */
  subaccountId: string | undefined;
  /** What changed, without secrets and without whole account numbers. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  ip: string;
  requestId: string;
};

export type Recording = { tx: Tx; seal: Seal };

/**
 * One entry, chained to the one before it. It is written as the last thing before the commit, wherever in the
 * transaction this is called: all entries wait for one row, so it is held shortly, and nothing is locked after it.
 */
export async function recordAct({ tx, seal }: Recording, act: Act): Promise<void> {
  tx.beforeCommit(async () => {
    const head = await lockHead(tx);
    const entry = entryOf(act, { number: head.number + 1, atMs: head.nowMs });
    const hash = hashOf(seal, entry, head.hash);
    const headMark = headMarkOf(seal, { number: entry.number, hash });
    await appendEntry(tx, { ...entry, previousHash: head.hash, hash, headMark });
  });
  const { subaccountId } = act;
  // Whatever it was: a page that shows the subaccount may show it.
  if (subaccountId) {
    tx.afterCommit(({ changed }) => {
      for (const kind of changedKinds) changed(subaccountId, kind);
    });
  }
}

function entryOf(act: Act, place: Pick<AuditEntry, "number" | "atMs">): AuditEntry {
  return {
    ...place,
    who: plainText(act.who),
    action: act.action,
    objectKind: act.object.kind,
    objectId: plainText(act.object.id),
    subaccountId: act.subaccountId ?? null,
    before: plainJson(act.before ?? {}),
    after: plainJson(act.after ?? {}),
    ip: act.ip,
    requestId: plainText(act.requestId),
  };
}
