// The SQL of proposed changes of bank details, waiting and decided.

import { isUuid } from "../../platform/base/index.ts";
import { isUniqueViolation, type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { ifReadable, openValue, personKeyOf } from "../person/index.ts";
import { findPersonKey } from "../receivers/index.ts";
import { type BankChangeStatus, type Proposal, proposalIdentity } from "./bank-change.ts";
import type { AccountKey } from "./queries.ts";

export type BankChange = {
  subaccountId: string;
  id: string;
  receiverId: string;
  receiverName: string;
  accountId: string | null;
  /** Null for a new account. */
  accountVersion: number | null;
  /** Undefined where it can't be decrypted: then it can only be declined. */
  proposal: Proposal | undefined;
  tail: string;
  country: string;
  madeBy: string;
  /** The second user of the file from a bank that proposed it; else empty. */
  confirmedBy: string;
  madeAtMs: number;
  status: BankChangeStatus;
  decidedBy: string;
  decidedAtMs: number | null;
  reason: string;
};

type ChangeRow = {
  subaccount_id: string;
  id: string;
  receiver_id: string;
  first_name: string;
  last_name: string;
  account_id: string | null;
  account_version: number | null;
  person_key: Buffer | null;
  proposal_sealed: Buffer;
  account_number_tail: string;
  country: string;
  made_by: string;
  confirmed_by: string;
  made_at_ms: string;
  status: BankChangeStatus;
  decided_by: string;
  decided_at_ms: string | null;
  reason: string;
};

const columns = `c.subaccount_id, c.id, c.receiver_id, r.first_name, r.last_name, c.account_id, c.account_version,
  r.person_key, c.proposal_sealed, c.account_number_tail, c.country, c.made_by, c.confirmed_by, c.made_at_ms, c.status,
  c.decided_by, c.decided_at_ms, c.reason`;
const ofReceiver = "join receiver r on r.subaccount_id = c.subaccount_id and r.id = c.receiver_id";

function toChange(row: ChangeRow, seal: Seal): BankChange {
  const identity = proposalIdentity(row.subaccount_id, row.id);
  const { subaccount_id, receiver_id: id, person_key } = row;
  const opened = ifReadable(() => {
    const key = personKeyOf(seal, subaccount_id, { id, person_key });
    return openValue(seal, key, row.proposal_sealed, identity);
  });
  return {
    subaccountId: row.subaccount_id,
    id: row.id,
    receiverId: row.receiver_id,
    receiverName: `${row.first_name} ${row.last_name}`,
    accountId: row.account_id,
    accountVersion: row.account_version,
    proposal: opened === undefined ? undefined : (JSON.parse(opened) as Proposal),
    tail: row.account_number_tail,
    country: row.country,
    madeBy: row.made_by,
    confirmedBy: row.confirmed_by,
    madeAtMs: Number(row.made_at_ms),
    status: row.status,
    decidedBy: row.decided_by,
    decidedAtMs: row.decided_at_ms === null ? null : Number(row.decided_at_ms),
    reason: row.reason,
  };
}

/** They can't approve it. */
export function makersOfChange({
  madeBy,
  confirmedBy,
}: Pick<BankChange, "madeBy" | "confirmedBy">): string[] {
  return confirmedBy === "" ? [madeBy] : [madeBy, confirmedBy];
}

export type BankChangeToInsert = Pick<
  BankChange,
  | ("subaccountId" | "id" | "receiverId" | "accountId" | "accountVersion" | "tail")
  | ("country" | "madeBy" | "confirmedBy" | "madeAtMs")
> & { proposal: Proposal };

const insertOne = statement<never>(
  "bank-change-insert",
  `insert into bank_details_change (subaccount_id, id, receiver_id, account_id, account_version, proposal_sealed,
     account_number_tail, country, made_by, made_at_ms, confirmed_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

/** Throws an error that `isChangeWaiting` recognises, if a change of the account is already waiting. */
export async function insertBankChange(
  { tx, seal }: { tx: Tx; seal: Seal },
  change: BankChangeToInsert,
): Promise<void> {
  const { subaccountId, id, receiverId, accountId, accountVersion, proposal } = change;
  const personKey = await findPersonKey({ db: tx, seal }, { subaccountId, id: receiverId });
  const identity = proposalIdentity(subaccountId, id);
  const sealed = (personKey ?? seal).encrypt(JSON.stringify(proposal), identity);
  const { tail, country, madeBy, madeAtMs, confirmedBy } = change;
  const key = [subaccountId, id, receiverId, accountId, accountVersion];
  await tx.run(insertOne, [...key, sealed, tail, country, madeBy, madeAtMs, confirmedBy]);
}

export function isChangeWaiting(error: unknown): boolean {
  return isUniqueViolation(error, "bank_details_change_one_waiting");
}

const lockOne = statement<ChangeRow>(
  "bank-change-lock",
  `select ${columns} from bank_details_change c ${ofReceiver}
   where c.subaccount_id = $1 and c.id = $2 for update of c`,
);

/** If two users decide at once, the second sees the decision of the first. */
export async function lockBankChange(
  { tx, seal }: { tx: Tx; seal: Seal },
  { subaccountId, id }: AccountKey,
): Promise<BankChange | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await tx.run(lockOne, [subaccountId, id]);
  return row && toChange(row, seal);
}

const decideOne = statement<never>(
  "bank-change-decide",
  `update bank_details_change
   set status = $3, decided_by = $4, decided_at_ms = $5, reason = $6, account_id = $7
   where subaccount_id = $1 and id = $2`,
);

type BankChangeDecision = AccountKey & {
  status: Exclude<BankChangeStatus, "waiting">;
  decidedBy: string;
  decidedAtMs: number;
  reason: string;
  accountId: string | null;
};

export async function updateBankChangeDecided(tx: Tx, decision: BankChangeDecision): Promise<void> {
  const { subaccountId, id, status, decidedBy, decidedAtMs, reason, accountId } = decision;
  await tx.run(decideOne, [subaccountId, id, status, decidedBy, decidedAtMs, reason, accountId]);
}

const waitingStatement = (
  name: string,
  { after, down }: { after: ">" | "<"; down: "" | " desc" },
) =>
  statement<ChangeRow>(
    name,
    `select ${columns} from bank_details_change c ${ofReceiver}
   where c.status = 'waiting' and c.id ${after} $1 and ($2::uuid is null or c.subaccount_id = $2)
   order by c.id${down} limit $3`,
  );
const listWaiting = waitingStatement("bank-changes-waiting", { after: ">", down: "" });
const listNewestWaiting = waitingStatement("bank-changes-waiting-newest", {
  after: "<",
  down: " desc",
});

/** Oldest or newest first; of all subaccounts if none is named. */
export async function listWaitingBankChanges(
  { db, seal }: { db: Runner; seal: Seal },
  page: {
    afterId: string;
    isNewestFirst?: boolean;
    subaccountId: string | undefined;
    limit: number;
  },
): Promise<BankChange[]> {
  const list = page.isNewestFirst ? listNewestWaiting : listWaiting;
  const rows = await db.run(list, [page.afterId, page.subaccountId ?? null, page.limit]);
  return rows.map((row) => toChange(row, seal));
}

const countWaiting = statement<{ count: number }>(
  "bank-changes-waiting-count",
  `select count(*)::int as count from (
     select from bank_details_change where status = 'waiting' and ($1::uuid is null or subaccount_id = $1) limit $2
   ) waiting`,
);

/** Counts at most up to `most`. */
export async function countWaitingBankChanges(
  db: Runner,
  { subaccountId, most }: { subaccountId: string | undefined; most: number },
): Promise<number> {
  return (await db.run(countWaiting, [subaccountId ?? null, most]))[0]?.count ?? 0;
}

const listOfReceiver = statement<ChangeRow>(
  "bank-changes-of-receiver",
  `select ${columns} from bank_details_change c ${ofReceiver}
   where c.subaccount_id = $1 and c.receiver_id = $2 and c.id < $3 order by c.id desc limit $4`,
);

/** Newest first, including decided ones. */
export async function listBankChanges(
  { db, seal }: { db: Runner; seal: Seal },
  page: { subaccountId: string; receiverId: string; beforeId: string; limit: number },
): Promise<BankChange[]> {
  const { subaccountId, receiverId, beforeId, limit } = page;
  const rows = await db.run(listOfReceiver, [subaccountId, receiverId, beforeId, limit]);
  return rows.map((row) => toChange(row, seal));
}

const listWaitingAccountsOfReceivers = statement<ChangeRow>(
  "bank-changes-new-accounts",
  `select ${columns} from bank_details_change c ${ofReceiver}
   where c.subaccount_id = $1 and c.receiver_id = any($2::uuid[]) and c.account_id is null and c.status = 'waiting'`,
);

/** The new accounts of these receivers that wait for a second user. */
export async function listWaitingAccounts(
  { db, seal }: { db: Runner; seal: Seal },
  { subaccountId, receiverIds }: { subaccountId: string; receiverIds: readonly string[] },
): Promise<BankChange[]> {
  const rows = await db.run(listWaitingAccountsOfReceivers, [subaccountId, receiverIds]);
  return rows.map((row) => toChange(row, seal));
}
