// The SQL that removes the content of audit entries.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { type AuditEntryRow, type ChainedEntry, entryColumns, toAuditEntry } from "./queries.ts";

type Redacted = ChainedEntry & { redactionMark: string };

const redactMany = statement<never>("audit-head-redact", "select redact_audit_entries($1)");

export async function updateRedacted(
  tx: Tx,
  entries: readonly Redacted[],
  { withActor }: { withActor: boolean },
): Promise<void> {
  const rows = entries.map(({ number, redactionMark }) => ({
    number,
    mark: redactionMark,
    with_actor: withActor,
  }));
  await tx.run(redactMany, [JSON.stringify(rows)]);
}

const aboutObjects = statement<AuditEntryRow>(
  "audit-head-about",
  // An entry about another object of the subaccount may name the person too, such as the reason of a decision.
  `select ${entryColumns} from audit_entry
   where object_id = any($2::text[])
     and (subaccount_id = $1 or subaccount_id is null) and (before <> '{}' or after <> '{}')
   union
   select ${entryColumns} from audit_entry
   where subaccount_id = $1 and (before <> '{}' or after <> '{}')
     and exists (select from unnest($3::text[]) word where strpos(lower(before::text || after::text), word) > 0)`,
);

type About = {
  subaccountId: string;
  objectIds: readonly string[];
  /** In lower case. */
  words: readonly string[];
};

/** Entries with content that are about these objects, or name one of the words. */
export async function listEntriesAbout(
  db: Runner,
  { subaccountId, objectIds, words }: About,
): Promise<ChainedEntry[]> {
  const rows = await db.run(aboutObjects, [subaccountId, objectIds, words]);
  return rows.map(toAuditEntry);
}

const olderThan = statement<AuditEntryRow>(
  "audit-head-older",
  // Numbers and times grow together, so the last old entry is found by its time.
  `select ${entryColumns} from audit_entry
   where number > $1 and number <= (
     select number from audit_entry where at_ms < $2 order by at_ms desc, number desc limit 1)
   order by number limit $3`,
);

/** The oldest first. */
export async function listEntriesBefore(
  db: Runner,
  { after, beforeMs, limit }: { after: number; beforeMs: number; limit: number },
): Promise<ChainedEntry[]> {
  return (await db.run(olderThan, [after, beforeMs, limit])).map(toAuditEntry);
}
