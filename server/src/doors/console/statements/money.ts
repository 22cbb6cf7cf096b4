// Where the money is: by the books, and by the last statement of each bank connection.

import type { Static } from "typebox";
import { type ConnectionRow, listConnections } from "../../../banking/connections/index.ts";
import { type Mode, toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import {
  type CompanyRow,
  findStandings,
  type HolderPage,
  type HolderRow,
  type ListedAccount,
  type MoneyRow,
  type StandingRow,
  sumMoney,
} from "./queries.ts";
import type { BankStanding, CompanyLine, HolderLine, HolderQuery, MoneyPicture } from "./schema.ts";

const sum = (amount: string) => toSum(BigInt(amount));
const sumOrNull = (amount: string | null | undefined) =>
  amount === null || amount === undefined ? null : sum(amount);

const emptyMoney = {
  available: "0",
  held: "0",
  clearing: "0",
  returns: "0",
  fees: "0",
  company: "0",
  bank: "0",
};

/** One for each mode and currency that has money or a bank connection. Live ones first. */
export async function listMoney(db: Runner): Promise<MoneyPicture[]> {
  const connections = await listConnections(db);
  const standings = await findStandings(db, { most: 0 });
  const money = new Map((await sumMoney(db)).map((row) => [`${row.mode} ${row.currency}`, row]));
  for (const { mode, currency } of connections) {
    const key = `${mode} ${currency}`;
    if (!money.has(key)) money.set(key, { mode, currency, ...emptyMoney });
  }
  return [...money]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => {
      const own = connections.filter(
        ({ mode, currency }) => mode === row.mode && currency === row.currency,
      );
      return presentMoney(row, own, standings);
    });
}

function presentMoney(
  row: MoneyRow,
  connections: readonly ConnectionRow[],
  standings: ReadonlyMap<string, StandingRow>,
): MoneyPicture {
  const banks = connections.map(({ id, name }) => {
    const standing = standings.get(id);
    return {
      id,
      name,
      balance: sumOrNull(standing?.closing),
      to_day: standing?.to_day ?? null,
    };
  });
  const atBanks = connections.reduce(
    (all, { id }) => all + BigInt(standings.get(id)?.closing ?? 0),
    0n,
  );
  return {
    mode: row.mode,
    currency: row.currency,
    available: sum(row.available),
    held: sum(row.held),
    in_transit: sum(row.clearing),
    suspense: sum(row.returns),
    fees: sum(row.fees),
    company: sum(row.company),
    books: sum(row.bank),
    banks,
    not_on_statements: toSum(BigInt(row.bank) - atBanks),
  };
}

/** The connections, by name. */
export async function listStandings(db: Runner): Promise<BankStanding[]> {
  const standings = await findStandings(db, { most: limits.suspenseListedMax });
  return (await listConnections(db)).map((row) => presentStanding(row, standings.get(row.id)));
}

export function presentStanding(
  { id, name, mode, currency, account_tail }: ConnectionRow,
  standing: StandingRow | undefined,
): BankStanding {
  return {
    id,
    name,
    mode,
    currency,
    account: `…${account_tail}`,
    balance: sumOrNull(standing?.closing),
    to_day: standing?.to_day ?? null,
    open_lines: standing?.open_lines ?? 0,
    suspended: standing?.suspended ?? 0,
  };
}

/** The cursor is amount and subaccount of the last row. */
export function holdersOf(query: Static<typeof HolderQuery>, limit: number): HolderPage {
  const [amount, subaccountId] = query.cursor?.split(".") ?? [];
  const isLater = amount !== undefined && subaccountId !== undefined;
  const before = isLater ? { amount, subaccountId } : undefined;
  const { mode, currency, of } = query;
  return { mode: mode as Mode, currency, account: of as ListedAccount, before, limit };
}

export function presentHolder(row: HolderRow): HolderLine {
  const { subaccount_id, name, available, held, clearing, fees } = row;
  return {
    subaccount_id,
    name,
    available: sum(available),
    held: sum(held),
    in_transit: sum(clearing),
    fees: sum(fees),
  };
}

export const afterAll = "999999999999999999";

export function presentCompanyTransfer(row: CompanyRow): CompanyLine {
  const { id, kind, amount, reference, line_id, suspense_id, created_at_ms, created_by } = row;
  return {
    id,
    amount: toSum(kind === "company_in" ? BigInt(amount) : -BigInt(amount)),
    reference,
    line_id,
    suspense_id,
    at: Number(created_at_ms),
    by: created_by,
  };
}
