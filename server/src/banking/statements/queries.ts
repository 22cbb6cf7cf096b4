// The SQL of bank statements and their lines.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

export type StatementRow = {
  id: string;
  connection_id: string;
  file_id: string;
  number: number;
  kind: "statement" | "notification";
  bank_id: string;
  sequence: string;
  currency: string;
  from_day: string;
  to_day: string;
  opening: string | null;
  closing: string | null;
  lines: number;
  repeated: number;
};

const statementColumns = `id, connection_id, file_id, number, kind, bank_id, sequence, currency, from_day, to_day, opening,
  closing, lines, repeated`;

const insertOne = statement<never>(
  "bank-statement-insert",
  `insert into bank_statement (${statementColumns})
   select ${statementColumns} from json_populate_record(null::bank_statement, $1)`,
);

export async function insertStatement(tx: Tx, row: StatementRow): Promise<void> {
  await tx.run(insertOne, [JSON.stringify(row)]);
}

const listInOrder = statement<StatementRow>(
  "bank-statements-in-order",
  // One that only repeats lines of others is in no chain.
  `select ${statementColumns} from bank_statement
   where connection_id = $1 and kind = 'statement' and to_day >= $2 and to_day <= $3
     and (lines = 0 or repeated < lines)
   order by to_day, id`,
);

/** Those that brought something new, in the order of their days. */
export function listStatements(
  db: Runner,
  connectionId: string,
  { fromDay = "", toDay = "9999" }: { fromDay?: string; toDay?: string } = {},
): Promise<StatementRow[]> {
  return db.run(listInOrder, [connectionId, fromDay, toDay]);
}

const findOfOthers = statement<{ connection_id: string; to_day: string }>(
  "bank-statement-of-days",
  `select connection_id, to_day from bank_statement
   where connection_id = any($1) and kind = 'statement' and currency = $2
     and to_day >= $3 and coalesce(nullif(from_day, ''), to_day) <= $4
   order by to_day desc limit 1`,
);

type StatementDays = { currency: string; fromDay: string; toDay: string };

/** The last statement of these connections that has any of the days. */
export async function findStatementOfDays(
  tx: Tx,
  connectionIds: readonly string[],
  { currency, fromDay, toDay }: StatementDays,
): Promise<{ connection_id: string; to_day: string } | undefined> {
  if (connectionIds.length === 0) return undefined;
  return (await tx.run(findOfOthers, [connectionIds, currency, fromDay, toDay]))[0];
}

const listNewest = statement<StatementRow & { file_name: string; received_at_ms: string }>(
  "bank-statements",
  `select ${statementColumns.replaceAll(/\b(?=\w)/g, "s.")}, f.name as file_name, f.received_at_ms
   from bank_statement s join bank_inbound_file f on f.id = s.file_id
   where ($1::uuid is null or s.connection_id = $1) and s.id < $2 order by s.id desc limit $3`,
);

/** Newest first. */
export function listStatementPage(
  db: Runner,
  page: { connectionId: string | undefined; beforeId: string; limit: number },
) {
  return db.run(listNewest, [page.connectionId ?? null, page.beforeId, page.limit]);
}

const listAll = statement<StatementRow & { format: string }>(
  "bank-statements-known",
  `select ${statementColumns.replaceAll(/\b(?=\w)/g, "s.")}, f.format
   from bank_statement s join bank_inbound_file f on f.id = s.file_id
   where s.connection_id = $1 and s.kind = $2 order by s.to_day, s.id`,
);

/** Also those that only repeat others, with the format of their file. */
export function listKnownStatements(
  tx: Tx,
  connectionId: string,
  kind: StatementRow["kind"],
): Promise<(StatementRow & { format: string })[]> {
  return tx.run(listAll, [connectionId, kind]);
}

/** doubtful: it may repeat another line, and a user has to decide. repeated: a user said that it does. */
export type LineStatus = "open" | "matched" | "suspended" | "noted" | "doubtful" | "repeated";

export type StatementLineRow = {
  id: string;
  connection_id: string;
  statement_id: string;
  number: number;
  day: string;
  value_day: string;
  amount: string;
  currency: string;
  code: string;
  bank_reference: string;
  reference: string;
  bank_text: string;
  party: string;
  account_tail: string;
  content_key: string;
  occurrence: number;
  report_number: number | null;
  status: LineStatus;
  /** The line that a doubtful or repeated one may repeat; null where it is not known which. */
  repeats_id: string | null;
};

const lineTypes = {
  id: "uuid",
  statement_id: "uuid",
  number: "int",
  day: "text",
  value_day: "text",
  amount: "bigint",
  currency: "text",
  code: "text",
  bank_reference: "text",
  reference: "text",
  bank_text: "text",
  party: "text",
  account_tail: "text",
  content_key: "text",
  occurrence: "int",
  report_number: "int",
  status: "text",
  repeats_id: "uuid",
} as const satisfies Record<Exclude<keyof StatementLineRow, "connection_id">, string>;
const lineNames = Object.keys(lineTypes) as (keyof typeof lineTypes)[];
const lineColumns = `connection_id, ${lineNames.join(", ")}`;

const insertMany = statement<never>(
  "bank-statement-lines-insert",
  `insert into bank_statement_line (${lineColumns})
   select $1, l.* from unnest(${Object.values(lineTypes)
     .map((type, index) => `$${index + 2}::${type}[]`)
     .join(", ")}) l`,
);

export async function insertStatementLines(
  tx: Tx,
  connectionId: string,
  lines: readonly StatementLineRow[],
): Promise<void> {
  if (lines.length === 0) return;
  const values = lineNames.map((name) => lines.map((line) => line[name]));
  await tx.run(insertMany, [connectionId, ...values]);
}

const findOccurrences = statement<{ content_key: string; occurrence: number }>(
  "bank-statement-occurrences",
  `select known.content_key, known.occurrence from unnest($2::text[]) input(content_key)
   cross join lateral (
     select content_key, occurrence from bank_statement_line
     where connection_id = $1 and content_key = input.content_key order by occurrence desc limit 1
   ) known`,
);

/** How often each content is known. */
export async function countKnownLines(
  tx: Tx,
  connectionId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.run(findOccurrences, [connectionId, keys]);
  return new Map(rows.map(({ content_key, occurrence }) => [content_key, occurrence]));
}

const listOfDays = statement<StatementLineRow & { format: string }>(
  "bank-statement-lines-of-days",
  `select ${lineColumns.replaceAll(/\b(?=\w)/g, "l.")}, f.format
   from bank_statement_line l
   cross join lateral (select * from bank_statement where id = l.statement_id limit 1) s
   cross join lateral (select * from bank_inbound_file where id = s.file_id limit 1) f
   where l.connection_id = $1 and s.kind = $2 and l.day >= $3 and l.day <= $4 and l.status <> 'repeated' order by l.id`,
);

/** What is known of some days, with the format that each line came in. */
export function listLinesOfDays(
  tx: Tx,
  connectionId: string,
  { kind, fromDay, toDay }: { kind: StatementRow["kind"]; fromDay: string; toDay: string },
): Promise<(StatementLineRow & { format: string })[]> {
  return tx.run(listOfDays, [connectionId, kind, fromDay, toDay]);
}

const findOne = statement<StatementLineRow>(
  "bank-statement-line",
  `select ${lineColumns} from bank_statement_line where id = $1`,
);

export async function findLine(db: Runner, id: string): Promise<StatementLineRow | undefined> {
  return (await db.run(findOne, [id]))[0];
}

const lockOne = statement<StatementLineRow>(
  "bank-statement-line-lock",
  `select ${lineColumns} from bank_statement_line where id = $1 for update`,
);

export async function lockLine(tx: Tx, id: string): Promise<StatementLineRow | undefined> {
  return (await tx.run(lockOne, [id]))[0];
}

const setMany = statement<never>(
  "bank-statement-lines-set",
  "update bank_statement_line set status = $2 where id = any($1)",
);

export async function setLineStatus(
  tx: Tx,
  ids: readonly string[],
  status: LineStatus,
): Promise<void> {
  if (ids.length > 0) await tx.run(setMany, [ids, status]);
}

const listPage = statement<StatementLineRow>(
  "bank-statement-lines",
  `select ${lineColumns} from bank_statement_line
   where statement_id = $1 and number > $2 order by number limit $3`,
);

/** The lines of a statement, in their order. */
export function listStatementLines(
  db: Runner,
  page: { statementId: string; afterNumber: number; limit: number },
): Promise<StatementLineRow[]> {
  return db.run(listPage, [page.statementId, page.afterNumber, page.limit]);
}

const listOpen = statement<StatementLineRow>(
  "bank-statement-lines-open",
  `select ${lineColumns} from bank_statement_line
   where connection_id = $1 and status = 'open' and id > $2 order by id limit $3`,
);

const listDoubtful = statement<StatementLineRow>(
  "bank-statement-lines-doubtful",
  `select ${lineColumns} from bank_statement_line
   where connection_id = $1 and status = 'doubtful' and id > $2 order by id limit $3`,
);

/** Lines that may repeat others, oldest first. */
export function listDoubtfulLines(
  db: Runner,
  page: { connectionId: string; afterId: string; limit: number },
): Promise<StatementLineRow[]> {
  return db.run(listDoubtful, [page.connectionId, page.afterId, page.limit]);
}

/** Lines that nothing explains yet, oldest first. */
export function listOpenLines(
  db: Runner,
  page: { connectionId: string; afterId: string; limit: number },
): Promise<StatementLineRow[]> {
  return db.run(listOpen, [page.connectionId, page.afterId, page.limit]);
}

const countLike = statement<{ amount: string; day: string; lines: string }>(
  "bank-statement-lines-like",
  `select input.amount, input.day,
          (select count(*) from bank_statement_line l
           where l.connection_id = $1 and l.day = input.day and l.amount = input.amount and l.status = 'open') as lines
   from unnest($2::bigint[], $3::text[]) input(amount, day)`,
);

/** How many open lines have the same amount and day, by `amount day`. */
export async function countOpenLike(
  tx: Tx,
  connectionId: string,
  lines: readonly Pick<StatementLineRow, "amount" | "day">[],
): Promise<ReadonlyMap<string, number>> {
  if (lines.length === 0) return new Map();
  const rows = await tx.run(countLike, [
    connectionId,
    lines.map(({ amount }) => amount),
    lines.map(({ day }) => day),
  ]);
  return new Map(rows.map(({ amount, day, lines: count }) => [`${amount} ${day}`, Number(count)]));
}

const nextReport = statement<{ file_id: string; number: number }>(
  "bank-statement-report-number",
  `select s.file_id, greatest(f.lines, coalesce((
            select max(i.number) from bank_inbound_line i where i.file_id = s.file_id), 0)) + 1 as number
   from bank_statement s join bank_inbound_file f on f.id = s.file_id where s.id = $1`,
);

/** A number for one more report of the statement's file. Under the lock of the connection. */
export async function takeReportNumber(
  tx: Tx,
  statementId: string,
): Promise<{ fileId: string; number: number }> {
  const [row] = await tx.run(nextReport, [statementId]);
  if (!row) throw new Error("a statement has a file");
  return { fileId: row.file_id, number: row.number };
}

const setReport = statement<never>(
  "bank-statement-line-report",
  "update bank_statement_line set report_number = $2, status = 'suspended' where id = $1",
);

export async function setLineReport(tx: Tx, id: string, reportNumber: number): Promise<void> {
  await tx.run(setReport, [id, reportNumber]);
}

const countUndecided = statement<{ open: string; doubtful: string }>(
  "bank-statement-lines-count-undecided",
  `select count(*) filter (where l.status = 'open') as open, count(*) filter (where l.status = 'doubtful') as doubtful
   from bank_statement_line l join bank_statement s on s.id = l.statement_id
   where l.connection_id = $1 and (l.status = 'open' or l.status = 'doubtful')
     and (s.to_day <= $2 or (l.status = 'doubtful' and l.day <= $2))`,
);

/** On statements that end on this day or before, and lines of these days that may repeat others. */
export async function countUndecidedLines(
  db: Runner,
  connectionId: string,
  toDay: string,
): Promise<{ open: number; doubtful: number }> {
  const [row] = await db.run(countUndecided, [connectionId, toDay]);
  return { open: Number(row?.open ?? 0), doubtful: Number(row?.doubtful ?? 0) };
}

const countRepeated = statement<never>(
  "bank-statement-count-repeated",
  "update bank_statement set repeated = repeated + $2 where id = $1",
);

/** After a user has said that a line repeats another, or has taken that back. */
export async function addRepeated(tx: Tx, statementId: string, lines: 1 | -1): Promise<void> {
  await tx.run(countRepeated, [statementId, lines]);
}

const sumDays = statement<{ day: string; amount: string }>(
  "bank-statement-lines-sum-days",
  `select l.day, sum(l.amount)::bigint as amount from bank_statement_line l join bank_statement s on s.id = l.statement_id
   where l.connection_id = $1 and s.kind = 'statement' and l.status not in ('doubtful', 'repeated') group by l.day`,
);

/** What the lines of each day come to. */
export async function sumLinesOfDays(
  db: Runner,
  connectionId: string,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.run(sumDays, [connectionId]);
  return new Map(rows.map(({ day, amount }) => [day, BigInt(amount)]));
}
