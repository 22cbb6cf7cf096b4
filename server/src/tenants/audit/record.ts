// Records an action of an actor, in the transaction that does it.

import { changedKinds, type Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { Actor } from "./actor.ts";
import { type AuditEntry, hashOf, headMarkOf, plainJson, plainText } from "./entry.ts";
import { appendEntry, lockHead } from "./queries.ts";

export type AuditNote = {
  /** The action, such as `payout.approve`. */
  action: string;
  /** The object of the action. */
  object: { kind: string; id: string };
  /** If it differs from the actor's. */
  subaccountId?: string | undefined;
  /** The change, without secrets and without full account numbers. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

type Recording = { tx: Tx; seal: Seal };

/**
 * One entry, chained to the entry before. It is written last before the commit, no matter when in the transaction this
 * is called: all entries wait for one row, so it is locked only briefly, and nothing is locked after it.
 */
export async function recordAct(
  { tx, seal }: Recording,
  actor: Actor,
  note: AuditNote,
): Promise<void> {
  const subaccountId = note.subaccountId ?? actor.subaccountId;
  tx.beforeCommit(async () => {
    const head = await lockHead(tx);
    const entry = entryOf({ ...note, subaccountId }, actor, {
      number: head.number + 1,
      atMs: head.nowMs,
    });
    const hash = hashOf(seal, entry, head.hash);
    const headMark = headMarkOf(seal, { number: entry.number, hash });
    await appendEntry(tx, { ...entry, previousHash: head.hash, hash, headMark });
  });
  // Any page that shows the subaccount may show this change.
  if (subaccountId) {
    tx.afterCommit(({ changed }) => {
      for (const kind of changedKinds) changed(subaccountId, kind);
    });
  }
}

function entryOf(
  { action, object, subaccountId, before = {}, after = {} }: AuditNote,
  { who, ip, requestId, token }: Actor,
  place: Pick<AuditEntry, "number" | "atMs">,
): AuditEntry {
  return {
    ...place,
    who: plainText(who),
    action,
    objectKind: object.kind,
    objectId: plainText(object.id),
    subaccountId: subaccountId ?? null,
    before: plainJson(before),
    after: plainJson(after),
    ip,
    requestId: plainText(requestId),
    token: token ?? null,
  };
}
