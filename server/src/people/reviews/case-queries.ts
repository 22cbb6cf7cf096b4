// The SQL of one case: its claim, its approvals, and possible duplicates.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  birthMark,
  openNumberIfReadable,
  openPerson,
  openPersonIfReadable,
  type PersonFields,
  phoneMark,
  type StoredPerson,
  type Unopened,
} from "../person/index.ts";
import {
  type LockedReceiver,
  nameKey,
  type ReceiverKey,
  receiverColumns,
  type States,
} from "../receivers/index.ts";

type Reading = { db: Runner; seal: Seal };

/** Its person is opened. */
export type CaseRow = LockedReceiver & { kyc_needs_review: boolean; since_ms: string };

const findOne = statement<Unopened<CaseRow>>(
  "review-case",
  `select ${receiverColumns}, r.reference, r.kyc_provider, r.kyc_reported_at_ms, r.kyc_step, r.kyc_needs_review,
          greatest(r.created_at_ms, r.kyc_reported_at_ms) as since_ms
   from receiver r where r.subaccount_id = $1 and r.id = $2`,
);

export async function findCase(
  { db, seal }: Reading,
  { subaccountId, id }: ReceiverKey,
): Promise<CaseRow | undefined> {
  const [row] = await db.run(findOne, [subaccountId, id]);
  return row && openPerson(seal, subaccountId, row);
}

export type ClaimRow = { user_id: string; who: string; until_ms: string };

const findClaimOf = statement<ClaimRow>(
  "review-claim",
  `select user_id, who, until_ms from review_assignment
   where subaccount_id = $1 and receiver_id = $2 and until_ms > $3`,
);

export async function findClaim(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
  nowMs: number,
): Promise<ClaimRow | undefined> {
  return (await db.run(findClaimOf, [subaccountId, id, nowMs]))[0];
}

const insertClaimOf = statement<ClaimRow>(
  "review-claim-insert",
  `insert into review_assignment as known (subaccount_id, receiver_id, user_id, who, until_ms)
   values ($1, $2, $3, $4, $5)
   on conflict (subaccount_id, receiver_id) do update
     set user_id = excluded.user_id, who = excluded.who, until_ms = excluded.until_ms
     where known.user_id = excluded.user_id or known.until_ms <= $6
   returning user_id, who, until_ms`,
);

/** Undefined where another user has claimed it. */
export async function insertClaim(
  tx: Tx,
  { subaccountId, id }: ReceiverKey,
  { userId, who, nowMs }: { userId: string; who: string; nowMs: number },
): Promise<ClaimRow | undefined> {
  const untilMs = nowMs + limits.reviewClaimMs;
  const values = [subaccountId, id, userId, who, untilMs, nowMs];
  return (await tx.run(insertClaimOf, values))[0];
}

const deleteClaimOf = statement<never>(
  "review-claim-delete",
  `delete from review_assignment
   where subaccount_id = $1 and receiver_id = $2 and ($3::text is null or user_id = $3)`,
);

/** The claim of this user; without one, any claim. */
export async function deleteClaim(
  tx: Tx,
  { subaccountId, id }: ReceiverKey,
  userId: string | undefined,
): Promise<void> {
  await tx.run(deleteClaimOf, [subaccountId, id, userId ?? null]);
}

export type VoteRow = { user_id: string; who: string; at_ms: string };

const listVotesOf = statement<VoteRow>(
  "review-votes",
  `select user_id, who, at_ms from review_vote
   where subaccount_id = $1 and receiver_id = $2 and version = $3 order by at_ms`,
);

/** The approvals of the current version. */
export function listVotes(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
  version: string,
): Promise<VoteRow[]> {
  return db.run(listVotesOf, [subaccountId, id, version]);
}

const insertVoteOf = statement<never>(
  "review-vote-insert",
  `insert into review_vote (subaccount_id, receiver_id, user_id, who, version, at_ms)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (subaccount_id, receiver_id, user_id) do update
     set version = excluded.version, at_ms = excluded.at_ms`,
);

export async function insertVote(
  tx: Tx,
  { subaccountId, id }: ReceiverKey,
  vote: { userId: string; who: string; version: string; atMs: number },
): Promise<void> {
  await tx.run(insertVoteOf, [
    ...[subaccountId, id, vote.userId, vote.who, vote.version, vote.atMs],
  ]);
}

const deleteVotesOf = statement<never>(
  "review-votes-delete",
  "delete from review_vote where subaccount_id = $1 and receiver_id = $2",
);

export async function deleteVotes(tx: Tx, { subaccountId, id }: ReceiverKey): Promise<void> {
  await tx.run(deleteVotesOf, [subaccountId, id]);
}

export type LikeRow = States & { id: string; first_name: string; last_name: string };
const likeColumns = "r.id, r.first_name, r.last_name, r.status, r.kyc_status";

/** Receivers with the same short mark: each is decrypted. */
const comparedMax = 1_000;

/** Found by a short mark. Then the values are compared. */
type CandidateRow = LikeRow & StoredPerson;
const candidateColumns = `${likeColumns}, r.dob, r.dialcode, r.phone, r.person_key, r.person_sealed`;

const likePhone = statement<CandidateRow>(
  "review-same-phone",
  `select ${candidateColumns} from receiver r
   where r.subaccount_id = $1 and r.phone = $3 and r.id <> $2
   limit ${comparedMax}`,
);

export async function listSamePhone(
  { db, seal }: Reading,
  { subaccountId, id }: ReceiverKey,
  { phone, dialcode }: Pick<LockedReceiver, "phone" | "dialcode">,
): Promise<LikeRow[]> {
  const mark = phoneMark(seal, subaccountId, { dialcode, phone });
  const found = await db.run(likePhone, [subaccountId, id, mark]);
  return sameAs({ seal, subaccountId }, found, { phone, dialcode });
}

const likeBirth = statement<CandidateRow>(
  "review-same-birth",
  `select ${candidateColumns} from receiver r
   where r.subaccount_id = $1 and ${nameKey} = lower($3) collate "C" and r.dob = $4 and r.id <> $2
   limit ${comparedMax}`,
);

export async function listSameBirth(
  { db, seal }: Reading,
  { subaccountId, id }: ReceiverKey,
  { last_name, dob }: Pick<LockedReceiver, "last_name" | "dob">,
): Promise<LikeRow[]> {
  const found = await db.run(likeBirth, [
    subaccountId,
    id,
    last_name,
    birthMark(seal, subaccountId, dob),
  ]);
  return sameAs({ seal, subaccountId }, found, { dob });
}

/** One that can't be decrypted is like none. */
function sameAs(
  { seal, subaccountId }: { seal: Seal; subaccountId: string },
  found: readonly CandidateRow[],
  wanted: Partial<PersonFields>,
): LikeRow[] {
  const isSame = (row: CandidateRow) => {
    const person = openPersonIfReadable(seal, subaccountId, row);
    return Object.entries(wanted).every(
      ([field, value]) => person[field as keyof PersonFields] === value,
    );
  };
  return found.filter(isSame).slice(0, limits.duplicatesShownMax);
}

type PairRow = LikeRow & {
  own_key: Buffer | null;
  own_account_id: string;
  own_version: number;
  own_sealed: Buffer;
  person_key: Buffer | null;
  account_id: string;
  version: number;
  sealed: Buffer;
};

const likeTail = statement<PairRow>(
  "review-same-tail",
  `select ${likeColumns}, own.id as own_account_id, own.version as own_version, own.sealed as own_sealed,
          own.person_key as own_key, r.person_key, other.account_id, other.version, other.account_number_sealed as sealed
   from (
     select a.id, a.version, b.account_number_sealed as sealed, b.account_number_tail, b.bsb, b.bank_code,
            (select person_key from receiver where subaccount_id = $1 and id = $2) as person_key
     from receiver_account a join bank_details b
       on b.subaccount_id = a.subaccount_id and b.account_id = a.id and b.version = a.version
     where a.subaccount_id = $1 and a.receiver_id = $2 and a.status = 'active' and b.account_number_tail <> ''
     limit ${limits.accountsComparedMax}
   ) own
   cross join lateral (
     select b.account_id, b.version, b.account_number_sealed, a.receiver_id
     from bank_details b cross join lateral (
       select a.receiver_id from receiver_account a
       where a.subaccount_id = $1 and a.id = b.account_id and a.receiver_id <> $2 limit 1
     ) a
     where b.subaccount_id = $1 and b.account_number_tail = own.account_number_tail
       and b.account_number_tail <> '' and b.bsb = own.bsb and b.bank_code = own.bank_code
     limit ${limits.accountsComparedMax}
   ) other
   cross join lateral (
     select * from receiver r where r.subaccount_id = $1 and r.id = other.receiver_id limit 1
   ) r`,
);

/** Receivers with a current or earlier account of this receiver: found by the last digits, compared by the whole number. */
export async function listSameAccount(
  { db, seal }: { db: Runner; seal: Seal },
  { subaccountId, id }: ReceiverKey,
): Promise<LikeRow[]> {
  const pairs = await db.run(likeTail, [subaccountId, id]);
  // A number that can't be decrypted matches none.
  const same = pairs.filter((pair) => {
    const own = openNumberIfReadable(seal, {
      subaccount_id: subaccountId,
      receiver_id: id,
      person_key: pair.own_key,
      account_id: pair.own_account_id,
      version: pair.own_version,
      account_number_sealed: pair.own_sealed,
    });
    const other = openNumberIfReadable(seal, {
      subaccount_id: subaccountId,
      receiver_id: pair.id,
      person_key: pair.person_key,
      account_id: pair.account_id,
      version: pair.version,
      account_number_sealed: pair.sealed,
    });
    return own !== undefined && own === other;
  });
  const byReceiver = new Map(same.map((pair) => [pair.id, pair]));
  return [...byReceiver.values()].slice(0, limits.duplicatesShownMax);
}
