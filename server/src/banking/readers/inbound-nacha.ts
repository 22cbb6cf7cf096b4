// Returns and notifications of change in NACHA files. Both come as an entry with an addendum that says why.

import {
  type NachaAddendum,
  type NachaEntry,
  readFileDate,
  readNacha,
  recognisesNacha,
} from "../../../../packages/bank-formats/src/index.ts";
import {
  type BankCorrection,
  emptyLine,
  type InboundLine,
  type InboundLines,
} from "./inbound-line.ts";

export const inboundNacha = {
  recognises: recognisesNacha,
  source: "returns" as const,
  read: readNachaReturns,
};

function* readNachaReturns(text: string, receivedOn: string): InboundLines {
  const entries = readNacha(text);
  for (;;) {
    const { done, value } = entries.next();
    if (done) return value;
    const reason = value.addenda.find(({ kind }) => kind !== "information");
    if (reason) yield toLine(value, reason, receivedOn);
  }
}

function toLine(entry: NachaEntry, addendum: NachaAddendum, receivedOn: string): InboundLine {
  const field = (name: string) => addendum.values[name]?.trim() ?? "";
  const code = field("code");
  const isChange = addendum.kind === "change";
  return {
    ...emptyLine,
    line: entry.line,
    kind: kindOf(entry, addendum),
    scheme: "nacha",
    code,
    text: isChange ? "" : field("information"),
    payee: { bank: field("originalRdfi"), account: entry.accountNumber },
    reference: entry.identification,
    fileLine: Number(field("originalTraceNumber").slice(-7)) || 0,
    day: effectiveDay(entry.batch?.values.effectiveDate ?? "", receivedOn),
    dayMeaning: "until",
    amount: isChange ? undefined : entry.amount,
    currency: "USD",
    ours: entry.batch?.companyId.trim() ?? "",
    item: entry.traceNumber,
    correction: isChange ? correctionIn(code, addendum.values.correctedData ?? "") : undefined,
  };
}

const dayMs = 86_400_000;
/** Returns come within two months. */
const daysMax = 70;

/** Empty where it is absent, or can't be: some banks fill the field with anything. */
function effectiveDay(field: string, receivedOn: string): string {
  const date = readFileDate(field.trim(), "YYMMDD") ?? "";
  const days = Math.abs(Date.parse(receivedOn) - Date.parse(date)) / dayMs;
  return days <= daysMax ? date : "";
}

function kindOf({ direction }: NachaEntry, { kind }: NachaAddendum): InboundLine["kind"] {
  if (kind === "change") return "change";
  // We send credits. Dishonoured and contested returns are between the banks and a person.
  return kind === "return" && direction === "credit" ? "return" : "other";
}

/** Where each code has its corrected fields. Codes about names and types of account correct nothing that we keep. */
function correctionIn(code: string, data: string): BankCorrection | undefined {
  const account = (from: number) => data.slice(from, from + 17).trim();
  const routing = data.slice(0, 9).trim();
  if (code === "C01" || code === "C06") return { accountNumber: account(0) };
  if (code === "C02") return { bankCode: routing };
  if (code === "C03") return { bankCode: routing, accountNumber: account(12) };
  if (code === "C07") return { bankCode: routing, accountNumber: account(9) };
  return undefined;
}
