// The end of the audit chain, and the result of its last verification.

import type { Db, Runner } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import type { ChainLink } from "./entry.ts";
import { findEnd, findVerification, upsertVerification, type Verification } from "./queries.ts";
import { type VerifiedAudit, type VerifyOptions, verifyAudit } from "./verify.ts";

type Parts = { db: Db; seal: Seal };

/** Verifies the chain, and records the result for the console. */
export async function verifyAndRecord(
  { db, seal }: Parts,
  options: VerifyOptions = {},
): Promise<VerifiedAudit> {
  const verified = await verifyAudit({ db, seal }, options);
  const { entries, fault } = verified;
  const said = { atMs: Date.now(), number: entries, fault: fault ? faultText(fault) : "" };
  await upsertVerification(db, { ...said, mark: markOf(seal, said) });
  return verified;
}

export function faultText({ number, what }: NonNullable<VerifiedAudit["fault"]>): string {
  return `Entry ${number}: ${what}`;
}

type AuditState = {
  head: ChainLink & { atMs: number };
  verified: Omit<Verification, "mark"> | undefined;
};

export async function stateOfAudit({ db, seal }: { db: Runner; seal: Seal }): Promise<AuditState> {
  const { head } = await findEnd(db);
  const found = await findVerification(db);
  // A result that we did not sign is ignored.
  const isOurs = found && found.mark === markOf(seal, found);
  return { head, verified: isOurs ? found : undefined };
}

function markOf(seal: Seal, { atMs, number, fault }: Omit<Verification, "mark">): string {
  return seal.sign("verified", JSON.stringify([atMs, number, fault]));
}
