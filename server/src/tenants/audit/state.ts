// The end of the audit chain, and the result of its last verification.

import type { Db, Runner } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { ChainLink } from "./entry.ts";
import { findEnd, findVerification, upsertVerification, type Verification } from "./queries.ts";
import { type VerifiedAudit, type VerifyOptions, verifyAudit } from "./verify.ts";

type Parts = { db: Db; seal: Seal };

/** Verifies the chain, and records the result for the console. */
export async function verifyAndRecord(
  { db, seal }: Parts,
  options: VerifyOptions = {},
): Promise<VerifiedAudit & { earlier: Verification | undefined }> {
  const earlier = await findOwnVerification({ db, seal });
  const anchors = [...(options.anchors ?? []), ...anchorsOf(earlier)];
  const verified = await verifyAudit({ db, seal }, { ...options, anchors });
  const { entries, head, fault } = verified;
  const right = fault ? { number: entries, hash: "" } : head;
  // A fault must not replace the anchor that has revealed it.
  const kept = fault && earlier?.hash ? earlier : right;
  const { number, hash } = kept;
  const said = { atMs: Date.now(), number, hash, fault: fault ? faultText(fault) : "" };
  await upsertVerification(db, { ...said, mark: markOf(seal, said) });
  return { ...verified, earlier };
}

function anchorsOf(earlier: Verification | undefined): ChainLink[] {
  return earlier?.hash ? [{ number: earlier.number, hash: earlier.hash }] : [];
}

export function faultText({ number, what }: NonNullable<VerifiedAudit["fault"]>): string {
  return `Entry ${number}: ${what}`;
}

type AuditState = {
  head: ChainLink & { atMs: number };
  verified: Omit<Verification, "mark"> | undefined;
};

export async function stateOfAudit({ db, seal }: { db: Runner; seal: Seal }): Promise<AuditState> {
  // The end is read last: entries come meanwhile, and a result never goes beyond it.
  const verified = await findOwnVerification({ db, seal });
  const { head } = await findEnd(db);
  return { head, verified };
}

/** A result that we did not sign is ignored. The version before signs none of the hash, which then says nothing. */
async function findOwnVerification({
  db,
  seal,
}: {
  db: Runner;
  seal: Seal;
}): Promise<Verification | undefined> {
  const found = await findVerification(db);
  if (!found) return undefined;
  return [found, { ...found, hash: "" }].find((one) => one.mark === markOf(seal, one));
}

function markOf(seal: Seal, { atMs, number, hash, fault }: Omit<Verification, "mark">): string {
  return seal.sign("verified", JSON.stringify([atMs, number, fault, ...(hash ? [hash] : [])]));
}
