// disburse statements: bank statements against the books. list, open, doubtful, show, match, company, repetition, new, undo,
// exceptions, note, position, take-opening, close, closings, closing

import { type Command, Option } from "commander";
import {
  type ClosingRow,
  closeBankMonthAct,
  decideStatementRepetition,
  exceptionKinds,
  findClosingDocument,
  findLine,
  findPosition,
  giveStatementLinesToCompany,
  listClosings,
  listDoubtfulLines,
  listExceptions,
  listMatches,
  listOpenLines,
  listStatementPage,
  matchStatementLines,
  noteException,
  type StatementLineRow,
  suggestFor,
  takeOpening,
  undoStatementLine,
} from "../../banking/statements/index.ts";
import { format, isUuid } from "../../platform/base/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand, type Context } from "./act-command.ts";
import { type BankContext, type BankOptions, withBankContext } from "./bank-context.ts";
import { openToWrite } from "./local-files.ts";
import { print, printSection, type Shown, time } from "./output.ts";

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

  const carried = {
    fields: { line: "line_ids", payout: "payout_ids", batch: "batch_ids" },
    show: (_: unknown, context: Context, __: object, { line_ids }: Shown) =>
      describeLines(context, line_ids as string[]),
  };
  const lines = new Option("--line <id...>", "open lines").makeOptionMandatory();
  const payouts = new Option("--payout <id...>", "payouts");
  const batches = new Option("--batch <id...>", "bank batches");
  const options = [lines, payouts, batches];
  actCommand(statements, "match", matchStatementLines, { ...carried, options });
  actCommand(statements, "company <line...>", giveStatementLinesToCompany, carried);
  for (const [word, is_repeated] of [
    ["repetition", true],
    ["new", false],
  ] as const) {
    const decided = actCommand(statements, `${word} <line...>`, decideStatementRepetition, {
      ...carried,
      without: ["is_repeated"],
      read: (given) => ({ ...given, is_repeated }),
    });
    if (!is_repeated) {
      decided.description("the lines are new: debits are open, and credits wait in suspense");
    }
  }
  actCommand(statements, "undo <line>", undoStatementLine, {
    fields: { line: "id" },
    show: (_, context, __, { id }) => describeLines(context, [String(id)]),
  });

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
          found.map(({ item, kind, day, amount, currency, party, text, owner, note }) => ({
            item,
            why: exceptionKinds[kind],
            since: day,
            amount: amount === undefined ? "" : format(amount, currency),
            party,
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

  const ofBank = { fields: { bank: "id" }, read: readBank };
  actCommand(statements, "take-opening <bank>", takeOpening, {
    ...ofBank,
    async show({ amount }, context, _, { id }) {
      const { row } = await (context as BankContext).connection(String(id));
      return { bank: id, amount: format(amount, row.currency) };
    },
  });
  actCommand(statements, "close <bank> <month>", closeBankMonthAct, {
    ...ofBank,
    readers: { month: readClosedMonth },
    show: ({ closing }) => describeClosing(closing),
  });

  statements
    .command("closings [bank]")
    .description("closed months, newest first")
    .option("--json", "print JSON")
    .action((name: string | undefined, options: BankOptions) =>
      withBankContext("statements closings", options, async ({ db, connection }) => {
        const id = name === undefined ? undefined : (await connection(name)).id;
        const rows = await listClosings(db, id, limits.bankInboundListedMax);
        print(rows.map(describeClosing), options);
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
        const file = openToWrite(options.out);
        file.add(options.out.endsWith(".csv") ? document.csv : document.pdf);
        file.close();
      }),
    );
}

/** The connection of a name. */
async function readBank({ id, ...given }: Fields, context: Context): Promise<Fields> {
  return { ...given, id: (await (context as BankContext).connection(String(id))).id };
}

async function describeLines({ db }: Context, ids: readonly string[]) {
  const lines: Shown[] = [];
  for (const id of ids) lines.push(describe((await findLine(db, id)) as StatementLineRow));
  return lines;
}

const describeClosing = (row: ClosingRow) => ({ ...row, closed_at_ms: time(row.closed_at_ms) });

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

function readClosedMonth(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new CliError(`${text} is no month: write it as YYYY-MM.`, exitCodes.usage);
}
