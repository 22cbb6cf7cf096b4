// disburse bank-simulator: it reads payment files from one folder, and writes the bank's answers to another.

import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pain001v09Format } from "../../../../packages/bank-formats/src/iso/pain-001-writer.ts";
import {
  eurPayments,
  eurSettings,
} from "../../../../packages/bank-formats/test/pain-001-examples.ts";
import { exampleFacts, writeFile } from "../../../../packages/bank-formats/test/payments.ts";
import { begin, disburse } from "../../support/process.ts";

const today = new Date().toISOString().slice(0, 10);
const paymentFile = writeFile(
  pain001v09Format,
  eurSettings,
  eurPayments,
  exampleFacts(eurPayments, today),
);

function folders() {
  const folder = mkdtempSync(join(tmpdir(), "disburse-bank-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const inFolder = join(folder, "in");
  const outFolder = join(folder, "out");
  return { inFolder, outFolder, options: ["--in", inFolder, "--out", outFolder] };
}

test("--once answers all files, rejects broken ones with the reason, and answers none twice", async () => {
  const { inFolder, outFolder, options } = folders();
  await disburse(["bank-simulator", ...options, "--once"], {});
  writeFileSync(join(inFolder, "payouts.xml"), paymentFile);
  writeFileSync(join(inFolder, "letter.txt"), "Dear bank");
  writeFileSync(join(inFolder, ".payouts.xml.tmp"), "half a file");
  const { code, stdout, stderr } = await disburse(
    ["bank-simulator", ...options, "--once", "--statements", "bai2"],
    {},
  );
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^took payouts\.xml \(pain\.001\.001\.09\): 2 payments, 1000000099\.99 EUR, reference SIM/m,
  );
  expect(stdout).toContain(
    "rejected letter.txt (unknown):\n  the file is of no format that this bank takes\n",
  );
  const names = readdirSync(outFolder).sort();
  expect(names).toEqual([
    expect.stringMatching(/^letter\.[0-9a-f]{8}\.ack\.txt$/),
    expect.stringMatching(/^payouts\.[0-9a-f]{8}\.status-1\.xml$/),
    expect.stringMatching(/^payouts\.[0-9a-f]{8}\.status-2\.xml$/),
    "stmt-eur-678-0001.bai",
  ]);
  const before = names.map((name) => readFileSync(join(outFolder, name), "utf8"));
  const again = await disburse(["bank-simulator", ...options, "--once", "--json"], {});
  expect(again.stdout).not.toContain('"answer"');
  expect(names.map((name) => readFileSync(join(outFolder, name), "utf8"))).toEqual(before);
  const [file] = again.stdout
    .split("\n")
    .filter((line) => line.includes("payouts.xml"))
    .map((line) => JSON.parse(line));
  expect(file).toMatchObject({ event: "file", accepted: true, count: 2, total: "100000009999" });
});

/** The bank never sees half a file. */
function put(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, `${name}.tmp`), text);
  renameSync(join(folder, `${name}.tmp`), join(folder, name));
}

test("it watches the folder until it is interrupted", async () => {
  const { inFolder, outFolder, options } = folders();
  const isWatching = ({ stdout }: { stdout: string }) => stdout.includes("watches");
  const words = ["bank-simulator", ...options, "--speed", "1000000", "--return-rate", "1"];
  const running = await begin(words, {}, isWatching);
  put(inFolder, "payouts.xml", paymentFile);
  await expect.poll(() => readdirSync(outFolder).length).toBe(3);
  const returns = readdirSync(outFolder).find((name) => name.endsWith("returns-2.xml")) ?? "";
  expect(readFileSync(join(outFolder, returns), "utf8").match(/<Ntry>/g)).toHaveLength(2);
  await running.end();
  expect(running.output().stderr).toBe("");
});

test("a deposit comes while it runs, or by a file in its folder, and is on a statement that the service's check takes", async () => {
  const { inFolder, outFolder, options } = folders();
  const isWatching = ({ stdout }: { stdout: string }) => stdout.includes("watches");
  const words = ["bank-simulator", ...options, "--speed", "1000000", "--statements", "camt.053"];
  const running = await begin([...words, "--opening-balance", "0"], {}, isWatching);
  const facts = ["--amount", "1000.00", "--currency", "AUD", "--account", "12345678"];
  const deposit = ["bank-simulator", "deposit", "--in", inFolder, ...facts];
  const { code, stdout } = await disburse(
    [...deposit, "--text", "7K3M9QWXYZ", "--from", "Ada"],
    {},
  );
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^wrote deposit-[0-9a-f-]{36}\.json\n$/),
  ]);
  await expect.poll(() => readdirSync(outFolder)).toEqual(["stmt-aud-678-0001.xml"]);
  await expect
    .poll(() => running.output().stdout)
    .toMatch(
      /^took deposit-[0-9a-f-]{36}\.json: a deposit of 1000\.00 AUD, reference DEP[0-9A-F]{12}$/m,
    );
  put(inFolder, "deposit-2.json", '{"amount":"0.50","currency":"AUD"}');
  put(inFolder, "deposit-3.json", '{"amount":"0.505","currency":"AUD"}');
  await expect.poll(() => readdirSync(outFolder)).toHaveLength(2);
  await expect.poll(() => running.output().stdout).toContain("rejected deposit-3.json:");
  await running.end();
  const files = readdirSync(outFolder).map((name) => join(outFolder, name));
  for (const file of files) {
    const checked = await disburse(["bank-files", "check", file], {});
    expect([checked.code, checked.stderr]).toEqual([0, ""]);
  }
  expect(readFileSync(files[1] ?? "", "utf8")).toContain('<Amt Ccy="AUD">1000.50</Amt>');
});

test.each([
  [["--amount", "1", "--currency", "AUD"], "required option '--in <folder>' not specified"],
  [["--in", "a", "--currency", "AUD"], "required option '--amount <amount>' not specified"],
  [["--in", "a", "--amount", "1.234", "--currency", "AUD"], "The amount is none of AUD"],
])("deposit %j is refused", async (words, message) => {
  const { code, stdout, stderr } = await disburse(["bank-simulator", "deposit", ...words], {});
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

test.each([
  [["--in", "a", "--out", "b", "--opening-balance", "-1"], "Give an amount, such as 1000.00."],
  [["--in", "a"], "required option '--out <folder>' not specified"],
  [["--in", "a", "--out", "b", "--speed", "0"], "Give a number above 0."],
  [["--in", "a", "--out", "b", "--return-rate", "2"], "Give a number from 0 to 1."],
  [["--in", "a", "--out", "b", "--seed", "x"], "Give a whole number."],
  [["--in", "/dev/null/a", "--out", "b"], "/dev/null/a can't be used (ENOTDIR)."],
])("%j is refused", async (words, message) => {
  const { code, stdout, stderr } = await disburse(["bank-simulator", ...words, "--once"], {});
  expect([code, stdout]).toEqual([message.includes("can't") ? 1 : 2, ""]);
  expect(stderr).toContain(message);
});
