// Files from banks are read in a thread, so that a large or hostile one delays nothing else.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { InboundReader, type InboundRecord } from "../../../src/banking/readers/inbound-reader.ts";
import { newSharedBytes, openInThread } from "../../../src/banking/readers/inbound-thread.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { hostileBankFiles } from "../../scenarios/hostile-bank-files.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";

const bank = await closeAfterTests(startBankConsole());

const account = "12345678";
const today = "2026-11-02";
const fileOf = (bytes: number, name: string) => hostileBankFiles(bytes, account)[name] as string;

test("while a user's file is read, other requests are answered", async () => {
  const finance = bank.enter("finance");
  await finance.ready;
  const content = Buffer.from(fileOf(1_000_000, "camt.053: empty entries")).toString("base64");
  let isDone = false;
  const upload = finance.post("/banks/inbound", { name: "hostile.xml", content }).finally(() => {
    isDone = true;
  });
  let answered = 0;
  while (!isDone) {
    const { status } = await finance.get("/banks/inbound");
    if (status === 200 && !isDone) answered += 1;
  }
  const { status, json } = await upload;
  expect([status, json.error[0].code]).toEqual([400, "BANK401"]);
  expect(json.error).toHaveLength(limits.bankProblemsShownMax);
  expect(answered).toBeGreaterThan(3);
});

test("the event loop turns while a thread reads, and the records come in pages", async () => {
  const text = fileOf(1_000_000, "camt.053: debits");
  let turns = 0;
  let isDone = false;
  const reading = openInThread(Buffer.from(text), async (file) => {
    const opened = await file.open(today);
    let lines = 0;
    for await (const { kind } of file.records()) if (kind === "line") lines += 1;
    return { opened, lines };
  }).finally(() => {
    isDone = true;
  });
  for (; !isDone; turns += 1) await nextTurn();
  const { opened, lines } = await reading;
  expect(opened).toMatchObject({ kind: "statements", problems: [], ends: [{ account, lines }] });
  expect(turns).toBeGreaterThan(100);
});

test("a page has a bounded number of records and characters", () => {
  const long = "x".repeat(10_000);
  const entry = `<Ntry><Amt Ccy="AUD">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BkTxCd><Prtry><Cd>A</Cd></Prtry></BkTxCd><AddtlNtryInf>${long}</AddtlNtryInf></Ntry>`;
  for (const text of [
    fileOf(1_000_000, "camt.053: debits"),
    fileOf(100_000, "camt.053: debits").replace("<Ntry>", `${entry.repeat(100)}<Ntry>`),
  ]) {
    const reader = new InboundReader(Buffer.from(text));
    reader.open(today);
    for (const _ of ["first", "again"]) {
      reader.rewind();
      let pages = 0;
      for (let page = reader.nextPage(); page.length > 0; page = reader.nextPage()) {
        pages += 1;
        expect(page.length).toBeLessThanOrEqual(limits.bankReadPageMax);
        const characters = page.map(charactersOf);
        const last = characters.at(-1) ?? 0;
        const all = characters.reduce((sum, one) => sum + one);
        expect(all - last).toBeLessThan(limits.bankReadPageChars);
      }
      expect(pages).toBeGreaterThan(2);
    }
  }
});

function charactersOf(record: InboundRecord): number {
  const texts = Object.values(record).filter((value) => typeof value === "string");
  return texts.reduce((sum, { length }) => sum + length, 0);
}

test("an entry with a huge text, and a file with too many statements, are refused with their place", () => {
  const huge = fileOf(10_000, "camt.053: debits").replace(
    "</AcctSvcrRef>",
    `</AcctSvcrRef><AddtlNtryInf>${"x".repeat(limits.bankRecordChars)}</AddtlNtryInf>`,
  );
  const tooLong = new InboundReader(Buffer.from(huge)).open(today);
  expect(tooLong).toMatchObject({
    problems: expect.arrayContaining([
      expect.objectContaining({
        line: 1,
        message: expect.stringContaining("an entry must have at most"),
      }),
    ]),
  });
  const statement = /<Stmt>.*<\/Stmt>/.exec(fileOf(1, "camt.053: debits"))?.[0] as string;
  const many = fileOf(1, "camt.053: debits").replace(
    statement,
    statement.repeat(limits.bankStatementsMax + 1),
  );
  expect(new InboundReader(Buffer.from(many)).open(today)).toMatchObject({
    ends: [],
    problems: [{ message: "a file must have at most 5000 statements, but has 5001" }],
  });
});

test("more files at once than there are threads are all read, in memory that is not copied", async () => {
  const text = fileOf(10_000, "camt.053: debits");
  const opened = await Promise.all(
    Array.from({ length: limits.bankThreadsMax * 3 }, () => {
      const bytes = newSharedBytes(text.length);
      bytes.write(text, "latin1");
      return openInThread(bytes, (file) => file.open(today));
    }),
  );
  for (const one of opened) expect(one).toMatchObject({ kind: "statements", problems: [] });
});
