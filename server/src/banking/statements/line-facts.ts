// What a statement line says that decides its match: our own ids, and whether the bank charges us. Pure.

import type { StatementLine } from "../../../../packages/bank-formats/src/index.ts";
import { emptyLine, type InboundLine, idInReference } from "../readers/index.ts";

/** The ids of payouts and bank batches that it names. Ours are 32 hexadecimal digits, with or without dashes. */
export function idsIn(line: StatementLine): string[] {
  const { endToEndId, instructionId, customerReference, messageId, paymentInformationId } = line;
  const fields = [endToEndId, instructionId, customerReference, messageId, paymentInformationId];
  const inText = line.text.match(
    /(?<![0-9a-f])[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}(?![0-9a-f])/gi,
  );
  // The blocks of a file are numbered: its id, a dash and the number.
  const ids = [...fields, ...(inText ?? [])].map((text) =>
    idInReference(text.replace(/-\d{1,2}$/, "")),
  );
  return [...new Set(ids)].filter((id) => id !== "");
}

/** What a payer may have written a deposit reference into. */
export function depositTextOf({ endToEndId, customerReference, text }: StatementLine): string {
  return [customerReference, endToEndId, text].join("\n");
}

/** The reference that people look for. */
export function shownReference({
  endToEndId,
  customerReference,
  messageId,
}: StatementLine): string {
  return customerReference || endToEndId || messageId;
}

/** Equal for the same line in overlapping statements. */
export function contentOf(line: StatementLine): string {
  const { day, valueDay, amount, currency, code, entryKey, entryLine } = line;
  const { endToEndId, customerReference, bankReference, partyName, partyAccount, text } = line;
  const { code: returned = "" } = line.returnReason ?? {};
  const names = [bankReference, endToEndId, customerReference, partyName, partyAccount];
  const about = [...names, text, returned];
  return JSON.stringify([
    day,
    valueDay,
    String(amount),
    currency,
    code,
    entryKey,
    entryLine,
    about,
  ]);
}

/** A credit that the bank calls a return, or that carries the reference of a payout: only ours do. */
export function isReturn(line: StatementLine, namesPayout: boolean): boolean {
  return line.amount > 0n && (line.returnReason !== undefined || line.isReversal || namesPayout);
}

/** As a report about a payment. `item` tells it apart from others. */
export function toReport(
  line: StatementLine,
  kind: "return" | "credit",
  { payoutId, item }: { payoutId: string; item: string },
): InboundLine {
  const { place, returnReason, partyAccount, amount, currency, day, valueDay } = line;
  const isCredit = kind === "credit";
  return {
    ...emptyLine,
    line: place.line,
    kind,
    scheme: "iso",
    code: returnReason?.code ?? line.code,
    text: returnReason?.text || line.text,
    payoutId,
    payee: { bank: "", account: partyAccount },
    reference: isCredit ? shownReference(line) : line.text || line.endToEndId,
    day: day || valueDay,
    dayMeaning: "until",
    amount: amount < 0n ? -amount : amount,
    currency,
    item,
  };
}

const chargeWords = /\b(fee|fees|charge|charges|commission|frais|gebuehr|gebühr|kosten)\b/i;

/** The bank takes something for its work, by its code or its words. */
export function isCharge({ code, bank_text }: { code: string; bank_text: string }): boolean {
  return (
    /(^|\/)(CHRG|FEES|COMM|MSCH)(\/|$)/.test(code) ||
    /^(661|69[0-9])$/.test(code) ||
    chargeWords.test(bank_text)
  );
}
