// Checks an entry of a NACHA file together with its addenda. Only what makes an entry unreadable is an error.

import { isRoutingNumber } from "../account-numbers/index.ts";
import { findBankCode } from "../bank-codes.ts";
import { quoteField } from "../quoting.ts";
import type { RecordReader } from "../record-reader.ts";
import type { FileProblem, FileProblems } from "../report.ts";
import { isPrenote, isTransactionCode, mayBeZero, namedClasses } from "./codes.ts";
import { dollars } from "./controls.ts";
import type { NachaAddendum, NachaBatch, NachaEntry } from "./records.ts";

/** Reports that a field should be something, and what it is instead. */
type ShouldBe = (name: string, expected: string, found?: string) => void;

export function checkEntry(
  entry: NachaEntry,
  batch: NachaBatch,
  traceBefore: string,
  problems: FileProblems,
): void {
  const shouldBe: ShouldBe = (name, expected, found) =>
    report(entry, problems, "warning", name, expected, found);
  checkTransactionCode(entry, batch, problems);
  checkAccount(entry, batch, shouldBe);
  checkAmount(entry, batch, shouldBe);
  if (!batch.isAdvice) checkTrace(entry, batch, traceBefore, shouldBe);
  checkAddendaCount(entry, batch, shouldBe);
  if (batch.entryClass === "IAT") checkParties(entry, problems);
  if (batch.entryClass === "COR" && !entry.addenda.some(({ type }) => type === "98")) {
    const message = "a notification of change should have an addenda record of type 98";
    problems.warning(entry.line, 1, message);
  }
}

function report(
  { line, layout, values }: NachaEntry,
  problems: FileProblems,
  severity: FileProblem["severity"],
  name: string,
  expected: string,
  found = quoteField(values[name] ?? ""),
): void {
  const field = layout.fields[layout.indexOf.get(name) ?? 0];
  const verb = severity === "error" ? "must" : "should";
  const message = `the ${field?.label} ${verb} be ${expected}, but is ${found}`;
  problems[severity](line, field?.at ?? 1, message);
}

function checkTransactionCode(entry: NachaEntry, batch: NachaBatch, problems: FileProblems): void {
  const { transactionCode: code } = entry;
  if (isTransactionCode(code, batch.isAdvice)) return;
  // A code of an account type tells the direction, even where it is not in use. Others tell nothing.
  const isReadable = !batch.isAdvice && /^[2-5][1-9]$/.test(code);
  const expected = batch.isAdvice ? "81 to 88" : "one such as 22, 27, 32 or 37";
  report(entry, problems, isReadable ? "warning" : "error", "transactionCode", expected);
}

function checkAccount(entry: NachaEntry, batch: NachaBatch, shouldBe: ShouldBe): void {
  const { routingNumber } = entry;
  if (/^\d{8}/.test(routingNumber) && !isRoutingNumber(routingNumber)) {
    shouldBe("checkDigit", "that of the routing number", `"${routingNumber.slice(8)}"`);
  }
  if (entry.accountNumber === "") shouldBe("accountNumber", "given");
  if (namedClasses.has(batch.entryClass) && entry.name === "") shouldBe("name", "given");
}

function checkAmount(entry: NachaEntry, { entryClass, isAdvice }: NachaBatch, shouldBe: ShouldBe) {
  const { transactionCode: code, amount } = entry;
  if (amount > 0n && isPrenote(code))
    shouldBe("amount", "0.00 for a prenotification", dollars(amount));
  if (amount > 0n && entryClass === "COR") {
    shouldBe("amount", "0.00 for a notification of change", dollars(amount));
  }
  if (amount > 0n || isAdvice || entryClass === "COR" || mayBeZero(code)) return;
  if (/^\d+$/.test(entry.values.amount ?? "")) shouldBe("amount", "above zero", dollars(amount));
}

function checkTrace(
  entry: NachaEntry,
  batch: NachaBatch,
  before: string,
  shouldBe: ShouldBe,
): void {
  const { traceNumber: trace } = entry;
  if (!/^\d{15}$/.test(trace)) {
    shouldBe("traceNumber", "15 digits");
    return;
  }
  const found = `"${trace}"`;
  if (/^\d{8}$/.test(batch.odfi) && !trace.startsWith(batch.odfi)) {
    shouldBe("traceNumber", `of the originating bank ${batch.odfi}`, found);
  }
  if (trace <= before) shouldBe("traceNumber", `above the one before it, "${before}"`, found);
}

/** How many addenda an entry may have beside returns and notifications of change. Other classes have no limit. */
const mostAddenda: Readonly<Record<string, number>> = {
  ACK: 1,
  ARC: 0,
  BOC: 0,
  CCD: 1,
  CIE: 1,
  DNE: 1,
  MTE: 1,
  POP: 0,
  POS: 1,
  PPD: 1,
  RCK: 0,
  SHR: 1,
  TEL: 0,
  TRC: 0,
  WEB: 1,
  XCK: 0,
};

function checkAddendaCount(entry: NachaEntry, batch: NachaBatch, shouldBe: ShouldBe): void {
  const { addendaIndicator = "", addendaCount } = entry.values;
  const all = entry.addenda.length;
  const expected = all > 0 ? "1" : "0";
  if (addendaIndicator !== expected) {
    shouldBe("addendaIndicator", `${expected} because ${all} addenda follow`);
  }
  const own = entry.addenda.filter(({ kind }) => kind === "information").length;
  const most = mostAddenda[batch.entryClass] ?? own;
  if (own > most) {
    const limit = `for at most ${most} addenda of class ${batch.entryClass}`;
    shouldBe("addendaIndicator", limit, `followed by ${own}`);
  }
  // A return repeats the entry, but not always its addenda.
  if (addendaCount === undefined || own !== all || Number(addendaCount) === own) return;
  shouldBe("addendaCount", String(own));
}

export function checkAddendum(
  { kind, type }: NachaAddendum,
  record: RecordReader<string>,
  { traceNumber, addenda }: NachaEntry,
): void {
  if (kind !== "information") {
    if (findBankCode("nacha", record.raw("code"))) return;
    record.shouldBe("code", /change/.test(kind) ? "one of C01 to C69" : "one of R01 to R85");
    return;
  }
  if (type === "02") return;
  const entrySequence = traceNumber.slice(-7);
  if (record.raw("entrySequence") !== entrySequence) {
    const found = `"${record.raw("entrySequence")}"`;
    record.shouldBe("entrySequence", `${entrySequence} as in the entry's trace number`, found);
  }
  if (!["05", "17", "18"].includes(type)) return;
  const place = 1 + addenda.filter((other) => other.type === type).length;
  if (Number(record.raw("sequence")) !== place) record.shouldBe("sequence", String(place));
}

const parties = ["10", "11", "12", "13", "14", "15", "16"];

/** An international entry names all parties, in this order. */
function checkParties(entry: NachaEntry, problems: FileProblems): void {
  const types = entry.addenda.map(({ type }) => type);
  const found = types.filter((type) => parties.includes(type));
  if (found.join() === parties.join()) return;
  const has = found.length > 0 ? found.join(", ") : "none of them";
  const message = `an international entry should have addenda ${parties.join(", ")}, but has ${has}`;
  problems.warning(entry.line, 1, message);
}
