// Closes a month of a bank connection: only where the books meet the bank, and the closing is kept as a document.

import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { stringify } from "csv-stringify/sync";
import { isBankingDay } from "../../../../packages/bank-formats/src/calendars/index.ts";
import { newId, toDecimal } from "../../platform/base/index.ts";
import { isUniqueViolation, type Runner, type Tx } from "../../platform/db/index.ts";
import { guardFormula, writeTablePdf } from "../../platform/documents/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type Code, Refusal } from "../../platform/refusals/index.ts";
import { bookCompany } from "../answers/index.ts";
import { type BankConnection, lockConnection } from "../connections/index.ts";
import { listOverdue } from "./overdue.ts";
import { type BankPosition, findPosition, monthEndOf } from "./position.ts";
import { type ClosingRow, insertClosing, listClosings } from "./position-queries.ts";
import { countUndecidedLines, type StatementRow } from "./queries.ts";

type MonthClosing = { connection: BankConnection; month: string; who: string; atMs: number };

export async function closeBankMonth(tx: Tx, closing: MonthClosing): Promise<ClosingRow> {
  const { connection, month, who, atMs } = closing;
  // No file is applied meanwhile.
  await lockConnection(tx, connection.id);
  const { position, statement } = await requireClosable(tx, { connection, month, atMs });
  const csv = Buffer.from(closingCsv(closing, position, statement));
  const pdf = await closingPdf(closing, position, statement);
  const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  const { books, bank = 0n, inTransit } = position;
  const row: ClosingRow = {
    connection_id: connection.id,
    month,
    currency: connection.row.currency,
    statement_id: statement.id,
    books: books.toString(),
    bank: bank.toString(),
    in_transit: (books - bank).toString(),
    csv_sha256: sha256(csv),
    pdf_sha256: sha256(pdf),
    closed_at_ms: String(atMs),
    closed_by: who,
  };
  try {
    await insertClosing(tx, { ...row, csv, pdf, items: inTransit });
  } catch (error) {
    throw isUniqueViolation(error, "bank_closing_pkey") ? new Refusal("BANK482") : error;
  }
  return row;
}

type ClosableMonth = Pick<MonthClosing, "connection" | "month" | "atMs">;

/** All that stops the month from being closed now. Empty: it can be closed. */
export async function listClosingRefusals(db: Runner, closable: ClosableMonth): Promise<Refusal[]> {
  return (await judgeMonth(db, closable)).refusals;
}

async function requireClosable(db: Runner, closable: ClosableMonth) {
  const { refusals, position, statement } = await judgeMonth(db, closable);
  if (refusals[0]) throw refusals[0];
  return { position: position as BankPosition, statement: statement as StatementRow };
}

type JudgedMonth = { refusals: Refusal[]; position?: BankPosition; statement?: StatementRow };

async function judgeMonth(
  db: Runner,
  { connection, month, atMs }: ClosableMonth,
): Promise<JudgedMonth> {
  const toDay = monthEndOf(month);
  const endMs = Date.parse(`${toDay}T00:00:00Z`) + 86_400_000;
  if (endMs + limits.monthClosableMs > atMs) return { refusals: [new Refusal("BANK481")] };
  const [last] = await listClosings(db, connection.id, 1);
  if (last && last.month >= month) return { refusals: [new Refusal("BANK482")] };
  const refusals: Refusal[] = [];
  const { open, doubtful } = await countUndecidedLines(db, connection.id, toDay);
  if (doubtful > 0) refusals.push(new Refusal("BANK490"));
  if (open > 0) refusals.push(new Refusal("BANK485"));
  const position = await findPosition(db, { connection, toDay });
  refusals.push(...unmetOf(position, { connection, toDay }));
  const overdue = await listOverdue(db, connection);
  if (overdue.some(({ day }) => day <= toDay)) refusals.push(new Refusal("BANK492"));
  return { refusals, position, ...(position.statement && { statement: position.statement }) };
}

function unmetOf(
  { statement, opening, unexplained, problems }: BankPosition,
  { connection, toDay }: { connection: BankConnection; toDay: string },
): Refusal[] {
  const codes: Code[] = [];
  if (!statement || statement.to_day < lastBankingDay(connection, toDay)) codes.push("BANK483");
  if (problems.some(({ kind }) => kind === "gap")) codes.push("BANK484");
  if (problems.some(({ kind }) => kind !== "gap")) codes.push("BANK491");
  if (opening) codes.push("BANK486");
  // Each of them makes a difference too.
  if (codes.length > 0) return codes.map((code) => new Refusal(code));
  if (unexplained === 0n) return [];
  const amount = toDecimal(unexplained, connection.row.currency);
  const message = `The books and the bank differ by ${amount}, which no item explains`;
  return [new Refusal("BANK487", { message })];
}

function lastBankingDay({ calendar }: BankConnection, day: string): string {
  let found = day;
  while (!isBankingDay(calendar, found)) {
    found = new Date(Date.parse(found) - 86_400_000).toISOString().slice(0, 10);
  }
  return found;
}

function figuresOf(
  { connection, month, who, atMs }: MonthClosing,
  position: BankPosition,
  statement: StatementRow,
): [label: string, value: string, unit?: string][] {
  const { name, currency, account_tail } = connection.row;
  const money = (amount: bigint) => [toDecimal(amount, currency), currency] as const;
  const { books, bank = 0n } = position;
  return [
    ["Bank connection", `${name}, account ending in ${account_tail}`],
    ["Month", month],
    ["Statement", `${statement.bank_id || statement.id}, to ${statement.to_day}`],
    ["Balance by the statement", ...money(bank)],
    ["In transit", ...money(books - bank)],
    ["Balance by the books", ...money(books)],
    ["Closed by", who],
    ["Closed at", new Date(atMs).toISOString()],
  ];
}

function closingCsv(
  closing: MonthClosing,
  position: BankPosition,
  statement: StatementRow,
): string {
  const { currency } = closing.connection.row;
  const figures = figuresOf(closing, position, statement);
  const items = position.inTransit.map(({ day, text, item, amount }) => [
    day,
    text,
    item,
    toDecimal(amount, currency),
  ]);
  const rows = [...figures, [], ["Day", "In transit", "Item", `Amount (${currency})`], ...items];
  return stringify(rows, { cast: { string: guardFormula } });
}

function closingPdf(
  closing: MonthClosing,
  position: BankPosition,
  statement: StatementRow,
): Promise<Buffer> {
  const { name, currency } = closing.connection.row;
  return buffer(
    writeTablePdf({
      title: `Closing of ${closing.month}: ${name}`,
      facts: figuresOf(closing, position, statement).map(([label, ...value]) => [
        label,
        value.join(" "),
      ]),
      columns: [
        { title: "Day", width: 1 },
        { title: "In transit", width: 4 },
        { title: `Amount (${currency})`, width: 2, align: "right" },
      ],
      rows: position.inTransit.map(({ day, text, amount }) => [
        day,
        text,
        toDecimal(amount, currency),
      ]),
      createdAtMs: closing.atMs,
    }),
  );
}

type ConnectionToOpen = Pick<BankConnection, "id" | "rail" | "row">;

/** What was at the bank before the first of all statements and is not in the books yet. */
export async function findOpening(
  db: Runner,
  connection: Pick<BankConnection, "id" | "rail">,
): Promise<NonNullable<BankPosition["opening"]>> {
  const { opening } = await findPosition(db, { connection, toDay: "9999-12-31" });
  if (!opening) throw new Refusal("BANK488");
  return opening;
}

/** What was at the bank before the first statement is the company's own money. */
export async function takeOpeningBalance(
  tx: Tx,
  { connection, who, atMs }: { connection: ConnectionToOpen; who: string; atMs: number },
): Promise<bigint> {
  await lockConnection(tx, connection.id);
  const { statementId, amount } = await findOpening(tx, connection);
  const { mode, currency } = connection.row;
  const money = { id: newId(), amount, currency, reference: `opening ${statementId}` };
  await bookCompany(tx, [money], { connectionId: connection.id, mode, who, atMs });
  return amount;
}
