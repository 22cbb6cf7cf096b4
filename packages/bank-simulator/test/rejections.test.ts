// Broken files: the bank simulator rejects each with the reason, and never fails.

import fc from "fast-check";
import { expect, test } from "vitest";
import { writeFileStatus } from "../src/acknowledgement.ts";
import { answersTo } from "../src/answers.ts";
import { readInstructions } from "../src/recognise-file.ts";
import { decide, filesOfFormats } from "./files.ts";

const fileOf = (format: string) => filesOfFormats[format] ?? "";
const problemsOf = (text: string) => readInstructions(Buffer.from(text)).problems;

/** Changes one text of a file, which has to be there. */
function change(format: string, from: string | RegExp, to: string): string {
  const changed = fileOf(format).replace(from, to);
  expect(changed).not.toBe(fileOf(format));
  return changed;
}

test.each(Object.keys(filesOfFormats))("%s: the file of the service is taken", (format) => {
  expect(problemsOf(fileOf(format))).toEqual([]);
});

test.each<[string, string | RegExp, string, string]>([
  ["aba", "0000021000000002", "0000021001000002", "net total is 21001, but the records add up to"],
  ["aba", "7999-999", "7999-998", "line 8: the trailer's BSB is not 999-999"],
  ["aba", "000006   ", "000007   ", "line 8: the count is 7, but the records add up to 6"],
  ["aba", "171126", "310226", "line 1: the process date is no date"],
  ["aba", "Payee A", "Pay;e A", "line 2: a character is not in the Direct Entry set"],
  ["aba", "Payee A", "       ", "line 2: the account title is blank, or begins with a space"],
  ["aba", " 500000001000", " 500000000000", "line 2: the amount is no number above zero"],
  ["aba", "1083-047", "1083 047", "line 2: the BSB is not nnn-nnn"],
  ["aba", "Payee A  ", "Payee A ", "line 2: a record has 120 characters, this one has 119"],
  ["aba", /7999-999.*\r\n$/, "", "the record of type 7 is missing"],
  ["aba", " 500000001000", " 130000001000", "a debit of another account than the payer's"],
  ["nacha", "0000001000", "0000001001", "the credit total is"],
  ["nacha", "011401533", "011401534", "line 3: the check digit of the routing number is wrong"],
  ["nacha", "PPD", "WEB", "line 2: the entry class is neither PPD nor CCD"],
  ["nacha", "5220ACME", "5200ACME", "line 2: only credits (220) are taken"],
  ["nacha", /9{94}\r\n$/, "", "a file has full blocks of 10 lines, this one has 19"],
  ["nacha", "021000020000002", "021000020000001", "line 4: trace numbers do not ascend"],
  ["nz-bnz", /^3,21000/m, "3,21001", "line 8: the total is 21001, but the records add up to 21000"],
  ["nz-bnz", /\d\r\n$/, "x\r\n", "line 8: the hash total is not a number"],
  ["nz-bnz", ",7,", ",6,", "line 1: only direct credits (7) are taken"],
  ["nz-bnz", "Payee A", "Payee, A", "line 2: a payment has 13 fields, not 14"],
  ["nz-anz", ",6,", ",5,", "line 8: the count is 5, but the records add up to 6"],
  ["nz-asb", "Payee A ", "Payee A", "line 2: a record has 160 characters, this one has 159"],
  ["nz-asb", /\r\n1399.*\r\n$/, "\r\n", "the control record is missing"],
  ["nz-westpac", "D,000003", "D,000004", "line 3: the sequence number is 4"],
  ["nz-westpac", "A,000001,03", "A,000001,12", "line 1: the paying bank is not 03"],
  ["pain.001.001.03", "<NbOfTxs>6<", "<NbOfTxs>7<", "NbOfTxs of GrpHdr is 7, but there are 6"],
  ["pain.001.001.03", ">10.00<", ">10.001<", "payment 1: the amount is no number above zero"],
  ["pain.001.001.03", 'Ccy="AUD"', 'Ccy="USD"', "payment 1: the currency is USD, not AUD"],
  ["pain.001.001.03", "<Ccy>AUD</Ccy>", "<Ccy>AUX</Ccy>", "the currency of DbtrAcct is unknown"],
  ["pain.001.001.03", "<Ccy>AUD</Ccy>", "", "the currency of DbtrAcct is unknown"],
  ["pain.001.001.03", "<NbOfTxs>6</NbOfTxs>", "", "GrpHdr has no NbOfTxs"],
  ["pain.001.001.09", "<IBAN>DE", "<IBAN>FR", "payment 1: the check digits of the IBAN are wrong"],
  ["pain.001.001.09", "<Dt>2026-11-17</Dt>", "2026-11-17", "ReqdExctnDt/Dt is no date"],
  ["pain.001.001.09", "Payee A", "Payee &#xE4;", "payment 1: a character is none of SEPA's"],
  ["pain.001.001.09", "<ChrgBr>SLEV</ChrgBr>", "", "SEPA needs ChrgBr SLEV"],
  ["pain.001.001.09", "<Document", "<!DOCTYPE a><Document", "the XML can't be read after"],
  ["pain.001.001.09", "Payee A", "Payee &file;", "an entity of the XML is unknown"],
  ["pain.001.001.09", "</Document>", "", "the XML ends within an element"],
  [
    "pain.001.001.09",
    "pain.001.001.09",
    "pain.001.001.11",
    "the message is neither pain.001.001.03",
  ],
])("%s with %s changed is rejected: %s", (format, from, to, reason) => {
  expect(problemsOf(change(format, from, to)).join("\n")).toContain(reason);
});

test("a file of another kind, an empty one and a binary one are rejected", () => {
  const unknown = ["the file is of no format that this bank takes"];
  for (const text of ["", "hello", "\u0000\u0001", "%PDF-1.7"]) {
    expect(problemsOf(text)).toEqual(unknown);
  }
});

test("the second of two equal files is a duplicate, and a process date must be near", () => {
  const first = decide(fileOf("aba"));
  const earlier = new Map([[first.sha256, "monday.aba"]]);
  expect(decide(fileOf("aba"), {}, earlier).file.problems).toEqual([
    "the file is a duplicate of monday.aba",
  ]);
  const dated = (date: string) => decide(change("aba", "171126", date)).file.problems;
  expect(dated("011126")).toEqual(["the process date 2026-11-01 is past"]);
  expect(dated("171128")).toEqual(["the process date 2028-11-17 is too far ahead"]);
});

test("a pain.001 has one currency, whose decimals its amounts have", () => {
  const aud = fileOf("pain.001.001.03");
  const [block = ""] = /<PmtInf>.*<\/PmtInf>/s.exec(aud) ?? [];
  const other = aud.replace(block, block + block.replaceAll("AUD", "USD"));
  expect(problemsOf(other)).toContain("the message pays in several currencies");
  const yen = aud.replaceAll("AUD", "JPY");
  const { file } = decide(yen);
  expect(file.problems).toEqual([]);
  expect(file.instructions.map(({ amount }) => amount)).toEqual([10n, 20n, 30n, 40n, 50n, 60n]);
  expect(writeFileStatus(decide(yen), 0)).toContain("<OrgnlCtrlSum>210</OrgnlCtrlSum>");
  expect(problemsOf(yen.replace(/(?<=<PmtMtd>.*)<NbOfTxs>6<\/NbOfTxs>/s, ""))).toEqual([]);
  expect(problemsOf(yen.replace(">10.00<", ">10.50<"))).toContain(
    "payment 1: the amount is no number above zero with at most 0 decimals",
  );
});

test("no file makes it fail, whatever its bytes, and every answer to it can be written", () => {
  const pieces = Object.values(filesOfFormats).flatMap((text) => text.match(/.{1,400}/gs) ?? []);
  const parts = fc.array(
    fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" }), fc.constant("\r\n")),
    { maxLength: 12 },
  );
  const starts = fc.constantFrom(
    "",
    ...Object.values(filesOfFormats).map((text) => text.slice(0, 90)),
  );
  fc.assert(
    fc.property(starts, parts, (start, rest) => {
      const decided = decide(start + rest.join(""));
      for (const { write } of answersTo(decided, { speed: 1 })) write();
    }),
    { numRuns: 300 },
  );
  const cuts = fc.tuple(fc.constantFrom(...Object.values(filesOfFormats)), fc.nat(), fc.string());
  fc.assert(
    fc.property(cuts, ([text, at, insert]) => {
      const from = at % text.length;
      const decided = decide(text.slice(0, from) + insert + text.slice(from + insert.length));
      for (const { write } of answersTo(decided, { speed: 1 })) write();
    }),
    { numRuns: 300 },
  );
});
