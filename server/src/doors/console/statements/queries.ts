// The SQL of Reconcile: where the money is by the books, and what banks say that they hold.

import { internalSubaccountIds } from "../../../banking/answers/index.ts";
import type { Mode } from "../../../platform/base/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";

export type MoneyRow = {
  mode: Mode;
  currency: string;
  available: string;
  held: string;
  clearing: string;
  returns: string;
  fees: string;
  company: string;
  bank: string;
};

const sums = ["available", "held", "clearing", "returns", "fees", "company", "bank"] as const;

/** The internal subaccounts have no row in subaccount: $1 is that of live money, $2 that of test money. */
const modeOf = "case b.subaccount_id when $1 then 'live' when $2 then 'test' else s.mode end";

const sumAll = statement<MoneyRow>(
  "reconcile-money",
  `select ${modeOf} as mode, b.currency, ${sums.map((one) => `sum(b.${one})::bigint as ${one}`).join(", ")}
   from ledger_balance b left join subaccount s on s.id = b.subaccount_id
   group by 1, 2 order by 1, 2`,
);

/** All money in the books, by mode and currency. */
export function sumMoney(db: Runner): Promise<MoneyRow[]> {
  return db.run(sumAll, [internalSubaccountIds.live, internalSubaccountIds.test]);
}

/** The ledger accounts of a balance that can be listed by subaccount. */
export const listedAccounts = ["available", "held", "clearing", "fees"] as const;
export type ListedAccount = (typeof listedAccounts)[number];

export type HolderRow = {
  subaccount_id: string;
  name: string;
  amount: string;
  available: string;
  held: string;
  clearing: string;
  fees: string;
};

const holders = statement<HolderRow>(
  "reconcile-holders",
  `select * from (
     select b.subaccount_id, s.suba_name as name, b.available, b.held, b.clearing, b.fees,
            case $3 ${listedAccounts.map((one) => `when '${one}' then b.${one}`).join(" ")} end as amount
     from ledger_balance b join subaccount s on s.id = b.subaccount_id
     where s.mode = $1 and b.currency = $2
   ) balance
   where amount <> 0 and ($4::bigint is null or (amount, subaccount_id) < ($4, $5::uuid))
   order by amount desc, subaccount_id desc limit $6`,
);

export type HolderPage = {
  mode: Mode;
  currency: string;
  account: ListedAccount;
  before: { amount: string; subaccountId: string } | undefined;
  limit: number;
};

/** The subaccounts that have money in a ledger account, largest amount first. */
export function listHolders(db: Runner, page: HolderPage): Promise<HolderRow[]> {
  const { mode, currency, account, before, limit } = page;
  const from = [before?.amount ?? null, before?.subaccountId ?? null];
  return db.run(holders, [mode, currency, account, ...from, limit]);
}

export type CompanyRow = {
  id: string;
  number: string;
  kind: "company_in" | "company_out";
  amount: string;
  reference: string;
  created_at_ms: string;
  created_by: string;
  /** What it was booked for: a statement line, or a suspense item. */
  line_id: string | null;
  suspense_id: string | null;
};

const ofCompany = statement<CompanyRow>(
  "reconcile-company",
  `select t.id, t.number, t.kind, t.amount, t.reference, t.created_at_ms, t.created_by, l.id as line_id, i.id as suspense_id
   from (
     select *, case when reference ~ '^[0-9a-f-]{36}$' then reference::uuid end as about from ledger_transfer
     where subaccount_id = $1 and currency = $2 and number < $3 and kind in ('company_in', 'company_out')
     order by number desc limit $4
   ) t
   left join bank_statement_line l on l.id = t.about
   left join bank_suspense_item i on i.id = t.about
   order by t.number desc`,
);

/** The company's own money, newest first. */
export function listCompanyTransfers(
  db: Runner,
  page: { mode: Mode; currency: string; beforeNumber: string; limit: number },
): Promise<CompanyRow[]> {
  const { mode, currency, beforeNumber, limit } = page;
  return db.run(ofCompany, [internalSubaccountIds[mode], currency, beforeNumber, limit]);
}

export type StandingRow = {
  connection_id: string;
  closing: string | null;
  to_day: string | null;
  first_day: string | null;
  open_lines: number;
  suspended: number;
};

const standings = statement<StandingRow>(
  "bank-connection-standings",
  `select c.id as connection_id, last.closing, last.to_day, first.to_day as first_day,
          (select count(*)::int from (select 1 from bank_statement_line l
             where l.connection_id = c.id and l.status = 'open' limit $2) counted) as open_lines,
          (select count(*)::int from (select 1 from bank_suspense_item i
             where i.connection_id = c.id and i.status = 'open' limit $2) counted) as suspended
   from bank_connection c
   left join lateral (
     select closing, to_day from bank_statement s
     where s.connection_id = c.id and s.kind = 'statement' and s.closing is not null and (s.lines = 0 or s.repeated < s.lines)
       and s.to_day <= to_char(now() at time zone 'UTC', 'YYYY-MM-DD')
     -- The last of its day is the one that no other of that day opens with.
     order by s.to_day desc, exists (
       select from bank_statement o where o.connection_id = c.id and o.kind = 'statement' and o.to_day = s.to_day
         and o.id <> s.id and o.opening = s.closing and (o.lines = 0 or o.repeated < o.lines)), s.id desc limit 1
   ) last on true
   left join lateral (
     select to_day from bank_statement s where s.connection_id = c.id and s.kind = 'statement' order by s.to_day, s.id limit 1
   ) first on true
   where $1::uuid is null or c.id = $1`,
);

/** What each connection's last statement says, and how much of it is open, counted up to a maximum. */
export async function findStandings(
  db: Runner,
  { connectionId, most }: { connectionId?: string; most: number },
): Promise<ReadonlyMap<string, StandingRow>> {
  const rows = await db.run(standings, [connectionId ?? null, most]);
  return new Map(rows.map((row) => [row.connection_id, row]));
}

const batchNames = statement<{ id: string; file_name: string }>(
  "bank-batch-names",
  "select id, file_name from bank_batch where id = any($1)",
);

export async function findBatchNames(
  db: Runner,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.run(batchNames, [ids]);
  return new Map(rows.map(({ id, file_name }) => [id, file_name]));
}

const openItem = statement<{ id: string }>(
  "bank-suspense-of-report",
  `select id from bank_suspense_item
   where connection_id = $1 and status = 'open' and file_id = $2 and number = $3 order by id limit 1`,
);

/** The open suspense item of a line's report. */
export async function findOpenItem(
  db: Runner,
  { connectionId, fileId, number }: { connectionId: string; fileId: string; number: number },
): Promise<string | undefined> {
  return (await db.run(openItem, [connectionId, fileId, number]))[0]?.id;
}

export type StatementHead = {
  id: string;
  connection_id: string;
  file_id: string;
  file_name: string;
  kind: "statement" | "notification";
  bank_id: string;
  currency: string;
  from_day: string;
  to_day: string;
  opening: string | null;
  closing: string | null;
  lines: number;
  repeated: number;
  received_at_ms: string;
};

const head = statement<StatementHead>(
  "bank-inbound-statement",
  `select s.id, s.connection_id, s.file_id, f.name as file_name, s.kind, s.bank_id, s.currency, s.from_day, s.to_day,
          s.opening, s.closing, s.lines, s.repeated, f.received_at_ms
   from bank_statement s join bank_inbound_file f on f.id = s.file_id where s.id = $1`,
);

export async function findStatement(db: Runner, id: string): Promise<StatementHead | undefined> {
  return (await db.run(head, [id]))[0];
}

const firstFile = statement<{ month: string | null }>(
  "bank-batch-first-month",
  `select left(min(b.process_date), 7) as month from bank_batch b
   where b.connection_id = $1 and b.status <> 'discarded'
     and not exists (select from bank_closing c where c.connection_id = $1)`,
);

/** The month of the first bank file. Undefined: there is none, or a month is closed. */
export async function firstMonthOfFiles(
  db: Runner,
  connectionId: string,
): Promise<string | undefined> {
  return (await db.run(firstFile, [connectionId]))[0]?.month ?? undefined;
}
