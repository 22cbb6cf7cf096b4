// Months with known truth: what banks deliver about them is applied, a user decides what only a user can, and the month closes
// with each movement booked once.

import { returnSuspense } from "../../src/banking/answers/suspense.ts";
import { applyInbound } from "../../src/banking/inbound-files/inbound.ts";
import {
  closeBankMonth,
  listClosingRefusals,
  takeOpeningBalance,
} from "../../src/banking/statements/close-month.ts";
import {
  decideRepetition,
  giveLinesToCompany,
  type LineDecision,
  matchLines,
} from "../../src/banking/statements/decide.ts";
import { listOverdue } from "../../src/banking/statements/overdue.ts";
import { listDoubtfulLines, listOpenLines } from "../../src/banking/statements/queries.ts";
import { settleDue } from "../../src/banking/worker/worker.ts";
import { fund } from "../../src/money/ledger/fund.ts";
import { reverseFunding } from "../../src/money/ledger/reverse.ts";
import { verifyLedger } from "../../src/money/ledger/verify.ts";
import { Refusal } from "../../src/platform/refusals/refusals.ts";
import { type Draw, drawOf } from "./seeded-draw.ts";
import { weekdaysOf } from "./statement-days.ts";
import { deliver, toDays } from "./statement-deliveries.ts";
import { type Movement, makeMovements } from "./statement-movements.ts";
import { accountPlans } from "./statement-plan.ts";
import { type SentMonth, type SetupParts, sendMonth } from "./statements-setup.ts";

export type MonthsSeen = {
  months: number;
  movements: number;
  deliveries: Record<string, number>;
  /** What users decided, and why closing was refused before. */
  decisions: Record<string, number>;
  refusals: Record<string, number>;
  complaints: string[];
};

export const noMonthsSeen = (): MonthsSeen => ({
  months: 0,
  movements: 0,
  deliveries: {},
  decisions: {},
  refusals: {},
  complaints: [],
});

/** The accounts of one database: each is a month of its own. */
export const monthsInDatabase = accountPlans.length;

const month = "2026-09";
const dayMs = 86_400_000;
const endMs = Date.parse("2026-10-20");

const firstId = "00000000-0000-0000-0000-000000000000";
const keyOf = ({ day, amount }: { day: string; amount: string | bigint }) => `${day} ${amount}`;

export async function runMonths(
  parts: SetupParts,
  { seed, months }: { seed: number; months: number },
  seen: MonthsSeen,
): Promise<void> {
  for (let index = 0; index < months; index += 1) await runMonth(parts, index, seed + index, seen);
  const { differences } = await verifyLedger(parts.db);
  for (const one of differences) seen.complaints.push(`${seed}: ${JSON.stringify(one)}`);
}

type MonthRun = SentMonth &
  SetupParts & {
    draw: Draw;
    movements: Movement[];
    seen: MonthsSeen;
    complain: (text: string) => void;
  };

async function runMonth(
  parts: SetupParts,
  index: number,
  seed: number,
  seen: MonthsSeen,
): Promise<void> {
  const draw = drawOf(seed);
  const weekdays = weekdaysOf(month);
  const days = weekdays.slice(0, -8).filter(() => draw.number() < 0.2);
  const size = {
    lines: 60,
    days: days.length > 0 ? days : [weekdays[0] as string],
    payees: 3,
    seed,
  };
  const sent = await sendMonth(parts, index, { ...size, filesOfDay: 1 });
  const isSwept = draw.number() < 0.3;
  if (isSwept) sent.account.opening = 0n;
  const movements = withEnd(sent, makeMovements(sent.account, seed), isSwept);
  const complain = (text: string) => seen.complaints.push(`seed ${seed}: ${text}`);
  const run: MonthRun = { ...parts, ...sent, draw, movements, seen, complain };
  seen.months += 1;
  seen.movements += movements.length;
  const wrong = draw.number() < 0.3 ? await fundByHand(run) : undefined;
  await receive(run);
  await checkKept(run, "at most");
  await settleDue(parts, sent.connection, endMs);
  await expectRefused(run, "before decisions");
  await decideAll(run);
  if (wrong) {
    const code = await expectRefused(run, "with a funding that never came");
    if (code !== "BANK492") complain(`a funding that never came gave ${code}`);
    await reverseFunding(parts.db, { ...wrong, reason: "never came", who: "test", atMs: endMs });
  }
  await checkKept(run, "exactly");
  await checkMoney(run);
  await close(run);
}

/** A charge on the last banking day, so that there is a statement of it; and where it is swept, each day ends with nothing. */
function withEnd({ account }: SentMonth, made: readonly Movement[], isSwept: boolean): Movement[] {
  const last = weekdaysOf(month).at(-1) as string;
  const [any] = made as [Movement];
  const plain = { ...any, entry: 0, reference: "", messageId: "", partyName: "", partyAccount: "" };
  const own = {
    ...plain,
    truth: { kind: "charge" } as const,
    variant: "bank charge",
    canMatch: false,
  };
  const fee = { ...own, day: last, valueDay: last, amount: -101n, code: "charge" as const };
  const inMonth = made.filter(({ day }) => day <= last);
  const all: Movement[] = [...inMonth, { ...fee, text: "ACCOUNT FEE", bankReference: "" }];
  if (!isSwept) return all;
  const days = toDays(account, all);
  return days.flatMap(({ day, movements }) => {
    const sum = movements.reduce((total, { amount }) => total + amount, 0n);
    if (sum === 0n) return movements;
    const sweep = { ...own, day, valueDay: day, amount: -sum, code: "payment" as const };
    const code = sum < 0n ? ("deposit" as const) : sweep.code;
    return [...movements, { ...sweep, code, text: "SWEEP", bankReference: "" }];
  });
}

async function fundByHand({ db, account, connection }: MonthRun) {
  const [{ subaccountId = "" } = {}] = account.depositors;
  const money = {
    subaccountId,
    currency: account.currency,
    amount: 6_000_000n,
    reference: "by hand",
  };
  const at = { who: "test", atMs: Date.parse(`${month}-03`), rail: connection.rail };
  const transferId = await db.transaction((tx) => fund(tx, { ...money, ...at }));
  return { subaccountId, transferId };
}

async function receive({ db, seal, account, connection, movements, draw, seen }: MonthRun) {
  const days = toDays(account, movements);
  for (const [index, { how, day, text }] of deliver(account, days, draw).entries()) {
    seen.deliveries[how] = (seen.deliveries[how] ?? 0) + 1;
    const atMs = Date.parse(day) + dayMs / 4;
    const request = { name: `${index}.txt`, connection, who: "operator:a", atMs };
    await applyInbound({ db, seal }, Buffer.from(text), request);
  }
}

async function keptLines({ db, connection }: MonthRun) {
  const { rows } = await db.pool.query<{ day: string; amount: string; status: string }>(
    `select l.day, l.amount, l.status from bank_statement_line l join bank_statement s on s.id = l.statement_id
     where l.connection_id = $1 and s.kind = 'statement' and l.status not in ('doubtful', 'repeated')`,
    [connection.id],
  );
  return rows;
}

async function checkKept(run: MonthRun, how: "at most" | "exactly"): Promise<void> {
  const truth = Map.groupBy(run.movements, keyOf);
  const kept = Map.groupBy(await keptLines(run), keyOf);
  for (const key of new Set([...truth.keys(), ...kept.keys()])) {
    const [expected, found] = [truth.get(key)?.length ?? 0, kept.get(key)?.length ?? 0];
    if (found > expected || (how === "exactly" && found < expected)) {
      run.complain(`${found} lines ${key} are in the books, ${how} ${expected} should be`);
    }
  }
}

async function expectRefused(run: MonthRun, when: string): Promise<string> {
  const { db, connection, seen, complain } = run;
  const [refusal] = await listClosingRefusals(db, { connection, month, atMs: endMs });
  const code = refusal?.problems[0].code ?? "none";
  seen.refusals[`${when}: ${code}`] = (seen.refusals[`${when}: ${code}`] ?? 0) + 1;
  if (!refusal) complain(`the month can be closed ${when}`);
  return code;
}

/** As a user who knows the truth. */
async function decideAll(run: MonthRun): Promise<void> {
  const { db, connection, seen, movements } = run;
  const count = (what: string) => {
    seen.decisions[what] = (seen.decisions[what] ?? 0) + 1;
  };
  const deciding = (lineIds: string[]) => ({
    lineIds,
    reason: "known",
    who: "u",
    atMs: endMs - dayMs,
  });
  const page = { connectionId: connection.id, afterId: firstId, limit: 1000 };
  for (const line of await listDoubtfulLines(db, page)) {
    const expected = movements.filter((one) => keyOf(one) === keyOf(line)).length;
    const found = (await keptLines(run)).filter((one) => keyOf(one) === keyOf(line)).length;
    const isRepeated = found >= expected;
    count(isRepeated ? "repeats another line" : "is new");
    await db.transaction((tx) => decideRepetition(tx, { isRepeated }, deciding([line.id])));
  }
  const left = new Set(movements);
  for (const line of await listOpenLines(db, page)) {
    const decision = deciding([line.id]);
    const alike = [...left].filter((one) => keyOf(one) === keyOf(line));
    const paid = await matchOne(run, alike, decision);
    if (paid) left.delete(paid);
    else await db.transaction((tx) => giveLinesToCompany(tx, decision));
    count(paid ? "matched by hand" : "the company's own");
  }
  const taking = { connection, who: "u", atMs: endMs - dayMs };
  await db.transaction((tx) => takeOpeningBalance(tx, taking)).catch(() => 0n);
  await returnTold(run, count);
}

/** With the first that is not paid yet: lines of one amount and day stand for each other. */
async function matchOne(
  { db }: MonthRun,
  movements: readonly Movement[],
  decision: LineDecision,
): Promise<Movement | undefined> {
  for (const movement of movements) {
    const { truth } = movement;
    const payoutIds = truth.kind === "payout" ? [truth.payoutId] : [];
    const batchIds = truth.kind === "batch" ? [truth.batchId] : [];
    if (payoutIds.length + batchIds.length === 0) continue;
    try {
      await db.transaction((tx) => matchLines(tx, { payoutIds, batchIds }, decision));
      return movement;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return undefined;
}

/** What a notification told and a statement booked under other words is in suspense twice. */
async function returnTold({ db, connection }: MonthRun, count: (what: string) => void) {
  for (const { item } of await listOverdue(db, connection)) {
    const [kind, fileId, number] = item.split(":");
    if (kind !== "report") continue;
    const { rows } = await db.pool.query<{ id: string }>(
      "select id from bank_suspense_item where file_id = $1 and number = $2 and status = 'open'",
      [fileId, Number(number)],
    );
    for (const { id } of rows) {
      count("told by a notification before");
      const deciding = { id, reason: "told twice", who: "u", atMs: endMs - dayMs };
      await db.transaction((tx) => returnSuspense(tx, deciding));
    }
  }
}

/** What funded subaccounts, and which payouts came back, each once. */
async function checkMoney({ db, account, connection, movements, complain }: MonthRun) {
  const { rows } = await db.pool.query<{ funded: string; posted: string; returned: string }>(
    `select coalesce((select sum(m.amount) from bank_match m
              where m.connection_id = $1 and m.kind = 'fund' and not m.is_undone), 0)::text as funded,
       coalesce((select sum(amount) from ledger_transfer where kind = 'fund' and reference not in ('first', 'by hand')
              and subaccount_id = any($2)), 0)::text as posted,
       (select count(*) from payout p where p.rail = $3 and p.stage = 'returned')::text as returned`,
    [connection.id, account.depositors.map(({ subaccountId }) => subaccountId), connection.rail],
  );
  const [found] = rows;
  if (!found) return;
  const deposits = movements.filter(({ truth, canMatch }) => truth.kind === "funding" && canMatch);
  const expected = deposits.reduce((sum, { amount }) => sum + amount, 0n);
  if (found.funded !== found.posted) complain(`${found.posted} were funded by ${found.funded}`);
  if (BigInt(found.funded) > expected) complain(`${found.funded} were funded, not ${expected}`);
  const back = movements.filter(({ truth }) => truth.kind === "return");
  const returned = Number(found.returned);
  if (returned > back.length) complain(`${returned} payouts came back, not ${back.length}`);
  for (const { truth, amount, variant } of back.filter(({ canMatch }) => canMatch)) {
    const payoutId = truth.kind === "return" ? truth.payoutId : "";
    // BAI2 and CSV name no account, so a return that only the account tells waits for a user there.
    const mayWait = variant.endsWith("account and text");
    const { rowCount } = await db.pool.query(
      `select from payout where id = $1 and stage = 'returned'
       union all
       select from bank_suspense_item where $4 and connection_id = $2 and amount = $3 and status = 'open'`,
      [payoutId, connection.id, amount, mayWait],
    );
    if (!rowCount) complain(`the return of ${payoutId} is neither booked nor open`);
  }
}

async function close({ db, account, connection, movements, complain }: MonthRun): Promise<void> {
  const closing = { connection, month, who: "u", atMs: endMs };
  const expected = movements.reduce((sum, { amount }) => sum + amount, account.opening);
  try {
    const { bank } = await db.transaction((tx) => closeBankMonth(tx, closing));
    if (BigInt(bank) !== expected) complain(`closed with ${bank} at the bank, not ${expected}`);
  } catch (error) {
    complain(`the month can't be closed: ${(error as Error).message}`);
  }
}
