// Applies the statements of a file from a bank: keeps every line once, matches debits, returns payouts, funds subaccounts,
// and suspends credits that nothing explains.

import { tailOf } from "../../accounts/account.ts";
import type {
  StatementEnd,
  StatementLine,
  StatementRecord,
} from "../../bank-formats/statement-records.ts";
import { newId } from "../../ids.ts";
import { limits } from "../../limits.ts";
import { applyPage, type InboundRun } from "../inbound-page.ts";
import { findSentByPayout, type NewInboundLine } from "../inbound-queries.ts";
import { shortHash } from "../match-key.ts";
import { mergeNotified } from "../suspense.ts";
import { type ChainedStatement, isNext } from "./chain.ts";
import { findDeposits, fundByLines, type LineFunding } from "./fund-lines.ts";
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
  listStatements,
  type StatementLineRow,
  type StatementRow,
  setLineStatus,
} from "./queries.ts";
import { toChained } from "./to-chained.ts";

export type StatementRun = InboundRun & {
  matching: Matching;
  /** How often each content is known, by earlier files and by this one so far. */
  known: Map<string, number>;
  chain: ChainedStatement[];
  openDebits: OpenDebit[];
  fundings: LineFunding[];
  /** The last page is being stored while the next one is read. */
  stored: Promise<void>;
};

/** The statements of one connection. `ends` are all statements of the file, as a first reading found them. */
export async function applyStatements(
  run: InboundRun,
  records: Iterable<StatementRecord>,
  { ends, isOurs }: { ends: readonly StatementEnd[]; isOurs: (end: StatementEnd) => boolean },
): Promise<void> {
  const { tx, seal, connection } = run;
  // Within a file, a payout or a batch is paid once.
  const paid = { payouts: new Set<string>(), batches: new Map<string, bigint>() };
  const statements: StatementRun = {
    ...run,
    matching: { tx, seal, connection, paid },
    known: new Map(),
    chain: (await listStatements(tx, connection.id)).map(toChained),
    openDebits: [],
    fundings: [],
    stored: Promise.resolve(),
  };
  let place = 0;
  let current = open(statements, ends[0], place);
  let page: StatementLine[] = [];
  for (const record of records) {
    const end = ends[place];
    const isWanted = end !== undefined && isOurs(end);
    if (record.kind === "line") {
      if (isWanted) page.push(record);
      if (page.length === limits.bankPageMax) {
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
  /** It opens where the last one closed: all of its lines are new. */
  isNext: boolean;
  /** How often each content came in it. */
  seen: Map<string, number>;
};

function open(
  { connection, fileId, chain }: StatementRun,
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
  return { row, isNext: form === "statement" && isNext(toChained(row), chain), seen: new Map() };
}

async function close({ tx, chain }: StatementRun, { row }: OpenStatement): Promise<void> {
  await insertStatement(tx, row);
  if (row.kind === "statement") chain.push(toChained(row));
}

/** A line that no earlier statement had. */
type NewLine = { line: StatementLine; id: string; contentKey: string; occurrence: number };

async function applyLines(
  run: StatementRun,
  current: OpenStatement,
  page: readonly StatementLine[],
): Promise<void> {
  const { tx, connection, counts } = run;
  const lines = await takeNew(run, current, page);
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

/** Counts all, and leaves out those that an earlier statement had. */
async function takeNew(
  { tx, seal, connection, known, counts }: StatementRun,
  current: OpenStatement,
  page: readonly StatementLine[],
): Promise<NewLine[]> {
  // A notification tells ahead what a statement books: its lines are not those of the statement.
  const scope = `${current.row.kind === "statement" ? "line" : "notified"} ${connection.id}`;
  const keys = page.map((line) => shortHash(seal, `${scope} ${contentOf(line)}`));
  const unknown = [...new Set(keys.filter((key) => !known.has(key)))];
  const before = unknown.length === 0 ? known : await countKnownLines(tx, connection.id, unknown);
  for (const key of unknown) known.set(key, before.get(key) ?? 0);
  const taken: NewLine[] = [];
  for (const [index, line] of page.entries()) {
    const contentKey = keys[index] as string;
    const times = known.get(contentKey) ?? 0;
    const seen = (current.seen.get(contentKey) ?? 0) + 1;
    current.seen.set(contentKey, seen);
    current.row.lines += 1;
    if (!current.isNext && seen <= times) {
      current.row.repeated += 1;
      counts.lines += 1;
      counts.repeated += 1;
      continue;
    }
    known.set(contentKey, times + 1);
    taken.push({ line, id: newId(), contentKey, occurrence: times + 1 });
  }
  return taken;
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
    day: line.day || line.valueDay || statement.to_day,
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
  };
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
