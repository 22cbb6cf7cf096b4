// Compares the lines that the service keeps of generated statements with the truth: each is kept once, and matched with
// what it is.

import { verifyLedger } from "../../src/money/ledger/verify.ts";
import type { LineTruth, Movement } from "./statement-movements.ts";
import type { SentMonth, SetupParts } from "./statements-setup.ts";

export type StatementsSeen = {
  payouts: number;
  files: Record<string, number>;
  lines: number;
  /** By how a line was made: how many there are, can be matched, and were matched as the truth says. */
  variants: Record<string, { lines: number; matchable: number; right: number }>;
  matchable: number;
  /** Of those that can be matched. */
  matched: number;
  /** Lines that were matched with something else than the truth. */
  wrong: number;
  complaints: string[];
};

export function nothingSeen(): StatementsSeen {
  return {
    payouts: 0,
    files: {},
    lines: 0,
    variants: {},
    matchable: 0,
    matched: 0,
    wrong: 0,
    complaints: [],
  };
}

/** At least this part of what can be matched has to be matched without a user. */
const matchedMin = 0.99;
const complaintsMax = 50;

/** After all accounts were compared: adds what is wrong with the whole. */
export async function judge({ db }: SetupParts, seen: StatementsSeen): Promise<void> {
  const { differences } = await verifyLedger(db);
  for (const difference of differences) seen.complaints.push(JSON.stringify(difference));
  if (seen.wrong > 0) seen.complaints.unshift(`${seen.wrong} lines were matched wrongly`);
  if (seen.matched < seen.matchable * matchedMin) {
    const text = `${seen.matched} of ${seen.matchable} lines that can be matched were matched`;
    seen.complaints.unshift(text);
  }
  seen.complaints.splice(complaintsMax);
}

type KeptLine = { bank_reference: string; day: string; amount: string; matches: string[] | null };

/** Lines that the bank itself can't tell apart are compared as a group. */
const keyOf = (bankReference: string, day: string, amount: string) =>
  bankReference || `${day} ${amount}`;

const truthText = (truth: LineTruth): string => {
  switch (truth.kind) {
    case "payout":
    case "return":
      return `${truth.kind} ${truth.payoutId}`;
    case "batch":
      return `batch ${truth.batchId}`;
    case "funding":
      return `fund ${truth.subaccountId}`;
    case "charge":
      // Only a user decides so.
      return "company by_user";
    case "unknown":
      return "";
  }
};

async function keptLines({ db }: SetupParts, connectionId: string, kind: string) {
  const { rows } = await db.pool.query<KeptLine>(
    `select l.bank_reference, l.day, l.amount,
       (select array_agg(m.kind || ' ' || coalesce(case m.kind when 'payout' then m.payout_id when 'return' then m.payout_id
          when 'batch' then m.batch_id when 'fund' then m.subaccount_id end::text, m.rule))
        from bank_match m where m.line_id = l.id and not m.is_undone and m.kind <> 'undo') as matches
     from bank_statement_line l join bank_statement s on s.id = l.statement_id
     where l.connection_id = $1 and s.kind = $2`,
    [connectionId, kind],
  );
  return rows;
}

export async function compareLines(
  parts: SetupParts,
  { account, connection }: SentMonth,
  movements: readonly Movement[],
  seen: StatementsSeen,
): Promise<void> {
  const truths = Map.groupBy(movements, ({ bankReference, day, amount }) =>
    keyOf(bankReference, day, String(amount)),
  );
  const rows = await keptLines(parts, connection.id, "statement");
  const kept = Map.groupBy(rows, ({ bank_reference, day, amount }) =>
    keyOf(bank_reference, day, amount),
  );
  const place = `${account.format} ${account.currency}`;
  for (const key of new Set([...truths.keys(), ...kept.keys()])) {
    const [expected, found] = [truths.get(key) ?? [], kept.get(key) ?? []];
    if (expected.length !== found.length) {
      seen.complaints.push(`${place}: ${found.length} of ${expected.length} lines ${key} are kept`);
    }
    compareGroup(expected, found, seen, `${place}: line ${key}`);
  }
  await compareNotified(parts, connection.id, truths, seen);
  await compareMoney(parts, connection, rows, seen);
}

function compareGroup(
  expected: readonly Movement[],
  found: readonly KeptLine[],
  seen: StatementsSeen,
  place: string,
): void {
  // Those that can be matched first, so that they get the matches of equal lines.
  const open = expected.toSorted((one, other) => Number(other.canMatch) - Number(one.canMatch));
  const right = new Set<Movement>();
  for (const { matches } of found) {
    if (!matches) continue;
    const text = matches.sort().join(" + ");
    const truth = open.find((one) => !right.has(one) && truthText(one.truth) === text);
    if (truth) right.add(truth);
    else {
      seen.wrong += 1;
      const made = expected.map(({ variant }) => variant).join(", ");
      seen.complaints.push(`${place} (${made}) was matched with ${text}`);
    }
  }
  for (const movement of expected) {
    const counts = seen.variants[movement.variant] ?? { lines: 0, matchable: 0, right: 0 };
    seen.variants[movement.variant] = counts;
    counts.lines += 1;
    if (right.has(movement)) counts.right += 1;
    if (!movement.canMatch) continue;
    counts.matchable += 1;
    seen.matchable += 1;
    if (right.has(movement)) seen.matched += 1;
  }
}

/** A notification books nothing but returns. */
async function compareNotified(
  parts: SetupParts,
  connectionId: string,
  truths: ReadonlyMap<string, readonly Movement[]>,
  seen: StatementsSeen,
): Promise<void> {
  for (const row of await keptLines(parts, connectionId, "notification")) {
    const [truth] = truths.get(keyOf(row.bank_reference, row.day, row.amount)) ?? [];
    const texts = row.matches ?? [];
    const isRight = texts.every(
      (text) => truth?.truth.kind === "return" && text === truthText(truth.truth),
    );
    if (isRight) continue;
    seen.wrong += 1;
    seen.complaints.push(`line ${row.bank_reference} of a notification was matched with ${texts}`);
  }
}

/** What was funded and what came back are exactly the lines that say so. */
async function compareMoney(
  { db }: SetupParts,
  { id, row }: SentMonth["connection"],
  lines: readonly KeptLine[],
  seen: StatementsSeen,
): Promise<void> {
  const of = (kind: string) =>
    lines.filter(({ matches }) => matches?.some((text) => text.startsWith(`${kind} `)));
  const funded = of("fund").reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const returned = new Set(of("return").flatMap(({ matches }) => matches)).size;
  const { rows } = await db.pool.query<{ funded: string; returned: string }>(
    `select coalesce((select sum(amount) from ledger_transfer
              where kind = 'fund' and reference <> 'first' and subaccount_id = any($1)), 0)::text as funded,
       (select count(*) from payout p join bank_batch_line l on l.subaccount_id = p.subaccount_id and l.payout_id = p.id
        join bank_batch b on b.id = l.batch_id where b.connection_id = $2 and p.stage = 'returned')::text as returned`,
    [row.subaccount_ids, id],
  );
  const found = rows[0];
  if (BigInt(found?.funded ?? 0) !== funded) {
    seen.complaints.push(`${row.name}: ${found?.funded} were funded, the lines say ${funded}`);
  }
  if (Number(found?.returned) !== returned) {
    seen.complaints.push(`${row.name}: ${found?.returned} came back, the lines say ${returned}`);
  }
}
