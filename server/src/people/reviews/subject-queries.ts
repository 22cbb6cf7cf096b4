// The SQL that reads receivers and accounts for screening in the background.

import { oldestId } from "../../platform/base/index.ts";
import { type Runner, statement, worksHere } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { ifReadable, openPersonWith, personKeyOf, type Unopened } from "../person/index.ts";
import {
  accountSubject,
  type RecordKey,
  receiverSubject,
  type ScreenedAccount,
  type ScreenedReceiver,
  type Subject,
  type Walk,
} from "../screening/index.ts";

const receiversById = statement<Unopened<ScreenedReceiver>>(
  "screening-receivers",
  `select r.subaccount_id, r.id, r.first_name, r.middle_name, r.last_name, r.dob, r.country, r.person_key, r.person_sealed
   from unnest($2::uuid[]) as key(id)
   cross join lateral (select * from receiver r where r.subaccount_id = $1 and r.id = key.id limit 1) r`,
);

const accountsById = statement<ScreenedAccount>(
  "screening-accounts",
  `select a.subaccount_id, a.id, a.receiver_id, b.business_name, a.aka, a.country
   from unnest($2::uuid[]) as key(id)
   cross join lateral (
     select * from receiver_account a where a.subaccount_id = $1 and a.id = key.id limit 1
   ) a
   cross join lateral (
     select b.business_name from bank_details b
     where b.subaccount_id = $1 and b.account_id = a.id and b.version = a.version limit 1
   ) b`,
);

/** The subjects of records of one subaccount, as they are now. */
export async function readSubjects(
  { db, seal }: { db: Runner; seal: Seal },
  subaccountId: string,
  records: readonly RecordKey[],
): Promise<Subject[]> {
  const idsOf = (kind: string) =>
    records.filter(({ subject_kind }) => subject_kind === kind).map(({ subject_id }) => subject_id);
  const receiverIds = idsOf("receiver");
  const accountIds = idsOf("account");
  const receivers =
    receiverIds.length > 0 ? await db.run(receiversById, [subaccountId, receiverIds]) : [];
  const accounts =
    accountIds.length > 0 ? await db.run(accountsById, [subaccountId, accountIds]) : [];
  return [...receivers.map((row) => subjectOf(seal, row)), ...accounts.map(accountSubject)];
}

/** Nearly always the name is not on a list. So the rest is decrypted only when it is asked for. */
function subjectOf(seal: Seal, row: Unopened<ScreenedReceiver>): Subject {
  const { subaccount_id } = row;
  let opened: Subject | undefined;
  const withoutPerson = receiverSubject({ ...row, dob: "" });
  const read = () => {
    const key = personKeyOf(seal, subaccount_id, row);
    return receiverSubject(openPersonWith(key, subaccount_id, row), key);
  };
  const open = () => {
    // One that can't be decrypted is screened by its name, and does not keep the others from it.
    opened ??= ifReadable(read) ?? withoutPerson;
    return opened;
  };
  return {
    ...withoutPerson,
    get dob() {
      return open().dob;
    },
    get personKey() {
      return open().personKey;
    },
  };
}

const walksDue = statement<{
  subaccount_id: string;
  is_receiver_due: boolean;
  is_account_due: boolean;
}>(
  "screening-walks-due",
  // One index lookup for each subaccount.
  `select s.id as subaccount_id,
          (select true from receiver r where r.subaccount_id = s.id and r.id < $1
             and r.id > coalesce(receivers.after_id, '${oldestId}') limit 1) is not null as is_receiver_due,
          (select true from receiver_account a where a.subaccount_id = s.id and a.id < $1
             and a.id > coalesce(accounts.after_id, '${oldestId}') limit 1) is not null as is_account_due
   from subaccount s
   left join screening_walk receivers on receivers.subaccount_id = s.id and receivers.subject_kind = 'receiver'
   left join screening_walk accounts on accounts.subaccount_id = s.id and accounts.subject_kind = 'account'
   where ${worksHere("s.id")}`,
);

/** The walks that have a receiver or an account before `untilId`. */
export async function listWalksDue(db: Runner, untilId: string): Promise<Walk[]> {
  const rows = await db.run(walksDue, [untilId]);
  return rows.flatMap(({ subaccount_id: subaccountId, is_receiver_due, is_account_due }) => {
    const walks: Walk[] = [];
    if (is_receiver_due) walks.push({ subaccountId, kind: "receiver" });
    if (is_account_due) walks.push({ subaccountId, kind: "account" });
    return walks;
  });
}

const nextIds = {
  receiver: statement<{ id: string }>(
    "screening-walk-receivers",
    `select id from receiver where subaccount_id = $1 and id > $2 and id < $3 order by id limit $4`,
  ),
  account: statement<{ id: string }>(
    "screening-walk-accounts",
    `select id from receiver_account where subaccount_id = $1 and id > $2 and id < $3 order by id limit $4`,
  ),
};

export async function listIdsOfWalk(
  db: Runner,
  { subaccountId, kind }: Walk,
  { afterId, untilId, limit }: { afterId: string; untilId: string; limit: number },
): Promise<string[]> {
  const rows = await db.run(nextIds[kind], [subaccountId, afterId, untilId, limit]);
  return rows.map(({ id }) => id);
}

export type UnheldHit = { subaccount_id: string; receiver_id: string; id: string };

const unheld = statement<UnheldHit>(
  "screening-hits-unheld",
  `select distinct on (h.subaccount_id, h.receiver_id) h.subaccount_id, h.receiver_id, h.id
   from screening_hit h
   where h.status = 'open' and h.opened_at_ms > $1 and ${worksHere("h.subaccount_id")} and exists (
     select from receiver_account a
     join payout p on p.subaccount_id = a.subaccount_id and p.account_id = a.id and p.status = 'pending'
       and p.stage in ('queued', 'awaiting_approval')
     where a.subaccount_id = h.subaccount_id and a.receiver_id = h.receiver_id)
   order by h.subaccount_id, h.receiver_id, h.id`,
);

/** Hits since then whose receivers have payouts that could be sent. One hit of each receiver. */
export function listUnheldHits(db: Runner, sinceMs: number): Promise<UnheldHit[]> {
  return db.run(unheld, [sinceMs]);
}

const unrecorded = statement<{ count: string }>(
  "screening-subjects-unrecorded",
  `select (select count(*) from receiver r
           where ($1::uuid is null or r.subaccount_id = $1) and not exists (
             select from screening_record known
             where known.subaccount_id = r.subaccount_id and known.subject_kind = 'receiver'
               and known.subject_id = r.id))
        + (select count(*) from receiver_account a
           where ($1::uuid is null or a.subaccount_id = $1) and not exists (
             select from screening_record known
             where known.subaccount_id = a.subaccount_id and known.subject_kind = 'account'
               and known.subject_id = a.id)) as count`,
);

/** Receivers and accounts that have no record yet. It reads them all. */
export async function countUnrecorded(db: Runner, subaccountId?: string): Promise<number> {
  return Number((await db.run(unrecorded, [subaccountId ?? null]))[0]?.count ?? 0);
}
