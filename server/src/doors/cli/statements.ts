// disburse statements: bank statements against the books. list, open, doubtful, show, match, company, repetition, new, undo,
// exceptions, note, position, take-opening, close, closings, closing

import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import {
  type ClosingRow,
  closeBankMonth,
  decideRepetition,
  exceptionKinds,
  findClosingDocument,
  findLine,
  findPosition,
  giveLinesToCompany,
  listClosings,
  listDoubtfulLines,
  listExceptions,
  listMatches,
  listOpenLines,
  listStatementPage,
  matchLines,
  noteException,
  type StatementLineRow,
  suggestFor,
  takeOpeningBalance,
  undoLine,
} from "../../banking/statements/index.ts";
import { isMoneySpent } from "../../money/ledger/index.ts";
import { format, isUuid } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand } from "./act-command.ts";
import { type BankOptions, withBankContext } from "./bank-context.ts";
import { byOption } from "./command-actor.ts";
import { readLine } from "./option-values.ts";
import { print, printSection, time } from "./output.ts";

type DecisionOptions = BankOptions & { reason: string };
type MatchOptions = DecisionOptions & { line: string[]; payout?: string[]; batch?: string[] };

const firstId = "00000000-0000-0000-0000-000000000000";
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export function addStatementCommands(statements: Command): void {
  statements
    .command("list")
    .description("statements that banks sent, newest first")
    .option("--bank <name>", "only those of a bank connection")
    .option("--json", "print JSON")
    .action((options: BankOptions & { bank?: string }) =>
      withBankContext("statements list", options, async ({ db, connection }) => {
        const connectionId =
          options.bank === undefined ? undefined : (await connection(options.bank)).id;
        const rows = await listStatementPage(db, {
          connectionId,
          beforeId: lastId,
          limit: limits.bankInboundListedMax,
        });
        const money = (amount: string | null, currency: string) =>
          amount === null ? "" : format(BigInt(amount), currency);
        print(
          rows.map((row) => ({
            id: row.id,
            kind: row.kind,
            from: row.from_day,
            to: row.to_day,
            opening: money(row.opening, row.currency),
            closing: money(row.closing, row.currency),
            lines: row.lines,
            repeated: row.repeated,
            file: row.file_name,
            received_at: time(row.received_at_ms),
          })),
          options,
        );
      }),
    );

  statements
    .command("open <bank>")
    .description("lines that nothing explains yet, oldest first")
    .option("--json", "print JSON")
    .action((name: string, options: BankOptions) =>
      withBankContext("statements open", options, async ({ db, connection }) => {
        const { id } = await connection(name);
        const page = { connectionId: id, afterId: firstId, limit: limits.suspenseListedMax };
        print((await listOpenLines(db, page)).map(describe), options);
      }),
    );

  statements
    .command("doubtful <bank>")
    .description("lines that may repeat earlier ones, oldest first")
    .option("--json", "print JSON")
    .action((name: string, options: BankOptions) =>
      withBankContext("statements doubtful", options, async ({ db, connection }) => {
        const { id } = await connection(name);
        const page = { connectionId: id, afterId: firstId, limit: limits.suspenseListedMax };
        print((await listDoubtfulLines(db, page)).map(describe), options);
      }),
    );

  statements
    .command("show <line>")
    .description("a line, what it was matched with, and what it may be")
    .option("--json", "print JSON")
    .action((id: string, options: BankOptions) =>
      withBankContext("statements show", options, async ({ db }) => {
        const line = isUuid(id) ? await findLine(db, id) : undefined;
        if (!line) throw new Refusal("BANK471");
        const matches = (await listMatches(db, id)).map(({ at_ms, ...match }) => ({
          ...match,
          at: time(at_ms),
        }));
        const suggestions = await suggestFor(db, line);
        if (options.json) return print({ ...describe(line), matches, suggestions }, options);
        print(describe(line), options);
        printSection("Matches", matches);
        printSection("Suggestions", suggestions);
      }),
    );

  const match = statements
    .command("match")
    .description("these lines paid these payouts and bank batches, which come to the same amount")
    .requiredOption("--line <id...>", "open lines")
    .option("--payout <id...>", "payouts")
    .option("--batch <id...>", "bank batches")
    .requiredOption("--reason <text>", "why; it is kept in the audit log", readLine(500))
    .option("--json", "print JSON");
  byOption(match).action((options: MatchOptions) => {
    const targets = { payoutIds: options.payout ?? [], batchIds: options.batch ?? [] };
    requireIds([...targets.payoutIds, ...targets.batchIds], "BANK473");
    return decide("match", options.line, options, (tx, deciding) =>
      matchLines(tx, targets, deciding),
    );
  });

  const company = statements
    .command("company <line...>")
    .description(
      "the lines are the company's own: what the bank charges, or money it put in or took out",
    )
    .requiredOption("--reason <text>", "why; it is kept in the audit log", readLine(500))
    .option("--json", "print JSON");
  byOption(company).action((ids: string[], options: DecisionOptions) =>
    decide("company", ids, options, giveLinesToCompany),
  );

  for (const [act, isRepeated, description] of [
    ["repetition", true, "the lines repeat earlier ones: they stay out of the books"],
    ["new", false, "the lines are new: debits are open, and credits wait in suspense"],
  ] as const) {
    const decided = statements
      .command(`${act} <line...>`)
      .description(description)
      .requiredOption("--reason <text>", "why; it is kept in the audit log", readLine(500))
      .option("--json", "print JSON");
    byOption(decided).action((ids: string[], options: DecisionOptions) =>
      decide("repetition", ids, options, (tx, deciding) =>
        decideRepetition(tx, { isRepeated }, deciding),
      ),
    );
  }

  const undo = statements
    .command("undo <line>")
    .description(
      "open a matched line again, by a new entry; one that repeats another is in doubt again",
    )
    .requiredOption("--reason <text>", "why; it is kept in the audit log", readLine(500))
    .option("--json", "print JSON");
  byOption(undo).action((id: string, options: DecisionOptions) =>
    decide("undo", [id], options, (tx, deciding) => undoLine(tx, id, deciding)),
  );

  addBooksCommands(statements);
}

function addBooksCommands(statements: Command): void {
  statements
    .command("exceptions <bank>")
    .description("what a user has to look at, oldest first, with its owner and note")
    .option("--json", "print JSON")
    .action((name: string, options: BankOptions) =>
      withBankContext("statements exceptions", options, async ({ db, connection }) => {
        const found = await listExceptions(db, await connection(name), Date.now());
        print(
          found.map(({ item, kind, day, amount, currency, text, owner, note }) => ({
            item,
            why: exceptionKinds[kind],
            since: day,
            amount: amount === undefined ? "" : format(amount, currency),
            text,
            owner,
            note,
          })),
          options,
        );
      }),
    );

  actCommand(statements, "note <item>", noteException);

  statements
    .command("position <bank>")
    .description("the books against the bank, and what is in transit between them")
    .option("--to <day>", "YYYY-MM-DD; default: today")
    .option("--json", "print JSON")
    .action((name: string, options: BankOptions & { to?: string }) =>
      withBankContext("statements position", options, async ({ db, connection }) => {
        const found = await connection(name);
        const toDay = options.to ?? new Date().toISOString().slice(0, 10);
        const position = await db.transaction(
          (tx) => findPosition(tx, { connection: found, toDay }),
          { snapshot: true },
        );
        const money = (amount: bigint) => format(amount, found.row.currency);
        const items = position.inTransit.map(({ item, amount, day, text }) => ({
          day,
          amount: money(amount),
          item,
          text,
        }));
        const facts = {
          bank: found.row.name,
          statement_to: position.statement?.to_day ?? "",
          balance_by_statement: position.bank === undefined ? "" : money(position.bank),
          balance_by_books: money(position.books),
          unexplained: money(position.unexplained),
        };
        if (options.json) return print({ ...facts, in_transit: items }, options);
        print(facts, options);
        printSection("In transit", items);
      }),
    );

  const opening = statements
    .command("take-opening <bank>")
    .description(
      "take the balance before the first statement into the books, as the company's money",
    )
    .option("--json", "print JSON");
  byOption(opening).action((name: string, options: BankOptions) =>
    withBankContext("statements take-opening", options, async ({ actor, audit, connection }) => {
      const found = await connection(name);
      const amount = await audit.transaction<bigint>(
        (taken) => ({
          action: "bank-opening.take",
          object: { kind: "bank_connection", id: found.id },
          after: { amount: taken },
        }),
        (tx) => takeOpeningBalance(tx, { connection: found, who: actor.who, atMs: Date.now() }),
      );
      print({ bank: name, amount: format(amount, found.row.currency) }, options);
    }),
  );

  const close = statements
    .command("close <bank> <month>")
    .description("close a month, YYYY-MM, in which the books meet the bank")
    .option("--json", "print JSON");
  byOption(close).action((name: string, month: string, options: BankOptions) =>
    withBankContext("statements close", options, async ({ actor, audit, connection }) => {
      if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
        throw new CliError(`${month} is no month: write it as YYYY-MM.`, exitCodes.usage);
      }
      const found = await connection(name);
      const row = await audit.transaction<ClosingRow>(
        (closed) => ({
          action: "bank-month.close",
          object: { kind: "bank_connection", id: found.id },
          after: { month, books: closed.books, bank: closed.bank, pdf_sha256: closed.pdf_sha256 },
        }),
        (tx) => closeBankMonth(tx, { connection: found, month, who: actor.who, atMs: Date.now() }),
      );
      print({ ...row, closed_at_ms: time(row.closed_at_ms) }, options);
    }),
  );

  statements
    .command("closings [bank]")
    .description("closed months, newest first")
    .option("--json", "print JSON")
    .action((name: string | undefined, options: BankOptions) =>
      withBankContext("statements closings", options, async ({ db, connection }) => {
        const id = name === undefined ? undefined : (await connection(name)).id;
        const rows = await listClosings(db, id, limits.bankInboundListedMax);
        print(
          rows.map((row) => ({ ...row, closed_at_ms: time(row.closed_at_ms) })),
          options,
        );
      }),
    );

  statements
    .command("closing <bank> <month>")
    .description("write the document of a closed month to a file")
    .requiredOption("--out <file>", "a name that ends with .pdf or .csv")
    .action((name: string, month: string, options: BankOptions & { out: string }) =>
      withBankContext("statements closing", options, async ({ db, connection }) => {
        const { id } = await connection(name);
        const document = await findClosingDocument(db, id, month);
        if (!document) throw new Refusal("BANK489");
        await writeFile(options.out, options.out.endsWith(".csv") ? document.csv : document.pdf);
      }),
    );
}

function requireIds(ids: readonly string[], code: "BANK471" | "BANK473"): void {
  if (!ids.every(isUuid)) throw new Refusal(code);
}

type Deciding = { lineIds: readonly string[]; reason: string; who: string; atMs: number };

async function decide(
  act: string,
  ids: readonly string[],
  options: DecisionOptions,
  work: (tx: Tx, deciding: Deciding) => Promise<void>,
): Promise<void> {
  requireIds(ids, "BANK471");
  await withBankContext(`statements ${act}`, options, async ({ db, actor, audit }) => {
    const { reason } = options;
    const deciding = { lineIds: ids, reason, who: actor.who, atMs: Date.now() };
    const entry = {
      action: `statement-line.${act}`,
      object: { kind: "bank_statement_line", id: ids[0] as string },
      after: { reason, lines: ids },
    };
    try {
      await audit.transaction(entry, (tx) => work(tx, deciding));
    } catch (error) {
      throw isMoneySpent(error) ? new Refusal("BANK420") : error;
    }
    const lines: StatementLineRow[] = [];
    for (const id of ids) lines.push((await findLine(db, id)) as StatementLineRow);
    print(lines.map(describe), options);
  });
}

function describe(line: StatementLineRow) {
  return {
    id: line.id,
    status: line.status,
    day: line.day,
    value_day: line.value_day,
    amount: format(BigInt(line.amount), line.currency),
    party: line.party,
    account: line.account_tail === "" ? "" : `…${line.account_tail}`,
    reference: line.reference,
    text: line.bank_text,
    bank_reference: line.bank_reference,
    code: line.code,
    ...(line.repeats_id !== null && { repeats: line.repeats_id }),
  };
}
