// Databases from before 0.1.0. Their migrations were folded into the first one. A database at the last of them is taken over as
// one at the first; an older one is refused, because nothing here brings it further.

import { createHash } from "node:crypto";
import type pg from "pg";
import { version } from "../base/index.ts";
import { MigrationError } from "./migration-error.ts";

export type Applied = { name: string; checksum: string };

/** The last commit before the folding that is published. Its migrations end with 0078. */
const lastCommit = "e28e0b65b552b6003a28702e3a3fa6891da1dd73";

/** The names and checksums of all migrations up to 0078, and up to 0082, the last one before the folding. */
const ends = {
  published: "ea28fd7c9b03c7b255243eb6e8614bbd7c804d2af7a06e2f24e26f19c0ab25df",
  last: "0aad47b540849162fb38029cc9989a6335a0839a51592db095a0af043767838c",
};

const keysApplied = "select applied_at from migration where name = '0027_plain_names.sql'";

/** From 0079 to 0082, in one transaction. */
const afterPublished = `
  create index user_vouch_unconfirmed on user_vouch (voucher) where confirmed_at_ms is null;
  alter table bank_request drop constraint bank_request_kind_check;
  alter table bank_request add constraint bank_request_kind_check
    check (kind in ('file', 'suspense', 'statement_line', 'csv_mapping', 'opening')) not valid;
  alter table bank_batch add column discard_asked_at_ms bigint;
  update bank_batch set discard_asked_at_ms = (extract(epoch from now()) * 1000)::bigint
  where discard_by <> '' and status in ('frozen', 'approved', 'sending');
  alter table installation add column finance_asked_at_ms bigint;
  update installation set finance_asked_at_ms = (extract(epoch from now()) * 1000)::bigint
  where finance_asked_by is not null;
  alter table bank_details add column mark_version smallint;
  create index bank_details_marks_due on bank_details (subaccount_id, account_id, version)
    where country = 'NZL' and substr(account_number_tail, 2, 1) = '0' and mark_version is null
      and account_number_mark is not null;`;

/** What this version no longer reads, and what brings it in line. */
const unfinished: { what: string; cure: string; count: string }[] = [
  {
    what: "receivers, accounts, account numbers and proposals that are not under a key of their receiver",
    cure: "disburse master-key person-keys of that commit",
    count: `select (select count(*) from installation where person_keys is distinct from 'current')
      + (select count(*) from receiver where person_key is null and erased_at_ms is null)
      + (select count(*) from receiver_account a join receiver r
           on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id
         where a.contact_sealed is null and r.person_key is not null)
      + (select count(*) from bank_details d
         join receiver_account a on a.subaccount_id = d.subaccount_id and a.id = d.account_id
         join receiver r on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id
         where r.person_key is not null and substr(d.account_number_sealed, 1, 1) in ('\\x01', '\\x02'))
      + (select count(*) from bank_details_change c
         join receiver r on r.subaccount_id = c.subaccount_id and r.id = c.receiver_id
         where r.person_key is not null and substr(c.proposal_sealed, 1, 1) in ('\\x01', '\\x02'))`,
  },
  {
    what: "account numbers in New Zealand whose keyed hash is not of one form",
    cure: "disburse serve of a commit with migration 0082, for a day",
    count: `select count(*) from bank_details
      where country = 'NZL' and substr(account_number_tail, 2, 1) = '0' and mark_version is null
        and account_number_mark is not null`,
  },
  {
    what: "webhook secrets from before migration 0027",
    cure: "a new secret for each of these webhook endpoints, and the end of the overlap",
    count: `select count(*) from webhook_endpoint_secret
      where created_at_ms < (select extract(epoch from applied_at) * 1000 from (${keysApplied}) m)
        and substr(sealed, 1, 1) = '\\x01'
        and (expires_at_ms is null or expires_at_ms > extract(epoch from now()) * 1000)`,
  },
];

/** Whether the migrations are those from before the folding. */
export function isEarlier(applied: readonly Applied[]): boolean {
  return applied.some(({ name }) => name === "0001_foundation.sql");
}

/** Other connections of Disburse, without those that migrate. */
export async function countOthers(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'disburse' and pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}

/** Nothing happens to any other database. */
export async function adopt(
  client: pg.PoolClient,
  applied: readonly Applied[],
  first: Applied | undefined,
): Promise<void> {
  if (!first || !isEarlier(applied)) return;
  const end = digestOf(applied);
  if (end !== ends.last && end !== ends.published) throw tooOld(applied);
  const others = await countOthers(client);
  if (others > 0) {
    throw new MigrationError(
      `The database is from before 0.1.0, whose processes can't run beside this version, and ${others} connections of Disburse are open.\n` +
        "Stop every process of the version before, then migrate and start.",
    );
  }
  try {
    await client.query("begin");
    await client.query("set local lock_timeout = 5000; set local statement_timeout = 0");
    if (end === ends.published) await client.query(afterPublished);
    await requireFinished(client);
    await client.query("delete from migration");
    const row = [first.name, first.checksum, version];
    await client.query("insert into migration (name, checksum, version) values ($1, $2, $3)", row);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

function digestOf(applied: readonly Applied[]): string {
  const lines = applied.map(({ name, checksum }) => `${name} ${checksum}`).sort();
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

function tooOld(applied: readonly Applied[]): MigrationError {
  const at = applied
    .map(({ name }) => name)
    .sort()
    .at(-1);
  return new MigrationError(
    `The database is at migration ${at} from before 0.1.0, and this program brings only the last state before 0.1.0 further.\n` +
      `Check out the commit ${lastCommit} (the last commit before the folding that is published), run disburse migrate\n` +
      "and disburse master-key person-keys there, stop it, and run disburse migrate of this version again.",
  );
}

async function requireFinished(client: pg.PoolClient): Promise<void> {
  const left: string[] = [];
  for (const { what, cure, count } of unfinished) {
    const { rows } = await client.query<{ count: string }>(`select (${count})::text as count`);
    if (rows[0]?.count !== "0") left.push(`- ${rows[0]?.count} ${what}. Needed: ${cure}.`);
  }
  if (left.length === 0) return;
  throw new MigrationError(
    `The database is from before 0.1.0 and has rows that this version does not read:\n${left.join("\n")}\n` +
      `That commit is ${lastCommit}, the last commit before the folding that is published. Then run disburse migrate again.`,
  );
}
