// Recomputes the audit chain, entry by entry, and reports the first entry that is wrong.

import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type ChainLink, hashOf, headMarkOf, redactionMarkOf } from "./entry.ts";
import { type ChainedEntry, findEnd, hasActs, listChain } from "./queries.ts";

type Fault = {
  /** The number of the first entry that is wrong or missing. */
  number: number;
  /** The reason, in words, for the user who investigates it. */
  what: string;
};

export type VerifiedAudit = {
  /** The number of entries that are right. */
  entries: number;
  head: ChainLink;
  fault: Fault | undefined;
};

export type VerifyOptions = {
  /** Ends of the chain that were stored elsewhere. Each must be part of it. */
  anchors?: readonly ChainLink[] | undefined;
  onProgress?: (checked: number, of: number) => void;
};

/** Verifies up to the end of the chain at the start of the call: users add entries meanwhile. */
export async function verifyAudit(
  { db, seal }: { db: Db; seal: Seal },
  { anchors = [], onProgress = () => {} }: VerifyOptions = {},
): Promise<VerifiedAudit> {
  const { head, last } = await findEnd(db);
  const hashes = Map.groupBy(anchors, ({ number }) => number);
  const ended = (entries: number, what?: string): VerifiedAudit => ({
    entries,
    head,
    fault: what === undefined ? undefined : { number: entries + 1, what },
  });
  let before: ChainLink = { number: 0, hash: "" };
  while (before.number < last) {
    const page = await listChain(db, { after: before.number, upTo: last, limit: limits.auditPage });
    // Entries are being deleted while we read.
    if (page.length === 0) break;
    for (const entry of page) {
      const what = faultOf(seal, entry, before);
      if (what !== undefined) return ended(before.number, what);
      if (hashes.get(entry.number)?.some(({ hash }) => hash !== entry.hash)) {
        return ended(before.number, "it is another one than was expected");
      }
      before = { number: entry.number, hash: entry.hash };
    }
    onProgress(before.number, last);
  }
  const end = anchors.reduce((latest, { number }) => Math.max(latest, number), head.number);
  if (before.number < end) {
    const missing = end - before.number;
    return ended(before.number, `the end is cut off: ${missing} more were written`);
  }
  if (before.number > head.number) {
    return ended(head.number, "it comes after the end that was noted");
  }
  const isEmpty = head.number === 0 && head.hash === "" && head.mark === "";
  if (isEmpty && (await hasActs(db))) {
    return ended(0, "the log was emptied: users and subaccounts are there, whose entries are not");
  }
  const isOurs = head.hash === before.hash && head.mark === headMarkOf(seal, before);
  return isEmpty || isOurs
    ? ended(before.number)
    : ended(before.number, "the end that was noted is not ours");
}

function faultOf(seal: Seal, entry: ChainedEntry, before: ChainLink): string | undefined {
  if (entry.number !== before.number + 1) return "it is missing";
  if (entry.previousHash !== before.hash) return "it does not follow the entry before it";
  // The content of a redacted entry is gone. Its mark proves what is left, and its hash chains it.
  const isOurs =
    entry.redactionMark === null
      ? hashOf(seal, entry, before.hash) === entry.hash
      : redactionMarkOf(seal, entry, entry) === entry.redactionMark;
  return isOurs ? undefined : "it was changed, or never ours";
}
