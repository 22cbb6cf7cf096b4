// disburse ledger statement: the journal of a balance, or its statement as a table, CSV or a PDF document

import { type Command, Option } from "commander";
import {
  accountStatementCsv,
  accountStatementPdf,
  type EntryPage,
  isoDay,
  lastStatementDay,
  listEntries,
  type Movement,
  openStatement,
  presentEntry,
  readStatementPeriod,
  type StatementPeriod,
  statementPages,
  toCsv,
} from "../../money/ledger/index.ts";
import { format, toDecimal } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import {
  type CommandContext,
  type ReadOptions,
  readOptions,
  withCommandContext,
} from "./command-context.ts";
import { writeNewFile } from "./new-file.ts";
import { readCount, readCurrency, readMonth, readTime } from "./option-values.ts";
import { print, time } from "./output.ts";
import { stdout } from "./terminal.ts";

type StatementOptions = ReadOptions & {
  currency: string;
  format: "journal" | "lines" | "pdf";
  month?: string;
  from?: number;
  to?: number;
  limit: number;
  csv?: boolean;
  out?: string;
};

export function addStatementCommand(ledger: Command): void {
  const statement = ledger
    .command("statement")
    .description("list the ledger entries of one currency, or write its statement")
    .requiredOption("--currency <code>", "ISO 4217, such as AUD", readCurrency)
    .addOption(
      new Option(
        "--format <format>",
        "journal: every ledger entry, newest first; lines: the statement, one line for each movement; pdf: the statement as a document",
      )
        .choices(["journal", "lines", "pdf"])
        .default("journal"),
    )
    .option("--month <month>", "of a statement, such as 2026-10; default: this month", readMonth)
    .option("--from <date>", "not before this day or time; a statement takes a day", readTime)
    .option("--to <date>", "before this day or time; a statement takes a day", readTime)
    .option(
      "--limit <count>",
      "maximum number of entries of a journal",
      readCount,
      limits.listDefault,
    )
    .option("--csv", "print CSV")
    .option("--out <file>", "write a statement to this file");
  readOptions(statement).action((options: StatementOptions) =>
    withCommandContext("ledger statement", options, (context) =>
      options.format === "journal" ? journal(context, options) : statementOf(context, options),
    ),
  );
}

async function journal(
  { db, subaccountId }: CommandContext,
  options: StatementOptions,
): Promise<void> {
  if (options.month !== undefined || options.out !== undefined) {
    throw new CliError("--month and --out need --format lines or pdf.", exitCodes.usage);
  }
  const page: EntryPage = {
    subaccountId,
    currency: options.currency,
    before: 2n ** 62n,
    fromMs: options.from ?? 0,
    toMs: options.to ?? Number.MAX_SAFE_INTEGER,
    limit: options.limit,
  };
  const rows = await listEntries(db, page);
  if (options.csv) stdout.write(toCsv(rows.map(presentEntry)));
  else if (options.json) print(rows.map(presentEntry), options);
  else {
    const units = (text: string) => format(BigInt(text), options.currency);
    print(
      rows.map((row) => ({
        number: row.number,
        when: time(row.created_at_ms),
        kind: row.kind,
        from: row.debit,
        to: row.credit,
        amount: units(row.amount),
        available: units(row.available_after),
        held: units(row.held_after),
        reference: row.reference,
      })),
      options,
    );
  }
}

async function statementOf(
  { db, subaccountId }: CommandContext,
  options: StatementOptions,
): Promise<void> {
  const { currency } = options;
  const nowMs = Date.now();
  const period = periodOf(options, nowMs);
  const statement = await openStatement(db, { subaccountId, currency }, period);
  if (options.format === "pdf") {
    if (options.out === undefined && stdout.isTTY) {
      throw new CliError("Name a file for the document with --out.", exitCodes.usage);
    }
    return writeNewFile(options.out ?? "-", await accountStatementPdf(db, statement, nowMs));
  }
  if (options.csv || options.out !== undefined) {
    return writeNewFile(options.out ?? "-", accountStatementCsv(db, statement));
  }
  const lines: Movement[] = [];
  for await (const page of statementPages(db, statement)) lines.push(...page);
  const units = (amount: bigint) =>
    options.json ? toDecimal(amount, currency) : format(amount, currency);
  const shown = lines.map(({ date, description, party, reference, payoutId, ...money }) => ({
    date,
    description,
    receiver_or_payer: party,
    reference,
    payout_id: payoutId,
    amount: units(money.amount),
    balance: units(money.balance),
  }));
  const [opening, closing] = [units(statement.opening), units(statement.closing)];
  const [from, to] = [isoDay(period.fromMs), lastStatementDay(period)];
  if (options.json) print({ currency, from, to, opening, closing, lines: shown }, options);
  else {
    const edge = { receiver_or_payer: "", reference: "", payout_id: "", amount: "" };
    print(
      [
        { date: from, description: "Opening balance", ...edge, balance: opening },
        ...shown,
        { date: to, description: "Closing balance", ...edge, balance: closing },
      ],
      options,
    );
  }
}

/** `--to` is the day after the last one, as for the journal. */
function periodOf({ month, from, to }: StatementOptions, nowMs: number): StatementPeriod {
  const days = {
    ...(month !== undefined && { month }),
    ...(from !== undefined && { from: isoDay(from) }),
    ...(to !== undefined && { to: isoDay(to - 1) }),
  };
  const isWhole = [from ?? 0, to ?? 0].every((ms) => ms % 86_400_000 === 0);
  if (!isWhole) throw new CliError("A statement takes whole days, in UTC.", exitCodes.usage);
  return readStatementPeriod(days, nowMs);
}
