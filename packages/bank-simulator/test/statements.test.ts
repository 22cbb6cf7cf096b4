// Statements of the bank simulator: deposits, charges, single and batch booking, in every format, and what a restart knows.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkBankFile } from "../../bank-formats/src/check.ts";
import { type BankDeposit, readDeposit, writeDeposit } from "../src/deposit-file.ts";
import { BankSimulator, type SimulatorOptions } from "../src/simulator.ts";
import { accountStatements, type SimulatedStatements } from "../src/statements.ts";
import { decide, filesOfFormats, receivedMs } from "./files.ts";

const pain = filesOfFormats["pain.001.001.03"] ?? "";
const painAccount = "12345678";

function deposit(
  changes: Partial<Record<"amount" | "text" | "from" | "account", string>>,
): BankDeposit {
  const facts = { amount: "1000.00", currency: "AUD", text: "", from: "", account: "", ...changes };
  const written = writeDeposit(facts);
  if (!("json" in written)) throw new Error(written.problem);
  const name = `deposit-${JSON.stringify(changes)}.json`;
  return readDeposit({ name, receivedMs }, Buffer.from(written.json)) as BankDeposit;
}

function statementsOf(options: Partial<SimulatedStatements>, deposits: BankDeposit[] = []) {
  const given: SimulatedStatements = { speed: 1, statements: "camt.053", ...options };
  return accountStatements({ files: [decide(pain)], deposits }, given).map(({ write }) => write());
}

test.each(["02", "04", "08"])(
  "camt.053.001.%s: single booking lists each payment with its EndToEndId, batch booking the file",
  (version) => {
    const statements = `camt.053.001.${version}` as SimulatedStatements["statements"];
    const [single = ""] = statementsOf({ statements, booking: "single" });
    expect(checkBankFile(Buffer.from(single))).toMatchObject({
      format: statements,
      problems: [],
      count: 3,
    });
    const ids = [...single.matchAll(/<EndToEndId>(.+?)</g)].map(([, id = ""]) => id.slice(-2));
    expect(ids).toEqual(["00", "04", "05"]);
    const [batch = ""] = statementsOf({ statements });
    expect(batch.match(/<Ntry>/g)).toHaveLength(1);
    const [, messageId] = /<MsgId>(.+?)<\/MsgId>/.exec(pain) ?? [];
    expect(batch).toContain(`<Btch><MsgId>${messageId}</MsgId><NbOfTxs>3</NbOfTxs>`);
  },
);

test("a deposit is a credit with the payer's name and text, to the account that the files name", () => {
  const [statement = "", ...others] = statementsOf({}, [
    deposit({ text: "ref 7K3M9QWXYZ & more", from: "Coffee Roasters" }),
  ]);
  expect(others).toHaveLength(2);
  expect(statement).toContain(`<Id>${painAccount}</Id>`);
  expect(statement).toContain("<Nm>Coffee Roasters</Nm>");
  expect(statement).toContain("<Ustrd>ref 7K3M9QWXYZ &amp; more</Ustrd>");
  expect(checkBankFile(Buffer.from(statement))).toMatchObject({ credit: 100_000, problems: [] });
});

test("a deposit that names no account waits until the bank knows one in its currency", () => {
  const options: SimulatedStatements = { speed: 1, statements: "camt.053" };
  const waiting = { files: [], deposits: [deposit({ text: "first" })] };
  expect(accountStatements(waiting, options)).toEqual([]);
  waiting.deposits.push(deposit({ account: "999-888" }));
  const [statement] = accountStatements(waiting, options).map(({ write }) => write());
  expect(statement?.match(/<Ntry>/g)).toHaveLength(2);
  expect(statement).toContain("<Id>999888</Id>");
});

test("a charge for each file is a booking of its own, and the balances follow on each other", () => {
  const options = { chargePerFile: "0.25", openingBalance: "50.00" };
  const [first = "", second = ""] = statementsOf(options);
  expect(first).toContain("<AddtlNtryInf>FEE PAYMENT FILE</AddtlNtryInf>");
  expect(first).toContain("<Cd>ACMT</Cd><Fmly><Cd>MDOP</Cd><SubFmlyCd>CHRG</SubFmlyCd></Fmly>");
  const balances = (text: string) =>
    [...text.matchAll(/<Bal>.*?>([\d.]+)<\/Amt><CdtDbtInd>(\w)/g)].map(
      ([, sum = "", sign = ""]) => sign + sum,
    );
  expect(balances(first)).toEqual(["C50.00", "D70.25"]);
  expect(balances(second)).toEqual(["D70.25", "D20.25"]);
});

test("BAI2: a long text goes on in continuation records, and no word is cut", () => {
  const text = `${"reference of the payer ".repeat(5)}7K3M9QWXYZ`;
  const [statement = ""] = statementsOf({ statements: "bai2" }, [deposit({ text })]);
  expect(checkBankFile(Buffer.from(statement))).toMatchObject({ format: "bai2", problems: [] });
  const lines = statement.split("\r\n");
  expect(lines.filter((line) => line.startsWith("88,")).length).toBeGreaterThan(0);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(statement.replaceAll("\r\n88,", " ")).toContain(`DEPOSIT ${text}`);
});

test("CSV: signed amounts, and a balance after each line that ends at the next file's beginning", () => {
  const [first = "", second = ""] = statementsOf({ statements: "csv", booking: "single" });
  const rows = (text: string) =>
    text
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(","))
      .map(([account, date, , amount, currency, balance]) => [
        account,
        date,
        amount,
        currency,
        balance,
      ]);
  expect(rows(first)).toEqual([
    [painAccount, "2026-11-17", "-10.00", "AUD", "999990.00"],
    [painAccount, "2026-11-17", "-50.00", "AUD", "999940.00"],
    [painAccount, "2026-11-17", "-60.00", "AUD", "999880.00"],
  ]);
  expect(rows(second)).toEqual([[painAccount, "2026-11-17", "50.00", "AUD", "999930.00"]]);
  expect(first).toContain(',"Payee A",'.replaceAll('"', ""));
});

test.each([
  [{ amount: "1.005" }, "the amount is none of AUD, such as 1234.56"],
  [{ amount: "-1" }, "the amount is none of AUD, such as 1234.56"],
  [{ currency: "XXX" }, "the currency is none, such as AUD"],
  [{ text: "two\nlines" }, "the text and the name have at most 140 characters, on one line"],
  [{ account: "<b>" }, "the account is no account number"],
])("a deposit with %j is refused", (changes, problem) => {
  const facts = { amount: "1", currency: "AUD", text: "", from: "", account: "", ...changes };
  expect(writeDeposit(facts)).toEqual({ problem });
  const read = readDeposit(
    { name: "deposit-1.json", receivedMs },
    Buffer.from(JSON.stringify(facts)),
  );
  expect(read).toEqual({ name: "deposit-1.json", problem });
});

test("a file that is no deposit is refused with the reason", () => {
  const problems = ["no JSON", "null", "[1]", '{"amount":1000}'].map((text) =>
    readDeposit({ name: "deposit-1.json", receivedMs }, Buffer.from(text)),
  );
  expect(problems).toMatchObject([
    { problem: "the file is no JSON" },
    { problem: "the currency is none, such as AUD" },
    { problem: "the currency is none, such as AUD" },
    { problem: "amount, currency, account, text and from are texts" },
  ]);
});

/** A bank in folders of its own, which is started again for each run. */
function newBank(changes: Partial<SimulatorOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "disburse-bank-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [inFolder, outFolder] = [join(folder, "in"), join(folder, "out")];
  mkdirSync(inFolder);
  const put = (name: string, text: string) => writeFileSync(join(inFolder, name), text);
  return {
    inFolder,
    outFolder,
    put,
    deposit: (name: string, amount: string) =>
      put(name, JSON.stringify({ amount, currency: "AUD", text: name, account: "12345678" })),
    async run(more: Partial<SimulatorOptions> = {}) {
      const wrote: string[] = [];
      const options: SimulatorOptions = {
        inFolder,
        outFolder,
        once: true,
        seed: 1,
        returnRate: 0,
        speed: 1,
        statements: "camt.053",
        onFile: () => {},
        onDeposit: () => {},
        onAnswer: (name) => wrote.push(name),
        ...changes,
        ...more,
      };
      await new BankSimulator(options).run(new AbortController().signal);
      return wrote.filter((name) => name.startsWith("stmt-"));
    },
    texts: () =>
      readdirSync(outFolder)
        .filter((name) => name.startsWith("stmt-"))
        .sort()
        .map((name) => readFileSync(join(outFolder, name), "utf8")),
  };
}

const balancesOf = (text: string) =>
  [...text.matchAll(/<Bal>.*?>([\d.]+)<\/Amt>/g)].map(([, amount]) => amount);

test("every booking is on one statement, and each opens with what the last one closed with, over restarts", async () => {
  const bank = newBank({ openingBalance: "0" });
  bank.deposit("deposit-1.json", "100.00");
  expect(await bank.run()).toEqual(["stmt-aud-678-0001.xml"]);
  expect(await bank.run()).toEqual([]);
  // The same day: its statement was sent, so another one follows.
  bank.deposit("deposit-2.json", "10.00");
  bank.deposit("deposit-3.json", "1.00");
  expect(await bank.run({ booking: "single" })).toEqual(["stmt-aud-678-0002.xml"]);
  expect(await bank.run({ statements: "bai2" })).toEqual([]);
  bank.deposit("deposit-4.json", "0.10");
  expect(await bank.run()).toEqual(["stmt-aud-678-0003.xml"]);
  expect(bank.texts().map(balancesOf)).toEqual([
    ["0.00", "100.00"],
    ["100.00", "111.00"],
    ["111.00", "111.10"],
  ]);
});

test("the debit of a file is booked once, even where another mode of booking is chosen later", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const bank = newBank();
  bank.put("payouts.xml", pain.replaceAll("2026-11-17", today));
  // Debit and return are on two statements, but for files that come in the last hour of a day: then on one.
  expect(await bank.run({ booking: "single" })).not.toEqual([]);
  expect(await bank.run({ booking: "batch" })).toEqual([]);
});

test("a statement that was interrupted after it was journaled is sent at the next start", async () => {
  const bank = newBank();
  bank.deposit("deposit-1.json", "1.00");
  await bank.run();
  const [name = ""] = readdirSync(bank.outFolder);
  renameSync(join(bank.outFolder, name), join(bank.outFolder, `.${name}.tmp`));
  bank.deposit("deposit-2.json", "2.00");
  expect(await bank.run()).toEqual(["stmt-aud-678-0002.xml"]);
  expect(readdirSync(bank.outFolder).sort()).toEqual([name, "stmt-aud-678-0002.xml"]);
});
