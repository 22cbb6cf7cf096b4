// What an account statement holds, in one shape for all formats: its lines, then the statement itself.

import type { ReturnReason } from "./iso/camt-records.ts";

/** Where it is in the file, from 1. */
export type StatementPlace = { line: number; column: number };

/** A movement on our account that the bank has booked. Texts are empty where the bank gives none. */
export type StatementLine = {
  kind: "line";
  /** Of the transaction inside of an entry, where the line is one. */
  place: StatementPlace;
  /** Our account, as the bank writes it; empty where the file does not name it. */
  account: string;
  /** YYYY-MM-DD: the day of the booking. */
  day: string;
  /** YYYY-MM-DD, or empty. */
  valueDay: string;
  /** Minor units; a credit is above zero, a debit below. Never zero. */
  amount: bigint;
  currency: string;
  /** Whether it takes back an earlier entry. */
  isReversal: boolean;
  /** Undefined where nothing says that a payment came back. */
  returnReason: ReturnReason | undefined;
  /** The bank's code of the transaction: PMNT/ICDT/RRTN, 475, or what the column of a CSV file says. */
  code: string;
  /** The bank's own reference. */
  bankReference: string;
  endToEndId: string;
  instructionId: string;
  /** Of the message that ordered the payment: for a whole file of ours, its id. */
  messageId: string;
  paymentInformationId: string;
  uetr: string;
  /** What the payer or payee gave as a reference, where the bank has a field for it. */
  customerReference: string;
  /** The other party. */
  partyName: string;
  partyAccount: string;
  /** Everything else that the bank writes about it, on one line. */
  text: string;
  /** The bank's reference of the whole entry; empty where the entry has none of its own. */
  entryReference: string;
  /**
   * Equal for the same entry in overlapping statements, and for no other entry of a statement. Made of the bank's
   * reference of the entry, and where that is absent of the entry's content. Hash it before you keep it.
   */
  entryKey: string;
  /** The number of lines that the same entry gives: one, or one for each transaction inside. */
  entryLines: number;
  /** Which of them this line is, from 1. */
  entryLine: number;
};

/**
 * "statement": final, and complete between its balances. "notification": some of the entries, ahead of the statement.
 * "report": interim, or a test of the bank; nothing can be booked by it.
 */
export type StatementForm = "statement" | "notification" | "report";

/** Comes after its lines. */
export type StatementEnd = {
  kind: "statement";
  place: StatementPlace;
  form: StatementForm;
  account: string;
  /** Of the balances; of the lines, where there are no balances. Empty where there are neither. */
  currency: string;
  /** The bank's id of the statement. */
  bankId: string;
  /** The bank's number of the statement. */
  sequence: string;
  /** YYYY-MM-DD, or empty. */
  fromDay: string;
  toDay: string;
  /** Minor units with a sign. Undefined where the bank gives none, and none follows from the other and the lines. */
  opening: bigint | undefined;
  closing: bigint | undefined;
  /** How many lines were yielded before. */
  lines: number;
};

export type StatementRecord = StatementLine | StatementEnd;

export const emptyStatementLine = {
  kind: "line",
  account: "",
  valueDay: "",
  isReversal: false,
  returnReason: undefined,
  code: "",
  bankReference: "",
  endToEndId: "",
  instructionId: "",
  messageId: "",
  paymentInformationId: "",
  uetr: "",
  customerReference: "",
  partyName: "",
  partyAccount: "",
  text: "",
  entryReference: "",
  entryLines: 1,
  entryLine: 1,
} as const satisfies Partial<StatementLine>;
