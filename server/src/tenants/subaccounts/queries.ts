// Every SQL statement about subaccounts.

import type { Mode } from "../../platform/base/index.ts";
import { type Db, type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { Subaccount } from "./schema.ts";

type SubaccountRow = Subaccount & {
  mode: Mode;
  closed_at: Date | null;
  statement_name: string;
  needs_second_user: boolean;
};

const findById = statement<SubaccountRow>(
  "subaccount-by-id",
  `select s.id, i.merchant_id, s.suba_name, s.title, s.first_name, s.last_name, s.email, s.dob, s.kassi_status,
          s.business_name, s.business_or_individual, s.support_email, s.mobile_dialcode, s.mobile,
          s.home_dialcode as home_phone_international_dialcode, s.home_telephone,
          json_build_object('address', s.address, 'suburb', s.suburb, 'state', s.state, 'country', s.country,
                            'postcode', s.postcode) as address_data,
          s.has_passed_kyc, s.kyc_status, coalesce(e.url, '') as postback_url, s.sms_provider, s.email_provider,
          s.created_at_ms as created_at, s.mode, s.closed_at, s.statement_name, s.needs_second_user
   from subaccount s cross join installation i
   left join webhook_endpoint e on e.subaccount_id = s.id
   where s.id = $1`,
);

export type FoundSubaccount = {
  wire: Subaccount;
  mode: Mode;
  closedAt: Date | undefined;
  /** The payer's name that receivers see. Empty: the name of the bank connection. */
  statementName: string;
  /** Of a test subaccount: it practises four eyes. */
  needsSecondUser: boolean;
};

export async function findSubaccount(db: Runner, id: string): Promise<FoundSubaccount | undefined> {
  const [row] = await db.run(findById, [id]);
  if (!row) return undefined;
  const { mode, closed_at, statement_name: statementName, needs_second_user, ...wire } = row;
  const needsSecondUser = mode === "live" || needs_second_user;
  return { wire, mode, closedAt: closed_at ?? undefined, statementName, needsSecondUser };
}

type SubaccountSummary = {
  subaccount_id: string;
  name: string;
  mode: Mode;
  keys: number;
  created_at: string;
  closed_at: string | null;
};

const list = statement<SubaccountSummary>(
  "subaccount-list",
  `select s.id as subaccount_id, s.suba_name as name, s.mode,
          (select count(*)::int from api_key k where k.subaccount_id = s.id and k.revoked_at is null) as keys,
          to_char(to_timestamp(s.created_at_ms / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at,
          to_char(s.closed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as closed_at
   from subaccount s order by s.id`,
);

export function listSubaccounts(db: Db): Promise<SubaccountSummary[]> {
  return db.run(list);
}

/** The details of a subaccount that can be given at its creation. Default: empty. */
export const subaccountColumns = [
  "title",
  "first_name",
  "last_name",
  "email",
  "dob",
  "business_name",
  "business_or_individual",
  "support_email",
  "mobile_dialcode",
  "mobile",
  "home_dialcode",
  "home_telephone",
  "address",
  "suburb",
  "state",
  "country",
  "postcode",
  "sms_provider",
  "email_provider",
] as const;
export type SubaccountDetails = Partial<Record<(typeof subaccountColumns)[number], string>>;

const insertColumns = [
  "id",
  "suba_name",
  "mode",
  "created_at_ms",
  "needs_second_user",
  ...subaccountColumns,
];
const insertOneSubaccount = statement<never>(
  "subaccount-insert",
  `with made as (
     insert into subaccount (${insertColumns})
     values (${insertColumns.map((_, index) => `$${index + 1}`)})
     returning id
   )
   insert into webhook_endpoint (subaccount_id, url) select id, $${insertColumns.length + 1} from made`,
);

type SubaccountToInsert = {
  id: string;
  name: string;
  mode: Mode;
  createdAtMs: number;
  details: SubaccountDetails;
  /** The URL of its webhook endpoint. Empty: none. */
  postbackUrl: string;
};

export async function insertSubaccount(tx: Tx, subaccount: SubaccountToInsert): Promise<void> {
  const { id, name, mode, createdAtMs, details, postbackUrl } = subaccount;
  const given = { business_or_individual: "B", ...details };
  const texts = subaccountColumns.map((column) => given[column] ?? "");
  // One user alone can try everything in a new test subaccount.
  const isLive = mode === "live";
  await tx.run(insertOneSubaccount, [id, name, mode, createdAtMs, isLive, ...texts, postbackUrl]);
}

const change = statement<never>(
  "subaccount-change",
  `update subaccount s set ${subaccountColumns.map((column) => `${column} = coalesce(c.${column}, s.${column})`)}
   from json_to_record($2) as c(${subaccountColumns.map((column) => `${column} text`)})
   where s.id = $1`,
);

/** Fields that are left out stay unchanged. */
export async function updateSubaccountDetails(
  tx: Tx,
  id: string,
  details: SubaccountDetails,
): Promise<void> {
  await tx.run(change, [id, JSON.stringify(details)]);
}

const setStatementName = statement<never>(
  "subaccount-set-statement-name",
  "update subaccount set statement_name = $2 where id = $1",
);

export async function updateStatementName(tx: Tx, id: string, name: string): Promise<void> {
  await tx.run(setStatementName, [id, name]);
}

const setSecondUser = statement<{ before: boolean }>(
  "subaccount-set-second-user",
  `update subaccount s set needs_second_user = $2 from subaccount b where s.id = $1 and b.id = s.id
   returning b.needs_second_user as before`,
);

/** Returns whether it needed one before. */
export async function updateSecondUser(tx: Tx, id: string, isNeeded: boolean): Promise<boolean> {
  return (await tx.run(setSecondUser, [id, isNeeded]))[0]?.before === true;
}

const close = statement<{ id: string }>(
  "subaccount-close",
  "update subaccount set closed_at = now() where id = $1 and closed_at is null returning id",
);

export async function updateSubaccountClosed(tx: Tx, id: string): Promise<boolean> {
  return (await tx.run(close, [id])).length > 0;
}

const setMetadata = statement<never>(
  "subaccount-set-event-metadata",
  "update subaccount set event_metadata = $2 where id = $1",
);

/** Whether events carry the metadata of their object, from the next change on. */
export async function updateEventMetadata(
  tx: Tx,
  subaccountId: string,
  isWanted: boolean,
): Promise<void> {
  await tx.run(setMetadata, [subaccountId, isWanted]);
}

const setLevels = statement<never>(
  "subaccount-set-balance-levels",
  "update subaccount set balance_levels = $2 where id = $1",
);

/** In minor units, by currency: an event on request says when a balance falls below. */
export async function updateBalanceLevels(
  tx: Tx,
  subaccountId: string,
  levels: Record<string, number>,
): Promise<void> {
  await tx.run(setLevels, [subaccountId, JSON.stringify(levels)]);
}
