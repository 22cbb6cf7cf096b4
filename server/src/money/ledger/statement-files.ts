// A statement as a CSV file and as a PDF document, both streamed.

import type { Readable } from "node:stream";
import { formatGrouped, toDecimal } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { csvOf, type PdfRow, writeTablePdf } from "../../platform/documents/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { findSubaccount } from "../../tenants/subaccounts/index.ts";
import { type LedgerStatement, type Movement, statementPages } from "./account-statement.ts";
import { countMovements } from "./movement-queries.ts";
import { isoDay, lastStatementDay } from "./statement-period.ts";

const csvColumns = [
  ...(["date", "description", "receiver_or_payer", "reference", "payout_id"] as const),
  ...(["amount", "balance", "currency"] as const),
];
type CsvLine = Record<(typeof csvColumns)[number], string>;

/** A line for the opening balance, one for each movement, and one for the closing balance. */
export function accountStatementCsv(db: Db, statement: LedgerStatement): Readable {
  const { key, opening, closing, period } = statement;
  const units = (amount: bigint) => toDecimal(amount, key.currency);
  const empty = { receiver_or_payer: "", reference: "", payout_id: "", amount: "" };
  const edge = (date: string, description: string, balance: bigint): CsvLine => ({
    ...empty,
    date,
    description,
    balance: units(balance),
    currency: key.currency,
  });
  const toLine = (movement: Movement): CsvLine => ({
    date: movement.date,
    description: movement.description,
    receiver_or_payer: movement.party,
    reference: movement.reference,
    payout_id: movement.payoutId ?? "",
    amount: units(movement.amount),
    balance: units(movement.balance),
    currency: key.currency,
  });
  async function* pages(): AsyncGenerator<CsvLine[]> {
    yield [edge(isoDay(period.fromMs), "Opening balance", opening)];
    for await (const page of statementPages(db, statement)) yield page.map(toLine);
    yield [edge(lastStatementDay(period), "Closing balance", closing)];
  }
  const source = pages();
  return csvOf(csvColumns, async () => (await source.next()).value ?? []);
}

/** Throws BALA115 if it has too many lines: each takes up to a millisecond of this process. */
export async function accountStatementPdf(
  db: Db,
  statement: LedgerStatement,
  nowMs: number,
): Promise<Readable> {
  const { key, range, period, opening, closing } = statement;
  const limit = limits.pdfRowsMax + 1;
  if ((await countMovements(db, key, { ...range, limit })) >= limit) throw new Refusal("BALA115");
  const { currency, subaccountId } = key;
  const { suba_name, business_name } = (await findSubaccount(db, subaccountId))?.wire ?? {};
  const grouped = (amount: bigint) => formatGrouped(amount, currency).replace(/ \S+$/, "");
  const [first, last] = [isoDay(period.fromMs), lastStatementDay(period)];
  async function* rows(): AsyncGenerator<PdfRow> {
    yield { strong: [first, "Opening balance", "", "", "", grouped(opening)] };
    for await (const page of statementPages(db, statement)) {
      for (const { date, description, party, reference, amount, balance } of page) {
        yield [date, description, party, reference, grouped(amount), grouped(balance)];
      }
    }
    yield { strong: [last, "Closing balance", "", "", "", grouped(closing)] };
  }
  return writeTablePdf({
    title: `Statement ${currency}, ${first} to ${last}`,
    facts: [
      ["Subaccount", `${business_name || suba_name || ""} (${subaccountId})`],
      ["Currency", currency],
      ["First and last day", `${first} to ${last}, UTC`],
      ["Balance", "Available, held and in transit. A payout leaves it when the bank has paid it."],
      ["Written", new Date(nowMs).toISOString()],
    ],
    columns: [
      { title: "Date", width: 1.6 },
      { title: "Description", width: 2.3 },
      { title: "Receiver or payer", width: 2.6 },
      { title: "Reference", width: 2.8 },
      { title: "Amount", width: 2, align: "right" },
      { title: "Balance", width: 2.2, align: "right" },
    ],
    rows: rows(),
    createdAtMs: nowMs,
  });
}
