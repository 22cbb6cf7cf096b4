// Applies the statements of a file from a bank: keeps every line once, matches debits, returns payouts, funds subaccounts,
// and suspends credits that nothing explains. A line that may repeat another waits for a user.

import type {
  StatementEnd,
  StatementLine,
  StatementRecord,
} from "../../../../packages/bank-formats/src/index.ts";
import { tailOf } from "../../people/person/index.ts";
import { newId } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  applyPage,
  findSentByPayout,
  type InboundRun,
  mergeNotified,
  type NewInboundLine,
} from "../answers/index.ts";
import { shortHash } from "../files/index.ts";
import { type ChainPlace, type KnownStatement, placeStatement } from "./chain.ts";
import { findDeposits, fundByLines, type LineFunding } from "./fund-lines.ts";
import { inPages, inTurns, mapInTurns } from "./in-turns.ts";
import { type ArrivedLine, compareLines } from "./known-lines.ts";
import { contentOf, idsIn, isReturn, shownReference, toReport } from "./line-facts.ts";
import {
  accountKeyOf,
  type Matching,
  matchByFit,
  matchByReference,
  type OpenDebit,
} from "./match.ts";
import { insertMatches, type MatchRow } from "./match-queries.ts";
import { newMatch } from "./new-match.ts";
import {
  countKnownLines,
  insertStatement,
  insertStatementLines,
  listKnownStatements,
  type StatementLineRow,
  type StatementRow,
  setLineStatus,
} from "./queries.ts";
import { familyOf } from "./repetition.ts";
import { toChained } from "./to-chained.ts";

export type StatementRun = InboundRun & {
  matching: Matching;
  /** How often each content is known, by earlier files and by this one so far. */
  known: Map<string, number>;
  family: string;
  statements: Record<StatementRow["kind"], KnownStatement[]>;
  openDebits: OpenDebit[];
  fundings: LineFunding[];
  /** The last page is being stored while the next one is read. */
  stored: Promise<void>;
};

export type StatementsOfFile = {
  format: string;
  /** All statements of the file, as a first reading found them. */
  ends: readonly StatementEnd[];
  isOurs: (end: StatementEnd) => boolean;
};

/** The statements of one connection. */
export async function applyStatements(
  run: InboundRun,
  records: AsyncIterable<StatementRecord>,
  { format, ends, isOurs }: StatementsOfFile,
): Promise<void> {
  const { tx, seal, connection } = run;
  // Within a file, a payout or a batch is paid once.
  const paid = { payouts: new Set<string>(), batches: new Map<string, bigint>() };
  const known = async (kind: StatementRow["kind"]) =>
    (await listKnownStatements(tx, connection.id, kind)).map((row) => ({
      ...toChained(row),
      family: familyOf(row.format),
    }));
  const statements: StatementRun = {
    ...run,
    matching: { tx, seal, connection, paid },
    known: new Map(),
    family: familyOf(format),
    statements: { statement: await known("statement"), notification: await known("notification") },
    openDebits: [],
    fundings: [],
    stored: Promise.resolve(),
  };
  let place = 0;
  let current = open(statements, ends[0], place);
  let page: StatementLine[] = [];
  for await (const record of records) {
    const end = ends[place];
    const isWanted = end !== undefined && isOurs(end);
    if (record.kind === "line") {
      if (isWanted) page.push(record);
      // All lines of a day are compared at once.
      if (page.length === limits.bankPageMax && current.place.isNextByDay) {
        await applyLines(statements, current, page);
        page = [];
      }
      continue;
    }
    if (isWanted) {
      await applyLines(statements, current, page);
      await close(statements, current);
    }
    place += 1;
    page = [];
    current = open(statements, ends[place], place);
  }
  await statements.written;
  await statements.stored;
  await matchRest(statements);
  await fundByLines(statements, statements.fundings);
}

/** A statement that is being applied. */
type OpenStatement = {
  row: StatementRow;
  place: ChainPlace;
};

function open(
  { connection, fileId, family, statements }: StatementRun,
  end: StatementEnd | undefined,
  place: number,
): OpenStatement {
  const {
    form,
    bankId = "",
    sequence = "",
    fromDay = "",
    toDay = "",
    opening,
    closing,
  } = end ?? {};
  const row: StatementRow = {
    id: newId(),
    connection_id: connection.id,
    file_id: fileId,
    number: place + 1,
    kind: form === "statement" ? "statement" : "notification",
    bank_id: cut(bankId),
    sequence: cut(sequence),
    currency: end?.currency || connection.row.currency,
    from_day: fromDay,
    to_day: toDay || fromDay,
    opening: opening?.toString() ?? null,
    closing: closing?.toString() ?? null,
    lines: 0,
    repeated: 0,
  };
  return { row, place: placeStatement(toChained(row), family, statements[row.kind]) };
}

async function close(
  { tx, family, statements }: StatementRun,
  { row }: OpenStatement,
): Promise<void> {
  await insertStatement(tx, row);
  statements[row.kind].push({ ...toChained(row), family });
}

/** A line that no earlier statement had. */
type NewLine = { line: StatementLine; id: string; contentKey: string; occurrence: number };
/** A user has to say whether it repeats another. */
type DoubtfulLine = NewLine & { repeatsId: string | undefined };

async function applyLines(
  run: StatementRun,
  current: OpenStatement,
  lines: readonly StatementLine[],
): Promise<void> {
  const { taken, doubtful } = await takeNew(run, current, lines);
  run.source = current.row.kind;
  for (const page of inPages(taken)) await applyPageOf(run, current, page);
  run.counts.lines += doubtful.length;
  run.counts.noted += doubtful.length;
  for (const page of inPages(doubtful)) {
    const rows = page.map((one): StatementLineRow => {
      const doubt = { status: "doubtful", repeats_id: one.repeatsId ?? null } as const;
      return { ...toRow(one, current.row), ...doubt };
    });
    await insertStatementLines(run.tx, run.connection.id, rows);
  }
}

async function applyPageOf(
  run: StatementRun,
  current: OpenStatement,
  lines: readonly NewLine[],
): Promise<void> {
  const { tx, connection, counts } = run;
  const isStatement = current.row.kind === "statement";
  const debits = lines.filter(({ line }) => isStatement && line.amount < 0n);
  const credits = lines.filter(({ line }) => line.amount > 0n);
  const matchOf = await matchByReference(
    run.matching,
    debits.map(({ line }) => line),
  );
  const payoutOf = await findReturned(run, credits);
  const isReturned = (one: NewLine) => isReturn(one.line, payoutOf.has(one));
  const depositOf = await findDeposits(
    run,
    credits.filter((one) => isStatement && !isReturned(one)).map(({ line }) => line),
  );
  const reported = credits.filter(
    (one) => isReturned(one) || (isStatement && !depositOf.has(one.line)),
  );
  const reports = await applyPage(
    run,
    reported.map((one) =>
      toReport(one.line, isReturned(one) ? "return" : "credit", {
        payoutId: payoutOf.get(one) ?? "",
        item: `${one.contentKey} ${one.occurrence}`,
      }),
    ),
  );
  if (isStatement) await mergeNotified(run, reports);
  const reportOf = new Map(reported.map((one, index) => [one, reports[index] as NewInboundLine]));

  const rows: StatementLineRow[] = [];
  const matches: MatchRow[] = [];
  for (const one of lines) {
    const { line, id } = one;
    const report = reportOf.get(one);
    const row = toRow(one, current.row);
    rows.push(row);
    if (report) {
      row.report_number = report.number;
      row.status = report.outcome === "suspended" ? "suspended" : "matched";
      if (report.payout_id !== null) matches.push(returnMatch(one, report));
      continue;
    }
    counts.lines += 1;
    const deposit = depositOf.get(line);
    if (deposit) run.fundings.push({ ...deposit, row });
    const match = line.amount < 0n && isStatement ? matchOf(line, id) : undefined;
    if (match) matches.push(match);
    else if (!deposit && isStatement) {
      run.openDebits.push({ row, accountKey: accountKeyOf(run.matching, line) });
    }
    row.status = match || deposit ? "matched" : isStatement ? "open" : "noted";
    counts[row.status === "matched" ? "applied" : "noted"] += 1;
  }
  await run.stored;
  run.stored = store();
  // Reported where it is awaited.
  run.stored.catch(() => {});

  async function store(): Promise<void> {
    await Promise.all([
      insertStatementLines(tx, connection.id, rows),
      insertMatches(tx, matches, madeBy(run)),
    ]);
  }
}

function madeBy({ connection, who, atMs }: InboundRun) {
  return { connectionId: connection.id, who, atMs };
}

/** Counts all, leaves out those that an earlier statement had, and sets those apart that one may have had. */
async function takeNew(
  run: StatementRun,
  { row, place }: OpenStatement,
  lines: readonly StatementLine[],
): Promise<{ taken: NewLine[]; doubtful: DoubtfulLine[] }> {
  const { tx, seal, connection, family, statements, known, counts } = run;
  const { kind, from_day: fromDay, to_day: toDay } = row;
  // A notification tells ahead what a statement books: its lines are not those of the statement.
  const scope = `${kind === "statement" ? "line" : "notified"} ${connection.id}`;
  // A statement that overlaps others is compared whole: meanwhile, others are served.
  const arrived = await mapInTurns(lines, (line): ArrivedLine => {
    const contentKey = shortHash(seal, `${scope} ${contentOf(line)}`);
    return { line, day: dayOf(line, row), contentKey };
  });
  // Lines of an earlier statement of this file are known too.
  await run.stored;
  const about = { family, place, fromDay, toDay, known: statements[kind] };
  const verdicts = await compareLines({ tx, connectionId: connection.id, kind, ...about }, arrived);
  await countKnown(run, arrived);
  const taken: NewLine[] = [];
  const doubtful: DoubtfulLine[] = [];
  let index = 0;
  for await (const { line, contentKey } of inTurns(arrived)) {
    const judged = verdicts[index++] ?? { verdict: "new" };
    row.lines += 1;
    if (judged.verdict === "repeated") {
      row.repeated += 1;
      counts.lines += 1;
      counts.repeated += 1;
      continue;
    }
    const occurrence = (known.get(contentKey) ?? 0) + 1;
    known.set(contentKey, occurrence);
    const one = { line, id: newId(), contentKey, occurrence };
    if (judged.verdict === "new") taken.push(one);
    else doubtful.push({ ...one, repeatsId: judged.repeatsId });
  }
  return { taken, doubtful };
}

async function countKnown(
  { tx, connection, known }: StatementRun,
  lines: readonly ArrivedLine[],
): Promise<void> {
  for (const page of inPages(lines)) {
    const keys = new Set(page.map(({ contentKey }) => contentKey));
    const unknown = [...keys].filter((key) => !known.has(key));
    if (unknown.length === 0) continue;
    const before = await countKnownLines(tx, connection.id, unknown);
    for (const key of unknown) known.set(key, before.get(key) ?? 0);
  }
}

/** The payouts that credits name: only a return carries our own reference. */
async function findReturned(
  { tx }: StatementRun,
  credits: readonly NewLine[],
): Promise<ReadonlyMap<NewLine, string>> {
  const idsOf = new Map(credits.map((one) => [one, idsIn(one.line)]));
  const ids = [...new Set([...idsOf.values()].flat())];
  if (ids.length === 0) return new Map();
  const sent = new Set((await findSentByPayout(tx, ids)).map(({ payout_id }) => payout_id));
  const found = new Map<NewLine, string>();
  for (const [one, given] of idsOf) {
    const [payoutId, ...others] = given.filter((id) => sent.has(id));
    if (payoutId !== undefined && others.length === 0) found.set(one, payoutId);
  }
  return found;
}

function returnMatch({ id, line }: NewLine, report: NewInboundLine): MatchRow {
  return newMatch({
    lineId: id,
    kind: "return",
    rule: "return_reference",
    reason: "the bank returns the payout",
    amount: line.amount,
    batchId: report.batch_id,
    subaccountId: report.subaccount_id,
    payoutId: report.payout_id,
  });
}

function toRow(
  { line, id, contentKey, occurrence }: NewLine,
  statement: StatementRow,
): StatementLineRow {
  return {
    id,
    connection_id: statement.connection_id,
    statement_id: statement.id,
    number: line.place.line,
    day: dayOf(line, statement),
    value_day: line.valueDay,
    amount: line.amount.toString(),
    currency: line.currency || statement.currency,
    code: cut(line.code),
    bank_reference: cut(line.bankReference),
    reference: cut(shownReference(line)),
    bank_text: cut(line.text),
    party: cut(line.partyName),
    account_tail: tailOf(line.partyAccount),
    content_key: contentKey,
    occurrence,
    report_number: null,
    status: "open",
    repeats_id: null,
  };
}

function dayOf({ day, valueDay }: StatementLine, { to_day }: StatementRow): string {
  return day || valueDay || to_day;
}

function cut(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").slice(0, limits.bankTextMax);
}

async function matchRest(run: StatementRun): Promise<void> {
  const { tx, matching, openDebits, counts } = run;
  const matches = await matchByFit(matching, openDebits);
  await insertMatches(tx, matches, madeBy(run));
  await setLineStatus(
    tx,
    matches.map(({ line_id }) => line_id),
    "matched",
  );
  counts.applied += matches.length;
  counts.noted -= matches.length;
}
