// A movement is booked once, whatever the bank sends: in two formats, repeated under another id, overlapping, swept to zero.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { fundBySuspense } from "../../../src/banking/answers/suspense.ts";
import { saveCsvMapping } from "../../../src/banking/connections/csv-mapping.ts";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { closeBankMonth } from "../../../src/banking/statements/close-month.ts";
import { decideRepetition, undoLine } from "../../../src/banking/statements/decide.ts";
import { listExceptions } from "../../../src/banking/statements/exceptions.ts";
import { judgeLines } from "../../../src/banking/statements/repetition.ts";
import type { Tx } from "../../../src/platform/db/connect.ts";
import type { Movement } from "../../scenarios/statement-movements.ts";
import {
  csvMappingOfGenerated,
  type StatementOf,
  writeBai2,
  writeCamt,
  writeCsv,
} from "../../scenarios/statement-writers.ts";
import { abaReturns } from "../../support/aba-returns.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startBankTest } from "../../support/inbound-setup.ts";
import { decisionOf, newStatementTest } from "../../support/statements-setup.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

const decide = <T>(work: (tx: Tx) => Promise<T>) => bank.db.transaction(work);
const [monday, tuesday, wednesday] = ["2026-03-02", "2026-03-03", "2026-03-04"] as const;

type Given = Partial<Omit<Movement, "amount">> & { amount: number; day: string };
type Written = Partial<Omit<StatementOf, "movements">> & { movements: Given[] };

/** A connection whose bank writes every format. */
async function newBank() {
  const statements = await newStatementTest(bank);
  const { connection, account } = statements;
  const saving = { input: csvMappingOfGenerated, who: "operator:admin", atMs: Date.now() };
  await decide((tx) => saveCsvMapping(tx, connection.id, saving));
  const start = await statements.available();
  let files = 0;
  const of = ({ movements, ...given }: Written): StatementOf => {
    files += 1;
    return {
      number: account,
      currency: "AUD",
      messageId: `M${files}`,
      statementId: `S${files}`,
      opening: 0n,
      ...given,
      movements: movements.map(toMovement),
    };
  };
  const apply = (text: string) => bank.apply(text, connection);
  return {
    ...statements,
    camt: (written: Written) => apply(writeCamt("camt.053.001.08", of(written))),
    bai2: (written: Written) => apply(writeBai2({ ...of(written), sequence: files })),
    csv: (written: Written) => apply(writeCsv(of(written))),
    funded: async () => (await statements.available()) - start,
    kinds: async (nowMs = Date.parse(wednesday)) =>
      (await listExceptions(bank.db, connection, nowMs)).map(({ kind }) => kind),
  };
}

function toMovement({ amount, day, ...given }: Given): Movement {
  return {
    day,
    valueDay: day,
    amount: BigInt(amount),
    bankReference: "",
    code: amount > 0 ? "deposit" : "payment",
    reference: "",
    messageId: "",
    partyName: "",
    partyAccount: "",
    text: "",
    entry: 0,
    truth: { kind: "unknown" },
    variant: "",
    canMatch: false,
    ...given,
  };
}

test("a day that comes as camt.053, as CSV and as BAI2 funds each deposit once, and equal ones each once", async () => {
  const { deposit, camt, csv, bai2, funded, kinds } = await newBank();
  const text = `DEPOSIT ${await deposit()}`;
  const movements: Given[] = [
    { amount: 500, day: monday, text, reference: "E2E-1", partyName: "Acme" },
    { amount: 500, day: monday, text, reference: "E2E-1", partyName: "Acme" },
    { amount: 70, day: monday, text: "no reference" },
    { amount: -20, day: monday, text: "ACCOUNT FEE", code: "charge" },
  ];
  await camt({ movements });
  expect(await funded()).toBe(1_000);
  // CSV without the payer's reference, in upper case, and BAI2 with other words.
  const shouted = movements.map((one) => ({
    ...one,
    reference: "",
    text: one.text?.toUpperCase() ?? "",
  }));
  expect(await csv({ movements: shouted })).toMatchObject({ lines: 4, repeated: 4 });
  const other = movements.map((one) => ({ ...one, text: `${one.text} 0099` }));
  expect(await bai2({ movements: other })).toMatchObject({ lines: 4, repeated: 4 });
  expect(await funded()).toBe(1_000);
  expect(await kinds()).toEqual(["line", "suspense"]);
});

test("a statement of an account that is swept to zero is booked once, also when it comes again under another id", async () => {
  const { deposit, camt, funded, kinds, lines } = await newBank();
  const movements: Given[] = [
    { amount: 900, day: monday, text: await deposit() },
    { amount: -900, day: monday, text: "SWEEP" },
  ];
  await camt({ movements });
  expect(await camt({ movements })).toMatchObject({ repeated: 2 });
  expect(await camt({ movements, statementId: "AGAIN" })).toMatchObject({ repeated: 2 });
  expect(await funded()).toBe(900);
  expect(await lines()).toHaveLength(2);
  expect(await kinds()).toEqual(["line"]);
});

test("an export of Monday, then one of Monday and Tuesday, funds Monday once; the overlap is explained", async () => {
  const { deposit, csv, funded, position, kinds } = await newBank();
  const text = await deposit();
  const first = { amount: 300, day: monday, text };
  await csv({ movements: [first] });
  const both = [first, { amount: 300, day: tuesday, text }];
  expect(await csv({ movements: both })).toMatchObject({ repeated: 1, applied: 1 });
  expect(await funded()).toBe(600);
  expect(await kinds()).toEqual([]);
  expect((await position()).problems).toEqual([]);
});

test("the day so far and then the whole day: what is known is repeated, what is more is new", async () => {
  const { deposit, camt, funded, position } = await newBank();
  const text = await deposit();
  const first = { amount: 300, day: monday, text };
  await camt({ movements: [first] });
  expect(await camt({ movements: [first, first] })).toMatchObject({ repeated: 1, applied: 1 });
  expect(await funded()).toBe(600);
  expect(await position()).toMatchObject({ unexplained: 0n, problems: [] });
});

test("a format that knows only the value day repeats the line of the booking day", async () => {
  const { deposit, camt, csv, funded } = await newBank();
  const text = await deposit();
  await camt({ movements: [{ amount: 300, day: monday, valueDay: tuesday, text }] });
  expect(await csv({ movements: [{ amount: 300, day: tuesday, text }] })).toMatchObject({
    repeated: 1,
  });
  expect(await funded()).toBe(300);
});

test("lines that were kept by an earlier version are known by what they say", async () => {
  const { deposit, camt, csv, funded, connection } = await newBank();
  const movements = [{ amount: 300, day: monday, text: await deposit() }];
  await camt({ movements });
  await bank.db.pool.query(
    "update bank_statement_line set content_key = 'other' || content_key where connection_id = $1",
    [connection.id],
  );
  expect(await csv({ movements })).toMatchObject({ repeated: 1 });
  expect(await funded()).toBe(300);
});

test("the sum of a file's deposits in one format and its parts in another are in doubt, and never booked twice", async () => {
  const { deposit, camt, csv, funded, kinds, lines } = await newBank();
  const text = await deposit();
  const parts = [
    { amount: 100, day: monday, text, entry: 1 },
    { amount: 200, day: monday, text, entry: 1 },
  ];
  await camt({ movements: parts });
  await csv({ movements: [{ amount: 300, day: monday, text }] });
  expect(await funded()).toBe(300);
  expect(await kinds()).toEqual(["repetition"]);
  expect((await lines()).map(({ status }) => status)).toEqual(["matched", "matched", "doubtful"]);
});

test("a line in doubt blocks the month until a user decides, and is booked by that decision alone", async () => {
  const statements = await newBank();
  const { deposit, camt, funded, kinds, lines, connection, payer } = statements;
  const text = await deposit();
  const movements = [{ amount: 400, day: "2026-03-31", text }];
  await camt({ movements });
  // It opens where the first one closed, without a number: an equal deposit, or the same one.
  await camt({ movements, opening: 400n });
  expect(await funded()).toBe(400);
  const nowMs = Date.parse("2026-04-02");
  expect(await kinds(nowMs)).toEqual(["repetition"]);
  const close = () =>
    decide((tx) => closeBankMonth(tx, { connection, month: "2026-03", who: "o:f", atMs: nowMs }));
  await expect(close()).rejects.toThrow("BANK490");
  const doubtful = (await lines()).find(({ status }) => status === "doubtful");
  const id = doubtful?.id as string;
  expect(doubtful?.repeats_id).toBe((await lines())[0]?.id);
  await decide((tx) => decideRepetition(tx, { isRepeated: true }, decisionOf([id])));
  expect(await kinds(nowMs)).toEqual([]);
  await decide((tx) => undoLine(tx, id, decisionOf([])));
  await decide((tx) => decideRepetition(tx, { isRepeated: false }, decisionOf([id])));
  await expect(
    decide((tx) => decideRepetition(tx, { isRepeated: true }, decisionOf([id]))),
  ).rejects.toThrow("BANK478");
  const [item] = await bank.suspenseOf(connection);
  expect(item).toMatchObject({ kind: "credit", is_booked: true, status: "open" });
  const deciding = { id: item.id, reason: "asked the bank", who: "operator:a", atMs: Date.now() };
  await decide((tx) => fundBySuspense(tx, payer.subaccountId, deciding));
  expect(await funded()).toBe(800);
});

test("a statement that the bank numbers as the next one, and that holds the whole day of a swept account again, is in doubt", async () => {
  const { deposit, camt, funded, kinds } = await newBank();
  const swept = (amount: number, text: string) => [
    { amount, day: monday, text },
    { amount: -amount, day: monday, text: "SWEEP" },
  ];
  const text = await deposit();
  await camt({ movements: swept(100, text), sequence: 1 });
  await camt({ movements: [...swept(100, text), ...swept(50, text)], sequence: 2 });
  expect(await funded()).toBe(150);
  expect((await kinds()).sort()).toEqual(["line", "line", "repetition", "repetition"]);
});

test("one return in a returns file and on a CSV statement is booked once", async () => {
  const { send, csv, payer, connection, funded, position } = await newBank();
  const { batchId, ids } = await send([1_200]);
  const [id] = ids as [string];
  const before = await funded();
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  await bank.apply(abaReturns(connection, [{ amount: 1_200, reference: "PO-1" }], { date }));
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned"]);
  const reference = id.replaceAll("-", "");
  const day = new Date().toISOString().slice(0, 10);
  const back = { amount: 1_200, day, reference, code: "return" as const };
  expect(await csv({ movements: [back] })).toMatchObject({ noted: 1, suspended: 0 });
  expect(await bank.suspenseOf(connection)).toEqual([]);
  expect(await funded()).toBe(before + 1_200);
  expect((await position()).unexplained).toBe(0n);
});

const equalLine = (day: string) => ({
  day,
  valueDay: "",
  amount: 500n,
  currency: "AUD",
  contentKey: "equal",
  bankReference: "",
  references: [],
  ours: [],
  text: "",
  party: "",
});

/** With lines of one day that are equal in everything, and as many known ones. */
async function judgeEqual(lines: number, known: { day: string; family: string }) {
  let turns = 0;
  let isDone = false;
  const place = {
    isNextByDay: false,
    isNextBySequence: false,
    hasMoved: false,
    isNextByBalance: false,
    hasSameStart: false,
  };
  const statement = {
    family: "camt",
    isNotification: false,
    place,
    lines: Array.from({ length: lines }, () => equalLine(tuesday)),
    covers: () => false,
  };
  const before = Array.from({ length: lines }, (_, number) => ({
    ...equalLine(known.day),
    id: String(number),
    family: known.family,
    isDoubtful: false,
  }));
  const judging = judgeLines(statement, before).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await nextTurn();
    turns += 1;
  }
  return { verdicts: await judging, turns };
}

test("a hundred thousand equal lines are compared one by one, and others are served meanwhile", async () => {
  const count = 100_000;
  const { verdicts, turns } = await judgeEqual(count, { day: tuesday, family: "camt" });
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["repeated"]));
  const ids = verdicts.map((one) => "repeatsId" in one && one.repeatsId);
  expect(new Set(ids).size).toBe(count);
  expect(turns).toBeGreaterThan(100);
});

test("too many equal lines of other days in another format are in doubt, and never new", async () => {
  const { verdicts } = await judgeEqual(100_000, { day: monday, family: "csv" });
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["doubtful"]));
  const few = await judgeEqual(900, { day: monday, family: "csv" });
  expect(new Set(few.verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["new"]));
});
