// The SQL of the switch: what becomes of a subaccount's rows when the target takes over.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

const isDrained = statement<{ lanes: number; sending: number }>(
  "move-in-flight",
  `select (select count(*)::int from webhook_endpoint e
           where e.subaccount_id = $1 and e.owner is not null and e.lease_until_ms > now.ms)
          + (select count(*)::int from further_endpoint e
             where e.subaccount_id = $1 and e.owner is not null and e.lease_until_ms > now.ms) as lanes,
          (select count(*)::int from payout p
           where p.subaccount_id = $1 and p.status = 'pending' and p.stage = 'submitted'
             and p.provider_reference = '' and p.due_at_ms > now.ms and p.rail not like 'bank:%') as sending
   from (select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms) now`,
);

/** A worker delivers its events, or a payout is being sent to the bank. */
export async function hasWorkInFlight(db: Runner, subaccountId: string): Promise<boolean> {
  const [row] = await db.run(isDrained, [subaccountId]);
  return row !== undefined && (row.lanes > 0 || row.sending > 0);
}

const releaseLane = statement<never>(
  "move-release-lane",
  `with further as (
     update further_endpoint set owner = null, lease_until_ms = 0 where subaccount_id = $1
   )
   update webhook_endpoint set owner = null, lease_until_ms = 0 where subaccount_id = $1`,
);

/** Workers have numbers per cell. */
export async function releaseLaneOfSubaccount(tx: Tx, subaccountId: string): Promise<void> {
  await tx.run(releaseLane, [subaccountId]);
}

const changeRails = statement<never>(
  "move-payout-rails",
  `update payout p set rail = input.new_rail
   from unnest($2::text[], $3::text[]) as input(old_rail, new_rail)
   where p.subaccount_id = $1 and p.status = 'pending' and p.rail = input.old_rail`,
);

/** Payouts that wait for a bank connection of the source wait for the one of the target with the same name. */
export async function updateRailsOfPayouts(
  tx: Tx,
  subaccountId: string,
  rails: ReadonlyMap<string, string>,
): Promise<void> {
  if (rails.size === 0) return;
  await tx.run(changeRails, [subaccountId, [...rails.keys()], [...rails.values()]]);
}

const membersOf = statement<{ email: string }>(
  "move-members",
  `select u.email from console_user u
   where u.subaccount_id = $1
      or exists (select from user_subaccount s where s.subaccount_id = $1 and s.user_id = u.id)`,
);

export async function listMemberEmails(db: Runner, subaccountId: string): Promise<string[]> {
  return (await db.run(membersOf, [subaccountId])).map(({ email }) => email);
}

const insertMembers = statement<{ user_id: string }>(
  "move-members-insert",
  // Only developers have subaccounts; the other roles see all.
  `insert into user_subaccount (subaccount_id, user_id)
   select $1, u.id from console_user u where u.email = any($2::text[]) and u.subaccount_id is not null
   on conflict do nothing returning user_id`,
);

/** Returns how many users of the target have the subaccount now. */
export async function insertMembersByEmail(
  tx: Tx,
  subaccountId: string,
  emails: readonly string[],
): Promise<number> {
  return (await tx.run(insertMembers, [subaccountId, emails])).length;
}

const liveKeys = statement<{ key: string }>(
  "move-keys",
  "select key from api_key where subaccount_id = $1 and revoked_at is null order by key",
);

export async function listKeysOfSubaccount(db: Runner, subaccountId: string): Promise<string[]> {
  return (await db.run(liveKeys, [subaccountId])).map(({ key }) => key);
}

const auditPage = statement<{ number: string; line: string }>(
  "move-audit-entries",
  `select number, row_to_json(e)::text as line from audit_entry e
   where subaccount_id = $1 and number > $2 order by number limit $3`,
);

export function listAuditLines(
  db: Runner,
  subaccountId: string,
  { after, limit }: { after: string; limit: number },
): Promise<{ number: string; line: string }[]> {
  return db.run(auditPage, [subaccountId, after, limit]);
}
